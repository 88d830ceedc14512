/* besd compare: domains x methods x replications, resumable, on threads or under mpirun. */
#include "contest/compare.h"
#include "cli/common.h"
#include "cli/compare.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/run.h"
#include "cluster/ranks.h"
#include "contest/export.h"
#include "contest/findings.h"
#include "contest/summary_json.h"
#include "core/error.h"
#include "core/print.h"
#include "study/method.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool watch(void *context, int64_t done, int64_t total, const char *on, const char *method,
                  int replication) {
    char at[PROGRESS_PART_SIZE], last[PROGRESS_PART_SIZE];
    progress *p = context;
    progress_follow(p);
    if (progress_due(p, (double)done, (double)total)) {
        snprintf(at, sizeof at, "job %lld of %lld", (long long)done, (long long)total);
        snprintf(last, sizeof last, "last %s %s %d", on, method, replication + 1);
        progress_show(p, (double)done, (double)total,
                      &(progress_news){"jobs", at, "", "", last, ""});
    }
    return !interrupt_has_come();
}

/* Refuses a budget that does not pay for a trial; notes, unless quiet, one that hardly pays for
 * more than the initial design. */
static besd_status check_budget(const contest *one, const contender *by, bool quiet,
                                besd_error *error) {
    domain_study b;
    besd_study *s = NULL;
    besd_trial t;
    besd_status status = domain_study_init(&b, &one->domain, error);
    if (status != BESD_OK)
        return status;
    contender_apply(by, &b);
    b.options.budget = one->budget;
    status = besd_study_open(&s, NULL, &b.options, error);
    if (status != BESD_OK)
        return status;
    double initial = initial_cost(besd_study_get_options(s));
    status = besd_study_ask(s, NULL, &t, error);
    if (status == BESD_DONE)
        status = besd_fail(error, BESD_INVALID,
                           "budget: %.12g does not pay for a single trial of %s on %s", one->budget,
                           by->name, one->domain.name);
    else if (status == BESD_OK && !quiet && initial > one->budget / 2)
        print_clean(stderr,
                    "note: on %s the initial design of %s costs %.12g of the budget of %.12g\n",
                    one->domain.name, by->name, initial, one->budget);
    besd_study_close(s);
    return status;
}

static besd_status check_budgets(const comparison *c, bool quiet, besd_error *error) {
    besd_status status = BESD_OK;
    for (int i = 0; i < c->contest_count; i++)
        for (int j = 0; status == BESD_OK && j < c->contender_count; j++)
            if (c->contenders[j].kind == CONTENDER_STUDY)
                status = check_budget(&c->contests[i], &c->contenders[j], quiet, error);
    return status;
}

static besd_status keep_map(const char *folder, const domain *d, besd_error *error) {
    char identity[1024];
    compare_identify(d, identity, sizeof identity);
    return own_map_keep(folder, identity, d, error);
}

static besd_status compare_folder(const comparison *c, const char *folder, bool quiet,
                                  besd_error *error) {
    char path[1024];
    results *r = NULL;
    progress p;
    besd_status status = check_budgets(c, true, error);
    if (status == BESD_OK &&
        snprintf(path, sizeof path, "%s/results.besd", folder) >= (int)sizeof path)
        status = besd_fail(error, BESD_INVALID, "out: the name of the folder is too long");
    else if (status == BESD_OK && mkdir(folder, 0777) != 0 && errno != EEXIST)
        status = besd_fail(error, BESD_IO, "%s: %s", folder, strerror(errno));
    if (status == BESD_OK)
        status = results_open(path, true, &r, error);
    if (status != BESD_OK) {
        compare_dismiss();
        return status;
    }
    interrupt_watch();
    for (int i = 0; status == BESD_OK && i < c->contest_count; i++)
        status = keep_map(folder, &c->contests[i].domain, error);
    if (status != BESD_OK) {
        compare_dismiss();
        results_close(r);
        return status;
    }
    progress_begin(&p, quiet, (size_t)c->threads, 0);
    status = compare_run(c, r, watch, &p, error);
    progress_end(&p);
    results_close(r);
    return status;
}

besd_status compare_anywhere(const comparison *c, const char *folder, bool quiet, bool *is_first,
                             besd_error *error) {
    bool launched = ranks_launched();
    besd_status status = launched ? ranks_begin(error) : BESD_OK;
    if (status != BESD_OK)
        return status;
    *is_first = ranks_number() == 0;
    status = *is_first ? compare_folder(c, folder, quiet, error) : compare_serve(c, error);
    if (launched)
        ranks_end();
    if (status == BESD_DONE)
        return besd_fail(error, BESD_DONE,
                         "stopped; finished jobs are kept in %s, and the same "
                         "command goes on from there",
                         folder);
    return status;
}

