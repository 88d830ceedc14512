/* What a page without a server is about: the answers that the server would have given, by their
 * paths, and when they were read.
 *
 *     {"version": "0.3.0", "made": 1789000000.5, "documents": {"/v1/studies": {...}, ...}}
 *
 * An answer that the server would refuse (a study without a recommendation) is left out. */
#ifndef BESD_PAGE_DOCUMENTS_H
#define BESD_PAGE_DOCUMENTS_H

#include "besd/besd.h"
#include "core/json_writer.h"

typedef struct documents {
    json_writer text;
    json_t *list; /* of studies */
} documents;

/* `made`: seconds since 1970. */
void documents_begin(documents *d, double made);

/* All that the page shows of a study: the study itself, trials, events, recommendation, curve with
 * hindsight, slices, map, legs and the newest explanation. */
besd_status documents_add_study(documents *d, const char *name, besd_study *study,
                                besd_error *error);

/* A study that cannot be read, with the reason. */
void documents_add_broken(documents *d, const char *name, const char *sentence);

/* Any other answer; takes over the object. */
void documents_add(documents *d, const char *path, json_t *object);

/* Ends the text and writes the page. Call documents_free afterwards, also when adding has failed.
 */
besd_status documents_write(documents *d, const char *path, besd_error *error);
void documents_free(documents *d);

#endif
