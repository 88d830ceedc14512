/* The knowledge gradient of random studies against a naive computation: every covariance by itself,
 * every line kept, the envelope by comparing all pairs. Gradients against differences, bounds
 * against values, one case against the future itself. */
#include "model_facts.h"

#include "decide/kg.h"
#include "decide/latin.h"

#include <stdlib.h>

enum { FEW = 100, MANY = 400, TAUS = FACTS_LEVELS, REPS = 3, LEVERS = TAUS * REPS };

static const double reps[REPS] = {1, 5, 25};

/* A model, its targets and what kg makes of them. */
typedef struct study {
    observations o;
    hyperparameters h;
    gp *model;
    kg_levers levers;
    size_t dimension, target_count;
    double *targets;
    kg *k;
} study;

static void open_kg(study *s) {
    besd_error error;
    s->levers.tau_count = TAUS;
    s->levers.reps_count = REPS;
    for (int t = 0; t < TAUS; t++) {
        s->levers.share[t] = facts_shares[t];
        for (int r = 0; r < REPS; r++) {
            s->levers.reps[r] = reps[r];
            s->levers.cost[t][r] = 100 * facts_shares[t] * reps[r];
        }
    }
    assert_ok(kg_create(s->model, &s->levers, s->targets, s->target_count, &s->k, &error), &error);
}

/* Targets: a Latin hypercube and every theta tried. */
static void open_study(study *s, rng *stream, size_t hypercube, size_t n, size_t pending,
                       size_t dimension, model_kind kind) {
    besd_error error;
    memset(s, 0, sizeof *s);
    s->dimension = dimension;
    facts_draw_trials(stream, &s->o, n, dimension);
    s->h = facts_draw_hyperparameters(stream, dimension, kind);
    assert_ok(gp_create(&s->o, n - pending, &s->h, &s->model, &error), &error);
    s->target_count = hypercube + n;
    s->targets = malloc(s->target_count * dimension * sizeof *s->targets);
    assert_non_null(s->targets);
    latin_hypercube(rng_next(stream), RNG_TEST, hypercube, dimension, s->targets);
    for (size_t i = 0; i < n * dimension; i++)
        s->targets[hypercube * dimension + i] = s->o.theta[i];
    open_kg(s);
}

static void close_study(study *s) {
    kg_destroy(s->k);
    gp_destroy(s->model);
    observations_free(&s->o);
    free(s->targets);
}

/* Both models, told and pending from none to many, one to four dimensions. */
static void open_random_study(study *s, rng *stream, size_t hypercube, int trial) {
    size_t n = (size_t[]){0, 1, 6, 15, 30, 30}[trial % 6], d = 1 + (size_t)trial % 4;
    open_study(s, stream, hypercube, n, trial % 6 == 5 ? 7 : 0, d,
               trial / 2 % 2 ? MODEL_PAPER : MODEL_EXTENDED);
}

static void evaluate(study *s, const double *theta, double *log_kg) {
    besd_error error;
    assert_ok(kg_evaluate(s->k, theta, log_kg, &error), &error);
}

/* h(-c) for c >= 0; the cancellation costs c^2 units of the long double. */
static long double improvement(long double c) {
    long double density = expl(-c * c / 2) / sqrtl(2 * 3.14159265358979323846L);
    return density - c * erfcl(c / sqrtl(2)) / 2;
}

/* sum_j (b_{j+1} - b_j) h(-|c_j|), from the lines that are highest somewhere and those that take
 * over from them. */
static long double naive_kg(const double *a, const long double *b, size_t n) {
    long double sum = 0;
    for (size_t i = 0; i < n; i++) {
        long double low = -INFINITY, high = INFINITY;
        size_t next = n;
        for (size_t j = 0; j < n && low < high; j++) {
            long double above = (long double)a[j] - (long double)a[i];
            if (b[j] < b[i])
                low = fmaxl(low, above / (b[i] - b[j]));
            else if (b[j] > b[i]) {
                long double cut = above / (b[i] - b[j]);
                /* of several that take over at one place the steepest does */
                if (cut < high || (cut == high && next < n && b[j] > b[next])) {
                    high = cut;
                    next = j;
                }
            } else if (above > 0 || (above == 0 && j < i))
                high = -INFINITY;
        }
        if (low < high && next < n)
            sum += (b[next] - b[i]) * improvement(fabsl(high));
    }
    return sum;
}

