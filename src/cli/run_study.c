/* besd run STUDY.yaml: asks, lets the study's own command train, tells, until the budget is spent.
 *
 * One thread: up to `jobs` commands run, poll wakes us, and whenever one is over its scores are
 * told and the next trial is asked, with the others pending. A trial is told or failed only when
 * its command is over; one whose run was killed stays asked, and is the first to be run next time,
 * with the same seeds. */
#include "bridge/recommendation_json.h"
#include "cli/run.h"

#include "bridge/trainer.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/study_yaml.h"
#include "core/error.h"
#include "core/print.h"
#include "core/text.h"
#include "study/spec.h"
#include "study/turn_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { HOPELESS = 3 };    /* failures in a row, besides one per job, that end a run */
enum { MOST_FREE = 100 }; /* trials in a row that cost nothing: the budget would never be spent */

typedef struct study_run {
    const verb *verb;
    const run_study_request *request;
    study_yaml *yaml;
    besd_study *study;
    char path[RUN_MOST_PATH];
    int lock; /* descriptor of the study's file, -1: none */
    trainer_command command;
    progress progress;
    sigset_t waiting_mask;
    size_t jobs, running;
    bool exhausted; /* nothing is left to ask */
    trainer *trainers[TRAINER_MOST];
    int runs[TRAINER_MOST];                /* of the same trial, this one included */
    int64_t left_over, newest;             /* ids between which trials of a killed run may lie */
    int64_t told, failed, failed_in_a_row; /* in this run */
    int64_t free_in_a_row;
    trainer_answer answer;
    besd_error error;
    char last_failure[BESD_ERROR_MESSAGE_SIZE];
} study_run;

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

/* A study belongs to the command that its scores are of. */
static besd_status check_command(study_run *s) {
    const char *is = study_yaml_command(s->yaml);
    char was[STUDY_YAML_LONGEST_COMMAND + 1];
    int64_t trials;
    besd_status status = besd_study_get_note(s->study, "command", was, sizeof was, &s->error);
    if (status == BESD_OK)
        status = besd_study_trial_count(s->study, &trials, &s->error);
    if (status != BESD_OK)
        return status;
    if (!was[0] && trials)
        return besd_fail(&s->error, BESD_INVALID,
                         "study: the trials in %s were not begun by a command; go on with ask and "
                         "tell, or choose another --study",
                         s->path);
    if (!was[0])
        return besd_study_set_note(s->study, "command", is, &s->error);
    int64_t told;
    status = count_trials(s, BESD_TRIAL_TOLD, &told);
    if (status == BESD_OK && strcmp(is, was) != 0 && !told) /* a mended one: nothing is mixed up */
        status = besd_study_set_note(s->study, "command", is, &s->error);
    else if (status == BESD_OK && strcmp(is, was) != 0) {
        besd_error_set(&s->error, BESD_INVALID,
                       "command: the study in %s was begun with '%.150s', got '%.150s'; choose "
                       "another --study for it",
                       s->path, was, is);
        text_clean(s->error.message);
        return BESD_INVALID;
    }
    s->newest = trials;
    return status;
}

