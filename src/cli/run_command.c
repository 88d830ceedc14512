/* besd run STUDY.yaml: optimises a study with the command that trains it, on this machine, or under
 * mpirun on those of the other ranks, while rank 0 has the file. */
#include "cli/interrupt.h"
#include "cli/run_session.h"
#include "cli/study_yaml.h"
#include "cluster/ranks.h"
#include "cluster/ranks_trainer.h"
#include "core/error.h"
#include "core/print.h"
#include "core/text.h"
#include "run/command_test.h"
#include "run/default_budget.h"
#include "study/path.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In whose name trials are asked for: a run takes over what a dead run has left. */
static const char RUN_WORKER[] = "besd run";

typedef struct command_session {
    run_session run; /* first, so that either is found by the other */
    study_yaml *yaml;
    besd_study_options options; /* as description and command line have them */
    sigset_t waiting_mask;
    bool is_unused; /* it had no trials when we came */
    command_test test;
} command_session;

/* The command line that continues this run; budget 0: the same. */
static void print_command_line(const run_session *s, FILE *out, double budget) {
    const run_request *r = s->request;
    print_program(out);
    fputs(" run", out);
    for (int i = 0; i < r->argc; i++) {
        bool is_budget = !strcmp(r->argv[i], "--budget");
        if (budget > 0 && (is_budget || !strncmp(r->argv[i], "--budget=", 9)))
            i += is_budget;
        else
            print_shell_word(out, r->argv[i]);
    }
    if (budget > 0)
        print_clean(out, " --budget %.12g", budget);
}

static void print_how_to_go_on(const run_session *s, FILE *out) {
    print_command_line(s, out, 0);
}

static void hear(void *listener, int64_t trial, const char *line) {
    command_session *s = listener;
    progress_clear(&s->run.progress);
    print_clean(stderr, "[trial %lld] %s\n", (long long)trial, line);
}

/* A study belongs to the command that its scores are of; one that has told nothing yet takes a
 * mended command. Changes nothing. */
static besd_status check_command(command_session *s) {
    run_session *run = &s->run;
    const char *is = study_yaml_command(s->yaml);
    char was[STUDY_YAML_LONGEST_COMMAND + 1];
    int64_t trials, counts[CENSUS_STATES];
    besd_status status = besd_study_get_note(run->study, "command", was, sizeof was, &run->error);
    if (status == BESD_OK)
        status = besd_study_trial_count(run->study, &trials, &run->error);
    if (status == BESD_OK)
        status = study_census(run->study, counts, &run->error);
    if (status != BESD_OK)
        return status;
    s->is_unused = !trials;
    if (!was[0] && trials)
        return besd_fail(&run->error, BESD_INVALID,
                         "study: the trials in %s were not begun by a command; go on with ask and "
                         "tell, or choose another --study",
                         run->path);
    if (!was[0] || !counts[BESD_TRIAL_TOLD] || !strcmp(is, was))
        return BESD_OK;
    besd_error_set(&run->error, BESD_INVALID,
                   "command: the study in %s was begun with '%.150s', got '%.150s'; choose "
                   "another --study for it",
                   run->path, was, is);
    text_clean(run->error.message);
    return BESD_INVALID;
}

static int64_t test_seeds(const command_session *s) {
    return given_integer_or(s->run.request->test, 0);
}

/* What the test says of the design when it does not speak for it. */
static void print_doubt(const command_test *t) {
    if (!t->gain.count)
        print_clean(stdout, "  without any design there is nothing to compare with%s%s\n",
                    t->why[0] ? ": " : "", t->why);
    else if (isnan(t->gain_low))
        puts("  one seed says nothing about chance; --test N trains on more");
    else if (t->gain.mean <= 0)
        puts("  so this design does not help: more budget, more subgoals or a longer training "
             "might");
    else if (t->gain_low <= 0)
        puts("  which does not show that this design helps; --test N trains on more seeds");
}

