/* besd run STUDY.yaml: asks, lets the study's own command train, tells, until the budget is spent;
 * on this machine, or under mpirun on those of the other ranks, while rank 0 has the file. Opening
 * the study, and what is said at the end; the trials are in run_optimise.c. */
#include "bridge/ranks.h"
#include "bridge/recommendation_json.h"
#include "bridge/workers.h"
#include "cli/interrupt.h"
#include "cli/run_study_state.h"
#include "cli/study_place.h"
#include "core/error.h"
#include "core/print.h"
#include "core/text.h"
#include "study/turn_lock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The command line that continues this run; budget 0: the same. */
static void print_how_to_go_on(const study_run *s, FILE *out, double budget) {
    const run_study_request *r = s->request;
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
    fputc('\n', out);
}

static void hear(void *listener, int64_t trial, const char *line) {
    const study_run *s = listener;
    progress_clear(&s->progress);
    print_clean(stderr, "[trial %lld] %s\n", (long long)trial, line);
}

static besd_status count_trials(study_run *s, besd_trial_state state, int64_t *number) {
    int64_t count;
    besd_status status = besd_study_trial_count(s->study, &count, &s->error);
    *number = 0;
    for (int64_t id = 1; status == BESD_OK && id <= count; id++) {
        besd_trial t;
        status = besd_study_trial(s->study, id, &t, &s->error);
        *number += status == BESD_OK && t.state == state;
    }
    return status;
}

/* A study belongs to the command that its scores are of; one that has told nothing yet takes a
 * mended command. Changes nothing. */
static besd_status check_command(study_run *s) {
    const char *is = study_yaml_command(s->yaml);
    char was[STUDY_YAML_LONGEST_COMMAND + 1];
    int64_t trials, told;
    besd_status status = besd_study_get_note(s->study, "command", was, sizeof was, &s->error);
    if (status == BESD_OK)
        status = besd_study_trial_count(s->study, &trials, &s->error);
    if (status == BESD_OK)
        status = count_trials(s, BESD_TRIAL_TOLD, &told);
    if (status != BESD_OK)
        return status;
    s->is_new = !trials;
    if (!was[0] && trials)
        return besd_fail(&s->error, BESD_INVALID,
                         "study: the trials in %s were not begun by a command; go on with ask and "
                         "tell, or choose another --study",
                         s->path);
    if (!was[0] || !told || !strcmp(is, was))
        return BESD_OK;
    besd_error_set(&s->error, BESD_INVALID,
                   "command: the study in %s was begun with '%.150s', got '%.150s'; choose "
                   "another --study for it",
                   s->path, was, is);
    text_clean(s->error.message);
    return BESD_INVALID;
}

static int print_result_json(study_run *s, const besd_recommendation *r, int64_t failed,
                             const char *reason) {
    const besd_study_options *o = besd_study_get_options(s->study);
    json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:I}", "command", study_yaml_command(s->yaml),
                             "study", s->path, "method", besd_method_name(o->method), "model",
                             besd_model_name(o->model), "seed", (json_int_t)o->seed);
    json_t *described = recommendation_json(s->study, r, &s->error);
    if (!described) {
        json_decref(json);
        return refuse(s->verb, &s->error);
    }
    json = json_joined(json, described);
    json_t *end = json_pack("{s:I, s:s}", "failed", (json_int_t)failed, "stopped", reason);
    return print_json(s->verb, json_joined(json, end));
}

static int print_result(study_run *s, const besd_recommendation *r, int64_t failed,
                        const char *reason) {
    const besd_study_options *o = besd_study_get_options(s->study);
    print_clean(stdout, "%s, seed %llu: %s\n", s->request->yaml, (unsigned long long)o->seed,
                reason);
    print_clean(stdout, "recommendation after %lld trials", (long long)r->trials);
    if (failed)
        print_clean(stdout, " (and %lld that failed)", (long long)failed);
    print_clean(stdout, " at cost %.12g:\n  ", r->cost);
    print_theta(s->study, r->theta);
    putchar('\n');
    print_promise(s->study, r, "score");
    if (print_points(s->study, r, "score", &s->error) != BESD_OK ||
        print_flat_note(s->study, &s->error) != BESD_OK ||
        print_best_trial(s->study, &s->error) != BESD_OK)
        return refuse(s->verb, &s->error);
    print_bounds_note(s->study, r->theta);
    print_clean(stdout, "\nthe study is in %s; go on with a larger budget:\n", s->path);
    print_how_to_go_on(s, stdout, 2 * fmax(o->budget, r->cost));
    return finish_output(s->verb);
}

