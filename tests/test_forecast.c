/* What a design promises: the mean of a mixture of log-normals and its quantiles by quadrature over
 * the posterior of model_facts.h. Where scores of all trials differ by the same factors, what exp
 * of a mean of logarithms falls short by is known without weighing trials. */
#include "forecast_facts.h"

/* Both directions, both transforms, one draw and several, any tau; the doubt is a share of the
 * prior standard deviation that does not depend on where, and none of a single draw. */
static void test_by_quadrature(void **state) {
    (void)state;
    const double places[][2] = {{1, 2}, {5, 5}, {9.5, 0.5}, {4, 9}}, part = 0.6;
    double share = NAN;
    for (int kind = 0; kind < 4; kind++)
        for (int several = 0; several < 2; several++) {
            scene c;
            besd_study_options o =
                options_of(kind, several ? BESD_MODEL_AVERAGED : BESD_MODEL_PAPER);
            o.baseline = 40;
            open_levels(&c, &o, part);
            assert_int_equal(c.model.count, several ? 4 : 1);
            for (int i = 0; i < 4; i++) {
                besd_forecast f;
                double prior;
                int64_t tau = i % 2 ? 30 : 10;
                forecast_model(&c.spec, &c.evidence, &c.model, places[i], tau, &f);
                normals all = draws_at(&c, places[i], tau, &prior);
                double doubt = several ? f.sd * f.sd - mixed_variance(&all) : 0;
                assert_close(f.mean, mixed_mean(&all), 1e-7 * (1 + fabs(f.mean)));
                assert_close(f.sd * f.sd, mixed_variance(&all) + doubt, 1e-7 * prior);
                assert_close(forecast_doubt(&c.spec, &c.evidence, &c.model, places[i], f.mean),
                             doubt, 1e-6 * prior);
                double least = kind & 2 ? fmax(prior, 0.25) : prior;
                share = several && isnan(share) ? doubt / least : share;
                if (several)
                    assert_close(doubt / least, share, 1e-6);
                assert_promise(&c, &f, &all, doubt, shortfall_by_hand(&c, places[i], tau),
                               failure_by_hand(&c, places[i], tau, f.mean));
            }
            scene_end(&c);
        }
    assert_close(share, 0.09 * (1 + 80.0 / TOLD), 1e-6);
}

/* A bound of what is possible makes doubtful what is far below it, in both directions: a mixture of
 * what the model says with a uniform distribution up to the bound, one time in told + 2. What is
 * beyond the bound already gets no more. */
static void test_unseen(void **state) {
    (void)state;
    const double place[] = {5, 5}, part = 0.6;
    for (int kind = 0; kind < 4; kind++)
        for (int far = 0; far < 2; far++) {
            scene c;
            besd_forecast free, bound;
            besd_study_options o = options_of(kind, BESD_MODEL_AVERAGED);
            o.baseline = 40;
            open_levels(&c, &o, part);
            forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &free);
            double away = far ? 20 * free.sd : -0.5, prior;
            c.spec.options.best_possible = spec_score(&c.spec.options, free.mean + away);
            forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &bound);
            double sum = 0, n = 1e5;
            for (int i = 0; i < (int)n; i++) /* the second moment of the uniform one */
                sum += pow(fmax(away, 0) * (i + 0.5) / n, 2) / n;
            assert_close(bound.mean, free.mean, 0);
            assert_close(bound.sd * bound.sd - free.sd * free.sd, sum / (TOLD + 2),
                         1e-9 * (1 + sum));
            if (far) { /* beyond the interval */
                normals all = draws_at(&c, place, 30, &prior);
                assert_interval(&c, &bound, &all, bound.sd * bound.sd - mixed_variance(&all),
                                shortfall_by_hand(&c, place, 30),
                                failure_by_hand(&c, place, 30, bound.mean));
                assert_possible_mean(&c, &bound, place,
                                     (kind & 1 ? -1 : 1) * c.spec.options.best_possible, -INFINITY);
            }
            scene_end(&c);
        }
}

