/* What a study knows: recommendation, prediction, hyperparameters, certificate. */
#include "study/study_state.h"

#include "core/error.h"
#include "decide/certificate.h"
#include "study/confirm.h"
#include "study/forecast.h"
#include "study/leg_paths.h"
#include "study/method.h"
#include "study/path.h"
#include "study/recommend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The told design that is theta, but for the digits it was printed with; NULL: none. */
static const double *find_tried(const study_spec *spec, const evidence *e, const double *theta) {
    static const double PRINTED = 1e-5; /* of the box, along every coordinate */
    const double *nearest = NULL;
    double least = PRINTED;
    for (size_t i = 0; i < e->count; i++) {
        const double *tried = e->trials[i].trial.theta;
        double away = 0;
        for (size_t k = 0; k < spec->options.dimension; k++)
            away = fmax(away, fabs(tried[k] - theta[k]) / (spec->high[k] - spec->low[k]));
        if (record_is_told(&e->trials[i]) && (nearest ? away < least : away <= least)) {
            nearest = tried;
            least = away;
        }
    }
    return nearest;
}

/* What is known of a design at the largest tau by its confirming trials; false: it has none. */
static bool judge_confirmed(const study_spec *spec, const evidence *e, const mixture *model,
                            const double *tried, confirm_candidate *one) {
    if (!e->confirmed || !tried)
        return false;
    *one = confirm_judge(spec, e, model, tried);
    return one->observed > 0;
}

/* At the largest tau: by the confirming trials of a design that has some, else by the model. */
static void forecast_full(const study_spec *spec, const evidence *e, const mixture *model,
                          const double *theta, besd_forecast *f) {
    const double *tried = find_tried(spec, e, theta);
    confirm_candidate one;
    if (judge_confirmed(spec, e, model, tried, &one))
        forecast_alone(spec, e, model, tried, one.mean, one.variance, one.doubt, f);
    else
        forecast_model(spec, e, model, tried ? tried : theta, spec_tau_max(spec), f);
}

/* What the recommended design promises; without a model, by its own trial. */
static void promise(const recommending *from, besd_recommendation *r) {
    besd_forecast f;
    if (from->model->count)
        forecast_full(from->spec, from->evidence, from->model, r->theta, &f);
    else
        forecast_alone(from->spec, from->evidence, NULL, r->theta, r->mean, r->sd * r->sd, 0, &f);
    r->mean = f.mean;
    r->sd = f.sd;
    r->value = f.value;
    r->low = f.low;
    r->high = f.high;
    r->tried = f.tried;
    r->better = f.better;
}

besd_status besd_study_recommend(besd_study *s, besd_recommendation *r, besd_error *error) {
    const method_info *method = method_describe(s->spec.options.method);
    view v;
    fitting fit;
    mixture model = {0};
    recommending from = {.spec = &s->spec, .evidence = &v.evidence, .targets = &s->targets};
    besd_status status = study_glance(s, &v, error);
    if (status != BESD_OK)
        return status;
    memset(r, 0, sizeof *r);
    if (method->has_model)
        status = study_model(s, &v, false, &fit, &model, error);
    from.model = &model;
    if (status == BESD_OK)
        status = method->recommend(&from, r, error);
    if (status == BESD_OK)
        promise(&from, r);
    r->trials = (int64_t)(v.evidence.told + v.evidence.confirmed);
    r->cost = v.evidence.spent;
    mixture_free(&model);
    view_free(&v);
    return status;
}

static besd_status fail_level(const study_spec *spec, int64_t tau, besd_error *error) {
    char levels[BESD_MAX_LEVELS * 22] = "";
    int length = 0;
    for (size_t i = 0; i < spec->options.tau_count; i++)
        length += snprintf(levels + length, sizeof levels - (size_t)length, "%s%lld", i ? ", " : "",
                           (long long)spec->taus[i]);
    return besd_fail(error, BESD_INVALID, "tau: %lld is none of the study's levels (%s)",
                     (long long)tau, levels);
}

static besd_status check_place(const study_spec *spec, const double *theta, int64_t tau,
                               besd_error *error) {
    for (size_t i = 0; i < spec->options.dimension; i++)
        if (!(theta[i] >= spec->low[i] && theta[i] <= spec->high[i]))
            return besd_fail(error, BESD_INVALID, "%s: expected a number in [%g, %g], got %g",
                             spec->names[i], spec->low[i], spec->high[i], theta[i]);
    return spec_tau_level(spec, tau) < 0 ? fail_level(spec, tau, error) : BESD_OK;
}

