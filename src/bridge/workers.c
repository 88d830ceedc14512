#include "bridge/workers.h"

#include "bridge/ranks.h"
#include "bridge/workers_messages.h"
#include "core/clock.h"
#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum place_state { FREE, BUSY, OVER, LOST } place_state;

typedef struct place {
    place_state state;
    int rank; /* whose it is */
    int64_t trial;
    trainer *trainer; /* while it is busy here */
    trainer_end end;  /* when it is over */
} place;

typedef struct rank_state {
    bool gone;    /* it has left, or is silent */
    bool left;    /* but will end MPI with us */
    double heard; /* when it spoke last, or when we began to listen; moved on while we think */
} rank_state;

struct workers {
    trainer_command command;
    bool remote;
    place *places;
    size_t count, capacity, busy;
    rank_state *ranks; /* [ranks_count()] */
    double attended;   /* when we listened last */
    bool changed;      /* something has happened since */
};

static bool add_places(workers *w, int rank, size_t count) {
    if (w->count + count > w->capacity) {
        size_t capacity = 2 * w->capacity + count;
        place *grown = realloc(w->places, capacity * sizeof *grown);
        if (!grown)
            return false;
        w->places = grown;
        w->capacity = capacity;
    }
    for (size_t i = 0; i < count; i++)
        w->places[w->count++] = (place){.rank = rank};
    return true;
}

besd_status workers_open(const trainer_command *command, size_t places, workers **opened,
                         besd_error *error) {
    workers *w = calloc(1, sizeof *w);
    int ranks = ranks_count();
    if (w)
        w->ranks = calloc((size_t)ranks, sizeof *w->ranks);
    if (!w || !w->ranks) {
        free(w);
        return besd_fail_memory(error, "the workers");
    }
    w->command = *command;
    w->remote = ranks > 1;
    w->attended = clock_seconds();
    for (int i = 0; i < ranks; i++)
        w->ranks[i].heard = w->attended;
    if (!w->remote && !add_places(w, 0, places)) {
        workers_close(w);
        return besd_fail_memory(error, "the workers");
    }
    *opened = w;
    return BESD_OK;
}

size_t workers_places(const workers *w) {
    return w->count;
}

static place *find_free(const workers *w) {
    for (size_t i = 0; i < w->count; i++)
        if (w->places[i].state == FREE && !w->ranks[w->places[i].rank].gone)
            return &w->places[i];
    return NULL;
}

bool workers_have_room(const workers *w) {
    return find_free(w) != NULL;
}

bool workers_are_idle(const workers *w) {
    return !w->busy;
}

static size_t size_of(const char *text) {
    return text ? strlen(text) + 1 : 0;
}

static besd_status send_order(const workers *w, const place *p, const char *request,
                              besd_error *error) {
    worker_order o = {.kind = ORDER_TRAIN,
                      .trial = p->trial,
                      .timeout = w->command.timeout,
                      .command = size_of(w->command.text),
                      .folder = size_of(w->command.folder),
                      .request = size_of(request)};
    size_t size = sizeof o + o.command + o.folder + o.request;
    char *bytes = malloc(size), *at = bytes;
    if (!bytes)
        return besd_fail_memory(error, "a message to another rank");
    memcpy(at, &o, sizeof o);
    memcpy(at += sizeof o, w->command.text, o.command);
    if (o.folder)
        memcpy(at + o.command, w->command.folder, o.folder);
    memcpy(at + o.command + o.folder, request, o.request);
    ranks_send(p->rank, bytes, size);
    free(bytes);
    return BESD_OK;
}

besd_status workers_start(workers *w, int64_t trial, const char *request, besd_error *error) {
    place *p = find_free(w);
    if (!p)
        return besd_fail(error, BESD_INVALID, "workers: no place is free");
    p->trial = trial;
    besd_status status = w->remote ? send_order(w, p, request, error)
                                   : trainer_run(&w->command, trial, request, &p->trainer, error);
    if (status == BESD_OK) {
        p->state = BUSY;
        w->busy++;
    }
    return status;
}

static besd_status wait_here(workers *w, const sigset_t *mask, double seconds, besd_error *error) {
    trainer *list[TRAINER_MOST];
    size_t count = 0;
    for (size_t i = 0; i < w->count && count < TRAINER_MOST; i++)
        if (w->places[i].state == BUSY)
            list[count++] = w->places[i].trainer;
    besd_status status = trainer_wait(list, count, mask, seconds, error);
    for (size_t i = 0; status == BESD_OK && i < w->count; i++) {
        place *p = &w->places[i];
        if (p->state != BUSY || !trainer_is_over(p->trainer))
            continue;
        p->end = trainer_take_end(p->trainer);
        p->trainer = NULL;
        p->state = OVER;
    }
    return status;
}

