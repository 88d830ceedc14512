#include "contest/contender.h"

#include "core/error.h"
#include "core/names.h"
#include "study/method.h"
#include "study/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const learners[] = {"ql", "tql"};

enum { LEARNERS = sizeof learners / sizeof *learners };

const char *contender_name(size_t index) {
    size_t methods = 0;
    while (besd_method_name(methods))
        methods++;
    if (index < methods)
        return besd_method_name(index);
    return index - methods < LEARNERS ? learners[index - methods] : NULL;
}

static const char *known_contender(size_t index, const void *context) {
    (void)context;
    return contender_name(index);
}

/* "besd, ei, ..." in `text`, which is returned. */
static const char *list_names(const char *(*names)(size_t, const void *), char *text, size_t size) {
    size_t length = 0;
    *text = 0;
    for (size_t i = 0; names(i, NULL) && length < size; i++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", i ? ", " : "", names(i, NULL));
    return text;
}

static besd_status set_lever(lever_choice *lever, const char *value, const char *key,
                             besd_error *error) {
    static const char *const names[] = {"free", "min", "max"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(value, names[i])) {
            *lever = (lever_choice)i;
            return BESD_OK;
        }
    return besd_fail(error, BESD_INVALID, "method: %s: expected free, min or max, got '%s'", key,
                     value);
}

static besd_status set_flag(bool *flag, const char *value, const char *off, const char *on,
                            const char *key, besd_error *error) {
    if (strcmp(value, off) != 0 && strcmp(value, on) != 0)
        return besd_fail(error, BESD_INVALID, "method: %s: expected %s or %s, got '%s'", key, off,
                         on, value);
    *flag = !strcmp(value, on);
    return BESD_OK;
}

static const char *known_model(size_t index, const void *context) {
    (void)context;
    return besd_model_name(BESD_MODEL_PAPER + index);
}

static besd_status set_model(besd_model *model, const char *value, besd_error *error) {
    char known[100];
    for (size_t i = 0; known_model(i, NULL); i++)
        if (!strcmp(value, known_model(i, NULL))) {
            *model = (besd_model)(BESD_MODEL_PAPER + i);
            return BESD_OK;
        }
    return besd_fail(error, BESD_INVALID, "method: model: expected one of %s, got '%s'",
                     list_names(known_model, known, sizeof known), value);
}

static besd_status set_number(double low, double high, const char *value, const char *key,
                              double *number, besd_error *error) {
    char *end;
    *number = strtod(value, &end);
    if (end == value || *end || !(*number >= low && *number <= high))
        return besd_fail(error, BESD_INVALID, "method: %s: expected a number in [%g, %g], got '%s'",
                         key, low, high, value);
    return BESD_OK;
}

static const char *const keys[] = {
    "model",   "tau",   "reps",    "initial_reps", "instances",       "selection", "search",
    "targets", "share", "caution", "initial",      "initial_designs", "explore",   "mean"};

static const char *known_key(size_t index, const void *context) {
    (void)context;
    return index < sizeof keys / sizeof *keys ? keys[index] : NULL;
}

static besd_status set_option(contender *c, const char *key, const char *value, besd_error *error) {
    double number = 0;
    besd_status status = BESD_OK;
    if (!strcmp(key, "model")) {
        status = set_model(&c->options.model, value, error);
    } else if (!strcmp(key, "tau")) {
        status = set_lever(&c->tau, value, key, error);
    } else if (!strcmp(key, "reps")) {
        status = set_lever(&c->reps, value, key, error);
    } else if (!strcmp(key, "initial_reps")) {
        status = set_lever(&c->initial_reps, value, key, error);
    } else if (!strcmp(key, "instances")) {
        status = set_flag(&c->fresh_instances, value, "shared", "fresh", key, error);
    } else if (!strcmp(key, "selection")) {
        status = set_flag(&c->latest, value, "best", "latest", key, error);
    } else if (!strcmp(key, "search")) {
        status = set_flag(&c->options.discrete, value, "refined", "discrete", key, error);
    } else if (!strcmp(key, "targets")) {
        status = set_number(1, 20000, value, key, &number, error);
        c->options.target_count = (int)number;
    } else if (!strcmp(key, "initial_designs")) {
        status = set_number(1, 10000, value, key, &number, error);
        c->options.initial_designs = (int)number;
    } else if (!strcmp(key, "initial")) {
        status = set_flag(&c->options.initial_crossed, value, "spread", "crossed", key, error);
    } else if (!strcmp(key, "mean")) {
        status = set_flag(&c->options.mean_of_all, value, "initial", "all", key, error);
    } else if (!strcmp(key, "caution")) {
        status = set_number(-1, 100, value, key, &c->options.caution, error);
        c->options.caution = c->options.caution == 0 ? -1 : c->options.caution;
    } else if (!strcmp(key, "explore")) {
        status = set_number(-1, 1, value, key, &c->options.explore, error);
        c->options.explore = c->options.explore == 0 ? -1 : c->options.explore;
    } else if (!strcmp(key, "share")) {
        status = set_number(0, 1, value, key, &c->options.tau_max_share, error);
    } else {
        const char *nearest = names_nearest(key, known_key, NULL);
        char known[200];
        status = besd_fail(error, BESD_UNKNOWN,
                           "method: '%s' is no option of a method%s%s%s; known are %s", key,
                           nearest ? ", did you mean '" : "", nearest ? nearest : "",
                           nearest ? "'?" : "", list_names(known_key, known, sizeof known));
    }
    return status;
}

besd_status contender_parse(contender *c, const char *text, besd_error *error) {
    char copy[CONTENDER_MAX_NAME], *rest = copy;
    memset(c, 0, sizeof *c);
    if (strlen(text) >= sizeof copy)
        return besd_fail(error, BESD_INVALID, "method: '%.40s...' is longer than %zu bytes", text,
                         sizeof copy - 1);
    snprintf(c->name, sizeof c->name, "%s", text);
    snprintf(copy, sizeof copy, "%s", text);
    char *base = strsep(&rest, ":");
    int method = method_find(base);
    if (!strcmp(base, learners[0])) {
        c->kind = CONTENDER_PLAIN;
    } else if (!strcmp(base, learners[1])) {
        c->kind = CONTENDER_TRANSFER;
    } else if (method < 0) {
        const char *nearest = names_nearest(base, known_contender, NULL);
        char known[200];
        return besd_fail(error, BESD_UNKNOWN, "method: there is no '%s'%s%s%s; known are %s", base,
                         nearest ? ", did you mean '" : "", nearest ? nearest : "",
                         nearest ? "'?" : "", list_names(known_contender, known, sizeof known));
    } else {
        c->options.method = (besd_method)method;
        snprintf(c->name, sizeof c->name, "%s%s%s", besd_method_name((size_t)method),
                 rest ? ":" : "", rest ? rest : "");
    }
    besd_status status = BESD_OK;
    while (status == BESD_OK && rest) {
        char *value = strsep(&rest, ","), *key = strsep(&value, "=");
        status = value && c->kind == CONTENDER_STUDY
                     ? set_option(c, key, value, error)
                     : besd_fail(error, BESD_INVALID,
                                 "method: expected NAME:OPTION=VALUE,..., got '%s'", text);
    }
    return status;
}

static size_t first_level(lever_choice lever, size_t count) {
    return lever == LEVER_MOST ? count - 1 : 0;
}

/* Half of tau_max as the unit, tripled from rung to rung without a limit. */
static void imitate_authors(bridge *b) {
    int64_t unit = (b->options.taus[b->options.tau_count - 1] + 1) / 2;
    for (int i = 0; i < 5; i++, unit *= 3)
        b->own_taus[i] = unit;
    b->options.taus = b->own_taus;
    b->options.tau_count = 5;
}

void contender_apply(const contender *c, bridge *b) {
    besd_study_options *o = &b->options;
    o->method = c->options.method;
    o->model = c->options.model;
    o->discrete = c->options.discrete;
    o->tau_max_share = c->options.tau_max_share;
    o->caution = c->options.caution;
    o->explore = c->options.explore;
    o->initial_crossed = c->options.initial_crossed;
    o->mean_of_all = c->options.mean_of_all;
    if (c->options.target_count)
        o->target_count = c->options.target_count;
    if (c->options.initial_designs)
        o->initial_designs = c->options.initial_designs;
    o->taus += first_level(c->tau, o->tau_count);
    o->tau_count = c->tau == LEVER_FREE ? o->tau_count : 1;
    o->reps += first_level(c->reps, o->reps_count);
    o->reps_count = c->reps == LEVER_FREE ? o->reps_count : 1;
    if (c->initial_reps != LEVER_FREE)
        o->initial_reps = o->reps[first_level(c->initial_reps, o->reps_count)];
    b->fresh_instances = c->fresh_instances;
    if (o->method == BESD_METHOD_HYPERBAND_PAPER)
        imitate_authors(b);
}
