/* Studies to forecast from, and what a forecast has to be: the mixture of the draws by
 * model_facts.h, its means and quantiles by quadrature, and what like trials fall short by. */
#ifndef BESD_TESTS_FORECAST_FACTS_H
#define BESD_TESTS_FORECAST_FACTS_H

#include "study_scene.h"

#include "model_facts.h"
#include "study/forecast.h"

enum { TOLD = 9 };

/* One of four kinds of study. */
static inline besd_study_options options_of(int kind, besd_model model) {
    besd_study_options o = small_options(2, 5);
    o.direction = kind & 1 ? BESD_MINIMIZE : BESD_MAXIMIZE;
    o.transform = kind & 2 ? BESD_TRANSFORM_LOG : BESD_TRANSFORM_NONE;
    o.model = model;
    o.draws = 4;
    return o;
}

/* A told trial with these scores. */
static inline trial_record *tell(scene *c, const double *theta, int64_t tau, const double *scores,
                                 int count) {
    trial_record *r = scene_add(c, BESD_TRIAL_TOLD, BESD_REASON_INITIAL, theta, tau, count);
    r->model_mean = r->within = r->trial.mean = 0;
    for (int i = 0; i < count; i++) {
        r->trial.mean += scores[i] / count;
        r->model_mean += spec_to_model(&c->spec, scores[i]) / count;
    }
    for (int i = 0; i < count; i++)
        r->within += pow(spec_to_model(&c->spec, scores[i]) - r->model_mean, 2);
    return r;
}

/* Scores are a level that theta decides times 1 - part and 1 + part. */
static inline void tell_levels(scene *c, size_t count, double part) {
    rng stream = rng_open(8, RNG_TEST, 0, 0, 0);
    for (size_t i = 0; i < count; i++) {
        double theta[2] = {rng_between(&stream, 0, 10), rng_between(&stream, 0, 10)};
        double level = 20 + 30 * sin(theta[0] / 3) * sin(theta[0] / 3) + 2 * theta[1];
        const double scores[] = {level * (1 - part), level * (1 + part)};
        tell(c, theta, i % 2 ? 30 : 10, scores, 2);
    }
}

static inline void open_levels(scene *c, const besd_study_options *o, double part) {
    scene_begin(c, o);
    tell_levels(c, TOLD, part);
    scene_look(c);
    scene_model(c, NULL);
}

/* log of the mean less the mean of logarithms of 1 - part and 1 + part. */
static inline double falls_short(const scene *c, double part) {
    return c->spec.options.transform == BESD_TRANSFORM_LOG ? -0.5 * log(1 - part * part) : 0;
}

/* What the draws say at a place, and what more they are doubted by. */
typedef struct normals {
    size_t count;
    double mean[DRAWS_MOST], variance[DRAWS_MOST];
} normals;

static inline normals draws_at(const scene *c, const double *theta, int64_t tau, double *prior) {
    normals all = {.count = c->drawn.count};
    double unit[BESD_MAX_DIMENSION] = {theta[0] / 10, theta[1] / 10}, share = (double)tau / 30;
    *prior = 0;
    for (size_t i = 0; i < all.count; i++) {
        const hyperparameters *h = &c->drawn.of[i];
        facts_posterior p = facts_condition(&c->evidence.observed, c->evidence.told, h);
        all.mean[i] = facts_mean(&p, unit, share);
        all.variance[i] = facts_covariance(&p, unit, share, unit, share);
        *prior += (double)facts_kernel(h, 2, unit, 1, unit, 1) / (double)all.count;
        facts_forget(&p);
    }
    return all;
}

static inline double mixed_mean(const normals *all) {
    double mean = 0;
    for (size_t i = 0; i < all->count; i++)
        mean += all->mean[i] / (double)all->count;
    return mean;
}

static inline double mixed_variance(const normals *all) {
    double mean = mixed_mean(all), variance = 0;
    for (size_t i = 0; i < all->count; i++)
        variance += (all->variance[i] + pow(all->mean[i] - mean, 2)) / (double)all->count;
    return variance;
}

/* E exp(slope X) over X in (low, high) for `more` variance, by the trapezium rule of each normal
 * over fourteen standard deviations. A slope of 0 gives probabilities. */
static inline double integral(const normals *all, double more, double slope, double low,
                              double high) {
    enum { STEPS = 40000 };
    double sum = 0;
    for (size_t i = 0; i < all->count; i++) {
        double sd = sqrt(all->variance[i] + more), mean = all->mean[i];
        double from = fmax(low, mean - 14 * sd), to = fmin(high, mean + 14 * sd);
        double step = (to - from) / STEPS, own = 0;
        for (int k = 0; to > from && k <= STEPS; k++) {
            double x = from + k * step, z = (x - mean) / sd;
            own += (k % STEPS ? 1 : 0.5) * exp(slope * x - z * z / 2);
        }
        sum += to > from ? own * step / sd / sqrt(2 * M_PI) / (double)all->count : 0;
    }
    return sum;
}

/* Sums over the trials, those at the same tau, near in theta and with a like expectation counting
 * for more. The ratio of a trial is that of its score to exp(what the draws expect of its
 * logarithm). */
typedef struct like_trials {
    double weights, ratios; /* by weight */
    double ratio;           /* the plain mean */
} like_trials;

