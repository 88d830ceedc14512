/* Where a trial meets a domain: what a study of it looks like, and that everything the trial says
 * reaches the learner. What comes back is compared with trial_run, asked for the same by hand. */
#include "testing.h"

#include "core/rng.h"
#include "domain_training.h"
#include "run/domain_study.h"
#include "world/domain_load.h"

#include <stdlib.h>

static besd_error error;

enum { REPS = 6 };

static void open_bridge(domain_study *b, domain *d, const char *name) {
    assert_ok(domain_find(name, d, &error), &error);
    assert_ok(domain_study_init(b, d, &error), &error);
    b->threads = 1;
}

static besd_trial trial_of(uint64_t seed, int64_t tau, int reps) {
    return (besd_trial){.id = 1, .theta = {3, 4, 7, 8}, .tau = tau, .reps = reps, .seed = seed};
}

static void train(const domain_study *b, const besd_trial *t, double *scores) {
    assert_ok(train_by_hand(b, t, scores, &error), &error);
}

/* What the learner gives when it is asked for this by hand. */
static void assert_trained(const domain *d, const besd_trial *t, bool fresh, const double *scores) {
    trial_request r = {.domain = d,
                       .theta = t->theta,
                       .theta_length = 4,
                       .tau = t->tau,
                       .reps = t->reps,
                       .instances = 1,
                       .seed = t->seed,
                       .fresh_instances = fresh,
                       .threads = 1};
    trial_result result;
    assert_ok(trial_run(&r, &result, &error), &error);
    assert_int_equal(result.agents, t->reps);
    assert_memory_equal(scores, result.final, (size_t)t->reps * sizeof *scores);
    trial_result_free(&result);
}

/* Seed, design, tau, replications and fresh instances: each of them decides. */
static void test_a_trial_as_it_says(void **state) {
    (void)state;
    domain d;
    domain_study b;
    open_bridge(&b, &d, "gw10");
    besd_trial t = trial_of(11, 400, REPS);
    double scores[REPS], other[REPS];
    assert_int_equal(b.options.instances, BESD_INSTANCES_FRESH); /* drawing one is free */
    train(&b, &t, scores);
    assert_trained(&d, &t, true, scores);
    b.options.instances = BESD_INSTANCES_SHARED;
    train(&b, &t, scores);
    assert_trained(&d, &t, false, scores);
    train(&b, &t, other);
    assert_memory_equal(scores, other, sizeof scores); /* the same trial, the same scores */

    t.seed = 12;
    train(&b, &t, other);
    assert_trained(&d, &t, false, other);
    assert_memory_not_equal(scores, other, sizeof scores);

    t = trial_of(11, 900, REPS);
    train(&b, &t, other);
    assert_trained(&d, &t, false, other);
    assert_memory_not_equal(scores, other, sizeof scores);

    t = trial_of(11, 400, REPS);
    t.theta[3] = 1;
    train(&b, &t, other);
    assert_trained(&d, &t, false, other);
    assert_memory_not_equal(scores, other, sizeof scores);

    t = trial_of(11, 400, 2); /* the first two of them */
    train(&b, &t, other);
    assert_memory_equal(scores, other, 2 * sizeof *scores);

    b.options.instances = BESD_INSTANCES_FRESH;
    t = trial_of(11, 400, REPS);
    train(&b, &t, other);
    assert_trained(&d, &t, true, other);
    assert_memory_not_equal(scores, other, sizeof scores);
}

/* No score is written beyond those of the trial. */
static void test_no_more_scores_than_replications(void **state) {
    (void)state;
    domain d;
    domain_study b;
    double scores[REPS + 1];
    open_bridge(&b, &d, "gw10");
    besd_trial t = trial_of(11, 200, REPS);
    scores[REPS] = -7;
    train(&b, &t, scores);
    assert_true(scores[REPS] == -7);
    t.tau = 0;
    scores[0] = -7;
    assert_fails(train_by_hand(&b, &t, scores, &error), BESD_INVALID, &error, "tau");
    assert_true(scores[0] == -7);
}

