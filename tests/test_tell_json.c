/* What a trial was told, as text and back: to the last bit, or refused. */
#include "testing.h"

#include "study/tell.h"

#include <float.h>
#include <stdlib.h>

static besd_error error;

static void assert_same_number(double a, double b) {
    if (memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b)))
        fail_msg("expected %.17g, got %.17g", b, a);
}

static void test_there_and_back(void **state) {
    (void)state;
    const double scores[] = {0.1, -0.0, DBL_MIN / 8, -DBL_MAX, 3};
    const besd_leg legs[] = {
        {NAN, -0.0}, {-INFINITY, 1.0 / 3}, {INFINITY, NAN}, {1e-320, 1e300}, {4, -7}};
    for (int with = 0; with < 4; with++) {
        told_scores before = {.record = {.trial = {.cost = 0.1 + 0.2,
                                                   .score_count = 5,
                                                   .mean = -1e-9},
                                         .model_mean = 1e149,
                                         .within = 1e299},
                              .scores = with & 1 ? scores : NULL,
                              .legs = with & 2 ? legs : NULL,
                              .leg_count = with & 2 ? 5 : 0},
                    after;
        char *text = NULL;
        assert_ok(told_write(&before, with ? "it \"was\" wrong" : NULL, &text, &error), &error);
        assert_ok(told_read(text, &after, &error), &error);
        assert_same_number(after.record.trial.cost, 0.1 + 0.2);
        assert_same_number(after.record.trial.mean, -1e-9);
        assert_same_number(after.record.model_mean, 1e149);
        assert_same_number(after.record.within, 1e299);
        assert_int_equal(after.record.trial.score_count, 5);
        assert_int_equal(after.scores != NULL, with & 1);
        assert_int_equal(after.legs != NULL, (with & 2) != 0);
        assert_int_equal(after.leg_count, before.leg_count);
        for (size_t i = 0; i < 5; i++) {
            if (after.scores)
                assert_same_number(after.scores[i], scores[i]);
            if (after.legs) {
                assert_same_number(after.legs[i].reached, legs[i].reached);
                assert_same_number(after.legs[i].earned, legs[i].earned);
            }
        }
        told_free(&after);
        assert_null(after.scores);
        free(text);
    }
}

static void test_refused(void **state) {
    (void)state;
#define HEAD "{\"cost\":1.0,\"count\":2,\"mean\":1.0,\"model_mean\":1.0,\"within\":0.0"
    const char *const wrong[] = {
        "",
        "null",
        "[]",
        "{}",
        "{\"cost\":1.0}",
        HEAD,
        HEAD "} x",
        HEAD ",\"scores\":[1.0]}",
        HEAD ",\"scores\":[1.0,2.0,3.0]}",
        HEAD ",\"scores\":[1.0,\"2\"]}",
        HEAD ",\"scores\":{}}",
        HEAD ",\"legs\":[1.0]}",
        HEAD ",\"legs\":[1.0,\"soon\"]}",
        HEAD ",\"legs\":[1.0,true]}",
        HEAD ",\"legs\":\"none\"}",
        HEAD ",\"legs\":{\"a\":1}}",
        "{\"cost\":1.0,\"count\":0,\"mean\":1.0,\"model_mean\":1.0,\"within\":0.0}",
        "{\"cost\":1.0,\"count\":4097,\"mean\":1.0,\"model_mean\":1.0,\"within\":0.0}",
        "{\"cost\":1.0,\"count\":-1,\"mean\":1.0,\"model_mean\":1.0,\"within\":0.0}",
        "{\"cost\":1.0,\"count\":2.5,\"mean\":1.0,\"model_mean\":1.0,\"within\":0.0}",
        "{\"cost\":1e999,\"count\":2,\"mean\":1.0,\"model_mean\":1.0,\"within\":0.0}",
        "{\"cost\":null,\"count\":2,\"mean\":1.0,\"model_mean\":1.0,\"within\":0.0}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        told_scores told;
        besd_status status = told_read(wrong[i], &told, &error);
        if (status != BESD_IO)
            fail_msg("%s: got %s", wrong[i], besd_status_name(status));
        assert_true(!told.scores && !told.legs);
    }
    told_scores told; /* all of it, and nothing to be looked at */
    assert_ok(told_read(HEAD ",\"scores\":[1,2],\"legs\":[],\"more\":1}", &told, &error), &error);
    assert_true(told.scores[1] == 2 && !told.legs);
    told_free(&told);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
