#include "study/choose_confirm.h"

#include "core/error.h"
#include "core/stats.h"
#include "study/choose.h"
#include "study/forecast_state.h"
#include "study/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far the truth about a single design may be from what the model says, beside the model's own
 * standard deviation: this share of the prior standard deviation. (The doubt in forecasts is
 * another one: forecast.c.) */
static const double DOUBT_IN_ONE_DESIGN = 0.5;

/* So many standard deviations are a surprise. */
static const double SURPRISE = 3;

/* The recommended design has at least this many trainings at the largest tau, where the budget
 * allows. */
enum { MEASURED_ENOUGH = 2 };

bool confirm_is_due(const study_spec *spec, const evidence *e, double affordable) {
    const besd_study_options *o = &spec->options;
    double cheapest = spec_cost(spec, (int)o->tau_count - 1, 0);
    return o->confirm > 0 && o->model == BESD_MODEL_AVERAGED && isfinite(o->budget) &&
           e->told > 0 && cheapest <= affordable && affordable <= o->confirm * o->budget;
}

bool confirm_is_over(const study_spec *spec, const evidence *e, double affordable) {
    bool begun = false;
    for (size_t i = 0; i < e->count; i++)
        begun = begun || (evidence_confirms(e, &e->trials[i].trial) &&
                          (record_is_told(&e->trials[i]) || record_is_pending(&e->trials[i])));
    return begun && affordable < spec_cost(spec, (int)spec->options.tau_count - 1, 0);
}

/* The number of the candidate that is this design; c->count when there is none. */
static size_t find(const confirm *c, const double *theta, size_t dimension) {
    size_t i = 0;
    while (i < c->count && memcmp(c->candidates[i].theta, theta, dimension * sizeof *theta) != 0)
        i++;
    return i;
}

/* A model that expects more of a design than is possible is wrong there by at least the difference.
 * Without this limit such a design would be recommended untried, before all that were confirmed. */
static double possible(const study_spec *spec, const double *theta, double mean) {
    double best = path_best_possible(spec, theta);
    return isinf(best) ? mean : fmin(mean, spec_to_model(spec, best));
}

/* The variance of the outcomes when the model has seen none that differ and confirming trials have
 * shown some: such a model does not know how large a difference is. Otherwise 0. */
static double unknown_to_model(const study_spec *spec, const evidence *e) {
    double spread = e->confirmed && explore_is_blind(spec, e) ? forecast_spread(e) : 0;
    return spread * spread;
}

/* Whether such a difference is one of designs or of agents nobody knows, so the noise is as large
 * as the doubt. */
static double noise_of(const study_spec *spec, const evidence *e, const mixture *model,
                       double reps) {
    double unknown = DOUBT_IN_ONE_DESIGN * DOUBT_IN_ONE_DESIGN * unknown_to_model(spec, e);
    return fmax(mixture_noise(model, (int)spec->options.tau_count - 1, reps), unknown / reps);
}

/* Moves a candidate by the outcome of a trial with this noise. What surprises by more than
 * SURPRISE standard deviations makes nobody sure: model or noise is wrong there. */
static void observe(confirm_candidate *one, double noise, double outcome) {
    double gain = one->variance / (one->variance + noise);
    double away = (outcome - one->mean) / SURPRISE;
    one->surprise += fmax(0, away * away - one->variance - noise);
    one->mean += gain * (outcome - one->mean);
    one->variance *= 1 - gain;
    one->doubt *= 1 - gain;
}

/* Does this trial confirm the candidate? */
static bool is_of(const confirm_candidate *one, const study_spec *spec, const evidence *e,
                  const trial_record *r) {
    return evidence_confirms(e, &r->trial) &&
           !memcmp(one->theta, r->trial.theta, spec->options.dimension * sizeof *one->theta);
}

/* Is it a trial of this design at the largest tau? */
static bool is_full(const study_spec *spec, const trial_record *r, const double *theta) {
    return r->trial.tau == spec_tau_max(spec) &&
           !memcmp(theta, r->trial.theta, spec->options.dimension * sizeof *theta);
}