static int conclude(study_run *s, const char *reason) {
    besd_recommendation r;
    int64_t failed;
    if (count_trials(s, BESD_TRIAL_FAILED, &failed) != BESD_OK ||
        besd_study_recommend(s->study, &r, &s->error) != BESD_OK)
        return refuse(s->verb, &s->error);
    return s->request->as_json ? print_result_json(s, &r, failed, reason)
                               : print_result(s, &r, failed, reason);
}

static int give_up(study_run *s) {
    const char *rest = s->told      ? "; the same command goes on from here"
                       : !s->is_new ? ""
                                    : "; the study holds nothing yet, remove it to begin afresh";
    besd_error_set(&s->error, BESD_ENVIRONMENT,
                   "%lld trials %s, so it stops here; 'besd check %.100s' helps to mend the "
                   "command%s",
                   (long long)(s->told ? s->failed_in_a_row : s->failed),
                   s->told ? "in a row failed" : "failed and none succeeded", s->request->yaml,
                   rest);
    return refuse(s->verb, &s->error);
}

static int stop_endless(study_run *s) {
    besd_error_set(&s->error, BESD_ENVIRONMENT,
                   "%d trials in a row cost 0, so the budget would never be spent and it stops "
                   "here; let the command answer what a trial costs, or leave its cost: out",
                   RUN_MOST_FREE);
    return refuse(s->verb, &s->error);
}

/* After the last word of the trainers: is the study still there to be talked about? */
static int stop_early(study_run *s) {
    int64_t trials;
    if (besd_study_trial_count(s->study, &trials, &s->error) != BESD_OK)
        return refuse(s->verb, &s->error);
    if (interrupt_has_come()) {
        fputs("besd run: interrupted; every told trial is kept. Go on with:\n", stderr);
        print_how_to_go_on(s, stderr, 0);
        return EXIT_REFUSED;
    }
    return run_is_hopeless(s) ? give_up(s) : stop_endless(s);
}

static int execute(study_run *s) {
    if (!s->request->quiet)
        note_arithmetic(s->study);
    if (s->is_new && !s->request->quiet)
        note_initial_design(stderr, besd_study_get_options(s->study));
    besd_status status =
        workers_open(&s->command, (size_t)s->request->jobs, &s->workers, &s->error);
    if (status == BESD_OK) {
        interrupt_hold(&s->waiting_mask);
        status = run_optimise(s);
    }
    if (status == BESD_OK)
        return stop_early(s);
    if (status != BESD_DONE)
        return refuse(s->verb, &s->error);
    char reason[BESD_ERROR_MESSAGE_SIZE];
    snprintf(reason, sizeof reason, "%s", s->error.message);
    return conclude(s, reason);
}

/* As it was said, or beside the description. */
static besd_status name_study(study_run *s, uint64_t seed) {
    const char *given = s->request->study;
    bool is_old = false;
    if (given) {
        snprintf(s->path, sizeof s->path, "%s", given); /* which run.c has measured */
        return BESD_OK;
    }
    besd_status status = study_place_of_yaml(s->request->yaml, seed, s->path, &is_old, &s->error);
    if (status == BESD_OK && is_old)
        note_old_place(s->path);
    return status;
}

/* A study that is there is not touched before everything about the run is right: only then it gets
 * the budget. */
static besd_status check_existing(study_run *s, const besd_study_options *o) {
    besd_study_options as_it_was = *o;
    as_it_was.budget = INFINITY; /* none is given */
    besd_status status = besd_study_open(&s->study, s->path, &as_it_was, &s->error);
    if (status == BESD_OK)
        s->budget_before = besd_study_get_options(s->study)->budget;
    if (status == BESD_OK)
        status = check_command(s);
    if (status == BESD_OK)
        status = check_begun(s->study, o->budget, &s->error);
    if (status == BESD_OK)
        status = study_yaml_declare(s->yaml, s->study, &s->error);
    besd_study_close(s->study);
    s->study = NULL;
    return status;
}

