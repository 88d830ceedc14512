#include "testing.h"

#include "run/command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *names[] = {"x"};
static const besd_study_options study = {.dimension = 1, .names = names};
static trainer_answer answer;

/* What the trainers of a test said, all lines of all trials. */
typedef struct transcript {
    char text[8192];
    size_t lines;
} transcript;

static void listen(void *listener, int64_t trial, const char *line) {
    transcript *t = listener;
    size_t used = strlen(t->text);
    snprintf(t->text + used, sizeof t->text - used, "%lld:%.60s\n", (long long)trial, line);
    t->lines++;
}

static command_process *begin(const char *command, double timeout, int64_t id, int reps,
                              transcript *heard) {
    besd_command c = {
        .text = command, .timeout = timeout, .hear = heard ? listen : NULL, .listener = heard};
    besd_trial trial = {.id = id, .theta = {0.5}, .tau = 10, .reps = reps, .seed = 3};
    command_process *t = NULL;
    besd_error error = {BESD_OK, ""};
    assert_ok(command_start(&c, &study, NULL, NULL, &trial, &t, &error), &error);
    return t;
}

static besd_status run(const char *command, double timeout, int reps, transcript *heard,
                       besd_error *error) {
    command_process *t = begin(command, timeout, 1, reps, heard);
    while (!command_is_over(t))
        assert_ok(command_wait(&t, 1, NULL, INFINITY, error), error);
    return command_finish(t, &answer, error);
}

static void assert_no_children(void) {
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void test_it_is_asked_and_answers(void **state) {
    (void)state;
    besd_error error = {BESD_OK, ""};
    assert_ok(run("read -r line; case $line in '{\"trial\":1,\"theta\":{\"x\":0.5},'*) "
                  "echo '{\"scores\": [1, 2], \"cost\": 3}';; esac",
                  0, 2, NULL, &error),
              &error);
    assert_close(answer.scores[1], 2, 0);
    assert_close(answer.cost, 3, 0);
    /* it may open its input by name, or leave 80 kB of it unread */
    assert_ok(
        run("grep -q replication_seeds /dev/stdin && echo '{\"scores\": [1]}'", 0, 1, NULL, &error),
        &error);
    char command[] = "awk 'BEGIN { printf \"{\\\"scores\\\": [0\"; "
                     "for (i = 1; i < 4096; i++) printf \", %d\", i; print \"]}\" }'";
    assert_ok(run(command, 0, BESD_MAX_REPS, NULL, &error), &error);
    assert_close(answer.scores[4095], 4095, 0);
    assert_no_children();
}

static void test_standard_error(void **state) {
    (void)state;
    besd_error error = {BESD_OK, ""};
    transcript heard = {"", 0};
    assert_ok(
        run("printf 'one\\n\\ntwo\\nthree' >&2; echo '{\"scores\": [1]}'", 0, 1, &heard, &error),
        &error);
    assert_string_equal(heard.text, "1:one\n1:\n1:two\n1:three\n");
    heard = (transcript){"", 0}; /* a line without an end comes in parts and is not kept whole */
    assert_fails(run("head -c 1000000 /dev/zero | tr '\\0' b >&2; echo end >&2; exit 1", 0, 1,
                     &heard, &error),
                 BESD_ENVIRONMENT, &error, "ended with exit code 1; it said: bbb");
    assert_true(heard.lines > 400 && heard.lines < 600);
    assert_non_null(strstr(error.message, "bbbend"));
    assert_no_children();
}

static void test_a_flood_is_stopped(void **state) {
    (void)state;
    besd_error error = {BESD_OK, ""};
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    assert_fails(run("head -c 100000000 /dev/zero | tr '\\0' a", 60, 1, NULL, &error),
                 BESD_ENVIRONMENT, &error, "printed over 16777216 bytes, which is no answer");
    getrusage(RUSAGE_SELF, &after);
    /* kilobytes: twice the limit while it doubles, and the sanitizers keep what was freed */
    assert_true(after.ru_maxrss - before.ru_maxrss < TEST_SIZE(56, 256) * 1024);
    assert_fails(run("yes", 60, 1, NULL, &error), BESD_ENVIRONMENT, &error, "printed over");
    assert_no_children();
}

static void test_time_outs(void **state) {
    (void)state;
    besd_error error = {BESD_OK, ""};
    assert_fails(run("sleep 60", 0.1, 1, NULL, &error), BESD_ENVIRONMENT, &error,
                 "was killed after its time-out of 0.1 seconds");
    assert_fails(run("trap '' TERM INT; sleep 60 & wait; sleep 60", 0.1, 1, NULL, &error),
                 BESD_ENVIRONMENT, &error, "was killed after its time-out");
    assert_fails(run("while :; do echo busy >&2; done", 0.2, 1, NULL, &error), BESD_ENVIRONMENT,
                 &error, "was killed after its time-out");
    /* an answer before the end does not count until the end */
    assert_fails(run("echo '{\"scores\": [1]}'; sleep 60", 0.2, 1, NULL, &error), BESD_ENVIRONMENT,
                 &error, "was killed after its time-out");
    assert_fails(run("printf '{\"sco'; exec >&-; sleep 60", 0, 1, NULL, &error), BESD_ENVIRONMENT,
                 &error, "closed its standard output without an answer and went on");
    assert_ok(run("echo '{\"scores\": [1]}'; exec >&- 2>&-; sleep 1.5", 0, 1, NULL, &error),
              &error);
    /* what is left in the background does not hold us up */
    assert_ok(run("sleep 60 & sleep 60 & echo '{\"scores\": [1]}'", 30, 1, NULL, &error), &error);
    assert_no_children();
}

static void test_side_by_side(void **state) {
    (void)state;
    enum { COUNT = 6 };
    command_process *list[COUNT];
    besd_error error = {BESD_OK, ""};
    bool seen[COUNT + 1] = {false};
    transcript heard = {"", 0};
    for (int i = 0; i < COUNT; i++)
        list[i] = begin("read -r l; n=${l#*:}; n=${n%%,*}; echo hello >&2; "
                        "sleep 0.$n; echo \"{\\\"scores\\\": [$n]}\"",
                        20, i + 1, 1, &heard);
    for (size_t running = COUNT; running;) {
        assert_ok(command_wait(list, running, NULL, INFINITY, &error), &error);
        for (size_t i = 0; i < running;) {
            if (!command_is_over(list[i])) {
                i++;
                continue;
            }
            int64_t id = command_trial(list[i]);
            assert_ok(command_finish(list[i], &answer, &error), &error);
            assert_close(answer.scores[0], (double)id, 0); /* each its own */
            assert_false(seen[id]);
            seen[id] = true;
            list[i] = list[--running];
        }
    }
    assert_int_equal(heard.lines, COUNT);
    assert_no_children();
}

static void ignore(int number) {
    (void)number;
}

/* A signal ends the waiting, and a trainer can be stopped at any time. */
static void test_signals_and_stop(void **state) {
    (void)state;
    besd_error error = {BESD_OK, ""};
    struct sigaction action = {.sa_handler = ignore};
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGUSR1);
    sigaction(SIGUSR1, &action, NULL);
    sigprocmask(SIG_BLOCK, &held, &before);
    command_process *t = begin("sleep 60", 0, 1, 1, NULL);
    raise(SIGUSR1); /* held back until the wait */
    assert_int_equal(command_wait(&t, 1, &before, INFINITY, &error), BESD_DONE);
    assert_false(command_is_over(t));
    sigprocmask(SIG_SETMASK, &before, NULL);
    command_stop(t);
    command_stop(NULL);
    assert_no_children();
}