/* When the latent performance is known otherwise it is the one normal, however narrow. */
static void test_alone(void **state) {
    (void)state;
    const double place[] = {5, 5}, part = 0.6, sds[] = {0, 1e-9, 0.02, 0.3};
    for (int kind = 0; kind < 4; kind++)
        for (int k = 0; k < 4; k++) {
            scene c;
            besd_forecast f;
            besd_study_options o = options_of(kind, BESD_MODEL_PAPER);
            o.baseline = 40;
            scene_begin(&c, &o);
            tell_levels(&c, TOLD, part);
            scene_look(&c);
            double mean = spec_to_model(&c.spec, 38), lift = falls_short(&c, part);
            forecast_alone(&c.spec, &c.evidence, NULL, place, mean, sds[k] * sds[k], 0, &f);
            assert_true(f.mean == mean);
            assert_close(f.sd, sds[k], 1e-15);
            double grown = kind & 2 ? lift + sds[k] * sds[k] / 2 : 0;
            assert_close(f.value, 38 * exp(grown), 1e-11 * 38);
            double half = 1.6448536269514722 * hypot(sds[k], lift / 2);
            double low = kind & 2 ? 38 * exp(lift - half) : 38 - half;
            double high = kind & 2 ? 38 * exp(lift + half) : 38 + half;
            assert_close(f.low, low, 1e-9 * low);
            assert_close(f.high, high, 1e-9 * high);
            double away = (kind & 2 ? log(40) - log(38) - lift : 2) * (kind & 1 ? 1 : -1);
            double sd = hypot(sds[k], lift / 2);
            assert_close(f.better, sd > 0 ? 0.5 * erfc(-away / sd / sqrt(2)) : away > 0, 1e-12);
            scene_end(&c);
        }
}

/* Nothing is expected to be better than what can be: the mean is that of the scores that are
 * possible, and where nearly all of them are the bound decides little. */
static void test_best_possible(void **state) {
    (void)state;
    const double place[] = {5, 5};
    for (int kind = 0; kind < 4; kind++)
        for (int model = 0; model < 2; model++) {
            scene c;
            besd_forecast free, f;
            besd_study_options o = options_of(kind, model ? BESD_MODEL_AVERAGED : BESD_MODEL_PAPER);
            open_levels(&c, &o, 0.6);
            forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &free);
            bool less = kind & 1;
            double worst = less ? free.high : free.low, best = less ? free.low : free.high;
            const double bounds[] = {best + (less ? -5 : 5), (best + free.value) / 2,
                                     (free.value + worst) / 2, worst + (less ? 5 : -5)};
            for (int i = 0; i < 4; i++) {
                c.spec.options.best_possible = bounds[i];
                forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &f);
                double sign = less ? -1 : 1, end = sign * (less ? f.low : f.high),
                       other = sign * (less ? f.high : f.low);
                double wider = model ? INFINITY : 0; /* by what none of the trials has shown */
                assert_true(end <= sign * bounds[i] && (i == 0 || end == sign * bounds[i]));
                assert_true(i > 0 || (end >= sign * best && end <= sign * best + wider));
                assert_possible_mean(&c, &f, place, sign * bounds[i], -INFINITY);
                assert_true(sign * f.value < sign * bounds[i]);
                assert_true(i < 3 || other == sign * bounds[i]);
                assert_true(i > 2 || (other <= sign * worst && other >= sign * worst - wider));
                assert_true(f.mean == free.mean && f.sd >= free.sd && f.sd <= free.sd + wider);
            }
            scene_end(&c);
        }
}

/* No interval goes beyond the worst possible score, and a failure that no trial has shown may be as
 * bad as that. */
