/* The service: the studies and everything else that handlers share, and how a handler is run with a
 * handle of its study. */
#ifndef BESD_SERVE_SERVICE_H
#define BESD_SERVE_SERVICE_H

#include "serve/auth.h"
#include "serve/metrics.h"
#include "serve/studies.h"

/* Studies that a new one learns from. */
typedef struct study_sources {
    size_t count;
    besd_study *of[BESD_MAX_SOURCES];
    const char *names[BESD_MAX_SOURCES];
} study_sources;

/* Makes a study file from a description, a file of YAML or JSON. */
typedef besd_status service_maker(const char *file, const char *description,
                                  const study_sources *from, besd_error *error);

typedef struct service {
    studies studies;
    auth auth;
    metrics metrics;
    service_maker *make;
    pthread_mutex_t making;
    bool open_metrics;             /* /metrics needs no token */
    atomic_bool draining, crowded; /* crowded: a queue is half full */
} service;

/* Runs the handler of the call's route. When a kept handle says BESD_IO, the file may have been
 * replaced: the handler is run once more with a new handle. */
void service_answer(call *c, reply *r);

/* The next piece of the list that the reply has begun (reply.rest). */
void service_go_on(call *c, reply *r);

/* Answers several calls that write to one study; all of them share one commit. */
void service_answer_together(call *const *calls, reply *replies, size_t count);

#endif
