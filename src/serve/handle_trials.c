/* What trials there are, and what came of them. */
#include "bridge/answer_legs.h"
#include "bridge/trial_json.h"
#include "core/error.h"
#include "serve/acting.h"
#include "serve/handlers.h"
#include "serve/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void reply_trial(call *c, reply *r, int code, int64_t id) {
    besd_error error = {0};
    besd_trial t;
    json_t *object = NULL;
    if (besd_study_trial(c->study, id, &t, &error) == BESD_OK)
        object = trial_describe(c->study, &t, &error);
    if (object)
        reply_json(r, code, object);
    else
        reply_error(c, r, &error);
}

bool act_as(call *c, reply *r, const char *worker) {
    char who[BESD_MAX_NAME];
    besd_error error = {0};
    snprintf(who, sizeof who, "http %.50s", c->client);
    if (besd_study_set_who(c->study, worker && *worker ? worker : who, &error) == BESD_OK)
        return true;
    reply_error(c, r, &error);
    return false;
}

bool has_state(call *c, int64_t id, unsigned states) {
    besd_trial t;
    besd_error ignored;
    return besd_study_trial(c->study, id, &t, &ignored) == BESD_OK && (states >> t.state & 1);
}

void handle_trial(call *c, reply *r) {
    reply_trial(c, r, 200, c->trial);
}

/* -1: all; -2: there is no such state, which was answered. */
static int wanted_state(call *c, reply *r) {
    char name[32];
    if (!query_text(c->query, "state", name, sizeof name))
        return -1;
    for (int i = 0; besd_trial_state_name((size_t)i); i++)
        if (!strcmp(besd_trial_state_name((size_t)i), name))
            return i;
    reply_refuse(r, 400, "invalid",
                 "state: expected asked, told, failed, voided or waiting, got '%s'", name);
    return -2;
}

static besd_status list_trials(call *c, int64_t after, int state, json_t *list, besd_error *error) {
    int64_t count = 0;
    besd_status status = besd_study_trial_count(c->study, &count, error);
    for (int64_t id = after + 1; status == BESD_OK && id <= count; id++) {
        besd_trial t;
        status = besd_study_trial(c->study, id, &t, error);
        if (status != BESD_OK || (state >= 0 && (int)t.state != state))
            continue;
        json_t *described = trial_describe(c->study, &t, error);
        if (!described || json_array_append_new(list, described))
            status = described ? besd_fail_memory(error, "the trials") : error->status;
    }
    return status;
}

void handle_trials(call *c, reply *r) {
    int64_t after = 0;
    besd_error error = {0};
    int state = wanted_state(c, r);
    if (state == -2 || !query_integer(c, r, "after", &after))
        return;
    json_t *list = json_array();
    if (list_trials(c, after, state, list, &error) == BESD_OK) {
        reply_json(r, 200, json_pack("{s:o}", "trials", list));
        return;
    }
    json_decref(list);
    reply_error(c, r, &error);
}

typedef struct telling {
    double scores[BESD_MAX_REPS], cost;
    size_t count;
    besd_leg *legs;
    const char *note, *why;
    bool replace;
} telling;

static bool read_telling(call *c, reply *r, telling *t) {
    besd_error error = {0};
    besd_trial trial;
    answer_route route;
    answer_lists told = answer_lists_of(c->input);
    told.legs = json_is_null(told.legs) ? NULL : told.legs;
    told.earned = json_is_null(told.earned) ? NULL : told.earned;
    told.labels = json_is_null(told.labels) ? NULL : told.labels;
    t->cost = NAN;
    if (!input_expect(r, c->input, "the body",
                      "scores cost legs earned labels note replace why worker") ||
        !input_numbers(r, c->input, "scores", t->scores, BESD_MAX_REPS, &t->count) ||
        !input_number(r, c->input, "cost", &t->cost) ||
        !input_text(r, c->input, "note", &t->note) || !input_text(r, c->input, "why", &t->why) ||
        !input_flag(r, c->input, "replace", &t->replace))
        return false;
    if (t->cost < 0) {
        reply_refuse(r, 400, "invalid", "cost: expected a number from 0, got %g", t->cost);
        return false;
    }
    if (!told.legs && !told.earned && !told.labels)
        return true;
    besd_status status = besd_study_trial(c->study, c->trial, &trial, &error);
    if (status == BESD_OK) {
        bool is_path = answer_route_of(c->study, trial.theta, &route);
        status = answer_read_legs(&told, is_path ? &route : NULL,
                                  besd_study_get_options(c->study)->direction, t->count, &t->legs,
                                  BESD_INVALID, &error);
    }
    if (status != BESD_OK)
        reply_error(c, r, &error);
    return status == BESD_OK;
}

static besd_status tell(call *c, const telling *t, besd_error *error) {
    double cost = isnan(t->cost) ? -1 : t->cost;
    if (t->replace)
        return besd_study_replace(c->study, c->trial, t->scores, t->legs, t->count, cost, t->why,
                                  error);
    if (t->legs)
        return besd_study_tell_legs(c->study, c->trial, t->scores, t->legs, t->count, cost, error);
    return cost < 0 ? besd_study_tell(c->study, c->trial, t->scores, t->count, error)
                    : besd_study_tell_cost(c->study, c->trial, t->scores, t->count, cost, error);
}

void handle_tell(call *c, reply *r) {
    besd_error error = {0};
    const char *worker = NULL;
    telling *t = calloc(1, sizeof *t);
    if (!t) {
        reply_refuse(r, 500, "memory", "out of memory while reading the scores");
        return;
    }
    if (read_telling(c, r, t) && input_text(r, c->input, "worker", &worker) &&
        act_as(c, r, worker)) {
        besd_status status = tell(c, t, &error);
        if (status == BESD_OK && t->note)
            status = besd_study_set_trial_note(c->study, c->trial, t->note, &error);
        if (status == BESD_OK)
            reply_trial(c, r, 200, c->trial);
        else if (has_state(c, c->trial, t->replace ? ~(1u << BESD_TRIAL_TOLD) : ENDED_STATES))
            reply_conflict(c, r, &error);
        else
            reply_error(c, r, &error);
    }
    free(t->legs);
    free(t);
}

void handle_fail(call *c, reply *r) {
    besd_error error = {0};
    double cost = NAN;
    const char *note = NULL, *worker = NULL;
    if (!input_expect(r, c->input, "the body", "cost note worker") ||
        !input_number(r, c->input, "cost", &cost) || !input_text(r, c->input, "note", &note) ||
        !input_text(r, c->input, "worker", &worker) || !act_as(c, r, worker))
        return;
    if (cost < 0)
        reply_refuse(r, 400, "invalid", "cost: expected a number from 0, got %g", cost);
    else if (besd_study_fail(c->study, c->trial, isnan(cost) ? -1 : cost, note, &error) == BESD_OK)
        reply_trial(c, r, 200, c->trial);
    else if (has_state(c, c->trial, ENDED_STATES))
        reply_conflict(c, r, &error);
    else
        reply_error(c, r, &error);
}

void handle_again(call *c, reply *r) {
    besd_error error = {0};
    besd_trial t;
    const char *worker = NULL;
    if (!input_expect(r, c->input, "the body", "worker") ||
        !input_text(r, c->input, "worker", &worker) || !act_as(c, r, worker))
        return;
    besd_status status = besd_study_ask_again(c->study, c->trial, &t, &error);
    if (status == BESD_OK)
        reply_trial(c, r, 201, t.id);
    else if (status == BESD_DONE)
        reply_refuse(r, 409, "done", "%s", error.message); /* it cannot be paid for */
    else
        reply_conflict(c, r, &error);
}