static void print_test(const command_session *s) {
    const command_test *t = &s->test;
    char text[80];
    print_clean(stdout,
                "\ntested on %lld fresh seed%s, tau %lld, %d replication%s each (+- standard "
                "error):\n",
                (long long)test_seeds(s), test_seeds(s) == 1 ? "" : "s", (long long)t->tau, t->reps,
                t->reps == 1 ? "" : "s");
    if (t->failed)
        print_clean(stdout, "  %lld training%s failed and %s left out\n", (long long)t->failed,
                    t->failed == 1 ? "" : "s", t->failed == 1 ? "is" : "are");
    if (t->with.count)
        print_clean(stdout, "  with this design    %s %s\n",
                    stats_print(t->with, 9, text, sizeof text), s->run.unit);
    if (t->without.count)
        print_clean(stdout, "  without any design  %s %s\n",
                    stats_print(t->without, 9, text, sizeof text), s->run.unit);
    if (t->gain.count && !isnan(t->gain_low))
        print_clean(stdout,
                    "  it gains            %9.5g, with 95 %% confidence between %.5g and %.5g\n",
                    t->gain.mean, t->gain_low, t->gain_high);
    print_doubt(t);
    if (t->cost > 0)
        print_clean(stdout, "  the test has cost %.12g on top of the budget\n", t->cost);
}

static json_t *json_test(const command_session *s) {
    const command_test *t = &s->test;
    bool both = t->gain.count > 0;
    return json_pack("{s:{s:I, s:I, s:i, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}}", "test",
                     "seeds", (json_int_t)test_seeds(s), "tau", (json_int_t)t->tau, "reps", t->reps,
                     "failed", (json_int_t)t->failed, "cost", json_number(t->cost), "mean",
                     json_number(t->with.count ? t->with.mean : NAN), "se",
                     json_number(t->with.count ? t->with.se : NAN), "no_subgoals_mean",
                     json_number(t->without.count ? t->without.mean : NAN), "no_subgoals_se",
                     json_number(t->without.count ? t->without.se : NAN), "gain",
                     json_number(both ? t->gain.mean : NAN), "gain_low", json_number(t->gain_low),
                     "gain_high", json_number(t->gain_high));
}

static int print_result(command_session *s, const besd_recommendation *r, int64_t failed) {
    run_session *run = &s->run;
    const besd_study_options *o = besd_study_get_options(run->study);
    print_clean(stdout, "%s, seed %llu: %s\n", run->request->name, (unsigned long long)o->seed,
                run->result.why);
    print_clean(stdout, "recommendation after %lld trial%s", (long long)r->trials,
                r->trials == 1 ? "" : "s");
    if (failed)
        print_clean(stdout, " (and %lld that failed)", (long long)failed);
    print_clean(stdout, " at cost %.12g:\n  ", r->cost);
    print_theta(run->study, r->theta);
    putchar('\n');
    print_promise(run->study, r, run->unit);
    print_warning(r, stdout, "  ");
    if (print_tasks(run->study, run->unit, &run->error) != BESD_OK ||
        print_sources(run->study, &run->error) != BESD_OK ||
        print_points(run->study, r, run->unit, &run->error) != BESD_OK ||
        print_best_trial(run->study, &run->error) != BESD_OK)
        return refuse(run->verb, &run->error);
    print_bounds_note(run->study, r->theta);
    if (test_seeds(s))
        print_test(s);
    print_clean(stdout, "\nthe study is in %s; go on with a larger budget:\n", run->path);
    print_command_line(run, stdout, 2 * fmax(o->budget, r->cost));
    putchar('\n');
    return finish_output(run->verb);
}

static int print_result_json(command_session *s, const besd_recommendation *r, int64_t failed) {
    json_t *json = session_json(&s->run, "command", study_yaml_command(s->yaml), r);
    if (!json)
        return refuse(s->run.verb, &s->run.error);
    json_t *end =
        json_pack("{s:I, s:s}", "failed", (json_int_t)failed, "stopped", s->run.result.why);
    if (test_seeds(s))
        end = json_joined(end, json_test(s));
    return print_json(s->run.verb, json_joined(json, end));
}

static void hear_test(void *listener, int64_t done, int64_t total) {
    command_session *s = listener;
    char at[PROGRESS_PART_SIZE];
    progress_follow(&s->run.progress);
    if (!progress_due(&s->run.progress, (double)done, (double)total))
        return;
    snprintf(at, sizeof at, "test %lld of %lld", (long long)done, (long long)total);
    progress_show(&s->run.progress, (double)done, (double)total,
                  &(progress_news){"trainings", at, "", "", "", ""});
}