static void test_worst_possible(void **state) {
    (void)state;
    const double place[] = {5, 5};
    for (int kind = 0; kind < 4; kind++) {
        scene c;
        besd_forecast free, near, far;
        besd_study_options o = options_of(kind, BESD_MODEL_AVERAGED);
        open_levels(&c, &o, 0.6);
        double sign = o.direction == BESD_MINIMIZE ? -1 : 1;
        forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &free);
        double end = sign > 0 ? free.low : free.high;
        c.spec.options.worst_possible = (free.value + end) / 2;
        forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &near);
        assert_true((sign > 0 ? near.low : near.high) == c.spec.options.worst_possible);
        c.spec.options.worst_possible = o.transform == BESD_TRANSFORM_LOG && sign > 0
                                            ? end / 1e3
                                            : end + 1e3 * (end - free.value);
        forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &far);
        assert_true(sign * (sign > 0 ? far.low : far.high) < sign * end);
        assert_true(sign * (sign > 0 ? far.low : far.high) >= sign * c.spec.options.worst_possible);
        assert_true(far.mean == free.mean && far.value == free.value);
        scene_end(&c);
    }
}

/* The probability is of beating the baseline, in the direction of the study; NaN without one. */
static void test_better(void **state) {
    (void)state;
    const double place[] = {5, 5};
    for (int kind = 0; kind < 4; kind++) {
        scene c;
        besd_forecast f;
        double last = -1;
        besd_study_options o = options_of(kind, BESD_MODEL_AVERAGED);
        open_levels(&c, &o, 0.6);
        forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &f);
        assert_true(isnan(f.better));
        for (int i = 0; i <= 20; i++) { /* from hard to easy */
            double bar = kind & 1 ? 1e-3 * pow(1e7, i / 20.0) : 1e4 * pow(1e-7, i / 20.0);
            c.spec.options.baseline = bar;
            forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &f);
            assert_true(f.better >= last && f.better <= 1);
            assert_true(i > 0 || f.better < 1e-6);
            last = f.better;
        }
        assert_true(kind & 1 || kind & 2 ? last > 1 - 1e-6 : last > 0.9);
        double before = last; /* a baseline that is hardly known is beaten half of the time */
        for (double error = c.spec.options.baseline; error < 1e9; error *= 1000) {
            c.spec.options.baseline_error = error;
            forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &f);
            assert_true(f.better <= before && f.better > 0.5);
            before = f.better;
        }
        assert_close(before, 0.5, 0.01);
        scene_end(&c);
    }
}

/* Told trials of the same design at the largest tau; confirming ones are told, too. */
static void test_tried(void **state) {
    (void)state;
    scene c;
    besd_forecast f;
    const double place[] = {5, 5}, other[] = {5, nextafter(5, 6)}, scores[] = {30, 40};
    besd_study_options o = options_of(3, BESD_MODEL_PAPER);
    scene_begin(&c, &o);
    tell_levels(&c, TOLD, 0.6);
    tell(&c, place, 10, scores, 2);
    tell(&c, other, 30, scores, 2);
    scene_add(&c, BESD_TRIAL_ASKED, BESD_REASON_KG, place, 30, 2);
    scene_add(&c, BESD_TRIAL_FAILED, BESD_REASON_KG, place, 30, 2);
    for (int count = 0; count < 3; count++) {
        scene now = c;
        now.records = malloc(c.count * sizeof *now.records);
        assert_non_null(now.records);
        memcpy(now.records, c.records, c.count * sizeof *now.records);
        scene_look(&now);
        scene_model(&now, NULL);
        forecast_model(&now.spec, &now.evidence, &now.model, place, 10, &f);
        assert_int_equal(f.tried, count);
        forecast_alone(&now.spec, &now.evidence, NULL, place, -3.5, 0.01, 0, &f);
        assert_int_equal(f.tried, count);
        scene_end(&now);
        tell(&c, place, 30, scores, 2)->trial.reason = count ? BESD_REASON_CONFIRM : BESD_REASON_KG;
    }
    scene_end(&c);
}

/* What it falls short by, read from the mean score of a design that is known exactly. */
static double lift_at(const scene *c, const double *theta, double score) {
    besd_forecast f;
    forecast_alone(&c->spec, &c->evidence, NULL, theta, spec_to_model(&c->spec, score), 0, 0, &f);
    return log(f.value / score);
}

/* Steady designs on the left, erratic ones on the right: like trials weigh more, by place, by level
 * and by tau, and what is expected lies between. */
