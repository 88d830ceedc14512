/* The other ranks: they run what rank 0 sends them. */
#include "cluster/ranks_trainer.h"

#include "cluster/ranks.h"
#include "cluster/ranks_messages.h"
#include "core/clock.h"
#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct server {
    besd_command listening; /* who hears what the commands say */
    size_t places, running;
    command_process *trainers[COMMAND_MOST];
    char *texts[COMMAND_MOST]; /* what the trainer of the same number borrows */
    double said, heard;        /* when we spoke last, and when rank 0 did */
    bool dismissed;
} server;

static void say(server *s, int kind) {
    worker_report r = {.kind = kind, .places = s->places};
    ranks_send(0, &r, sizeof r);
    s->said = clock_seconds();
}

static besd_status report_end(server *s, int64_t trial, const command_end *end, besd_error *error) {
    worker_report r = {.kind = REPORT_ENDED, .places = s->places, .trial = trial, .end = *end};
    char *bytes = malloc(sizeof r + end->size);
    if (!bytes)
        return besd_fail_memory(error, "a report to rank 0");
    memcpy(bytes, &r, sizeof r);
    if (end->size)
        memcpy(bytes + sizeof r, end->output, end->size);
    ranks_send(0, bytes, sizeof r + end->size);
    free(bytes);
    s->said = clock_seconds();
    return BESD_OK;
}

/* A command that cannot even be started is one that has failed: this machine may lack its folder.
 */
static besd_status report_unstarted(server *s, int64_t trial, const besd_error *why,
                                    besd_error *error) {
    command_end end = {.status = BESD_OK};
    const char *reason = strstr(why->message, "could not be started");
    snprintf(end.how, sizeof end.how, "%.120s (rank %d)", reason ? reason : why->message,
             ranks_number());
    return report_end(s, trial, &end, error);
}

static void stop_all(server *s) {
    while (s->running) {
        s->running--;
        command_stop(s->trainers[s->running]);
        free(s->texts[s->running]);
    }
}

static besd_status train(server *s, const worker_order *order, rank_message *m, besd_error *error) {
    const char *text = m->bytes + sizeof *order, *folder = text + order->command;
    besd_command c = s->listening;
    besd_error why;
    c.text = text;
    c.folder = order->folder ? folder : NULL;
    c.timeout = order->timeout;
    if (s->running == COMMAND_MOST) { /* rank 0 has lost count after a silence */
        besd_error_set(&why, BESD_IO, "could not be started: no place is free");
        return report_unstarted(s, order->trial, &why, error);
    }
    if (command_launch(&c, order->trial, folder + order->folder, &s->trainers[s->running], &why) !=
        BESD_OK)
        return report_unstarted(s, order->trial, &why, error);
    s->texts[s->running++] = m->bytes;
    m->bytes = NULL;
    return BESD_OK;
}

static besd_status obey(server *s, besd_error *error) {
    rank_message m;
    besd_status status = BESD_OK;
    while (status == BESD_OK && !s->dismissed && ranks_receive(&m)) {
        worker_order order;
        memcpy(&order, m.bytes, sizeof order);
        s->heard = clock_seconds();
        if (order.kind == ORDER_TRAIN)
            status = train(s, &order, &m, error);
        if (order.kind == ORDER_AFRESH)
            stop_all(s);
        s->dismissed = order.kind == ORDER_HOME;
        if (s->dismissed && order.incomplete)
            ranks_lose_one();
        free(m.bytes);
    }
    return status;
}

static besd_status report_ends(server *s, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < s->running;) {
        command_process *over = s->trainers[i];
        if (!command_is_over(over)) {
            i++;
            continue;
        }
        int64_t trial = command_trial(over);
        command_end end = command_take_end(over);
        free(s->texts[i]);
        s->running--;
        s->trainers[i] = s->trainers[s->running];
        s->texts[i] = s->texts[s->running];
        status = report_end(s, trial, &end, error);
        free(end.output);
    }
    return status;
}

/* Gives back what it has and waits to be sent home: MPI ends for all ranks at once. */
static void leave(server *s) {
    besd_error ignored;
    stop_all(s);
    s->places = 0;
    say(s, REPORT_LEAVING);
    while (!s->dismissed && clock_seconds() - s->heard < MASTER_PATIENCE) {
        command_wait(NULL, 0, NULL, WORKER_LOOK, &ignored);
        obey(s, &ignored);
        stop_all(s); /* an order that crossed our farewell */
        if (clock_seconds() - s->said > WORKER_BEAT)
            say(s, REPORT_LEAVING);
    }
}

besd_status ranks_serve(const besd_command *listening, size_t places, const sigset_t *mask,
                        besd_error *error) {
    server *s = calloc(1, sizeof *s);
    if (!s)
        return besd_fail_memory(error, "the trainers of this rank");
    s->listening = *listening;
    s->places = places;
    s->heard = clock_seconds();
    say(s, REPORT_ALIVE);
    besd_status status = BESD_OK;
    while (status == BESD_OK && !s->dismissed) {
        status = command_wait(s->trainers, s->running, mask, WORKER_LOOK, error);
        if (status == BESD_OK)
            status = report_ends(s, error);
        if (status == BESD_OK)
            status = obey(s, error);
        if (clock_seconds() - s->said > WORKER_BEAT)
            say(s, REPORT_ALIVE);
        if (clock_seconds() - s->heard > MASTER_PATIENCE) {
            ranks_lose_one();
            status =
                besd_fail(error, BESD_IO, "rank 0 has been silent for %g seconds", MASTER_PATIENCE);
            s->dismissed = true;
        }
    }
    if (!s->dismissed)
        leave(s);
    stop_all(s);
    free(s);
    return status == BESD_DONE ? BESD_OK : status;
}