static besd_command command_of(command_session *s) {
    return (besd_command){.text = study_yaml_command(s->yaml),
                          .folder = study_yaml_folder(s->yaml),
                          .timeout = study_yaml_timeout(s->yaml),
                          .places = s->run.places,
                          .hear = hear,
                          .listener = s,
                          .signals = &s->waiting_mask};
}

/* Trains the recommendation on fresh seeds, and without any design. */
static besd_status test(command_session *s, const besd_recommendation *r) {
    run_session *run = &s->run;
    const command_test_request request = {.command = command_of(s),
                                          .retries = study_yaml_retries(s->yaml),
                                          .seeds = test_seeds(s),
                                          .interrupted = interrupt_has_come,
                                          .hear = hear_test,
                                          .listener = s};
    if (!run->request->quiet)
        print_clean(stderr,
                    "note: the test trains %lld times, which costs up to %.12g on top of the "
                    "budget; what was tested before is kept\n",
                    (long long)(2 * request.seeds), command_test_price(run->study, request.seeds));
    progress_begin(&run->progress, run->request->quiet, run->places, 0);
    besd_status status = command_test_run(&request, run->study, r->theta, &s->test, &run->error);
    progress_end(&run->progress);
    return status;
}

static int conclude(command_session *s) {
    run_session *run = &s->run;
    besd_recommendation r;
    int64_t counts[CENSUS_STATES];
    besd_tasks tasks;
    besd_study_get_tasks(run->study, &tasks);
    if (tasks.count && test_seeds(s)) {
        besd_error_set(&run->error, BESD_UNSUPPORTED,
                       "--test: it knows no tasks; train the design of each task as 'besd "
                       "recommend' has it");
        return refuse(run->verb, &run->error);
    }
    if (study_census(run->study, counts, &run->error) != BESD_OK ||
        besd_study_recommend(run->study, &r, &run->error) != BESD_OK)
        return refuse(run->verb, &run->error);
    besd_status status = test_seeds(s) ? test(s, &r) : BESD_OK;
    if (status == BESD_DONE)
        return session_stop(run, print_how_to_go_on);
    if (status != BESD_OK)
        return refuse(run->verb, &run->error);
    return run->request->as_json ? print_result_json(s, &r, counts[BESD_TRIAL_FAILED])
                                 : print_result(s, &r, counts[BESD_TRIAL_FAILED]);
}

static int give_up(command_session *s) {
    const besd_run_result *r = &s->run.result;
    const char *rest = r->told         ? "; the same command goes on from here"
                       : !s->is_unused ? ""
                                       : "; the study holds nothing yet, remove it to begin afresh";
    besd_error_set(&s->run.error, BESD_ENVIRONMENT,
                   "%lld trials %s, so it stops here; 'besd check %.100s' helps to mend the "
                   "command%s",
                   (long long)(r->told ? r->failed_in_a_row : r->failed),
                   r->told ? "in a row failed" : "failed and none succeeded", s->run.request->name,
                   rest);
    return refuse(s->run.verb, &s->run.error);
}

static int stop_endless(run_session *s) {
    besd_error_set(&s->error, BESD_ENVIRONMENT,
                   "%d trials in a row cost 0; the run stops, because the budget would never be "
                   "spent. Report the real cost, or leave `cost` out.",
                   BESD_RUN_MOST_FREE);
    return refuse(s->verb, &s->error);
}

static int finish(command_session *s) {
    switch (s->run.result.end) {
    case BESD_RUN_INTERRUPTED:
        return session_stop(&s->run, print_how_to_go_on);
    case BESD_RUN_HOPELESS:
        return give_up(s);
    case BESD_RUN_ENDLESS:
        return stop_endless(&s->run);
    case BESD_RUN_DONE:
    case BESD_RUN_ENOUGH:
        break;
    }
    return conclude(s);
}

