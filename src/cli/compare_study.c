/* besd compare STUDY.yaml: the same trainer with several methods and seeds, a study file each, so
 * that whatever is killed goes on from there. What that costs is said before anything is trained.
 */
#include "cli/compare.h"
#include "cli/interrupt.h"
#include "cli/run.h"
#include "contest/statistics.h"
#include "core/error.h"
#include "core/print.h"
#include "run/default_budget.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_REPLICATIONS = 1000 };

static const char usual_methods[] = "besd,random";

/* One study and what came of it. */
typedef struct study_run {
    char path[STUDY_PLACE_SIZE];
    command_job_result result;
} study_run;

typedef struct study_comparison {
    const verb *verb;
    const compare_study_request *request;
    study_yaml *yaml;
    comparison *methods; /* of which only the contenders are used */
    besd_study_options options;
    run_request run;
    study_run *runs; /* [methods * replications], by method */
    sigset_t mask;
} study_comparison;

static int method_count(const study_comparison *c) {
    return c->methods->contender_count;
}

static study_run *run_of(const study_comparison *c, int method, int64_t replication) {
    return &c->runs[method * c->request->replications + replication];
}

static uint64_t seed_of(const study_comparison *c, int64_t replication) {
    return c->request->seed + (uint64_t)replication;
}

/* FOLDER/besd-model-paper-3.besd */
static besd_status name_run(study_comparison *c, int method, int64_t replication,
                            besd_error *error) {
    char word[CONTENDER_MAX_NAME];
    study_run *run = run_of(c, method, replication);
    snprintf(word, sizeof word, "%s", c->methods->contenders[method].name);
    for (char *letter = word; *letter; letter++)
        if (!isalnum((unsigned char)*letter) && *letter != '.' && *letter != '_')
            *letter = '-';
    int length = snprintf(run->path, sizeof run->path, "%s/%s-%llu.besd", c->request->folder, word,
                          (unsigned long long)seed_of(c, replication));
    return length < STUDY_PLACE_SIZE
               ? BESD_OK
               : besd_fail(error, BESD_INVALID, "out: the name of the folder is too long");
}

/* The options of a run; the levels of `b` must outlive them. */
static void options_of(const study_comparison *c, int method, int64_t replication,
                       domain_study *b) {
    *b = (domain_study){.options = c->options};
    contender_apply(&c->methods->contenders[method], b);
    b->options.seed = seed_of(c, replication);
    b->options.budget = c->options.budget;
}

/* What is left to pay for: of the budgets, and of the tests. */
static double price_of(const study_comparison *c, int method, int64_t replication) {
    const study_run *run = run_of(c, method, replication);
    const int64_t seeds = c->run.test.value;
    domain_study b;
    besd_study *s = NULL;
    besd_recommendation r;
    command_test t;
    double spent = 0, test = 0;
    bool tested = false;
    options_of(c, method, replication, &b);
    bool begun = access(run->path, F_OK) == 0;
    if (besd_study_open(&s, begun ? run->path : NULL, begun ? NULL : &b.options, NULL) == BESD_OK) {
        besd_study_spent(s, &spent, NULL);
        test = seeds ? command_test_price(s, seeds) : 0;
        if (begun && seeds && besd_study_recommend(s, &r, NULL) == BESD_OK)
            command_test_recall(s, r.theta, seeds, &t, &tested, NULL);
    }
    besd_study_close(s);
    return fmax(0, c->options.budget - spent) + (tested ? 0 : test);
}

static double price_of_all(const study_comparison *c) {
    double price = 0;
    for (int m = 0; m < method_count(c); m++)
        for (int64_t r = 0; r < c->request->replications; r++)
            price += price_of(c, m, r);
    return price;
}