static void test_like_trials(void **state) {
    (void)state;
    const double left[] = {2, 5}, right[] = {8, 5}, steady = 0.1, erratic = 0.9;
    for (int by = 0; by < 3; by++)
        for (int kind = 2; kind < 4; kind++) {
            scene c;
            besd_study_options o = options_of(kind, BESD_MODEL_PAPER);
            rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
            scene_begin(&c, &o);
            for (int i = 0; i < 12; i++) {
                bool odd = i % 2;
                double theta[2] = {by ? 5 : (odd ? 8 : 2) + rng_between(&stream, -0.5, 0.5),
                                   rng_between(&stream, 4, 6)};
                double part = odd ? erratic : steady, level = by == 1 && odd ? 300 : 30;
                level /= sqrt(1 - part * part); /* of its geometric mean */
                const double scores[] = {level * (1 - part), level * (1 + part)};
                tell(&c, theta, by == 2 && !odd ? 10 : 30, scores, 2);
            }
            scene_look(&c);
            double low = -0.5 * log(1 - steady * steady), high = -0.5 * log(1 - erratic * erratic);
            double near = lift_at(&c, by ? (const double[]){5, 5} : left, 30);
            double far = lift_at(&c, by ? (const double[]){5, 5} : right, by == 1 ? 300 : 30);
            assert_true(near > low && near < high && far > low && far < high);
            if (by < 2)
                assert_true(near < low + 0.35 * (high - low) && far > low + 0.65 * (high - low));
            else /* those at the largest tau are the erratic ones */
                assert_true(near > low + 0.6 * (high - low));
            scene_end(&c);
        }
}

/* Summaries of logarithms come without a mean score: half of their variance it is, whatever
 * rounding says. Single scores say nothing. */
static void test_summaries(void **state) {
    (void)state;
    const double place[] = {5, 5}, variance = 0.5;
    for (int kind = 2; kind < 4; kind++)
        for (int single = 0; single < 2; single++) {
            scene c;
            besd_study_options o = options_of(kind, BESD_MODEL_PAPER);
            rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
            scene_begin(&c, &o);
            for (int i = 0; i < 400; i++) {
                double theta[2] = {rng_between(&stream, 0, 10), rng_between(&stream, 0, 10)};
                trial_record *r = scene_add(&c, BESD_TRIAL_TOLD, BESD_REASON_KG, theta, 30, 4);
                r->model_mean = rng_between(&stream, -7, 7);
                r->trial.score_count = single ? 1 : 4;
                r->within = single ? 0 : 3 * variance;
                r->trial.mean = spec_score(&c.spec.options, r->model_mean);
            }
            scene_look(&c);
            assert_close(lift_at(&c, place, 1), single ? 0 : variance / 2, 1e-9);
            scene_end(&c);
        }
}

/* With one or two trials nobody knows how much outcomes differ, nor when they do not. */
static void assert_sane(const besd_forecast *f, bool known) {
    assert_true(isfinite(f->mean) && isfinite(f->sd) && f->sd >= 0);
    assert_true(isfinite(f->value) && f->low <= f->high);
    assert_int_equal(isinf(f->low) && isinf(f->high), !known);
    assert_int_equal(isfinite(f->low) && isfinite(f->high), known);
    assert_true(known ? f->better >= 0 && f->better <= 1 : isnan(f->better));
}

/* Any scale and offset, one trial or several, all scores the same or not: numbers, and sensible
 * ones. */