/* Asks, trains and tells until there is a reason to stop; s->run.result says which. */
static besd_status train(command_session *s) {
    run_session *run = &s->run;
    besd_run_options options = besd_run_options_default();
    besd_command command = command_of(s);
    besd_trainer trainer = {0};
    bool remote = ranks_count() > 1;
    options.worker = RUN_WORKER;
    options.retries = study_yaml_retries(s->yaml);
    options.most_alike = BESD_RUN_MOST_ALIKE;
    if (!run->request->quiet)
        note_arithmetic(run->study);
    if (s->is_unused && !run->request->quiet)
        note_initial_design(stderr, besd_study_get_options(run->study));
    besd_status status = remote ? ranks_trainer_open(&trainer, &command, &run->error)
                                : besd_command_trainer_open(&trainer, &command, &run->error);
    if (status == BESD_OK)
        status = session_run(run, &trainer, options);
    if (remote)
        ranks_trainer_close(&trainer);
    else
        besd_command_trainer_close(&trainer);
    return status;
}

/* A new study as description and command line have it. */
static besd_status begin(run_session *run) {
    command_session *s = (command_session *)run;
    s->is_unused = true;
    besd_status status = budget_check(&s->options, &run->error);
    if (status == BESD_OK && study_yaml_path(s->yaml)->points)
        status = path_check_sense(&s->options, study_yaml_path(s->yaml), &run->error);
    if (status == BESD_OK)
        status = besd_study_open(&run->study, run->path, &s->options, &run->error);
    if (status != BESD_OK)
        return status;
    act_in_name(run->study);
    status = study_yaml_declare(s->yaml, run->study, &run->error);
    return status == BESD_OK ? besd_study_set_note(run->study, "command",
                                                   study_yaml_command(s->yaml), &run->error)
                             : status;
}

/* A study that is there is not touched before everything about the run is right: only then it gets
 * the budget. */
static besd_status check_existing(command_session *s) {
    run_session *run = &s->run;
    besd_study_options as_it_was = s->options;
    as_it_was.budget = INFINITY; /* none is given */
    besd_status status = besd_study_open(&run->study, run->path, &as_it_was, &run->error);
    if (status == BESD_OK)
        run->budget_before = besd_study_get_options(run->study)->budget;
    if (status == BESD_OK)
        status = check_command(s);
    if (status == BESD_OK)
        status = budget_check_begun(run->study, s->options.budget, &run->error);
    if (status == BESD_OK)
        status = study_yaml_declare(s->yaml, run->study, &run->error);
    besd_study_close(run->study);
    run->study = NULL;
    return status;
}

static besd_status go_on(run_session *run) {
    command_session *s = (command_session *)run;
    besd_status status = check_existing(s);
    if (status == BESD_OK)
        status = besd_study_open(&run->study, run->path, &s->options, &run->error);
    if (status != BESD_OK)
        return status;
    act_in_name(run->study);
    return besd_study_set_note(run->study, "command", study_yaml_command(s->yaml), &run->error);
}

/* A study that was named by its file is gone on with as it is: what the description says besides
 * the trainer may have been changed on the command line when it was begun. */
static besd_status go_on_as_it_was(run_session *run) {
    command_session *s = (command_session *)run;
    besd_study *as_it_was = NULL;
    besd_status status = besd_study_open(&as_it_was, run->path, NULL, &run->error);
    if (status != BESD_OK)
        return status;
    run->study = as_it_was;
    run->budget_before = besd_study_get_options(as_it_was)->budget;
    s->options = *besd_study_get_options(as_it_was);
    int code = run_choices_apply(run->verb, &run->request->choices, &s->options);
    double budget = s->options.budget;
    if (!run_choices_given(&run->request->choices, STUDY_OPTION_budget))
        s->options.budget = INFINITY; /* none is given */
    status = code ? BESD_INVALID : check_command(s);
    if (status == BESD_OK)
        status = budget_check_begun(as_it_was, budget, &run->error);
    if (status == BESD_OK) /* the options borrow from the handle of before */
        status = besd_study_open(&run->study, run->path, &s->options, &run->error);
    if (run->study != as_it_was)
        besd_study_close(as_it_was);
    if (status == BESD_OK)
        act_in_name(run->study);
    return status;
}

static int open_study_as_it_was(command_session *s) {
    run_session *run = &s->run;
    if (!study_yaml_command(s->yaml))
        besd_error_set(&run->error, BESD_INVALID, "%s: it has no command: to train with",
                       run->request->description);
    else if (session_name(run, "", "", 0) == BESD_OK &&
             session_open(run, go_on_as_it_was, go_on_as_it_was) == BESD_OK)
        return 0;
    return refuse(run->verb, &run->error);
}

