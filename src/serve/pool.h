/* Worker threads, because the loop must not wait. Jobs with the same `turn` are run one after the
 * other, in the order in which they were submitted. A job whose turn has not come occupies no
 * thread. So many jobs wait at most; more are refused, so that nobody waits for a crowd.
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
pool *pool_start(size_t threads, bool gentle, size_t most_waiting);

/* False: too many jobs wait already, and the job is still the caller's. A job that `goes_on` with
 * something begun is always taken. */
bool pool_submit(pool *w, job *j, bool goes_on);

/* How many jobs wait. */
size_t pool_waiting(pool *w);

/* Called by a running job: takes up to `most` waiting jobs of the same turn out of the queue, as a
 * list. Their run is not called; the caller does their work. */
job *pool_take_along(pool *w, const void *turn, size_t most);

/* Waits until all jobs are done, then ends the threads. */
void pool_stop(pool *w);

#endif
