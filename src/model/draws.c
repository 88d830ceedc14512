#include "model/draws.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/rng.h"
#include "model/blas.h"
#include "model/observations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LENGTHSCALE_MEAN = 0.4, LENGTHSCALE_SD = 0.8;
static const double SIGNAL_SD = 0.5;
static const double SLOPE_MEAN = 0.7, SLOPE_SD = 0.7;
static const double NOISE_SD = 2;

/* Of tasks and sources (draws.h). */
static const double RHO_SLOPE = 2, KAPPA_SLOPE = 1.5;
static const double FEATURE_MEAN = 0.7, FEATURE_SD = 0.7;
static const double LEVEL_MEAN = 0.5, LEVEL_SD = 0.7;
static const double GAMMA_SD = 0.5;

/* Parameters of a source: kappa, gamma and its noise. */
enum { PER_SOURCE = 3 };

/* The most parameters of all. */
enum {
    MOST_PARAMETERS =
        MODEL_MAX_DIMENSION + 5 + 1 + TASK_FEATURES_MOST + PER_SOURCE * TASK_SOURCES_MOST
};

/* More sweeps for a chain that starts at a fixed place, to forget it. */
enum { FIRST_SWEEPS = 6 };

/* Of many trials, the sweeps that forget the first place see this many, evenly spread over all, and
 * the last of these sweeps see half of all: where a chain has to go is the same, nearly, and a
 * likelihood of fewer trials is cheap. The sweeps that every chain makes see all trials. */
enum { EARLY_ROWS = 200, EARLY_STAGES = 2, LAST_EARLY_SWEEPS = 2 };

/* The first interval of a slice, about two standard deviations of a well-determined coordinate, and
 * how often it is widened and shrunk. */
static const double STEP = 1.2;
enum { MOST_STEPS_OUT = 16, MOST_SHRINKS = 40 };

/* x: log lengthscales, log a/s, log b/a, atanh c, then log noise: env and rep, or rep alone. With
 * tasks or sources: log level sd / a; with several tasks: u of rho, or the log feature scales. For
 * every source: u of kappa, log gamma a, log noise. */
typedef struct sampler {
    const observations *o;
    const draws_options *options;
    variance_estimates rough;
    double source_noise[TASK_SOURCES_MOST]; /* rough */
    double shortest;
    size_t dimension, parameters, n;
    size_t own, features, sources, tasks; /* of o->tasks; own 1 and tasks 0: there are none */
    void *memory; /* of the work that follows: [n * n] twice, [n], [n * dimension], [n], B and S */
    double *covariance, *room, *correlation, *scaled, *alpha, *share, *level;
    observations early[EARLY_STAGES]; /* what the early sweeps see; empty: all trials */
} sampler;

static size_t at_kernel(const sampler *s) {
    return s->dimension;
}

static size_t at_noise(const sampler *s) {
    return s->dimension + 3;
}

static size_t at_tasks(const sampler *s) {
    return at_noise(s) + (s->options->one_noise ? 1 : 2);
}

static size_t at_sources(const sampler *s) {
    size_t related = s->own == 1 ? 0 : s->features ? s->features : 1;
    return at_tasks(s) + (s->tasks ? 1 + related : 0);
}

static double logistic(double u) {
    return 1 / (1 + exp(-u));
}

/* a: the sd of the performance at tau_max. */
static void unpack_tasks(const sampler *s, const double *x, double a, task_parameters *p) {
    const double *own = x + at_tasks(s), *source = x + at_sources(s);
    p->level_variance = a * a * exp(2 * own[0]);
    if (s->own > 1)
        p->rho = logistic(RHO_SLOPE * own[1]);
    for (size_t i = 0; s->own > 1 && i < s->features; i++)
        p->feature_scale[i] = exp(own[1 + i]);
    for (size_t i = 0; i < s->sources; i++, source += PER_SOURCE) {
        p->kappa[i] = source[0] > 0 ? tanh(KAPPA_SLOPE * source[0]) : 0;
        p->gamma[i] = exp(source[1]) / a;
        p->noise[i] = exp(source[2]);
    }
}

