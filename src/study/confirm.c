#include "study/confirm.h"

#include "core/error.h"
#include "core/normal.h"
#include "study/best_design.h"
#include "study/path.h"

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

const confirm_candidate *confirm_find(const confirm *c, const study_spec *spec,
                                      const double *theta) {
    for (size_t i = 0; i < c->count; i++)
        if (path_is_same(spec, c->candidates[i].theta, theta))
            return &c->candidates[i];
    return NULL;
}

/* A model that expects more of a design than is possible is wrong there by at least the rest; one
 * that nobody has tried would otherwise be recommended before all that were confirmed. */
static double possible(const study_spec *spec, double mean) {
    double best = spec->options.best_possible;
    return isinf(best) ? mean : fmin(mean, spec_to_model(spec, best));
}

static double noise_of(const study_spec *spec, const mixture *model, double reps) {
    return mixture_noise(model, (int)spec->options.tau_count - 1, reps);
}

/* By which candidates are compared. */
static double worth(const confirm_candidate *one) {
    return one->mean + one->luck;
}

/* What the model says of a design, whose sd is noted unless NULL, and then its own full trainings.
 * Those before this phase have taught the model already, and may have made a candidate by luck:
 * they count in the choice, and in nothing that is promised. */
static confirm_candidate judge(const study_spec *spec, const evidence *e, const mixture *model,
                               const double *theta, double *model_sd) {
    double unit[BESD_MAX_DIMENSION], variance;
    confirm_candidate one = {0};
    memcpy(one.theta, theta, spec->options.dimension * sizeof *theta);
    spec_to_unit(spec, theta, unit);
    one.mean = possible(spec, mixture_predict(model, unit, 1, &variance, NULL));
    one.variance = variance + DOUBT * DOUBT * mixture_prior_variance(model);
    if (model_sd)
        *model_sd = sqrt(variance);
    for (size_t i = 0; i < e->count; i++) {
        const trial_record *r = &e->trials[i];
        if (r->trial.state != BESD_TRIAL_TOLD || r->trial.tau != spec_tau_max(spec) ||
            !path_is_same(spec, theta, r->trial.theta))
            continue;
        double noise = noise_of(spec, model, (double)r->trial.score_count);
        double gain = one.variance / (one.variance + noise);
        if (evidence_confirms(e, &r->trial)) {
            one.mean += gain * (r->model_mean - one.mean);
            one.luck *= 1 - gain;
            one.variance *= 1 - gain;
        } else
            one.luck += gain * (r->model_mean - one.mean - one.luck);
        one.observed++;
    }
    return one;
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
    spec_to_user(spec, best, theta);
    c->candidates[c->count++] = judge(spec, e, model, theta, NULL);
    for (size_t i = 0; i < e->count; i++) {
        const besd_trial *t = &e->trials[i].trial;
        if (t->state != BESD_TRIAL_TOLD)
            continue;
        double sd;
        confirm_candidate one = judge(spec, e, model, t->theta, &sd);
        promises[count++] = (promise){evidence_confirms(e, t) ? INFINITY : worth(&one) + sd, i};
    }
    qsort(promises, count, sizeof *promises, by_value);
    for (size_t i = 0; i < count && c->count < CONFIRM_MOST; i++) {
        const double *tried = e->trials[promises[i].trial].trial.theta;
        if (!confirm_find(c, spec, tried))
            c->candidates[c->count++] = judge(spec, e, model, tried, NULL);
    }
    free(promises);
    return BESD_OK;
}

/* log nu of one more trial of a candidate. */
static double log_gain(const confirm *c, size_t which, double noise) {
    const confirm_candidate *one = &c->candidates[which];
    double other = -INFINITY, b = one->variance / sqrt(one->variance + noise);
    for (size_t i = 0; i < c->count; i++)
        if (i != which)
            other = fmax(other, worth(&c->candidates[i]));
    return log(b) + normal_log_improvement(-fabs(worth(one) - other) / b);
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
        if (worth(one) - caution * sqrt(one->variance) >
            worth(best) - caution * sqrt(best->variance))
            best = one;
    }
    return best;
}
