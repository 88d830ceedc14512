/* One job of a comparison, replayed through the public calls with the same seeds: its trials, the
 * recommendation at every point of the budget, its tests and its learning curves. */
#include "study_fixture.h"

#include "domain_training.h"

#include "contest/job.h"

static besd_error error;

enum { REPLICATION = 3, INSTANCES = 4, MOST_TRIALS = 256 };

/* gw10 with levers so short that a job takes milliseconds: a trial at both of the largest costs
 * 180, the others 40, 60 and 120. */
static void describe(contest *c, double budget) {
    domain d;
    assert_ok(domain_find("gw10", &d, &error), &error);
    assert_ok(domain_set(&d, "tau=20,60", &error), &error);
    assert_ok(domain_set(&d, "reps=2,3", &error), &error);
    assert_ok(domain_set(&d, "initial_designs=3", &error), &error);
    contest_init(c, &d);
    c->budget = budget;
    c->seed = 8;
    c->instances = INSTANCES;
    c->checkpoint = 6;
}

static job_result run(const contest *c, const char *name) {
    contender who;
    job_result result;
    assert_ok(contender_parse(&who, name, &error), &error);
    assert_ok(job_run(c, &who, REPLICATION, &result, &error), &error);
    return result;
}

/* A study by hand: its trials, and what it recommended after so many of them. */
typedef struct replay {
    size_t count;
    besd_trial trials[MOST_TRIALS];
    double ended[MOST_TRIALS]; /* spent when the trial ended */
    double mean[MOST_TRIALS];
    double after[MOST_TRIALS + 1][BESD_MAX_DIMENSION]; /* the recommendation after n trials */
} replay;

static replay *replay_of(const contest *c, besd_method method) {
    replay *p = calloc(1, sizeof *p);
    domain_study b;
    besd_study *s;
    double total = 0, scores[BESD_MAX_REPS];
    assert_non_null(p);
    assert_ok(domain_study_init(&b, &c->domain, &error), &error);
    b.options.method = method;
    b.options.seed = rng_seed(8, RNG_CONTEST, REPLICATION, 0, 0) >> 1;
    b.options.budget = c->budget;
    assert_ok(domain_study_open(&b, NULL, &s, &error), &error);
    besd_trial t;
    while (besd_study_ask(s, NULL, &t, &error) == BESD_OK) {
        assert_true(p->count < MOST_TRIALS);
        assert_ok(train_and_tell(&b, s, &t, scores, &error), &error);
        total += (double)t.tau * t.reps;
        p->trials[p->count] = t;
        p->ended[p->count] = total;
        p->mean[p->count] = get_trial(s, t.id).mean;
        p->count++;
        memcpy(p->after[p->count], recommend(s).theta, sizeof p->after[0]);
    }
    besd_study_close(s);
    return p;
}

/* Mean and standard error of a design in the test instances; NULL: without subgoals. */
static void tested(const contest *c, const double *theta, double *mean, double *se) {
    trial_request r = {.domain = &c->domain,
                       .theta = theta,
                       .theta_length = 4,
                       .tau = 60,
                       .reps = 1,
                       .instances = INSTANCES,
                       .seed = rng_seed(8, RNG_TEST, 0, 0, 0) >> 1};
    trial_result result;
    double squares = 0;
    *mean = 0;
    assert_ok(trial_run(&r, &result, &error), &error);
    for (int i = 0; i < INSTANCES; i++)
        *mean += result.final[i] / INSTANCES;
    for (int i = 0; i < INSTANCES; i++)
        squares += pow(result.final[i] - *mean, 2);
    *se = sqrt(squares / (INSTANCES - 1) / INSTANCES);
    trial_result_free(&result);
}

static void assert_tested(const contest *c, const job_point *p, const double *theta) {
    double mean, se;
    tested(c, theta, &mean, &se);
    assert_close(p->mean, mean, 1e-9);
    assert_close(p->se, se, 1e-9);
}

/* Point k stands for what was in force when (k + 1) / 40 of the budget were spent: the
 * recommendation after all trials that had ended by then. */
static void assert_points(const contest *c, const job_result *got, const replay *p, bool latest) {
    for (size_t k = 0; k < JOB_POINTS; k++) {
        const job_point *point = &got->points[k];
        double cost = c->budget * (double)(k + 1) / 40;
        size_t ended = 0;
        while (ended < p->count && p->ended[ended] <= cost)
            ended++;
        assert_close(point->cost, cost, 1e-9);
        if (point->known != (ended > 0))
            fail_msg("point %zu of cost %g after %zu trials: known %d", k, cost, ended,
                     point->known);
        if (!ended)
            continue;
        const double *theta = latest ? p->trials[ended - 1].theta : p->after[ended];
        if (!same_numbers(point->theta, theta, 4))
            fail_msg("point %zu of cost %g after %zu trials: (%g, %g, ...), expected (%g, %g, ...)",
                     k, cost, ended, point->theta[0], point->theta[1], theta[0], theta[1]);
        assert_tested(c, point, theta);
    }
}

static void assert_trials(const job_result *got, const replay *p) {
    assert_int_equal(got->trial_count, p->count);
    assert_int_equal(got->dimension, 4);
    for (size_t i = 0; i < p->count; i++) {
        const job_trial *t = &got->trials[i];
        assert_true(same_numbers(t->theta, p->trials[i].theta, 4));
        assert_true(t->tau == p->trials[i].tau && t->reps == p->trials[i].reps);
        assert_int_equal(t->reason, p->trials[i].reason);
        assert_true(t->cost == p->ended[i]);
        assert_close(t->mean, p->mean[i], 1e-9);
    }
}

