/* Forecasts: what the draws of the model say, their doubt in themselves, and how both become a
 * score and an interval. Quantiles and ranges are in forecast_quantiles.c, the step from logarithms
 * to mean scores is in forecast_shortfall.c. */
#include "study/forecast_state.h"

#include "core/error.h"
#include "core/stats.h"
#include "study/choose.h"
#include "study/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The interval leaves out this probability on either side: it is a 90 % interval. */
static const double TAIL = 0.05;

/* The doubt of the averaged model in its forecasts when it has many trials, in prior standard
 * deviations. Measured on the develop half of the suite. */
static const double DOUBT_IN_FORECASTS = 0.3;

/* With this many told trials the variance of the doubt is twice as large as with very many.
 * Measured on the develop half of the suite. */
static const double FEW_TRIALS = 80;

/* The smallest prior variance of logarithms that the doubt is computed from: scores can differ by
 * factors even if the scores so far did not. */
static const double LEAST_LOG_VARIANCE = 0.25;

/* The shortfall of logarithms is known up to this share of itself, or so. */
static const double DOUBT_IN_SHORTFALL = 0.5;

/* Most agents fail alike when a larger share of the trials does. */
static const double FLAT = 0.5;

/* Outcomes of fewer trials say nothing about how much outcomes differ. */
enum { FEWEST_TRIALS = 3 };

/* The next design may show what no trial has shown. By the rule of succession one in told + 2 does,
 * and then its gain is uniform from 0 to what is possible: its mean square is a third of gap^2.
 * Without this part a model of trials that all failed alike would be sure that everything fails. */
static double unseen_gain(const study_spec *spec, const evidence *e, const double *theta,
                          double mean) {
    double best = path_best_possible(spec, theta);
    double gap = isinf(best) ? 0 : spec_to_model(spec, best) - mean;
    return isfinite(gap) && gap > 0 ? gap * gap / 3 / ((double)e->told + 2) : 0;
}

double forecast_doubt(const study_spec *spec, const evidence *e, const mixture *model,
                      const double *theta, double mean) {
    double variance = mixture_prior_variance(model);
    if (model->count == 1)
        return 0;
    if (spec->options.transform == BESD_TRANSFORM_LOG)
        variance = fmax(variance, LEAST_LOG_VARIANCE);
    return DOUBT_IN_FORECASTS * DOUBT_IN_FORECASTS * variance *
               (1 + FEW_TRIALS / fmax((double)e->told, 1)) +
           unseen_gain(spec, e, theta, mean);
}

/* What agents of this design may do as none of a like design has: mean squares. */
typedef struct surprises {
    double worse, better;
} surprises;

/* By the rule of succession one agent in like + 2 fails as badly as can be, or as the worst
 * trial where that is not known. Where most agents fail alike, one in as many does as well as the
 * best trial: otherwise a model of failures would be sure of failing. */
static surprises unseen_outcomes(const forecast_basis *b, const double *theta, int64_t tau,
                                 double mean) {
    double worst = mean, best = mean;
    if (!b->model || b->model->count == 1)
        return (surprises){0};
    for (size_t i = 0; i < b->e->count; i++)
        if (record_is_told(&b->e->trials[i])) {
            worst = fmin(worst, b->e->trials[i].model_mean);
            best = fmax(best, b->e->trials[i].model_mean);
        }
    double possible = path_worst_possible(b->spec, theta);
    if (isfinite(possible) && isfinite(spec_to_model(b->spec, possible)))
        worst = fmin(worst, spec_to_model(b->spec, possible));
    if (!(explore_flatness(b->e) > FLAT))
        best = mean;
    double agents = forecast_like(b, theta, tau, mean) + 2;
    return (surprises){(mean - worst) * (mean - worst) / agents,
                       (best - mean) * (best - mean) / agents};
}

