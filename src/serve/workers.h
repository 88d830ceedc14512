/* Threads that do what the loop must not wait for. Jobs with the same `turn` are done one after the
 * other, in the order they came; a job whose turn has not come keeps no thread waiting. */
#ifndef BESD_SERVE_WORKERS_H
#define BESD_SERVE_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct job {
    void (*run)(struct job *self); /* which may end the job's own life */
    const void *turn;              /* NULL: any time */
    struct job *next;
} job;

typedef struct workers workers;

/* So many threads; gentle ones leave the processor to others. NULL: they cannot be had. */
workers *workers_start(size_t threads, bool gentle);
void workers_submit(workers *w, job *j);

/* In a job: takes those of the same turn that wait, `most` of them, as a list. Their run is not
 * called; whoever takes them does what is to be done. */
job *workers_take_along(workers *w, const void *turn, size_t most);

/* Jobs that wait or are under way. */
size_t workers_busy(workers *w);

/* Ends the threads when nothing is left to do, and waits for them. */
void workers_stop(workers *w);

#endif