static void test_extremes(void **state) {
    (void)state;
    static const double offsets[] = {0, 1e9, 1e-9}, scales[] = {1, 1e-2, 1e-12};
    static const int counts[] = {1, 2, 8};
    for (int at = 0; at < 3 * 3 * 4 * 2; at++) {
        int kind = at % 4, scale = at / 4 % 3;
        bool same = at / 12 % 2;
        int told = counts[at / 24];
        besd_study_options o = options_of(kind, BESD_MODEL_AVERAGED);
        scene c;
        besd_forecast f;
        rng stream = rng_open(7, RNG_TEST, 0, 0, 0);
        double least = INFINITY, most = 0;
        scene_begin(&c, &o);
        for (int i = 0; i < told; i++) {
            double theta[2] = {rng_between(&stream, 0, 10), rng_between(&stream, 0, 10)};
            double wave = same ? 1 : 2 + sin(theta[0]), scores[2];
            for (int k = 0; k < 2; k++) {
                double noise = same ? 0 : 0.1 * k;
                scores[k] = offsets[scale] + scales[scale] * (wave + noise);
                least = fmin(least, scores[k]);
                most = fmax(most, scores[k]);
            }
            tell(&c, theta, i % 2 ? 30 : 10, scores, 2);
        }
        c.spec.options.baseline = (least + most) / 2;
        scene_look(&c);
        scene_model(&c, NULL);
        for (int i = 0; i < 3; i++) {
            double theta[2] = {5.0 * i, 10 - 5.0 * i}, room = 4 * (most - least) + 0.2 * most;
            forecast_model(&c.spec, &c.evidence, &c.model, theta, 30, &f);
            assert_sane(&f, told >= 3 && !same);
            if (told > 2 && (kind < 2 || scale == 1))
                assert_true(f.value > least - room && f.value < most + room);
        }
        scene_end(&c);
    }
}

/* Doubt makes the interval as wide as any other variance does, and the score no other. */
static void test_doubt_alone(void **state) {
    (void)state;
    const double place[] = {5, 5}, variance = 0.2, doubt = 0.15;
    for (int kind = 0; kind < 4; kind++) {
        scene c;
        besd_forecast all, less, f;
        besd_study_options o = options_of(kind, BESD_MODEL_PAPER);
        scene_begin(&c, &o);
        tell_levels(&c, TOLD, 0.6);
        scene_look(&c);
        double mean = spec_to_model(&c.spec, 38);
        forecast_alone(&c.spec, &c.evidence, NULL, place, mean, variance, 0, &all);
        forecast_alone(&c.spec, &c.evidence, NULL, place, mean, variance - doubt, 0, &less);
        forecast_alone(&c.spec, &c.evidence, NULL, place, mean, variance, doubt, &f);
        assert_close(f.value, less.value, 1e-9);
        assert_true(f.sd == all.sd);
        assert_close(f.low, all.low, 1e-9);
        assert_close(f.high, all.high, 1e-9);
        assert_true(!(kind & 2) || all.value > 1.05 * f.value);
        scene_end(&c);
    }
}

/* Scores that are all the same say nothing of others, unless it is known what is possible and the
 * model doubts itself; whatever rounding makes of means of more or fewer of them. Where nothing is
 * said of how sure it is, nothing is said of the baseline. */
static void test_flat(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (int bounded = 0; bounded < 2; bounded++)
            for (int averaged = 0; averaged < 2; averaged++) {
                besd_study_options o =
                    options_of(kind, averaged ? BESD_MODEL_AVERAGED : BESD_MODEL_PAPER);
                const double s = 49.7, scores[] = {s, s, s, s, s, s, s, s, s, s, s};
                const double place[] = {5, 5};
                const int counts[] = {3, 7, 11};
                bool sure = bounded && averaged;
                besd_forecast f;
                scene c;
                o.baseline = 60;
                scene_begin(&c, &o);
                for (int i = 0; i < 6; i++)
                    tell(&c, (const double[]){1.5 * i, 9 - 1.5 * i}, i % 2 ? 30 : 10, scores,
                         counts[i % 3]);
                if (bounded)
                    c.spec.options.best_possible = kind & 1 ? 10 : 90;
                scene_look(&c);
                scene_model(&c, NULL);
                forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &f);
                assert_int_equal(isinf(f.low) && isinf(f.high), !sure);
                assert_int_equal(isnan(f.better), !sure);
                if (sure)
                    assert_true(f.high - f.low > 5 && f.low >= (kind & 1 ? 10 : 0) &&
                                f.high <= (kind & 1 ? 1000 : 90));
                forecast_alone(&c.spec, &c.evidence, NULL, place, f.mean, 0, 0, &f);
                assert_true(isinf(f.low) && isinf(f.high) && isnan(f.better));
                scene_end(&c);
            }
}

/* Of a path with a price: times are from the best possible one to the cap, and all of them, like
 * the interval, are as much longer as its points cost. */
