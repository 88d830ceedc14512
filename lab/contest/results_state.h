/* What the files of the results share. */
#ifndef BESD_CONTEST_RESULTS_STATE_H
#define BESD_CONTEST_RESULTS_STATE_H

#include "contest/results.h"
#include "core/database.h"

struct results {
    database file;
};

/* The settings of a domain as they were written, with its learning curve without subgoals. */
besd_status results_find_contest(results *r, const char *on, results_contest *c, bool *found,
                                 besd_error *error);

#endif
