/* besd run DOMAIN: optimise the subgoals of a domain, recommend, test, show. */
#include "cli/interrupt.h"
#include "cli/run_session.h"
#include "core/error.h"
#include "core/print.h"
#include "run/default_budget.h"
#include "run/domain_notes.h"
#include "run/domain_study.h"
#include "world/domain_yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct domain_session {
    run_session run; /* first, so that either is found by the other */
    const domain *domain;
    domain_study setting;
} domain_session;

static int print_result_json(domain_session *s, const besd_recommendation *r,
                             const recommendation_test *t) {
    const run_request *asked = s->run.request;
    json_t *json = session_json(&s->run, "domain", s->domain->name, r);
    if (!json)
        return refuse(s->run.verb, &s->run.error);
    json_t *end = json_pack("{s:s}", "stopped", s->run.result.why);
    if (asked->test_instances)
        end = json_joined(end, json_pack("{s:{s:I, s:o, s:o, s:o, s:o}}", "test", "instances",
                                         (json_int_t)asked->test_instances, "mean",
                                         json_number(t->with.mean), "se", json_number(t->with.se),
                                         "no_subgoals_mean", json_number(t->without.mean),
                                         "no_subgoals_se", json_number(t->without.se)));
    return print_json(s->run.verb, json_joined(json, end));
}

