/* The methods by which a study can be run, one table: how each begins, chooses and recommends. */
#ifndef BESD_STUDY_METHOD_H
#define BESD_STUDY_METHOD_H

#include "besd/besd.h"

struct turn;
struct recommending;

/* What the initial design consists of. */
typedef enum method_start {
    START_AT_EVERY_TAU, /* Latin designs, each at every tau */
    START_AT_TAU_MAX,   /* Latin designs at the largest tau */
    START_AT_ONCE       /* none */
} method_start;

typedef struct method_info {
    const char *name, *alias, *text; /* alias: the paper's abbreviation, or NULL */
    method_start start;
    bool cheap_start; /* fewest reps in the initial design, else most */
    bool has_model;   /* chooses and recommends by one; else by what was seen */

    /* The trial after the initial design. With a model only when something is told. */
    besd_status (*choose)(struct turn *t, besd_error *error);
    besd_status (*recommend)(const struct recommending *from, besd_recommendation *r,
                             besd_error *error);
} method_info;

const method_info *method_describe(besd_method method);

/* Number by name or alias, -1 when there is none. */
int method_find(const char *name);

#endif
