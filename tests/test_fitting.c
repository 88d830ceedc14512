/* Which hyperparameters a decision is made with: when kept ones serve, when they are fitted anew
 * and from how many starts, which trials they are fitted to, and how the model is made of them. The
 * fits themselves are made here a second time, by the model's own functions on observations that
 * are put together by hand. */
#include "study_scene.h"

#include "model/fit.h"
#include "model_facts.h"

#include <sqlite3.h>

/* A warm start that is far from everything, so that where it leads can be told from other fits. */
static hyperparameters strange(void) {
    hyperparameters h = {.prior_mean = 3, .sigma_root = {0.05, -0.4, 0.1}};
    for (int i = 0; i < MODEL_MAX_DIMENSION; i++)
        h.lengthscale[i] = 0.03;
    for (int i = 0; i < MODEL_MAX_LEVELS; i++)
        h.env_variance[i] = h.rep_variance[i] = 0.3;
    return h;
}

/* What fitting to these observations gives. */
static hyperparameters fit_to(const observations *o, double mean, const hyperparameters *warm,
                              int starts) {
    fit_options options = {.levels = 2, .prior_mean = mean, .starts = starts, .warm = warm};
    besd_error error;
    fit_problem *p;
    hyperparameters h;
    double value;
    assert_ok(fit_create(o, &options, &p, &error), &error);
    assert_ok(fit_run(p, &h, &value, &error), &error);
    fit_destroy(p);
    return h;
}

/* The told trials of a scene up to a number, put together by hand. */
static void told_of(const scene *c, size_t first, size_t step, size_t count, observations *o) {
    besd_error error;
    assert_ok(observations_init(o, c->spec.options.dimension, &error), &error);
    for (size_t i = 0; i < count; i++) {
        const trial_record *r = &c->evidence.trials[first + i * step];
        double unit[BESD_MAX_DIMENSION];
        assert_int_equal(r->trial.state, BESD_TRIAL_TOLD);
        for (size_t k = 0; k < c->spec.options.dimension; k++)
            unit[k] = r->trial.theta[k] / 10;
        assert_ok(observations_add(o, unit, (double)r->trial.tau / 30, r->trial.tau == 30,
                                   r->trial.reps, r->model_mean, r->within, &error),
                  &error);
    }
}

static bool same_fit(const hyperparameters *a, const hyperparameters *b) {
    return !memcmp(a, b, sizeof *a);
}

static void scene_in(scene *c, size_t dimension, uint64_t seed, size_t told) {
    besd_study_options o = small_options(dimension, seed);
    scene_begin(c, &o);
    scene_tell_some(c, told, BESD_REASON_INITIAL);
    scene_look(c);
}

static void scene_with(scene *c, size_t told) {
    scene_in(c, 1, 4, told);
}

static fitting settle(scene *c, const kept_fit *kept) {
    fit_memory memory = {0};
    fitting settled;
    assert_ok(fitting_settle(&c->spec, &c->evidence, kept, &memory, &settled, &c->error),
              &c->error);
    return settled;
}

