/* Limits of environments in other processes: an episode has exactly as many steps as the cap says,
 * and a child is started only when the lanes of those that run are taken. */
#include "study_fixture.h"

#include "world/process_env.h"

static besd_error error;

/* $1: lanes, $2: a file that gets a line from every child, $3: the step that truncates. One lane is
 * stepped at a time. */
static const char script[] =
    "lanes=%d log=%s last=%d; n=0; while read -r line; do case $line in "
    "*hello*) echo started >>$log; "
    "echo '{\"hello\":{\"protocol\":1,\"name\":\"idle\",\"lanes\":'$lanes'}}';; "
    "*spec*) echo '{\"spec\":{\"actions\":2,\"states\":3,\"observation\":1,\"position\":1,"
    "\"low\":[0],\"high\":[3],\"cap\":5}}';; "
    "*instance*) echo '{\"instance\":{}}';; "
    "*reset*) n=0; echo '{\"reset\":[0,0,0,0.5]}';; "
    "*step*) n=$((n+1)); if [ $n -eq $last ]; then end=2; else end=0; fi; "
    "echo '{\"step\":[[1,0,'$end',1.5]]}';; esac; done";

typedef struct setting {
    char log[PATH_SIZE], command[1200 + PATH_SIZE];
    domain d;
} setting;

static void begin(setting *s, int lanes, int last) {
    new_path(s->log);
    snprintf(s->command, sizeof s->command, script, lanes, s->log, last);
    assert_ok(process_load(s->command, NAN, &s->d, &error), &error);
}

static int children(const setting *s) {
    bytes log = read_bytes(s->log);
    int lines = 0;
    for (size_t i = 0; i < log.size; i++)
        lines += log.data[i] == '\n';
    free(log.data);
    return lines;
}

/* Steps until the episode ends; its length, or minus the step at which the child was given up. */
static int64_t play(const besd_env_methods *m, besd_env *env, besd_env_outcome *out) {
    assert_ok(m->instance(env, 1, &error), &error);
    m->seed(env, 1);
    m->reset(env, out);
    for (int64_t steps = 1; steps <= 12; steps++) {
        m->step(env, 0, out);
        if (m->failure(env))
            return -steps;
        if (out->terminated || out->truncated)
            return steps;
    }
    return 0;
}

/* Truncated with step 5, the cap: fine, as it is before. With step 6, or never: the child is given
 * up at step 5, not later, and says why. */
static void test_steps(void **state) {
    (void)state;
    static const struct {
        int last;
        int64_t length;
    } cases[] = {{1, 1}, {4, 4}, {5, 5}, {6, -5}, {99, -5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setting s;
        besd_env *env;
        besd_env_outcome out;
        begin(&s, 1, cases[i].last);
        const besd_env_methods *m = s.d.methods;
        assert_ok(domain_open(&s.d, &env, &error), &error);
        assert_int_equal(play(m, env, &out), cases[i].length);
        if (cases[i].length > 0) {
            assert_true(out.truncated && !out.terminated);
            assert_int_equal(play(m, env, &out), cases[i].length); /* counted anew */
        } else {
            assert_non_null(
                strstr(m->failure(env), "expected truncation (end 2) after the cap of 5 steps"));
            assert_true(isnan(out.reward));
        }
        m->destroy(env);
        domain_release(&s.d);
    }
}

/* Handles of one thread: a child has as many as it has lanes, the next one starts another child. */
static void test_children(void **state) {
    (void)state;
    static const int lanes[] = {1, 2, 16};
    for (int i = 0; i < 3; i++) {
        enum { MOST = 33 };
        setting s;
        besd_env *env[MOST];
        int count = lanes[i] == 16 ? MOST : 5;
        begin(&s, lanes[i], 5);
        for (int n = 0; n < count; n++) {
            assert_ok(domain_open(&s.d, &env[n], &error), &error);
            assert_int_equal(children(&s), n / lanes[i] + 1); /* handle n is in child n / lanes */
        }
        for (int n = 0; n < count; n++)
            s.d.methods->destroy(env[n]);
        for (int n = 0; n < count; n++) /* those that wait are enough */
            assert_ok(domain_open(&s.d, &env[n], &error), &error);
        assert_int_equal(children(&s), (count + lanes[i] - 1) / lanes[i]);
        for (int n = 0; n < count; n++)
            s.d.methods->destroy(env[n]);
        domain_release(&s.d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_children),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
