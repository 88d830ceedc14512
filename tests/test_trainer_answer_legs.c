/* Legs in answers: what is read, every refusal with its place, and what a request says of a path.
 */
#include "study_fixture.h"

#include "study/legs.h"
#include "json/trainer_answer.h"

#include <jansson.h>

static besd_error error;
static trainer_answer judged;

/* Two points and an end, all visited. */
static const answer_route through = {
    .path = {.points = 2, .coordinates = 2, .cap = 100}, .visits = 2, .visited = {0, 1}};

/* Four points, of which the first and the third are visited. */
static const answer_route around = {
    .path = {.points = 4, .coordinates = 2, .cap = 100, .fewest = 1},
    .visits = 2,
    .visited = {0, 2}};

static besd_status judge(const char *members, const answer_route *route, besd_direction direction) {
    char output[400];
    answer_terms terms = {.reps = 3, .direction = direction, .route = route};
    snprintf(output, sizeof output, "{\"scores\": [31, 100, 40], \"cost\": 7, %s}", members);
    error = (besd_error){BESD_OK, ""};
    return answer_judge(output, strlen(output), &terms, &judged, &error);
}

/* NaN in both, or equal. */
static void assert_legs(const besd_leg *legs, const double (*expected)[2], size_t count) {
    for (size_t i = 0; i < count; i++) {
        const double got[] = {legs[i].reached, legs[i].earned};
        for (size_t j = 0; j < 2; j++)
            if (!(isnan(expected[i][j]) ? isnan(got[j]) : got[j] == expected[i][j]))
                fail_msg("leg %zu: expected %g, got %g", i, expected[i][j], got[j]);
    }
}

static void test_legs(void **state) {
    (void)state;
    static const double expected[][2] = {{4, NAN},         {17, NAN},  {31, NAN},
                                         {5, NAN},         {NAN, NAN}, {NAN, NAN},
                                         {-INFINITY, NAN}, {NAN, NAN}, {NAN, NAN}};
    assert_ok(judge("\"legs\": [[4, 17, 31], [5, null, null], null]", &through, BESD_MINIMIZE),
              &error);
    assert_non_null(judged.legs);
    assert_legs(judged.legs, expected, 9);
    answer_free(&judged);
    assert_null(judged.legs);
    answer_free(&judged);
    assert_ok(judge("\"note\": \"\"", &through, BESD_MAXIMIZE), &error);
    assert_null(judged.legs); /* they are never required */
}

static void test_earned(void **state) {
    (void)state;
    static const double expected[][2] = {{4, 1},           {17, -2.5}, {31, 8},
                                         {5, 1},           {NAN, NAN}, {NAN, NAN},
                                         {-INFINITY, NAN}, {NAN, NAN}, {NAN, NAN}};
    assert_ok(judge("\"legs\": [[4, 17, 31], [5, null, null], null], "
                    "\"earned\": [[1, -2.5, 8], [1, null, null], null]",
                    &through, BESD_MAXIMIZE),
              &error);
    assert_legs(judged.legs, expected, 9);
    answer_free(&judged);
}

