/* What the list of studies and the metrics say of one: trials by state, budget, what is spent. It
 * is read once and believed for as long as the file and its log are untouched. */
#ifndef BESD_SERVE_SUMMARY_H
#define BESD_SERVE_SUMMARY_H

#include "serve/studies.h"

/* Changes with every commit, but before others can see it: the log is written, then synced, which
 * takes as long as the disk likes. */
typedef struct file_stamp {
    long long parts[4];
} file_stamp;

file_stamp summary_stamp(const served *one);

/* Were the files untouched for so long that what was written can be read? What is read before may
 * be older than its stamp. */
bool stamp_is_settled(const file_stamp *stamp);

/* {"name", "trials": {...}, "budget", "spent", "direction", "dimension"}, to be released; NULL and
 * a sentence when it cannot be had. */
json_t *summary_of(served *one, besd_error *error);

/* The same with a handle at hand. */
json_t *summary_read(const served *one, besd_study *study, besd_error *error);

#endif