/* nu of one theta for all levers, and the size of the largest slope. */
static void naive_levers(const study *s, const double *theta, long double *nu, double *steepest) {
    size_t m = s->target_count, d = s->dimension;
    double *a = malloc(m * sizeof *a), *covariance = malloc(m * sizeof *covariance);
    long double *b = malloc(m * sizeof *b);
    assert_true(a && b && covariance);
    for (size_t i = 0; i < m; i++)
        a[i] = gp_predict(s->model, s->targets + i * d, 1, NULL, NULL);
    *steepest = 0;
    for (int t = 0; t < TAUS; t++) {
        double variance;
        gp_predict(s->model, theta, facts_shares[t], &variance, NULL);
        for (size_t i = 0; i < m; i++)
            covariance[i] = gp_covariance(s->model, s->targets + i * d, 1, theta, facts_shares[t]);
        for (int r = 0; r < REPS; r++) {
            for (size_t i = 0; i < m; i++) {
                b[i] = covariance[i] / sqrtl(variance + facts_noise(&s->h, t, reps[r]));
                *steepest = fmax(*steepest, fabs((double)b[i]));
            }
            nu[t * REPS + r] = naive_kg(a, b, m);
        }
    }
    free(a);
    free(b);
    free(covariance);
}

/* Means are good to 3e-13 and covariances to 3e-15, here as there, which moves nu by as much of the
 * slopes; where nu is small the cuts are far out and it counts many times. What is left out beyond
 * |Z| = 9 is worth up to 1e-19 of the steepest. */
static void test_matches_naive_computation(void **state) {
    (void)state;
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    int compared = 0;
    for (int trial = 0; trial < TEST_SIZE(24, 12); trial++) {
        study s;
        open_random_study(&s, &stream, FEW, trial);
        for (int place = 0; place < 8; place++) {
            double theta[4], log_kg[LEVERS], steepest;
            long double naive[LEVERS];
            facts_draw_theta(&stream, s.dimension, theta);
            if (place % 2) /* half of them are targets */
                memcpy(theta, s.targets + (size_t)rng_below(&stream, s.target_count) * s.dimension,
                       s.dimension * sizeof *theta);
            evaluate(&s, theta, log_kg);
            naive_levers(&s, theta, naive, &steepest);
            for (int l = 0; l < LEVERS; l++) {
                double expected = (double)naive[l];
                double tolerance = fmin(1e-11 * steepest, 1e-6 * expected);
                assert_close(exp(log_kg[l]), expected, tolerance + 1e-19 * steepest);
                compared += expected > 1e-2 * steepest;
            }
        }
        close_study(&s);
    }
    assert_true(compared > TEST_SIZE(1200, 500));
}

/* The trial happens: an outcome is drawn, told to the model, and the targets are looked at again.
 * The mean of today's best target goes up as often as down, so that nu is the mean lead of the best
 * one over it, within four standard errors. */
