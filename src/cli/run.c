/* besd run: optimise the subgoals of a domain, recommend, show. */
#include "cli/run.h"

#include "bridge/bridge.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/study_yaml.h"
#include "core/error.h"
#include "core/stats.h"
#include "study/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_TEST = 200 }; /* instances */

/* What the command line asked for. */
typedef struct request {
    const char *name, *path, *mode;
    bool as_json, quiet;
    int64_t threads, test_instances, jobs;
    domain_options chosen;
} request;

typedef struct run_state {
    const verb *verb;
    const request *request;
    domain domain;
    bridge bridge;
    besd_study *study;
    bool is_new;
    char path[512];
    besd_error error;
} run_state;

/* The initial design shall cost no more than three tenths of the budget; a method without one gets
 * what besd would. */
static besd_status default_budget(const besd_study_options *options, double *budget,
                                  besd_error *error) {
    besd_study_options o = *options;
    besd_study *probe = NULL;
    if (method_describe(o.method)->start == START_AT_ONCE)
        o.method = BESD_METHOD_BESD;
    o.budget = 0;
    besd_status status = besd_study_open(&probe, NULL, &o, error);
    if (status == BESD_OK)
        *budget = method_initial_cost(besd_study_get_options(probe)) / 0.3;
    besd_study_close(probe);
    return status;
}

/* A study belongs to the domain it was begun with, overrides included. */
static besd_status check_domain(run_state *s) {
    char is[1024], was[1024];
    domain_identity(&s->domain, is, sizeof is);
    if (s->bridge.fresh_instances)
        snprintf(is + strlen(is), sizeof is - strlen(is), " fresh instances");
    besd_status status = besd_study_get_note(s->study, "domain", was, sizeof was, &s->error);
    if (status != BESD_OK)
        return status;
    if (!was[0] && !s->is_new)
        return besd_fail(&s->error, BESD_INVALID,
                         "study: %s was not begun by 'besd run'; it belongs to ask and tell",
                         s->path);
    if (!was[0])
        return besd_study_set_note(s->study, "domain", is, &s->error);
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
        snprintf(text + length, sizeof text - (size_t)length, ", best expected %s %.4g",
                 objective_name(s->domain.objective), r.value);
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
        status = bridge_train(&s->bridge, &t, scores, &s->error);
        if (status == BESD_OK)
            status = besd_study_tell(s->study, t.id, scores, (size_t)t.reps, &s->error);
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
        status = bridge_train(&s->bridge, &t, scores, &s->error);
        if (status == BESD_OK)
            status = besd_study_tell(s->study, t.id, scores, (size_t)t.reps, &s->error);
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
        status = summarise_gain(&with, &without, s->domain.objective, &t->gain, &s->error);
        trial_result_free(&without);
    }
    trial_result_free(&with);
    return status;
}

static int print_result_json(run_state *s, const besd_recommendation *r, const test_summary *t,
                             const char *reason) {
    const besd_study_options *o = besd_study_get_options(s->study);
    return print_json(
        s->verb,
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:I, s:o, s:s, s:{s:I, s:f, s:f, "
                  "s:f, s:f}}",
                  "domain", s->domain.name, "study", s->path, "method", besd_method_name(o->method),
                  "model", besd_model_name(o->model), "seed", (json_int_t)o->seed, "theta",
                  json_numbers(r->theta, o->dimension), "mean", json_number(r->mean), "sd",
                  json_number(r->sd), "value", json_number(r->value), "trials",
                  (json_int_t)r->trials, "cost", json_number(r->cost), "stopped", reason, "test",
                  "instances", (json_int_t)s->request->test_instances, "mean", t->with.mean, "se",
                  t->with.se, "no_subgoals_mean", t->without.mean, "no_subgoals_se",
                  t->without.se));
}

