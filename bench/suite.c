/* Runs the suite: domains that nobody tuned besd on, several methods and replications, and prints a
 * row for every tested design:
 *
 *     suite [--as-run] [--trainings N] [--reps R,...] [--no-legs] LIST METHODS REPLICATIONS > rows.csv
 *
 * LIST has a line for every problem: name, domain (or cliffsN, a function of N numbers with cliffs
 * and noise), budget, score without subgoals, best known score, and what is set of the domain, such
 * as gravity=0.003 tau=4000,8000. At a quarter, half, three quarters and all of the budget the
 * recommendation is tested on 400 fresh instances, the same for all; at those moments twenty random
 * designs are predicted, too, and tested once. scripts/suite.py makes tables of the rows. With
 * --as-run everything is as in `besd run DOMAIN`: plain learning is measured within the budget,
 * what nothing can surpass is computed, and where no design is the better choice none is tested.
 * With --trainings the budget is that of N full trainings of one agent, in place of the list's;
 * --reps says how many replications a trial may have, and --no-legs that trainings tell scores only.
 * At the end the best design that was tried is tested as well ("found"), to be set beside the one
 * that is recommended.
 * Everything follows from (problem, replication, method). */
#include "contest/contender.h"
#include "core/rng.h"
#include "core/stats.h"
#include "run/domain_study.h"
#include "study/choose.h"
#include "study/spec.h"
#include "world/domain_load.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEST = 400, RANDOM = 20, MOMENTS = 4, MOST_PROBLEMS = 64, MOST_METHODS = 16 };

static const uint64_t SEED = 90125, TEST_SEED = 424242;

/* Of all runs: how a study is set up. */
static struct {
    bool as_run, no_legs;
    double trainings; /* the budget, in full trainings of one agent; 0: that of the list */
    int reps[BESD_MAX_LEVELS];
    size_t reps_count; /* 0: those of the domain */
} setup;

typedef struct problem {
    char name[64], argument[256];
    double budget, none, best;
    int cliffs; /* dimension of the function, 0: a domain */
    domain domain;
} problem;

/* What is tested of a design: mean score, and on the model's side of the transform. */
typedef struct truth {
    double mean, se, model, model_se;
} truth;

static void stop(const char *message) {
    fprintf(stderr, "suite: %s\n", message);
    exit(1);
}

static void check(besd_status status, const besd_error *error) {
    if (status != BESD_OK)
        stop(error->message);
}

/* A function of a box with cliffs, minimised like steps: around a best place every coordinate has
 * a thin valley between two cliffs, and each that is out of its valley costs the same, wherever it
 * is; with all of them out there is a plateau. Short trainings show less of it. */
static double cliff_height(const double *theta, int dimension, double share) {
    double loss = 0;
    for (int i = 0; i < dimension; i++) {
        double best = 0.25 + 0.5 * ((i * 7 + 3) % 11) / 10.0, x = fabs(theta[i] - best) / 0.2;
        loss += x < 1 ? 0.3 * x * x : 1;
    }
    double gain = 1 - fmin(1, 2 * loss / dimension);
    return 450 * exp(-log(450 / 32.0) * gain * (0.5 + 0.5 * share));
}

static void cliff_scores(const problem *p, const double *theta, double share, uint64_t seed,
                         size_t count, double *scores) {
    double height = cliff_height(theta, p->cliffs, share);
    for (size_t i = 0; i < count; i++) {
        rng stream = rng_open(seed, RNG_TEST, i, 7, 0);
        scores[i] = fmin(500, fmax(20, height * exp(0.3 * rng_normal(&stream))));
    }
}

static void fill_cliffs(const problem *p, domain_study *b) {
    static const int64_t taus[] = {250, 500, 1000};
    static const int reps[] = {5, 20};
    memset(b, 0, sizeof *b);
    b->options = besd_study_options_default();
    for (int i = 0; i < p->cliffs; i++)
        b->high[i] = 1;
    b->options.dimension = (size_t)p->cliffs;
    b->options.low = b->low;
    b->options.high = b->high;
    b->options.taus = taus;
    b->options.tau_count = 3;
    b->options.reps = reps;
    b->options.reps_count = 2;
    b->options.direction = BESD_MINIMIZE;
    b->options.transform = BESD_TRANSFORM_LOG;
}