/* A point that is not visited is reached with the one before it, and earns nothing. */
static void test_visited_points(void **state) {
    (void)state;
    static const double expected[][2] = {
        {4, 1},           {4, 0},     {17, 2},    {17, 0},    {31, 3},  /* all of it */
        {5, 4},           {5, 0},     {NAN, 5},   {NAN, 0},   {NAN, 6}, /* as far as the first */
        {-INFINITY, NAN}, {NAN, NAN}, {NAN, NAN}, {NAN, NAN}, {NAN, NAN}};
    static const double all[][2] = {{4, 1}, {4, 2}, {17, 3}, {18, 4}, {31, 5}};
    assert_ok(judge("\"legs\": [[4, 17, 31], [5, null, null], null], "
                    "\"earned\": [[1, 2, 3], [4, 5, 6], null]",
                    &around, BESD_MAXIMIZE),
              &error);
    assert_legs(judged.legs, expected, 15);
    answer_free(&judged);
    assert_ok(judge("\"legs\": [[4, 4, 17, 18, 31], null, null], "
                    "\"earned\": [[1, 2, 3, 4, 5], null, null]",
                    &around, BESD_MAXIMIZE),
              &error);
    assert_legs(judged.legs, all, 5);
    answer_free(&judged);
    assert_int_equal(judge("\"legs\": [[4, 5, 6, 31], null, null]", &around, BESD_MINIMIZE),
                     BESD_ENVIRONMENT);
    assert_non_null(strstr(error.message, "legs[0]: expected a list of 3"));
    assert_int_equal(judge("\"legs\": [[4, 5, 6], null, [1, 2, 3, 4, 5]]", &around, BESD_MINIMIZE),
                     BESD_ENVIRONMENT);
    assert_non_null(strstr(error.message, "legs[2]: expected a list of 3"));
    assert_int_equal(judge("\"legs\": [null, null, [3, 2, 6]]", &around, BESD_MINIMIZE),
                     BESD_ENVIRONMENT); /* the place is that in the list */
    assert_non_null(strstr(error.message, "legs[2][1]: expected a time"));
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *members, *sentence;
    } cases[] = {
        {"\"legs\": 3", "legs: expected a list of 3, one for every replication, got 3"},
        {"\"legs\": null", "legs: expected a list of 3, one for every replication, got null"},
        {"\"legs\": [[1, 2, 3], [1, 2, 3]]",
         "legs: expected a list of 3, one for every replication, got 2"},
        {"\"legs\": [[1, 2, 3], 5, null]",
         "legs[1]: expected a list of 3, for every point and the end, got 5"},
        {"\"legs\": [[1, 2, 3], null, [1, 2]]",
         "legs[2]: expected a list of 3, for every point and the end, got 2"},
        {"\"legs\": [[1, 2, 3, 4], null, null]",
         "legs[0]: expected a list of 3, for every point and the end, got 4"},
        {"\"legs\": [[1, 2, 3], [1, \"2\", 3], null]",
         "legs[1][1]: expected a number or null, got \"2\""},
        {"\"legs\": [[1, 2, 3], [1, 2, true], null]",
         "legs[1][2]: expected a number or null, got true"},
        {"\"legs\": [[1, 2, 3], [-1, 2, 3], null]",
         "legs[1][0]: expected a time from 0 to the cap of 100, got -1"},
        {"\"legs\": [[1, 2, 3], [1, 2, 101], null]",
         "legs[1][2]: expected a time from 0 to the cap of 100, got 101"},
        {"\"legs\": [[1, 2, 3], [2, 1, 3], null]",
         "legs[1][1]: expected a time from 2, when the point before it was reached, got 1"},
        {"\"legs\": [[1, 2, 3], null, [1, 5, 3]]",
         "legs[2][1]: expected a time up to 3, when the end was reached, got 5"},
        {"\"legs\": [[null, 2, 3], null, null]",
         "legs[0][1]: point 2 was reached, but not the one before it"},
        {"\"earned\": [[1, 2, 3], null, null]", "earned: it belongs to legs, which are missing"},
        {"\"legs\": [[1, 2, 3], null, null], \"earned\": 1",
         "earned: expected a list of 3, one for every replication, got 1"},
        {"\"legs\": [[1, 2, 3], null, null], \"earned\": [[1, 2], null, null]",
         "earned[0]: expected a list of 3"},
        {"\"legs\": [[1, 2, 3], null, null], \"earned\": [[1, {}, 3], null, null]",
         "earned[0][1]: expected a number or null, got {}"},
        {"\"legs\": [[1, 2, 3], null, null], \"earned\": [null, [1, 2, 3], null]",
         "earned[1]: expected null, as in legs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_fails(judge(cases[i].members, &through, BESD_MINIMIZE), BESD_ENVIRONMENT, &error,
                     cases[i].sentence);
        assert_null(judged.legs);
        assert_close(judged.cost, 7, 0); /* which is spent all the same */
    }
    /* what nobody would look at is not ignored either */
    assert_fails(judge("\"legs\": [null, null, null]", NULL, BESD_MINIMIZE), BESD_ENVIRONMENT,
                 &error, "legs: theta of this study is no path");
    assert_fails(judge("\"earned\": []", NULL, BESD_MINIMIZE), BESD_ENVIRONMENT, &error,
                 "earned: theta of this study is no path");
    assert_fails(judge("\"legs\": [[1, 2, 3], null, null]", &through, BESD_MAXIMIZE),
                 BESD_ENVIRONMENT, &error, "earned: expected what every leg earned beside legs");
}