/* Kept ones serve as long as less than a twentieth of the trials came later. */
static void test_kept_ones_serve(void **state) {
    (void)state;
    const struct {
        size_t told;
        int64_t kept;
        bool serves;
    } cases[] = {{8, 8, true},    {8, 7, false},  {19, 18, false}, {20, 19, false}, {21, 20, true},
                 {40, 38, false}, {40, 39, true}, {41, 39, true},  {42, 39, false}, {61, 58, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene c;
        scene_with(&c, cases[i].told);
        kept_fit kept = {
            .told = cases[i].kept, .last_full = cases[i].kept, .drawn = {1, {strange()}}};
        fitting got = settle(&c, &kept);
        if (got.is_new == cases[i].serves)
            fail_msg("%zu told, %lld at the kept fit", cases[i].told, (long long)cases[i].kept);
        assert_int_equal(got.told, cases[i].serves ? cases[i].kept : (int64_t)cases[i].told);
        assert_int_equal(same_fit(&got.drawn.of[0], &kept.drawn.of[0]), cases[i].serves);
        assert_false(got.is_full);
        scene_end(&c);
    }
}

/* A fit begins where the kept one ended; when the trials have grown by a fifth since the last full
 * fit it begins from three other places, too, and the best is taken. */
static void test_full_fits(void **state) {
    (void)state;
    const struct {
        int64_t kept, last_full;
        bool full;
    } cases[] = {{28, 25, false}, {28, 24, true},  {28, 23, true},
                 {24, 24, true},  {25, 25, false}, {28, 0, true}};
    scene c;
    observations o;
    hyperparameters warm = strange();
    scene_with(&c, 30);
    told_of(&c, 0, 1, 30, &o);
    double mean = c.evidence.prior_mean;
    hyperparameters brief = fit_to(&o, mean, &warm, 1);
    hyperparameters full = fit_to(&o, mean, &warm, 4);
    hyperparameters first = fit_to(&o, mean, NULL, 1);
    assert_false(same_fit(&brief, &full) || same_fit(&brief, &first));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kept_fit kept = {
            .told = cases[i].kept, .last_full = cases[i].last_full, .drawn = {1, {warm}}};
        fitting got = settle(&c, &kept);
        assert_true(got.is_new && got.told == 30);
        assert_int_equal(got.is_full, cases[i].full);
        assert_true(same_fit(&got.drawn.of[0], cases[i].full ? &full : &brief));
    }
    observations_free(&o);
    scene_end(&c);
}

/* The first fit of all begins from the four fixed places. In this study the first of them leads to
 * another, higher top than the others, so that one can see whether it was among them. */
static void test_first_fit(void **state) {
    (void)state;
    scene c;
    observations o;
    kept_fit none = {.drawn = {1, {strange()}}};
    scene_in(&c, 2, 6, 14);
    told_of(&c, 0, 1, 14, &o);
    hyperparameters cold = fit_to(&o, c.evidence.prior_mean, NULL, 4);
    hyperparameters warm = fit_to(&o, c.evidence.prior_mean, &none.drawn.of[0], 4);
    assert_true(fabs(cold.lengthscale[0] - warm.lengthscale[0]) > 0.01);
    fitting got = settle(&c, &none);
    assert_true(got.is_new && got.is_full && same_fit(&got.drawn.of[0], &cold));
    observations_free(&o);
    scene_end(&c);
}

/* Looking again does not fit again; when more is told or another fit is kept, it does. */
static void test_memory(void **state) {
    (void)state;
    scene c;
    fitting got;
    scene_with(&c, 12);
    kept_fit kept = {.told = 8, .last_full = 8, .drawn = {1, {strange()}}};
    fit_memory memory = {.told = 12, .kept = 8, .fit = {.told = 12, .is_new = true}};
    memory.fit.drawn.of[0].prior_mean = 42; /* what no fit would give */
    assert_ok(fitting_settle(&c.spec, &c.evidence, &kept, &memory, &got, &c.error), &c.error);
    assert_true(got.drawn.of[0].prior_mean == 42 && got.is_new && got.told == 12);
    const fit_memory others[] = {{.told = 11, .kept = 8}, {.told = 12, .kept = 7}};
    for (int i = 0; i < 2; i++) {
        memory = others[i];
        memory.fit.drawn.of[0].prior_mean = 42;
        assert_ok(fitting_settle(&c.spec, &c.evidence, &kept, &memory, &got, &c.error), &c.error);
        assert_true(got.drawn.of[0].prior_mean != 42);
        assert_true(memory.told == 12 && memory.kept == 8);
        assert_memory_equal(&memory.fit, &got, sizeof got);
    }
    kept.told = 12; /* the kept one goes first */
    memory.fit.drawn.of[0].prior_mean = 42;
    assert_ok(fitting_settle(&c.spec, &c.evidence, &kept, &memory, &got, &c.error), &c.error);
    assert_true(same_fit(&got.drawn.of[0], &kept.drawn.of[0]));
    scene_end(&c);
}

