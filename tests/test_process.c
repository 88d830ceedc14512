#define _GNU_SOURCE /* pipe2 */
#include "testing.h"

#include "core/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const process_setting OURS = {NULL, -1, -1, -1, 0};

static void wait_until_ended(pid_t process) {
    for (int i = 0; i < 2000 && !process_has_ended(process); i++)
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    assert_true(process_has_ended(process));
}

static void assert_ends_in(const process_setting *setting, const char *command,
                           const char *expected, bool expected_success) {
    pid_t process;
    char how[80];
    bool success;
    assert_int_equal(process_start(command, setting, &process), 0);
    wait_until_ended(process);
    assert_true(process_describe_end(process, how, sizeof how, &success));
    assert_string_equal(how, expected);
    assert_int_equal(success, expected_success);
    process_end(process);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* Watched or not. */
static void assert_ends(const char *command, const char *expected, bool expected_success) {
    int lives[2];
    process_setting watched = OURS;
    assert_ends_in(&OURS, command, expected, expected_success);
    assert_int_equal(pipe2(lives, O_CLOEXEC), 0);
    watched.life = lives[0];
    assert_ends_in(&watched, command, expected, expected_success);
    close(lives[0]);
    close(lives[1]);
}

static void test_how_processes_end(void **state) {
    (void)state;
    assert_ends("true", "ended with exit code 0", true);
    assert_ends("exit 3", "ended with exit code 3", false);
    assert_ends("exit 128", "ended with exit code 128", false);
    assert_ends("exit 255", "ended with exit code 255", false);
    assert_ends("besd-nonesuch 2>/dev/null", "ended with exit code 127 (command not found)", false);
    assert_ends("/dev/null 2>/dev/null", "ended with exit code 126 (not executable)", false);
    assert_ends("kill -15 $$", "was killed by signal 15", false);
    assert_ends("sh -c 'kill -9 $$'; exit $?", "ended with exit code 137 (killed by signal 9)",
                false);
}

static void test_streams_and_folder(void **state) {
    (void)state;
    int output[2], errors[2];
    pid_t process;
    char text[64] = {0};
    assert_int_equal(pipe(output), 0);
    assert_int_equal(pipe(errors), 0);
    int input = open("/dev/null", O_RDONLY);
    process_setting setting = {"/usr", input, output[1], errors[1], 0};
    assert_int_equal(process_start("cat; pwd; echo bad >&2", &setting, &process), 0);
    close(output[1]);
    close(errors[1]);
    close(input);
    wait_until_ended(process);
    assert_int_equal(read(output[0], text, sizeof text), 5);
    assert_memory_equal(text, "/usr\n", 5);
    assert_int_equal(read(errors[0], text, sizeof text), 4);
    assert_memory_equal(text, "bad\n", 4);
    close(output[0]);
    close(errors[0]);
    process_end(process);
    setting = OURS;
    setting.folder = "/besd-nonesuch";
    assert_int_equal(process_start("true", &setting, &process), ENOENT);
}

/* The group goes, a grandchild in the background too; and what is alive has not ended. */
static void test_end_takes_the_group(void **state) {
    (void)state;
    int output[2];
    pid_t process;
    char text[64] = {0}, how[80];
    bool success;
    assert_int_equal(pipe(output), 0);
    process_setting setting = {NULL, -1, output[1], -1, 0};
    assert_int_equal(process_start("sleep 100 & echo $!; wait", &setting, &process), 0);
    assert_true(read(output[0], text, sizeof text - 1) > 0);
    pid_t grandchild = (pid_t)strtol(text, NULL, 10);
    assert_int_equal(kill(grandchild, 0), 0);
    assert_int_equal(getpgid(grandchild), process);
    assert_false(process_has_ended(process));
    assert_false(process_describe_end(process, how, sizeof how, &success));
    process_end(process);
    close(output[1]);
    /* nobody holds the other end any more: the grandchild is dead, reaped or not */
    assert_int_equal(read(output[0], text, sizeof text), 0);
    close(output[0]);
}

/* Nobody holds the other end of the pipe of life any more, which is all that our death would be:
 * the command and what it has started are killed, though they do not listen to signals that can be
 * ignored; and until then they were left in peace. */
static void test_the_group_dies_with_us(void **state) {
    (void)state;
    int output[2], lives[2];
    pid_t process;
    char text[64] = {0}, how[80];
    bool success;
    assert_int_equal(pipe2(output, O_CLOEXEC), 0);
    assert_int_equal(pipe2(lives, O_CLOEXEC), 0);
    process_setting setting = {NULL, -1, output[1], -1, lives[0]};
    assert_int_equal(process_start("trap '' TERM; kill 0; (sleep 100; :) & echo $! $1; wait",
                                   &setting, &process),
                     0);
    assert_true(read(output[0], text, sizeof text - 1) > 0);
    char *end;
    pid_t grandchild = (pid_t)strtol(text, &end, 10);
    assert_string_equal(end, "\n"); /* and it has no arguments */
    assert_int_equal(getpgid(grandchild), process);
    assert_false(process_has_ended(process));
    close(lives[0]);
    close(output[1]);
    close(lives[1]);
    assert_int_equal(read(output[0], text, sizeof text), 0); /* all who could write are dead */
    wait_until_ended(process);
    assert_true(process_describe_end(process, how, sizeof how, &success));
    assert_string_equal(how, "was killed by signal 9");
    process_end(process);
    close(output[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_how_processes_end), cmocka_unit_test(test_streams_and_folder),
        cmocka_unit_test(test_end_takes_the_group), cmocka_unit_test(test_the_group_dies_with_us)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
