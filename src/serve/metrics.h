/* Numbers for Prometheus: requests by route and code, how long they took, and what is under way. */
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

/* Counts one request; route NULL: its path has none. */
void metrics_count(metrics *m, const route *which, int code, double seconds);

/* In Prometheus' text format. */
void metrics_print(const metrics *m, FILE *out);

#endif