static void test_matches_the_future(void **state) {
    (void)state;
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    besd_error error;
    study s;
    const int draws = TEST_SIZE(20000, 2000), tau = 1, q = 1;
    open_study(&s, &stream, FEW, 6, 0, 2, MODEL_EXTENDED);
    s.target_count = 12;
    kg_destroy(s.k);
    open_kg(&s);
    double theta[2], variance, sum = 0, squares = 0, drift = 0, drift_squares = 0, nu = 0;
    for (int k = 0; k < 50; k++) { /* a candidate that is worth something */
        double other[2], log_kg[LEVERS];
        facts_draw_theta(&stream, 2, other);
        evaluate(&s, other, log_kg);
        if (exp(log_kg[tau * REPS + q]) > nu) {
            nu = exp(log_kg[tau * REPS + q]);
            memcpy(theta, other, sizeof theta);
        }
    }
    const double *best = s.targets + 2 * kg_best_target(s.k);
    double before = gp_predict(s.model, best, 1, NULL, NULL);
    double mean = gp_predict(s.model, theta, facts_shares[tau], &variance, NULL);
    double sd = sqrt(variance + noise_variance(&s.h, tau, reps[q]));
    for (int k = 0; k < draws; k++) {
        gp *future = NULL;
        double highest = -INFINITY, score = mean + sd * rng_normal(&stream);
        assert_ok(observations_add(&s.o, theta, facts_shares[tau], tau, reps[q], score, 0, &error),
                  &error);
        assert_ok(gp_create(&s.o, s.o.count, &s.h, &future, &error), &error);
        s.o.count--;
        for (size_t i = 0; i < s.target_count; i++)
            highest = fmax(highest, gp_predict(future, s.targets + 2 * i, 1, NULL, NULL));
        double after = gp_predict(future, best, 1, NULL, NULL), lead = highest - after;
        gp_destroy(future);
        sum += lead;
        squares += lead * lead;
        drift += after - before;
        drift_squares += (after - before) * (after - before);
    }
    double lead = sum / draws, error_of_lead = sqrt((squares / draws - lead * lead) / draws);
    assert_true(nu > TEST_SIZE(50, 15) * error_of_lead);
    assert_close(lead, nu, 4 * error_of_lead);
    assert_close(drift / draws, 0, 4 * sqrt(drift_squares) / draws);
    close_study(&s);
}

/* The slope of log nu along axis i: a central difference. */
static double slope_of(study *s, double *theta, size_t i, int lever, double step) {
    double at = theta[i], above[LEVERS], below[LEVERS];
    theta[i] = at + step;
    evaluate(s, theta, above);
    theta[i] = at - step;
    evaluate(s, theta, below);
    theta[i] = at;
    return (above[lever] - below[lever]) / (2 * step);
}

/* A line that enters the envelope bends log nu, which a step across it sees to first order; a
 * shorter step does not reach that far. Where log nu is below -15 the cut at |Z| = 9 adds bends of
 * its own. */
static void test_gradient_matches_differences(void **state) {
    (void)state;
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    int compared = 0, shortened = 0;
    for (int trial = 0; trial < 24; trial++) {
        study s;
        open_random_study(&s, &stream, FEW, trial);
        for (int place = 0; place < 10; place++) {
            int lever = (int)rng_below(&stream, LEVERS);
            double theta[4], gradient[4], log_kg[LEVERS], largest = 1;
            facts_draw_theta(&stream, s.dimension, theta);
            evaluate(&s, theta, log_kg);
            double value = kg_gradient(s.k, theta, lever / REPS, lever % REPS, gradient);
            if (log_kg[lever] < -15)
                continue;
            assert_close(value, log_kg[lever], 1e-12 * fmax(1, fabs(value)));
            for (size_t i = 0; i < s.dimension; i++)
                largest = fmax(largest, fabs(gradient[i]));
            for (size_t i = 0; i < s.dimension; i++, compared++) {
                double slope = slope_of(&s, theta, i, lever, 1e-5);
                if (fabs(gradient[i] - slope) > 1e-6 * largest) {
                    slope = slope_of(&s, theta, i, lever, 1e-6);
                    shortened++;
                }
                assert_close(gradient[i], slope, 1e-6 * largest);
            }
        }
        close_study(&s);
    }
    assert_true(compared > 400 && shortened < compared / 50);
}

