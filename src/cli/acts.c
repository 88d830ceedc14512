/* besd void, restore, set, renew, note, events: what people do to a study besides asking and
 * telling.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strptime, timegm */
#endif
#include "cli/common.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/print.h"
#include "page/outline.h"
#include "study/study.h"
#include "json/answers.h"
#include "json/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool parse_trial(const verb *v, const char *text, int64_t *id, int *code) {
    char *end;
    *id = strtoll(text, &end, 10);
    if (end != text && !*end)
        return true;
    *code = usage_error(v, "TRIAL: expected a whole number, got '%s'", text);
    return false;
}

/* FILE TRIAL, and the study opened; 0, or the exit code after a sentence. */
static int open_at_trial(const verb *v, const option *options, int argc, char **argv,
                         besd_study **s, int64_t *id, bool *open) {
    const char *arguments[2] = {0};
    int code = 0;
    *open = false;
    if (!options_parse(v, options, argc, argv, arguments, 2, 2, &code) ||
        !parse_trial(v, arguments[1], id, &code))
        return code;
    code = open_study_file(v, arguments[0], s);
    *open = code == 0;
    return code;
}

int print_trial_json(const verb *v, besd_study *s, int64_t id, json_t *more) {
    besd_error error;
    json_t *described = trial_json(s, id, &error);
    if (!described) {
        json_decref(more);
        return refuse(v, &error);
    }
    return print_json(v, more ? json_joined(described, more) : described);
}

/* The trial as it is now, or a sentence of what was done. */
static int print_act(const verb *v, besd_study *s, int64_t id, besd_status status,
                     const besd_error *error, bool as_json, const char *done) {
    int code;
    if (status != BESD_OK) {
        code = refuse(v, error);
    } else if (!as_json) {
        print_clean(stdout, "trial %lld %s\n", (long long)id, done);
        code = finish_output(v);
    } else {
        code = print_trial_json(v, s, id, NULL);
    }
    besd_study_close(s);
    return code;
}

int run_void(const verb *v, int argc, char **argv) {
    const char *why = NULL;
    bool as_json = false, open;
    int64_t id;
    besd_study *s;
    besd_error error;
    option options[] = {{"why", OPTION_TEXT, &why, "TEXT", "the reason, to be kept"},
                        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
                        {0}};
    int code = open_at_trial(v, options, argc, argv, &s, &id, &open);
    if (!open)
        return code;
    besd_status status = besd_study_void(s, id, why, &error);
    return print_act(v, s, id, status, &error, as_json,
                     "is voided: the model no longer sees it; what it cost stays spent");
}

int run_restore(const verb *v, int argc, char **argv) {
    bool as_json = false, open;
    int64_t id;
    besd_study *s;
    besd_error error;
    option options[] = {{"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"}, {0}};
    int code = open_at_trial(v, options, argc, argv, &s, &id, &open);
    if (!open)
        return code;
    besd_status status = besd_study_restore(s, id, &error);
    return print_act(v, s, id, status, &error, as_json, "is restored");
}

int run_renew(const verb *v, int argc, char **argv) {
    const char *worker = NULL;
    given_number lease = {0};
    bool as_json = false, open;
    int64_t id;
    besd_study *s;
    besd_error error;
    option options[] = {{"worker", OPTION_TEXT, &worker, "NAME", "whose lease it is"},
                        {"lease", OPTION_GIVEN_NUMBER, &lease, "SECONDS", "from now on"},
                        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
                        {0}};
    int code = open_at_trial(v, options, argc, argv, &s, &id, &open);
    if (!open)
        return code;
    besd_status status = lease.given
                             ? besd_study_renew(s, id, worker, &lease.value, &error)
                             : besd_fail(&error, BESD_INVALID,
                                         "--lease: expected the seconds from now on, got none");
    return print_act(v, s, id, status, &error, as_json, "is leased anew");
}

/* All or none. */
static besd_status annotate(besd_study *s, int64_t id, const char *text, const text_list *tags,
                            const text_list *untags, besd_error *error) {
    size_t count = tags->count + untags->count;
    if (!text && !count)
        return besd_fail(error, BESD_INVALID, "give --text, --tag or --untag");
    tag_change *changes = malloc((count + 1) * sizeof *changes);
    if (!changes)
        return besd_fail_memory(error, "the tags");
    for (size_t i = 0; i < count; i++)
        changes[i] = i < tags->count ? (tag_change){tags->items[i], true}
                                     : (tag_change){untags->items[i - tags->count], false};
    besd_status status = study_annotate(s, id, text, changes, count, error);
    free(changes);
    return status;
}