/* The difference of besd to a method at the end, "-3.1 [-4.2, -2.0]"; empty for besd itself. */
static void print_difference(const summary_domain *d, int method) {
    for (int r = 0; r < d->rivalry_count; r++)
        if (d->rivalries[r].rival == method) {
            interval i = d->rivalries[r].at[AT_FINAL].difference;
            int verdict = summary_verdict(d, i);
            char text[100];
            bool few = summary_has_few(d);
            print_clean(stdout, "  %-24s%s", summary_print_interval(i, text, sizeof text),
                        few           ? "  too few runs to say"
                        : verdict > 0 ? "  besd is better"
                        : verdict < 0 ? "  besd is worse"
                                      : "");
        }
}

static void print_domain(const summary_domain *d) {
    const results_contest *c = d->contest;
    char text[100];
    int width = 20;
    for (int m = 0; m < d->method_count; m++)
        width = (int)fmax(width, (double)strlen(d->methods[m].entry->method));
    char optimum[40] = "not known";
    if (isfinite(c->optimum))
        snprintf(optimum, sizeof optimum, "%.4g", c->optimum);
    print_clean(stdout, "\n%s: %s, optimum %s, without subgoals %.4g, budget %.12g\n", c->domain,
                c->maximise ? "discounted return" : "steps to the goal", optimum,
                d->contest->plain_score, c->budget);
    print_clean(stdout, "  %-*s %4s  %-18s  %-18s  %s\n", width, "method", "runs",
                "half the budget", "all of it", "besd - method, 95 % interval");
    for (int m = 0; m < d->method_count; m++) {
        print_clean(stdout, "  %-*s %4d", width, d->methods[m].entry->method,
                    d->methods[m].entry->count);
        for (summary_moment at = 0; at < MOMENTS; at++)
            print_clean(stdout, "  %-18s",
                        summary_print_mean(&d->methods[m].points[summary_moment_point(at)], "+-",
                                           text, sizeof text));
        print_difference(d, m);
        putchar('\n');
    }
}

static void print_findings(const findings *f, const char *folder) {
    print_clean(stdout, "mean +- 2 standard errors over runs, tested on the same instances\n");
    for (int i = 0; i < f->summary.domain_count; i++)
        print_domain(&f->summary.domains[i]);
    print_clean(stdout, "\neverything is in %s (curves.csv, summary.csv, comparisons.csv, ...)\n",
                folder);
}

static bool asks_for_domain(const comparison *c, const char *name) {
    for (int i = 0; i < c->contest_count; i++)
        if (!strcmp(c->contests[i].domain.name, name))
            return true;
    return false;
}

static bool asks_for_method(const comparison *c, const char *name) {
    for (int i = 0; i < c->contender_count; i++)
        if (!strcmp(c->contenders[i].name, name))
            return true;
    return false;
}

/* The most runs of a method in the domains up to this one that were asked for. */
static int most_runs(const comparison *c, const summary *s, int last, const char *method) {
    int most = 0;
    for (int i = 0; i <= last; i++) {
        const summary_method *m = asks_for_domain(c, s->domains[i].contest->domain)
                                      ? summary_find(&s->domains[i], method)
                                      : NULL;
        most = m && m->entry->count > most ? m->entry->count : most;
    }
    return most;
}

/* What is told though this comparison has not asked for it: other methods and domains, more runs.
 */
static void note_others(const comparison *c, const summary *s) {
    const char *before = "note: the folder also holds ";
    for (int i = 0; i < s->domain_count; i++) {
        const summary_domain *d = &s->domains[i];
        if (!asks_for_domain(c, d->contest->domain)) {
            print_clean(stderr, "%sthe domain %s", before, d->contest->domain);
            before = ", ";
            continue;
        }
        for (int m = 0; m < d->method_count; m++) {
            const char *method = d->methods[m].entry->method;
            int runs = most_runs(c, s, s->domain_count - 1, method);
            bool told = most_runs(c, s, i - 1, method) > 0, asked = asks_for_method(c, method);
            if (told || (asked && runs <= c->replications))
                continue;
            if (asked)
                print_clean(stderr, "%s%d more run%s of %s", before, runs - c->replications,
                            runs == c->replications + 1 ? "" : "s", method);
            else
                print_clean(stderr, "%s%s (%d run%s)", before, method, runs, runs == 1 ? "" : "s");
            before = ", ";
        }
    }
    if (*before == ',')
        fputc('\n', stderr);
}

