#include "study/confirm.h"

#include "core/error.h"
#include "core/normal.h"
#include "study/best_design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The model's doubt about a single design, beside what it says itself: this share of the prior
 * standard deviation. */
static const double DOUBT = 0.5;

bool confirm_is_due(const study_spec *spec, const evidence *e, double affordable) {
    const besd_study_options *o = &spec->options;
    double cheapest = spec_cost(spec, (int)o->tau_count - 1, 0);
    return o->confirm > 0 && o->model == BESD_MODEL_AVERAGED && isfinite(o->budget) &&
           e->told > 0 && cheapest <= affordable && affordable <= o->confirm * o->budget;
}

const confirm_candidate *confirm_find(const confirm *c, const double *theta, size_t dimension) {
    for (size_t i = 0; i < c->count; i++)
        if (!memcmp(c->candidates[i].theta, theta, dimension * sizeof *theta))
            return &c->candidates[i];
    return NULL;
}

/* A model that expects more of a design than is possible is wrong there by at least the rest; one
 * that nobody has tried would otherwise be recommended before all that were confirmed. */
static double possible(const study_spec *spec, double mean) {
    double best = spec->options.best_possible;
    return isinf(best) ? mean : fmin(mean, spec_to_model(spec, best));
}

static void add(confirm *c, const study_spec *spec, const mixture *model, const double *theta) {
    double unit[BESD_MAX_DIMENSION], variance;
    if (c->count == CONFIRM_MOST || confirm_find(c, theta, spec->options.dimension))
        return;
    confirm_candidate *one = &c->candidates[c->count++];
    *one = (confirm_candidate){0};
    memcpy(one->theta, theta, spec->options.dimension * sizeof *theta);
    spec_to_unit(spec, theta, unit);
    one->mean = possible(spec, mixture_predict(model, unit, 1, &variance, NULL));
    one->variance = variance + DOUBT * DOUBT * mixture_prior_variance(model);
}

static double noise_of(const study_spec *spec, const mixture *model, double reps) {
    return mixture_noise(model, (int)spec->options.tau_count - 1, reps);
}

/* What the confirming trials say. */
static void learn(confirm *c, const study_spec *spec, const evidence *e, const mixture *model) {
    for (size_t i = 0; i < e->count; i++) {
        const trial_record *r = &e->trials[i];
        if (!evidence_confirms(e, &r->trial) || r->trial.state != BESD_TRIAL_TOLD)
            continue;
        for (size_t k = 0; k < c->count; k++) {
            confirm_candidate *one = &c->candidates[k];
            if (memcmp(one->theta, r->trial.theta, spec->options.dimension * sizeof(double)) != 0)
                continue;
            double noise = noise_of(spec, model, (double)r->trial.score_count);
            double gain = one->variance / (one->variance + noise);
            one->mean += gain * (r->model_mean - one->mean);
            one->variance *= 1 - gain;
            one->observed++;
        }
    }
}

typedef struct promise {
    double value;
    size_t trial;
} promise;

static int by_value(const void *x, const void *y) {
    const promise *a = x, *b = y;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->trial < b->trial ? -1 : a->trial > b->trial;
}

besd_status confirm_init(confirm *c, const study_spec *spec, const evidence *e,
                         const mixture *model, const double *best, besd_error *error) {
    double theta[BESD_MAX_DIMENSION];
    promise *promises = malloc((e->count + 1) * sizeof *promises);
    size_t count = 0;
    if (!promises)
        return besd_fail_memory(error, "the candidates");
    *c = (confirm){0};
    for (size_t i = 0; i < e->count; i++) {
        double unit[BESD_MAX_DIMENSION], variance;
        const besd_trial *t = &e->trials[i].trial;
        if (t->state != BESD_TRIAL_TOLD || evidence_confirms(e, t))
            continue;
        spec_to_unit(spec, t->theta, unit);
        double mean = mixture_predict(model, unit, 1, &variance, NULL);
        promises[count++] = (promise){mean + sqrt(variance), i};
    }
    qsort(promises, count, sizeof *promises, by_value);
    spec_to_user(spec, best, theta);
    add(c, spec, model, theta);
    for (size_t i = 0; i < e->count; i++) /* what was confirmed stays one of them */
        if (e->trials[i].trial.state == BESD_TRIAL_TOLD &&
            evidence_confirms(e, &e->trials[i].trial))
            add(c, spec, model, e->trials[i].trial.theta);
    for (size_t i = 0; i < count; i++)
        add(c, spec, model, e->trials[promises[i].trial].trial.theta);
    free(promises);
    learn(c, spec, e, model);
    return BESD_OK;
}

/* log nu of one more trial of a candidate. */
static double log_gain(const confirm *c, size_t which, double noise) {
    const confirm_candidate *one = &c->candidates[which];
    double other = -INFINITY, b = one->variance / sqrt(one->variance + noise);
    for (size_t i = 0; i < c->count; i++)
        if (i != which)
            other = fmax(other, c->candidates[i].mean);
    return log(b) + normal_log_improvement(-fabs(one->mean - other) / b);
}

besd_status choose_confirm(turn *t, besd_error *error) {
    const besd_study_options *o = &t->spec->options;
    confirm c;
    double best[BESD_MAX_DIMENSION], mean, highest = -INFINITY;
    int tau = (int)o->tau_count - 1, chosen_reps = 0;
    size_t chosen = 0;
    besd_status status =
        best_design(t->spec, t->model, t->evidence, t->targets, best, &mean, error);
    if (status == BESD_OK)
        status = confirm_init(&c, t->spec, t->evidence, t->model, best, error);
    if (status != BESD_OK)
        return status;
    for (size_t i = 0; c.count > 1 && i < c.count; i++)
        for (int r = 0; r < (int)o->reps_count; r++) {
            double cost = spec_cost(t->spec, tau, r);
            double noise = noise_of(t->spec, t->model, t->spec->reps[r]);
            double score = cost <= t->affordable ? log_gain(&c, i, noise) - log(cost) : -INFINITY;
            if (score > highest) {
                highest = score;
                chosen = i;
                chosen_reps = r;
            }
        }
    memcpy(t->trial->theta, c.candidates[chosen].theta, o->dimension * sizeof(double));
    t->trial->tau = t->spec->taus[tau];
    t->trial->reps = t->spec->reps[chosen_reps];
    t->trial->reason = BESD_REASON_CONFIRM;
    return BESD_OK;
}

const confirm_candidate *confirm_best(const confirm *c, double caution) {
    const confirm_candidate *best = &c->candidates[0];
    for (size_t i = 1; i < c->count; i++) {
        const confirm_candidate *one = &c->candidates[i];
        if (one->mean - caution * sqrt(one->variance) > best->mean - caution * sqrt(best->variance))
            best = one;
    }
    return best;
}
