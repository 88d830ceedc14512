/* Comma-separated values, and that what is put can be read. */
#include "testing.h"

#include "json/results_csv.h"

#include <stdlib.h>

static besd_error error;

/* The next record as "a|b|c", with its line in front; "" at the end. */
static const char *next(csv_reader *r) {
    static char text[1000];
    csv_record record;
    size_t line;
    bool more;
    assert_ok(csv_next(r, &record, &more, &line, &error), &error);
    if (!more)
        return "";
    int used = snprintf(text, sizeof text, "%zu:", line);
    for (size_t i = 0; i < record.count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", i ? "|" : "",
                         record.fields[i]);
    return text;
}

static void test_records(void **state) {
    (void)state;
    const struct {
        const char *text, *records[4];
    } cases[] = {
        {"a,b\n1,2\n", {"1:a|b", "2:1|2", ""}},
        {"a,b\r\n1,2\r\n", {"1:a|b", "2:1|2", ""}},
        {"a,b\n1,2", {"1:a|b", "2:1|2", ""}},
        {"\n\r\n a , b\n\n\n1,2\n\n", {"3: a | b", "6:1|2", ""}},
        {"\"a\",\"b,\"\"c\"\"\"\n", {"1:a|b,\"c\"", ""}},
        {"\"two\nlines\",x\nnext\n", {"1:two\nlines|x", "3:next", ""}},
        {"\"two\r\nlines\"\r\nnext\r\n", {"1:two\r\nlines", "3:next", ""}},
        {"a,,\n,\n", {"1:a||", "2:|", ""}},
        {"a,", {"1:a|", ""}},
        {"\"\"\n\"\"\"\"\n", {"1:", "2:\"", ""}},
        {"a\"b,c\n", {"1:a\"b|c", ""}}, /* a quote within is a letter */
        {"a\rb\r", {"1:a", "2:b", ""}},
        {"", {""}},
        {"\n\n", {""}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = strdup(cases[i].text);
        csv_reader r = {.rest = text, .line = 1};
        for (int k = 0; k < 4 && cases[i].records[k]; k++)
            assert_string_equal(next(&r), cases[i].records[k]);
        free(text);
    }
}

static void test_refused(void **state) {
    (void)state;
    char many[2 * CSV_MOST_FIELDS + 2];
    memset(many, ',', sizeof many);
    many[CSV_MOST_FIELDS] = 0; /* one field too many */
    const struct {
        const char *text, *sentence;
    } cases[] = {
        {"\"a\n1,2\n", "a quoted field does not end"},
        {"\"", "a quoted field does not end"},
        {"\"a\"\"", "a quoted field does not end"},
        {"\"a\"b,c\n", "behind a quoted field: expected a comma, got 'b'"},
        {"\"a\"\x1b[31m\n", "behind a quoted field: expected a comma, got '?'"},
        {many, "expected at most 128 fields"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = strdup(cases[i].text);
        csv_reader r = {.rest = text, .line = 1};
        csv_record record;
        size_t line = 0;
        bool more;
        assert_fails(csv_next(&r, &record, &more, &line, &error), BESD_INVALID, &error,
                     cases[i].sentence);
        assert_int_equal(line, 1);
        free(text);
    }
    many[CSV_MOST_FIELDS - 1] = 0;
    csv_reader r = {.rest = many, .line = 1};
    csv_record record;
    size_t line;
    bool more;
    assert_ok(csv_next(&r, &record, &more, &line, &error), &error);
    assert_int_equal(record.count, CSV_MOST_FIELDS);
}

static void test_put(void **state) {
    (void)state;
    const char *const fields[] = {"plain", "",         "a,b", "say \"so\"", "two\nlines",
                                  "cr\r",  " blanks ", "\"",  "=1"};
    enum { COUNT = sizeof fields / sizeof *fields };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < COUNT; i++) {
        if (i)
            putc(',', out);
        csv_put(out, fields[i]);
    }
    fclose(out);
    static const char begin[] = "plain,,\"a,b\",\"say \"\"so\"\"\",";
    assert_memory_equal(text, begin, sizeof begin - 1);
    csv_reader r = {.rest = text, .line = 1};
    csv_record record;
    size_t line;
    bool more;
    assert_ok(csv_next(&r, &record, &more, &line, &error), &error);
    assert_int_equal(record.count, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        assert_string_equal(record.fields[i], fields[i]);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_put),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