static inline like_trials like_by_hand(const scene *c, const double *theta, int64_t tau) {
    double prior, square = 0, mean = 0, n = TOLD;
    double sign = c->spec.options.direction == BESD_MINIMIZE ? -1 : 1;
    like_trials like = {0};
    normals here = draws_at(c, theta, tau, &prior);
    for (size_t j = 0; j < TOLD; j++)
        mean += c->evidence.trials[j].model_mean / n;
    for (size_t j = 0; j < TOLD; j++)
        square += pow(c->evidence.trials[j].model_mean - mean, 2) / (n - 1);
    for (size_t j = 0; j < TOLD; j++) {
        const besd_trial *t = &c->evidence.trials[j].trial;
        normals there = draws_at(c, t->theta, t->tau, &prior);
        double expected = mixed_mean(&there), ratio = t->mean / exp(sign * expected);
        double away = (expected - mixed_mean(&here)) / (0.25 * sqrt(square));
        double far = (pow(t->theta[0] - theta[0], 2) + pow(t->theta[1] - theta[1], 2)) / 2;
        double weight =
            2 * (t->tau == tau ? 1 : 0.2) * exp(-away * away / 2) * (0.1 + 0.9 * exp(-far / 2));
        like.ratio += ratio / n;
        like.ratios += weight * ratio;
        like.weights += weight;
    }
    return like;
}

/* The mean ratio of like trials; two replications of the plain mean besides. */
static inline double shortfall_by_hand(const scene *c, const double *theta, int64_t tau) {
    like_trials like = like_by_hand(c, theta, tau);
    if (c->spec.options.transform != BESD_TRANSFORM_LOG)
        return 0;
    return log((like.ratios + 2 * like.ratio) / (like.weights + 2));
}

/* Of several draws: one in so many agents fails as no like one has, and does as badly as the worst
 * trial. */
static inline double failure_by_hand(const scene *c, const double *theta, int64_t tau,
                                     double mean) {
    double worst = mean;
    for (size_t j = 0; j < TOLD; j++)
        worst = fmin(worst, c->evidence.trials[j].model_mean);
    return c->drawn.count == 1 ? 0
                               : pow(mean - worst, 2) / (like_by_hand(c, theta, tau).weights + 2);
}

/* The mean score where none is better than `best` (to be maximised): what is beyond counts as that.
 * Doubt moves no mean, so that of logarithms is lower by half of it. And none is worse than
 * `worst`.
 */
static inline void assert_possible_mean(const scene *c, const besd_forecast *f, const double *theta,
                                        double best, double worst) {
    enum { STEPS = 40000 };
    double prior, lift = shortfall_by_hand(c, theta, 30), sum = 0;
    bool logarithm = c->spec.options.transform == BESD_TRANSFORM_LOG;
    double sign = c->spec.options.direction == BESD_MINIMIZE ? -1 : 1;
    normals all = draws_at(c, theta, 30, &prior);
    double doubt = f->sd * f->sd - mixed_variance(&all) + lift * lift / 4;
    for (size_t i = 0; i < all.count; i++) {
        double sd = sqrt(all.variance[i] + doubt), own = 0;
        double mean = sign * all.mean[i] + (logarithm ? lift - doubt / 2 : 0);
        for (int k = 0; k <= STEPS; k++) {
            double z = -14 + 28.0 * k / STEPS, x = mean + z * sd;
            double score = sign * (logarithm ? exp(x) : x);
            own += (k % STEPS ? 1 : 0.5) * fmin(score, best) * exp(-z * z / 2);
        }
        sum += own * 28.0 / STEPS / sqrt(2 * M_PI) / (double)all.count;
    }
    assert_close(f->value, sign * fmax(sum, worst), 2e-6 * (1 + fabs(sum)));
}

/* Interval and probability as they follow from the draws. */
static inline void assert_interval(const scene *c, const besd_forecast *f, const normals *all,
                                   double doubt, double lift, double failure) {
    const besd_study_options *o = &c->spec.options;
    bool less = o->direction == BESD_MINIMIZE;
    double factor = exp(lift), more = doubt + lift * lift / 4;
    double worst = spec_to_model(&c->spec, (less ? f->high : f->low) / factor);
    double best = spec_to_model(&c->spec, (less ? f->low : f->high) / factor);
    assert_close(integral(all, more + failure, 0, -INFINITY, worst), 0.05, 1e-6);
    assert_close(integral(all, more, 0, best, INFINITY), 0.05, 1e-6);
    double bar = spec_to_model(&c->spec, o->baseline / factor);
    assert_close(f->better, integral(all, more, 0, bar, INFINITY), 1e-6);
    assert_true(f->low < f->high && f->better > 0 && f->better < 1);
}

/* And the value, where everything is possible. */
static inline void assert_promise(const scene *c, const besd_forecast *f, const normals *all,
                                  double doubt, double lift, double failure) {
    double sign = c->spec.options.direction == BESD_MINIMIZE ? -1 : 1;
    double expected = c->spec.options.transform == BESD_TRANSFORM_LOG
                          ? exp(lift) * integral(all, 0, sign, -INFINITY, INFINITY)
                          : sign * mixed_mean(all);
    assert_close(f->value, expected, 1e-6 * fabs(expected));
    assert_interval(c, f, all, doubt, lift, failure);
}

#endif