static void test_nothing_told(void **state) {
    (void)state;
    scene c;
    kept_fit kept = {0};
    fit_memory memory = {0};
    fitting got;
    scene_with(&c, 0);
    assert_fails(fitting_settle(&c.spec, &c.evidence, &kept, &memory, &got, &c.error), BESD_INVALID,
                 &c.error, "no trial has been told yet");
    scene_end(&c);
}

/* Beyond 600, trials are left out evenly from the first to the last; up to 600, none. */
static void test_long_studies_are_thinned_out(void **state) {
    (void)state;
    enum { MOST = 600 };
    draws warm = {1, {strange()}}, got;
    for (size_t step = 1; step <= 2; step++) {
        scene c;
        observations o, beginning;
        scene_with(&c, step * MOST);
        assert_ok(fitting_run(&c.spec, &c.evidence, &warm, 1, &got, &c.error), &c.error);
        told_of(&c, 0, step, MOST, &o);
        hyperparameters expected = fit_to(&o, c.evidence.prior_mean, &warm.of[0], 1);
        assert_true(got.count == 1 && same_fit(&got.of[0], &expected));
        told_of(&c, 0, 1, MOST, &beginning);
        assert_int_equal(!memcmp(o.mean, beginning.mean, MOST * sizeof *o.mean), step == 1);
        observations_free(&o);
        observations_free(&beginning);
        scene_end(&c);
    }
}

/* With 3 told trials for every 2 that are fitted to: the first two of every three. */
static void test_uneven_steps(void **state) {
    (void)state;
    scene c;
    observations o;
    draws warm = {1, {strange()}}, got;
    scene_with(&c, 900);
    assert_ok(fitting_run(&c.spec, &c.evidence, &warm, 1, &got, &c.error), &c.error);
    told_of(&c, 0, 1, 900, &o);
    for (size_t i = 0, at = 0; i < 900; i++)
        if (i % 3 != 2) {
            o.theta[at] = o.theta[i];
            o.share[at] = o.share[i];
            o.level[at] = o.level[i];
            o.reps[at] = o.reps[i];
            o.mean[at] = o.mean[i];
            o.within[at++] = o.within[i];
        }
    o.count = 600;
    hyperparameters expected = fit_to(&o, c.evidence.prior_mean, &warm.of[0], 1);
    assert_true(got.count == 1 && same_fit(&got.of[0], &expected));
    observations_free(&o);
    scene_end(&c);
}

/* Pending trials take no part in the fit. */
static void test_fit_ignores_pending(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 4);
    scene c;
    observations told;
    draws with;
    const double place = 7.7;
    scene_begin(&c, &o);
    scene_tell_some(&c, 6, BESD_REASON_INITIAL);
    scene_add(&c, BESD_TRIAL_ASKED, BESD_REASON_KG, &place, 30, 4);
    scene_look(&c);
    assert_ok(fitting_run(&c.spec, &c.evidence, NULL, 2, &with, &c.error), &c.error);
    told_of(&c, 0, 1, 6, &told);
    hyperparameters alone = fit_to(&told, c.evidence.prior_mean, NULL, 2);
    assert_true(same_fit(&alone, &with.of[0]));
    fitting settled = settle(&c, &(kept_fit){0});
    assert_int_equal(settled.told, 6);
    observations_free(&told);
    scene_end(&c);
}

/* A pending trial makes the model surer where it is, and no wiser; a recommendation leaves it
 * out. */
