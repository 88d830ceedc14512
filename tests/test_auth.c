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

static void test_tokens(void **state) {
    (void)state;
    auth a = {.lock = PTHREAD_MUTEX_INITIALIZER};
    besd_error error;
    assert_true(auth_allows(&a, NULL)); /* none is asked for */
    assert_int_equal(read_text(&a, "0123456789abcdef\r\nmore\n", &error), BESD_OK);
    assert_string_equal(a.token, "0123456789abcdef");
    assert_true(auth_allows(&a, "Bearer 0123456789abcdef"));
    assert_true(auth_allows(&a, "bearer 0123456789abcdef"));
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
        if (auth_allows(&a, wrong[i]))
            fail_msg("'%s' was taken", wrong[i]);
    assert_false(auth_allows(&a, NULL));
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
    assert_true(strlen(a.token) == AUTH_LONGEST_TOKEN);
    assert_fails(read_text(&a, "", &error), BESD_INVALID, &error, "got 0");
    assert_fails(read_text(&a, "0123456789abcde\n", &error), BESD_INVALID, &error, "got 15");
    assert_fails(read_text(&a, "0123456789 bcdef\n", &error), BESD_INVALID, &error, "blanks");
    assert_fails(read_text(&a,
                           "0123456789\x7f"
                           "bcdefgh\n",
                           &error),
                 BESD_INVALID, &error, "visible");
    assert_string_equal(a.token, many); /* as before */
    assert_fails(auth_read(&a, "/nowhere", &error), BESD_IO, &error, "No such file");
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
    unlink(path);
}

static void test_sites(void **state) {
    (void)state;
    assert_true(auth_is_own(NULL) && auth_is_own("same-origin") && auth_is_own("none"));
    assert_false(auth_is_own("cross-site") || auth_is_own("same-site") || auth_is_own(""));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sites), cmocka_unit_test(test_secret), cmocka_unit_test(test_tokens), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_this_machine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
