/* Worker threads, because the loop must not wait. Jobs with the same `turn` are run one after the
 * other, in the order in which they were submitted. A job whose turn has not come occupies no
 * thread.
 */
#ifndef BESD_SERVE_POOL_H
#define BESD_SERVE_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct job {
    void (*run)(struct job *self); /* may free the job */
    const void *turn;              /* NULL: waits for no other job */
    struct job *next;
} job;

typedef struct pool pool;

/* Starts so many threads; gentle ones have a lower priority. NULL: no thread could be started. */
pool *pool_start(size_t threads, bool gentle);
void pool_submit(pool *w, job *j);

/* Called by a running job: takes up to `most` waiting jobs of the same turn out of the queue, as a
 * list. Their run is not called; the caller does their work. */
job *pool_take_along(pool *w, const void *turn, size_t most);

/* Waits until all jobs are done, then ends the threads. */
void pool_stop(pool *w);

#endif