/* Two runs of one study would train the same left-over trials. The lock goes when we do. */
static besd_status lock_study(study_run *s) {
    s->lock = open(s->path, O_RDONLY | O_CLOEXEC);
    if (s->lock >= 0 && flock(s->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return besd_fail(&s->error, BESD_IO, "study: another 'besd run' is at work on %s", s->path);
    return BESD_OK;
}

/* The next trial: one that a killed run has left, or a new one; BESD_DONE when there is none. */
static besd_status next_trial(study_run *s, besd_trial *t) {
    while (s->left_over < s->newest) {
        besd_status status = besd_study_trial(s->study, ++s->left_over, t, &s->error);
        if (status != BESD_OK || t->state == BESD_TRIAL_ASKED)
            return status;
    }
    return besd_study_ask(s->study, t, &s->error);
}

static besd_status start(study_run *s, const besd_trial *t, int runs) {
    answer_route route;
    bool is_path = answer_route_of(s->study, t->theta, &route);
    besd_status status =
        trainer_start(&s->command, besd_study_get_options(s->study), is_path ? &route : NULL, t,
                      &s->trainers[s->running], &s->error);
    if (status == BESD_OK)
        s->runs[s->running++] = runs;
    return status;
}

static bool is_hopeless(const study_run *s) {
    return (size_t)s->failed_in_a_row >= HOPELESS + s->jobs;
}

static bool is_endless(const study_run *s) {
    return s->free_in_a_row >= MOST_FREE;
}

/* Starts trials until all jobs are taken or nothing is left to ask; why is in s->error then. */
static besd_status fill_jobs(study_run *s) {
    while (s->running < s->jobs && !s->exhausted && !is_hopeless(s) && !is_endless(s)) {
        besd_trial t;
        besd_status status = next_trial(s, &t);
        s->exhausted = status == BESD_DONE;
        if (status == BESD_OK)
            status = start(s, &t, 1);
        if (status != BESD_OK && !s->exhausted)
            return status;
    }
    return BESD_OK;
}

static void report_progress(study_run *s, int64_t trial) {
    double budget = besd_study_get_options(s->study)->budget, spent;
    besd_recommendation r;
    besd_error ignored;
    char text[160];
    if (besd_study_spent(s->study, &spent, &ignored) != BESD_OK ||
        !progress_due(&s->progress, spent, budget))
        return;
    int length = snprintf(text, sizeof text, "trial %lld, cost %.12g of %.12g", (long long)trial,
                          spent, budget);
    if (besd_study_recommend(s->study, &r, &ignored) == BESD_OK)
        describe_progress(&r, "score", text + length, sizeof text - (size_t)length);
    progress_show(&s->progress, spent, budget, text);
}

/* The trial's command has failed, the reason is in s->error: once more, or on record. */
static besd_status handle_failure(study_run *s, const besd_trial *t, int runs) {
    int most = 1 + study_yaml_retries(s->yaml);
    snprintf(s->last_failure, sizeof s->last_failure, "%s", s->error.message);
    progress_clear(&s->progress);
    print_clean(stderr, "besd run: trial %lld failed%s: %s\n", (long long)t->id,
                runs < most ? ", once more" : "", s->last_failure);
    if (runs < most)
        return start(s, t, runs + 1);
    s->failed++;
    s->failed_in_a_row++;
    return besd_study_fail(s->study, t->id, s->answer.cost, s->last_failure, &s->error);
}

static besd_status handle_answer(study_run *s, const besd_trial *t, int runs) {
    const trainer_answer *a = &s->answer;
    besd_status status = besd_study_tell_legs(s->study, t->id, a->scores, a->legs, (size_t)t->reps,
                                              a->cost, &s->error);
    if (status == BESD_INVALID) /* scores that are numbers, but too large to compute with */
        return handle_failure(s, t, runs);
    if (status == BESD_OK && a->note[0])
        status = besd_study_set_trial_note(s->study, t->id, a->note, &s->error);
    s->told += status == BESD_OK;
    s->failed_in_a_row = 0;
    return status;
}

/* Takes the answers of the commands that are over. */
static besd_status collect(study_run *s) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < s->running;) {
        trainer *over = s->trainers[i];
        if (!trainer_is_over(over)) {
            i++;
            continue;
        }
        besd_trial t = *trainer_trial(over);
        int runs = s->runs[i];
        s->running--;
        s->trainers[i] = s->trainers[s->running];
        s->runs[i] = s->runs[s->running];
        s->exhausted = false; /* it may have cost less than planned */
        status = trainer_finish(over, &s->answer, &s->error);
        s->free_in_a_row = s->answer.cost == 0 ? s->free_in_a_row + 1 : 0;
        if (status == BESD_OK)
            status = handle_answer(s, &t, runs);
        else if (status == BESD_ENVIRONMENT)
            status = handle_failure(s, &t, runs);
        answer_free(&s->answer);
        if (status == BESD_OK)
            report_progress(s, t.id);
    }
    return status;
}

/* BESD_DONE with the reason in s->error when the study is done; BESD_OK when it was interrupted, is
 * hopeless or endless. */
