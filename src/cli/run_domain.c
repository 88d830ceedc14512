/* besd run DOMAIN: optimise the subgoals of a domain, recommend, show. */
#include "bridge/recommendation_json.h"
#include "bridge/reference.h"
#include "bridge/study_domain.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/run.h"
#include "core/error.h"
#include "core/print.h"
#include "core/stats.h"
#include "study/choose_initial.h"
#include "study/method.h"
#include "study/turn_lock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Advice is less than a third. */
static const double INITIAL_SHARE = 0.3;

typedef struct run_state {
    const verb *verb;
    const run_request *request;
    const domain *domain;
    bridge bridge;
    besd_study *study;
    bool is_new;
    char path[RUN_MOST_PATH];
    besd_error error;
} run_state;

/* The share of the budget that the initial design shall cost; a method without one gets the budget
 * that besd would. */
static besd_status default_budget(const besd_study_options *options, double *budget,
                                  besd_error *error) {
    besd_study_options o = *options;
    besd_study *probe = NULL;
    if (method_describe(o.method)->start == START_AT_ONCE)
        o.method = BESD_METHOD_BESD;
    o.budget = INFINITY;
    besd_status status = besd_study_open(&probe, NULL, &o, error);
    if (status == BESD_OK)
        *budget = initial_cost(besd_study_get_options(probe)) / INITIAL_SHARE;
    besd_study_close(probe);
    return status;
}

/* A study belongs to the domain it was begun with, overrides included. */
static besd_status check_domain(run_state *s) {
    char is[1024], was[1024];
    domain_identity(s->domain, is, sizeof is);
    if (s->bridge.options.instances == BESD_INSTANCES_FRESH)
        snprintf(is + strlen(is), sizeof is - strlen(is), "%s", STUDY_DOMAIN_FRESH);
    besd_status status = besd_study_get_note(s->study, "domain", was, sizeof was, &s->error);
    if (status != BESD_OK)
        return status;
    if (!was[0] && !s->is_new)
        return besd_fail(&s->error, BESD_INVALID,
                         "study: %s was not begun by 'besd run'; it belongs to ask and tell",
                         s->path);
    if (!was[0]) {
        status = besd_study_set_note(s->study, "domain", is, &s->error);
        return status == BESD_OK ? study_domain_keep_map(s->study, s->domain, &s->error) : status;
    }
    if (strcmp(is, was) != 0)
        return besd_fail(&s->error, BESD_INVALID, "domain: the study in %s is about '%s', got '%s'",
                         s->path, was, is);
    return BESD_OK;
}

static void report_progress(run_state *s, progress *p, double spent, int64_t trials) {
    double budget = besd_study_get_options(s->study)->budget;
    besd_recommendation r;
    besd_error ignored;
    char text[160];
    if (!progress_due(p, spent, budget))
        return;
    int length = snprintf(text, sizeof text, "trial %lld, cost %.12g of %.12g", (long long)trials,
                          spent, budget);
    if (besd_study_recommend(s->study, &r, &ignored) == BESD_OK)
        describe_progress(&r, objective_name(s->domain->objective), text + length,
                          sizeof text - (size_t)length);
    progress_show(p, spent, budget, text);
}

/* Asks, trains and tells until the study is done; BESD_DONE with the reason in s->error. */
static besd_status optimise(run_state *s) {
    progress p;
    double spent;
    double *scores = malloc(BESD_MAX_REPS * sizeof *scores);
    besd_status status = scores ? besd_study_spent(s->study, &spent, &s->error)
                                : besd_fail_memory(&s->error, "the scores");
    if (status != BESD_OK) {
        free(scores);
        return status;
    }
    progress_begin(&p, s->request->quiet, spent);
    while (status == BESD_OK && !interrupt_has_come()) {
        besd_trial t;
        status = besd_study_ask(s->study, &t, &s->error);
        if (status != BESD_OK)
            break;
        status = bridge_train_and_tell(&s->bridge, s->study, &t, scores, &s->error);
        spent += t.cost;
        if (status == BESD_OK)
            report_progress(s, &p, spent, t.id);
    }
    progress_end(&p);
    free(scores);
    return status;
}

/* A run that was killed leaves trials that were asked and never told; they are trained now. */
static besd_status finish_pending(run_state *s) {
    int64_t count;
    double *scores = malloc(BESD_MAX_REPS * sizeof *scores);
    besd_status status = scores ? besd_study_trial_count(s->study, &count, &s->error)
                                : besd_fail_memory(&s->error, "the scores");
    for (int64_t id = 1; status == BESD_OK && !interrupt_has_come() && id <= count; id++) {
        besd_trial t;
        status = besd_study_trial(s->study, id, &t, &s->error);
        if (status != BESD_OK || t.state != BESD_TRIAL_ASKED)
            continue;
        status = bridge_train_and_tell(&s->bridge, s->study, &t, scores, &s->error);
    }
    free(scores);
    return status;
}

typedef struct test_summary {
    sample_summary with, without, gain; /* gain: of the differences, instance by instance */
} test_summary;

