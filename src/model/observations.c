#include "model/observations.h"

#include "core/error.h"
#include "model/kernel.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

besd_status observations_init(observations *o, size_t dimension, besd_error *error) {
    memset(o, 0, sizeof *o);
    if (dimension < 1 || dimension > MODEL_MAX_DIMENSION)
        return besd_fail(error, BESD_INVALID, "dimension: expected 1 to %d, got %zu",
                         MODEL_MAX_DIMENSION, dimension);
    o->dimension = dimension;
    return BESD_OK;
}

void observations_free(observations *o) {
    free(o->theta);
    free(o->share);
    free(o->level);
    free(o->reps);
    free(o->mean);
    free(o->within);
    free(o->task);
    memset(o, 0, sizeof *o);
}

static bool grow(void **array, size_t count, size_t size) {
    void *grown = realloc(*array, count * size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

static besd_status reserve(observations *o, size_t capacity, besd_error *error) {
    if (!grow((void **)&o->theta, capacity * o->dimension, sizeof *o->theta) ||
        !grow((void **)&o->share, capacity, sizeof *o->share) ||
        !grow((void **)&o->level, capacity, sizeof *o->level) ||
        !grow((void **)&o->reps, capacity, sizeof *o->reps) ||
        !grow((void **)&o->mean, capacity, sizeof *o->mean) ||
        !grow((void **)&o->within, capacity, sizeof *o->within) ||
        !grow((void **)&o->task, capacity, sizeof *o->task))
        return besd_fail_memory(error, "observations");
    o->capacity = capacity;
    return BESD_OK;
}

besd_status observations_add(observations *o, const double *theta, double share, int level,
                             double reps, double mean, double within, besd_error *error) {
    if (o->count == o->capacity) {
        besd_status status = reserve(o, 2 * o->capacity + 16, error);
        if (status != BESD_OK)
            return status;
    }
    memcpy(o->theta + o->count * o->dimension, theta, o->dimension * sizeof *theta);
    o->share[o->count] = share;
    o->level[o->count] = level;
    o->reps[o->count] = reps;
    o->mean[o->count] = mean;
    o->within[o->count] = within;
    o->task[o->count] = 0;
    o->count++;
    return BESD_OK;
}

besd_status observations_copy(observations *to, const observations *from, size_t j,
                              besd_error *error) {
    besd_status status =
        observations_add(to, from->theta + j * from->dimension, from->share[j], from->level[j],
                         from->reps[j], from->mean[j], from->within[j], error);
    if (status == BESD_OK)
        to->task[to->count - 1] = from->task[j];
    return status;
}

double observation_mean(const observations *o, const hyperparameters *h, size_t j) {
    return tasks_is_source(o->tasks, o->task[j]) < 0 ? kernel_mean(h, o->share[j]) : 0;
}

double observation_noise(const observations *o, const hyperparameters *h, size_t j) {
    int source = tasks_is_source(o->tasks, o->task[j]);
    return source < 0 ? noise_variance(h, o->level[j], o->reps[j])
                      : h->tasks.noise[source] / o->reps[j];
}

double observation_rep_variance(const observations *o, const hyperparameters *h, size_t j) {
    int source = tasks_is_source(o->tasks, o->task[j]);
    return source < 0 ? h->rep_variance[o->level[j]] : h->tasks.noise[source];
}

besd_status observations_thin(const observations *o, size_t count, size_t wanted,
                              observations *some, besd_error *error) {
    size_t kept = count < wanted ? count : wanted;
    besd_status status = observations_init(some, o->dimension, error);
    for (size_t i = 0; status == BESD_OK && i < kept; i++) {
        size_t j = i * count / kept;
        status = observations_copy(some, o, j, error);
    }
    some->tasks = o->tasks;
    return status;
}

/* A variance below this share of the squared mean is rounding error. */
static const double ROUNDING = 1e-28;

/* The variance of scores that are all equal: a thousandth of their size, squared; for zeros any
 * number will do. */
static const double EQUAL_SHARE = 1e-6, EQUAL_VARIANCE = 1e-12;

/* The variance of scores so small that their squares underflow. */
static const double SMALLEST_VARIANCE = 1e-200;

/* Rough shares of the scores' variance: noise between trials, and within trials that were not
 * replicated; the least noise within trials whose scores are equal; the least signal when noise
 * seems to explain everything. */
static const double NOISE_SHARE = 0.1, LEAST_REP_SHARE = 1e-3, LEAST_SIGNAL_SHARE = 0.1;

static bool is_own(const observations *o, size_t j) {
    return tasks_is_source(o->tasks, o->task[j]) < 0;
}

variance_estimates estimate_variances(const observations *o) {
    double mean = 0, total = 0, within = 0, freedom = 0, per_rep = 0, n = 0;
    for (size_t j = 0; j < o->count; j++)
        n += is_own(o, j);
    for (size_t j = 0; j < o->count; j++)
        mean += is_own(o, j) ? o->mean[j] / n : 0;
    for (size_t j = 0; j < o->count; j++) {
        if (!is_own(o, j))
            continue;
        total += (o->mean[j] - mean) * (o->mean[j] - mean) / fmax(1, n - 1);
        within += o->within[j];
        freedom += o->reps[j] - 1;
        per_rep += 1 / o->reps[j] / n;
    }
    double pooled = freedom > 0 ? within / freedom : 0;
    if (total <= ROUNDING * mean * mean) /* a single trial, or all are equal */
        total = fmax(pooled, mean != 0 ? EQUAL_SHARE * mean * mean : EQUAL_VARIANCE);
    total = fmax(total, SMALLEST_VARIANCE);
    double rep = fmax(freedom > 0 ? pooled : NOISE_SHARE * total, LEAST_REP_SHARE * total);
    double env = NOISE_SHARE * total;
    double signal = fmax(total - env - per_rep * rep, LEAST_SIGNAL_SHARE * total);
    return (variance_estimates){.signal = signal, .env = env, .rep = rep};
}
