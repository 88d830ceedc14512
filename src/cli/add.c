/* besd add, enqueue: trials that the study did not think of. */
#include "cli/common.h"
#include "core/error.h"
#include "core/print.h"
#include "study/study.h"
#include "json/answers.h"
#include "json/results.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static besd_status check_length(const besd_study *s, const number_list *theta, besd_error *error) {
    size_t dimension = besd_study_get_options(s)->dimension;
    return theta->count == dimension
               ? BESD_OK
               : besd_fail(error, BESD_INVALID, "theta: expected %zu numbers, got %zu", dimension,
                           theta->count);
}

/* All of them with their tags, or none. */
static besd_status add_list(besd_study *s, const result_list *list, int64_t *first,
                            besd_error *error) {
    besd_status status = study_gather(s, error);
    if (status != BESD_OK)
        return status;
    status = besd_study_add(s, list->items, list->count, first, error);
    if (status == BESD_OK)
        status = results_tag(list, s, *first, error);
    if (status == BESD_OK)
        return study_settle(s, error);
    study_scatter(s);
    return status;
}

/* The place of a result in its file is what its owner knows. */
static besd_status add_file(besd_study *s, const char *from, result_list *list, int64_t *first,
                            besd_error *error) {
    bool standard = !strcmp(from, "-");
    FILE *in = standard ? stdin : fopen(from, "r");
    if (!in)
        return besd_fail(error, BESD_IO, "%s: %s", from, strerror(errno));
    besd_status status = results_read(list, s, in, standard ? "standard input" : from, error);
    if (!standard)
        fclose(in);
    if (status == BESD_OK && !list->count)
        return besd_fail(error, BESD_INVALID, "%s: there is no told trial in it", from);
    if (status == BESD_OK)
        status = add_list(s, list, first, error);
    size_t place;
    int read = 0;
    if (status == BESD_INVALID && sscanf(error->message, "results[%zu]: %n", &place, &read) == 1 &&
        read) {
        besd_error reason = *error;
        return besd_fail(error, status, "%s, line %zu: %s", from, list->lines[place],
                         reason.message + read);
    }
    return status;
}

static int print_added(const verb *v, int64_t first, size_t count, size_t skipped, bool as_json) {
    if (as_json)
        return print_json(v, added_json(first, count, skipped));
    if (count == 1)
        print_clean(stdout, "added as trial %lld\n", (long long)first);
    else
        print_clean(stdout, "added %zu results as trials %lld to %lld\n", count, (long long)first,
                    (long long)first + (long long)count - 1);
    if (skipped)
        print_clean(stdout, "%zu row%s of trials that were not told %s left out\n", skipped,
                    skipped == 1 ? "" : "s", skipped == 1 ? "is" : "are");
    return finish_output(v);
}

int run_add(const verb *v, int argc, char **argv) {
    const char *path = NULL, *from = NULL, *note = NULL, *task_name = NULL;
    int64_t task = 0;
    bool as_json = false;
    number_list *theta = calloc(2, sizeof *theta), *scores = theta + 1;
    int64_t first = 0;
    given_integer tau = {0};
    given_number cost = {0};
    option options[] = {
        {"theta", OPTION_NUMBERS, theta, "X,X,...", "the design"},
        {"tau", OPTION_GIVEN_INTEGER, &tau, "T", "its training length, one of the study's"},
        {"scores", OPTION_NUMBERS, scores, "Y,Y,...", "one for every replication"},
        {"cost", OPTION_GIVEN_NUMBER, &cost, "C", "what counts as spent (default: 0)"},
        {"note", OPTION_TEXT, &note, "TEXT", "where it comes from"},
        {"task", OPTION_TEXT, &task_name, "NAME", "of a study with tasks: the task it is of"},
        {"from", OPTION_TEXT, &from, "FILE",
         "many at once: JSON lines, or CSV as 'besd trials --csv' prints it; -: standard input"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code = EXIT_REFUSED;
    besd_study *s = NULL;
    result_list list = {0};
    if (!theta)
        return refuse_memory(v);
    bool one = false;
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        ; /* said already */
    else if ((one = theta->given || scores->given || tau.given) == (from != NULL))
        code = usage_error(v, "give either --theta, --tau and --scores, or --from");
    else if (one && !(theta->given && scores->given && tau.given))
        code = usage_error(v, "--theta, --tau and --scores belong together");
    else if (from && (cost.given || note || task_name))
        code = usage_error(v, "--cost, --note and --task do not go with --from");
    else if (!(code = open_study_file(v, path, &s))) {
        besd_error error;
        besd_result r = {.theta = theta->items,
                         .tau = tau.value,
                         .scores = scores->items,
                         .count = scores->count,
                         .cost = cost.value,
                         .note = note,
                         .task = task_name ? &task : NULL};
        besd_status status = one ? check_length(s, theta, &error) : BESD_OK;
        if (status == BESD_OK && task_name)
            status = besd_study_find_task(s, task_name, &task, &error);
        if (status == BESD_OK)
            status = one ? besd_study_add(s, &r, 1, &first, &error)
                         : add_file(s, from, &list, &first, &error);
        code = status == BESD_OK
                   ? print_added(v, first, one ? 1 : list.count, list.skipped, as_json)
                   : refuse(v, &error);
    }
    results_free(&list);
    besd_study_close(s);
    free(theta);
    return code;
}

/* 0 would mean the default, which is not what 0 says. */
static besd_status check_levels(given_integer tau, given_integer reps, besd_error *error) {
    if (tau.given && tau.value < 1)
        return besd_fail(error, BESD_INVALID, "tau: expected one of the study's, got %lld",
                         (long long)tau.value);
    if (reps.given && (reps.value < 1 || reps.value > BESD_MAX_REPS))
        return besd_fail(error, BESD_INVALID, "reps: expected one of the study's, got %lld",
                         (long long)reps.value);
    return BESD_OK;
}

int run_enqueue(const verb *v, int argc, char **argv) {
    const char *path = NULL, *note = NULL;
    bool as_json = false;
    number_list *theta = calloc(1, sizeof *theta);
    given_integer tau = {0}, reps = {0};
    int64_t id = 0;
    option options[] = {
        {"theta", OPTION_NUMBERS, theta, "X,X,...", "the design"},
        {"tau", OPTION_GIVEN_INTEGER, &tau, "T", "one of the study's (default: the largest)"},
        {"reps", OPTION_GIVEN_INTEGER, &reps, "Q", "one of the study's (default: the fewest)"},
        {"note", OPTION_TEXT, &note, "TEXT", "whose wish it is"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code = EXIT_REFUSED;
    besd_study *s = NULL;
    if (!theta)
        return refuse_memory(v);
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        ; /* said already */
    else if (!theta->given)
        code = usage_error(v, "--theta is missing");
    else if (!(code = open_study_file(v, path, &s))) {
        besd_error error;
        besd_status status = check_length(s, theta, &error);
        if (status == BESD_OK)
            status = check_levels(tau, reps, &error);
        if (status == BESD_OK)
            status =
                besd_study_enqueue(s, theta->items, tau.value, (int)reps.value, note, &id, &error);
        if (status != BESD_OK) {
            code = refuse(v, &error);
        } else if (as_json) {
            code = print_trial_json(v, s, id, NULL);
        } else {
            print_clean(stdout, "trial %lld waits; the next ask gives it\n", (long long)id);
            code = finish_output(v);
        }
    }
    besd_study_close(s);
    free(theta);
    return code;
}
