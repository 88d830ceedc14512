/* The child is a few lines of shell: three states in a row, action 1 leads on, the third is the
 * goal. It says which lanes and seeds it was given. */
#include "testing.h"

#include "world/domain_load.h"
#include "world/process_env.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* $1: lanes, $2: a file that collects every line. While there is a $2.wait, nobody answers hello
 * before four have been asked. */
static const char script[] =
    "lanes=%d log=%s; place=0; while read -r line; do echo \"$line\" >>$log; case $line in "
    "*hello*) while [ -e $log.wait ] && [ \"$(grep -c hello $log)\" -lt 4 ]; do sleep 0.01; done; "
    "echo '{\"hello\":{\"protocol\":1,\"name\":\"three\",\"lanes\":'$lanes'}}';; "
    "*spec*) echo '{\"spec\":{\"actions\":2,\"states\":3,\"observation\":1,\"position\":1,"
    "\"low\":[0],\"high\":[3],\"cap\":5,\"settings\":{\"gamma\":0.5,\"tau\":[7,9],"
    "\"objective\":\"return\"}}}';; "
    "*instance*) echo '{\"instance\":{}}';; "
    "*reset*) place=0; echo '{\"reset\":[0,0,0,0.5]}';; "
    "*step*,1]]*) place=$((place+1)); "
    "echo '{\"step\":[['$place','$((place/2))','$((place/2))','$place'.5]]}';; "
    "*step*) echo '{\"step\":[['$place',0,0,'$place'.5]]}';; esac; done";

typedef struct setting {
    char log[64], command[1600];
    domain d;
    besd_error error;
} setting;

static void begin(setting *s, int lanes) {
    snprintf(s->log, sizeof s->log, "/tmp/besd-process-XXXXXX");
    int file = mkstemp(s->log);
    assert_true(file >= 0);
    close(file);
    snprintf(s->command, sizeof s->command, script, lanes, s->log);
    assert_ok(process_load(s->command, NAN, &s->d, &s->error), &s->error);
}

static void end(setting *s) {
    domain_release(&s->d);
    unlink(s->log);
}

