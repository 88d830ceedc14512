/* Trials: the list, ask and tell, and everything else that is done to a trial. */
#include "core/error.h"
#include "core/json.h"
#include "page/study_json.h"
#include "serve/route.h"
#include "study/study.h"
#include "json/answers.h"
#include "json/results.h"
#include "json/trainer_answer.h"
#include "json/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* States in which nothing can be told of a trial any more. */
#define ENDED_STATES (1u << BESD_TRIAL_TOLD | 1u << BESD_TRIAL_VOIDED)

void reply_trial(call *c, reply *r, int code, int64_t id) {
    besd_error error = {0};
    size_t size = 0;
    char *text = trial_text(c->study, id, &size, &error);
    if (text)
        reply_text(r, code, text, size);
    else
        reply_error(c, r, &error);
    r->trial = text ? id : 0;
}

/* The act was done, and its trial cannot be shown. */
static void refuse_to_show(reply *r, int64_t id) {
    reply_refuse(r, 500, "memory",
                 "this was done to trial %lld, but the answer could not be made: out of memory; "
                 "GET the trial",
                 (long long)id);
}

/* The same after an act. When the trial cannot be shown, the refusal says that the act was done. */
static void reply_done(call *c, reply *r, int code, int64_t id) {
    reply_trial(c, r, code, id);
    if (!r->trial)
        refuse_to_show(r, id);
    r->trial = id;
}

/* Answers with the trial, or with what the library said; conflicts are 409. */
static void finish(call *c, reply *r, besd_status status, int code, int64_t id, bool conflict,
                   const besd_error *error) {
    if (status == BESD_OK)
        reply_done(c, r, code, id);
    else if (conflict)
        reply_conflict(c, r, error);
    else
        reply_error(c, r, error);
}

/* Is the trial in one of these states? Then a refusal of the library is a conflict, and not a
 * mistake in the request. */
static bool has_state(call *c, int64_t id, unsigned states) {
    besd_trial t;
    besd_error ignored;
    return besd_study_trial(c->study, id, &t, &ignored) == BESD_OK && (states >> t.state & 1);
}

void handle_trial(call *c, reply *r) {
    reply_trial(c, r, 200, c->trial);
}

/* The state that the query asks for; -1: all; -2: refused, there is no such state. */
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

/* One piece of a list: so many rows are read, or trials or letters written, whatever comes first.
 */
enum { PIECE_ROWS = 4096, PIECE_TRIALS = 250, PIECE_LETTERS = 1 << 19 };

typedef struct trial_piece {
    besd_study *study;
    list_rest *rest;
    json_writer text;
    int rows, trials;
} trial_piece;

static besd_status list_trial(void *context, const trial_facts *f, bool *go_on, besd_error *error) {
    trial_piece *p = context;
    list_rest *rest = p->rest;
    bool fits = rest->state < 0 || (int)f->trial.state == rest->state;
    if (fits && !rest->left) { /* there is one more than was asked for */
        rest->next = rest->listed;
        *go_on = false;
        return BESD_OK;
    }
    rest->after = f->trial.id;
    if (fits) {
        if (rest->listed && !p->text.size)
            json_write_raw(&p->text, ",", 1); /* after the piece before */
        trial_write(&p->text, p->study, f);
        rest->listed = f->trial.id;
        rest->left--;
        p->trials++;
    }
    *go_on = ++p->rows < PIECE_ROWS && p->trials < PIECE_TRIALS && p->text.size < PIECE_LETTERS;
    rest->more = !*go_on;
    return p->text.failed ? besd_fail_memory(error, "the trials") : BESD_OK;
}
static void end_list(json_writer *w, const list_rest *rest) {
    json_write_end(w, ']');
    json_write_name(w, "next");
    if (rest->next)
        json_write_integer(w, rest->next);
    else
        json_write_null(w);
    json_write_end(w, '}');
}

void handle_more_trials(call *c, reply *r) {
    besd_error error = {0};
    list_rest *rest = &r->rest;
    trial_piece p = {.study = c->study, .rest = rest};
    if (!rest->listed && !rest->more) {
        json_write_begin(&p.text, '{');
        json_write_name(&p.text, "trials");
        json_write_begin(&p.text, '[');
    }
    rest->more = false;
    besd_status status = study_list(c->study, rest->after, list_trial, &p, &error);
    if (status == BESD_OK && !rest->more)
        end_list(&p.text, rest);
    if (status == BESD_OK && p.text.failed)
        status = besd_fail_memory(&error, "the trials");
    if (status == BESD_OK) {
        list_rest kept = *rest;
        reply_text(r, 200, p.text.text, p.text.size);
        r->rest = kept;
        return;
    }
    json_writer_clear(&p.text);
    reply_error(c, r, &error);
}

