/* besd ask: the next trial, and why it was chosen. */
#include "cli/common.h"
#include "core/error.h"
#include "core/print.h"
#include "json/answers.h"
#include "json/trial.h"

#include <stdio.h>
#include <stdlib.h>

/* The discretisation behind the last ask. */
static json_t *describe_targets(const besd_study *s) {
    size_t count, dimension = besd_study_get_options(s)->dimension;
    const double *points = besd_study_targets(s, &count);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_numbers(points + i * dimension, dimension));
    return list;
}

static json_t *describe_explanation(const besd_study *s, const besd_explanation *x,
                                    bool dump_targets) {
    json_t *object = explanation_json(besd_study_get_options(s), x);
    if (dump_targets)
        json_object_set_new(object, "target_points", describe_targets(s));
    return object;
}

static void print_explanation(const besd_study *s, const besd_trial *t, const besd_explanation *x) {
    if (!x->lever_count) {
        print_clean(stdout, "why: %s\n", x->why[0] ? x->why : besd_reason_name((size_t)t->reason));
        return;
    }
    print_clean(stdout, "why: %s\n\n%8s %6s %12s %12s %14s %9s %8s %6s\n", x->why, "tau", "reps",
                "cost", "kg", "kg/cost", "mean", "sd", "corr");
    for (size_t i = 0; i < x->lever_count; i++) {
        const besd_lever_value *l = &x->levers[i];
        print_clean(stdout, "%8lld %6d %12g %12.4g %14.4g %9.4f %8.4f %6.3f%s\n", (long long)l->tau,
                    l->reps, l->cost, l->kg, l->kg / l->cost, l->mean, l->sd, l->correlation,
                    l->tau == t->tau && l->reps == t->reps ? "  <- chosen" : "");
    }
    puts("\nbest of the discretisation before refinement:");
    for (size_t i = 0; i < x->candidate_count; i++) {
        const besd_candidate *c = &x->candidates[i];
        print_clean(stdout, "  kg/cost %.4g at tau %lld, reps %d: ", c->kg / c->cost,
                    (long long)c->tau, c->reps);
        print_theta(s, c->theta);
        putchar('\n');
    }
    print_clean(stdout,
                "%zu targets, %zu of them can still become the recommendation; %zu candidates "
                "evaluated\n",
                x->targets, x->kept, x->evaluated);
    if (x->missed > 1 + 1e-9)
        print_clean(
            stdout,
            "a search over all targets finds one that is worth %.3g times as much per cost\n",
            x->missed);
    else if (x->missed > 0)
        print_clean(stdout, "a search over all targets finds none that is worth more per cost\n");
}

static void print_asked(const besd_study *s, const besd_trial *t) {
    print_clean(stdout, "trial %lld: ", (long long)t->id);
    print_task(s, t->task);
    print_theta(s, t->theta);
    print_clean(
        stdout,
        "\n  train for tau = %lld interactions, reps = %d replication%s, seed %llu; cost %.12g\n",
        (long long)t->tau, t->reps, t->reps == 1 ? "" : "s", (unsigned long long)t->seed, t->cost);
}

static int print_done(const verb *v, const besd_study *s, const besd_error *error, bool as_json) {
    if (as_json)
        return print_json(v, done_json(s, error->message));
    print_clean(stdout, "done: %s\n", error->message);
    return finish_output(v);
}

int run_ask(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false, explained = false, dump = false;
    given_integer failed = {0};
    const char *worker = NULL;
    given_number lease = {0};
    const char *task_name = NULL;
    int64_t task = 0;
    option options[] = {
        {"explain", OPTION_FLAG, &explained, NULL, "say why: kg and kg/cost for every (tau, reps)"},
        {"dump-targets", OPTION_FLAG, &dump, NULL, "with --explain --json: the discretisation"},
        {"again", OPTION_GIVEN_INTEGER, &failed, "TRIAL", "a failed trial once more, as a new one"},
        {"worker", OPTION_TEXT, &worker, "NAME", "who trains it"},
        {"lease", OPTION_GIVEN_NUMBER, &lease, "SECONDS",
         "seconds that the worker keeps the trial; then the next worker to ask gets it (default: "
         "no end)"},
        {"task", OPTION_TEXT, &task_name, "NAME", "of a study with tasks: a trial of this task"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        return code;
    if (failed.given && task_name)
        return usage_error(v, "--again repeats a trial, which has its task");
    if (failed.given && explained)
        return usage_error(v, "--again repeats a trial; there is nothing to explain");
    if (failed.given && (worker || lease.given))
        return usage_error(v, "--worker and --lease do not go with --again");
    besd_study *s;
    if (open_study_file(v, path, &s))
        return EXIT_REFUSED;
    besd_trial t;
    besd_explanation *x = calloc(1, sizeof *x);
    besd_error error;
    besd_ask how = {.worker = worker,
                    .lease = given_number_or_null(&lease),
                    .again = given_integer_or_null(&failed),
                    .task = task_name ? &task : NULL,
                    .explanation = explained ? x : NULL};
    besd_status status = x ? BESD_OK : besd_fail_memory(&error, "the explanation");
    if (status == BESD_OK && task_name)
        status = besd_study_find_task(s, task_name, &task, &error);
    if (status == BESD_OK)
        status = besd_study_ask(s, &how, &t, &error);
    if (status == BESD_DONE) {
        code = print_done(v, s, &error, as_json);
    } else if (status != BESD_OK) {
        code = refuse(v, &error);
    } else if (as_json) {
        json_t *more = explained && x->why[0]
                           ? json_pack("{s:o}", "explanation", describe_explanation(s, x, dump))
                           : NULL;
        code = print_trial_json(v, s, t.id, more);
    } else {
        print_asked(s, &t);
        if (explained)
            print_explanation(s, &t, x);
        code = finish_output(v);
    }
    free(x);
    besd_study_close(s);
    return code;
}
