/* What a study knows: recommendation, predictions, forecasts, hyperparameters, certificate, and
 * what to expect of how many points. */
#include "study/recommend.h"

#include "core/error.h"
#include "decide/certificate.h"
#include "decide/maximise.h"
#include "study/choose.h"
#include "study/choose_confirm.h"
#include "study/forecast_state.h"
#include "study/leg_paths.h"
#include "study/path.h"
#include "study/study_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Moves `unit`, the largest mean, to the largest mean - caution * sd. A model that is smooth where
 * the truth has cliffs is too hopeful between its trials. Caution keeps the recommendation near
 * what was tried. */
static besd_status be_cautious(const recommending *from, double *unit, besd_error *error) {
    const besd_study_options *o = &from->spec->options;
    const evidence *e = from->evidence;
    const targets *t = from->targets;
    improvement cautious = {.kind = IMPROVEMENT_BOUND, .width = -o->caution};
    if (o->discrete)
        return improvement_maximise(from->model, &cautious, t->points, t->fixed, true, unit, error);
    size_t d = t->dimension;
    double *starts = malloc((e->rows + 1) * d * sizeof *starts);
    if (!starts)
        return besd_fail_memory(error, "the tried designs");
    if (e->rows)
        memcpy(starts, e->observed.theta, e->rows * d * sizeof *starts);
    memcpy(starts + e->rows * d, unit, d * sizeof *starts);
    besd_status status =
        improvement_maximise(from->model, &cautious, starts, e->rows + 1, false, unit, error);
    free(starts);
    return status;
}

/* The best of the confirmed designs, of those that could have been confirmed, and of the design in
 * r, which would be recommended otherwise. */
static besd_status recommend_confirmed(const recommending *from, besd_recommendation *r,
                                       besd_error *error) {
    confirm c;
    besd_status status = confirm_init(&c, from->spec, from->evidence, from->model, r->theta, error);
    if (status != BESD_OK)
        return status;
    const confirm_candidate *best = confirm_best(&c, from->spec->options.caution);
    memcpy(r->theta, best->theta, sizeof best->theta);
    confirm_free(&c);
    return BESD_OK;
}

besd_status recommend_maximum(const recommending *from, besd_recommendation *r, besd_error *error) {
    double unit[BESD_MAX_DIMENSION], mean;
    besd_status status =
        best_design(from->spec, from->model, from->evidence, from->targets, unit, &mean, error);
    if (status == BESD_OK && from->spec->options.caution > 0)
        status = be_cautious(from, unit, error);
    if (status != BESD_OK)
        return status;
    spec_to_user(from->spec, unit, r->theta);
    return from->evidence->confirmed ? recommend_confirmed(from, r, error) : BESD_OK;
}

/* The best told trial: of the largest tau that was told, or over all tau levels. */
static const trial_record *find_incumbent(const evidence *e, bool over_all) {
    const trial_record *best = NULL;
    for (size_t i = 0; i < e->count; i++) {
        const trial_record *t = &e->trials[i];
        if (!record_is_told(t))
            continue;
        bool comparable = best && (over_all || t->trial.tau == best->trial.tau);
        if (!best ||
            (comparable ? t->model_mean > best->model_mean : t->trial.tau > best->trial.tau))
            best = t;
    }
    return best;
}

static besd_status recommend_trial(const trial_record *best, besd_recommendation *r,
                                   besd_error *error) {
    if (!best)
        return besd_fail(error, BESD_INVALID, "recommend: no trial has been told yet");
    double count = (double)best->trial.score_count;
    memcpy(r->theta, best->trial.theta, sizeof r->theta);
    r->mean = best->model_mean;
    r->sd = count > 1 ? sqrt(best->within / (count - 1) / count) : 0;
    return BESD_OK;
}

besd_status recommend_incumbent(const recommending *from, besd_recommendation *r,
                                besd_error *error) {
    return recommend_trial(find_incumbent(from->evidence, false), r, error);
}

besd_status recommend_incumbent_of_all(const recommending *from, besd_recommendation *r,
                                       besd_error *error) {
    return recommend_trial(find_incumbent(from->evidence, true), r, error);
}

/* A printed design is rounded: along every coordinate it may be this share of the box away from the
 * design that was tried. */
static const double PRINTED = 1e-5;

