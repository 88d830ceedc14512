#include "testing.h"

#include "core/error.h"
#include "core/text.h"

/* The public numbers and names, written down a second time: changing one breaks callers. */
static const struct {
    int value;
    const char *name;
} published[] = {{0, "BESD_OK"},           {1, "BESD_DONE"},    {-1, "BESD_INVALID"},
                 {-2, "BESD_UNKNOWN"},     {-3, "BESD_MEMORY"}, {-4, "BESD_UNREACHABLE"},
                 {-5, "BESD_UNSUPPORTED"}, {-6, "BESD_IO"},     {-7, "BESD_NUMERIC"},
                 {-8, "BESD_ENVIRONMENT"}, {2, "BESD_REPEATED"}};

enum { PUBLISHED = sizeof published / sizeof *published };

static void test_every_status_has_its_number_and_name(void **state) {
    (void)state;
    for (size_t i = 0; i < PUBLISHED; i++)
        assert_string_equal(besd_status_name((besd_status)published[i].value), published[i].name);
    size_t listed = 0;
#define COUNT(name, value, text) listed++;
    BESD_STATUS_LIST(COUNT)
#undef COUNT
    assert_int_equal(listed, PUBLISHED);
}

/* A text per status, no two alike, none that is the answer to an unknown number. */
static void test_every_status_has_its_own_text(void **state) {
    (void)state;
    const char *unknown = besd_status_text((besd_status)-1000);
    for (size_t i = 0; i < PUBLISHED; i++) {
        const char *text = besd_status_text((besd_status)published[i].value);
        assert_true(strlen(text) > 0);
        assert_string_not_equal(text, unknown);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(text, besd_status_text((besd_status)published[j].value));
    }
}

static void test_a_number_that_is_no_status(void **state) {
    (void)state;
    const int numbers[] = {-1000, -9, 3, 1000};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_string_equal(besd_status_name((besd_status)numbers[i]), "BESD_?");
        assert_string_equal(besd_status_text((besd_status)numbers[i]), "unknown status");
    }
}

static void test_fail_writes_and_returns_the_status(void **state) {
    (void)state;
    besd_error error = {BESD_OK, "old"};
    assert_int_equal(besd_fail(&error, BESD_NUMERIC, "x: expected %d, got %s", 3, "four"),
                     BESD_NUMERIC);
    assert_int_equal(error.status, BESD_NUMERIC);
    assert_string_equal(error.message, "x: expected 3, got four");
}

/* Nobody has to pass an error. */
static void test_fail_without_an_error(void **state) {
    (void)state;
    assert_int_equal(besd_fail(NULL, BESD_IO, "%s", "nobody listens"), BESD_IO);
    assert_int_equal(besd_fail_memory(NULL, "nothing"), BESD_MEMORY);
}

static void test_fail_memory_names_what(void **state) {
    (void)state;
    besd_error error = {BESD_OK, ""};
    assert_fails(besd_fail_memory(&error, "a crew's tables"), BESD_MEMORY, &error,
                 "a crew's tables");
    assert_int_equal(error.status, BESD_MEMORY);
}

/* Messages of the last length that fits, one more, and far too many: they lose their middle; the
 * bytes behind the error stay as they were. */
static void test_overlong_messages_lose_their_middle(void **state) {
    (void)state;
    static const size_t lengths[] = {BESD_ERROR_MESSAGE_SIZE - 1, BESD_ERROR_MESSAGE_SIZE,
                                     8 * BESD_ERROR_MESSAGE_SIZE};
    static char text[8 * BESD_ERROR_MESSAGE_SIZE + 1];
    struct {
        besd_error error;
        char fence[64];
    } guarded;
    char fence[sizeof guarded.fence];
    memset(fence, 'f', sizeof fence);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (size_t c = 0; c < lengths[i]; c++)
            text[c] = (char)('a' + c % 26);
        text[lengths[i]] = '\0';
        memset(&guarded, 'f', sizeof guarded);
        besd_error_set(&guarded.error, BESD_INVALID, "%s", text);
        const char *message = guarded.error.message;
        assert_int_equal(strlen(message), BESD_ERROR_MESSAGE_SIZE - 1);
        assert_memory_equal(message, text, 100);
        assert_string_equal(message + 250, text + lengths[i] - (strlen(message) - 250));
        assert_int_equal(strstr(message, "...") != NULL, i > 0);
        assert_memory_equal(guarded.fence, fence, sizeof fence);
    }
}

/* A long name does not push out what is wrong with it, and no letter is cut into pieces. */
static void test_a_long_name_leaves_the_reason(void **state) {
    (void)state;
    static char path[4096];
    besd_error error;
    for (size_t pieces = 100; pieces < 103; pieces++) {
        static const char piece[] = "Straße/\xf0\x9f\x8f\xa0";
        for (size_t i = 0; i < pieces; i++)
            memcpy(path + i * (sizeof piece - 1), piece, sizeof piece);
        besd_error_set(&error, BESD_IO, "x%s: it is empty, not a besd study", path);
        assert_int_equal(strncmp(error.message, "xStraße", strlen("xStraße")), 0);
        assert_non_null(strstr(error.message, ": it is empty, not a besd study"));
        assert_true(text_is_utf8(error.message));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_status_has_its_number_and_name),
        cmocka_unit_test(test_every_status_has_its_own_text),
        cmocka_unit_test(test_a_number_that_is_no_status),
        cmocka_unit_test(test_fail_writes_and_returns_the_status),
        cmocka_unit_test(test_fail_without_an_error),
        cmocka_unit_test(test_fail_memory_names_what),
        cmocka_unit_test(test_overlong_messages_lose_their_middle),
        cmocka_unit_test(test_a_long_name_leaves_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