/* What it was given is nobody's now. */
static void lose(workers *w, int rank) {
    if (w->ranks[rank].gone)
        return;
    w->ranks[rank].gone = w->changed = true;
    for (size_t i = 0; i < w->count; i++)
        if (w->places[i].rank == rank && w->places[i].state == BUSY)
            w->places[i].state = LOST;
}

static place *find_trial(const workers *w, int rank, int64_t trial) {
    for (size_t i = 0; i < w->count; i++)
        if (w->places[i].rank == rank && w->places[i].state == BUSY && w->places[i].trial == trial)
            return &w->places[i];
    return NULL;
}

/* An answer that nobody waits for, of a rank that was given up, is not taken. */
static void note_end(workers *w, const rank_message *m, const worker_report *r) {
    place *p = find_trial(w, m->from, r->trial);
    if (!p)
        return;
    p->end = r->end;
    p->end.output = malloc(r->end.size + 1);
    if (p->end.output)
        memcpy(p->end.output, m->bytes + sizeof *r, r->end.size);
    else
        p->end.status = BESD_MEMORY;
    p->state = OVER;
    w->changed = true;
}

static size_t places_of(const workers *w, int rank) {
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++)
        count += w->places[i].rank == rank;
    return count;
}

static void hear(workers *w, const rank_message *m) {
    worker_report r;
    memcpy(&r, m->bytes, sizeof r);
    w->ranks[m->from].heard = clock_seconds();
    if (r.kind == REPORT_ENDED)
        note_end(w, m, &r);
    worker_order alive = {.kind = ORDER_ALIVE};
    ranks_send(m->from, &alive, sizeof alive);
    if (r.kind == REPORT_LEAVING) {
        w->ranks[m->from].left = true;
        lose(w, m->from);
        return;
    }
    if (w->ranks[m->from].gone) { /* it was silent for a while: all that it does is nobody's */
        worker_order afresh = {.kind = ORDER_AFRESH};
        ranks_send(m->from, &afresh, sizeof afresh);
        w->ranks[m->from].gone = false;
    }
    size_t known = places_of(w, m->from);
    if (known < r.places && add_places(w, m->from, r.places - known))
        w->changed = true;
}

/* Takes all messages that have come and notices who is silent; the time in which we did not listen
 * is nobody's silence. True when somebody is left. */
static bool attend(workers *w) {
    rank_message m;
    double now = clock_seconds(), away = now - w->attended;
    bool any = false;
    while (ranks_receive(&m)) {
        hear(w, &m);
        free(m.bytes);
    }
    for (int i = 1; i < ranks_count(); i++) {
        rank_state *r = &w->ranks[i];
        if (away > WORKER_BEAT)
            r->heard += away;
        if (now - r->heard > WORKER_PATIENCE && (!r->gone || r->left)) {
            r->left = false;
            ranks_lose_one();
            lose(w, i);
        }
        any = any || !r->gone;
    }
    w->attended = now;
    return any;
}

static besd_status wait_for_ranks(workers *w, const sigset_t *mask, double seconds,
                                  besd_error *error) {
    double until = clock_seconds() + seconds;
    besd_status status = BESD_OK;
    w->changed = false;
    bool any = attend(w);
    while (status == BESD_OK && any && !w->changed && clock_seconds() < until) {
        status = trainer_wait(NULL, 0, mask, WORKER_LOOK, error);
        any = attend(w);
    }
    if (status == BESD_OK && !any && !w->busy)
        return besd_fail(error, BESD_IO,
                         "ranks: none is left to train; every told trial is kept, and the same "
                         "command goes on from here");
    return status;
}

besd_status workers_wait(workers *w, const sigset_t *mask, double seconds, besd_error *error) {
    return w->remote ? wait_for_ranks(w, mask, seconds, error) : wait_here(w, mask, seconds, error);
}

bool workers_take(workers *w, int64_t *trial, trainer_end *end, bool *lost) {
    for (size_t i = 0; i < w->count; i++) {
        place *p = &w->places[i];
        if (p->state != OVER && p->state != LOST)
            continue;
        *trial = p->trial;
        *end = p->end;
        *lost = p->state == LOST;
        p->end = (trainer_end){.status = BESD_OK};
        p->state = FREE;
        w->busy--;
        return true;
    }
    return false;
}

static void send_home(const workers *w) {
    worker_order home = {.kind = ORDER_HOME};
    for (int i = 1; w && i < ranks_count(); i++)
        home.incomplete = home.incomplete || (w->ranks[i].gone && !w->ranks[i].left);
    for (int i = 1; i < ranks_count(); i++)
        ranks_send(i, &home, sizeof home);
}

void workers_close(workers *w) {
    send_home(w);
    if (!w)
        return;
    for (size_t i = 0; i < w->count; i++) {
        trainer_stop(w->places[i].trainer);
        free(w->places[i].end.output);
    }
    free(w->places);
    free(w->ranks);
    free(w);
}