/* The told design that is theta, or was printed as theta; NULL: there is none. */
static const double *find_tried(const study_spec *spec, const evidence *e, const double *theta) {
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

/* The forecast at the largest tau: by the confirming trials of a design that has some, else by the
 * model. */
static void forecast_full(const study_spec *spec, const evidence *e, const mixture *model,
                          const double *theta, besd_forecast *f) {
    const double *tried = find_tried(spec, e, theta);
    confirm_candidate one;
    if (judge_confirmed(spec, e, model, tried, &one))
        forecast_alone(spec, e, model, tried, one.mean, one.variance + one.surprise,
                       one.doubt + one.surprise, f);
    else
        forecast_model(spec, e, model, tried ? tried : theta, spec_tau_max(spec), f);
}

/* Fills in what the recommended design promises; without a model, by its own trial. */
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

static besd_status recommend_from(const recommending *from, besd_recommendation *r,
                                  besd_error *error) {
    besd_status status = method_describe(from->spec->options.method)->recommend(from, r, error);
    if (status == BESD_OK)
        promise(from, r);
    return status;
}

/* A view that counts no confirming trials: each is of one task alone. */
static evidence unconfirmed(const view *v) {
    evidence all = v->evidence;
    all.confirmed = 0;
    return all;
}

/* For one task: by its own trials, where trials speak for themselves, and by the model of all. */
static besd_status recommend_of_task(besd_study *s, const view *v, mixture *model, int64_t task,
                                     besd_recommendation *r, besd_error *error) {
    evidence own;
    recommending from = {
        .spec = &s->spec, .evidence = &own, .model = model, .targets = &s->targets};
    memset(r, 0, sizeof *r);
    besd_status status = evidence_of_task(&v->evidence, &s->spec, task, &own, error);
    if (status != BESD_OK)
        return status;
    evidence all = unconfirmed(v);
    from.evidence = own.told ? &own : &all;
    mixture_set_task(model, (int)task);
    status = recommend_from(&from, r, error);
    r->tried = own.told ? r->tried : 0;
    evidence_free(&own);
    return status;
}

/* What one design promises over all tasks: the mean of what it promises in each. The doubts of
 * tasks are taken for independent of each other. */
static besd_status promise_for_all(besd_study *s, const view *v, mixture *model,
                                   besd_recommendation *r, besd_error *error) {
    besd_status status = BESD_OK;
    double below = 0, above = 0;
    r->value = 0;
    for (size_t c = 0; status == BESD_OK && c < s->spec.tasks.own; c++) {
        evidence own, all = unconfirmed(v);
        besd_forecast f;
        double weight = s->spec.tasks.weight[c];
        status = evidence_of_task(&v->evidence, &s->spec, (int64_t)c, &own, error);
        if (status != BESD_OK)
            return status;
        mixture_set_task(model, (int)c);
        forecast_full(&s->spec, own.told ? &own : &all, model, r->theta, &f);
        r->value += weight * f.value;
        below += weight * weight * (f.value - f.low) * (f.value - f.low);
        above += weight * weight * (f.high - f.value) * (f.high - f.value);
        evidence_free(&own);
    }
    r->low = r->value - sqrt(below);
    r->high = r->value + sqrt(above);
    r->better = NAN;
    r->tried = 0;
    return status;
}

/* The single design for all tasks, by the model alone: trials of one task do not confirm it. */
static besd_status recommend_for_all(besd_study *s, const view *v, mixture *model,
                                     besd_recommendation *r, besd_error *error) {
    bool tasks = spec_has_tasks(&s->spec);
    evidence all = tasks ? unconfirmed(v) : v->evidence;
    recommending from = {
        .spec = &s->spec, .evidence = &all, .model = model, .targets = &s->targets};
    memset(r, 0, sizeof *r);
    mixture_set_task(model, tasks_mean(&s->spec.tasks));
    besd_status status = recommend_from(&from, r, error);
    return status == BESD_OK && tasks ? promise_for_all(s, v, model, r, error) : status;
}

static void count_all(const view *v, besd_recommendation *r) {
    r->trials = (int64_t)(v->evidence.told + v->evidence.confirmed);
    r->cost = v->evidence.spent;
    r->alike = r->trials > 1 && !(forecast_spread(&v->evidence) > 0) ? r->trials : 0;
}

/* Looks and models once, for as many recommendations as are wanted. */
static besd_status look_to_recommend(besd_study *s, view *v, mixture *model, besd_error *error) {
    fitting fit;
    *model = (mixture){0};
    besd_status status = study_glance(s, v, error);
    if (status != BESD_OK)
        return status;
    if (method_describe(s->spec.options.method)->has_model)
        status = study_model(s, v, false, &fit, model, error);
    if (status != BESD_OK)
        view_free(v);
    return status;
}

besd_status besd_study_recommend(besd_study *s, besd_recommendation *r, besd_error *error) {
    view v;
    mixture model;
    besd_status status = look_to_recommend(s, &v, &model, error);
    if (status != BESD_OK)
        return status;
    status = recommend_for_all(s, &v, &model, r, error);
    count_all(&v, r);
    mixture_free(&model);
    view_free(&v);
    return status;
}

besd_status besd_study_recommend_task(besd_study *s, int64_t task, besd_recommendation *r,
                                      besd_error *error) {
    view v;
    mixture model;
    if (!(task >= 0 && task < (int64_t)s->tasks.tasks.count))
        return besd_fail(error, BESD_INVALID, "task: expected a number from 0 to %lld, got %lld%s",
                         (long long)s->tasks.tasks.count - 1, (long long)task,
                         s->tasks.tasks.count ? "" : "; the study has no tasks");
    besd_status status = look_to_recommend(s, &v, &model, error);
    if (status != BESD_OK)
        return status;
    status = recommend_of_task(s, &v, &model, task, r, error);
    count_all(&v, r);
    mixture_free(&model);
    view_free(&v);
    return status;
}

/* The standard deviations that an interval of 90 % has to either side. */
static const double NINETY = 1.6448536269514722;

/* The variance of what a task gains by a design of its own: of the difference of two means of its
 * process, in scores. Around a mean score, a logarithm counts as the share that it stands for. */
static double vary_gain(const besd_study *s, const mixture *model, const besd_recommendation *own,
                        const double *single) {
    double here[BESD_MAX_DIMENSION], there[BESD_MAX_DIMENSION], v, w;
    spec_to_unit(&s->spec, own->theta, here);
    spec_to_unit(&s->spec, single, there);
    mixture_predict(model, here, 1, &v, NULL);
    mixture_predict(model, there, 1, &w, NULL);
    double apart = fmax(0, v + w - 2 * mixture_covariance(model, here, 1, there, 1));
    double scale = s->spec.options.transform == BESD_TRANSFORM_LOG ? own->value : 1;
    return scale * scale * apart;
}

besd_status besd_study_task_worth(besd_study *s, besd_task_worth *worth, besd_error *error) {
    view v;
    mixture model;
    besd_recommendation single, own;
    double gain = 0, variance = 0;
    if (!spec_has_tasks(&s->spec))
        return besd_fail(error, BESD_INVALID, "task: the study has no tasks");
    besd_status status = look_to_recommend(s, &v, &model, error);
    if (status != BESD_OK)
        return status;
    memset(worth, 0, sizeof *worth);
    status = recommend_for_all(s, &v, &model, &single, error);
    for (size_t c = 0; status == BESD_OK && c < s->spec.tasks.own; c++) {
        status = recommend_of_task(s, &v, &model, (int64_t)c, &own, error);
        double weight = s->spec.tasks.weight[c];
        gain += status == BESD_OK ? weight * own.value : 0;
        variance +=
            status == BESD_OK ? weight * weight * vary_gain(s, &model, &own, single.theta) : 0;
    }
    gain = s->spec.options.direction == BESD_MINIMIZE ? single.value - gain : gain - single.value;
    if (status == BESD_OK)
        *worth = (besd_task_worth){.value = gain,
                                   .low = gain - NINETY * sqrt(variance),
                                   .high = gain + NINETY * sqrt(variance)};
    mixture_free(&model);
    view_free(&v);
    return status;
}

void besd_recommendation_warning(const besd_recommendation *r, char *text) {
    text[0] = 0;
    if (r->alike)
        snprintf(text, BESD_ERROR_MESSAGE_SIZE,
                 "all %lld trials have scored the same, so nothing is known of where designs help; "
                 "tell scores that show partial success, or train longer (tau)",
                 (long long)r->alike);
}

/* What was told so far, and the model of it without pending trials. After a failure there is
 * nothing to free. */
static besd_status look_with_model(besd_study *s, view *v, mixture *model, besd_error *error) {
    fitting fit;
    *model = (mixture){0};
    besd_status status = study_glance(s, v, error);
    if (status != BESD_OK)
        return status;
    if (spec_has_tasks(&s->spec)) /* each confirms a design in one task */
        v->evidence.confirmed = 0;
    status = study_model(s, v, false, &fit, model, error);
    if (status != BESD_OK)
        view_free(v);
    return status;
}

/* The bytes of more places could not be counted. */
static const size_t MOST_PLACES = 10000000;

static besd_status check_count(size_t count, besd_error *error) {
    return count <= MOST_PLACES
               ? BESD_OK
               : besd_fail(error, BESD_INVALID, "places: expected at most %zu at once, got %zu",
                           MOST_PLACES, count);
}

static besd_status fail_level(const study_spec *spec, int64_t tau, besd_error *error) {
    char levels[BESD_MAX_LEVELS * 22] = "";
    int length = 0;
    for (size_t i = 0; i < spec->options.tau_count; i++)
        length += snprintf(levels + length, sizeof levels - (size_t)length, "%s%lld", i ? ", " : "",
                           (long long)spec->taus[i]);
    return besd_fail(error, BESD_INVALID, "tau: expected one of the study's levels (%s), got %lld",
                     levels, (long long)tau);
}

static besd_status check_place(const study_spec *spec, const double *theta, int64_t tau,
                               besd_error *error) {
    for (size_t i = 0; i < spec->options.dimension; i++)
        if (!(theta[i] >= spec->low[i] && theta[i] <= spec->high[i]))
            return besd_fail(error, BESD_INVALID, "%s: expected a number in [%g, %g], got %g",
                             spec->names[i], spec->low[i], spec->high[i], theta[i]);
    return spec_tau_level(spec, tau) < 0 ? fail_level(spec, tau, error) : BESD_OK;
}

/* Predicts at places of the unit cube. `sds` holds variances until the end. */
static besd_status predict(besd_study *s, const double *thetas, const double *units,
                           const double *shares, size_t count, double *means, double *sds,
                           besd_error *error) {
    view v;
    mixture model;
    besd_status status = look_with_model(s, &v, &model, error);
    if (status != BESD_OK)
        return status;
    status = mixture_predict_many(&model, units, shares, count, means, sds, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        const double *theta = thetas + i * s->spec.options.dimension;
        confirm_candidate one;
        sds[i] = sqrt(sds[i] + forecast_doubt(&s->spec, &v.evidence, &model, theta, means[i]));
        if (shares[i] == 1 && judge_confirmed(&s->spec, &v.evidence, &model,
                                              find_tried(&s->spec, &v.evidence, theta), &one)) {
            means[i] = one.mean;
            sds[i] = sqrt(one.variance + one.surprise);
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
    besd_status status = check_count(count, error);
    if (status != BESD_OK)
        return status;
    double *units = malloc((count * (d + 1) + 1) * sizeof *units);
    if (!units)
        return besd_fail_memory(error, "the places");
    double *shares = units + count * d;
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        status = check_place(spec, thetas + i * d, taus[i], error);
        spec_to_unit(spec, thetas + i * d, units + i * d);
        shares[i] = spec_share(spec, taus[i]);
    }
    if (status == BESD_OK)
        status = predict(s, thetas, units, shares, count, means, sds, error);
    free(units);
    return status;
}

besd_status besd_study_predict(besd_study *s, const double *theta, int64_t tau, double *mean,
                               double *sd, besd_error *error) {
    return besd_study_predict_many(s, theta, &tau, 1, mean, sd, error);
}

besd_status besd_study_forecast(besd_study *s, const double *theta, int64_t tau, besd_forecast *f,
                                besd_error *error) {
    view v;
    mixture model;
    besd_status status = check_place(&s->spec, theta, tau, error);
    if (status == BESD_OK)
        status = look_with_model(s, &v, &model, error);
    if (status != BESD_OK)
        return status;
    if (tau == spec_tau_max(&s->spec))
        forecast_full(&s->spec, &v.evidence, &model, theta, f);
    else
        forecast_model(&s->spec, &v.evidence, &model, theta, tau, f);
    mixture_free(&model);
    view_free(&v);
    return BESD_OK;
}

besd_status besd_study_forecast_many(besd_study *s, const double *thetas, const int64_t *taus,
                                     size_t count, besd_forecast *f, besd_error *error) {
    view v;
    mixture model;
    besd_status status = check_count(count, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = check_place(&s->spec, thetas + i * s->spec.options.dimension, taus[i], error);
    if (status == BESD_OK)
        status = look_with_model(s, &v, &model, error);
    if (status != BESD_OK)
        return status;
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

/* The best path of so many points. */
typedef struct contestant {
    double theta[BESD_MAX_DIMENSION], value;
    bool found;
} contestant;

/* Compares designs as the recommendation does: by the model, and where there are confirming trials
 * by these as well. */
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

/* Looks among the tried designs of so many points, and at the path that is composed of legs. */
static besd_status find_of_points(besd_study *s, const evidence *e, const mixture *model,
                                  size_t points, contestant *best, besd_error *error) {
    leg_model legs;
    for (size_t i = 0; i < e->count; i++) {
        const besd_trial *t = &e->trials[i].trial;
        if (evidence_shows(e, i) && path_visits(&s->spec, t->theta) == points)
            consider(best, &s->spec, e, model, t->theta);
    }
    besd_status status = leg_model_init(&s->spec, e, LEG_SIGHT_LEARNT, &s->legs, &legs, error);
    if (status == BESD_OK && legs.known) {
        leg_path path;
        bool found;
        status =
            leg_paths_compose(&s->spec, e, &legs, points, -LEG_CAUTION, 0, &path, &found, error);
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
    mixture model;
    contestant best = {0};
    if (!p->points || points < 1 || points > p->points || (!p->fewest && points != p->points))
        return besd_fail(error, BESD_INVALID,
                         "points: a path of this study has %zu to %zu points, got %zu",
                         p->fewest ? p->fewest : p->points, p->points, points);
    besd_status status = look_with_model(s, &v, &model, error);
    if (status != BESD_OK)
        return status;
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

/* Does the study choose how many points its path has, and can a model say what to expect? */
static bool points_vary(const besd_study *s, besd_path *p) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_study_get_path(s, p);
    return p->fewest > 0 && p->points > 1 && method_describe(o->method)->has_model;
}

/* The best path of so many points: the recommended one, when it has as many. */
static besd_status find_point(besd_study *s, const besd_recommendation *r, path_curve_point *at,
                              besd_error *error) {
    double theta[BESD_MAX_DIMENSION];
    besd_forecast f = {.value = r->value, .low = r->low, .high = r->high};
    besd_status status = BESD_OK;
    if (besd_study_visited(s, r->theta, NULL) != at->points)
        status = besd_study_path_forecast(s, at->points, theta, &f, error);
    at->known = status == BESD_OK;
    at->value = at->known ? f.value : NAN;
    at->low = at->known ? f.low : NAN;
    at->high = at->known ? f.high : NAN;
    return status == BESD_UNKNOWN ? BESD_OK : status;
}

besd_status path_curve_find(besd_study *s, const besd_recommendation *r, path_curve *curve,
                            besd_error *error) {
    besd_path p;
    besd_status status = BESD_OK;
    *curve = (path_curve){0};
    if (!points_vary(s, &p))
        return BESD_OK;
    curve->visits = besd_study_visited(s, r->theta, NULL);
    size_t first = curve->visits < p.fewest ? curve->visits : p.fewest;
    for (size_t k = first; status == BESD_OK && k <= p.points; k++) {
        curve->of[curve->count].points = k;
        status = find_point(s, r, &curve->of[curve->count++], error);
    }
    return status;
}

size_t path_curve_rival(const path_curve *curve, besd_direction direction) {
    double chosen = NAN, sign = direction == BESD_MINIMIZE ? -1 : 1;
    for (size_t i = 0; i < curve->count; i++)
        if (curve->of[i].points == curve->visits)
            chosen = curve->of[i].value;
    for (size_t i = 0; i < curve->count; i++) {
        const path_curve_point *at = &curve->of[i];
        if (at->known && at->points != curve->visits && sign * at->value >= sign * chosen)
            return at->points;
    }
    return 0;
}