/* Theta NULL: no subgoals. */
static truth test(const problem *p, const domain_study *b, const besd_study_options *o,
                  const double *theta, size_t instances, uint64_t seed) {
    double scores[TEST], model[TEST];
    if (p->cliffs) {
        cliff_scores(p, theta, 1, seed, instances, scores);
    } else {
        trial_result result;
        besd_error error;
        check(domain_study_test(b, theta, (int64_t)instances, seed, &result, &error), &error);
        memcpy(scores, result.final, instances * sizeof *scores);
        trial_result_free(&result);
    }
    for (size_t i = 0; i < instances; i++) {
        model[i] = o->transform == BESD_TRANSFORM_LOG ? log(scores[i]) : scores[i];
        model[i] *= o->direction == BESD_MINIMIZE ? -1 : 1;
    }
    sample_summary as_told = stats_summarise(scores, instances),
                   as_seen = stats_summarise(model, instances);
    return (truth){as_told.mean, as_told.se, as_seen.mean, as_seen.se};
}

/* One run. */
typedef struct run {
    const problem *problem;
    const contender *method;
    int replication;
    domain_study setting;
    besd_study *study;
    double random[RANDOM][BESD_MAX_DIMENSION];
    truth of_random[RANDOM];
    char *rows; /* what it prints */
    size_t length;
    int64_t trials, at_edge, chosen; /* chosen trials, and those with half of theta on the border */
    FILE *out;
    double budget, spent, scores[BESD_MAX_REPS];
    int moment;
} run;

/* A besd_train on the built-in functions with cliffs. */
static besd_status train_cliffs(void *context, const besd_trial *t, besd_training *training,
                                besd_error *error) {
    run *r = context;
    (void)error;
    cliff_scores(r->problem, t->theta, (double)t->tau / 1000, t->seed, (size_t)t->reps, r->scores);
    training->outcome.scores = r->scores;
    training->outcome.count = (size_t)t->reps;
    return BESD_OK;
}

static void say(run *r, FILE *out, int moment, const char *kind, const truth *t,
                const besd_forecast *f) {
    fprintf(out,
            "%s,\"%s\",%d,%.2f,%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%lld,%.3f,%.6g,"
            "%.6g\n",
            r->problem->name, r->method->name, r->replication, (moment + 1.0) / MOMENTS, kind,
            t->mean, t->se, t->model, t->model_se, f->mean, f->sd, f->value, f->low, f->high,
            (long long)r->trials, r->chosen ? (double)r->at_edge / (double)r->chosen : 0,
            r->problem->none, r->problem->best);
}

/* The designs that were tried, each once. */
static size_t list_tried(const run *r, double (**tried)[BESD_MAX_DIMENSION]) {
    size_t count = 0;
    *tried = calloc((size_t)r->trials + 1, sizeof **tried);
    for (int64_t id = 1; *tried && id <= r->trials; id++) {
        besd_trial t;
        besd_error error;
        check(besd_study_trial(r->study, id, &t, &error), &error);
        size_t i = 0;
        while (i < count && memcmp((*tried)[i], t.theta, sizeof **tried) != 0)
            i++;
        memcpy((*tried)[i], t.theta, sizeof **tried);
        count += i == count;
    }
    return count;
}

typedef struct rated {
    double score;
    size_t design;
} rated;

static int by_score(const void *x, const void *y) {
    double a = ((const rated *)x)->score, b = ((const rated *)y)->score;
    return (a > b) - (a < b);
}

/* The test of the best design that was tried. The best few of a short test, on other instances than
 * the long one, are tested at length. */
static truth test_found(const run *r) {
    enum { SHORT = 60, LONGER = 5 };
    static const uint64_t seed = 777;
    const besd_study_options *o = besd_study_get_options(r->study);
    double sign = o->direction == BESD_MINIMIZE ? 1 : -1;
    double(*tried)[BESD_MAX_DIMENSION];
    size_t count = list_tried(r, &tried);
    rated *all = calloc(count + 1, sizeof *all);
    truth found = {.mean = NAN};
    for (size_t i = 0; i < count; i++)
        all[i] =
            (rated){sign * test(r->problem, &r->setting, o, tried[i], SHORT, seed).mean, i};
    qsort(all, count, sizeof *all, by_score);
    for (size_t i = 0; i < count && i < LONGER; i++) {
        truth t = test(r->problem, &r->setting, o, tried[all[i].design], TEST, TEST_SEED);
        if (!i || sign * t.mean < sign * found.mean)
            found = t;
    }
    free(all);
    free(tried);
    return found;
}

