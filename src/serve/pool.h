/* Threads that do what the loop must not wait for. Jobs with the same `turn` are done one after the
 * other, in the order they came; a job whose turn has not come keeps no thread waiting. */
#ifndef BESD_SERVE_POOL_H
#define BESD_SERVE_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct job {
    void (*run)(struct job *self); /* which may end the job's own life */
    const void *turn;              /* NULL: any time */
    struct job *next;
} job;

typedef struct pool pool;

/* So many threads; gentle ones leave the processor to others. NULL: they cannot be had. */
pool *pool_start(size_t threads, bool gentle);
void pool_submit(pool *w, job *j);

/* In a job: takes those of the same turn that wait, `most` of them, as a list. Their run is not
 * called; whoever takes them does what is to be done. */
job *pool_take_along(pool *w, const void *turn, size_t most);

/* Jobs that wait or are under way. */
size_t pool_busy(pool *w);

/* Ends the threads when nothing is left to do, and waits for them. */
void pool_stop(pool *w);

#endif
