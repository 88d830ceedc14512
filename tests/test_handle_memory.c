/* The n-th allocation fails while a handler answers, for every n until none does: the answer is the
 * one that it would have been, or a refusal of the 5xx kind. It is never another answer. */
#include "study_fixture.h"

#include "failing_memory.h"
#include "serve/route.h"
#include "serve/studies.h"

static char explained[PATH_SIZE], plain[PATH_SIZE];
static besd_error error;

/* Two studies with told trials. The newest two asks of the first were explained. The second has no
 * model: an assertion of jansson may end a program that reads a kept fit while memory is short,
 * unless it watches jansson's allocations (json_watch_memory). */
static int make_studies(void **state) {
    besd_study_options o = small_options(2, 5);
    besd_trial t;
    besd_explanation *x = calloc(1, sizeof *x);
    int failed = make_folder(state);
    besd_study *s = open_study(new_path(explained), &o);
    run_trials(s, 10, NULL);
    for (int i = 0; i < 2; i++)
        assert_ok(besd_study_ask(s, &(besd_ask){.worker = "robot", .explanation = x}, &t, &error),
                  &error);
    besd_study_close(s);
    free(x);
    o.method = BESD_METHOD_RANDOM;
    o.budget = 10000;
    s = open_study(new_path(plain), &o);
    run_trials(s, 4, NULL);
    besd_study_close(s);
    return failed;
}

static reply answer_once(handler *handle, besd_study *s) {
    static served one = {.name = "arm", .path = "/nowhere/arm.besd", .folder = "/nowhere/"};
    call c = {.query = "state=told&after=8", /* pending trials grow older */
              .client = "127.0.0.1",
              .trial = 3,
              .served = &one,
              .study = s};
    reply r = {0};
    handle(&c, &r);
    return r;
}

/* The answer when the n-th allocation fails, and whether there were as many. A handle that says
 * BESD_IO is spoiled by an allocation that failed before; as in the service a new one is taken. */
static reply answer_without(handler *handle, const char *path, besd_study **s, long n, bool once,
                            bool *failed) {
    reply r = {0};
    for (int tries = 0; tries < 2; tries++) {
        reply_clear(&r);
        memory_fail(n, once);
        r = answer_once(handle, *s);
        *failed = memory_recover();
        if (r.status != BESD_IO)
            break;
        besd_study_close(*s);
        *s = open_study(path, NULL);
    }
    return r;
}

static void check(handler *handle, const char *path, bool once) {
    besd_study *s = open_study(path, NULL);
    reply expected = answer_once(handle, s);
    assert_int_equal(expected.code, 200);
    int refused = 0;
    bool failed = true;
    for (long n = 1; failed; n++) {
        reply got = answer_without(handle, path, &s, n, once, &failed);
        bool told = got.text ? strstr(got.text, "\"status\":\"memory\"") != NULL : !once;
        bool same = got.text && !strcmp(got.text, expected.text);
        if (got.code >= 500 ? got.status != BESD_IO && !told : got.code != 200 || !same)
            fail_msg("allocation %ld%s: %d %s", n, once ? "" : " and later ones", got.code,
                     got.text);
        refused += got.code >= 500;
        reply_clear(&got);
    }
    assert_true(refused > 0); /* there was memory to run out of */
    reply_clear(&expected);
    besd_study_close(s);
}

static void check_both(handler *handle, const char *path) {
    check(handle, path, true);
    check(handle, path, false);
}

static void test_explain(void **state) {
    (void)state;
    check_both(handle_explain, explained);
}

static void test_trial(void **state) {
    (void)state;
    check_both(handle_trial, explained);
}

static void test_trials(void **state) {
    (void)state;
    check_both(handle_trials, explained);
}

static void test_study(void **state) {
    (void)state;
    check_both(handle_study, plain);
}

static void test_events(void **state) {
    (void)state;
    check_both(handle_events, plain);
}

static void test_curve(void **state) {
    (void)state;
    check_both(handle_curve, plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explain), cmocka_unit_test(test_trial),
        cmocka_unit_test(test_trials),  cmocka_unit_test(test_study),
        cmocka_unit_test(test_events),  cmocka_unit_test(test_curve),
    };
    return cmocka_run_group_tests(tests, make_studies, remove_folder);
}