int run_note(const verb *v, int argc, char **argv) {
    const char *text = NULL;
    text_list tags = {0}, untags = {0};
    bool as_json = false, open;
    int64_t id;
    besd_study *s;
    besd_error error;
    option options[] = {
        {"text", OPTION_TEXT, &text, "TEXT", "the note, in the place of the one before"},
        {"tag", OPTION_TEXTS, &tags, "WORD", "a word for the trial; may be repeated"},
        {"untag", OPTION_TEXTS, &untags, "WORD", "no longer; may be repeated"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code = open_at_trial(v, options, argc, argv, &s, &id, &open);
    if (!open)
        return code;
    besd_status status = annotate(s, id, text, &tags, &untags, &error);
    return print_act(v, s, id, status, &error, as_json, "is noted");
}

static besd_status set_outline(besd_study *s, const char *path, besd_error *error) {
    outline *o;
    besd_status status = outline_load(path, &o, error);
    if (status == BESD_OK)
        status = outline_keep(o, path, s, error);
    outline_free(o);
    return status;
}

/* "none" is no limit; false: it is no budget. */
static bool read_budget(const char *text, double *budget) {
    char *end = NULL;
    *budget = INFINITY;
    if (!text || !strcmp(text, "none"))
        return true;
    *budget = strtod(text, &end);
    return end != text && !*end && isfinite(*budget);
}

static int tell_budget(const verb *v, double budget, double spent, bool as_json) {
    if (as_json)
        return print_json(v, budget_json(budget, spent));
    if (isinf(budget))
        print_clean(stdout, "the study has no limit now; %.12g of it are spent\n", spent);
    else
        print_clean(stdout, "the budget is %.12g now; %.12g of it are spent%s\n", budget, spent,
                    spent >= budget ? ", so the study is over" : "");
    return finish_output(v);
}

int run_set(const verb *v, int argc, char **argv) {
    const char *path = NULL, *budget = NULL, *drawn = NULL;
    bool as_json = false;
    double value, spent = 0;
    option options[] = {
        {"budget", OPTION_TEXT, &budget, "B", "the budget from now on; none: no limit"},
        {"outline", OPTION_TEXT, &drawn, "FILE", "what maps show around the designs (YAML)"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        return code;
    if (!read_budget(budget, &value) || (!budget && !drawn))
        return usage_error(v, "--budget: expected a number or none, got %s%s%s", budget ? "'" : "",
                           budget ? budget : "nothing", budget ? "'" : "");
    besd_study *s;
    besd_error error;
    besd_status status = BESD_OK;
    if (open_study_file(v, path, &s))
        return EXIT_REFUSED;
    if (drawn)
        status = set_outline(s, drawn, &error);
    if (status == BESD_OK && budget)
        status = besd_study_set_budget(s, value, &error);
    if (status == BESD_OK)
        status = besd_study_spent(s, &spent, &error);
    value = besd_study_get_options(s)->budget;
    besd_study_close(s);
    return status == BESD_OK ? tell_budget(v, value, spent, as_json) : refuse(v, &error);
}

/* How events are shown. */
typedef struct event_list {
    bool as_json, failed;
    json_t *list;
    const char *who; /* NULL: all */
    double since;
} event_list;

/* "2026-03-01", "2026-03-01T12:30:00Z", or how long ago: "90m", "2h", "3d". */
static bool read_since(const char *text, double *since) {
    struct tm parts = {0};
    char *end;
    double ago = strtod(text, &end);
    const char *units = "mhd", *unit = *end ? strchr(units, *end) : NULL;
    static const double seconds[] = {60, 3600, 86400};
    if (end != text && unit && !end[1] && ago >= 0) {
        *since = clock_date() - ago * seconds[unit - units];
        return true;
    }
    const char *rest = strptime(text, "%Y-%m-%d", &parts);
    if (rest && *rest == 'T')
        rest = strptime(rest + 1, "%H:%M:%S", &parts);
    if (rest && *rest == 'Z')
        rest++;
    *since = (double)timegm(&parts);
    return rest && !*rest;
}

static bool show_event(void *context, const besd_event *e) {
    event_list *l = context;
    if (e->at < l->since || (l->who && strcmp(l->who, e->who) != 0))
        return true;
    if (l->as_json) {
        l->failed = json_array_append_new(l->list, event_json(e)) != 0; /* only without memory */
        return !l->failed;
    }
    char date[32] = "?";
    time_t at = (time_t)e->at;
    struct tm parts;
    if (e->at > 0 && e->at < 1e11 && gmtime_r(&at, &parts))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &parts);
    print_clean(stdout, "%5lld  %s  %-9s ", (long long)e->id, date, e->what);
    if (e->trial)
        print_clean(stdout, "trial %lld", (long long)e->trial);
    print_clean(stdout, "%s%s", e->who[0] ? "  by " : "", e->who);
    if (e->detail[0])
        print_clean(stdout, "  %.100s%s", e->detail, strlen(e->detail) > 100 ? "..." : "");
    putchar('\n');
    return true;
}

int run_events(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false;
    int64_t after = 0;
    const char *since = NULL, *who = NULL;
    option options[] = {
        {"after", OPTION_INTEGER, &after, "EVENT", "only those after this one"},
        {"since", OPTION_TEXT, &since, "TIME",
         "only those from then on: 2026-03-01, 2026-03-01T12:30:00Z (UTC), or 2h, 3d ago"},
        {"who", OPTION_TEXT, &who, "NAME", "only acts of this worker, token or address"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        return code;
    double from = -INFINITY;
    if (since && !read_since(since, &from))
        return usage_error(v,
                           "--since: expected a date like 2026-03-01 or 2026-03-01T12:30:00Z, or "
                           "90m, 2h, 3d; got '%.40s'",
                           since);
    besd_study *s;
    besd_error error;
    if (open_study_file(v, path, &s))
        return EXIT_REFUSED;
    event_list list = {.as_json = as_json, .who = who, .since = from, .list = json_array()};
    besd_status status = besd_study_events(s, after, show_event, &list, &error);
    besd_study_close(s);
    if (status != BESD_OK || !as_json) {
        json_decref(list.list);
        return status == BESD_OK ? finish_output(v) : refuse(v, &error);
    }
    if (list.failed) {
        json_decref(list.list);
        return refuse_memory(v);
    }
    return print_json(v, json_pack("{s:o}", "events", list.list));
}
