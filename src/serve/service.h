/* The service: what handlers need to know of it. */
#ifndef BESD_SERVE_SERVICE_H
#define BESD_SERVE_SERVICE_H

#include "serve/auth.h"
#include "serve/metrics.h"
#include "serve/pool.h"
#include "serve/studies.h"

/* Makes a study file from a description, a file of YAML or JSON. */
typedef besd_status service_maker(const char *file, const char *description, besd_error *error);

typedef struct service {
    studies studies;
    auth auth;
    metrics metrics;
    service_maker *make;
    pthread_mutex_t making;
    bool loopback; /* it listens for this machine alone */
    atomic_bool draining;
} service;

/* Runs the handler of a call that has found its route, with a handle of its study: once more with a
 * new one when the file turns out to be another than the one that was open. */
void service_answer(call *c, reply *r);

/* The same for several calls that write to one study, with one commit for all of them. */
void service_answer_together(call *const *calls, reply *replies, size_t count);

#endif
