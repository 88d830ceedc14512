/* The n-th allocation fails, for every n until none does, while a source is added or looked at: the
 * call fails with a sentence and the study is as before, or all is as it would have been. Each
 * failure has a process of its own, because what the program watches is remembered for good
 * (core/json.h). */
#include "sources_fixture.h"

#include "failing_memory.h"

#include "core/json.h"

#include <sys/wait.h>

enum { SAME, TOLD, ANOTHER, NOT_REACHED };

static besd_study *from, *used; /* in memory, which survives a fork */

/* What is expected. */
static char *copied;
static besd_source said;

static besd_study *new_learner(void) {
    besd_study_options o = learner_options(2, 1);
    o.draws = 1;
    return in_memory(&o);
}

static int make_studies(void **state) {
    besd_error error;
    (void)state;
    from = earlier_study(2, 5, 6);
    recommend(from); /* which is remembered */
    used = new_learner();
    add_source(used, from, "old");
    assert_ok(source_write(&used->sources.of[0], &copied, &error), &error);
    run_trials(used, 10, NULL);
    said = source_of(used, 0);
    json_watch_memory();
    return 0;
}

static int close_studies(void **state) {
    (void)state;
    besd_study_close(from);
    besd_study_close(used);
    free(copied);
    return 0;
}

static int judge(besd_status status, const besd_error *error, bool failed, bool is_same) {
    if (status != BESD_OK)
        return *error->message && failed ? TOLD : ANOTHER;
    return !is_same ? ANOTHER : failed ? SAME : NOT_REACHED;
}

static int try_adding(long n, bool once) {
    besd_error error = {BESD_OK, ""};
    besd_study *s = new_learner();
    char *text = NULL;
    memory_fail(n, once);
    besd_status status = besd_study_add_source(s, from, "old", &error);
    bool failed = memory_recover(), is_same = besd_study_source_count(s) == 1;
    if (status != BESD_OK && besd_study_source_count(s))
        return ANOTHER;
    if (status == BESD_OK)
        is_same = is_same && source_write(&s->sources.of[0], &text, &error) == BESD_OK &&
                  !strcmp(text, copied);
    return judge(status, &error, failed, is_same);
}

static int try_looking(long n, bool once) {
    besd_error error = {BESD_OK, ""};
    besd_source got;
    used->looked = (fit_memory){0}; /* not remembered */
    memory_fail(n, once);
    besd_status status = besd_study_source(used, 0, &got, &error);
    bool failed = memory_recover();
    return judge(status, &error, failed, !memcmp(&got, &said, sizeof got));
}

static void check_all(int (*try)(long n, bool once)) {
    for (int once = 0; once < 2; once++) {
        int told = 0, result = SAME;
        for (long n = 1; result != NOT_REACHED; n++) {
            int status = 0;
            pid_t child = fork();
            if (!child)
                _exit(try(n, once));
            assert_int_equal(waitpid(child, &status, 0), child);
            result = WIFEXITED(status) ? WEXITSTATUS(status) : ANOTHER;
            if (result == ANOTHER)
                fail_msg("allocation %ld%s: status %d", n, once ? "" : " and later ones", status);
            told += result == TOLD;
        }
        assert_true(told > 10);
    }
}

static void test_adding(void **state) {
    (void)state;
    check_all(try_adding);
}

static void test_looking(void **state) {
    (void)state;
    check_all(try_looking);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adding),
        cmocka_unit_test(test_looking),
    };
    return cmocka_run_group_tests(tests, make_studies, close_studies);
}