static void unpack(const sampler *s, const double *x, hyperparameters *h) {
    memset(h, 0, sizeof *h);
    const double *k = x + at_kernel(s), *noise = x + at_noise(s);
    double a = sqrt(s->rough.signal) * exp(k[0]), b = a * exp(k[1]), c = tanh(k[2]);
    h->parts = s->options->parts;
    h->prior_mean = s->options->prior_mean;
    h->prior_slope = s->options->prior_slope;
    for (size_t i = 0; i < s->dimension; i++)
        h->lengthscale[i] = exp(x[i]);
    /* Sigma over (1, t) of g + (1 - t) h */
    double constant = a * a + 2 * c * a * b + b * b, cross = -(c * a * b + b * b), slope = b * b;
    h->sigma_root[0] = sqrt(fmax(constant, 1e-12 * a * a));
    h->sigma_root[1] = cross / h->sigma_root[0];
    double rest = slope - h->sigma_root[1] * h->sigma_root[1];
    h->sigma_root[2] = sqrt(fmax(rest, 1e-12 * a * a));
    for (int level = 0; level < s->options->levels; level++) {
        h->env_variance[level] = s->options->one_noise ? 0 : exp(noise[0]);
        h->rep_variance[level] = exp(noise[s->options->one_noise ? 0 : 1]);
    }
    if (s->tasks)
        unpack_tasks(s, x, a, &h->tasks);
}

/* A kappa of 0 stands for all u below 0; -1/2 is one of them. */
static void pack_tasks(const sampler *s, const task_parameters *p, double a, double *x) {
    double *own = x + at_tasks(s), *source = x + at_sources(s);
    double rho = fmin(fmax(p->rho, 1e-4), 1 - 1e-4);
    own[0] = 0.5 * log(p->level_variance) - log(a);
    if (s->own > 1)
        own[1] = log(rho / (1 - rho)) / RHO_SLOPE;
    for (size_t i = 0; s->own > 1 && i < s->features; i++)
        own[1 + i] = log(p->feature_scale[i]);
    for (size_t i = 0; i < s->sources; i++, source += PER_SOURCE) {
        source[0] = p->kappa[i] > 0 ? atanh(fmin(p->kappa[i], 0.9999)) / KAPPA_SLOPE : -0.5;
        source[1] = log(p->gamma[i] * a);
        source[2] = log(p->noise[i]);
    }
}

static void pack(const sampler *s, const hyperparameters *h, double *x) {
    const double *l = h->sigma_root;
    double *k = x + at_kernel(s), *noise = x + at_noise(s);
    double at_end = l[0] + l[1];
    double a = sqrt(at_end * at_end + l[2] * l[2]), b = sqrt(l[1] * l[1] + l[2] * l[2]);
    /* cov(g, h) with g = c0 + c1 and h = -c1 */
    double cross = -(l[0] * l[1] + l[1] * l[1] + l[2] * l[2]);
    double c = fmin(fmax(cross / (a * b), -0.999), 0.999);
    for (size_t i = 0; i < s->dimension; i++)
        x[i] = log(h->lengthscale[i]);
    k[0] = log(a / sqrt(s->rough.signal));
    k[1] = log(b / a);
    k[2] = atanh(c);
    if (!s->options->one_noise)
        *noise++ = log(h->env_variance[0]);
    *noise = log(h->rep_variance[0]);
    if (s->tasks)
        pack_tasks(s, &h->tasks, a, x);
}

static double normal(double value, double mean, double sd) {
    double z = (value - mean) / sd;
    return -0.5 * z * z;
}

/* Disagreement of the shortest and the full training is costly (kernel.h). */
static double agreement(const sampler *s, const hyperparameters *h) {
    if (s->shortest >= 1)
        return 0;
    double together = kernel_tau(h, s->shortest, 1);
    double scale = sqrt(kernel_tau(h, s->shortest, s->shortest) * kernel_tau(h, 1, 1));
    return -log1p(exp(-together / scale / AGREEMENT_WIDTH));
}