static void test_condition(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 4);
    scene c;
    const double place = 7.7;
    scene_begin(&c, &o);
    scene_tell_some(&c, 6, BESD_REASON_INITIAL);
    scene_add(&c, BESD_TRIAL_ASKED, BESD_REASON_KG, &place, 30, 4);
    scene_look(&c);
    assert_ok(fitting_run(&c.spec, &c.evidence, NULL, 2, &c.drawn, &c.error), &c.error);
    for (int with = 0; with < 2; with++) {
        observations seen = c.evidence.observed;
        seen.count = with ? 7 : 6;
        facts_posterior facts = facts_condition(&seen, 6, &c.drawn.of[0]);
        assert_ok(fitting_condition(&c.evidence, &c.drawn, with, &c.model, &c.error), &c.error);
        assert_int_equal(gp_count(c.model.models[0]), seen.count);
        for (int i = 0; i <= 14; i++) {
            double x = i / 14.0, variance, mean = mixture_predict(&c.model, &x, 1, &variance, NULL);
            assert_close(mean, facts_mean(&facts, &x, 1), 1e-9);
            assert_close(variance, facts_covariance(&facts, &x, 1, &x, 1), 1e-9);
        }
        facts_forget(&facts);
        mixture_free(&c.model);
    }
    scene_end(&c);
}

/* One noise for all levels; ei-paper has one length scale. */
static void test_kinds(void **state) {
    (void)state;
    const struct {
        besd_method method;
        bool isotropic;
    } cases[] = {{BESD_METHOD_BESD, false}, {BESD_METHOD_EI, false}, {BESD_METHOD_EI_PAPER, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_study_options o = small_options(2, 4);
        scene c;
        o.method = cases[i].method;
        scene_of(&c, &o, 16);
        assert_true(c.h.env_variance[0] == c.h.env_variance[1]);
        assert_true(c.h.rep_variance[0] == c.h.rep_variance[1]);
        assert_int_equal(c.h.lengthscale[0] == c.h.lengthscale[1], cases[i].isotropic);
        assert_true(c.h.prior_mean == c.evidence.prior_mean);
        scene_end(&c);
    }
}

/* Maximum likelihood for the authors' method, not the hyper-prior's compromise. */
static void test_no_prior_as_the_authors(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 4);
    scene c;
    observations told;
    double value;
    hyperparameters expected;
    fit_problem *p;
    o.method = BESD_METHOD_EI_PAPER;
    scene_of(&c, &o, 16);
    told_of(&c, 0, 1, 16, &told);
    fit_options options = {.levels = 2,
                           .prior_mean = c.evidence.prior_mean,
                           .starts = 4,
                           .isotropic = true,
                           .no_prior = true};
    assert_ok(fit_create(&told, &options, &p, &c.error), &c.error);
    assert_ok(fit_run(p, &expected, &value, &c.error), &c.error);
    assert_true(same_fit(&expected, &c.h));
    fit_destroy(p);
    observations_free(&told);
    scene_end(&c);
}

/* The fits that a study of 41 trials has made by the end, as its file knows them: after every trial
 * up to twenty, then after every second one; full ones when there are a fifth more of them than at
 * the one before. */
static void test_fits_of_a_study(void **state) {
    (void)state;
    static const int full[] = {4, 5, 7, 9, 12, 15, 19, 24, 30, 38};
    char path[PATH_SIZE];
    besd_study_options o = short_options(1, 9);
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 40, NULL);
    ask(s);
    besd_study_close(s);
    sqlite3 *db;
    sqlite3_stmt *rows;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT told, is_full FROM fit ORDER BY told", -1, &rows, NULL),
        SQLITE_OK);
    size_t next_full = 0;
    for (int told = 4; told <= 40; told += told < 20 ? 1 : 2) {
        bool is_full = next_full < sizeof full / sizeof *full && full[next_full] == told;
        next_full += is_full;
        assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
        assert_int_equal(sqlite3_column_int(rows, 0), told);
        assert_int_equal(sqlite3_column_int(rows, 1), is_full);
    }
    assert_int_equal(sqlite3_step(rows), SQLITE_DONE);
    assert_int_equal(next_full, sizeof full / sizeof *full);
    sqlite3_finalize(rows);
    sqlite3_close(db);
}