/* Every lever of every target of many studies. */
static void test_bound_is_never_violated(void **state) {
    (void)state;
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    size_t cases = 0;
    double loosest = 0;
    for (int trial = 0; trial < TEST_SIZE(84, 12); trial++) {
        study s;
        open_random_study(&s, &stream, FEW, trial);
        for (size_t c = 0; c < s.target_count; c++) {
            double log_kg[LEVERS];
            evaluate(&s, s.targets + c * s.dimension, log_kg);
            for (int l = 0; l < LEVERS; l++, cases++) {
                double bound = kg_bound(s.k, c, l / REPS, l % REPS);
                if (!(log_kg[l] <= bound + 1e-12))
                    fail_msg("study %d, target %zu, lever %d: log nu %.17g above its bound %.17g",
                             trial, c, l, log_kg[l], bound);
                if (log_kg[l] > -10)
                    loosest = fmax(loosest, bound - log_kg[l]);
            }
        }
        close_study(&s);
    }
    assert_true(cases >= TEST_SIZE(100000, 10000));
    assert_true(loosest < 20); /* a bound of infinity would be safe too */
}

/* All choices, in order, from kg_evaluate of every target. */
typedef struct rated {
    double score;
    size_t target;
    int lever;
} rated;

static int by_score(const void *l, const void *r) {
    const rated *x = l, *y = r;
    return (x->score < y->score) - (x->score > y->score);
}

static void search(study *s, bool prune, kg_choice *choices, size_t wanted, size_t *found) {
    besd_error error;
    assert_ok(kg_search(s->k, prune, choices, wanted, found, &error), &error);
}

/* The best `wanted` by evaluating everything; each theta once, with its best levers. */
static void assert_best_of_all(study *s, const kg_choice *choices, size_t found) {
    size_t m = s->target_count, d = s->dimension, place = 0;
    rated *all = malloc(m * sizeof *all);
    assert_non_null(all);
    for (size_t c = 0; c < m; c++) {
        double log_kg[LEVERS];
        evaluate(s, s->targets + c * d, log_kg);
        all[c] = (rated){-INFINITY, c, 0};
        for (int l = 0; l < LEVERS; l++) {
            double score = log_kg[l] - log(s->levers.cost[l / REPS][l % REPS]);
            if (score > all[c].score)
                all[c] = (rated){score, c, l};
        }
    }
    qsort(all, m, sizeof *all, by_score);
    for (size_t i = 0; i < m && place < found; i++) {
        const double *theta = s->targets + all[i].target * d;
        bool seen = false; /* tried thetas are among the targets several times */
        for (size_t j = 0; j < place && !seen; j++)
            seen = !memcmp(choices[j].theta, theta, d * sizeof *theta);
        if (seen)
            continue;
        assert_close(choices[place].log_score, all[i].score, 1e-9);
        place++;
    }
    assert_int_equal(place, found);
    free(all);
}

static void assert_sorted_and_distinct(const study *s, const kg_choice *choices, size_t found) {
    for (size_t i = 0; i < found; i++) {
        const kg_choice *c = &choices[i];
        assert_true(c->tau >= 0 && c->tau < TAUS && c->reps >= 0 && c->reps < REPS);
        assert_true(c->log_score == c->log_kg - log(s->levers.cost[c->tau][c->reps]));
        assert_true(c->log_score > -INFINITY);
        for (size_t j = 0; j < i; j++) {
            assert_true(choices[j].log_score >= c->log_score);
            assert_true(memcmp(choices[j].theta, c->theta, s->dimension * sizeof(double)) != 0);
        }
    }
}

/* Pruning may save work and nothing else: the same choices, and they are the best. Values differ
 * in the last bits, because a matrix product depends on the order of its columns. Before anything
 * is told all means are equal, far ends of the cube tie to the bit, and only the scores can be the
 * same. */
