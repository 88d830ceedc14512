/* What Prometheus is told: requests by route and code, how long they took, what is under way. */
#ifndef BESD_SERVE_METRICS_H
#define BESD_SERVE_METRICS_H

#include "serve/route.h"

#include <stdatomic.h>
#include <stdio.h>

enum { METRICS_ROUTES = 64, METRICS_CODES = 16, METRICS_BUCKETS = 12 };

typedef struct metrics {
    atomic_ullong requests[METRICS_ROUTES][METRICS_CODES];
    atomic_ullong within[METRICS_ROUTES][METRICS_BUCKETS];
    atomic_ullong micros[METRICS_ROUTES];
    atomic_int asks, streams, connections;
} metrics;

/* One request; route NULL: there was none for it. */
void metrics_count(metrics *m, const route *which, int code, double seconds);

/* In Prometheus' text format. */
void metrics_print(const metrics *m, FILE *out);

#endif