static void test_price(void **state) {
    (void)state;
    const double place[] = {2, 7}, price = 3;
    int others = 0;
    for (int kind = 1; kind < 4; kind += 2) {
        besd_forecast free, f, priced, alone;
        scene c;
        besd_study_options o = options_of(kind, BESD_MODEL_AVERAGED);
        open_levels(&c, &o, 0.6);
        forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &free);
        double best = (free.low + free.value) / 2, cap = (free.value + free.high) / 2;
        c.spec.path.points = 1;
        c.spec.path.coordinates = 2;
        c.spec.path.cap = cap;
        c.spec.options.best_possible = best;
        forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &f);
        bool beyond = false; /* then scores are no times */
        for (size_t i = 0; i < c.evidence.count; i++)
            beyond = beyond || c.evidence.trials[i].trial.mean > cap;
        assert_true(f.low == best && (beyond ? f.high > cap : f.high == cap));
        others += beyond;
        for (size_t i = 0; i < c.evidence.count; i++)
            c.evidence.trials[i].trial.mean = fmin(c.evidence.trials[i].trial.mean, cap);
        forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &f);
        assert_true(f.low == best && f.high == cap);
        assert_possible_mean(&c, &f, place, -best, -cap);
        forecast_alone(&c.spec, &c.evidence, NULL, place, spec_to_model(&c.spec, 2 * cap), 0.01, 0,
                       &alone);
        assert_true(alone.value == cap);              /* whatever the model makes of it */
        for (size_t i = 0; i < c.evidence.count; i++) /* told scores are without it */
            c.evidence.trials[i].trial.mean -= price;
        c.spec.path.price = price;
        c.spec.options.best_possible = best - price;
        c.spec.path.cap = cap - price;
        forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &priced);
        assert_close(priced.value, f.value, 1e-9 * f.value);
        assert_true(priced.low == best && priced.high == cap && priced.mean == f.mean);
        assert_close(priced.sd, f.sd, 1e-9 * f.sd);
        scene_end(&c);
    }
    assert_true(others > 0);
}

/* Many at once are each what it is alone. */
static void test_many(void **state) {
    (void)state;
    enum { PLACES = 9 };
    for (int kind = 0; kind < 4; kind++) {
        double thetas[2 * PLACES];
        int64_t taus[PLACES];
        besd_forecast many[PLACES], one;
        besd_error error;
        scene c;
        besd_study_options o = options_of(kind, kind % 2 ? BESD_MODEL_AVERAGED : BESD_MODEL_PAPER);
        o.baseline = 40;
        open_levels(&c, &o, 0.6);
        for (int i = 0; i < PLACES; i++) {
            thetas[2 * i] = 1.2 * i;
            thetas[2 * i + 1] = 10 - i;
            taus[i] = i % 3 ? 30 : 10;
        }
        assert_ok(forecast_many(&c.spec, &c.evidence, &c.model, thetas, taus, PLACES, many, &error),
                  &error);
        for (int i = 0; i < PLACES; i++) {
            forecast_model(&c.spec, &c.evidence, &c.model, thetas + 2 * i, taus[i], &one);
            assert_close(many[i].mean, one.mean, 1e-9 * fabs(one.mean));
            assert_close(many[i].sd, one.sd, 1e-9 * one.sd);
            assert_close(many[i].value, one.value, 1e-8 * fabs(one.value));
            assert_close(many[i].low, one.low, 1e-8 * fabs(one.low));
            assert_close(many[i].high, one.high, 1e-8 * fabs(one.high));
            assert_close(many[i].better, one.better, 1e-8);
            assert_int_equal(many[i].tried, one.tried);
        }
        scene_end(&c);
    }
}

/* Scores in another unit: the same outlook in that unit, with logarithms or, also from another
 * zero, without. */
