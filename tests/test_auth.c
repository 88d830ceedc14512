#include "testing.h"

#include "serve/auth.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static besd_status read_text(auth *a, const char *text, besd_error *error) {
    char path[] = "/tmp/besd-token-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    besd_status status = auth_read(a, path, error);
    unlink(path);
    return status;
}

static auth_role judge(auth *a, const char *given, char name[AUTH_NAME_SIZE]) {
    return auth_judge(a, given, name);
}

static void test_tokens(void **state) {
    (void)state;
    auth a = {.lock = PTHREAD_MUTEX_INITIALIZER};
    char name[AUTH_NAME_SIZE];
    besd_error error;
    assert_int_equal(judge(&a, NULL, name), ROLE_MANAGE); /* none is asked for */
    assert_int_equal(read_text(&a, "0123456789abcdef\r\nmore\n", &error), BESD_OK);
    assert_int_equal(judge(&a, "Bearer 0123456789abcdef", name), ROLE_MANAGE);
    assert_int_equal(judge(&a, "bearer 0123456789abcdef", name), ROLE_MANAGE);
    assert_string_equal(name, "");
    static const char *const wrong[] = {"",
                                        "Bearer",
                                        "Bearer ",
                                        "Bearer 0123456789abcdeg",
                                        "Bearer 0123456789abcde",
                                        "Bearer 0123456789abcdef0",
                                        "0123456789abcdef",
                                        "Basic 0123456789abcdef",
                                        "Bearer  0123456789abcdef",
                                        "Bearer 1123456789abcdef"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (judge(&a, wrong[i], name) != ROLE_NONE)
            fail_msg("'%s' was taken", wrong[i]);
    assert_int_equal(judge(&a, NULL, name), ROLE_NONE);
    auth_free(&a);
}

/* SHA-256 of "0123456789abcdef". */
#define DIGEST "9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f"

static void test_names(void **state) {
    (void)state;
    auth a = {.lock = PTHREAD_MUTEX_INITIALIZER};
    char name[AUTH_NAME_SIZE];
    besd_error error;
    assert_ok(read_text(&a, AUTH_LIST_BEGINNING "\n\n# whose\nrobot-3 work " DIGEST "\n", &error),
              &error);
    assert_int_equal(judge(&a, "Bearer 0123456789abcdef", name), ROLE_WORK);
    assert_string_equal(name, "robot-3");
    assert_int_equal(judge(&a, "Bearer 0123456789abcdeg", name), ROLE_NONE);
    assert_string_equal(name, "");
    static const char *const wrong[] = {
        "robot work\n",
        "robot work " DIGEST " more\n",
        "robot boss " DIGEST "\n",
        "ro/bot work " DIGEST "\n",
        "robot work 9f9f\n",
        "robot work " DIGEST "0\n",
        "a work " DIGEST "\na read " DIGEST "\n",
        "",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s\n%s", AUTH_LIST_BEGINNING, wrong[i]);
        if (read_text(&a, text, &error) != BESD_INVALID)
            fail_msg("'%s' was taken", wrong[i]);
    }
    assert_int_equal(judge(&a, "Bearer 0123456789abcdef", name), ROLE_WORK); /* as before */
    auth_free(&a);
}

static void test_lock_out(void **state) {
    (void)state;
    auth a = {.lock = PTHREAD_MUTEX_INITIALIZER};
    for (int i = 0; i < AUTH_MOST_FAILURES; i++) {
        assert_false(auth_is_locked_out(&a, "10.0.0.1", 100 + i));
        auth_note_failure(&a, "10.0.0.1", 100 + i);
        auth_note_failure(&a, "127.0.0.1", 100 + i);
        auth_note_failure(&a, "10.0.0.3", 100 + 61 * i); /* one in a minute */
    }
    assert_true(auth_is_locked_out(&a, "10.0.0.1", 110));
    assert_false(auth_is_locked_out(&a, "10.0.0.2", 110));
    assert_false(auth_is_locked_out(&a, "127.0.0.1", 110)); /* a proxy */
    assert_false(auth_is_locked_out(&a, "10.0.0.3", 100 + 61 * AUTH_MOST_FAILURES - 60));
    assert_false(auth_is_locked_out(&a, "10.0.0.1", 109 + 61));
    for (int i = 0; i < 3 * AUTH_STRANGERS; i++) { /* many addresses forget the oldest */
        char client[32];
        snprintf(client, sizeof client, "10.1.0.%d", i);
        auth_note_failure(&a, client, 110 + i);
    }
    assert_false(auth_is_locked_out(&a, "10.0.0.1", 111));
}

static void test_files(void **state) {
    (void)state;
    auth a = {.lock = PTHREAD_MUTEX_INITIALIZER};
    besd_error error;
    char many[AUTH_LONGEST_TOKEN + 2];
    memset(many, 'a', sizeof many);
    many[AUTH_LONGEST_TOKEN + 1] = 0;
    assert_fails(read_text(&a, many, &error), BESD_INVALID, &error, "16 to 512");
    many[AUTH_LONGEST_TOKEN] = 0;
    assert_int_equal(read_text(&a, many, &error), BESD_OK);
    assert_fails(read_text(&a, "", &error), BESD_INVALID, &error, "got 0");
    assert_fails(read_text(&a, "0123456789abcde\n", &error), BESD_INVALID, &error, "got 15");
    assert_fails(read_text(&a, "0123456789 bcdef\n", &error), BESD_INVALID, &error, "blanks");
    assert_fails(read_text(&a,
                           "0123456789\x7f"
                           "bcdefgh\n",
                           &error),
                 BESD_INVALID, &error, "visible");
    char name[AUTH_NAME_SIZE], given[AUTH_LONGEST_TOKEN + 20];
    snprintf(given, sizeof given, "Bearer %s", many);
    assert_int_equal(judge(&a, given, name), ROLE_MANAGE); /* as before */
    assert_fails(auth_read(&a, "/nowhere", &error), BESD_IO, &error, "No such file");
    auth_free(&a);
}

static void test_this_machine(void **state) {
    (void)state;
    assert_true(auth_is_local(NULL, NULL));
    assert_true(auth_is_local("localhost", NULL));
    assert_true(auth_is_local("LOCALHOST:8420", NULL));
    assert_true(auth_is_local("127.0.0.1:80", NULL));
    assert_true(auth_is_local("127.8.9.1", NULL));
    assert_true(auth_is_local("[::1]:8420", "http://[::1]:8420"));
    assert_true(auth_is_local("localhost:1", "http://localhost:1"));
    assert_false(auth_is_local("evil.example", NULL));
    assert_false(auth_is_local("localhost.evil.example", NULL));
    assert_false(auth_is_local("127.0.0.1.evil.example", NULL));
    assert_false(auth_is_local("[::2]", NULL));
    assert_false(auth_is_local("", NULL));
    assert_false(auth_is_local("localhost:1", "http://localhost:2"));
    assert_false(auth_is_local("localhost:1", "http://evil.example"));
    assert_false(auth_is_local("localhost:1", "null"));
    assert_false(auth_is_local(NULL, "http://localhost"));
}

static void test_secret(void **state) {
    (void)state;
    char path[] = "/tmp/besd-token-XXXXXX";
    auth a = {.lock = PTHREAD_MUTEX_INITIALIZER};
    besd_error error;
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, "0123456789abcdef\n", 17) == 17);
    close(file);
    static const mode_t open[] = {0644, 0640, 0604, 0660};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        chmod(path, open[i]);
        assert_int_equal(auth_read(&a, path, &error), BESD_INVALID);
        assert_non_null(strstr(error.message, "chmod 600"));
    }
    chmod(path, 0400);
    assert_int_equal(auth_read(&a, path, &error), BESD_OK);
    auth_free(&a);
    unlink(path);
}

static void test_sites(void **state) {
    (void)state;
    assert_true(auth_is_own(NULL) && auth_is_own("same-origin") && auth_is_own("none"));
    assert_false(auth_is_own("cross-site") || auth_is_own("same-site") || auth_is_own(""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sites),       cmocka_unit_test(test_names),
        cmocka_unit_test(test_lock_out),    cmocka_unit_test(test_secret),
        cmocka_unit_test(test_tokens),      cmocka_unit_test(test_files),
        cmocka_unit_test(test_this_machine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