/* A test trains at the largest tau, once in each of so many instances. */
static void test_testing(void **state) {
    (void)state;
    enum { INSTANCES = 20 };
    const double design[] = {3, 4, 7, 8};
    domain d;
    domain_study b;
    open_bridge(&b, &d, "gw10");
    for (int with = 0; with < 2; with++) {
        const double *theta = with ? design : NULL;
        trial_result result, expected;
        trial_request r = {.domain = &d,
                           .theta = theta,
                           .theta_length = 4,
                           .tau = domain_tau_max(&d),
                           .reps = 1,
                           .instances = INSTANCES,
                           .seed = 5,
                           .threads = 2};
        assert_ok(domain_study_test(&b, theta, INSTANCES, 5, &result, &error), &error);
        assert_ok(trial_run(&r, &expected, &error), &error);
        assert_int_equal(result.agents, INSTANCES);
        assert_memory_equal(result.final, expected.final, INSTANCES * sizeof(double));
        trial_result_free(&result);
        assert_ok(domain_study_test(&b, theta, INSTANCES, 6, &result, &error), &error);
        assert_memory_not_equal(result.final, expected.final, INSTANCES * sizeof(double));
        trial_result_free(&result);
        trial_result_free(&expected);
    }
}

/* An environment whose every episode lasts one step and tells, as its reward, which instance it is:
 * a score says where an agent has been. */
struct besd_env {
    double reward;
};

static double reward_of(uint64_t instance) {
    return 1 + (double)(instance >> 11) * 0x1p-53;
}

static besd_status open_teller(domain_source *source, const domain *d, besd_env **env,
                               besd_error *failure) {
    (void)source;
    (void)d;
    (void)failure;
    *env = calloc(1, sizeof **env);
    assert_non_null(*env);
    return BESD_OK;
}

static void release_teller(domain_source *source) {
    (void)source;
}

static void destroy_teller(besd_env *env) {
    free(env);
}

static void specify_teller(const besd_env *env, besd_env_spec *spec) {
    (void)env;
    *spec = (besd_env_spec){.actions = 2,
                            .states = 2,
                            .observation = 1,
                            .position = 1,
                            .high = {2},
                            .subgoal_high = {2},
                            .cap = 5};
}

static besd_status draw_teller(besd_env *env, uint64_t seed, besd_error *failure) {
    (void)failure;
    env->reward = reward_of(seed);
    return BESD_OK;
}

static void seed_teller(besd_env *env, uint64_t seed) {
    (void)env;
    (void)seed;
}

static void reset_teller(besd_env *env, besd_env_outcome *out) {
    (void)env;
    *out = (besd_env_outcome){.observation = {0.5}};
}

static void step_teller(besd_env *env, int action, besd_env_outcome *out) {
    (void)action;
    *out = (besd_env_outcome){
        .reward = env->reward, .state = 1, .terminated = true, .observation = {1.5}};
}

static const besd_env_methods teller = {.version = BESD_ENV_VERSION,
                                        .size = sizeof(besd_env_methods),
                                        .name = "teller",
                                        .destroy = destroy_teller,
                                        .spec = specify_teller,
                                        .instance = draw_teller,
                                        .seed = seed_teller,
                                        .reset = reset_teller,
                                        .step = step_teller};

/* The same seed gives the same instances to every design, number i of them to agent i. A trial has
 * one instance for all its replications, or one each. */
static void test_instances(void **state) {
    (void)state;
    enum { INSTANCES = 20 };
    const double designs[][2] = {{0.1, 0.2}, {1.9, 1.1}};
    static const char *const settings[] = {"objective=return", "tau=6,9", "reps=4", NULL};
    domain_source source = {.open = open_teller, .release = release_teller};
    domain d;
    domain_study b;
    trial_result result;
    assert_ok(domain_adopt(&d, "teller", "a teller", &source, &teller, settings, &error), &error);
    assert_ok(domain_study_init(&b, &d, &error), &error);
    for (int k = 0; k < 3; k++) {
        const double *theta = k < 2 ? designs[k] : NULL;
        assert_ok(domain_study_test(&b, theta, INSTANCES, 5, &result, &error), &error);
        for (uint64_t i = 0; i < INSTANCES; i++)
            assert_true(result.final[i] == reward_of(rng_seed(5, RNG_INSTANCE, i, 0, 0)));
        trial_result_free(&result);
    }
    besd_trial t = {.id = 1, .theta = {0.1, 0.2}, .tau = 6, .reps = REPS, .seed = 11};
    for (int fresh = 0; fresh < 2; fresh++) {
        double scores[REPS];
        b.options.instances = fresh ? BESD_INSTANCES_FRESH : BESD_INSTANCES_SHARED;
        train(&b, &t, scores);
        for (uint64_t i = 0; i < REPS; i++)
            assert_true(scores[i] == reward_of(rng_seed(11, RNG_INSTANCE, fresh ? i : 0, 0, 0)));
    }
    domain_release(&d);
}

