/* JSON that is read while memory is short is the same JSON or none. Each failure has a process of
 * its own: what the program watches is remembered for good. */
#include "testing.h"

#include "core/json_writer.h"

#include "failing_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 400 };

/* Numbers and names longer than the first buffer of jansson's reader, which then grows. */
static const char text[] =
    "{\"a\": [0.12345678901234567, -1.2345678901234567e-105, 12345678901234567],"
    " \"a name that is longer than sixteen bytes\": \"and so is its text\"}";

enum { SAME, TOLD, ANOTHER, NOT_REACHED, MUTE };

/* What comes of reading and printing while the n-th allocation fails. */
static int try(long n, bool once) {
    char printed[400] = "", wanted[400] = "";
    json_error_t fault;
    json_watch_memory();
    json_t *want = json_loads(text, 0, NULL);
    FILE *out = fmemopen(wanted, sizeof wanted, "w");
    json_print(out, want, JSON_COMPACT);
    fclose(out);
    out = fmemopen(printed, sizeof printed, "w");
    memory_fail(n, once);
    json_t *got = json_read(text, strlen(text), 0, &fault);
    bool told = got ? json_print(out, got, JSON_COMPACT) != 0 : json_lacked_memory(&fault);
    bool failed = memory_recover();
    fclose(out);
    if (!got && !told)
        return MUTE;
    if (told)
        return printed[0] ? ANOTHER : TOLD;
    return !json_equal(got, want) || strcmp(printed, wanted) != 0 ? ANOTHER
           : failed                                               ? SAME
                                                                  : NOT_REACHED;
}

static void check_all(bool once) {
    for (long n = 1; n < MOST; n++) {
        pid_t child = fork();
        if (!child)
            _exit(try(n, once));
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFEXITED(status) || WEXITSTATUS(status) == ANOTHER || WEXITSTATUS(status) == MUTE)
            fail_msg("allocation %ld%s: status %d", n, once ? "" : " and later ones", status);
        if (WEXITSTATUS(status) == NOT_REACHED) {
            assert_true(n > 20);
            return;
        }
    }
    fail_msg("more than %d allocations", MOST);
}

static void test_one_failure(void **state) {
    (void)state;
    check_all(true);
}

static void test_no_memory_from_then_on(void **state) {
    (void)state;
    check_all(false);
}

/* A library does not watch: it asks for room first, and reads again. */
static void test_nobody_watches(void **state) {
    static const char small[] = "{\"a\": [0.5, -2, 1e5, true], \"b\": \"c\"}";
    (void)state;
    json_t *want = json_loads(small, 0, NULL);
    bool failed = true;
    for (long n = 1; failed; n++) {
        json_error_t fault;
        memory_fail(n, true);
        json_t *got = json_read(small, strlen(small), 0, &fault);
        failed = memory_recover();
        assert_true(got ? json_equal(got, want) : failed && json_lacked_memory(&fault));
        json_decref(got);
    }
    json_decref(want);
}

/* Faults of the text are not taken for it. */
static void test_faults_of_the_text(void **state) {
    static const char *const bad[] = {"",
                                      "{",
                                      "[1,]",
                                      "{\"a\": 1e999}",
                                      "\"\\ud800\"",
                                      "[1] 2",
                                      "{\"a\": 1, \"a\": 2}",
                                      "[123456789012345678901234567890]"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        json_error_t fault;
        assert_null(json_read(bad[i], strlen(bad[i]), JSON_REJECT_DUPLICATES, &fault));
        assert_false(json_lacked_memory(&fault));
    }
}

/* What is written is the whole text, or the writer says that it is not. */
static void test_writing(void **state) {
    (void)state;
    static const char whole[] = "{\"a\":[1.5,null],\"b\":{\"c\":3},\"d\":\"\\u00DF\"}";
    long failures = 0;
    for (long n = 1;; n++) {
        json_writer w = {0};
        memory_fail(n, false);
        json_write_begin(&w, '{');
        json_write_name(&w, "a");
        json_write_numbers(&w, (double[]){1.5, NAN}, 2);
        json_write_name(&w, "b");
        json_write_tree(&w, json_pack("{s:i}", "c", 3));
        json_write_name(&w, "d");
        json_write_text(&w, "ß");
        json_write_end(&w, '}');
        bool was_short = memory_recover();
        assert_true(w.failed || !strcmp(w.text, whole));
        failures += w.failed;
        json_writer_clear(&w);
        if (!was_short)
            break;
    }
    assert_true(failures > 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_failure), cmocka_unit_test(test_no_memory_from_then_on),
        cmocka_unit_test(test_nobody_watches), cmocka_unit_test(test_faults_of_the_text),
        cmocka_unit_test(test_writing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