/* What the averaged model is fitted to and how: draws_run on the told trials, with one noise when
 * replications are independent; as many draws as the study says, and fewer when it is long. */
static void test_draws(void **state) {
    (void)state;
    for (int fresh = 0; fresh < 2; fresh++) {
        besd_study_options o = small_options(1, 4);
        scene c;
        observations told;
        draws expected, warm;
        o.model = BESD_MODEL_AVERAGED;
        o.instances = fresh ? BESD_INSTANCES_FRESH : BESD_INSTANCES_SHARED;
        o.draws = 3;
        scene_begin(&c, &o);
        scene_tell_some(&c, 9, BESD_REASON_INITIAL);
        scene_add(&c, BESD_TRIAL_ASKED, BESD_REASON_KG, (double[]){7.7}, 30, 4);
        scene_look(&c);
        told_of(&c, 0, 1, 9, &told);
        draws_options options = {.levels = 2,
                                 .one_noise = fresh,
                                 .prior_mean = c.evidence.prior_mean,
                                 .prior_slope = c.evidence.prior_slope,
                                 .seed = 4,
                                 .told = 9,
                                 .sweeps = 2};
        assert_ok(draws_run(&told, &options, NULL, 3, &warm, &c.error), &c.error);
        fitting got = settle(&c, &(kept_fit){0});
        assert_int_equal(got.drawn.count, 3);
        assert_true(got.is_new && got.told == 9);
        for (size_t i = 0; i < 3; i++)
            assert_true(same_fit(&got.drawn.of[i], &warm.of[i]));
        /* kept ones are where the chains go on */
        kept_fit kept = {.told = 7, .last_full = 7, .drawn = warm};
        assert_ok(draws_run(&told, &options, &warm, 3, &expected, &c.error), &c.error);
        got = settle(&c, &kept);
        for (size_t i = 0; i < 3; i++)
            assert_true(same_fit(&got.drawn.of[i], &expected.of[i]));
        assert_false(same_fit(&expected.of[0], &warm.of[0]));
        observations_free(&told);
        scene_end(&c);
    }
}

/* The file has every draw of every fit. */
static void test_kept_draws(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = short_options(1, 9);
    study_spec spec;
    besd_error error;
    o.model = BESD_MODEL_AVERAGED;
    o.draws = 5;
    assert_ok(spec_init(&spec, &o, &error), &error);
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 10, NULL);
    besd_study_close(s);
    sqlite3 *db;
    sqlite3_stmt *rows;
    int fits = 0;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT * FROM fit ORDER BY told", -1, &rows, NULL),
                     SQLITE_OK);
    int column = sqlite3_column_count(rows) - 1;
    while (sqlite3_step(rows) == SQLITE_ROW) {
        draws drawn;
        bool usable;
        assert_ok(fitting_read(&spec, (const char *)sqlite3_column_text(rows, column), &drawn,
                               &usable, &error),
                  &error);
        assert_true(usable && drawn.count == 5);
        for (size_t i = 0; i < 5; i++)
            for (size_t k = 0; k < i; k++)
                assert_false(same_fit(&drawn.of[i], &drawn.of[k]));
        fits++;
    }
    assert_int_equal(fits, 6); /* of 4 to 9 told trials */
    sqlite3_finalize(rows);
    sqlite3_close(db);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept_ones_serve),
        cmocka_unit_test(test_full_fits),
        cmocka_unit_test(test_first_fit),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_nothing_told),
        cmocka_unit_test(test_long_studies_are_thinned_out),
        cmocka_unit_test(test_uneven_steps),
        cmocka_unit_test(test_fit_ignores_pending),
        cmocka_unit_test(test_condition),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_no_prior_as_the_authors),
        cmocka_unit_test(test_fits_of_a_study),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_kept_draws),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