/* What a study of a domain is made of. */
static void test_options(void **state) {
    (void)state;
    domain d;
    domain_study b;
    open_bridge(&b, &d, "gw10");
    const besd_study_options *o = &b.options;
    static const char *const names[] = {"x1", "y1", "x2", "y2"};
    assert_int_equal(o->dimension, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(o->names[i], names[i]);
        assert_true(o->low[i] == 0 && o->high[i] == 10);
    }
    assert_int_equal(o->direction, BESD_MINIMIZE);
    assert_int_equal(o->transform, BESD_TRANSFORM_LOG);
    for (size_t i = 0; i < o->tau_count; i++)
        assert_true(o->taus[i] == d.tau[i] && d.tau[i] > 0);
    for (size_t i = 0; i < o->reps_count; i++)
        assert_true(o->reps[i] == d.reps[i] && d.reps[i] > 0);
    assert_true(d.tau[o->tau_count] == 0 && d.reps[o->reps_count] == 0);
    assert_ok(domain_set(&d, "objective=return", &error), &error);
    assert_ok(domain_set(&d, "initial_designs=7", &error), &error);
    assert_ok(domain_study_init(&b, &d, &error), &error);
    assert_int_equal(o->direction, BESD_MAXIMIZE);
    assert_int_equal(o->transform, BESD_TRANSFORM_NONE);
    assert_int_equal(o->initial_designs, 7);
    d.initial_designs = 0; /* it does not say */
    assert_ok(domain_study_init(&b, &d, &error), &error);
    assert_int_equal(o->initial_designs, BESD_AUTO);
}

/* Two domains: scores that are steps, and scores that are returns. */
static const char *const told_domains[] = {"gw10", "tr"};

/* A study of a domain knows of the subgoals; what it is told are the scores of a training, and legs
 * that agree with them: the last ends with the goal, and together they earn the return. */
static void test_legs_are_told(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof told_domains / sizeof *told_domains; i++) {
        domain d;
        domain_study b;
        besd_study *s = NULL;
        besd_env_spec spec;
        besd_env *env = NULL;
        besd_path p;
        besd_trial t;
        int goals = 0, caps = 0;
        open_bridge(&b, &d, told_domains[i]);
        assert_ok(domain_open(&d, &env, &error), &error);
        d.methods->spec(env, &spec);
        d.methods->destroy(env);
        b.options.seed = 5;
        assert_ok(domain_study_open(&b, NULL, &s, &error), &error);
        besd_study_get_path(s, &p);
        assert_int_equal(p.points * p.coordinates, b.options.dimension);
        assert_int_equal(p.coordinates, 2);
        assert_true(p.cap == (double)spec.cap && p.cell == 1);
        for (int trial = 0; trial < 8; trial++) {
            double scores[64], trained[64], kept[64];
            besd_leg legs[64 * 4];
            size_t count, length = p.points + 1;
            assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
            assert_true(t.reps <= 64 && length <= 4);
            assert_ok(train_and_tell(&b, s, &t, scores, &error), &error);
            train(&b, &t, trained);
            assert_memory_equal(scores, trained, (size_t)t.reps * sizeof *scores);
            assert_ok(besd_study_scores(s, t.id, kept, 64, &count, &error), &error);
            assert_int_equal(count, t.reps);
            assert_memory_equal(scores, kept, count * sizeof *scores);
            assert_ok(besd_study_legs(s, t.id, legs, 64 * 4, &count, &error), &error);
            assert_int_equal(count, (size_t)t.reps * length);
            for (size_t r = 0; r < (size_t)t.reps; r++) {
                const besd_leg *one = legs + r * length;
                double end = one[length - 1].reached, earned = 0;
                for (size_t k = 0; k < length; k++)
                    earned += one[k].earned;
                goals += !isnan(end);
                caps += isnan(end);
                if (d.objective == OBJECTIVE_RETURN)
                    assert_close(isnan(end) ? 0 : earned, scores[r], 1e-9);
                else
                    assert_true(scores[r] == (isnan(end) ? p.cap : end));
            }
        }
        assert_true(goals > 0 && caps > 0);
        besd_study_close(s);
    }
}