/* The command that goes on with this study: what a study belongs to must be said again. */
static void print_how_to_go_on(const run_session *s, FILE *out) {
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
static bool is_perfect(const domain_session *s, const sample_summary *without) {
    double best = besd_study_get_options(s->run.study)->best_possible;
    return isfinite(best) && fabs(without->mean - best) <= 0.01 * fabs(best);
}

/* What the test says of the subgoals when it does not speak for them. */
static void print_doubt(const domain_session *s, const recommendation_test *t) {
    if (t->gain.mean <= 0 && is_perfect(s, &t->without))
        puts("  so no subgoals are needed: learning without them achieves the best there is");
    else if (t->gain.mean <= 0)
        puts("  so these subgoals do not help: more budget, more subgoals or a longer training "
             "might");
    else if (t->gain.mean < 2 * t->gain.se)
        puts("  which does not show that these subgoals help; --test N tests on more instances");
}

static void print_test(const domain_session *s, const recommendation_test *t) {
    char text[80];
    const char *unit = s->run.unit;
    print_clean(
        stdout,
        "\ntested on %lld fresh instance%s%s, %lld interactions each (+- standard error):\n",
        (long long)s->run.request->test_instances, s->run.request->test_instances == 1 ? "" : "s",
        s->setting.tasks ? ", each with the design of its task" : "",
        (long long)domain_tau_max(s->domain));
    print_clean(stdout, "  with these subgoals  %s %s%s\n",
                stats_print(t->with, 9, text, sizeof text), unit,
                has_price(s->run.study) ? ", their price not included" : "");
    print_clean(stdout, "  without subgoals     %s %s\n",
                stats_print(t->without, 9, text, sizeof text), unit);
    print_doubt(s, t);
}

static int print_result(domain_session *s, const besd_recommendation *r,
                        const recommendation_test *t) {
    run_session *run = &s->run;
    const besd_study_options *o = besd_study_get_options(run->study);
    print_clean(stdout, "%s, seed %llu%s%s: %s\n", s->domain->name, (unsigned long long)o->seed,
                o->method == BESD_METHOD_BESD ? "" : ", method ",
                o->method == BESD_METHOD_BESD ? "" : besd_method_name(o->method), run->result.why);
    print_clean(stdout, "recommendation after %lld trial%s at cost %.12g:", (long long)r->trials,
                r->trials == 1 ? "" : "s", r->cost);
    for (size_t i = 0; i < o->dimension; i++)
        print_clean(stdout, " %s=%.2f", o->names[i], r->theta[i]);
    putchar('\n');
    print_promise(run->study, r, run->unit);
    if (isinf(o->baseline))
        print_clean(stdout,
                    "  note: no baseline: learning without subgoals was not measured, because it "
                    "costs more than a tenth of the budget\n");
    print_warning(r, stdout, "  ");
    if (print_tasks(run->study, run->unit, &run->error) != BESD_OK ||
        print_sources(run->study, &run->error) != BESD_OK ||
        print_points(run->study, r, run->unit, &run->error) != BESD_OK)
        return refuse(run->verb, &run->error);
    putchar('\n');
    int code = show_design(run->verb, s->domain, r->theta, o->dimension, 1);
    if (run->request->test_instances)
        print_test(s, t);
    print_clean(stdout, "\nthe study is in %s; go on with a larger budget:\n", run->path);
    print_how_to_go_on(run, stdout);
    print_clean(stdout, " --budget %.12g\n", 2 * fmax(o->budget, r->cost));
    return code ? code : finish_output(run->verb);
}

/* The design of every task on instances of that task. */
static besd_status test_tasks(domain_session *s, int64_t instances, recommendation_test *t) {
    run_session *run = &s->run;
    size_t d = s->setting.options.dimension;
    double *theta = malloc(s->setting.tasks * d * sizeof *theta);
    besd_status status = theta ? BESD_OK : besd_fail_memory(&run->error, "the test");
    for (size_t c = 0; status == BESD_OK && c < s->setting.tasks; c++) {
        besd_recommendation r;
        status = besd_study_recommend_task(run->study, (int64_t)c, &r, &run->error);
        memcpy(theta + c * d, r.theta, d * sizeof *theta);
    }
    if (status == BESD_OK)
        status = domain_study_test_tasks(&s->setting, run->study, theta, instances, t, &run->error);
    free(theta);
    return status;
}

static int conclude(domain_session *s) {
    run_session *run = &s->run;
    int64_t instances = run->request->test_instances, trials;
    besd_recommendation r;
    recommendation_test t = {0};
    besd_status status = besd_study_recommend(run->study, &r, &run->error);
    if (status == BESD_OK && instances)
        status = s->setting.tasks
                     ? test_tasks(s, instances, &t)
                     : domain_study_test_recommendation(&s->setting, run->study, r.theta, instances,
                                                        &t, &run->error);
    if (status == BESD_OK) /* after the test: is the file still there? */
        status = besd_study_trial_count(run->study, &trials, &run->error);
    if (status != BESD_OK)
        return refuse(run->verb, &run->error);
    return run->request->as_json ? print_result_json(s, &r, &t) : print_result(s, &r, &t);
}

static int execute(domain_session *s) {
    domain_trainer own;
    besd_trainer trainer = domain_trainer_open(&own, &s->setting, s->run.study);
    interrupt_watch();
    besd_status status = session_run(&s->run, &trainer, besd_run_options_default());
    domain_trainer_close(&own);
    if (status != BESD_OK)
        return refuse(s->run.verb, &s->run.error);
    return s->run.result.end == BESD_RUN_INTERRUPTED ? session_stop(&s->run, print_how_to_go_on)
                                                     : conclude(s);
}

/* A new study as the command line has it. */
static besd_status begin(run_session *run) {
    domain_session *s = (domain_session *)run;
    const run_request *r = run->request;
    besd_study_options *o = &s->setting.options;
    const domain_origin origin = {r->name, r->chosen.map, r->chosen.set.items, r->chosen.set.count};
    besd_status status = BESD_OK;
    o->seed = r->said.seed; /* the default, unless given */
    run_choices_apply(run->verb, &r->choices, o);
    if (!run_choices_given(&r->choices, STUDY_OPTION_budget))
        status = budget_default(o, &o->budget, &run->error);
    if (status == BESD_OK)
        status = budget_check(o, &run->error);
    if (status == BESD_OK)
        status = baseline_measure(&s->setting, &run->error);
    if (status == BESD_OK)
        status = domain_study_open(&s->setting, run->path, &run->study, &run->error);
    if (status != BESD_OK)
        return status;
    act_in_name(run->study);
    return domain_notes_write(run->study, &origin, &s->setting, &run->error);
}

/* The options for a study that was begun before: what the command line leaves out stays. */
static besd_status settle_options(domain_session *s, besd_study *as_it_was, besd_study_options *o) {
    run_session *run = &s->run;
    const run_request *r = run->request;
    char identity[1024] = "";
    besd_status status =
        besd_study_get_note(as_it_was, "domain", identity, sizeof identity, &run->error);
    if (!r->mode)
        s->setting.options.instances =
            domain_notes_cut_fresh(identity) ? BESD_INSTANCES_FRESH : BESD_INSTANCES_SHARED;
    run->budget_before = besd_study_get_options(as_it_was)->budget;
    *o = *besd_study_get_options(as_it_was);
    run_choices_apply(run->verb, &r->choices, o);
    if (status == BESD_OK)
        status = budget_check_begun(as_it_was, o->budget, &run->error);
    if (!run_choices_given(&r->choices, STUDY_OPTION_budget))
        o->budget = INFINITY; /* none is given */
    return status == BESD_OK ? domain_notes_check(as_it_was, run->path, &s->setting, &run->error)
                             : status;
}

static besd_status go_on(run_session *run) {
    besd_study *as_it_was = NULL;
    besd_study_options o;
    besd_status status = besd_study_open(&as_it_was, run->path, NULL, &run->error);
    if (status == BESD_OK)
        status = settle_options((domain_session *)run, as_it_was, &o);
    if (status == BESD_OK) /* o borrows from the handle that was closed */
        status = besd_study_open(&run->study, run->path, &o, &run->error);
    besd_study_close(as_it_was);
    if (status == BESD_OK)
        act_in_name(run->study);
    return status;
}

int run_domain(const verb *v, const run_request *r, const domain *d) {
    domain_session s = {
        .run = {.verb = v, .request = r, .unit = objective_name(d->objective), .places = 1},
        .domain = d};
    run_session *run = &s.run;
    besd_status status = domain_study_init(&s.setting, d, &run->error);
    s.setting.threads = (int)r->threads;
    if (r->mode)
        s.setting.options.instances =
            strcmp(r->mode, "fresh") ? BESD_INSTANCES_SHARED : BESD_INSTANCES_FRESH;
    if (status == BESD_OK) /* beside the YAML of a domain; the others have their studies here */
        status = session_name(run, domain_yaml_is(r->name) ? r->name : "", d->name, r->said.seed);
    if (status == BESD_OK)
        status = session_open(run, begin, go_on);
    if (status == BESD_OK && !r->quiet && run->is_new)
        note_initial_design(stderr, besd_study_get_options(run->study));
    if (status == BESD_OK && !r->quiet)
        note_arithmetic(run->study);
    int code = status == BESD_OK ? execute(&s) : refuse(v, &run->error);
    besd_study_close(run->study);
    return code;
}