static void test_units(void **state) {
    (void)state;
    const double place[] = {3, 6}, factor = 250;
    for (int kind = 0; kind < 4; kind++) {
        besd_forecast f[2];
        double zero = kind & 2 ? 0 : -4e4;
        for (int other = 0; other < 2; other++) {
            scene c;
            besd_study_options o = options_of(kind, BESD_MODEL_PAPER);
            double scale = other ? factor : 1, grown = kind & 2 ? 1 : scale;
            double shift = other ? zero : 0;
            o.baseline = scale * 40 + shift;
            scene_begin(&c, &o);
            rng stream = rng_open(9, RNG_TEST, 0, 0, 0);
            for (int i = 0; i < TOLD; i++) {
                double theta[2] = {rng_between(&stream, 0, 10), rng_between(&stream, 0, 10)};
                double first = rng_between(&stream, 20, 60), second = rng_between(&stream, 20, 60);
                const double scores[] = {scale * first + shift, scale * second + shift};
                tell(&c, theta, i % 2 ? 30 : 10, scores, 2);
            }
            hyperparameters h = {.prior_mean = spec_to_model(&c.spec, scale * 40 + shift),
                                 .lengthscale = {0.5, 0.4},
                                 .sigma_root = {0.3 * grown, 0, 0.1 * grown},
                                 .env_variance = {0.01 * grown * grown, 0.01 * grown * grown},
                                 .rep_variance = {0.1 * grown * grown, 0.1 * grown * grown}};
            scene_look(&c);
            scene_model(&c, &h);
            forecast_model(&c.spec, &c.evidence, &c.model, place, 30, &f[other]);
            scene_end(&c);
        }
        assert_close(f[1].value, factor * f[0].value + zero, 1e-6);
        assert_close(f[1].low, factor * f[0].low + zero, 1e-6);
        assert_close(f[1].high, factor * f[0].high + zero, 1e-6);
        assert_close(f[1].better, f[0].better, 1e-9);
    }
}

/* A study recommends what it forecasts, to the bit; and says so at every tau. */
static void test_recommendation(void **state) {
    (void)state;
    besd_error error;
    for (int kind = 0; kind < 4; kind++) {
        besd_study_options o = options_of(kind, kind % 3 ? BESD_MODEL_AVERAGED : BESD_MODEL_PAPER);
        o.initial_designs = 3;
        o.baseline = 1.5;
        o.best_possible = kind & 1 ? 0.01 : 4;
        besd_study *s = new_study(&o);
        for (int i = 0; i < 8; i++) {
            besd_trial t = ask(s);
            double scores[BESD_MAX_REPS];
            train(&t, 2, scores);
            for (int k = 0; k < t.reps; k++)
                scores[k] = exp(scores[k]);
            assert_ok(besd_study_tell(s, t.id,
                                      &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                                      &error),
                      &error);
        }
        besd_recommendation r = recommend(s);
        besd_forecast f;
        assert_ok(besd_study_forecast(s, r.theta, 30, &f, &error), &error);
        assert_true(r.mean == f.mean && r.sd == f.sd && r.value == f.value && r.low == f.low &&
                    r.high == f.high && r.tried == f.tried && r.better == f.better);
        assert_sane(&f, true);
        double sd, mean = predict_at(s, r.theta[0], r.theta[1], 10, &sd);
        assert_ok(besd_study_forecast(s, r.theta, 10, &f, &error), &error);
        assert_close(f.mean, mean, 1e-12 * fabs(mean));
        assert_close(f.sd, sd, 1e-9 * sd);
        besd_trial first = get_trial(s, 2); /* the second initial trial is at the largest tau */
        assert_ok(besd_study_forecast(s, first.theta, 30, &f, &error), &error);
        assert_true(first.tau == 30 && f.tried == 1);
        assert_fails(besd_study_forecast(s, r.theta, 20, &f, &error), BESD_INVALID, &error,
                     "expected one of the study's levels");
        besd_study_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_quadrature),  cmocka_unit_test(test_unseen),
        cmocka_unit_test(test_alone),          cmocka_unit_test(test_best_possible),
        cmocka_unit_test(test_worst_possible), cmocka_unit_test(test_better),
        cmocka_unit_test(test_tried),          cmocka_unit_test(test_like_trials),
        cmocka_unit_test(test_summaries),      cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_units),          cmocka_unit_test(test_recommendation),
        cmocka_unit_test(test_flat),           cmocka_unit_test(test_doubt_alone),
        cmocka_unit_test(test_price),          cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
