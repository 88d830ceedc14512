/* besd run DOMAIN: optimise the subgoals of a domain, recommend, show. */
#include "bridge/claims.h"
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
#include "world/domain_yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct run_state {
    const verb *verb;
    const run_request *request;
    const domain *domain;
    bridge bridge;
    besd_study *study;
    claims claims;
    progress progress;
    bool is_new, said_waiting;
    int64_t settled; /* the trials up to this one need nobody any more */
    char path[RUN_MOST_PATH];
    besd_error error;
} run_state;

static bool has_fresh_instances(const run_state *s) {
    return s->bridge.options.instances == BESD_INSTANCES_FRESH;
}

static void report_progress(run_state *s, double spent, int64_t trials) {
    double budget = besd_study_get_options(s->study)->budget;
    besd_recommendation r;
    besd_error ignored;
    char text[160];
    if (!progress_due(&s->progress, spent, budget))
        return;
    int length = snprintf(text, sizeof text, "trial %lld, cost %.12g of %.12g", (long long)trials,
                          spent, budget);
    if (besd_study_recommend(s->study, &r, &ignored) == BESD_OK)
        describe_progress(&r, objective_name(s->domain->objective), text + length,
                          sizeof text - (size_t)length);
    progress_show(&s->progress, spent, budget, text);
}

/* Trains and tells; what somebody else has told of the trial meanwhile stays. */
static besd_status train_and_tell(run_state *s, const besd_trial *t, double *scores) {
    besd_status status = bridge_train_and_tell(&s->bridge, s->study, t, scores, &s->error);
    if (status != BESD_INVALID)
        return status;
    besd_error reason = s->error;
    bool is_out;
    status = run_is_out_of_hand(s->study, t->id, true, &s->progress, &is_out, &s->error);
    if (status != BESD_OK || is_out)
        return status;
    s->error = reason;
    return BESD_INVALID;
}

/* Trains a trial unless another run has had it, or has it (*elsewhere). */
static besd_status train(run_state *s, besd_trial *t, double *scores, bool *elsewhere) {
    *elsewhere = !claims_take(&s->claims, t->id);
    if (*elsewhere)
        return BESD_OK;
    besd_status status = besd_study_trial(s->study, t->id, t, &s->error);
    if (status == BESD_OK && t->state == BESD_TRIAL_ASKED)
        status = train_and_tell(s, t, scores);
    claims_leave(&s->claims, t->id);
    return status;
}

/* Asks, trains and tells until there is nothing left to ask for; BESD_DONE with the reason in
 * s->error. */
static besd_status optimise(run_state *s, double *scores) {
    besd_status status = BESD_OK;
    while (status == BESD_OK && !interrupt_has_come()) {
        besd_trial t;
        bool elsewhere;
        double spent;
        status = besd_study_ask(s->study, &t, &s->error);
        if (status != BESD_OK)
            break;
        status = train(s, &t, scores, &elsewhere);
        if (status == BESD_OK)
            status = besd_study_spent(s->study, &spent, &s->error);
        if (status == BESD_OK)
            report_progress(s, spent, t.id);
    }
    return status;
}

/* Trials that are asked and not told, of this run or others. */
typedef struct pending {
    int64_t trained, elsewhere; /* here and now; under way in other runs */
} pending;

/* A run that was killed leaves trials that were asked and never told; they are trained now. What
 * somebody has asked for by name is theirs. */
static besd_status finish_pending(run_state *s, double *scores, pending *p) {
    int64_t count;
    besd_status status = besd_study_trial_count(s->study, &count, &s->error);
    *p = (pending){0};
    for (int64_t id = s->settled + 1; status == BESD_OK && !interrupt_has_come() && id <= count;
         id++) {
        besd_trial t;
        bool ours = false, elsewhere = false;
        status = besd_study_trial(s->study, id, &t, &s->error);
        if (status == BESD_OK && run_is_settled(t.state))
            s->settled += id == s->settled + 1;
        else if (status == BESD_OK && t.state == BESD_TRIAL_ASKED)
            status = run_may_take(s->study, id, &ours, &s->error);
        if (status == BESD_OK && ours)
            status = train(s, &t, scores, &elsewhere);
        p->elsewhere += elsewhere;
        p->trained += ours && !elsewhere;
    }
    return status;
}