static double log_prior_of_tasks(const sampler *s, const double *x) {
    const double *own = x + at_tasks(s), *source = x + at_sources(s);
    double sum = normal(own[0], log(LEVEL_MEAN), LEVEL_SD);
    if (s->own > 1 && !s->features)
        sum += normal(own[1], 0, 1);
    for (size_t i = 0; s->own > 1 && i < s->features; i++)
        sum += normal(own[1 + i], log(FEATURE_MEAN), FEATURE_SD);
    for (size_t i = 0; i < s->sources; i++, source += PER_SOURCE)
        sum += normal(source[0], 0, 1) + normal(source[1], 0, GAMMA_SD) +
               normal(source[2], log(s->source_noise[i]), NOISE_SD);
    return sum;
}

static double log_prior(const sampler *s, const double *x, const hyperparameters *h) {
    const double *k = x + at_kernel(s), *noise = x + at_noise(s);
    double sum = normal(k[0], 0, SIGNAL_SD) + normal(k[1], log(SLOPE_MEAN), SLOPE_SD) +
                 normal(k[2], 0, 1) + agreement(s, h);
    bool told = s->options->lengthscale_mean > 0;
    double scale = told ? s->options->lengthscale_mean : LENGTHSCALE_MEAN;
    double spread = told ? s->options->lengthscale_sd : LENGTHSCALE_SD;
    for (size_t i = 0; i < s->dimension; i++)
        sum += normal(x[i], log(scale), spread);
    if (!s->options->one_noise)
        sum += normal(*noise++, log(s->rough.env), NOISE_SD);
    sum += normal(*noise, log(s->rough.rep), NOISE_SD);
    return s->tasks ? sum + log_prior_of_tasks(s, x) : sum;
}

/* What is learnt of tasks stays where exponentials and squares are harmless. */
static bool tasks_within_bounds(const sampler *s, const double *x) {
    const double *source = x + at_sources(s);
    for (size_t i = at_tasks(s); i < at_sources(s); i++)
        if (!(fabs(x[i]) < 5))
            return false;
    for (size_t i = 0; i < s->sources; i++, source += PER_SOURCE)
        if (!(fabs(source[0]) < 5 && fabs(source[1]) < 3 && source[2] > log(1e-6) &&
              source[2] < log(10)))
            return false;
    return true;
}

static bool within_bounds(const sampler *s, const double *x) {
    const double *noise = x + at_noise(s);
    double total = log(s->rough.signal + s->rough.env + s->rough.rep);
    for (size_t i = 0; i < s->dimension; i++)
        if (!(x[i] > log(0.01) && x[i] < log(10)))
            return false;
    for (size_t i = at_noise(s); i < at_tasks(s); i++, noise++)
        if (!(*noise > total + log(1e-6) && *noise < total + log(10)))
            return false;
    return fabs(x[at_kernel(s)]) < 5 && fabs(x[at_kernel(s) + 1]) < 5 &&
           fabs(x[at_kernel(s) + 2]) < 4 && (!s->tasks || tasks_within_bounds(s, x));
}

/* Covariances of row j with the rows up to itself, as their tasks have them. */
static void relate_row(const sampler *s, size_t j, double *row) {
    const int *task = s->o->task;
    size_t first = (size_t)task[j] * s->tasks;
    for (size_t i = 0; i <= j; i++)
        row[i] = row[i] * s->share[first + (size_t)task[i]] + s->level[first + (size_t)task[i]];
}

static void fill_covariance(sampler *s, const hyperparameters *h) {
    const observations *o = s->o;
    size_t d = s->dimension;
    if (s->tasks)
        tasks_relate(o->tasks, &h->tasks, s->share, s->level);
    for (size_t j = 0; j < s->n; j++)
        kernel_put(h, d, o->theta + j * d, j, s->n, s->scaled);
    for (size_t j = 0; j < s->n; j++) {
        double *row = s->covariance + j * s->n, scaled[MODEL_MAX_DIMENSION];
        kernel_scale(h, d, o->theta + j * d, scaled);
        kernel_correlate(h, d, scaled, s->scaled, s->n, j + 1, s->correlation);
        kernel_row(h, o->share[j], o->share, j + 1, s->correlation, row);
        if (s->tasks)
            relate_row(s, j, row);
        row[j] += observation_noise(o, h, j);
    }
}