/* How much better the subgoals do, instance by instance. */
static besd_status summarise_gain(const trial_result *with, const trial_result *without,
                                  domain_objective objective, sample_summary *gain,
                                  besd_error *error) {
    double sign = objective == OBJECTIVE_STEPS ? -1 : 1;
    double *gains = malloc(with->agents * sizeof *gains);
    if (!gains)
        return besd_fail_memory(error, "the test");
    for (size_t i = 0; i < with->agents; i++)
        gains[i] = sign * (with->final[i] - without->final[i]);
    *gain = stats_summarise(gains, with->agents);
    free(gains);
    return BESD_OK;
}

static besd_status test_recommendation(run_state *s, const double *theta, test_summary *t) {
    /* instances that no trial can have seen */
    uint64_t seed = rng_seed(besd_study_get_options(s->study)->seed, RNG_TEST, 0, 0, 0) >> 1;
    trial_result with, without;
    besd_status status =
        bridge_test(&s->bridge, theta, s->request->test_instances, seed, &with, &s->error);
    if (status != BESD_OK)
        return status;
    status = bridge_test(&s->bridge, NULL, s->request->test_instances, seed, &without, &s->error);
    if (status == BESD_OK) {
        t->with = stats_summarise(with.final, with.agents);
        t->without = stats_summarise(without.final, without.agents);
        status = summarise_gain(&with, &without, s->domain->objective, &t->gain, &s->error);
        trial_result_free(&without);
    }
    trial_result_free(&with);
    return status;
}

static int print_result_json(run_state *s, const besd_recommendation *r, const test_summary *t,
                             const char *reason) {
    const besd_study_options *o = besd_study_get_options(s->study);
    json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:I}", "domain", s->domain->name, "study",
                             s->path, "method", besd_method_name(o->method), "model",
                             besd_model_name(o->model), "seed", (json_int_t)o->seed);
    json_t *described = recommendation_json(s->study, r, &s->error);
    if (!described) {
        json_decref(json);
        return refuse(s->verb, &s->error);
    }
    json = json_joined(json, described);
    json_t *end =
        json_pack("{s:s, s:{s:I, s:f, s:f, s:f, s:f}}", "stopped", reason, "test", "instances",
                  (json_int_t)s->request->test_instances, "mean", t->with.mean, "se", t->with.se,
                  "no_subgoals_mean", t->without.mean, "no_subgoals_se", t->without.se);
    return print_json(s->verb, json_joined(json, end));
}

/* The command that goes on with this study: what a study belongs to must be said again. */
static void print_how_to_go_on(const run_state *s, FILE *out) {
    const run_request *r = s->request;
    print_program(out);
    fputs(" run", out);
    print_shell_word(out, r->name);
    if (r->path != r->name) {
        fputs(" --study", out);
        print_shell_word(out, s->path);
    }
    if (r->chosen.map) {
        fputs(" --map", out);
        print_shell_word(out, r->chosen.map);
    }
    for (size_t i = 0; i < r->chosen.set.count; i++) {
        fputs(" --set", out);
        print_shell_word(out, r->chosen.set.items[i]);
    }
}

/* What the test says of the subgoals when it does not speak for them. */
static void print_doubt(const test_summary *t) {
    if (t->gain.mean <= 0)
        puts("  so these subgoals do not help: more budget, more subgoals or a longer training "
             "might");
    else if (t->gain.mean < 2 * t->gain.se)
        puts("  which does not show that these subgoals help; --test N tests on more instances");
}

static int print_result(run_state *s, const besd_recommendation *r, const test_summary *t,
                        const char *reason) {
    const besd_study_options *o = besd_study_get_options(s->study);
    const char *unit = objective_name(s->domain->objective);
    print_clean(stdout, "%s, seed %llu%s%s: %s\n", s->domain->name, (unsigned long long)o->seed,
                o->method == BESD_METHOD_BESD ? "" : ", method ",
                o->method == BESD_METHOD_BESD ? "" : besd_method_name(o->method), reason);
    print_clean(stdout, "recommendation after %lld trials at cost %.12g:", (long long)r->trials,
                r->cost);
    for (size_t i = 0; i < o->dimension; i++)
        print_clean(stdout, " %s=%.2f", o->names[i], r->theta[i]);
    putchar('\n');
    print_promise(s->study, r, unit);
    besd_error error;
    if (print_points(s->study, r, unit, &error) != BESD_OK ||
        print_flat_note(s->study, &error) != BESD_OK)
        return refuse(s->verb, &error);
    putchar('\n');
    int code = show_design(s->verb, s->domain, r->theta, o->dimension, 1);
    print_clean(stdout,
                "\ntested on %lld fresh instances, %lld interactions each (+- standard error):\n",
                (long long)s->request->test_instances, (long long)domain_tau_max(s->domain));
    print_clean(stdout, "  with these subgoals  %9.2f +- %.2f %s\n", t->with.mean, t->with.se,
                unit);
    print_clean(stdout, "  without subgoals     %9.2f +- %.2f %s\n", t->without.mean, t->without.se,
                unit);
    print_doubt(t);
    print_clean(stdout, "\nthe study is in %s; go on with a larger budget:\n", s->path);
    print_how_to_go_on(s, stdout);
    print_clean(stdout, " --budget %.12g\n", 2 * o->budget);
    return code ? code : finish_output(s->verb);
}