static void print_price(FILE *out, const study_comparison *c, double price) {
    print_clean(out, "%d method%s, %lld seed%s each: %lld studies of cost %.12g", method_count(c),
                method_count(c) == 1 ? "" : "s", (long long)c->request->replications,
                c->request->replications == 1 ? "" : "s",
                (long long)(method_count(c) * c->request->replications), c->options.budget);
    if (c->run.test.value)
        print_clean(out, ", each tested on %lld fresh seeds", (long long)c->run.test.value);
    print_clean(out, "; what is left of it costs up to %.12g\n", price);
}

static besd_status check_contenders(const study_comparison *c, besd_error *error) {
    for (int m = 0; m < method_count(c); m++)
        if (c->methods->contenders[m].kind != CONTENDER_STUDY)
            return besd_fail(error, BESD_INVALID,
                             "methods: %s learns on a domain of besd's, not with a trainer; --test "
                             "N also trains without any design",
                             c->methods->contenders[m].name);
    return BESD_OK;
}

static besd_status check_budgets(const study_comparison *c, besd_error *error) {
    besd_status status = BESD_OK;
    for (int m = 0; status == BESD_OK && m < method_count(c); m++) {
        domain_study b;
        options_of(c, m, 0, &b);
        status = budget_check(&b.options, error);
    }
    return status;
}

static besd_status read_budget(study_comparison *c, besd_error *error) {
    char *end;
    const char *text = c->request->budget;
    double budget = text ? strtod(text, &end) : c->options.budget;
    if (text && (*end || !(budget > 0) || !isfinite(budget)))
        return besd_fail(error, BESD_INVALID,
                         "budget: expected a number above 0 for every study, got '%s'", text);
    if (isinf(budget))
        return besd_fail(error, BESD_INVALID,
                         "%s: it has no budget:, so it would never end; add one, or say --budget",
                         c->request->yaml);
    c->options.budget = budget;
    return BESD_OK;
}

static besd_status check_numbers(const compare_study_request *r, besd_error *error) {
    if (r->replications < 1 || r->replications > MOST_REPLICATIONS)
        return besd_fail(error, BESD_INVALID, "replications: expected 1 to %d, got %lld",
                         MOST_REPLICATIONS, (long long)r->replications);
    if (r->seeds.given && (r->seeds.value < 0 || r->seeds.value > COMMAND_TEST_MOST))
        return besd_fail(error, BESD_INVALID, "test: expected 0 to %d seeds, got %lld",
                         COMMAND_TEST_MOST, (long long)r->seeds.value);
    if (r->jobs.given && (r->jobs.value < 1 || r->jobs.value > COMMAND_MOST))
        return besd_fail(error, BESD_INVALID, "jobs: expected 1 to %d trials at once, got %lld",
                         COMMAND_MOST, (long long)r->jobs.value);
    return BESD_OK;
}

static besd_status prepare(study_comparison *c, besd_error *error) {
    const compare_study_request *r = c->request;
    besd_status status = check_numbers(r, error);
    if (status == BESD_OK)
        status = study_yaml_load(r->yaml, &c->yaml, error);
    if (status == BESD_OK && !study_yaml_command(c->yaml))
        status = besd_fail(error, BESD_INVALID, "%s: it has no command: to train with", r->yaml);
    if (status != BESD_OK)
        return status;
    c->options = *study_yaml_options(c->yaml);
    c->run = (run_request){.name = r->yaml,
                           .description = r->yaml,
                           .quiet = r->quiet,
                           .jobs = r->jobs,
                           .test = r->seeds};
    status = read_budget(c, error);
    if (status == BESD_OK)
        status = add_contenders(c->methods, r->methods ? r->methods : usual_methods, error);
    if (status == BESD_OK)
        status = check_contenders(c, error);
    if (status == BESD_OK)
        status = check_budgets(c, error);
    c->runs = status == BESD_OK
                  ? calloc((size_t)(method_count(c) * r->replications), sizeof *c->runs)
                  : NULL;
    if (status == BESD_OK && !c->runs)
        status = besd_fail_memory(error, "the studies");
    for (int m = 0; status == BESD_OK && m < method_count(c); m++)
        for (int64_t i = 0; status == BESD_OK && i < r->replications; i++)
            status = name_run(c, m, i, error);
    return status;
}