/* False: refused. */
static bool read_limit(call *c, reply *r, int64_t *limit) {
    *limit = INT64_MAX;
    if (!query_integer(c, r, "limit", limit))
        return false;
    if (*limit >= 1)
        return true;
    reply_refuse(r, 400, "invalid", "limit: expected a whole number from 1, got 0");
    return false;
}

void handle_trials(call *c, reply *r) {
    list_rest rest = {.state = wanted_state(c, r)};
    if (rest.state == -2 || !query_integer(c, r, "after", &rest.after) ||
        !read_limit(c, r, &rest.left))
        return;
    r->rest = rest;
    handle_more_trials(c, r);
}

static json_t *describe_asked(call *c, const besd_trial *t, const besd_explanation *x,
                              besd_error *error) {
    json_t *object = trial_json(c->study, t->id, error);
    if (object && x && x->why[0]) {
        json_put(&object, "explanation", explanation_json(besd_study_get_options(c->study), x));
        if (!object)
            besd_fail_memory(error, "the explanation");
    }
    return object;
}

static void ask(call *c, reply *r, const char *worker, const double *lease, besd_explanation *x) {
    besd_error error = {0};
    besd_trial t;
    json_t *object = NULL;
    besd_ask how = {.worker = worker, .lease = lease, .explanation = x};
    besd_status status = besd_study_ask(c->study, &how, &t, &error);
    if (status == BESD_DONE) {
        reply_json(r, 200, done_json(c->study, error.message));
        return;
    }
    if (status == BESD_OK)
        object = describe_asked(c, &t, x, &error);
    if (object)
        reply_json(r, 200, object);
    else if (status == BESD_OK)
        reply_refuse(r, 500, "memory",
                     "trial %lld was asked, but the answer could not be made: out of memory; GET "
                     "the trial",
                     (long long)t.id);
    else
        reply_error(c, r, &error);
}

void handle_ask(call *c, reply *r) {
    const char *worker = NULL;
    given_number lease = {0};
    bool explain = false;
    if (!input_expect(r, c->input, "the body", "worker lease explain") ||
        !input_text(r, c->input, "worker", &worker) || !input_given(r, c->input, "lease", &lease) ||
        !input_flag(r, c->input, "explain", &explain) || !act_as(c, r, worker))
        return;
    besd_explanation *x = explain ? calloc(1, sizeof *x) : NULL;
    if (explain && !x)
        reply_refuse(r, 500, "memory", "out of memory while asking");
    else
        ask(c, r, worker, given_number_or_null(&lease), x);
    free(x);
}

void handle_explain(call *c, reply *r) {
    besd_error error = {0};
    reply_object(c, r, explained_json(c->study, &error), &error);
}

typedef struct telling {
    double scores[BESD_MAX_REPS];
    size_t count;
    given_number cost;
    besd_leg *legs;
    const char *note, *why;
    bool replace;
} telling;

static bool read_telling(call *c, reply *r, telling *t) {
    besd_error error = {0};
    besd_trial trial;
    answer_route way;
    answer_lists told = answer_lists_of(c->input);
    told.legs = json_is_null(told.legs) ? NULL : told.legs;
    told.earned = json_is_null(told.earned) ? NULL : told.earned;
    told.labels = json_is_null(told.labels) ? NULL : told.labels;
    if (!input_expect(r, c->input, "the body",
                      "scores cost legs earned labels note replace why worker") ||
        !input_numbers(r, c->input, "scores", t->scores, BESD_MAX_REPS, &t->count) ||
        !input_given(r, c->input, "cost", &t->cost) || !input_text(r, c->input, "note", &t->note) ||
        !input_text(r, c->input, "why", &t->why) ||
        !input_flag(r, c->input, "replace", &t->replace))
        return false;
    if (t->replace && c->role < ROLE_MANAGE) {
        reply_refuse(r, 403, "forbidden", "the token '%s' may tell, but not replace what was told",
                     c->token);
        return false;
    }
    besd_status status = study_check_note(t->note, &error);
    if (status == BESD_OK && !told.legs && !told.earned && !told.labels)
        return true;
    if (status == BESD_OK)
        status = besd_study_trial(c->study, c->trial, &trial, &error);
    if (status == BESD_OK) {
        bool is_path = answer_route_of(c->study, trial.theta, &way);
        status = answer_read_legs(&told, is_path ? &way : NULL,
                                  besd_study_get_options(c->study)->direction, t->count, &t->legs,
                                  BESD_INVALID, &error);
    }
    if (status != BESD_OK)
        reply_error(c, r, &error);
    return status == BESD_OK;
}

