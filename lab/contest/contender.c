#include "contest/contender.h"

#include "core/error.h"
#include "core/text.h"
#include "study/method.h"
#include "study/spec.h"

#include <stdio.h>
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

/* Options that say how an experiment is made rather than how a study is. */
static const char *const own_keys[] = {"tau", "reps", "initial_reps", "selection"};

enum { OWN_KEYS = sizeof own_keys / sizeof *own_keys };

/* Is it an option of methods, not of the problem or of the comparison? */
static bool is_variable(const study_option *option) {
    return option->used_by != STUDY_OPTION_FOR_ALL && strcmp(option->name, "initial_reps") != 0;
}

static const char *known_key(size_t index, const void *context) {
    (void)context;
    if (index < OWN_KEYS)
        return own_keys[index];
    index -= OWN_KEYS;
    for (size_t i = 0; i < STUDY_OPTIONS; i++)
        if (is_variable(&study_options[i]) && index-- == 0)
            return study_options[i].name;
    return NULL;
}

static besd_status fail_key(const char *key, besd_error *error) {
    const char *nearest = names_nearest(key, known_key, NULL);
    char known[300];
    return besd_fail(error, BESD_UNKNOWN,
                     "method: '%s' is no option of a method%s%s%s; known are %s", key,
                     nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "",
                     list_names(known_key, known, sizeof known));
}

static besd_status set_study_option(contender *c, const char *key, const char *value,
                                    besd_error *error) {
    const study_option *option = study_option_find(key);
    besd_error detail;
    if (!option || !is_variable(option))
        return fail_key(key, error);
    besd_status status = study_option_parse(option, value, &c->options, &detail);
    if (status == BESD_OK)
        status = study_option_check(option, &c->options, &detail);
    c->given[option - study_options] = true;
    return status == BESD_OK ? status : besd_fail(error, status, "method: %.400s", detail.message);
}

static besd_status set_option(contender *c, const char *key, const char *value, besd_error *error) {
    if (!strcmp(key, "tau"))
        return set_lever(&c->tau, value, key, error);
    if (!strcmp(key, "reps"))
        return set_lever(&c->reps, value, key, error);
    if (!strcmp(key, "initial_reps"))
        return set_lever(&c->initial_reps, value, key, error);
    if (!strcmp(key, "selection"))
        return set_flag(&c->latest, value, "best", "latest", key, error);
    return set_study_option(c, key, value, error);
}

besd_status contender_parse(contender *c, const char *text, besd_error *error) {
    char copy[CONTENDER_MAX_NAME], *rest = copy;
    memset(c, 0, sizeof *c);
    c->options = besd_study_options_default();
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
static void imitate_authors(domain_study *b) {
    int64_t unit = (b->options.taus[b->options.tau_count - 1] + 1) / 2;
    for (int i = 0; i < 5; i++, unit *= 3)
        b->own_taus[i] = unit;
    b->options.taus = b->own_taus;
    b->options.tau_count = 5;
}

void contender_as_paper(contender *c) {
    if (!c->given[STUDY_OPTION_model])
        c->options.model = BESD_MODEL_PAPER;
    if (!c->given[STUDY_OPTION_instances])
        c->options.instances = BESD_INSTANCES_SHARED;
    c->given[STUDY_OPTION_model] = c->given[STUDY_OPTION_instances] = true;
}

void contender_apply(const contender *c, domain_study *b) {
    besd_study_options *o = &b->options;
    o->method = c->options.method;
    for (size_t i = 0; i < STUDY_OPTIONS; i++)
        if (c->given[i])
            study_option_copy(&study_options[i], &c->options, o);
    o->taus += first_level(c->tau, o->tau_count);
    o->tau_count = c->tau == LEVER_FREE ? o->tau_count : 1;
    o->reps += first_level(c->reps, o->reps_count);
    o->reps_count = c->reps == LEVER_FREE ? o->reps_count : 1;
    if (c->initial_reps != LEVER_FREE)
        o->initial_reps = o->reps[first_level(c->initial_reps, o->reps_count)];
    if (o->method == BESD_METHOD_HYPERBAND_PAPER)
        imitate_authors(b);
}