static void look(run *r, FILE *out, int moment) {
    const besd_study_options *o = besd_study_get_options(r->study);
    besd_recommendation best;
    besd_error error;
    if (besd_study_recommend(r->study, &best, &error) != BESD_OK)
        return; /* nothing is told yet */
    truth t = test(r->problem, &r->setting, o, best.theta, TEST, TEST_SEED);
    if (best.better < 0.5) {
        truth none = test(r->problem, &r->setting, o, NULL, TEST, TEST_SEED);
        say(r, out, moment, "none", &none, &(besd_forecast){.value = o->baseline});
    }
    say(r, out, moment, "recommended", &t,
        &(besd_forecast){.mean = best.mean,
                         .sd = best.sd,
                         .value = best.value,
                         .low = best.low,
                         .high = best.high});
    if (!method_describe(o->method)->has_model)
        return;
    for (int i = 0; i < RANDOM; i++) {
        besd_forecast f;
        check(besd_study_forecast(r->study, r->random[i], o->taus[o->tau_count - 1], &f, &error),
              &error);
        say(r, out, moment, "random", &r->of_random[i], &f);
    }
}

static void note(run *r, const besd_trial *t) {
    const besd_study_options *o = besd_study_get_options(r->study);
    size_t on_border = 0;
    r->trials++;
    if (t->reason == BESD_REASON_INITIAL)
        return;
    for (size_t i = 0; i < o->dimension; i++) {
        double margin = 1e-3 * (o->high[i] - o->low[i]);
        on_border += t->theta[i] < o->low[i] + margin || t->theta[i] > o->high[i] - margin;
    }
    r->chosen++;
    r->at_edge += 2 * on_border >= o->dimension;
}

static void prepare(run *r) {
    const problem *p = r->problem;
    besd_error error;
    if (p->cliffs)
        fill_cliffs(p, &r->setting);
    else
        check(domain_study_init(&r->setting, &p->domain, &error), &error);
    r->setting.threads = 1;
    contender_apply(r->method, &r->setting);
    besd_study_options *o = &r->setting.options;
    o->seed = rng_seed(SEED, RNG_CONTEST, (uint64_t)r->replication, 0, 0) >> 1;
    o->budget = p->budget;
    if (setup.no_legs)
        r->setting.path = (besd_path){0};
    if (setup.reps_count) {
        o->reps = setup.reps;
        o->reps_count = setup.reps_count;
    }
    if (setup.trainings > 0)
        o->budget = setup.trainings * (double)o->taus[o->tau_count - 1];
    if (setup.as_run && !p->cliffs)
        check(baseline_measure(&r->setting, &error), &error);
    check(domain_study_open(&r->setting, NULL, &r->study, &error), &error);
    o = (besd_study_options *)besd_study_get_options(r->study);
    r->budget = o->budget;
    rng stream = rng_open(SEED, RNG_TEST, 1, 0, 0);
    bool looks = method_describe(o->method)->has_model;
    for (int i = 0; i < RANDOM; i++) {
        for (size_t k = 0; k < o->dimension; k++)
            r->random[i][k] = rng_between(&stream, o->low[k], o->high[k]);
        if (looks)
            r->of_random[i] = test(p, &r->setting, o, r->random[i], TEST, TEST_SEED);
    }
}

/* Looks at the study at every moment before this cost. */
static void look_until(run *r, double cost) {
    for (; r->moment < MOMENTS && cost > r->budget * (r->moment + 1) / MOMENTS;
         r->moment++)
        look(r, r->out, r->moment);
}

static besd_status hear(void *context, const besd_run_event *e, besd_error *error) {
    run *r = context;
    (void)error;
    if (e->kind == BESD_RUN_BEGINS)
        look_until(r, r->spent + e->trial->cost);
    if (e->kind == BESD_RUN_TELLS) {
        r->spent += e->trial->cost;
        note(r, e->trial);
    }
    return BESD_OK;
}