static void test_search_finds_the_best(void **state) {
    (void)state;
    rng stream = rng_open(5, RNG_TEST, 0, 0, 0);
    size_t evaluated = 0, possible = 0;
    for (int trial = 0; trial < TEST_SIZE(24, 12); trial++) {
        study s;
        static kg_choice pruned[FEW], full[FEW];
        size_t pruned_found, full_found, wanted = (size_t[]){1, 8, FEW}[trial % 3];
        open_random_study(&s, &stream, trial % 4 ? FEW : MANY, trial);
        search(&s, true, pruned, wanted, &pruned_found);
        evaluated += kg_evaluated(s.k);
        possible += s.target_count;
        search(&s, false, full, wanted, &full_found);
        assert_true(full_found == wanted || wanted == FEW); /* some are worth nothing at all */
        assert_int_equal(pruned_found, full_found);
        for (size_t i = 0; i < full_found; i++) {
            assert_close(pruned[i].log_score, full[i].log_score, 1e-9);
            assert_true(pruned[i].tau == full[i].tau && pruned[i].reps == full[i].reps);
            if (s.o.count)
                assert_memory_equal(pruned[i].theta, full[i].theta, sizeof full[i].theta);
        }
        assert_sorted_and_distinct(&s, pruned, pruned_found);
        assert_sorted_and_distinct(&s, full, full_found);
        assert_best_of_all(&s, full, full_found);
        assert_true(kg_kept(s.k) >= 1 && kg_kept(s.k) <= s.target_count);
        close_study(&s);
    }
    assert_true(evaluated < possible); /* it does prune */
}

/* Many more targets than the search screens by, in four dimensions where each matters to its
 * neighbours only, and more choices wanted than it looks at in one go. */
static void test_search_among_many(void **state) {
    (void)state;
    enum { TARGETS = 1500, WANTED = 100 };
    static kg_choice pruned[WANTED], full[WANTED];
    rng stream = rng_open(12, RNG_TEST, 0, 0, 0);
    besd_error error;
    study s;
    size_t pruned_found, full_found;
    open_study(&s, &stream, TARGETS, 30, 0, 4, MODEL_EXTENDED);
    kg_destroy(s.k);
    gp_destroy(s.model);
    for (size_t i = 0; i < 4; i++)
        s.h.lengthscale[i] = 0.25;
    assert_ok(gp_create(&s.o, 30, &s.h, &s.model, &error), &error);
    open_kg(&s);
    search(&s, true, pruned, WANTED, &pruned_found);
    assert_true(kg_evaluated(s.k) < TARGETS);
    search(&s, false, full, WANTED, &full_found);
    assert_int_equal(full_found, WANTED);
    assert_int_equal(pruned_found, WANTED);
    for (size_t i = 0; i < WANTED; i++) {
        assert_close(pruned[i].log_score, full[i].log_score, 1e-9);
        assert_memory_equal(pruned[i].theta, full[i].theta, sizeof full[i].theta);
    }
    close_study(&s);
}

/* The same search of the same study, twice: the same bytes. */
static void test_bytes_repeat(void **state) {
    (void)state;
    for (int prune = 0; prune < 2; prune++) {
        kg_choice choices[2][8] = {0};
        for (int round = 0; round < 2; round++) {
            rng stream = rng_open(11, RNG_TEST, 0, 0, 0);
            study s;
            size_t found;
            open_study(&s, &stream, MANY, 30, 5, 3, MODEL_EXTENDED);
            search(&s, prune, choices[round], 8, &found);
            kg_refine(s.k, &choices[round][0]);
            close_study(&s);
        }
        assert_memory_equal(choices[0], choices[1], sizeof choices[0]);
    }
}

/* Levers that cost infinity are out of reach, however good. */
static void test_infinite_cost_is_never_chosen(void **state) {
    (void)state;
    rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 12; trial++) {
        study s;
        kg_choice choices[8];
        size_t found;
        open_random_study(&s, &stream, FEW, trial);
        search(&s, true, choices, 8, &found);
        int tau = choices[0].tau, q = choices[0].reps; /* the favourite is forbidden */
        kg_destroy(s.k);
        besd_error error;
        for (int t = 0; t < TAUS; t++)
            for (int r = 0; r < REPS; r++)
                if (t == tau || r == q)
                    s.levers.cost[t][r] = INFINITY;
        assert_ok(kg_create(s.model, &s.levers, s.targets, s.target_count, &s.k, &error), &error);
        for (int prune = 0; prune < 2; prune++) {
            search(&s, prune, choices, 8, &found);
            assert_int_equal(found, 8);
            for (size_t i = 0; i < found; i++)
                assert_true(choices[i].tau != tau && choices[i].reps != q);
        }
        /* with nothing in reach there is nothing to choose */
        for (int t = 0; t < TAUS; t++)
            for (int r = 0; r < REPS; r++)
                s.levers.cost[t][r] = INFINITY;
        kg_destroy(s.k);
        assert_ok(kg_create(s.model, &s.levers, s.targets, s.target_count, &s.k, &error), &error);
        search(&s, trial % 2, choices, 8, &found);
        assert_int_equal(found, 0);
        close_study(&s);
    }
}