static double log_posterior(sampler *s, const double *x) {
    const observations *o = s->o;
    hyperparameters h;
    if (!within_bounds(s, x))
        return -INFINITY;
    unpack(s, x, &h);
    fill_covariance(s, &h);
    if (!cholesky_factorise(s->covariance, s->n, s->room))
        return -INFINITY;
    for (size_t j = 0; j < s->n; j++)
        s->alpha[j] = o->mean[j] - observation_mean(o, &h, j);
    blas.dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)s->n, s->covariance,
               (int)s->n, s->alpha, 1);
    double value = log_prior(s, x, &h) - 0.5 * blas.ddot((int)s->n, s->alpha, 1, s->alpha, 1);
    for (size_t j = 0; j < s->n; j++) {
        double rep = observation_rep_variance(o, &h, j);
        value -= log(s->covariance[j * s->n + j]);
        value -= 0.5 * ((o->reps[j] - 1) * log(rep) + o->within[j] / rep);
    }
    return isfinite(value) ? value : -INFINITY;
}

/* Updates one coordinate: draws a level below the density, widens an interval until it holds the
 * slice above that level, and draws a point of the slice. */
static double update(sampler *s, double *x, size_t i, double height, rng *stream) {
    double start = x[i], level = height + log(1 - rng_uniform(stream));
    double low = start - STEP * rng_uniform(stream), high = low + STEP;
    for (int step = 0; step < MOST_STEPS_OUT; step++) {
        x[i] = low;
        if (!(log_posterior(s, x) > level))
            break;
        low -= STEP;
    }
    for (int step = 0; step < MOST_STEPS_OUT; step++) {
        x[i] = high;
        if (!(log_posterior(s, x) > level))
            break;
        high += STEP;
    }
    for (int shrink = 0; shrink < MOST_SHRINKS; shrink++) {
        x[i] = low + (high - low) * rng_uniform(stream);
        double value = log_posterior(s, x);
        if (value > level)
            return value;
        if (x[i] < start)
            low = x[i];
        else
            high = x[i];
    }
    x[i] = start;
    return height;
}

/* Where a chain starts: length scales from a cell to the whole box, and noise of the environment
 * from little to most of the variance. */
static void begin(const sampler *s, size_t chain, double *x) {
    static const double scales[] = {0.15, 0.6, 0.3, 1.0, 0.08, 0.4};
    static const double noises[] = {0.3, 1, 1, 0.3, 0.1, 1};
    static const double likenesses[] = {0.8, 0.8, -0.5, 0.8, -0.5, 0.3};
    size_t kind = chain % (sizeof scales / sizeof *scales);
    for (size_t i = 0; i < s->dimension; i++)
        x[i] = log(scales[kind]);
    x[at_kernel(s)] = 0;
    x[at_kernel(s) + 1] = log(SLOPE_MEAN);
    x[at_kernel(s) + 2] = 0;
    double *noise = x + at_noise(s);
    if (!s->options->one_noise)
        *noise++ = log(s->rough.env * noises[kind]);
    *noise = log(s->rough.rep);
    if (s->tasks)
        x[at_tasks(s)] = log(LEVEL_MEAN);
    for (size_t i = at_tasks(s) + 1; i < at_sources(s); i++)
        x[i] = s->features ? log(FEATURE_MEAN) : likenesses[kind];
    for (size_t i = 0; i < s->sources; i++) {
        double *source = x + at_sources(s) + PER_SOURCE * i;
        source[0] = likenesses[kind];
        source[2] = log(s->source_noise[i]);
    }
}

static void run_sweeps(sampler *s, int sweeps, double *x, double height, rng *stream) {
    for (int sweep = 0; isfinite(height) && sweep < sweeps; sweep++)
        for (size_t i = 0; i < s->parameters; i++)
            height = update(s, x, i, height, stream);
}

/* Sweeps of a chain that begins anew, over fewer trials than there are. */
static void run_early(const sampler *s, double *x, rng *stream) {
    for (int stage = 0; stage < EARLY_STAGES; stage++) {
        int sweeps = stage ? LAST_EARLY_SWEEPS : FIRST_SWEEPS - LAST_EARLY_SWEEPS;
        sampler some = *s;
        some.o = &s->early[stage];
        some.n = some.o->count;
        run_sweeps(&some, sweeps, x, log_posterior(&some, x), stream);
    }
}