/* The quantile of an outlook with more variance. */
static double quantile_with(const outlook *o, double more, double p) {
    outlook wider = *o;
    for (size_t i = 0; i < wider.count; i++)
        wider.variance[i] += more;
    return outlook_quantile(&wider, p);
}

/* Can an interval be given? Outcomes that are all the same say nothing about how much outcomes
 * differ, unless it is known what is possible and the model doubts itself up to there. */
static bool says_how_sure(const forecast_basis *b) {
    bool doubts = b->model && b->model->count > 1 && !isinf(b->spec->options.best_possible);
    return b->e->told + b->e->confirmed >= FEWEST_TRIALS && (b->differ > 0 || doubts);
}

/* How often exactly this design was tried at the largest tau. */
static int64_t count_tried(const forecast_basis *b, const double *theta) {
    int64_t tried = 0;
    size_t size = b->spec->options.dimension * sizeof *theta;
    for (size_t i = 0; i < b->e->count; i++) {
        const besd_trial *t = &b->e->trials[i].trial;
        tried += record_is_told(&b->e->trials[i]) && t->tau == spec_tau_max(b->spec) &&
                 !memcmp(theta, t->theta, size);
    }
    return tried;
}

/* The probability to beat the baseline; lift: the shortfall of logarithms. */
static double beats(const outlook *o, const besd_study_options *options, double lift) {
    bool logarithm = options->transform == BESD_TRANSFORM_LOG;
    double sign = options->direction == BESD_MINIMIZE ? -1 : 1;
    double bar = sign * (logarithm ? log(options->baseline) - lift : options->baseline);
    return outlook_beats(o, bar, options->baseline_error / (logarithm ? options->baseline : 1));
}

/* Fills in all but mean and sd. Doubt makes the interval wider and does not change the expected
 * score, with one exception: what is better than possible is cut off, which makes the expected
 * score worse. At the worse end nothing is cut: when all trials reach the cap, doubt is no reason
 * to expect a better score. What no like trial has shown moves one end alone. */
static void fill(const forecast_basis *b, const double *theta, int64_t tau, outlook *o,
                 besd_forecast *f) {
    const besd_study_options *options = &b->spec->options;
    const score_range r = score_range_find(b, theta), better = score_range_better_end(b->spec, &r);
    bool logarithm = options->transform == BESD_TRANSFORM_LOG;
    double sign = options->direction == BESD_MINIMIZE ? -1 : 1;
    double lift = logarithm ? forecast_shortfall(b, theta, tau, f->mean) : 0;
    double doubt = o->doubt + lift * lift * (DOUBT_IN_SHORTFALL * DOUBT_IN_SHORTFALL);
    f->value = 0;
    for (size_t i = 0; i < o->count; i++) {
        double centre = sign * o->mean[i] + (logarithm ? lift - doubt / 2 : 0);
        o->variance[i] += doubt;
        f->value +=
            score_range_clipped_mean(&better, centre, o->variance[i], logarithm) / (double)o->count;
    }
    f->value = score_range_clip(&r, f->value);
    surprises unseen = unseen_outcomes(b, theta, tau, f->mean);
    double best = spec_score(options, quantile_with(o, unseen.better, 1 - TAIL)) * exp(lift);
    double worst = spec_score(options, quantile_with(o, unseen.worse, TAIL)) * exp(lift);
    bool sure = says_how_sure(b);
    f->better = isinf(options->baseline) || !sure ? NAN : beats(o, options, lift);
    f->low = sure ? score_range_clip(&r, fmin(worst, best)) : -INFINITY;
    f->high = sure ? score_range_clip(&r, fmax(worst, best)) : INFINITY;
    f->tried = count_tried(b, theta);
}