/* Exports what the folder holds now and tells it. */
static int tell_findings(const verb *v, const comparison *c, const char *folder, bool quiet,
                         bool as_json) {
    findings f;
    besd_error error;
    besd_status status = findings_load(folder, &f, &error);
    if (status != BESD_OK)
        return refuse(v, &error);
    status = export_all(&f.summary, &f.table1, folder, &error);
    int code = 0;
    if (status != BESD_OK) {
        code = refuse(v, &error);
    } else if (as_json) {
        code = print_json(v, summary_json(&f.summary, &f.table1));
    } else {
        print_findings(&f, folder);
        code = finish_output(v);
        if (!quiet)
            note_others(c, &f.summary);
    }
    findings_free(&f);
    return code;
}

besd_status add_contenders(comparison *c, const char *list, besd_error *error) {
    char *copy = strdup(list), *rest = copy, *name;
    besd_status status = copy ? BESD_OK : besd_fail_memory(error, "the methods");
    /* methods are separated by spaces or commas; "besd:tau=max,reps=max" keeps its commas: an item
     * with '=' and without ':' belongs to the one before */
    char item[CONTENDER_MAX_NAME * 2] = "";
    while (status == BESD_OK && rest) {
        name = strsep(&rest, ", ");
        if (!*name)
            continue;
        bool goes_on = strchr(name, '=') && !strchr(name, ':');
        if (goes_on && *item && strlen(item) + strlen(name) + 2 < sizeof item) {
            size_t length = strlen(item);
            snprintf(item + length, sizeof item - length, ",%s", name);
        } else {
            if (*item)
                status = c->contender_count < COMPARE_MAX_CONTENDERS
                             ? contender_parse(&c->contenders[c->contender_count++], item, error)
                             : besd_fail(error, BESD_INVALID, "methods: more than %d",
                                         COMPARE_MAX_CONTENDERS);
            snprintf(item, sizeof item, "%s", name);
        }
    }
    if (status == BESD_OK && *item)
        status = c->contender_count < COMPARE_MAX_CONTENDERS
                     ? contender_parse(&c->contenders[c->contender_count++], item, error)
                     : besd_fail(error, BESD_INVALID, "methods: too many");
    free(copy);
    if (status == BESD_OK && !c->contender_count)
        status = besd_fail(error, BESD_INVALID, "methods: expected one or more, got '%s'", list);
    for (int i = 0; status == BESD_OK && i < c->contender_count; i++)
        for (int j = 0; j < i; j++)
            if (!strcmp(c->contenders[i].name, c->contenders[j].name))
                status = besd_fail(error, BESD_INVALID, "methods: '%s' is given twice",
                                   c->contenders[i].name);
    return status;
}

/* What the command line asked for. */
typedef struct request {
    const char *names[COMPARE_MAX_DOMAINS + 1], *folder, *methods;
    int64_t threads, instances;
    given_integer replications, test, jobs;
    bool at_points, quiet, as_json, price;
    const char *budget; /* NULL: of each domain */
    uint64_t seed;
    domain_options chosen;
} request;

static bool parse_request(const verb *v, int argc, char **argv, request *r, int *code) {
    const option options[] = {
        {"methods", OPTION_TEXT, &r->methods, "LIST",
         "for example besd,ei,besd:model=paper (default: all of the paper; of a STUDY.yaml "
         "besd,random)"},
        {"replications", OPTION_GIVEN_INTEGER, &r->replications, "R",
         "of every method and domain (10), or seeds of a STUDY.yaml (5)"},
        {"budget", OPTION_TEXT, &r->budget, "B",
         "interactions, or gw10=100000,tr=200000 (default: of each domain)"},
        {"out", OPTION_TEXT, &r->folder, "DIR",
         "where the results are kept; resumed when they exist"},
        {"seed", OPTION_SEED, &r->seed, "S", "names all randomness (default 1)"},
        {"test", OPTION_GIVEN_INTEGER, &r->test, "N",
         "fresh instances of every test (200); of a STUDY.yaml fresh seeds (0)"},
        {"price", OPTION_FLAG, &r->price, NULL,
         "of a STUDY.yaml: say what is left to pay, and stop"},
        {"jobs", OPTION_GIVEN_INTEGER, &r->jobs, "N",
         "of a STUDY.yaml: trials at once (default 1)"},
        {"at-points", OPTION_FLAG, &r->at_points, NULL,
         "test recommendations at 40 costs alone, not at every change (quicker)"},
        {"threads", OPTION_INTEGER, &r->threads, "N", "jobs at once (default: all processors)"},
        {"quiet", OPTION_FLAG, &r->quiet, NULL, "no progress"},
        {"json", OPTION_FLAG, &r->as_json, NULL, "print one JSON object"},
        DOMAIN_OPTIONS(r->chosen),
        {0}};
    if (!options_parse(v, options, argc, argv, r->names, 1, COMPARE_MAX_DOMAINS, code))
        return false;
    if (!r->folder)
        *code = usage_error(v, "--out is missing; it takes a folder for the results");
    return r->folder != NULL;
}