/* How many lines of the log contain the text. */
static int logged(const setting *s, const char *text) {
    char line[256];
    int count = 0;
    FILE *file = fopen(s->log, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        count += strstr(line, text) != NULL;
    fclose(file);
    return count;
}

static besd_env *opened(setting *s) {
    besd_env *env = NULL;
    assert_ok(domain_open(&s->d, &env, &s->error), &s->error);
    return env;
}

static void assert_failed(const setting *s, const besd_env *env, const besd_env_outcome *out,
                          const char *sentence) {
    assert_true(isnan(out->reward) && out->state == -1);
    const char *failure = s->d.methods->failure(env);
    assert_non_null(failure);
    if (!strstr(failure, sentence))
        fail_msg("expected '%s', got '%s'", sentence, failure);
}

static void test_what_it_says_of_itself(void **state) {
    (void)state;
    setting s;
    begin(&s, 16);
    assert_string_equal(s.d.name, "three");
    assert_string_equal(s.d.methods->name, "three");
    assert_true(s.d.value[PARAMETER_GAMMA] == 0.5 && s.d.value[PARAMETER_RESET_TIMEOUT] == 30);
    assert_true(s.d.tau[0] == 7 && s.d.tau[1] == 9 && s.d.tau[2] == 0);
    assert_int_equal(s.d.objective, OBJECTIVE_RETURN);
    assert_false(s.d.source->expensive_handles);
    besd_env *env = opened(&s);
    besd_env_spec spec;
    s.d.methods->spec(env, &spec);
    assert_true(spec.actions == 2 && spec.states == 3 && spec.position == 1 && spec.cap == 5);
    assert_true(spec.subgoal_low[0] == 0 && spec.subgoal_high[0] == 3);
    s.d.methods->destroy(env);
    end(&s);
}

static void test_an_episode(void **state) {
    (void)state;
    setting s;
    besd_env_outcome out;
    begin(&s, 1);
    assert_true(s.d.source->expensive_handles);
    const besd_env_methods *m = s.d.methods;
    besd_env *env = opened(&s);
    assert_ok(m->instance(env, UINT64_MAX, &s.error), &s.error);
    m->seed(env, UINT64_C(5) << 11);
    m->reset(env, &out);
    assert_true(out.state == 0 && out.reward == 0 && out.observation[0] == 0.5);
    m->step(env, 1, &out);
    assert_true(out.state == 1 && out.reward == 0 && !out.terminated && !out.truncated);
    m->step(env, 0, &out);
    assert_true(out.state == 1);
    m->step(env, 1, &out);
    assert_true(out.state == 2 && out.reward == 1 && out.terminated && !out.truncated);
    m->reset(env, &out); /* goes on with the randomness that it has */
    assert_true(out.state == 0);
    assert_null(m->failure(env));
    assert_int_equal(logged(&s, "{\"reset\":{\"lane\":0,\"seed\":5}}"), 1);
    assert_int_equal(logged(&s, "{\"reset\":{\"lane\":0}}"), 1);
    assert_int_equal(logged(&s, "\"seed\":9007199254740991}"), 1); /* 53 bits, for every JSON */
    assert_int_equal(logged(&s, "{\"step\":[[0,1]]}"), 2);
    m->destroy(env);
    end(&s);
}

static void test_calls_out_of_turn(void **state) {
    (void)state;
    const struct {
        int before; /* 0: nothing, 1: an instance, 2: reset, 3: the end of an episode */
        int action; /* -1: reset */
        const char *sentence;
    } cases[] = {{0, -1, "reset was called before an instance was drawn"},
                 {0, 0, "step was called before reset"},
                 {1, 0, "step was called before reset"},
                 {2, 2, "action out of range"},
                 {2, -2, "action out of range"},
                 {3, 0, "step was called after the end of the episode"}};
    setting s;
    begin(&s, 16);
    const besd_env_methods *m = s.d.methods;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_env_outcome out;
        besd_env *env = opened(&s);
        if (cases[i].before > 0)
            assert_ok(m->instance(env, 1, &s.error), &s.error);
        if (cases[i].before > 1)
            m->reset(env, &out);
        for (int k = 0; cases[i].before > 2 && k < 2; k++)
            m->step(env, 1, &out);
        if (cases[i].action == -1)
            m->reset(env, &out);
        else
            m->step(env, cases[i].action, &out);
        assert_failed(&s, env, &out, cases[i].sentence);
        m->destroy(env);
    }
    assert_int_equal(logged(&s, "hello"), 1); /* all of that was no fault of the child's */
    end(&s);
}

/* Handles of one thread share a child as far as it has lanes, and free lanes are used again. */
static void test_lanes(void **state) {
    (void)state;
    setting s;
    besd_env *env[4];
    begin(&s, 3);
    for (int i = 0; i < 4; i++) {
        env[i] = opened(&s);
        assert_ok(s.d.methods->instance(env[i], 1, &s.error), &s.error);
    }
    assert_int_equal(logged(&s, "hello"), 2);
    for (int lane = 0; lane < 3; lane++) {
        char text[32];
        snprintf(text, sizeof text, "{\"lane\":%d,", lane);
        assert_int_equal(logged(&s, text), lane ? 1 : 2);
    }
    s.d.methods->destroy(env[1]);
    env[1] = opened(&s);
    assert_int_equal(logged(&s, "hello"), 2);
    for (int i = 0; i < 4; i++)
        s.d.methods->destroy(env[i]);
    s.d.methods->destroy(NULL);
    end(&s);
}

typedef struct guest {
    const domain *d;
    besd_env *env;
    besd_error error;
    besd_status status;
    pthread_t thread;
} guest;

static void *open_and_draw(void *argument) {
    guest *g = argument;
    g->status = domain_open(g->d, &g->env, &g->error);
    if (g->status == BESD_OK)
        g->status = g->d->methods->instance(g->env, 1, &g->error);
    return NULL;
}

