#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* gettid */
#endif
#include "serve/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { GENTLENESS = 5 };

typedef struct worker {
    pool *all;
    const void *turn; /* of the job that it runs */
    bool is_busy;
    pthread_t thread;
} worker;

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t change;
    job *first;
    size_t count;
    bool gentle, ending;
    worker threads[];
};

static bool is_taken(const pool *w, const void *turn) {
    for (size_t i = 0; turn && i < w->count; i++)
        if (w->threads[i].is_busy && w->threads[i].turn == turn)
            return true;
    return false;
}

/* Takes the first job that may be run now out of the queue. */
static job *take(pool *w) {
    for (job **place = &w->first; *place; place = &(*place)->next)
        if (!is_taken(w, (*place)->turn)) {
            job *found = *place;
            *place = found->next;
            return found;
        }
    return NULL;
}

static void *work(void *context) {
    worker *self = context;
    pool *w = self->all;
    if (w->gentle) /* for this thread alone, and for those that OpenMP starts for it */
        setpriority(PRIO_PROCESS, (id_t)gettid(), GENTLENESS);
    pthread_mutex_lock(&w->lock);
    for (;;) {
        job *next = take(w);
        if (!next && w->ending && !w->first)
            break;
        if (!next) {
            pthread_cond_wait(&w->change, &w->lock);
            continue;
        }
        self->turn = next->turn;
        self->is_busy = true;
        pthread_mutex_unlock(&w->lock);
        next->run(next);
        pthread_mutex_lock(&w->lock);
        self->is_busy = false;
        pthread_cond_broadcast(&w->change); /* another job's turn may have come */
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

pool *pool_start(size_t threads, bool gentle) {
    pool *w = calloc(1, sizeof *w + threads * sizeof *w->threads);
    if (!w)
        return NULL;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->change, NULL);
    w->gentle = gentle;
    pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < threads; i++) {
        w->threads[i].all = w;
        if (pthread_create(&w->threads[i].thread, NULL, work, &w->threads[i]))
            break;
        w->count++;
    }
    size_t count = w->count;
    pthread_mutex_unlock(&w->lock);
    if (count)
        return w;
    pool_stop(w);
    return NULL;
}

void pool_submit(pool *w, job *j) {
    j->next = NULL;
    pthread_mutex_lock(&w->lock);
    job **place = &w->first;
    while (*place)
        place = &(*place)->next;
    *place = j;
    pthread_cond_signal(&w->change);
    pthread_mutex_unlock(&w->lock);
}

job *pool_take_along(pool *w, const void *turn, size_t most) {
    job *taken = NULL, **end = &taken;
    size_t count = 0;
    pthread_mutex_lock(&w->lock);
    for (job **place = &w->first; *place && count < most;) {
        job *one = *place;
        if (one->turn != turn) {
            place = &one->next;
            continue;
        }
        *place = one->next;
        one->next = NULL;
        *end = one;
        end = &one->next;
        count++;
    }
    pthread_mutex_unlock(&w->lock);
    return taken;
}

void pool_stop(pool *w) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->ending = true;
    pthread_cond_broadcast(&w->change);
    pthread_mutex_unlock(&w->lock);
    for (size_t i = 0; i < w->count; i++)
        pthread_join(w->threads[i].thread, NULL);
    pthread_cond_destroy(&w->change);
    pthread_mutex_destroy(&w->lock);
    free(w);
}