static besd_status optimise(study_run *s) {
    double spent;
    besd_status status = besd_study_spent(s->study, &spent, &s->error);
    progress_begin(&s->progress, s->request->quiet, spent);
    while (status == BESD_OK && !interrupt_has_come()) {
        status = fill_jobs(s);
        if (status == BESD_OK && !s->running) {
            status = s->exhausted ? BESD_DONE : BESD_OK;
            break;
        }
        if (status == BESD_OK)
            status = trainer_wait(s->trainers, s->running, &s->waiting_mask, &s->error);
        if (status == BESD_OK)
            status = collect(s);
        else if (status == BESD_DONE)
            status = BESD_OK; /* a signal */
    }
    progress_end(&s->progress);
    while (s->running)
        trainer_stop(s->trainers[--s->running]);
    return status;
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
    print_how_to_go_on(s, stdout, 2 * o->budget);
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
    const char *rest = s->told     ? "; the same command goes on from here"
                       : s->newest ? ""
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
                   MOST_FREE);
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
    return is_hopeless(s) ? give_up(s) : stop_endless(s);
}

static int execute(study_run *s) {
    if (!s->request->quiet)
        note_arithmetic(s->study);
    if (!s->newest && !s->request->quiet)
        note_initial_design(stderr, besd_study_get_options(s->study));
    interrupt_hold(&s->waiting_mask);
    besd_status status = optimise(s);
    if (status == BESD_OK)
        return stop_early(s);
    if (status != BESD_DONE)
        return refuse(s->verb, &s->error);
    char reason[BESD_ERROR_MESSAGE_SIZE];
    snprintf(reason, sizeof reason, "%s", s->error.message);
    return conclude(s, reason);
}

/* The name of the description without folder and ending, and the seed. */
static besd_status name_study(study_run *s, uint64_t seed) {
    const char *given = s->request->study, *yaml = s->request->yaml, *slash = strrchr(yaml, '/');
    const char *name = slash ? slash + 1 : yaml, *dot = strrchr(name, '.');
    int length = given ? snprintf(s->path, sizeof s->path, "%s", given)
                       : snprintf(s->path, sizeof s->path, "%.*s-%llu.besd", (int)(dot - name),
                                  name, (unsigned long long)seed);
    if (length >= (int)sizeof s->path)
        return besd_fail(&s->error, BESD_INVALID, "study: its name is longer than %zu bytes",
                         sizeof s->path - 1);
    return BESD_OK;
}

/* Several may begin the same study at once: one makes it and is at work, the others say so. */
static besd_status open_in_turn(study_run *s, const besd_study_options *o) {
    turn_lock own;
    turn_lock_take(&own, s->path);
    besd_status status = BESD_OK;
    if (access(s->path, F_OK) != 0)
        status = check_first_trial(o, &s->error);
    if (status == BESD_OK)
        status = besd_study_open(&s->study, s->path, o, &s->error);
    if (status == BESD_OK)
        status = study_yaml_declare(s->yaml, s->study, &s->error);
    if (status == BESD_OK)
        status = check_begun(s->study, &s->error);
    if (status == BESD_OK)
        status = lock_study(s);
    if (status == BESD_OK)
        status = check_command(s);
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

int run_study(const verb *v, const run_study_request *request) {
    if (request->jobs < 0 || request->jobs > TRAINER_MOST)
        return usage_error(v, "--jobs takes 1 to %d", TRAINER_MOST);
    study_run *s = calloc(1, sizeof *s);
    if (!s)
        return refuse_memory(v);
    s->verb = v;
    s->request = request;
    s->jobs = request->jobs ? (size_t)request->jobs : 1;
    s->lock = -1;
    int code = open_study(s);
    if (!code) {
        s->command = (trainer_command){.text = study_yaml_command(s->yaml),
                                       .folder = study_yaml_folder(s->yaml),
                                       .timeout = study_yaml_timeout(s->yaml),
                                       .hear = hear,
                                       .listener = s};
        code = execute(s);
    }
    besd_study_close(s->study);
    if (s->lock >= 0) /* after the study: closing a file drops SQLite's locks on it */
        close(s->lock);
    study_yaml_free(s->yaml);
    free(s);
    return code;
}