/* The means over five times as many instances after every checkpoint. */
static void assert_curve(const contest *c, const double *curve, const double *theta) {
    trial_request r = {.domain = &c->domain,
                       .theta = theta,
                       .theta_length = 4,
                       .tau = 60,
                       .reps = 1,
                       .instances = 5 * INSTANCES,
                       .seed = rng_seed(8, RNG_TEST, 0, 0, 0) >> 1,
                       .every = 6};
    trial_result result;
    assert_ok(trial_run(&r, &result, &error), &error);
    assert_int_equal(result.checkpoints, JOB_CHECKPOINTS);
    for (size_t i = 0; i < JOB_CHECKPOINTS; i++) {
        double mean = 0;
        for (size_t k = 0; k < result.agents; k++)
            mean += result.scores[i * result.agents + k] / (double)result.agents;
        assert_close(curve[i], mean, 1e-9);
    }
    trial_result_free(&result);
}

static const struct {
    const char *name;
    besd_method method;
} studies[] = {{"random", BESD_METHOD_RANDOM},
               {"besd", BESD_METHOD_BESD},
               {"lcb", BESD_METHOD_LCB},
               {"hyperband", BESD_METHOD_HYPERBAND}};

/* Budgets whose fortieths are where trials of 180 end, and where none ends. */
static void test_points_trials_and_curve(void **state) {
    (void)state;
    const double budgets[] = {40 * 60, 2500};
    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++)
        for (int b = 0; b < 2; b++) {
            contest c;
            describe(&c, budgets[b]);
            job_result got = run(&c, studies[i].name);
            replay *p = replay_of(&c, studies[i].method);
            assert_true(p->count > 10);
            assert_points(&c, &got, p, false);
            assert_trials(&got, p);
            assert_curve(&c, got.curve, p->after[p->count]);
            for (size_t k = 0; k < got.trial_count; k++)
                assert_false(got.trials[k].change.known); /* nobody asked for it */
            free(p);
            job_result_free(&got);
        }
}

/* In the paper's figure of a random search the newest design counts, not the best. */
static void test_latest(void **state) {
    (void)state;
    contest c;
    describe(&c, 40 * 60);
    job_result got = run(&c, "random:selection=latest");
    replay *p = replay_of(&c, BESD_METHOD_RANDOM);
    assert_points(&c, &got, p, true);
    assert_trials(&got, p);
    assert_curve(&c, got.curve, p->trials[p->count - 1].theta);
    free(p);
    job_result_free(&got);
}

/* With every change tested, a trial after which another design is recommended says so. */
static void test_changes(void **state) {
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        contest c;
        describe(&c, 40 * 60);
        c.every_change = true;
        job_result got = run(&c, studies[i].name);
        replay *p = replay_of(&c, studies[i].method);
        size_t changes = 0;
        for (size_t n = 1; n <= p->count; n++) {
            const job_point *change = &got.trials[n - 1].change;
            bool changed = n == 1 || !same_numbers(p->after[n], p->after[n - 1], 4);
            assert_int_equal(change->known, changed);
            if (!changed)
                continue;
            assert_true(same_numbers(change->theta, p->after[n], 4));
            assert_true(change->cost == p->ended[n - 1]);
            assert_tested(&c, change, p->after[n]);
            changes++;
        }
        assert_true(changes > 1);
        assert_points(&c, &got, p, false);
        free(p);
        job_result_free(&got);
    }
}

/* Learning without subgoals has one result, known from the beginning; that of stored instances once
 * the ten of them are paid for. */
static void test_learners(void **state) {
    (void)state;
    contest c;
    double mean, se, plain;
    describe(&c, 2400);
    tested(&c, NULL, &mean, &se);
    job_result got = run(&c, "ql");
    assert_int_equal(got.trial_count, 0);
    for (size_t k = 0; k < JOB_POINTS; k++) {
        assert_true(got.points[k].known);
        assert_close(got.points[k].cost, 60 * (double)(k + 1), 1e-9);
        assert_close(got.points[k].mean, mean, 1e-9);
        assert_close(got.points[k].se, se, 1e-9);
    }
    assert_curve(&c, got.curve, NULL);
    assert_ok(job_plain_score(&c, &plain, &error), &error);
    assert_close(plain, mean, 1e-9);
    job_result_free(&got);
    got = run(&c, "tql"); /* 10 instances of 60 interactions: from the tenth point on */
    for (size_t k = 0; k < JOB_POINTS; k++) {
        assert_int_equal(got.points[k].known, k >= 9);
        assert_true(got.points[k].mean == got.points[JOB_POINTS - 1].mean);
    }
    assert_true(isnan(got.curve[0]));
    job_result_free(&got);
}

/* Replications differ, the same one is the same, and contenders of one replication share a seed. */
static void test_replications(void **state) {
    (void)state;
    contest c;
    contender who;
    job_result got[3];
    describe(&c, 1800);
    assert_ok(contender_parse(&who, "random", &error), &error);
    for (int i = 0; i < 3; i++)
        assert_ok(job_run(&c, &who, i == 2 ? 1 : i, &got[i], &error), &error);
    assert_memory_not_equal(got[0].trials[0].theta, got[1].trials[0].theta, 4 * sizeof(double));
    assert_memory_equal(got[1].points, got[2].points, sizeof got[1].points);
    for (int i = 0; i < 3; i++)
        job_result_free(&got[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_trials_and_curve),
        cmocka_unit_test(test_latest),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_learners),
        cmocka_unit_test(test_replications),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