/* A study that knows of no path is told the scores alone. */
static void test_no_path_no_legs(void **state) {
    (void)state;
    domain d;
    domain_study b;
    besd_study *s = NULL;
    besd_trial t;
    besd_leg legs[1];
    size_t count;
    double scores[64];
    open_bridge(&b, &d, "gw10");
    assert_ok(besd_study_open(&s, NULL, &b.options, &error), &error);
    assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
    assert_true(t.reps <= 64);
    assert_ok(train_and_tell(&b, s, &t, scores, &error), &error);
    assert_ok(besd_study_legs(s, t.id, legs, 1, &count, &error), &error);
    assert_int_equal(count, 0);
    besd_study_close(s);
}

/* The side of the cells by which legs are compared, and where they begin. */
static void test_cells_of_the_path(void **state) {
    (void)state;
    static const struct {
        const char *domain, *settings[2];
        double cell, origin;
    } cases[] = {{"gw10", {NULL, NULL}, 1, 0},
                 {"gw10", {"cell_size=2.5", "origin=0.5"}, 2.5, 0.5},
                 {"gw10", {"radius=1", NULL}, 1.4142135623730951, 0}, /* in its circle */
                 {"mc", {"radius=0.1", NULL}, 0.2, 0},
                 {"mc", {NULL, NULL}, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        domain d;
        domain_study b;
        assert_ok(domain_find(cases[i].domain, &d, &error), &error);
        for (int k = 0; k < 2 && cases[i].settings[k]; k++)
            assert_ok(domain_set(&d, cases[i].settings[k], &error), &error);
        assert_ok(domain_study_init(&b, &d, &error), &error);
        assert_close(b.path.cell, cases[i].cell, 1e-15);
        assert_true(b.path.origin[0] == cases[i].origin);
    }
    domain d;
    domain_study b;
    assert_ok(domain_find("gw10", &d, &error), &error);
    assert_ok(domain_set(&d, "radius=11", &error), &error);
    assert_fails(domain_study_init(&b, &d, &error), BESD_INVALID, &error,
                 "at most the longest side");
}

/* A point in the cell of the one before it is none: for the learner as for the study. */
static void test_learner_and_study_count_alike(void **state) {
    (void)state;
    static const char *const settings[] = {"reach=cell", "cell_size=2.5", "cell_size=0.7",
                                           "radius=1.3", "radius=0.3"};
    rng r = rng_open(4, RNG_TEST, 0, 0, 0);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        domain d;
        domain_study b;
        besd_study *study;
        besd_env *env;
        besd_env_spec spec;
        assert_ok(domain_find("gw10", &d, &error), &error);
        assert_ok(domain_set(&d, settings[i], &error), &error);
        assert_ok(domain_set(&d, "subgoals=1..4", &error), &error);
        assert_ok(domain_study_init(&b, &d, &error), &error);
        assert_ok(domain_study_open(&b, NULL, &study, &error), &error);
        assert_ok(domain_open(&d, &env, &error), &error);
        domain_spec(&d, env, &spec);
        size_t met[5] = {0};
        for (int n = 0; n < 2000; n++) {
            double theta[8], step = n % 2 ? 10 : 1; /* in whole tenths: many on borders */
            for (int k = 0; k < 8; k++) {
                double x = k < 2 ? 0 : theta[k - 2];
                theta[k] = k < 2 || n % 4 > 1 ? (double)rng_below(&r, 101) / 10
                                              : x + (double)rng_below(&r, 11) / 10 * step / 10;
                theta[k] = fmin(theta[k], 10);
            }
            subgoals goals;
            assert_ok(subgoals_of(&goals, &d, &spec, theta, 8, &error), &error);
            assert_int_equal(goals.count, besd_study_visited(study, theta, NULL));
            met[goals.count]++;
        }
        assert_true(met[2] > 0 && met[3] > 0 && met[4] > 0);
        d.methods->destroy(env);
        besd_study_close(study);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_of_the_path),
        cmocka_unit_test(test_learner_and_study_count_alike),
        cmocka_unit_test(test_a_trial_as_it_says),
        cmocka_unit_test(test_no_more_scores_than_replications),
        cmocka_unit_test(test_testing),
        cmocka_unit_test(test_instances),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_legs_are_told),
        cmocka_unit_test(test_no_path_no_legs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
