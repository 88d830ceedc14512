#include "testing.h"

#include "serve/route.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *description(void) {
    const asset *file = assets;
    while (file->path && strcmp(file->path, "openapi.json") != 0)
        file++;
    assert_non_null(file->path);
    json_t *document = json_loadb((const char *)file->bytes, file->size, 0, NULL);
    assert_non_null(document);
    return document;
}

/* Every route is described, and nothing else is. */
static void test_description(void **state) {
    (void)state;
    json_t *document = description(), *paths = json_object_get(document, "paths"), *item,
           *operation;
    size_t described = 0;
    const char *path, *method;
    for (const route *one = routes; one->method; one++) {
        char name[8];
        snprintf(name, sizeof name, "%s", one->method);
        for (char *letter = name; *letter; letter++)
            *letter = (char)tolower((unsigned char)*letter);
        operation = json_object_get(json_object_get(paths, one->pattern), name);
        if (!operation)
            fail_msg("openapi.json has no %s %s", one->method, one->pattern);
        bool open = json_is_array(json_object_get(operation, "security"));
        if (open != (one->right == ROLE_NONE))
            fail_msg("%s %s: does it need a token?", one->method, one->pattern);
    }
    json_object_foreach(paths, path, item) {
        json_object_foreach(item, method, operation) {
            described += strcmp(method, "parameters") != 0;
        }
    }
    assert_int_equal(described, route_count());
    json_decref(document);
}

static int code_of(const char *method, const char *path, call *c) {
    reply r = {0};
    char allowed[64];
    bool found = route_find(c, &r, method, path, allowed, sizeof allowed);
    int code = found ? 200 : r.code;
    reply_clear(&r);
    return code;
}

static void test_places_in_braces(void **state) {
    (void)state;
    call c = {0};
    assert_int_equal(code_of("POST", "/v1/studies/arm-2.b/trials/17/tell", &c), 200);
    assert_string_equal(c.name, "arm-2.b");
    assert_int_equal(c.trial, 17);
    assert_string_equal(c.route->pattern, "/v1/studies/{study}/trials/{trial}/tell");
    assert_int_equal(code_of("HEAD", "/v1/studies/arm", &c), 200);
    assert_int_equal(c.trial, 0);
    assert_int_equal(code_of("GET", "/", &c), 200);
    assert_string_equal(c.name, "");
}

static void test_what_leads_nowhere(void **state) {
    (void)state;
    static const char *const paths[] = {"",
                                        "//",
                                        "/v1/studies/",
                                        "/v1/studies/..",
                                        "/v1//ask",
                                        "/healthz/",
                                        "/v1/studies/a%2fb",
                                        "/v1/studies/a/trials/-1",
                                        "healthz",
                                        "/study/.a",
                                        "/v1/studies/a/trials/1/",
                                        "/v1/studies/a/trials/0x1",
                                        "/assets/a/b"};
    call c = {0};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (code_of("GET", paths[i], &c) != 404)
            fail_msg("'%s' leads somewhere", paths[i]);
    assert_int_equal(code_of("GET", "/v1/studies/a/ask", &c), 405);
    assert_int_equal(code_of("get", "/healthz", &c), 405);
}

static void test_names(void **state) {
    (void)state;
    char longest[CALL_NAME_SIZE + 1];
    memset(longest, 'a', sizeof longest);
    longest[CALL_NAME_SIZE] = 0;
    assert_false(route_is_name(longest));
    longest[CALL_NAME_SIZE - 1] = 0;
    assert_true(route_is_name(longest));
    assert_true(route_is_name("A.b_c-9"));
    static const char *const others[] = {"",    ".",     "..",       ".a", "a/b",
                                         "a b", "a%20b", "\xc3\xa4", "a\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (route_is_name(others[i]))
            fail_msg("'%s' is taken for a name", others[i]);
}

static void test_methods_that_there_are(void **state) {
    (void)state;
    call c = {0};
    reply r = {0};
    char allowed[64];
    assert_false(route_find(&c, &r, "PUT", "/v1/studies", allowed, sizeof allowed));
    assert_int_equal(r.code, 405);
    assert_string_equal(allowed, "GET, HEAD, POST");
    assert_non_null(strstr(r.text, "GET, HEAD, POST"));
    reply_clear(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_description),
        cmocka_unit_test(test_places_in_braces),
        cmocka_unit_test(test_what_leads_nowhere),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_methods_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
