#include "testing.h"

#include "world/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static child *start(const char *command) {
    child *c = NULL;
    besd_error error = {BESD_OK, ""};
    assert_ok(child_start(command, &c, &error), &error);
    return c;
}

static besd_status ask(child *c, const char *line, double seconds, const char **answer,
                       besd_error *error) {
    size_t length;
    besd_status status = child_exchange(c, line, strlen(line), seconds, answer, &length, error);
    if (status == BESD_OK)
        assert_int_equal(length, strlen(*answer));
    return status;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* No child of ours is left, dead or alive. */
static void assert_no_children(void) {
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void test_lines_go_and_come(void **state) {
    (void)state;
    child *c = start("cat");
    const char *answer;
    besd_error error = {BESD_OK, ""};
    for (int i = 0; i < 1000; i++) {
        char line[32], expected[32];
        snprintf(expected, sizeof expected, "line %d", i);
        snprintf(line, sizeof line, "line %d\n", i);
        assert_ok(ask(c, line, 5, &answer, &error), &error);
        assert_string_equal(answer, expected);
    }
    assert_ok(ask(c, "\n", 5, &answer, &error), &error);
    assert_string_equal(answer, "");
    child_stop(c, NULL);
    child_stop(NULL, NULL);
    assert_no_children();
}

static void test_long_lines(void **state) {
    (void)state;
    child *c = start("cat");
    static char line[CHILD_LARGEST_LINE + 2];
    const char *answer;
    besd_error error = {BESD_OK, ""};
    size_t length = 100000; /* far more than comes in one piece */
    memset(line, 'a', sizeof line);
    line[length] = '\n';
    line[length + 1] = 0;
    assert_ok(ask(c, line, 20, &answer, &error), &error);
    assert_int_equal(strlen(answer), length);
    child_stop(c, NULL);
    c = start("head -c 3000000 /dev/zero");
    assert_fails(ask(c, "x\n", 20, &answer, &error), BESD_ENVIRONMENT, &error,
                 "sent a line of over 1048576 bytes");
    child_stop(c, NULL);
    assert_no_children();
}

static void test_how_children_end(void **state) {
    (void)state;
    const struct {
        const char *command, *sentence;
    } ends[] = {{"true", "ended with exit code 0 while"},
                {"sh -c 'exit 7'", "ended with exit code 7 while"},
                {"sh -c 'kill -9 $$'", "was killed by signal 9 while"},
                {"besd-nonesuch 2>/dev/null", "exit code 127 (command not found)"},
                {"/dev/null 2>/dev/null", "exit code 126 (not executable)"},
                {"read x; echo -n half", "ended in the middle of a line, after 'half'"},
                {"exec <&- >&-; sleep 60", "closed its standard output while"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        child *c = start(ends[i].command);
        const char *answer;
        besd_error error = {BESD_OK, ""};
        assert_fails(ask(c, "hello\n", 10, &answer, &error), BESD_ENVIRONMENT, &error,
                     ends[i].sentence);
        child_stop(c, NULL);
        assert_no_children();
    }
}

static void test_time_outs(void **state) {
    (void)state;
    const char *const commands[] = {"sleep 60", "while printf x; do sleep 0.05; done"};
    for (int i = 0; i < 2; i++) {
        child *c = start(commands[i]);
        const char *answer;
        besd_error error = {BESD_OK, ""};
        double begin = now();
        assert_fails(ask(c, "hello\n", 0.3, &answer, &error), BESD_ENVIRONMENT, &error,
                     "gave no answer within 0.3 seconds");
        assert_int_equal(strstr(error.message, "waits in a buffer") != NULL, i == 0);
        double waited = now() - begin;
        assert_true(waited >= 0.25 && waited < 50); /* the child sleeps for 60 */
        child_stop(c, NULL);
        assert_no_children();
    }
}

static void test_two_answers_to_one_line(void **state) {
    (void)state;
    child *c = start("while read -r x; do printf 'one\\ntwo\\n'; done");
    const char *answer;
    besd_error error = {BESD_OK, ""};
    assert_ok(ask(c, "x\n", 50, &answer, &error), &error);
    assert_string_equal(answer, "one");
    assert_fails(ask(c, "x\n", 50, &answer, &error), BESD_ENVIRONMENT, &error,
                 "more than one line for one message; the next begins 'two'");
    child_stop(c, NULL);
}

/* Its grandchild too: the group is killed. */
static void test_stopping_the_stubborn(void **state) {
    (void)state;
    child *c = start("trap '' TERM INT HUP; sleep 61 & echo $!; while :; do sleep 1; done");
    const char *answer;
    besd_error error = {BESD_OK, ""};
    assert_ok(ask(c, "x\n", 50, &answer, &error), &error);
    long grandchild = strtol(answer, NULL, 10);
    assert_true(grandchild > 1 && kill((pid_t)grandchild, 0) == 0);
    double begin = now();
    child_stop(c, "bye\n");
    assert_true(now() - begin < 50); /* the grandchild sleeps for 61 */
    assert_no_children();
    char path[64], status = 'S';
    snprintf(path, sizeof path, "/proc/%ld/stat", grandchild);
    for (double limit = now() + 10; status != 'Z' && now() < limit;) { /* a kill takes a moment */
        FILE *file = fopen(path, "r");
        if (!file || fscanf(file, "%*d (%*[^)]) %c", &status) != 1)
            status = 'Z'; /* gone, or an orphan that waits for its new parent to collect it */
        if (file)
            fclose(file);
    }
    assert_int_equal(status, 'Z');
}

static void test_the_farewell(void **state) {
    (void)state;
    char name[] = "/tmp/besd-farewell-XXXXXX", command[128], said[32] = "";
    int file = mkstemp(name);
    assert_true(file >= 0);
    snprintf(command, sizeof command, "read -r x; echo hello; read -r y; echo \"$y\" >%s", name);
    child *c = start(command);
    const char *answer;
    besd_error error = {BESD_OK, ""};
    assert_ok(ask(c, "x\n", 50, &answer, &error), &error);
    child_stop(c, "bye\n");
    assert_true(read(file, said, sizeof said - 1) > 0);
    assert_string_equal(said, "bye\n");
    close(file);
    unlink(name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_go_and_come),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_how_children_end),
        cmocka_unit_test(test_time_outs),
        cmocka_unit_test(test_two_answers_to_one_line),
        cmocka_unit_test(test_stopping_the_stubborn),
        cmocka_unit_test(test_the_farewell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