/* Looks after the trials of other runs, until one of theirs has ended or was left to us: what it
 * cost, less than was planned perhaps, can change what is left to ask for (*changed). */
static besd_status await_others(run_state *s, double *scores, bool *changed) {
    static const struct timespec a_while = {.tv_nsec = RUN_LOOK_AROUND_MS * 1000000L};
    pending now;
    besd_status status = finish_pending(s, scores, &now);
    int64_t first = now.elsewhere;
    *changed = now.trained > 0;
    if (status == BESD_OK && first && !s->said_waiting && !s->request->quiet)
        print_clean(stderr, "besd run: waits for the last trials of another run (%lld)\n",
                    (long long)first);
    s->said_waiting |= first > 0;
    while (status == BESD_OK && now.elsewhere && !*changed && !interrupt_has_come()) {
        nanosleep(&a_while, NULL);
        status = finish_pending(s, scores, &now);
        *changed = now.trained || now.elsewhere != first;
    }
    return status;
}

/* What is there, then what is new, at last what others have begun. BESD_DONE with the reason in
 * s->error; BESD_OK when it was interrupted. */
static besd_status run_all(run_state *s) {
    double *scores = malloc(BESD_MAX_REPS * sizeof *scores), spent = 0;
    pending left;
    besd_status status =
        scores ? finish_pending(s, scores, &left) : besd_fail_memory(&s->error, "the scores");
    if (status == BESD_OK)
        status = besd_study_spent(s->study, &spent, &s->error);
    progress_begin(&s->progress, s->request->quiet, 1, spent);
    while (status == BESD_OK && !interrupt_has_come()) {
        bool changed;
        status = optimise(s, scores);
        if (status != BESD_DONE)
            continue;
        besd_error why = s->error;
        progress_clear(&s->progress);
        status = await_others(s, scores, &changed);
        if (status == BESD_OK && !changed && !interrupt_has_come()) {
            s->error = why;
            status = BESD_DONE;
        }
    }
    progress_end(&s->progress);
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
    json_t *end = json_pack("{s:s}", "stopped", reason);
    if (s->request->test_instances)
        end = json_joined(end, json_pack("{s:{s:I, s:f, s:f, s:f, s:f}}", "test", "instances",
                                         (json_int_t)s->request->test_instances, "mean",
                                         t->with.mean, "se", t->with.se, "no_subgoals_mean",
                                         t->without.mean, "no_subgoals_se", t->without.se));
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

/* Does plain learning already achieve the best there is? */
static bool is_perfect(const run_state *s, const sample_summary *without) {
    double best = besd_study_get_options(s->study)->best_possible;
    return isfinite(best) && fabs(without->mean - best) <= 0.01 * fabs(best);
}

/* What the test says of the subgoals when it does not speak for them. */
static void print_doubt(const run_state *s, const test_summary *t) {
    if (t->gain.mean <= 0 && is_perfect(s, &t->without))
        puts("  so no subgoals are needed: learning without them achieves the best there is");
    else if (t->gain.mean <= 0)
        puts("  so these subgoals do not help: more budget, more subgoals or a longer training "
             "might");
    else if (t->gain.mean < 2 * t->gain.se)
        puts("  which does not show that these subgoals help; --test N tests on more instances");
}

static void print_test(const run_state *s, const test_summary *t, const char *unit) {
    print_clean(stdout,
                "\ntested on %lld fresh instances, %lld interactions each (+- standard error):\n",
                (long long)s->request->test_instances, (long long)domain_tau_max(s->domain));
    char text[80];
    print_clean(stdout, "  with these subgoals  %s %s%s\n",
                stats_print(t->with, 9, text, sizeof text), unit,
                has_price(s->study) ? ", their price not included" : "");
    print_clean(stdout, "  without subgoals     %s %s\n",
                stats_print(t->without, 9, text, sizeof text), unit);
    print_doubt(s, t);
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
    if (isinf(o->baseline))
        print_clean(stdout, "  note: not compared with no subgoals, which a study measures when it "
                            "begins, if that takes no more than a tenth of the budget\n");
    besd_error error;
    if (print_points(s->study, r, unit, &error) != BESD_OK ||
        print_flat_note(s->study, &error) != BESD_OK)
        return refuse(s->verb, &error);
    putchar('\n');
    int code = show_design(s->verb, s->domain, r->theta, o->dimension, 1);
    if (s->request->test_instances)
        print_test(s, t, unit);
    print_clean(stdout, "\nthe study is in %s; go on with a larger budget:\n", s->path);
    print_how_to_go_on(s, stdout);
    print_clean(stdout, " --budget %.12g\n", 2 * fmax(o->budget, r->cost));
    return code ? code : finish_output(s->verb);
}

static int conclude(run_state *s, const char *reason) {
    besd_recommendation r;
    test_summary t = {0};
    int64_t trials; /* after the test: is the file still there? */
    if (besd_study_recommend(s->study, &r, &s->error) != BESD_OK ||
        (s->request->test_instances && test_recommendation(s, r.theta, &t) != BESD_OK) ||
        besd_study_trial_count(s->study, &trials, &s->error) != BESD_OK)
        return refuse(s->verb, &s->error);
    return s->request->as_json ? print_result_json(s, &r, &t, reason)
                               : print_result(s, &r, &t, reason);
}

static int execute(run_state *s) {
    interrupt_watch();
    char reason[BESD_ERROR_MESSAGE_SIZE];
    int64_t trials;
    besd_status status = run_all(s);
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
        status = run_default_budget(o, &o->budget, &s->error);
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
        status = check_begun(as_it_was, o.budget, &s->error);
    if (!run_choices_given(&s->request->choices, STUDY_OPTION_budget))
        o.budget = INFINITY; /* none is given */
    if (status == BESD_OK)
        status = run_origin_check(as_it_was, s->path, s->domain, has_fresh_instances(s), &s->error);
    double before = besd_study_get_options(as_it_was)->budget;
    if (status == BESD_OK)
        status = besd_study_open(&s->study, s->path, &o, &s->error);
    if (status == BESD_OK)
        note_budget(s->study, before, s->request->quiet);
    besd_study_close(as_it_was);
    return status;
}

/* Several may begin the same study at once: one makes it, and the others wait until it is whole
 * and go on with it. */
static besd_status open_in_turn(run_state *s) {
    turn_lock own;
    turn_lock_take(&own, s->path);
    s->is_new = access(s->path, F_OK) != 0;
    besd_status status = s->is_new ? begin_study(s) : go_on(s);
    if (status == BESD_OK)
        act_in_name(s->study);
    if (status == BESD_OK && s->is_new)
        status =
            run_origin_note(s->study, s->request, s->domain, has_fresh_instances(s), &s->error);
    if (status == BESD_OK)
        status = claims_open(&s->claims, s->path, &s->error);
    turn_lock_leave(&own);
    return status;
}

/* As it was said, or beside the YAML of a domain; the others have their studies here. */
static besd_status name_study(run_state *s) {
    const run_request *r = s->request;
    bool is_old = false;
    if (r->path) {
        snprintf(s->path, sizeof s->path, "%s", r->path);
        return BESD_OK;
    }
    besd_status status = study_place(domain_yaml_is(r->name) ? r->name : "", s->domain->name,
                                     r->said.seed, s->path, &is_old, &s->error);
    if (status == BESD_OK && is_old)
        note_old_place(s->path);
    return status;
}

int run_domain(const verb *v, const run_request *r, const domain *d) {
    run_state s = {.verb = v, .request = r, .domain = d, .claims.descriptor = -1};
    besd_status status = bridge_init(&s.bridge, d, &s.error);
    s.bridge.threads = (int)r->threads;
    if (r->mode)
        s.bridge.options.instances =
            strcmp(r->mode, "fresh") ? BESD_INSTANCES_SHARED : BESD_INSTANCES_FRESH;
    if (status == BESD_OK)
        status = name_study(&s);
    if (status == BESD_OK)
        status = open_in_turn(&s);
    if (status == BESD_OK && !r->quiet && s.is_new)
        note_initial_design(stderr, besd_study_get_options(s.study));
    if (status == BESD_OK && !r->quiet)
        note_arithmetic(s.study);
    int code = status == BESD_OK ? execute(&s) : refuse(v, &s.error);
    claims_close(&s.claims);
    besd_study_close(s.study);
    return code;
}