static besd_status tell(call *c, const telling *t, besd_error *error) {
    const besd_outcome outcome = {.scores = t->scores,
                                  .count = t->count,
                                  .legs = t->legs,
                                  .cost = given_number_or_null(&t->cost)};
    if (t->replace)
        return besd_study_replace(c->study, c->trial, &outcome, t->why, error);
    return besd_study_tell(c->study, c->trial, &outcome, error);
}

/* A tell that was sent twice is fine. */
void reply_told(call *c, reply *r, bool repeated) {
    besd_error error = {0};
    json_t *object = trial_json(c->study, c->trial, &error);
    if (object) {
        json_put(&object, "repeated", json_boolean(repeated));
        reply_json(r, 200, object);
    } else {
        refuse_to_show(r, c->trial);
    }
    r->trial = c->trial;
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
        besd_status told = tell(c, t, &error), status = told;
        if (status >= 0 && t->note)
            status = besd_study_set_trial_note(c->study, c->trial, t->note, &error);
        if (status >= 0)
            reply_told(c, r, told == BESD_REPEATED);
        else
            finish(c, r, status, 200, c->trial,
                   has_state(c, c->trial, t->replace ? ~(1u << BESD_TRIAL_TOLD) : ENDED_STATES),
                   &error);
    }
    free(t->legs);
    free(t);
}

void handle_fail(call *c, reply *r) {
    besd_error error = {0};
    given_number cost = {0};
    const char *note = NULL, *worker = NULL;
    if (!input_expect(r, c->input, "the body", "cost note worker") ||
        !input_given(r, c->input, "cost", &cost) || !input_text(r, c->input, "note", &note) ||
        !input_text(r, c->input, "worker", &worker) || !act_as(c, r, worker))
        return;
    besd_status status =
        besd_study_fail(c->study, c->trial, given_number_or_null(&cost), note, &error);
    finish(c, r, status, 200, c->trial, status != BESD_OK && has_state(c, c->trial, ENDED_STATES),
           &error);
}

void handle_again(call *c, reply *r) {
    besd_error error = {0};
    besd_trial t;
    const char *worker = NULL;
    if (!input_expect(r, c->input, "the body", "worker") ||
        !input_text(r, c->input, "worker", &worker) || !act_as(c, r, worker))
        return;
    besd_status status = besd_study_ask(c->study, &(besd_ask){.again = &c->trial}, &t, &error);
    if (status == BESD_OK)
        reply_done(c, r, 201, t.id);
    else if (status == BESD_DONE)
        reply_refuse(r, 409, "done", "%s", error.message); /* the budget is spent */
    else
        reply_conflict(c, r, &error);
}

void handle_renew(call *c, reply *r) {
    besd_error error = {0};
    const char *worker = NULL;
    given_number lease = {0};
    if (!input_expect(r, c->input, "the body", "worker lease") ||
        !input_text(r, c->input, "worker", &worker) || !input_given(r, c->input, "lease", &lease) ||
        !act_as(c, r, worker))
        return;
    if (!lease.given) {
        reply_refuse(r, 400, "invalid", "lease: expected seconds above 0, got nothing");
        return;
    }
    besd_status status = besd_study_renew(c->study, c->trial, worker, &lease.value, &error);
    finish(c, r, status, 200, c->trial, lease.value > 0, &error);
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
    int64_t event = 0;
    if (!input_expect(r, c->input, "the body", "event worker") ||
        !input_integer(r, c->input, "event", &event) ||
        !input_text(r, c->input, "worker", &worker) || !act_as(c, r, worker))
        return;
    besd_status status = study_restore(c->study, c->trial, event, &error);
    finish(c, r, status, 200, c->trial, true, &error);
}

/* Appends the texts of a member to the changes. */
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
        reply_json(r, 201, added_json(first, list.count, list.skipped));
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