static int conclude(run_state *s, const char *reason) {
    besd_recommendation r;
    test_summary t;
    int64_t trials; /* after the test: is the file still there? */
    if (besd_study_recommend(s->study, &r, &s->error) != BESD_OK ||
        test_recommendation(s, r.theta, &t) != BESD_OK ||
        besd_study_trial_count(s->study, &trials, &s->error) != BESD_OK)
        return refuse(s->verb, &s->error);
    return s->request->as_json ? print_result_json(s, &r, &t, reason)
                               : print_result(s, &r, &t, reason);
}

static int execute(run_state *s) {
    interrupt_watch();
    char reason[BESD_ERROR_MESSAGE_SIZE];
    int64_t trials;
    besd_status status = finish_pending(s);
    if (status == BESD_OK)
        status = optimise(s);
    snprintf(reason, sizeof reason, "%s", s->error.message);
    if (interrupt_has_come() && status == BESD_OK)
        status = besd_study_trial_count(s->study, &trials, &s->error); /* is it still there? */
    if (interrupt_has_come() && status == BESD_OK) {
        fputs("besd run: interrupted; every told trial is kept. Go on with:\n", stderr);
        print_how_to_go_on(s, stderr);
        fputc('\n', stderr);
        return EXIT_REFUSED;
    }
    if (status != BESD_DONE)
        return refuse(s->verb, &s->error);
    return conclude(s, reason);
}

/* A new study as the command line has it. */
static besd_status begin_study(run_state *s) {
    const run_choices *c = &s->request->choices;
    besd_study_options *o = &s->bridge.options;
    besd_status status = BESD_OK;
    o->seed = s->request->said.seed; /* the default, unless given */
    run_choices_apply(s->verb, c, o);
    if (!run_choices_given(c, STUDY_OPTION_budget))
        status = default_budget(o, &o->budget, &s->error);
    if (status == BESD_OK)
        status = check_first_trial(o, &s->error);
    if (status == BESD_OK)
        status = reference_measure(&s->bridge, &s->error);
    return status == BESD_OK ? bridge_open(&s->bridge, s->path, &s->study, &s->error) : status;
}

/* One begun before: what the command line leaves out is as it was begun. */
static besd_status go_on(run_state *s) {
    besd_study *as_it_was = NULL;
    besd_status status = besd_study_open(&as_it_was, s->path, NULL, &s->error);
    if (status != BESD_OK)
        return status;
    char identity[1024] = "";
    status = besd_study_get_note(as_it_was, "domain", identity, sizeof identity, &s->error);
    if (!s->request->mode)
        s->bridge.options.instances =
            study_domain_cut_fresh(identity) ? BESD_INSTANCES_FRESH : BESD_INSTANCES_SHARED;
    besd_study_options o = *besd_study_get_options(as_it_was);
    run_choices_apply(s->verb, &s->request->choices, &o);
    if (status == BESD_OK)
        status = besd_study_open(&s->study, s->path, &o, &s->error);
    besd_study_close(as_it_was);
    return status == BESD_OK ? check_begun(s->study, &s->error) : status;
}

/* Several may begin the same study at once: one makes it, and the others wait until it is whole
 * and go on with it. */
static besd_status open_in_turn(run_state *s) {
    turn_lock own;
    turn_lock_take(&own, s->path);
    s->is_new = access(s->path, F_OK) != 0;
    besd_status status = s->is_new ? begin_study(s) : go_on(s);
    if (status == BESD_OK)
        status = check_domain(s);
    turn_lock_leave(&own);
    return status;
}

int run_domain(const verb *v, const run_request *r, const domain *d) {
    run_state s = {.verb = v, .request = r, .domain = d};
    besd_status status = bridge_init(&s.bridge, d, &s.error);
    s.bridge.threads = (int)r->threads;
    if (r->mode)
        s.bridge.options.instances =
            strcmp(r->mode, "fresh") ? BESD_INSTANCES_SHARED : BESD_INSTANCES_FRESH;
    if (r->path)
        snprintf(s.path, sizeof s.path, "%s", r->path);
    else
        snprintf(s.path, sizeof s.path, "%s-%llu.besd", d->name, (unsigned long long)r->said.seed);
    if (status == BESD_OK)
        status = open_in_turn(&s);
    if (status == BESD_OK && !r->quiet && s.is_new)
        note_initial_design(stderr, besd_study_get_options(s.study));
    if (status == BESD_OK && !r->quiet)
        note_arithmetic(s.study);
    int code = status == BESD_OK ? execute(&s) : refuse(v, &s.error);
    besd_study_close(s.study);
    return code;
}
