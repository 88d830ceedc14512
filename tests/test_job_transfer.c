/* Transfer Q-learning: what was learned in one instance helps in the next. */
#include "testing.h"

#include "contest/job.h"
#include "core/stats.h"
#include "run/domain_study.h"

enum { INSTANCES = 60 };

static besd_error error;

/* On TR all instances share their walls and their goal, so stored values are worth a lot. */
static void test_it_helps(void **state) {
    (void)state;
    domain d;
    domain_study b;
    trial_result plain;
    double scores[INSTANCES], again[INSTANCES], other[INSTANCES];
    assert_ok(domain_find("tr", &d, &error), &error);
    assert_ok(domain_study_init(&b, &d, &error), &error);
    b.threads = 1;
    assert_ok(domain_study_test(&b, NULL, INSTANCES, 5, &plain, &error), &error);
    assert_ok(transfer_test(&d, 10, 77, INSTANCES, 5, scores, &error), &error);
    double without = stats_summarise(plain.final, INSTANCES).mean;
    assert_true(stats_summarise(scores, INSTANCES).mean > without + 1);
    trial_result_free(&plain);
    assert_ok(transfer_test(&d, 10, 77, INSTANCES, 5, again, &error), &error);
    assert_memory_equal(scores, again, sizeof scores);
    assert_ok(transfer_test(&d, 10, 78, INSTANCES, 5, other, &error), &error);
    assert_memory_not_equal(scores, other, sizeof scores);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