confirm_candidate confirm_judge(const study_spec *spec, const evidence *e, const mixture *model,
                                const double *theta) {
    double unit[BESD_MAX_DIMENSION];
    double scale = fmax(mixture_prior_variance(model), unknown_to_model(spec, e));
    confirm_candidate one = {.doubt = DOUBT_IN_ONE_DESIGN * DOUBT_IN_ONE_DESIGN * scale};
    memcpy(one.theta, theta, spec->options.dimension * sizeof *theta);
    spec_to_unit(spec, theta, unit);
    one.mean = possible(spec, theta, mixture_predict(model, unit, 1, &one.variance, NULL));
    one.variance += one.doubt;
    for (size_t i = 0; i < e->count; i++) {
        const trial_record *r = &e->trials[i];
        if (is_full(spec, r, theta)) {
            one.measured += record_is_told(r) ? (int)r->trial.score_count : 0;
            one.expected += record_is_pending(r) ? r->trial.reps : 0;
        }
        if (!record_is_told(r) || !is_of(&one, spec, e, r))
            continue;
        observe(&one, noise_of(spec, e, model, (double)r->trial.score_count), r->model_mean);
        one.observed++;
    }
    one.surprise /= fmax(1, one.observed);
    return one;
}

/* Trials that are under way make the candidate surer. They are expected to find its mean. */
static void anticipate(confirm_candidate *one, const turn *t) {
    for (size_t i = 0; i < t->evidence->count; i++) {
        const trial_record *r = &t->evidence->trials[i];
        if (record_is_pending(r) && is_of(one, t->spec, t->evidence, r))
            observe(one, noise_of(t->spec, t->evidence, t->model, r->trial.reps), one->mean);
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

/* The tried designs, the most promising by the model first. */
static size_t find_promises(const study_spec *spec, const evidence *e, const mixture *model,
                            promise *promises) {
    size_t count = 0;
    for (size_t i = 0; i < e->count; i++) {
        double unit[BESD_MAX_DIMENSION], variance;
        if (!evidence_shows(e, i) || evidence_confirms(e, &e->trials[i].trial))
            continue;
        spec_to_unit(spec, e->trials[i].trial.theta, unit);
        double mean = mixture_predict(model, unit, 1, &variance, NULL);
        promises[count++] = (promise){mean + sqrt(variance), i};
    }
    qsort(promises, count, sizeof *promises, by_value);
    return count;
}

/* The place after the newest trial that the study asked for to learn something else. Confirming
 * trials before it belong to an earlier end of the budget, which was raised since. */
static size_t find_end(const evidence *e) {
    size_t end = 0;
    for (size_t i = 0; i < e->count; i++)
        if (record_is_own(&e->trials[i]) && !evidence_confirms(e, &e->trials[i].trial))
            end = i + 1;
    return end;
}

/* Adds a candidate, if it is new. */
static void add(confirm *c, const study_spec *spec, const evidence *e, const mixture *model,
                const double *theta) {
    if (find(c, theta, spec->options.dimension) == c->count)
        c->candidates[c->count++] = confirm_judge(spec, e, model, theta);
}

/* Adds the designs that were or are being confirmed by the trials from `first` to before `end`. */
static void add_confirmed(confirm *c, const study_spec *spec, const evidence *e,
                          const mixture *model, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        const trial_record *r = &e->trials[i];
        if (evidence_confirms(e, &r->trial) && (record_is_told(r) || record_is_pending(r)))
            add(c, spec, e, model, r->trial.theta);
    }
}

besd_status confirm_init(confirm *c, const study_spec *spec, const evidence *e,
                         const mixture *model, const double *best, besd_error *error) {
    promise *promises = malloc((e->count + 1) * sizeof *promises);
    *c = (confirm){.candidates = malloc((e->count + 1) * sizeof *c->candidates)};
    besd_status status =
        promises && c->candidates ? BESD_OK : besd_fail_memory(error, "the candidates");
    if (status == BESD_OK) {
        size_t end = find_end(e), count = find_promises(spec, e, model, promises);
        add(c, spec, e, model, best);
        add_confirmed(c, spec, e, model, end, e->count);
        for (size_t i = 0; i < count && c->count < CONFIRM_MOST; i++)
            add(c, spec, e, model, e->trials[promises[i].trial].trial.theta);
        add_confirmed(c, spec, e, model, 0, end);
    } else {
        confirm_free(c);
    }
    free(promises);
    return status;
}

void confirm_free(confirm *c) {
    free(c->candidates);
    *c = (confirm){0};
}

/* The candidate with the largest mean - caution * sd; of those that were measured, unless
 * `unmeasured` ones count as well. NULL: there is none. */
static const confirm_candidate *best_of(const confirm *c, double caution, bool unmeasured) {
    const confirm_candidate *best = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const confirm_candidate *one = &c->candidates[i];
        if ((one->measured || unmeasured) &&
            (!best || one->mean - caution * sqrt(one->variance) >
                          best->mean - caution * sqrt(best->variance)))
            best = one;
    }
    return best;
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

static void explain(const turn *t, const confirm *c, const confirm_candidate *chosen,
                    bool settles) {
    besd_explanation *x = t->explanation;
    if (!x)
        return;
    memset(x, 0, sizeof *x);
    if (settles)
        snprintf(x->why, sizeof x->why,
                 "the last training that the budget pays for goes to the design that would be "
                 "recommended, which was trained at the largest tau %s",
                 chosen->measured ? "once" : "never");
    else
        snprintf(
            x->why, sizeof x->why,
            "the end of the budget trains the %zu best designs again, each on its own; of this one "
            "%d such trial%s told, and another has the largest knowledge gradient per cost",
            c->count, chosen->observed, chosen->observed == 1 ? " was" : "s were");
}

/* The trial with the largest knowledge gradient per cost; the only candidate, if there is one. */
static size_t find_most_gain(const turn *t, const confirm *c, int *chosen_reps) {
    int tau = (int)t->spec->options.tau_count - 1;
    double highest = -INFINITY;
    size_t chosen = 0;
    for (size_t i = 0; c->count > 1 && i < c->count; i++)
        for (int r = 0; r < (int)t->spec->options.reps_count; r++) {
            double cost = spec_cost(t->spec, tau, r);
            double noise = noise_of(t->spec, t->evidence, t->model, t->spec->reps[r]);
            double score = cost <= t->affordable ? log_gain(c, i, noise) - log(cost) : -INFINITY;
            if (score > highest) {
                highest = score;
                chosen = i;
                *chosen_reps = r;
            }
        }
    return chosen;
}

/* Does the budget pay for one training at the largest tau, and no more? */
static bool is_last(const turn *t) {
    return t->affordable < 2 * spec_cost(t->spec, (int)t->spec->options.tau_count - 1, 0);
}

static void choose_among(turn *t, confirm *c) {
    const besd_study_options *o = &t->spec->options;
    int tau = (int)o->tau_count - 1, chosen_reps = 0;
    for (size_t i = 0; i < c->count; i++)
        anticipate(&c->candidates[i], t);
    size_t chosen = find_most_gain(t, c, &chosen_reps);
    size_t best = (size_t)(best_of(c, o->caution, true) - c->candidates);
    bool settles =
        is_last(t) && c->candidates[best].measured + c->candidates[best].expected < MEASURED_ENOUGH;
    if (settles) {
        chosen = best;
        chosen_reps = 0;
    }
    memcpy(t->trial->theta, c->candidates[chosen].theta, o->dimension * sizeof(double));
    t->trial->tau = t->spec->taus[tau];
    t->trial->reps = t->spec->reps[chosen_reps];
    t->trial->reason = BESD_REASON_CONFIRM;
    explain(t, c, &c->candidates[chosen], settles);
}

besd_status choose_confirm(turn *t, besd_error *error) {
    confirm c;
    double best[BESD_MAX_DIMENSION], theta[BESD_MAX_DIMENSION], mean;
    besd_status status =
        best_design(t->spec, t->model, t->evidence, t->targets, best, &mean, error);
    if (status != BESD_OK)
        return status;
    spec_to_user(t->spec, best, theta);
    status = confirm_init(&c, t->spec, t->evidence, t->model, theta, error);
    if (status != BESD_OK)
        return status;
    choose_among(t, &c);
    confirm_free(&c);
    return BESD_OK;
}

const confirm_candidate *confirm_best(const confirm *c, double caution) {
    const confirm_candidate *measured = best_of(c, caution, false);
    return measured ? measured : best_of(c, caution, true);
}
