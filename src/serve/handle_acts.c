/* What people do to a study besides asking and telling; one handler for each act. */
#include "bridge/results.h"
#include "core/error.h"
#include "serve/acting.h"
#include "serve/handlers.h"
#include "serve/input.h"
#include "study/study_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Answers with the trial, or with what the library said; conflicts are 409. */
static void finish(call *c, reply *r, besd_status status, int code, int64_t id, bool conflict,
                   const besd_error *error) {
    if (status == BESD_OK)
        reply_trial(c, r, code, id);
    else if (conflict)
        reply_conflict(c, r, error);
    else
        reply_error(c, r, error);
}

void handle_renew(call *c, reply *r) {
    besd_error error = {0};
    const char *worker = NULL;
    double lease = NAN;
    if (!input_expect(r, c->input, "the body", "worker lease") ||
        !input_text(r, c->input, "worker", &worker) ||
        !input_number(r, c->input, "lease", &lease) || !act_as(c, r, worker))
        return;
    if (isnan(lease)) {
        reply_refuse(r, 400, "invalid", "lease: expected seconds above 0, got nothing");
        return;
    }
    besd_status status = besd_study_renew(c->study, c->trial, worker, lease, &error);
    finish(c, r, status, 200, c->trial, lease > 0, &error);
}

void handle_void(call *c, reply *r) {
    besd_error error = {0};
    const char *why = NULL, *worker = NULL;
    if (!input_expect(r, c->input, "the body", "why worker") ||
        !input_text(r, c->input, "why", &why) || !input_text(r, c->input, "worker", &worker) ||
        !act_as(c, r, worker))
        return;
    besd_status status = besd_study_void(c->study, c->trial, why, &error);
    finish(c, r, status, 200, c->trial, !has_state(c, c->trial, 1u << BESD_TRIAL_TOLD), &error);
}

void handle_restore(call *c, reply *r) {
    besd_error error = {0};
    const char *worker = NULL;
    if (!input_expect(r, c->input, "the body", "worker") ||
        !input_text(r, c->input, "worker", &worker) || !act_as(c, r, worker))
        return;
    besd_status status = besd_study_restore(c->study, c->trial, &error);
    finish(c, r, status, 200, c->trial, true, &error);
}

/* Appends the texts of a member to what is to be changed. */
static bool read_tags(call *c, reply *r, const char *member, bool on, tag_change *changes,
                      size_t *count) {
    const json_t *list = json_object_get(c->input, member);
    if (list && !json_is_null(list) && !json_is_array(list)) {
        reply_refuse(r, 400, "invalid", "%s: expected a list of texts", member);
        return false;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *tag = json_string_value(json_array_get(list, i));
        if (!tag) {
            reply_refuse(r, 400, "invalid", "%s[%zu]: expected a text", member, i);
            return false;
        }
        changes[(*count)++] = (tag_change){tag, on};
    }
    return true;
}

void handle_note(call *c, reply *r) {
    besd_error error = {0};
    const char *text = NULL, *worker = NULL;
    size_t count = 0, most = json_array_size(json_object_get(c->input, "tags")) +
                             json_array_size(json_object_get(c->input, "untag"));
    if (!input_expect(r, c->input, "the body", "text tags untag worker") ||
        !input_text(r, c->input, "text", &text) || !input_text(r, c->input, "worker", &worker) ||
        !act_as(c, r, worker))
        return;
    tag_change *changes = calloc(most + 1, sizeof *changes);
    if (!changes)
        reply_refuse(r, 500, "memory", "out of memory while reading the tags");
    else if (read_tags(c, r, "tags", true, changes, &count) &&
             read_tags(c, r, "untag", false, changes, &count))
        finish(c, r, study_annotate(c->study, c->trial, text, changes, count, &error), 200,
               c->trial, false, &error);
    free(changes);
}

void handle_add(call *c, reply *r) {
    besd_error error = {0};
    const char *worker = NULL;
    int64_t first = 0;
    result_list list = {0};
    const json_t *trials = json_object_get(c->input, "trials");
    if (!input_expect(r, c->input, "the body", "trials worker") ||
        !input_text(r, c->input, "worker", &worker) || !act_as(c, r, worker))
        return;
    if (!json_array_size(trials)) {
        reply_refuse(r, 400, "invalid",
                     "trials: expected a list of objects with theta, tau and scores");
        return;
    }
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < json_array_size(trials); i++) {
        besd_error own = {0};
        status = results_add_json(&list, c->study, json_array_get(trials, i), i + 1, &own);
        if (status != BESD_OK)
            besd_error_set(&error, status, "trials[%zu]: %.400s", i, own.message);
    }
    if (status == BESD_OK && !list.count)
        status = besd_fail(&error, BESD_INVALID, "trials: nothing was told of any of them");
    if (status == BESD_OK)
        status = besd_study_add(c->study, list.items, list.count, &first, &error);
    if (status == BESD_OK)
        reply_json(
            r, 201,
            json_pack("{s:I, s:I}", "first", (json_int_t)first, "count", (json_int_t)list.count));
    else
        reply_error(c, r, &error);
    results_free(&list);
}

void handle_enqueue(call *c, reply *r) {
    besd_error error = {0};
    const char *note = NULL, *worker = NULL;
    double theta[BESD_MAX_DIMENSION];
    int64_t tau = 0, reps = 0, id = 0;
    if (!input_expect(r, c->input, "the body", "theta tau reps note worker") ||
        !input_theta(c, r, theta) || !input_integer(r, c->input, "tau", &tau) ||
        !input_integer(r, c->input, "reps", &reps) || !input_text(r, c->input, "note", &note) ||
        !input_text(r, c->input, "worker", &worker) || !act_as(c, r, worker))
        return;
    if (reps < 0 || reps > BESD_MAX_REPS) {
        reply_refuse(r, 400, "invalid", "reps: expected one of the study's, got %lld",
                     (long long)reps);
        return;
    }
    besd_status status = besd_study_enqueue(c->study, theta, tau, (int)reps, note, &id, &error);
    finish(c, r, status, 201, id, false, &error);
}

void handle_set(call *c, reply *r) {
    besd_error error = {0};
    const json_t *member = json_object_get(c->input, "budget");
    double budget = INFINITY, spent = 0;
    const char *worker = NULL;
    if (!input_expect(r, c->input, "the body", "budget worker") ||
        !input_number(r, c->input, "budget", &budget) ||
        !input_text(r, c->input, "worker", &worker) || !act_as(c, r, worker))
        return;
    if (!member) {
        reply_refuse(r, 400, "invalid", "budget: expected a number, or null for no limit");
        return;
    }
    besd_status status = besd_study_set_budget(c->study, budget, &error);
    if (status == BESD_OK)
        status = besd_study_spent(c->study, &spent, &error);
    if (status == BESD_OK)
        reply_json(r, 200,
                   json_pack("{s:o, s:o}", "budget",
                             isinf(budget) ? json_null() : json_real(budget), "spent",
                             json_real(spent)));
    else
        reply_error(c, r, &error);
}
