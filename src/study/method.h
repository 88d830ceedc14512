/* The methods by which a study can be run, and the initial design of a study. */
#ifndef BESD_STUDY_METHOD_H
#define BESD_STUDY_METHOD_H

#include "besd/besd.h"

struct recommending;
struct turn;

/* What the initial design of a method consists of. */
typedef enum method_start {
    START_AT_EVERY_TAU, /* Latin designs, each at every tau */
    START_AT_TAU_MAX,   /* Latin designs at the largest tau */
    START_AT_ONCE       /* no initial design */
} method_start;

typedef struct method_info {
    const char *name, *alias, *text; /* alias: the paper's abbreviation, or NULL */
    method_start start;
    bool cheap_start; /* the initial design has the fewest reps, else the most */
    bool has_model;   /* chooses and recommends by a model, else by the scores alone */

    /* The trial after the initial design. A method with a model is called only when a trial was
     * told. */
    besd_status (*choose)(struct turn *t, besd_error *error);
    besd_status (*recommend)(const struct recommending *from, besd_recommendation *r,
                             besd_error *error);
} method_info;

const method_info *method_describe(besd_method method);

/* The number of a method by its name or alias; -1 when there is no such method. */
int method_find(const char *name);

/* The number of trials of the initial design; its cost, or the most that it may cost where a share
 * of the budget ends it. The options must have nothing left to settle automatically. */
size_t initial_trials(const besd_study_options *options);
double initial_cost(const besd_study_options *options);

#endif