/* Seed after seed, so that an early end leaves every method with about as many. */
static int run_all(study_comparison *c) {
    const int64_t total = method_count(c) * c->request->replications;
    int64_t done = 0;
    for (int64_t r = 0; r < c->request->replications; r++)
        for (int m = 0; m < method_count(c); m++) {
            study_run *run = run_of(c, m, r);
            domain_study b;
            options_of(c, m, r, &b);
            if (!c->request->quiet)
                print_clean(stderr, "study %lld of %lld: %s\n", (long long)++done, (long long)total,
                            run->path);
            const command_job job = {.verb = c->verb,
                                     .request = &c->run,
                                     .yaml = c->yaml,
                                     .options = &b.options,
                                     .path = run->path,
                                     .mask = &c->mask};
            int code = run_command_job(&job, &run->result);
            if (code) {
                print_clean(stderr,
                            "besd compare: stopped in %s; what is told is kept, and the same "
                            "command goes on from there\n",
                            run->path);
                return code;
            }
        }
    return 0;
}

/* What a run is judged by: its test, or without one what the model expects. */
static double value_of(const study_comparison *c, const study_run *run) {
    return !c->run.test.value            ? run->result.recommendation.value
           : run->result.test.with.count ? run->result.test.with.mean
                                         : NAN;
}

static size_t values_of(const study_comparison *c, int method, double *values) {
    size_t count = 0;
    for (int64_t r = 0; r < c->request->replications; r++) {
        double value = value_of(c, run_of(c, method, r));
        if (isfinite(value))
            values[count++] = value;
    }
    return count;
}

/* The mean of training without any design over all tests; count 0: not known. */
static sample_summary plain_of(const study_comparison *c) {
    double values[MOST_REPLICATIONS];
    size_t count = 0;
    for (int64_t r = 0; r < c->request->replications; r++)
        if (run_of(c, 0, r)->result.test.without.count)
            values[count++] = run_of(c, 0, r)->result.test.without.mean;
    return count ? stats_summarise(values, count) : (sample_summary){0};
}

/* The first method less this one; *known is false with too few runs. */
static interval difference_of(const study_comparison *c, int method, bool *known) {
    double first[MOST_REPLICATIONS], other[MOST_REPLICATIONS];
    stratum a = {first, values_of(c, 0, first)}, b = {other, values_of(c, method, other)};
    *known = method > 0 && a.count > 1 && b.count > 1;
    return *known ? statistics_difference(a, b, c->request->seed) : (interval){NAN, NAN, NAN};
}

static json_t *describe_run(const study_comparison *c, int method, int64_t replication) {
    const study_run *run = run_of(c, method, replication);
    const command_test *t = &run->result.test;
    return json_pack("{s:s, s:I, s:o, s:o, s:o, s:o}", "study", run->path, "seed",
                     (json_int_t)seed_of(c, replication), "cost",
                     json_number(run->result.recommendation.cost), "expected",
                     json_number(run->result.recommendation.value), "tested",
                     json_number(t->with.count ? t->with.mean : NAN), "no_subgoals",
                     json_number(t->without.count ? t->without.mean : NAN));
}

static json_t *describe_method(const study_comparison *c, int method) {
    double values[MOST_REPLICATIONS];
    size_t count = values_of(c, method, values);
    sample_summary s = count ? stats_summarise(values, count) : (sample_summary){.mean = NAN};
    bool known;
    interval i = difference_of(c, method, &known);
    json_t *runs = json_array();
    for (int64_t r = 0; r < c->request->replications; r++)
        json_array_append_new(runs, describe_run(c, method, r));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "method",
                     c->methods->contenders[method].name, "mean", json_number(s.mean), "se",
                     json_number(s.se), "difference", json_number(i.value), "difference_low",
                     json_number(i.low), "difference_high", json_number(i.high), "runs", runs);
}