/* Several may begin the same study at once: one makes it, and the others join in. */
static besd_status open_in_turn(study_run *s, const besd_study_options *o) {
    turn_lock own;
    turn_lock_take(&own, s->path);
    s->is_new = access(s->path, F_OK) != 0;
    besd_status status = s->is_new ? check_first_trial(o, &s->error) : check_existing(s, o);
    if (status == BESD_OK)
        status = besd_study_open(&s->study, s->path, o, &s->error);
    if (status == BESD_OK)
        act_in_name(s->study);
    if (status == BESD_OK && !s->is_new)
        note_budget(s->study, s->budget_before, s->request->quiet);
    if (status == BESD_OK && s->is_new)
        status = study_yaml_declare(s->yaml, s->study, &s->error);
    if (status == BESD_OK)
        status = besd_study_set_note(s->study, "command", study_yaml_command(s->yaml), &s->error);
    if (status == BESD_OK)
        status = claims_open(&s->claims, s->path, &s->error);
    turn_lock_leave(&own);
    return status;
}

/* Opens the study as description and command line have it, new or begun before. */
static int open_study(study_run *s) {
    const run_study_request *r = s->request;
    if (study_yaml_load(r->yaml, &s->yaml, &s->error) != BESD_OK)
        return refuse(s->verb, &s->error);
    besd_study_options o = *study_yaml_options(s->yaml);
    int code = run_choices_apply(s->verb, &r->choices, &o);
    if (code)
        return code;
    besd_status status = BESD_OK;
    if (!study_yaml_command(s->yaml))
        status = besd_fail(&s->error, BESD_INVALID,
                           "%s: it has no command: to train with; add one, or go step by step with "
                           "besd create, ask and tell",
                           r->yaml);
    else if (isinf(o.budget))
        status = besd_fail(&s->error, BESD_INVALID,
                           "%s: it has no budget:, so it would never end; add one, or say --budget",
                           r->yaml);
    if (status == BESD_OK)
        status = name_study(s, o.seed);
    if (status == BESD_OK)
        status = open_in_turn(s, &o);
    return status == BESD_OK ? 0 : refuse(s->verb, &s->error);
}

static int run_as_owner(const verb *v, const run_study_request *request) {
    study_run *s = calloc(1, sizeof *s);
    if (!s)
        return refuse_memory(v);
    s->verb = v;
    s->request = request;
    s->claims.descriptor = -1;
    int code = open_study(s);
    if (!code) {
        s->command = (trainer_command){.text = study_yaml_command(s->yaml),
                                       .folder = study_yaml_folder(s->yaml),
                                       .timeout = study_yaml_timeout(s->yaml),
                                       .hear = hear,
                                       .listener = s};
        code = execute(s);
    }
    workers_close(s->workers);
    claims_close(&s->claims);
    besd_study_close(s->study);
    study_yaml_free(s->yaml);
    free(s->held);
    free(s);
    return code;
}

/* Another rank: it trains what rank 0 asks it to. */
static int run_as_worker(const verb *v, const run_study_request *request) {
    static const progress none = {.silent = true};
    study_run s = {.progress = none};
    const trainer_command listening = {.hear = hear, .listener = &s};
    sigset_t mask;
    besd_error error;
    ranks_hide();
    interrupt_hold(&mask);
    besd_status status = workers_serve(&listening, (size_t)request->jobs, &mask, &error);
    return status == BESD_OK ? 0 : refuse(v, &error);
}

int run_study(const verb *v, const run_study_request *request) {
    besd_error error;
    bool launched = ranks_launched();
    if (launched && ranks_begin(&error) != BESD_OK)
        return refuse(v, &error);
    int code = ranks_number() ? run_as_worker(v, request) : run_as_owner(v, request);
    if (launched)
        ranks_end();
    return code;
}