static void execute(run *r) {
    besd_error error;
    besd_run_options options = besd_run_options_default();
    besd_run_result result;
    domain_trainer on_domain;
    besd_callback on_cliffs = {.train = train_cliffs, .context = r};
    r->out = open_memstream(&r->rows, &r->length);
    prepare(r);
    r->spent = besd_study_get_options(r->study)->baseline_cost;
    besd_trainer trainer = domain_trainer_open(&on_domain, &r->setting, r->study);
    if (r->problem->cliffs)
        trainer = besd_callback_trainer(&on_cliffs);
    options.hear = hear;
    options.context = r;
    check(besd_study_run(r->study, &trainer, &options, &result, &error), &error);
    look_until(r, INFINITY);
    if (setup.trainings > 0) {
        truth found = test_found(r);
        say(r, r->out, MOMENTS - 1, "found", &found, &(besd_forecast){0});
    }
    domain_trainer_close(&on_domain);
    besd_study_close(r->study);
    fclose(r->out);
}

/* The words of a line that are left are assignments. */
static void load(problem *p, char *settings) {
    besd_error error;
    check(domain_load(p->argument, NAN, &p->domain, &error), &error);
    for (char *rest = settings, *word; (word = strsep(&rest, " \t\n"));)
        if (*word)
            check(domain_set(&p->domain, word, &error), &error);
    check(domain_settle(&p->domain, &error), &error);
}

static int read_problems(const char *path, problem *problems) {
    FILE *file = fopen(path, "r");
    char line[512];
    int count = 0, used = 0;
    if (!file)
        stop("the list cannot be read");
    while (count < MOST_PROBLEMS && fgets(line, sizeof line, file)) {
        problem *p = &problems[count];
        if (*line == '#' || sscanf(line, "%63s %255s %lf %lf %lf%n", p->name, p->argument,
                                   &p->budget, &p->none, &p->best, &used) != 5)
            continue;
        if (sscanf(p->argument, "cliffs%d", &p->cliffs) != 1)
            load(p, line + used);
        count++;
    }
    fclose(file);
    return count;
}

/* Reads the options before LIST; returns the number of words read. */
static int read_setup(int argc, char **argv) {
    int i = 1;
    for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
        if (!strcmp(argv[i], "--as-run")) {
            setup.as_run = true;
        } else if (!strcmp(argv[i], "--no-legs")) {
            setup.no_legs = true;
        } else if (!strcmp(argv[i], "--trainings") && i + 1 < argc) {
            setup.trainings = atof(argv[++i]);
        } else if (!strcmp(argv[i], "--reps") && i + 1 < argc) {
            for (char *rest = argv[++i], *word; (word = strsep(&rest, ","));)
                setup.reps[setup.reps_count++ % BESD_MAX_LEVELS] = atoi(word);
        } else {
            stop("unknown option");
        }
    }
    return i - 1;
}

int main(int argc, char **argv) {
    static problem problems[MOST_PROBLEMS];
    static contender methods[MOST_METHODS];
    int method_count = 0;
    besd_error error;
    int read = read_setup(argc, argv);
    argc -= read;
    argv += read;
    if (argc != 4)
        stop("usage: suite [--as-run] [--trainings N] [--reps R,...] [--no-legs] LIST "
             "'METHOD METHOD ...' REPLICATIONS, or FIRST..LAST of them");
    int count = read_problems(argv[1], problems), first, last;
    if (sscanf(argv[3], "%d..%d", &first, &last) != 2)
        first = 0, last = atoi(argv[3]) - 1;
    int replications = last - first + 1;
    for (char *rest = argv[2], *name; (name = strsep(&rest, " ")) && method_count < MOST_METHODS;)
        check(contender_parse(&methods[method_count++], name, &error), &error);
    printf(
        "problem,method,replication,share,kind,tested,tested_se,model,model_se,mean,sd,value,low,"
        "high,trials,edge,none,best\n");
    int jobs = count * method_count * replications;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < jobs; i++) {
        run r = {.problem = &problems[i / replications / method_count],
                 .method = &methods[i / replications % method_count],
                 .replication = first + i % replications};
        execute(&r);
#pragma omp critical
        {
            fputs(r.rows, stdout);
            fflush(stdout);
        }
        free(r.rows);
    }
    return 0;
}
