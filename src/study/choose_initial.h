/* The initial design: a Latin hypercube, tried before a model can choose. */
#ifndef BESD_STUDY_CHOOSE_INITIAL_H
#define BESD_STUDY_CHOOSE_INITIAL_H

#include "study/turn.h"

/* How many trials it consists of. */
size_t initial_trials(const besd_study_options *options);

/* What it costs, or at most where a share of the budget ends it, for options in which nothing is
 * left automatic. */
double initial_cost(const besd_study_options *options);

/* Is the next trial one of it? */
bool initial_is_due(const study_spec *spec, const evidence *e);

/* Its next trial; only while fewer places than its trials are taken. */
besd_status choose_initial(turn *t, besd_error *error);

#endif
