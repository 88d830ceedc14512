/* The page as a file: the modules are one script that the policy names, texts of others end no
 * element, and what cannot be written leaves the file of before. */
#include "study_fixture.h"

#include "page/bundle.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <sys/stat.h>
#include <unistd.h>

static besd_error error;

/* The file's text; free() it. */
static char *read_page(const char *path) {
    char *text = calloc(1, 4 << 20);
    FILE *file = fopen(path, "r");
    assert_non_null(text);
    assert_non_null(file);
    size_t size = fread(text, 1, (4 << 20) - 1, file);
    assert_true(size > 1000);
    fclose(file);
    return text;
}

static char *write_page(const char *json) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/page.html", folder);
    assert_ok(bundle_write(path, json, strlen(json), &error), &error);
    return read_page(path);
}

static int count(const char *text, const char *what) {
    int times = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        times++;
    return times;
}

static void test_texts_end_no_element(void **state) {
    (void)state;
    char *page = write_page("{\"a\": \"</script><script>x</script><!-- &amp;\"}");
    assert_non_null(strstr(page, "{\"a\": \"\\u003c/script\\u003e\\u003cscript\\u003ex\\u003c/"
                                 "script\\u003e\\u003c!-- \\u0026amp;\"}</script>"));
    char *plain = write_page("{}");
    assert_int_equal(count(page, "<script"), count(plain, "<script"));
    assert_int_equal(count(page, "</script>"), count(plain, "</script>"));
    free(plain);
    free(page);
}

/* Of every element that runs or styles, the policy has the hash; nothing is loaded. */
static void check_hash(const char *page, const char *begin, const char *end) {
    for (const char *at = page; (at = strstr(at, begin)); at++) {
        const char *text = at + strlen(begin), *last = strstr(text, end);
        unsigned char digest[32];
        gnutls_datum_t raw = {.data = digest, .size = sizeof digest}, coded = {0};
        char hash[80];
        assert_non_null(last);
        assert_int_equal(gnutls_hash_fast(GNUTLS_DIG_SHA256, text, (size_t)(last - text), digest),
                         0);
        assert_int_equal(gnutls_base64_encode2(&raw, &coded), 0);
        snprintf(hash, sizeof hash, "'sha256-%s'", (const char *)coded.data);
        gnutls_free(coded.data);
        assert_non_null(strstr(page, hash));
    }
}

static void test_the_policy_names_what_runs(void **state) {
    (void)state;
    char *page = write_page("{}");
    assert_true(count(page, "\n<script>") >= 1 && count(page, "<style>") == 1);
    check_hash(page, "\n<script>", "</script>");
    check_hash(page, "<style>", "</style>");
    assert_non_null(strstr(page, "content=\"default-src 'none'; script-src 'sha256-"));
    assert_null(strstr(page, "unsafe"));
    assert_null(strstr(page, "src=\"/"));
    assert_null(strstr(page, "href=\"/assets"));
    free(page);
}

/* Every module is there once, behind those that it imports, and no line of a module is left. */
static void test_modules_are_one_script(void **state) {
    (void)state;
    char *page = write_page("{}");
    int modules = 0;
    for (const asset *a = assets; a->path; a++) {
        char begin[60], use[60];
        size_t length = strlen(a->path);
        if (length < 3 || strcmp(a->path + length - 3, ".js") != 0 || strstr(a->path, "min"))
            continue;
        modules++;
        snprintf(begin, sizeof begin, "const module_%d = (", (int)(a - assets));
        snprintf(use, sizeof use, " = module_%d;", (int)(a - assets));
        assert_int_equal(count(page, begin), 1);
        const char *used = strstr(page, use);
        assert_true(!used || used > strstr(page, begin));
    }
    assert_true(modules > 20);
    assert_null(strstr(page, "\nimport "));
    assert_null(strstr(page, "\nexport "));
    assert_non_null(strstr(page, "\"use strict\";"));
    free(page);
}

static void test_a_page_that_cannot_be_written(void **state) {
    (void)state;
    char path[PATH_SIZE];
    free(write_page("{\"old\": 1}"));
    assert_int_equal(bundle_write("/dev/full/page.html", "{}", 2, &error), BESD_IO);
    snprintf(path, sizeof path, "%s/page.html.new", folder);
    assert_int_equal(mkdir(path, 0777), 0); /* in the way of the draft */
    snprintf(path, sizeof path, "%s/page.html", folder);
    assert_int_equal(bundle_write(path, "{}", 2, &error), BESD_IO);
    assert_non_null(strstr(error.message, "page.html: "));
    char *page = read_page(path);
    assert_non_null(strstr(page, "{\"old\": 1}"));
    free(page);
    snprintf(path, sizeof path, "%s/page.html.new", folder);
    rmdir(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_end_no_element),
        cmocka_unit_test(test_the_policy_names_what_runs),
        cmocka_unit_test(test_modules_are_one_script),
        cmocka_unit_test(test_a_page_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