/* Every single wrong byte in an answer is refused, or what it says is sound. */
static void test_damaged(void **state) {
    (void)state;
    const char good[] =
        "{\"scores\":[1,2],\"legs\":[[4,17,31],[5,null,9]],\"earned\":[null,[1,2,3]]}";
    answer_terms terms = {.reps = 2, .route = &through};
    size_t sound = 0;
    for (size_t at = 0; at < sizeof good - 1; at++)
        for (int byte = 0; byte < 256; byte++) {
            char damaged[sizeof good];
            memcpy(damaged, good, sizeof good);
            damaged[at] = (char)byte;
            besd_status status = answer_judge(damaged, sizeof good - 1, &terms, &judged, &error);
            assert_true(status == BESD_OK || status == BESD_ENVIRONMENT);
            assert_true(status == BESD_OK || (error.message[0] && !judged.legs));
            if (status == BESD_OK && judged.legs)
                sound += legs_check(&through.path, judged.legs, 2, &error) == BESD_OK;
            answer_free(&judged);
        }
    assert_true(sound > sizeof good);
}

static void test_texts(void **state) {
    (void)state;
    besd_leg *legs;
    assert_ok(answer_parse_legs(&(answer_texts){.legs = "[[4, 17, 31], null]", .earned = NULL},
                                &through, BESD_MINIMIZE, 2, &legs, &error),
              &error);
    assert_true(legs[2].reached == 31 && legs[3].reached == -INFINITY);
    free(legs);
    assert_ok(answer_parse_legs(&(answer_texts){.legs = NULL, .earned = NULL}, NULL, BESD_MAXIMIZE,
                                2, &legs, &error),
              &error);
    assert_null(legs);
    assert_fails(answer_parse_legs(&(answer_texts){.legs = "[[4, 17", .earned = NULL}, &through,
                                   BESD_MINIMIZE, 2, &legs, &error),
                 BESD_INVALID, &error,
                 "legs: expected JSON such as [[4, 17], [5, null], null] (a time for every point "
                 "and one for the end), got '[[4, 17'");
    assert_fails(answer_parse_legs(&(answer_texts){.legs = "[null, null]", .earned = "x\033"},
                                   &through, BESD_MINIMIZE, 2, &legs, &error),
                 BESD_INVALID, &error, "earned: expected JSON");
    assert_null(strchr(error.message, '\033'));
    assert_null(legs);
    assert_fails(answer_parse_legs(&(answer_texts){.legs = "[[4, 17, 31]]", .earned = NULL},
                                   &through, BESD_MINIMIZE, 2, &legs, &error),
                 BESD_INVALID, &error, "legs: expected a list of 2");
}

/* What was told is shown again. */
static void test_shown(void **state) {
    (void)state;
    const char *told = "[[4.0,17.0,31.0],[5.0,null,null],null]",
               *earned = "[[1.0,2.0,3.0],[0.5,null,null],null]";
    besd_leg *legs;
    assert_ok(answer_parse_legs(&(answer_texts){.legs = told, .earned = earned}, &through,
                                BESD_MAXIMIZE, 3, &legs, &error),
              &error);
    json_t *shown[] = {answer_show_legs(legs, 9, 2), answer_show_earned(legs, 9, 2)};
    for (size_t i = 0; i < 2; i++) {
        char *text = json_dumps(shown[i], JSON_COMPACT);
        assert_string_equal(text, i ? earned : told);
        free(text);
        json_decref(shown[i]);
    }
    free(legs);
}

/* The request names the points that are visited, and those alone. */
static void test_points(void **state) {
    (void)state;
    const char *names[] = {"x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4"};
    besd_study_options o = small_options(8, 1);
    besd_study *s = new_study(&o);
    answer_route route;
    besd_path p = around.path;
    besd_trial trial = {.id = 7, .theta = {1, 2, 1.2, 2.4, 5, 6, 5.5, 6.5}, .tau = 10, .reps = 1};
    o.names = names;
    assert_false(answer_route_of(s, trial.theta, &route));
    p.cell = 1;
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    assert_true(answer_route_of(s, trial.theta, &route));
    assert_int_equal(route.visits, 2);
    char *line = answer_request(&o, NULL, &route, &trial);
    json_t *request = json_loads(line, 0, NULL);
    char *points = json_dumps(json_object_get(request, "points"), JSON_COMPACT);
    assert_string_equal(points, "[[1.0,2.0],[5.0,6.0]]");
    assert_int_equal(json_array_size(json_object_get(request, "theta_array")), 8);
    free(points);
    json_decref(request);
    free(line);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legs),           cmocka_unit_test(test_earned),
        cmocka_unit_test(test_visited_points), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_damaged),        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_shown),          cmocka_unit_test(test_points),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
