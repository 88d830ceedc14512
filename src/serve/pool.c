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
    job *first, *last;
    size_t count, waiting, most_waiting;
    bool gentle, ending;
    worker threads[];
};

static bool is_taken(const pool *w, const void *turn) {
    for (size_t i = 0; turn && i < w->count; i++)
        if (w->threads[i].is_busy && w->threads[i].turn == turn)
            return true;
    return false;
}

/* Takes the job after this one, NULL: the first, out of the queue. */
static job *take_after(pool *w, job *before) {
    job **place = before ? &before->next : &w->first, *found = *place;
    *place = found->next;
    if (w->last == found)
        w->last = before;
    w->waiting--;
    return found;
}

/* Takes the first job that may be run now out of the queue. */
static job *take(pool *w) {
    job *before = NULL;
    for (job *one = w->first; one; before = one, one = one->next)
        if (!is_taken(w, one->turn))
            return take_after(w, before);
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

pool *pool_start(size_t threads, bool gentle, size_t most_waiting) {
    pool *w = calloc(1, sizeof *w + threads * sizeof *w->threads);
    if (!w)
        return NULL;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->change, NULL);
    w->gentle = gentle;
    w->most_waiting = most_waiting;
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

bool pool_submit(pool *w, job *j, bool goes_on) {
    pthread_mutex_lock(&w->lock);
    bool fits = goes_on || w->waiting < w->most_waiting;
    if (fits) {
        j->next = NULL;
        if (w->last)
            w->last->next = j;
        else
            w->first = j;
        w->last = j;
        w->waiting++;
        pthread_cond_signal(&w->change);
    }
    pthread_mutex_unlock(&w->lock);
    return fits;
}

size_t pool_waiting(pool *w) {
    pthread_mutex_lock(&w->lock);
    size_t waiting = w->waiting;
    pthread_mutex_unlock(&w->lock);
    return waiting;
}

job *pool_take_along(pool *w, const void *turn, size_t most) {
    job *taken = NULL, **end = &taken, *before = NULL;
    size_t count = 0;
    pthread_mutex_lock(&w->lock);
    for (job *one = w->first; one && count < most;) {
        job *next = one->next;
        if (one->turn != turn) {
            before = one;
        } else {
            *end = take_after(w, before);
            one->next = NULL;
            end = &one->next;
            count++;
        }
        one = next;
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