/* Predicts at places of the unit cube; sds hold variances until the end. */
static besd_status predict(besd_study *s, const double *thetas, const double *units,
                           const double *shares, size_t count, double *means, double *sds,
                           besd_error *error) {
    view v;
    fitting fit;
    mixture model = {0};
    besd_status status = study_glance(s, &v, error);
    if (status != BESD_OK)
        return status;
    status = study_model(s, &v, false, &fit, &model, error);
    if (status == BESD_OK)
        status = mixture_predict_many(&model, units, shares, count, means, sds, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        const double *theta = thetas + i * s->spec.options.dimension;
        confirm_candidate one;
        sds[i] = sqrt(sds[i] + forecast_doubt(&s->spec, &v.evidence, &model, theta, means[i]));
        if (shares[i] == 1 && judge_confirmed(&s->spec, &v.evidence, &model,
                                              find_tried(&s->spec, &v.evidence, theta), &one)) {
            means[i] = one.mean;
            sds[i] = sqrt(one.variance);
        }
    }
    mixture_free(&model);
    view_free(&v);
    return status;
}

besd_status besd_study_predict_many(besd_study *s, const double *thetas, const int64_t *taus,
                                    size_t count, double *means, double *sds, besd_error *error) {
    const study_spec *spec = &s->spec;
    size_t d = spec->options.dimension;
    double *units = malloc((count * d + 1) * sizeof *units);
    double *shares = malloc((count + 1) * sizeof *shares);
    besd_status status = units && shares ? BESD_OK : besd_fail_memory(error, "the places");
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        status = check_place(spec, thetas + i * d, taus[i], error);
        spec_to_unit(spec, thetas + i * d, units + i * d);
        shares[i] = (double)taus[i] / (double)spec_tau_max(spec);
    }
    if (status == BESD_OK)
        status = predict(s, thetas, units, shares, count, means, sds, error);
    free(units);
    free(shares);
    return status;
}

besd_status besd_study_predict(besd_study *s, const double *theta, int64_t tau, double *mean,
                               double *sd, besd_error *error) {
    return besd_study_predict_many(s, theta, &tau, 1, mean, sd, error);
}

besd_status besd_study_forecast(besd_study *s, const double *theta, int64_t tau, besd_forecast *f,
                                besd_error *error) {
    view v;
    fitting fit;
    mixture model = {0};
    besd_status status = check_place(&s->spec, theta, tau, error);
    if (status == BESD_OK)
        status = study_glance(s, &v, error);
    if (status != BESD_OK)
        return status;
    status = study_model(s, &v, false, &fit, &model, error);
    if (status == BESD_OK && tau == spec_tau_max(&s->spec))
        forecast_full(&s->spec, &v.evidence, &model, theta, f);
    else if (status == BESD_OK)
        forecast_model(&s->spec, &v.evidence, &model, theta, tau, f);
    mixture_free(&model);
    view_free(&v);
    return status;
}

besd_status besd_study_forecast_many(besd_study *s, const double *thetas, const int64_t *taus,
                                     size_t count, besd_forecast *f, besd_error *error) {
    view v;
    fitting fit;
    mixture model = {0};
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = check_place(&s->spec, thetas + i * s->spec.options.dimension, taus[i], error);
    if (status == BESD_OK)
        status = study_glance(s, &v, error);
    if (status != BESD_OK)
        return status;
    status = study_model(s, &v, false, &fit, &model, error);
    if (status == BESD_OK)
        status = forecast_many(&s->spec, &v.evidence, &model, thetas, taus, count, f, error);
    mixture_free(&model);
    view_free(&v);
    return status;
}

besd_status besd_study_hyperparameters(besd_study *s, besd_hyperparameters *out,
                                       besd_error *error) {
    view v;
    fitting fit;
    besd_status status = study_glance(s, &v, error);
    if (status != BESD_OK)
        return status;
    status = fitting_settle(&s->spec, &v.evidence, &v.kept, &s->looked, &fit, error);
    view_free(&v);
    if (status != BESD_OK)
        return status;
    const hyperparameters h = fit.drawn.of[0];
    memset(out, 0, sizeof *out);
    out->prior_mean = h.prior_mean;
    for (size_t i = 0; i < s->spec.options.dimension; i++)
        out->lengthscales[i] = h.lengthscale[i] * (s->spec.high[i] - s->spec.low[i]);
    const double *l = h.sigma_root;
    out->sigma_phi[0][0] = l[0] * l[0];
    out->sigma_phi[0][1] = out->sigma_phi[1][0] = l[0] * l[1];
    out->sigma_phi[1][1] = l[1] * l[1] + l[2] * l[2];
    out->discrepancy_sd = sqrt(h.discrepancy_variance);
    out->discrepancy_lengthscale = h.discrepancy_lengthscale;
    out->level_count = s->spec.options.tau_count;
    for (size_t i = 0; i < out->level_count; i++) {
        out->env_sd[i] = sqrt(h.env_variance[i]);
        out->rep_sd[i] = sqrt(h.rep_variance[i]);
    }
    return BESD_OK;
}