/* The children of several threads start side by side: here each waits for the others. */
static void test_threads(void **state) {
    (void)state;
    enum { GUESTS = 3 };
    setting s;
    guest guests[GUESTS] = {0};
    char wait[80];
    begin(&s, 16);
    besd_env *env = opened(&s); /* the first child is taken */
    assert_ok(domain_set(&s.d, "reset_timeout=20", &s.error), &s.error);
    snprintf(wait, sizeof wait, "%s.wait", s.log);
    FILE *file = fopen(wait, "w");
    assert_non_null(file);
    fclose(file);
    for (int i = 0; i < GUESTS; i++) {
        guests[i].d = &s.d;
        assert_int_equal(pthread_create(&guests[i].thread, NULL, open_and_draw, &guests[i]), 0);
    }
    for (int i = 0; i < GUESTS; i++)
        pthread_join(guests[i].thread, NULL);
    unlink(wait);
    for (int i = 0; i < GUESTS; i++) {
        assert_ok(guests[i].status, &guests[i].error);
        s.d.methods->destroy(guests[i].env);
    }
    assert_int_equal(logged(&s, "hello"), 1 + GUESTS);
    s.d.methods->destroy(env);
    end(&s);
}

/* Parameters go into hello; a child that was told others is not used any more. */
static void test_parameters(void **state) {
    (void)state;
    setting s;
    begin(&s, 16);
    assert_ok(domain_set(&s.d, "speed=2.5", &s.error), &s.error);
    besd_env *env = opened(&s);
    assert_int_equal(logged(&s, "hello"), 2);
    assert_int_equal(logged(&s, "\"parameters\":{\"speed\":2.5}"), 1);
    assert_int_equal(logged(&s, "\"close\""), 1);
    s.d.methods->destroy(env);
    assert_fails(domain_set(&s.d, "speed=fast", &s.error), BESD_INVALID, &s.error,
                 "speed: expected a number, got 'fast'");
    end(&s);
}

/* After a failure the other handles of the child fail too, and the next handle gets a new child. */
static void test_after_a_failure(void **state) {
    (void)state;
    setting s;
    besd_env_outcome out;
    begin(&s, 16);
    const besd_env_methods *m = s.d.methods;
    besd_env *first = opened(&s), *second = opened(&s);
    besd_env *both[] = {first, second};
    besd_env_outcome outs[2], *places[] = {&outs[0], &outs[1]};
    int actions[] = {0, 0};
    for (int i = 0; i < 2; i++) {
        assert_ok(m->instance(both[i], 1, &s.error), &s.error);
        m->reset(both[i], &out);
    }
    m->step_many(both, actions, places, 2); /* this child answers with one row only */
    for (int i = 0; i < 2; i++)
        assert_failed(&s, both[i], &outs[i], "expected a list of 2 rows");
    m->reset(first, &out);
    assert_failed(&s, first, &out, "expected a list of 2 rows");
    assert_fails(m->instance(second, 1, &s.error), BESD_ENVIRONMENT, &s.error,
                 "environment three: its process has been stopped after a failure");
    besd_env *third = opened(&s);
    assert_ok(m->instance(third, 1, &s.error), &s.error);
    m->reset(third, &out);
    assert_int_equal(out.state, 0);
    m->destroy(first);
    m->destroy(second);
    m->destroy(third);
    assert_int_equal(logged(&s, "hello"), 2);
    end(&s);
}

static void test_commands_that_fail(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_fails(domain_load("cmd:sh -c 'exit 4'", NAN, &d, &error), BESD_ENVIRONMENT, &error,
                 "environment 'sh -c 'exit 4'': its process ended with exit code 4");
    assert_fails(domain_load("cmd:cat", NAN, &d, &error), BESD_ENVIRONMENT, &error, "\"name\"");
    assert_fails(domain_load("cmd:read -r x; echo '{\"error\":\"no licence\"}'", NAN, &d, &error),
                 BESD_ENVIRONMENT, &error, "it says: no licence");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_it_says_of_itself),
        cmocka_unit_test(test_an_episode),
        cmocka_unit_test(test_calls_out_of_turn),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_after_a_failure),
        cmocka_unit_test(test_commands_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
