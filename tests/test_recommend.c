/* What a study knows does not depend on how often, or by which handle, it is asked. */
#include "study_fixture.h"

static besd_error error;

typedef struct knowledge {
    besd_recommendation best;
    besd_hyperparameters model;
    double mean, sd;
} knowledge;

static knowledge look(besd_study *s) {
    const double theta[] = {2.5, 8};
    knowledge k;
    memset(&k, 0, sizeof k);
    assert_ok(besd_study_recommend(s, &k.best, &error), &error);
    assert_ok(besd_study_hyperparameters(s, &k.model, &error), &error);
    assert_ok(besd_study_predict(s, theta, 30, &k.mean, &k.sd, &error), &error);
    return k;
}

/* One handle looks after every tell and again, another is opened for each look; a third study is
 * never looked at. All know the same and ask for the same. */
static void test_looking(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 3);
    char path[PATH_SIZE], unseen_path[PATH_SIZE];
    besd_study *s = open_study(new_path(path), &o);
    besd_study *unseen = open_study(new_path(unseen_path), &o);
    for (int i = 0; i < 30; i++) {
        besd_trial t, again;
        assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
        assert_ok(besd_study_ask(unseen, NULL, &again, &error), &error);
        assert_same_trial(&t, &again);
        answer(s, &t);
        answer(unseen, &again);
        knowledge first = look(s), second = look(s);
        besd_study *other = open_study(path, &o);
        knowledge fresh = look(other);
        besd_study_close(other);
        assert_memory_equal(&first, &second, sizeof first);
        assert_memory_equal(&first, &fresh, sizeof first);
    }
    besd_study_close(s);
    besd_study_close(unseen);
}

/* Trials that another handle tells are known at the next look. */
static void test_looking_sees_others(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 4);
    char path[PATH_SIZE];
    besd_study *s = open_study(new_path(path), &o), *other = open_study(path, &o);
    for (int i = 0; i < 12; i++) {
        besd_trial t;
        assert_ok(besd_study_ask(other, NULL, &t, &error), &error);
        answer(other, &t);
        knowledge mine = look(s), theirs = look(other);
        assert_memory_equal(&mine, &theirs, sizeof mine);
        assert_int_equal(mine.best.trials, i + 1);
    }
    besd_study_close(s);
    besd_study_close(other);
}

/* Many places at once are what each is alone; one wrong place refuses them all. */
static void test_many_places(void **state) {
    enum { PLACES = 300 }; /* more than are solved together */
    (void)state;
    besd_study_options o = small_options(2, 5);
    besd_study *s = open_study(NULL, &o);
    run_trials(s, 20, NULL);
    static double thetas[PLACES][2], means[PLACES], sds[PLACES];
    static int64_t taus[PLACES];
    for (int i = 0; i < PLACES; i++) {
        thetas[i][0] = 10.0 * (i % 20) / 19;
        thetas[i][1] = 10.0 * (i / 20.0) / 15;
        taus[i] = o.taus[(size_t)i % o.tau_count];
    }
    assert_ok(besd_study_predict_many(s, thetas[0], taus, PLACES, means, sds, &error), &error);
    for (int i = 0; i < PLACES; i++) {
        double mean, sd;
        assert_ok(besd_study_predict(s, thetas[i], taus[i], &mean, &sd, &error), &error);
        assert_close(means[i], mean, 1e-10);
        assert_close(sds[i], sd, 1e-7);
    }
    assert_ok(besd_study_predict_many(s, NULL, NULL, 0, NULL, NULL, &error), &error);
    /* More than can be counted are refused before any is read. */
    static besd_forecast forecasts[PLACES];
    static const size_t many[] = {SIZE_MAX, (size_t)1 << 61, (size_t)1 << 40};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        assert_fails(besd_study_predict_many(s, thetas[0], taus, many[i], means, sds, &error),
                     BESD_INVALID, &error, "expected at most");
        assert_fails(besd_study_forecast_many(s, thetas[0], taus, many[i], forecasts, &error),
                     BESD_INVALID, &error, "expected at most");
    }
    taus[PLACES - 1] = 31;
    assert_fails(besd_study_predict_many(s, thetas[0], taus, PLACES, means, sds, &error),
                 BESD_INVALID, &error, "got 31");
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_looking),
                                       cmocka_unit_test(test_looking_sees_others),
                                       cmocka_unit_test(test_many_places)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