besd_status besd_study_certify(besd_study *s, double delta, besd_certificate *c,
                               besd_error *error) {
    const study_spec *spec = &s->spec;
    size_t d = spec->options.dimension;
    besd_hyperparameters h;
    double diameter = 0;
    if (!(delta > 0 && delta <= 1))
        return besd_fail(error, BESD_INVALID, "delta: expected a number in (0, 1], got %g", delta);
    besd_status status = besd_study_hyperparameters(s, &h, error);
    if (status != BESD_OK)
        return status;
    double *points = malloc(s->targets.fixed * d * sizeof *points);
    if (!points)
        return besd_fail_memory(error, "the targets");
    for (size_t i = 0; i < s->targets.fixed; i++)
        spec_to_user(spec, s->targets.points + i * d, points + i * d);
    for (size_t i = 0; i < d; i++)
        diameter = hypot(diameter, spec->high[i] - spec->low[i]);
    double amplitude = h.sigma_phi[0][0] + 2 * h.sigma_phi[0][1] + h.sigma_phi[1][1];
    memset(c, 0, sizeof *c);
    c->delta = delta;
    c->targets = s->targets.fixed;
    c->prior_sd = sqrt(amplitude);
    status = fill_distance(points, s->targets.fixed, d, spec->low, spec->high, 1e-3,
                           &c->fill_distance_low, &c->fill_distance, error);
    lipschitz_bound(amplitude, h.lengthscales, d, diameter, delta, c->lipschitz,
                    &c->lipschitz_norm);
    c->bound = c->fill_distance * c->lipschitz_norm;
    free(points);
    return status;
}

/* A design for the curve over the number of points. */
typedef struct contestant {
    double theta[BESD_MAX_DIMENSION], value;
    bool found;
} contestant;

/* As the recommendation is chosen: by the model, or when there are confirming trials by both. */
static void consider(contestant *best, const study_spec *spec, const evidence *e,
                     const mixture *model, const double *theta) {
    double unit[BESD_MAX_DIMENSION], mean, variance;
    if (e->confirmed) {
        confirm_candidate one = confirm_judge(spec, e, model, theta);
        mean = one.mean;
        variance = one.variance;
    } else {
        spec_to_unit(spec, theta, unit);
        mean = mixture_predict(model, unit, 1, &variance, NULL);
    }
    double value = mean - spec->options.caution * sqrt(variance);
    if (best->found && !(value > best->value))
        return;
    memcpy(best->theta, theta, spec->options.dimension * sizeof *theta);
    best->value = value;
    best->found = true;
}

/* Among the tried designs of so many points and the one that is composed of legs. */
static besd_status find_of_points(besd_study *s, const evidence *e, const mixture *model,
                                  size_t points, contestant *best, besd_error *error) {
    leg_model legs;
    for (size_t i = 0; i < e->count; i++) {
        const besd_trial *t = &e->trials[i].trial;
        if (record_is_told(&e->trials[i]) && path_visits(&s->spec, t->theta) == points)
            consider(best, &s->spec, e, model, t->theta);
    }
    besd_status status = leg_model_init(&s->spec, e, LEG_SIGHT_LEARNT, &s->legs, &legs, error);
    if (status == BESD_OK && legs.known) {
        leg_path path;
        bool found;
        status = leg_paths_compose(&s->spec, e, &legs, points, -1, 0, &path, &found, error);
        if (status == BESD_OK && found && path_visits(&s->spec, path.theta) == points)
            consider(best, &s->spec, e, model, path.theta);
    }
    leg_model_free(&legs);
    return status;
}

besd_status besd_study_path_forecast(besd_study *s, size_t points, double *theta, besd_forecast *f,
                                     besd_error *error) {
    const besd_path *p = &s->spec.path;
    view v;
    fitting fit;
    mixture model = {0};
    contestant best = {0};
    if (!p->points || points < 1 || points > p->points || (!p->fewest && points != p->points))
        return besd_fail(error, BESD_INVALID,
                         "points: a path of this study has %zu to %zu points, got %zu",
                         p->fewest ? p->fewest : p->points, p->points, points);
    besd_status status = study_glance(s, &v, error);
    if (status != BESD_OK)
        return status;
    status = study_model(s, &v, false, &fit, &model, error);
    if (status == BESD_OK)
        status = find_of_points(s, &v.evidence, &model, points, &best, error);
    if (status == BESD_OK && !best.found)
        status =
            besd_fail(error, BESD_UNKNOWN, "points: no path of %zu has been tried yet", points);
    if (status == BESD_OK) {
        memcpy(theta, best.theta, s->spec.options.dimension * sizeof *theta);
        forecast_full(&s->spec, &v.evidence, &model, theta, f);
    }
    mixture_free(&model);
    view_free(&v);
    return status;
}