/* Never worse, inside the cube, and what it reports is true. Mostly better: the best of a hundred
 * points is no maximum. */
static void test_refine(void **state) {
    (void)state;
    rng stream = rng_open(7, RNG_TEST, 0, 0, 0);
    int better = 0, tried = 0;
    for (int trial = 0; trial < TEST_SIZE(24, 12); trial++) {
        study s;
        kg_choice choices[8];
        size_t found;
        open_random_study(&s, &stream, FEW, trial);
        search(&s, true, choices, 8, &found);
        for (size_t c = 0; c < found; c++, tried++) {
            kg_choice before = choices[c], after = choices[c];
            double log_kg[LEVERS];
            if (c % 4 == 3) { /* also from a corner */
                for (size_t i = 0; i < s.dimension; i++)
                    after.theta[i] = (double)rng_below(&stream, 2);
                evaluate(&s, after.theta, log_kg);
                after.log_kg = log_kg[after.tau * REPS + after.reps];
                after.log_score = after.log_kg - log(s.levers.cost[after.tau][after.reps]);
                before = after;
            }
            if (after.log_kg == -INFINITY)
                continue;
            kg_refine(s.k, &after);
            assert_true(after.log_kg >= before.log_kg && after.log_score >= before.log_score);
            assert_true(after.tau == before.tau && after.reps == before.reps);
            for (size_t i = 0; i < s.dimension; i++)
                assert_true(after.theta[i] >= 0 && after.theta[i] <= 1);
            evaluate(&s, after.theta, log_kg);
            assert_close(after.log_kg, log_kg[after.tau * REPS + after.reps], 1e-9);
            assert_close(after.log_score - before.log_score, after.log_kg - before.log_kg, 1e-12);
            better += after.log_kg > before.log_kg + 1e-6;
            kg_choice again = after; /* from where it ended there is little to gain, and no loss */
            kg_refine(s.k, &again);
            assert_true(again.log_kg >= after.log_kg && again.log_score >= after.log_score);
        }
        close_study(&s);
    }
    assert_true(2 * better > tried);
}

/* With one target there is nothing to choose between. */
static void test_one_target_is_worth_nothing(void **state) {
    (void)state;
    rng stream = rng_open(8, RNG_TEST, 0, 0, 0);
    study s;
    kg_choice choice;
    size_t found;
    open_study(&s, &stream, FEW, 10, 2, 2, MODEL_EXTENDED);
    kg_destroy(s.k);
    s.target_count = 1;
    open_kg(&s);
    double theta[2] = {0.3, 0.3}, log_kg[LEVERS], gradient[2] = {1, 1};
    evaluate(&s, theta, log_kg);
    for (int l = 0; l < LEVERS; l++) {
        assert_true(log_kg[l] == -INFINITY);
        assert_true(kg_bound(s.k, 0, l / REPS, l % REPS) == -INFINITY);
    }
    assert_true(kg_gradient(s.k, theta, 1, 1, gradient) == -INFINITY);
    assert_true(gradient[0] == 0 && gradient[1] == 0);
    for (int prune = 0; prune < 2; prune++) {
        search(&s, prune, &choice, 1, &found);
        assert_int_equal(found, 0);
    }
    assert_int_equal(kg_best_target(s.k), 0);
    close_study(&s);
    kg_destroy(NULL);
}