/* The forecast by what the draws say. */
static void judge(const forecast_basis *b, const double *theta, int64_t tau, outlook *o,
                  besd_forecast *f) {
    double within = 0, between = 0, count = (double)o->count;
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < o->count; i++) {
        f->mean += o->mean[i] / count;
        within += o->variance[i] / count;
    }
    for (size_t i = 0; i < o->count; i++)
        between += (o->mean[i] - f->mean) * (o->mean[i] - f->mean) / count;
    o->doubt = forecast_doubt(b->spec, b->e, b->model, theta, f->mean);
    f->sd = sqrt(within + between + o->doubt);
    fill(b, theta, tau, o, f);
}

void forecast_model(const study_spec *spec, const evidence *e, const mixture *model,
                    const double *theta, int64_t tau, besd_forecast *f) {
    const forecast_basis b = {spec, e, model, NULL, forecast_spread(e)};
    double unit[BESD_MAX_DIMENSION];
    outlook o = {.count = model->count};
    spec_to_unit(spec, theta, unit);
    for (size_t i = 0; i < o.count; i++)
        o.mean[i] = gp_predict(model->models[i], unit, spec_share(spec, tau), &o.variance[i], NULL);
    judge(&b, theta, tau, &o, f);
}

/* Room for many forecasts at once, in one allocation. */
typedef struct places {
    double *units, *shares;    /* in the unit cube: [count * dimension], [count] */
    double *means, *variances; /* by each draw: [drawn * count] */
    double *expected;          /* of the trials */
} places;

static bool places_init(places *p, size_t count, size_t dimension, size_t drawn, size_t trials) {
    p->units = malloc((count * (dimension + 1 + 2 * drawn) + trials + 1) * sizeof *p->units);
    if (!p->units)
        return false;
    p->shares = p->units + count * dimension;
    p->means = p->shares + count;
    p->variances = p->means + drawn * count;
    p->expected = p->variances + drawn * count;
    return true;
}

static besd_status predict_places(const forecast_basis *b, const double *thetas,
                                  const int64_t *taus, size_t count, places *p, besd_error *error) {
    size_t d = b->spec->options.dimension;
    besd_status status = BESD_OK;
    for (size_t i = 0; i < count; i++) {
        spec_to_unit(b->spec, thetas + i * d, p->units + i * d);
        p->shares[i] = spec_share(b->spec, taus[i]);
    }
    for (size_t i = 0; status == BESD_OK && i < b->model->count; i++)
        status = gp_predict_many(b->model->models[i], p->units, p->shares, count,
                                 p->means + i * count, p->variances + i * count, error);
    for (size_t i = 0; i < b->e->count; i++)
        if (evidence_shows(b->e, i))
            p->expected[i] = forecast_expected(b->spec, b->model, &b->e->trials[i]);
    return status;
}

besd_status forecast_many(const study_spec *spec, const evidence *e, const mixture *model,
                          const double *thetas, const int64_t *taus, size_t count, besd_forecast *f,
                          besd_error *error) {
    size_t d = spec->options.dimension;
    places p;
    if (!places_init(&p, count, d, model->count, e->count))
        return besd_fail_memory(error, "the forecasts");
    const forecast_basis b = {spec, e, model, p.expected, forecast_spread(e)};
    besd_status status = predict_places(&b, thetas, taus, count, &p, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        outlook o = {.count = model->count};
        for (size_t j = 0; j < o.count; j++) {
            o.mean[j] = p.means[j * count + i];
            o.variance[j] = p.variances[j * count + i];
        }
        judge(&b, thetas + i * d, taus[i], &o, &f[i]);
    }
    free(p.units);
    return status;
}

void forecast_alone(const study_spec *spec, const evidence *e, const mixture *model,
                    const double *theta, double mean, double variance, double doubt,
                    besd_forecast *f) {
    const forecast_basis b = {spec, e, model, NULL, forecast_spread(e)};
    outlook o = {.count = 1, .mean = {mean}, .variance = {variance - doubt}, .doubt = doubt};
    *f = (besd_forecast){.mean = mean, .sd = sqrt(variance)};
    fill(&b, theta, spec_tau_max(spec), &o, f);
}