/* The command that goes on with this study: what a study belongs to must be said again. */
static void print_how_to_go_on(const run_state *s, FILE *out) {
    const request *r = s->request;
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
    if (s->bridge.fresh_instances && r->path != r->name)
        fputs(" --instance-mode fresh", out);
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
    const char *unit = objective_name(s->domain.objective);
    printf("%s, seed %llu%s%s: %s\n", s->domain.name, (unsigned long long)o->seed,
           o->method == BESD_METHOD_BESD ? "" : ", method ",
           o->method == BESD_METHOD_BESD ? "" : besd_method_name(o->method), reason);
    printf("recommendation after %lld trials at cost %.12g:", (long long)r->trials, r->cost);
    for (size_t i = 0; i < o->dimension; i++)
        printf(" %s=%.2f", o->names[i], r->theta[i]);
    printf("\n\n");
    int code = show_design(s->verb, &s->domain, r->theta, o->dimension, 1);
    printf("\ntested on %lld fresh instances, %lld interactions each (+- standard error):\n",
           (long long)s->request->test_instances, (long long)domain_tau_max(&s->domain));
    printf("  with these subgoals  %9.2f +- %.2f %s\n", t->with.mean, t->with.se, unit);
    printf("  without subgoals     %9.2f +- %.2f %s\n", t->without.mean, t->without.se, unit);
    print_doubt(t);
    printf("\nthe study is in %s; go on with a larger budget:\n", s->path);
    print_how_to_go_on(s, stdout);
    printf(" --budget %.12g\n", 2 * o->budget);
    return code ? code : finish_output(s->verb);
}

static int conclude(run_state *s, const char *reason) {
    besd_recommendation r;
    test_summary t;
    if (besd_study_recommend(s->study, &r, &s->error) != BESD_OK ||
        test_recommendation(s, r.theta, &t) != BESD_OK)
        return refuse(s->verb, &s->error);
    return s->request->as_json ? print_result_json(s, &r, &t, reason)
                               : print_result(s, &r, &t, reason);
}