/* Everything is known: all targets were tried at all tau with next to no noise, in every other
 * study with the same score, so that rounding decides which is best. What is left to gain is of the
 * order of the noise or of the root of rounding, and it must not become NaN. */
static void test_nothing_left_to_learn(void **state) {
    (void)state;
    enum { KNOWN = 30 };
    rng stream = rng_open(9, RNG_TEST, 0, 0, 0);
    besd_error error;
    for (int trial = 0; trial < 24; trial++) {
        study s = {.dimension = 2, .target_count = KNOWN};
        kg_choice choices[3];
        size_t found;
        double noise = pow(10, -6 - 0.5 * trial);
        s.h = facts_draw_hyperparameters(&stream, 2, trial % 4 / 2 ? MODEL_PAPER : MODEL_EXTENDED);
        for (int level = 0; level < TAUS; level++)
            s.h.env_variance[level] = s.h.rep_variance[level] = noise;
        s.targets = malloc(2 * KNOWN * sizeof *s.targets);
        assert_non_null(s.targets);
        latin_hypercube((uint64_t)trial, RNG_TEST, KNOWN, 2, s.targets);
        assert_ok(observations_init(&s.o, 2, &error), &error);
        for (size_t c = 0; c < KNOWN; c++)
            for (int level = 0; level < TAUS; level++)
                assert_ok(observations_add(&s.o, s.targets + 2 * c, facts_shares[level], level, 1,
                                           trial % 2 ? 1 : sin(9 * s.targets[2 * c]), 0, &error),
                          &error);
        assert_ok(gp_create(&s.o, s.o.count, &s.h, &s.model, &error), &error);
        open_kg(&s);
        for (size_t c = 0; c < KNOWN; c++) {
            double log_kg[LEVERS], gradient[2];
            evaluate(&s, s.targets + 2 * c, log_kg);
            for (int l = 0; l < LEVERS; l++) {
                assert_true(log_kg[l] < log(sqrt(noise) + 1e-6)); /* false for NaN as well */
                assert_true(!isnan(kg_bound(s.k, c, l / REPS, l % REPS)));
                double value = kg_gradient(s.k, s.targets + 2 * c, l / REPS, l % REPS, gradient);
                assert_true(!isnan(value) && isfinite(gradient[0]) && isfinite(gradient[1]));
            }
        }
        search(&s, true, choices, 3, &found);
        assert_true(found == 3 || !(trial % 2));
        for (size_t i = 0; i < found; i++) {
            kg_refine(s.k, &choices[i]);
            assert_true(isfinite(choices[i].log_score));
        }
        close_study(&s);
    }
}

/* The best target is the one with the largest mean, and the model is handed back. */
static void test_best_target(void **state) {
    (void)state;
    rng stream = rng_open(10, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 12; trial++) {
        study s;
        open_random_study(&s, &stream, FEW, trial);
        size_t best = kg_best_target(s.k), d = s.dimension;
        double mean = gp_predict(s.model, s.targets + best * d, 1, NULL, NULL);
        for (size_t c = 0; c < s.target_count; c++)
            assert_true(gp_predict(s.model, s.targets + c * d, 1, NULL, NULL) <= mean + 1e-12);
        assert_ptr_equal(kg_model(s.k), s.model);
        close_study(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches_naive_computation),
        cmocka_unit_test(test_matches_the_future),
        cmocka_unit_test(test_gradient_matches_differences),
        cmocka_unit_test(test_bound_is_never_violated),
        cmocka_unit_test(test_search_finds_the_best),
        cmocka_unit_test(test_search_among_many),
        cmocka_unit_test(test_bytes_repeat),
        cmocka_unit_test(test_infinite_cost_is_never_chosen),
        cmocka_unit_test(test_refine),
        cmocka_unit_test(test_one_target_is_worth_nothing),
        cmocka_unit_test(test_nothing_left_to_learn),
        cmocka_unit_test(test_best_target),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
