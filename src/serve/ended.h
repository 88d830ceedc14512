/* The trials of a study that are over, in the order in which they ended. */
#ifndef BESD_SERVE_ENDED_H
#define BESD_SERVE_ENDED_H

#include "besd/besd.h"

typedef struct ended_trial {
    int64_t id;
    double at, cost, mean;
    bool told, full; /* full: at the largest tau */
} ended_trial;

/* The caller frees the list, also after a failure. */
besd_status ended_read(besd_study *study, ended_trial **list, size_t *count, besd_error *error);

#endif
