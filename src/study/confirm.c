#include "study/confirm.h"

#include "core/error.h"
#include "core/normal.h"
#include "study/best_design.h"
#include "study/path.h"

#include <math.h>
#include <stdio.h>
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

/* The number of the candidate that is this design; that of all when there is none. */
static size_t find(const confirm *c, const double *theta, size_t dimension) {
    size_t i = 0;
    while (i < c->count && memcmp(c->candidates[i].theta, theta, dimension * sizeof *theta) != 0)
        i++;
    return i;
}

const confirm_candidate *confirm_find(const confirm *c, const double *theta, size_t dimension) {
    size_t i = find(c, theta, dimension);
    return i < c->count ? &c->candidates[i] : NULL;
}

/* A model that expects more of a design than is possible is wrong there by at least the rest; one
 * that nobody has tried would otherwise be recommended before all that were confirmed. */
static double possible(const study_spec *spec, const double *theta, double mean) {
    double best = path_best_possible(spec, theta);
    return isinf(best) ? mean : fmin(mean, spec_to_model(spec, best));
}

static void add(confirm *c, const study_spec *spec, const mixture *model, const double *theta) {
    double unit[BESD_MAX_DIMENSION], variance;
    if (c->count > CONFIRM_MOST || find(c, theta, spec->options.dimension) < c->count)
        return;
    confirm_candidate *one = &c->candidates[c->count++];
    *one = (confirm_candidate){0};
    memcpy(one->theta, theta, spec->options.dimension * sizeof *theta);
    spec_to_unit(spec, theta, unit);
    one->mean = possible(spec, theta, mixture_predict(model, unit, 1, &variance, NULL));
    one->variance = variance + DOUBT * DOUBT * mixture_prior_variance(model);
}

static double noise_of(const study_spec *spec, const mixture *model, double reps) {
    return mixture_noise(model, (int)spec->options.tau_count - 1, reps);
}

/* What a trial of so many replications says of a design. */
static void observe(confirm_candidate *one, double noise, double outcome) {
    double gain = one->variance / (one->variance + noise);
    one->mean += gain * (outcome - one->mean);
    one->variance *= 1 - gain;
}

/* What the confirming trials say. */
static void learn(confirm *c, const study_spec *spec, const evidence *e, const mixture *model) {
    for (size_t i = 0; i < e->count; i++) {
        const trial_record *r = &e->trials[i];
        size_t k = find(c, r->trial.theta, spec->options.dimension);
        if (k == c->count || !evidence_confirms(e, &r->trial) || !record_is_told(r))
            continue;
        observe(&c->candidates[k], noise_of(spec, model, (double)r->trial.score_count),
                r->model_mean);
        c->candidates[k].observed++;
    }
}

/* What those that are under way will say, as far as it is known: how much surer one will be. */
static void anticipate(confirm *c, const turn *t) {
    for (size_t i = 0; i < t->evidence->count; i++) {
        const trial_record *r = &t->evidence->trials[i];
        size_t k = find(c, r->trial.theta, t->spec->options.dimension);
        if (k < c->count && evidence_confirms(t->evidence, &r->trial) && record_is_pending(r))
            observe(&c->candidates[k], noise_of(t->spec, t->model, r->trial.reps),
                    c->candidates[k].mean);
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
        if (!record_is_told(&e->trials[i]) || evidence_confirms(e, t))
            continue;
        spec_to_unit(spec, t->theta, unit);
        double mean = mixture_predict(model, unit, 1, &variance, NULL);
        promises[count++] = (promise){mean + sqrt(variance), i};
    }
    qsort(promises, count, sizeof *promises, by_value);
    spec_to_user(spec, best, theta);
    add(c, spec, model, theta);
    for (size_t i = 0; i < e->count; i++) /* what was confirmed stays one of them */
        if (record_is_told(&e->trials[i]) && evidence_confirms(e, &e->trials[i].trial))
            add(c, spec, model, e->trials[i].trial.theta);
    for (size_t i = 0; i < count && c->count < CONFIRM_MOST; i++)
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

static void explain(const turn *t, const confirm *c, const confirm_candidate *chosen) {
    besd_explanation *x = t->explanation;
    if (!x)
        return;
    memset(x, 0, sizeof *x);
    snprintf(
        x->why, sizeof x->why,
        "the end of the budget trains the %zu best designs again, each on its own; of this one "
        "%d such trial%s told, and another has the largest knowledge gradient per cost",
        c->count, chosen->observed, chosen->observed == 1 ? " was" : "s were");
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
    anticipate(&c, t);
    /* when others have all the places, the model's own is not trained again */
    for (size_t i = c.count > CONFIRM_MOST; c.count > 1 && i < c.count; i++)
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
    explain(t, &c, &c.candidates[chosen]);
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
