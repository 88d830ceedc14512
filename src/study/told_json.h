/* What a trial was told, as JSON: kept when it is replaced, so that it can be restored to the last
 * bit. */
#ifndef BESD_STUDY_TOLD_JSON_H
#define BESD_STUDY_TOLD_JSON_H

#include "study/record.h"

typedef struct told_scores {
    trial_record record;  /* cost, count, mean, and what the model sees */
    const double *scores; /* [score_count], or NULL: only a summary was told */
    const besd_leg *legs; /* [leg_count], or NULL */
    size_t leg_count;
} told_scores;

/* The text is the caller's to free. */
besd_status told_write(const told_scores *told, const char *why, char **text, besd_error *error);

/* BESD_IO when it is no such text. Its arrays come from malloc; told_free gives them back. */
besd_status told_read(const char *text, told_scores *told, besd_error *error);
void told_free(told_scores *told);

#endif