static void test_what_cannot_be_started(void **state) {
    (void)state;
    besd_command c = {.text = "true", .folder = "/besd-nonesuch"};
    besd_trial trial = {.id = 1, .reps = 1};
    command_process *t = NULL;
    besd_error error = {BESD_OK, ""};
    assert_fails(command_start(&c, &study, NULL, NULL, &trial, &t, &error), BESD_IO, &error,
                 "the command 'true' could not be started: No such file");
    assert_null(t);
    /* too few descriptors: an error, and none is lost */
    struct rlimit usual, few;
    getrlimit(RLIMIT_NOFILE, &usual);
    c.folder = NULL;
    int lowest = dup(0);
    for (int above = lowest; above < 256; above++) /* whatever we were started with */
        close(above);
    for (int spare = 0; spare < 8; spare++) {
        few = (struct rlimit){(rlim_t)(lowest + spare), usual.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
        besd_status status = command_start(&c, &study, NULL, NULL, &trial, &t, &error);
        setrlimit(RLIMIT_NOFILE, &usual);
        if (spare < 7)
            assert_fails(status, BESD_IO, &error, "could not be started: Too many open files");
        else
            assert_ok(status, &error);
    }
    command_stop(t);
    int again = dup(0);
    close(again);
    assert_int_equal(again, lowest);
    assert_no_children();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_it_is_asked_and_answers),
                                       cmocka_unit_test(test_standard_error),
                                       cmocka_unit_test(test_a_flood_is_stopped),
                                       cmocka_unit_test(test_time_outs),
                                       cmocka_unit_test(test_side_by_side),
                                       cmocka_unit_test(test_signals_and_stop),
                                       cmocka_unit_test(test_what_cannot_be_started)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