static int execute(run_state *s) {
    interrupt_watch();
    char reason[BESD_ERROR_MESSAGE_SIZE];
    besd_status status = check_domain(s);
    if (status == BESD_OK)
        status = finish_pending(s);
    if (status == BESD_OK)
        status = optimise(s);
    snprintf(reason, sizeof reason, "%s", s->error.message);
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

/* Opens the study, new or begun before; what the command line leaves out is as it was begun. */
static int open_study(run_state *s, const run_choices *c) {
    besd_study_options *fresh = &s->bridge.options, o;
    fresh->seed = 1;
    s->is_new = access(s->path, F_OK) != 0;
    if (s->is_new) {
        if (!run_choices_apply(s->verb, c, fresh))
            return EXIT_REFUSED;
        besd_status status = BESD_OK;
        if (isnan(c->budget))
            status = default_budget(fresh, &fresh->budget, &s->error);
        if (status == BESD_OK)
            status = check_first_trial(fresh, &s->error);
        if (status == BESD_OK)
            status = besd_study_open(&s->study, s->path, fresh, &s->error);
        return status == BESD_OK ? 0 : refuse(s->verb, &s->error);
    }
    if (besd_study_open(&s->study, s->path, NULL, &s->error) != BESD_OK)
        return refuse(s->verb, &s->error);
    o = *besd_study_get_options(s->study);
    besd_study *again = NULL;
    if (!run_choices_apply(s->verb, c, &o))
        return EXIT_REFUSED;
    if (besd_study_open(&again, s->path, &o, &s->error) != BESD_OK ||
        check_begun(again, &s->error) != BESD_OK) {
        besd_study_close(again);
        return refuse(s->verb, &s->error);
    }
    besd_study_close(s->study);
    s->study = again;
    return 0;
}

/* Was something said that only a study knows? */
static bool is_about_study(const run_choices *c) {
    return !isnan(c->budget) || !isnan(c->tau_max_share) || !isnan(c->explore) ||
           !isnan(c->caution) || !isnan(c->stop_below) || c->targets != INT64_MIN ||
           c->initial_designs != INT64_MIN || c->initial_reps != INT64_MIN || c->discrete ||
           c->crossed || c->model;
}

/* Was something said that only besd's own training knows? */
static bool is_about_domain(const request *r) {
    return r->threads || r->test_instances != DEFAULT_TEST || strcmp(r->mode, "shared") != 0 ||
           r->chosen.set.count || r->chosen.map;
}

static bool is_study_file(const char *name) {
    size_t length = strlen(name);
    return length > 5 && !strcmp(name + length - 5, ".besd");
}

/* What a domain's run cannot be asked for; 0, or an exit code after a sentence. */
static int check_request(const verb *v, const request *r, const run_choices *c) {
    bool is_study = is_study_file(r->name);
    if (strcmp(r->mode, "shared") != 0 && strcmp(r->mode, "fresh") != 0)
        return usage_error(v, "--instance-mode: expected shared or fresh, got '%s'", r->mode);
    if (r->test_instances < 1 || r->threads < 0 || r->threads > 1024)
        return usage_error(v, "--test takes 1 or more, --threads up to 1024 (0: all processors)");
    if (r->path && strlen(r->path) >= sizeof((run_state *)NULL)->path)
        return usage_error(v, "--study: the name is longer than %zu bytes",
                           sizeof((run_state *)NULL)->path - 1);
    if (study_yaml_is(r->name) && run_is_learner(c->method))
        return usage_error(v, "--method: %s learns on a domain of besd's, not with a trainer",
                           c->method);
    if (study_yaml_is(r->name) && is_about_domain(r))
        return usage_error(v, "--test, --threads, --instance-mode, --set and --map belong to a "
                              "domain; the trainer of a study has none of them");
    if (study_yaml_is(r->name))
        return 0;
    if (c->budget <= 0)
        return usage_error(v, "--budget: expected a number above 0, got %g", c->budget);
    if (r->jobs)
        return usage_error(v, "--jobs belongs to STUDY.yaml; a domain is trained on --threads");
    if (is_study && (r->path || r->chosen.set.count || r->chosen.map ||
                     strcmp(r->mode, "shared") != 0 || run_is_learner(c->method)))
        return usage_error(v,
                           "%s knows its domain, instances and method; --study, --set, --map, "
                           "--instance-mode and ql or tql belong to a domain",
                           r->name);
    if (run_is_learner(c->method) &&
        (r->path || is_about_study(c) || strcmp(r->mode, "shared") != 0))
        return usage_error(v,
                           "%s has no budget and no study; it takes --test, --seed, --threads, "
                           "--set, --map and --json alone",
                           c->method);
    return 0;
}

/* The domain that a study says it is about, and how it draws instances. */
static besd_status domain_of_study(run_state *s, request *r) {
    static const char fresh[] = " fresh instances";
    char is[1024] = "", command[256] = "";
    besd_study *study = NULL;
    besd_status status = besd_study_open(&study, r->name, NULL, &s->error);
    if (status == BESD_OK)
        status = besd_study_get_note(study, "domain", is, sizeof is, &s->error);
    if (status == BESD_OK)
        status = besd_study_get_note(study, "command", command, sizeof command, &s->error);
    besd_study_close(study);
    if (status != BESD_OK)
        return status;
    if (!is[0])
        return besd_fail(&s->error, BESD_INVALID, "%s: it is about no domain; go on with %s",
                         r->name,
                         command[0] ? "'besd run' and the STUDY.yaml it was begun with"
                                    : "'besd ask' and 'besd tell'");
    char *end = strlen(is) > strlen(fresh) ? is + strlen(is) - strlen(fresh) : is;
    if (!strcmp(end, fresh)) {
        *end = 0;
        r->mode = "fresh";
    }
    r->path = r->name;
    return domain_from_identity(is, &s->domain)
               ? BESD_OK
               : besd_fail(&s->error, BESD_INVALID,
                           "%s: its domain '%.200s' is not built in; say 'besd run DOMAIN --study "
                           "%s'",
                           r->name, is, r->name);
}

/* Goes on with a study of the domain, or begins one. */
static int run_domain(run_state *s, const run_choices *c) {
    const request *r = s->request;
    if (bridge_init(&s->bridge, &s->domain, &s->error) != BESD_OK)
        return refuse(s->verb, &s->error);
    s->bridge.threads = (int)r->threads;
    s->bridge.fresh_instances = !strcmp(r->mode, "fresh");
    if (r->path)
        snprintf(s->path, sizeof s->path, "%s", r->path);
    else
        snprintf(s->path, sizeof s->path, "%s-%llu.besd", s->domain.name,
                 (unsigned long long)(c->seed == UINT64_MAX ? 1 : c->seed));
    int code = open_study(s, c);
    if (!code && !r->quiet && s->is_new)
        note_initial_design(stderr, besd_study_get_options(s->study));
    if (!code)
        code = execute(s);
    besd_study_close(s->study);
    return code;
}

int run_run(const verb *v, int argc, char **argv) {
    request r = {.mode = "shared", .test_instances = DEFAULT_TEST};
    run_state s = {.verb = v, .request = &r};
    run_choices c = {.budget = NAN,
                     .tau_max_share = NAN,
                     .caution = NAN,
                     .explore = NAN,
                     .stop_below = NAN,
                     .seed = UINT64_MAX,
                     .targets = INT64_MIN,
                     .initial_designs = INT64_MIN,
                     .initial_reps = INT64_MIN};
    option options[] = {
        {"budget", OPTION_NUMBER, &c.budget, "B",
         "interactions in all (default: 3.3 times the initial design)"},
        {"seed", OPTION_SEED, &c.seed, "S",
         "names all randomness (default 1; with STUDY.yaml, its own)"},
        {"study", OPTION_TEXT, &r.path, "FILE", "new or begun before (default NAME-SEED.besd)"},
        {"method", OPTION_TEXT, &c.method, "NAME",
         "besd (default), random, ei, ei-paper, lcb, hyperband, hyperband-paper; ql, tql"},
        {"model", OPTION_TEXT, &c.model, "NAME", "paper (default), extended or noise"},
        {"targets", OPTION_INTEGER, &c.targets, "N", "size of the discretisation"},
        {"discrete", OPTION_FLAG, &c.discrete, NULL, "choose among the discretisation only"},
        {"initial-designs", OPTION_INTEGER, &c.initial_designs, "N", "designs tried at every tau"},
        {"initial-crossed", OPTION_FLAG, &c.crossed, NULL, "the same designs at every tau (paper)"},
        {"initial-reps", OPTION_INTEGER, &c.initial_reps, "Q", "replications of those"},
        {"tau-max-share", OPTION_NUMBER, &c.tau_max_share, "P",
         "at least this share of trials at the largest tau"},
        {"explore", OPTION_NUMBER, &c.explore, "P",
         "share of trials spread over the space (default 0.25; -1: none)"},
        {"caution", OPTION_NUMBER, &c.caution, "K",
         "recommend by mean - K sd (default 1; -1: by the mean alone)"},
        {"stop-below", OPTION_NUMBER, &c.stop_below, "V", "stop when kg per cost is below"},
        {"instance-mode", OPTION_TEXT, &r.mode, "MODE", "shared (default) or fresh"},
        {"test", OPTION_INTEGER, &r.test_instances, "N", "fresh instances of the test (200)"},
        {"threads", OPTION_INTEGER, &r.threads, "N", "threads (default: all processors)"},
        {"jobs", OPTION_INTEGER, &r.jobs, "N", "with STUDY.yaml: trials at once (default 1)"},
        {"quiet", OPTION_FLAG, &r.quiet, NULL, "no progress"},
        {"json", OPTION_FLAG, &r.as_json, NULL, "print one JSON object"},
        DOMAIN_OPTIONS(r.chosen),
        {0}};
    parse_result parsed = options_parse(v, options, argc, argv, &r.name, 1, 1);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP ? 0 : EXIT_USAGE;
    int code = check_request(v, &r, &c);
    if (code)
        return code;
    if (study_yaml_is(r.name))
        return run_study(
            v, &(run_study_request){r.name, r.path, c, r.jobs, r.quiet, r.as_json, argc, argv});
    besd_status status = is_study_file(r.name)
                             ? domain_of_study(&s, &r)
                             : choose_domain(r.name, &r.chosen, &s.domain, &s.error);
    if (status != BESD_OK)
        return refuse(v, &s.error);
    if (run_is_learner(c.method))
        code = run_learner(v, &(run_learner_request){.domain = &s.domain,
                                                     .method = c.method,
                                                     .seed = c.seed == UINT64_MAX ? 1 : c.seed,
                                                     .instances = r.test_instances,
                                                     .threads = (int)r.threads,
                                                     .as_json = r.as_json});
    else
        code = run_domain(&s, &c);
    domain_release(&s.domain);
    return code;
}