static json_t *describe_all(const study_comparison *c) {
    json_t *methods = json_array();
    for (int m = 0; m < method_count(c); m++)
        json_array_append_new(methods, describe_method(c, m));
    return json_pack("{s:s, s:s, s:o, s:I, s:o}", "description", c->request->yaml, "judged_by",
                     c->run.test.value ? "test" : "expectation", "budget",
                     json_number(c->options.budget), "test", (json_int_t)c->run.test.value,
                     "methods", methods);
}

/* The same as summary.json. */
static besd_status write_summary(const study_comparison *c, besd_error *error) {
    char path[STUDY_PLACE_SIZE + 16];
    snprintf(path, sizeof path, "%s/summary.json", c->request->folder);
    json_t *all = describe_all(c);
    FILE *out = fopen(path, "w");
    bool whole = all && out && !json_print(out, all, JSON_INDENT(1));
    json_decref(all);
    if (out && fclose(out))
        whole = false;
    return whole ? BESD_OK : besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
}

static void print_all(const study_comparison *c) {
    const char *first = c->methods->contenders[0].name;
    print_clean(stdout, "\n%s: %s, mean +- standard error over seeds\n", c->request->yaml,
                c->run.test.value ? "scores of tests on fresh seeds"
                                  : "scores that the models expect (--test N trains to see)");
    for (int m = 0; m < method_count(c); m++) {
        double values[MOST_REPLICATIONS];
        char text[80];
        size_t count = values_of(c, m, values);
        bool known;
        interval i = difference_of(c, m, &known);
        print_clean(stdout, "  %-20s %3zu seed%s ", c->methods->contenders[m].name, count,
                    count == 1 ? " " : "s");
        if (count)
            print_clean(stdout, "%s",
                        stats_print(stats_summarise(values, count), 9, text, sizeof text));
        if (known)
            print_clean(stdout,
                        "   %s less this: %.4g, with 95 %% confidence between %.4g and %.4g", first,
                        i.value, i.low, i.high);
        putchar('\n');
    }
    sample_summary plain = plain_of(c);
    if (plain.count) {
        char text[80];
        print_clean(stdout, "  %-20s %3zu seed%s %s\n", "without any design", plain.count,
                    plain.count == 1 ? " " : "s", stats_print(plain, 9, text, sizeof text));
    }
    print_clean(
        stdout,
        "\neverything is in %s: a study for each, and summary.json; 'besd report %s/*.besd' "
        "draws them side by side\n",
        c->request->folder, c->request->folder);
}

static int conclude(study_comparison *c) {
    besd_error error;
    if (write_summary(c, &error) != BESD_OK)
        return refuse(c->verb, &error);
    if (c->request->as_json)
        return print_json(c->verb, describe_all(c));
    print_all(c);
    return finish_output(c->verb);
}

static int execute(study_comparison *c) {
    const compare_study_request *r = c->request;
    besd_error error;
    if (prepare(c, &error) != BESD_OK)
        return refuse(c->verb, &error);
    double price = price_of_all(c);
    if (r->price && r->as_json)
        return print_json(c->verb,
                          json_pack("{s:i, s:o, s:o}", "studies",
                                    (int)(method_count(c) * r->replications), "budget",
                                    json_number(c->options.budget), "left", json_number(price)));
    if (r->price || !r->quiet)
        print_price(r->price ? stdout : stderr, c, price);
    if (r->price)
        return finish_output(c->verb);
    if (mkdir(r->folder, 0777) != 0 && errno != EEXIST) {
        besd_error_set(&error, BESD_IO, "%s: %s", r->folder, strerror(errno));
        return refuse(c->verb, &error);
    }
    interrupt_hold(&c->mask);
    int code = run_all(c);
    return code ? code : conclude(c);
}

int run_compare_study(const verb *v, const compare_study_request *r) {
    study_comparison c = {.verb = v, .request = r, .methods = calloc(1, sizeof(comparison))};
    int code = c.methods ? execute(&c) : refuse_memory(v);
    study_yaml_free(c.yaml);
    free(c.methods);
    free(c.runs);
    return code;
}
