/* The methods by which a study can be run: how each begins and what it recommends. How it chooses
 * is in ask.c. */
#ifndef BESD_STUDY_METHOD_H
#define BESD_STUDY_METHOD_H

#include "besd/besd.h"

/* What the initial design consists of. */
typedef enum method_start {
    START_AT_EVERY_TAU, /* Latin designs, each at every tau */
    START_AT_TAU_MAX,   /* Latin designs at the largest tau */
    START_AT_ONCE       /* none */
} method_start;

typedef struct method_info {
    const char *name, *alias, *text; /* alias: the paper's abbreviation, or NULL */
    method_start start;
    bool cheap_start;     /* fewest reps in the initial design, else most */
    bool keeps_incumbent; /* recommends the best trial seen, not the best of a model */
} method_info;

const method_info *method_describe(besd_method method);

/* What the initial design of a study with all options filled in costs. */
double method_initial_cost(const besd_study_options *options);

/* Number by name or alias, -1 when there is none. */
int method_find(const char *name);

#endif