static void run_chain(sampler *s, size_t chain, const hyperparameters *from,
                      hyperparameters *draw) {
    double x[MOST_PARAMETERS] = {0};
    int sweeps = s->options->sweeps;
    rng stream = rng_open(s->options->seed, RNG_DRAWS, s->options->told, chain, 0);
    if (from)
        pack(s, from, x);
    double height = from ? log_posterior(s, x) : -INFINITY;
    if (!isfinite(height)) {
        begin(s, chain, x);
        if (s->early[0].count)
            run_early(s, x, &stream);
        else
            sweeps += FIRST_SWEEPS;
        height = log_posterior(s, x);
    }
    run_sweeps(s, sweeps, x, height, &stream);
    unpack(s, x, draw);
}

/* The trials of the early sweeps; few trials need none. */
static besd_status choose_early(sampler *s, besd_error *error) {
    size_t n = s->o->count, counts[EARLY_STAGES] = {EARLY_ROWS, n / 2};
    besd_status status = BESD_OK;
    for (int stage = 0; status == BESD_OK && n > EARLY_ROWS && stage < EARLY_STAGES; stage++)
        status = observations_thin(s->o, n, counts[stage], &s->early[stage], error);
    return status;
}

static bool allocate(sampler *s) {
    size_t vector = s->n * sizeof(double);
    const memory_array arrays[] = {{&s->covariance, s->n * vector},
                                   {&s->room, s->n * vector},
                                   {&s->correlation, vector},
                                   {&s->scaled, s->dimension * vector},
                                   {&s->alpha, vector},
                                   {&s->share, s->tasks * s->tasks * sizeof(double)},
                                   {&s->level, s->tasks * s->tasks * sizeof(double)}};
    s->memory = memory_allocate(arrays, sizeof arrays / sizeof *arrays);
    return s->memory != NULL;
}

/* Pooled within the trials of a source; a tenth of its variance when no trial was replicated. */
static void estimate_sources(sampler *s) {
    const observations *o = s->o;
    for (size_t i = 0; i < s->sources; i++) {
        double within = 0, freedom = 0;
        for (size_t j = 0; j < o->count; j++)
            if (tasks_is_source(o->tasks, o->task[j]) == (int)i) {
                within += o->within[j];
                freedom += o->reps[j] - 1;
            }
        s->source_noise[i] = freedom > 0 ? fmin(fmax(within / freedom, 1e-3), 1) : 0.1;
    }
}

static void describe_tasks(sampler *s) {
    const task_set *tasks = s->o->tasks;
    s->own = tasks ? tasks->own : 1;
    s->features = tasks ? tasks->features : 0;
    s->sources = tasks ? tasks->sources : 0;
    s->tasks = tasks ? tasks_count(tasks) : 0;
    s->parameters = at_sources(s) + PER_SOURCE * s->sources;
    estimate_sources(s);
}

besd_status draws_run(const observations *o, const draws_options *options, const draws *from,
                      size_t count, draws *drawn, besd_error *error) {
    size_t n = o->count, d = o->dimension;
    if (n < 1)
        return besd_fail(error, BESD_INVALID, "fit: there are no told trials");
    besd_status status = arithmetic_begin(1, error);
    if (status != BESD_OK)
        return status;
    sampler s = {.o = o, .options = options, .dimension = d, .n = n, .shortest = 1};
    describe_tasks(&s);
    if (!allocate(&s))
        return besd_fail_memory(error, "the draws' matrices");
    s.rough = estimate_variances(o);
    for (size_t j = 0; j < n; j++)
        s.shortest = fmin(s.shortest, o->share[j]);
    status = choose_early(&s, error);
    for (size_t chain = 0; status == BESD_OK && chain < count; chain++)
        run_chain(&s, chain, from && from->count == count ? &from->of[chain] : NULL,
                  &drawn->of[chain]);
    drawn->count = count;
    for (int stage = 0; stage < EARLY_STAGES; stage++)
        observations_free(&s.early[stage]);
    free(s.memory);
    return status;
}
