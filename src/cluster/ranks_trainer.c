#include "cluster/ranks_trainer.h"

#include "cluster/ranks.h"
#include "cluster/ranks_messages.h"
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
    answer_terms terms; /* of the answer that is awaited */
    answer_route route; /* of the terms */
    command_end end;    /* when it is over */
} place;

typedef struct rank_state {
    bool gone;    /* it has left, or is silent */
    bool left;    /* but will end MPI with us */
    double heard; /* when it spoke last, or when we began to listen; moved on while we think */
} rank_state;

typedef struct workers {
    besd_command command;
    place *places;
    size_t count, capacity, busy;
    rank_state *ranks;     /* [ranks_count()] */
    double attended;       /* when we listened last */
    bool changed;          /* something has happened since */
    trainer_answer answer; /* what was taken last */
    besd_error why;
} workers;

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

static place *find_free(const workers *w) {
    for (size_t i = 0; i < w->count; i++)
        if (w->places[i].state == FREE && !w->ranks[w->places[i].rank].gone)
            return &w->places[i];
    return NULL;
}

static size_t count_free(void *context) {
    const workers *w = context;
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++)
        count += w->places[i].state == FREE && !w->ranks[w->places[i].rank].gone;
    return count;
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

static besd_status start(void *context, besd_study *study, const besd_trial *trial,
                         besd_error *error) {
    workers *w = context;
    const besd_study_options *o = besd_study_get_options(study);
    place *p = find_free(w);
    if (!p)
        return besd_fail(error, BESD_INVALID, "ranks: no place is free");
    bool is_path = answer_route_of(study, trial->theta, &p->route);
    besd_tasks tasks;
    besd_study_get_tasks(study, &tasks);
    char *request = answer_request(o, &tasks, is_path ? &p->route : NULL, trial);
    if (!request)
        return besd_fail_memory(error, "the command");
    p->trial = trial->id;
    p->terms = (answer_terms){.reps = trial->reps,
                              .transform = o->transform,
                              .direction = o->direction,
                              .route = is_path ? &p->route : NULL};
    besd_status status = send_order(w, p, request, error);
    free(request);
    if (status == BESD_OK) {
        p->state = BUSY;
        w->busy++;
    }
    return status;
}

/* Its trial is lost. */
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

/* A late answer, of a rank that was given up, is not taken. */
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
    if (w->ranks[m->from].gone) { /* it was silent too long: its answers no longer count */
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
        if (away > WORKER_BEAT) /* who spoke just now has not been silent */
            r->heard = fmin(r->heard + away, now);
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

static besd_status wait(void *context, double seconds, besd_error *error) {
    workers *w = context;
    double until = clock_seconds() + seconds;
    besd_status status = BESD_OK;
    w->changed = false;
    bool any = attend(w);
    while (status == BESD_OK && any && !w->changed && clock_seconds() < until) {
        status = command_wait(NULL, 0, w->command.signals, WORKER_LOOK, error);
        any = attend(w);
    }
    if (status == BESD_OK && !any && !w->busy)
        return besd_fail(error, BESD_IO,
                         "ranks: none is left to train; every told trial is kept, and the same "
                         "command goes on from here");
    return status;
}

static besd_status take(void *context, besd_training *training, besd_error *error) {
    workers *w = context;
    answer_free(&w->answer);
    for (size_t i = 0; i < w->count; i++) {
        place *p = &w->places[i];
        if (p->state != OVER && p->state != LOST)
            continue;
        bool lost = p->state == LOST;
        training->trial = p->trial;
        training->end = BESD_TRAINING_LOST;
        p->state = FREE;
        w->busy--;
        if (lost)
            return BESD_OK;
        if (p->terms.route)
            p->terms.route = &p->route; /* places may have moved */
        besd_status status = command_judge(&p->end, &p->terms, &w->answer, &w->why);
        p->end = (command_end){.status = BESD_OK};
        return command_training(status, &w->answer, p->terms.reps, &w->why, training, error);
    }
    return BESD_DONE;
}

besd_status ranks_trainer_open(besd_trainer *trainer, const besd_command *command,
                               besd_error *error) {
    workers *w = calloc(1, sizeof *w);
    int ranks = ranks_count();
    *trainer = (besd_trainer){0};
    if (w)
        w->ranks = calloc((size_t)ranks, sizeof *w->ranks);
    if (!w || !w->ranks) {
        free(w);
        return besd_fail_memory(error, "the workers");
    }
    w->command = *command;
    w->attended = clock_seconds();
    for (int i = 0; i < ranks; i++)
        w->ranks[i].heard = w->attended;
    *trainer = (besd_trainer){w, count_free, start, wait, take};
    return BESD_OK;
}

static void send_home(const workers *w) {
    worker_order home = {.kind = ORDER_HOME};
    for (int i = 1; w && i < ranks_count(); i++)
        home.incomplete = home.incomplete || (w->ranks[i].gone && !w->ranks[i].left);
    for (int i = 1; i < ranks_count(); i++)
        ranks_send(i, &home, sizeof home);
}

void ranks_trainer_close(besd_trainer *trainer) {
    workers *w = trainer->context;
    send_home(w);
    if (!w)
        return;
    for (size_t i = 0; i < w->count; i++)
        free(w->places[i].end.output);
    answer_free(&w->answer);
    free(w->places);
    free(w->ranks);
    free(w);
    *trainer = (besd_trainer){0};
}