static besd_status check_request(const request *r, besd_error *error) {
    if (!*r->folder)
        return besd_fail(error, BESD_INVALID, "out: expected a folder for the results");
    if (r->replications.value < 1 || r->replications.value > 100000)
        return besd_fail(error, BESD_INVALID, "replications: expected 1 to 100000, got %lld",
                         (long long)r->replications.value);
    if (r->instances < 1 || r->threads < 0 || r->threads > 1024)
        return besd_fail(error, BESD_INVALID,
                         "test takes 1 or more, threads up to 1024 (0: all processors)");
    return BESD_OK;
}

static besd_status add_contest(const request *r, const char *name, comparison *c,
                               besd_error *error) {
    contest *one = &c->contests[c->contest_count];
    domain d;
    besd_status status = choose_domain(name, &r->chosen, &d, error);
    if (status != BESD_OK)
        return status;
    contest_init(one, &d); /* which keeps the domain */
    c->contest_count++;
    one->seed = r->seed;
    one->instances = r->instances;
    one->every_change = !r->at_points;
    for (int i = 0; i + 1 < c->contest_count; i++)
        if (!strcmp(c->contests[i].domain.name, d.name))
            return besd_fail(error, BESD_INVALID, "domains: '%s' is given twice", d.name);
    return BESD_OK;
}

static int execute(const verb *v, const request *r, comparison *c) {
    besd_error error;
    bool is_first = true;
    besd_status status = check_request(r, &error);
    c->replications = (int)r->replications.value;
    c->threads = (int)r->threads;
    for (int i = 0; status == BESD_OK && r->names[i]; i++)
        status = add_contest(r, r->names[i], c, &error);
    if (status == BESD_OK)
        status = compare_set_budgets(c, r->budget, &error);
    if (status == BESD_OK)
        status = add_contenders(c, r->methods, &error);
    if (status == BESD_OK)
        status = compare_anywhere(c, r->folder, r->quiet, &is_first, &error);
    if (status != BESD_OK)
        return refuse(v, &error);
    if (!is_first)
        return 0;
    int code = tell_findings(v, c, r->folder, r->quiet, r->as_json);
    if (code == 0 && check_budgets(c, r->quiet, &error))
        code = refuse(v, &error);
    return code;
}

/* A trainer's study is compared alone, and has no use for what is about domains. */
static int compare_study(const verb *v, const request *r) {
    if (r->names[1])
        return usage_error(v, "expected one STUDY.yaml and nothing beside it, got '%s'",
                           r->names[1]);
    if (r->at_points || r->threads || r->chosen.set.count || r->chosen.map)
        return usage_error(v, "--at-points, --threads, --set and --map belong to domains; a "
                              "STUDY.yaml has --jobs");
    return run_compare_study(
        v, &(compare_study_request){.yaml = r->names[0],
                                    .methods = r->methods,
                                    .folder = r->folder,
                                    .budget = r->budget,
                                    .replications = given_integer_or(r->replications, 5),
                                    .seeds = r->test,
                                    .jobs = r->jobs,
                                    .seed = r->seed,
                                    .quiet = r->quiet,
                                    .as_json = r->as_json,
                                    .price = r->price});
}

int run_compare(const verb *v, int argc, char **argv) {
    request r = {.seed = 1};
    int code;
    if (!parse_request(v, argc, argv, &r, &code))
        return code;
    if (study_yaml_is(r.names[0]))
        return compare_study(v, &r);
    if (r.price || r.jobs.given)
        return usage_error(v, "--price and --jobs belong to a STUDY.yaml");
    r.methods = r.methods ? r.methods : "besd,ei,lcb,hyperband,random,ql,tql";
    r.replications.value = given_integer_or(r.replications, 10);
    r.instances = given_integer_or(r.test, 200);
    comparison *c = calloc(1, sizeof *c);
    if (!c)
        return refuse_memory(v);
    code = execute(v, &r, c);
    for (int i = 0; i < c->contest_count; i++)
        domain_release(&c->contests[i].domain);
    free(c);
    return code;
}
