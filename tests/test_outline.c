/* Outlines: what is kept is what is drawn, and what somebody else has put into a study's file is
 * drawn only if it looks like besd's own. What users get wrong: test_cli_study_page.sh. */
#include "study_fixture.h"

#include "page/ground.h"
#include "page/outline.h"

static besd_error error;

static besd_study *box_study(size_t dimension) {
    besd_study *s;
    besd_study_options o = small_options(dimension, 1);
    assert_ok(besd_study_open(&s, NULL, &o, &error), &error);
    return s;
}

static double corner(const json_t *ground, size_t polygon, size_t number, size_t coordinate) {
    const json_t *one = json_array_get(json_object_get(ground, "outline"), polygon);
    const json_t *corners = json_object_get(one, "polygon");
    return json_number_value(json_array_get(json_array_get(corners, number), coordinate));
}

static void test_kept_and_drawn(void **state) {
    (void)state;
    double corners[3][2] = {{1, 2}, {3, 4.5}, {-5, 6}};
    outline_polygon polygon = {.name = "wall", .corners = corners, .corners_count = 3};
    outline o = {.polygons = &polygon, .polygons_count = 1};
    besd_study *s = box_study(4);
    assert_null(ground_view(s, &error)); /* designs are numbers only */
    assert_int_equal(error.status, BESD_UNKNOWN);
    assert_false(outline_is_kept(s));
    assert_ok(outline_keep(&o, NULL, s, &error), &error);
    assert_true(outline_is_kept(s));
    json_t *ground = ground_view(s, &error);
    assert_non_null(ground);
    assert_string_equal(json_string_value(json_object_get(ground, "kind")), "box");
    assert_int_equal(json_integer_value(json_object_get(ground, "points_of_theta")), 2);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 2; k++)
            assert_true(corner(ground, 0, i, k) == corners[i][k]);
    assert_true(json_is_null(json_object_get(ground, "picture")));
    json_decref(ground);
    for (size_t i = 0; i < 3; i++)
        corners[i][0] = -5 - (double)i; /* the box is [0, 10] */
    assert_int_equal(outline_keep(&o, NULL, s, &error), BESD_INVALID);
    assert_non_null(strstr(error.message, "outline: 1: all of it lies outside"));
    corners[0][0] = NAN;
    assert_int_equal(outline_keep(&o, NULL, s, &error), BESD_INVALID);
    besd_study_close(s);
    s = box_study(3);
    assert_int_equal(outline_keep(&o, NULL, s, &error), BESD_INVALID);
    assert_non_null(strstr(error.message, "points of two coordinates"));
    besd_study_close(s);
}

static void test_what_others_put_there(void **state) {
    (void)state;
    static const char *const notes[] = {
        "{\"outline\": [], \"picture\": {\"data\": \"https://example.org/x.png\", \"extent\": [0, "
        "0, 1, 1]}}",
        "{\"outline\": [], \"picture\": {\"data\": \"data:image/png;base64,AA\", \"extent\": [0]}}",
        "{\"outline\": [{\"polygon\": [[1, 2], [3, 4]]}, {\"polygon\": [[1], [2], [3]]}, 7]}",
        "{\"outline\": {\"a\": 1}, \"picture\": 3}",
        "{",
        "[1]"};
    besd_study *s = box_study(2);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        json_t *ground = json_object();
        assert_ok(besd_study_set_note(s, "outline", notes[i], &error), &error);
        assert_ok(outline_add(ground, s, &error), &error);
        assert_int_equal(json_array_size(json_object_get(ground, "outline")), 0);
        assert_true(json_is_null(json_object_get(ground, "picture")));
        json_decref(ground);
    }
    besd_study_close(s);
}

static void test_pictures(void **state) {
    (void)state;
    char path[PATH_SIZE], *address;
    snprintf(path, sizeof path, "%s/floor.jpg", folder);
    write_bytes(path,
                "\xff\xd8\xff\xe0"
                "abc",
                7);
    assert_ok(picture_load(path, NULL, &address, &error), &error);
    assert_string_equal(address, "data:image/jpeg;base64,/9j/4GFiYw==");
    free(address);
    assert_ok(picture_load(path, "image/svg+xml", &address, &error), &error);
    assert_memory_equal(address, "data:image/svg+xml;base64,", 26);
    free(address);
    write_bytes(path, "GIF89a", 6);
    assert_int_equal(picture_load(path, NULL, &address, &error), BESD_INVALID);
    assert_int_equal(picture_load(folder, NULL, &address, &error), BESD_INVALID);
    unlink(path);
    assert_int_equal(picture_load(path, NULL, &address, &error), BESD_IO);
    assert_null(address);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept_and_drawn),
        cmocka_unit_test(test_what_others_put_there),
        cmocka_unit_test(test_pictures),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