/* Opens the study as description and command line have it, new or begun before. */
static int open_study(command_session *s) {
    run_session *run = &s->run;
    const run_request *r = run->request;
    char name[STUDY_PLACE_SIZE];
    if (study_yaml_load(r->description, &s->yaml, &run->error) != BESD_OK)
        return refuse(run->verb, &run->error);
    if (strcmp(r->description, r->name) != 0)
        return open_study_as_it_was(s);
    s->options = *study_yaml_options(s->yaml);
    int code = run_choices_apply(run->verb, &r->choices, &s->options);
    if (code)
        return code;
    besd_status status = BESD_OK;
    if (!study_yaml_command(s->yaml))
        status = besd_fail(&run->error, BESD_INVALID,
                           "%s: it has no command: to train with; add one, or go step by step with "
                           "besd create, ask and tell",
                           r->name);
    else if (isinf(s->options.budget))
        status = besd_fail(&run->error, BESD_INVALID,
                           "%s: it has no budget:, so it would never end; add one, or say --budget",
                           r->name);
    if (status == BESD_OK)
        status = session_name(run, r->name, study_place_stem(r->name, name), s->options.seed);
    if (status == BESD_OK)
        status = session_open(run, begin, go_on);
    return status == BESD_OK ? 0 : refuse(run->verb, &run->error);
}

static size_t places_of(const run_request *r) {
    return (size_t)given_integer_or(r->jobs, 1);
}

int run_command_job(const command_job *job, command_job_result *result) {
    command_session s = {.run = {.verb = job->verb,
                                 .request = job->request,
                                 .unit = "score",
                                 .places = places_of(job->request)},
                         .yaml = job->yaml,
                         .options = *job->options,
                         .waiting_mask = *job->mask};
    run_session *run = &s.run;
    snprintf(run->path, sizeof run->path, "%s", job->path);
    besd_status status = session_open(run, begin, go_on);
    if (status == BESD_OK)
        status = train(&s);
    int code = status == BESD_OK ? 0 : refuse(job->verb, &run->error);
    bool over = run->result.end == BESD_RUN_DONE || run->result.end == BESD_RUN_ENOUGH;
    if (!code && !over)
        code = run->result.end == BESD_RUN_INTERRUPTED ? EXIT_REFUSED : finish(&s);
    if (!code)
        status = besd_study_recommend(run->study, &result->recommendation, &run->error);
    if (!code && status == BESD_OK && test_seeds(&s))
        status = test(&s, &result->recommendation);
    if (!code && status != BESD_OK && status != BESD_DONE)
        refuse(job->verb, &run->error);
    result->test = s.test;
    besd_study_close(run->study);
    return code ? code : status == BESD_OK ? 0 : EXIT_REFUSED;
}

static int run_as_owner(const verb *v, const run_request *r) {
    command_session s = {.run = {.verb = v, .request = r, .unit = "score", .places = places_of(r)}};
    int code = open_study(&s);
    interrupt_hold(&s.waiting_mask);
    if (!code)
        code = train(&s) == BESD_OK ? finish(&s) : refuse(v, &s.run.error);
    else if (ranks_count() > 1)
        ranks_trainer_close(&(besd_trainer){0}); /* sends the others home */
    besd_study_close(s.run.study);
    study_yaml_free(s.yaml);
    return code;
}

/* Another rank: it trains what rank 0 asks it to. */
static int run_as_worker(const verb *v, const run_request *r) {
    command_session s = {.run.progress.silent = true};
    const besd_command listening = {.hear = hear, .listener = &s};
    besd_error error;
    ranks_hide();
    interrupt_hold(&s.waiting_mask);
    besd_status status = ranks_serve(&listening, places_of(r), &s.waiting_mask, &error);
    return status == BESD_OK ? 0 : refuse(v, &error);
}

int run_command(const verb *v, const run_request *r) {
    besd_error error;
    bool launched = ranks_launched();
    if (launched && ranks_begin(&error) != BESD_OK)
        return refuse(v, &error);
    int code = ranks_number() ? run_as_worker(v, r) : run_as_owner(v, r);
    if (launched)
        ranks_end();
    return code;
}
