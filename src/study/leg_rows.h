/* What was told of legs, as a model sees it: a row for every leg and tau, however many trials and
 * replications came to it. */
#ifndef BESD_STUDY_LEG_ROWS_H
#define BESD_STUDY_LEG_ROWS_H

#include "study/evidence.h"

/* Is it a told trial that models are made from? */
bool leg_rows_teaches(const evidence *e, size_t trial);

/* The rows of the first `told` of them, at most `most`: of more the better half, which paths are
 * made of, and every so many'th of the rest. */
besd_status leg_rows_gather(const study_spec *spec, const evidence *e, size_t told, size_t most,
                            observations *rows, besd_error *error);

/* How often instances of each label were met, as parts of all, [max(labels, 1)]. */
void leg_rows_weigh(const study_spec *spec, const evidence *e, double *weights);

/* The legs of asked trials, which are on their way and will meet labels as often as before. */
besd_status leg_rows_add_pending(const study_spec *spec, const evidence *e, observations *rows,
                                 besd_error *error);

#endif
