/* Figures of one study: do arrows, dashes, marks and lines say what the study knows? Looked at in
 * the scripts, which have everything in them; gnuplot is not needed. */
#include "leg_world.h"

#include "figures/figure.h"
#include "study/leg_survey.h"
#include "study/recommend.h"

static besd_error error;

enum { TRIALS = 14, MOST = 200 };

static char script[400000];

/* Draws and reads the script. */
static void draw(const char *kind_name, besd_study *s) {
    const figure_kind *kind;
    char path[PATH_SIZE];
    assert_ok(figure_find(kind_name, &kind, &error), &error);
    assert_ok(figure_make(kind, &(figure_source){.study = s}, folder, kind_name, 0, &error),
              &error);
    snprintf(path, sizeof path, "%s/%s.gp", folder, kind_name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    script[fread(script, 1, sizeof script - 1, file)] = 0;
    fclose(file);
}

static void refuse(const char *kind_name, besd_study *s, const char *sentence) {
    const figure_kind *kind;
    assert_ok(figure_find(kind_name, &kind, &error), &error);
    assert_fails(figure_make(kind, &(figure_source){.study = s}, folder, "none", 0, &error),
                 BESD_UNSUPPORTED, &error, sentence);
}

static besd_study *study_of(const leg_world *w, size_t fewest, int trials) {
    besd_study_options o = world_options(w, 3);
    besd_study *s = open_study(NULL, &o);
    besd_path p = world_path(w);
    p.fewest = fewest;
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    world_run(w, s, trials, NULL);
    return s;
}

/* The arrow of this number, as the script has it. */
typedef struct arrow {
    double from[2], to[2], width;
    char dash[20];
    unsigned colour;
} arrow;

static bool find_arrow(int number, arrow *a) {
    char begin[40];
    snprintf(begin, sizeof begin, "\nset arrow %d from ", number);
    const char *at = strstr(script, begin);
    return at && sscanf(at + strlen(begin), "%lf,%lf to %lf,%lf nohead lw %lf dt %19s lc rgb %x",
                        &a->from[0], &a->from[1], &a->to[0], &a->to[1], &a->width, a->dash,
                        &a->colour) == 7;
}

static int better_first(const void *x, const void *y) {
    const leg_known *a = x, *b = y;
    return a->mean > b->mean ? -1 : a->mean < b->mean;
}

static int brightness(unsigned colour) {
    return (int)((colour >> 16 & 255) + (colour >> 8 & 255) + (colour & 255));
}

static bool leads(const leg_known *leg) {
    return leg->from[0] != leg->to[0] || leg->from[1] != leg->to[1];
}

/* Does the arrow lead the way of the leg, between its ends? */
static bool goes_way(const arrow *a, const leg_known *leg) {
    double way[2] = {leg->to[0] - leg->from[0], leg->to[1] - leg->from[1]};
    double drawn[2] = {a->to[0] - a->from[0], a->to[1] - a->from[1]};
    double length = hypot(way[0], way[1]);
    return fabs(way[0] * drawn[1] - way[1] * drawn[0]) / length < 1e-3 &&
           way[0] * drawn[0] + way[1] * drawn[1] > 0.2 * length * length &&
           hypot(a->from[0] - leg->from[0], a->from[1] - leg->from[1]) < 0.5 * length;
}

/* Arrows of tried legs, some of them: the best darkest, drawn last; doubtful ones dashed, the
 * others not. */
static void test_arrows(void **state) {
    (void)state;
    besd_study *s = study_of(&small_world, 0, TRIALS);
    leg_survey all;
    arrow a = {0};
    size_t count = 0, dashed = 0;
    int before = -1;
    assert_ok(leg_survey_init(&all, s, NULL, 40, 0, &error), &error);
    qsort(all.tried, all.tried_count, sizeof *all.tried, better_first);
    draw("legs", s);
    while (find_arrow(101 + (int)count, &a))
        count++;
    int number = 100 + (int)count;
    for (size_t i = 0; i < all.tried_count && find_arrow(number, &a) && number > 100; i++) {
        if (!leads(&all.tried[i]) || !goes_way(&a, &all.tried[i]))
            continue;
        assert_int_equal(strcmp(a.dash, "solid") != 0, all.tried[i].is_doubtful);
        assert_true(brightness(a.colour) >= before);
        before = brightness(a.colour);
        dashed += all.tried[i].is_doubtful;
        number--;
    }
    assert_int_equal(number, 100);
    assert_true(dashed > 0 && dashed < count);
    leg_survey_free(&all);
    besd_study_close(s);
}

/* At most so many, and the footer says of how many. */
static void test_not_too_many(void **state) {
    (void)state;
    const leg_world large = {.side = 9, .points = 3, .reach = 16, .cap = 1000};
    besd_study *s = study_of(&large, 0, 18);
    leg_survey all;
    arrow a = {0};
    char words[60];
    assert_ok(leg_survey_init(&all, s, NULL, 16, 0, &error), &error);
    assert_true(all.untold > 24);
    draw("legs", s);
    assert_true(find_arrow(101 + 5, &a));
    assert_false(find_arrow(101 + 16, &a));
    snprintf(words, sizeof words, "of %zu those that were tried most", all.untold + 16);
    assert_non_null(strstr(script, words));
    leg_survey_free(&all);
    besd_study_close(s);
}

/* The recommended path is thick and on top, its legs those of the survey, its subgoals numbered. */
static void test_recommended_path(void **state) {
    (void)state;
    besd_study *s = study_of(&small_world, 0, TRIALS);
    besd_recommendation best;
    leg_survey own;
    arrow a = {0};
    int number = 201, numbers = 0;
    assert_ok(besd_study_recommend(s, &best, &error), &error);
    assert_ok(leg_survey_init(&own, s, best.theta, 0, 0, &error), &error);
    draw("legs", s);
    for (size_t i = 0; i < own.design_count; i++)
        if (leads(&own.of_design[i])) {
            assert_true(find_arrow(number++, &a));
            assert_true(goes_way(&a, &own.of_design[i]));
            assert_true(a.width > 3);
            assert_int_equal(strcmp(a.dash, "solid") != 0, own.of_design[i].is_doubtful);
        }
    assert_false(find_arrow(number, &a));
    assert_true(number > 201);
    for (const char *at = script; (at = strstr(at, "'{/:Bold ")); at++)
        numbers += at[9] == '1' || at[9] == '2';
    assert_true(numbers >= 2); /* the title is bold, too, but no number */
    leg_survey_free(&own);
    besd_study_close(s);
}

/* The map where the study knows it, else the box of its points with start and end. */
static void test_ground(void **state) {
    (void)state;
    besd_study *s = study_of(&small_world, 0, 6);
    draw("legs", s);
    assert_non_null(strstr(script, "set xlabel"));
    assert_non_null(strstr(script, "label 'S' at 0.5, 0.5"));
    assert_non_null(strstr(script, "label 'G' at 3.5, 3.5"));
    assert_null(strstr(script, "Walls"));
    assert_ok(besd_study_set_note(s, "domain", "gw10 fresh instances", &error), &error);
    draw("legs", s);
    assert_null(strstr(script, "set xlabel"));
    assert_non_null(strstr(script, "The legs of GW10"));
    assert_non_null(strstr(script, "Walls:"));
    assert_non_null(strstr(script, "set xrange [-0.35:10.35]"));
    besd_study_close(s);
}

static void test_refusals(void **state) {
    (void)state;
    besd_study_options o = world_options(&small_world, 1);
    besd_study *s = open_study(NULL, &o);
    refuse("legs", s, "legs: theta of this study is no path");
    refuse("map", s, "map: theta of this study is no path");
    besd_study_close(s);
    s = open_study(NULL, &o);
    besd_path p = world_path(&small_world);
    p.points = 4;
    p.coordinates = 1;
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    refuse("legs", s, "expected points of 2 coordinates, got 1");
    besd_study_close(s);
    s = world_study(&small_world, NULL, &o);
    besd_trial t = ask(s);
    world_answer(&small_world, s, &t, false);
    refuse("legs", s, "legs: none were told");
    refuse("number", s, "number: this study does not choose the number of subgoals");
    besd_study_close(s);
}

/* Pairs of numbers in the data block of this number. */
static size_t read_block(int block, double pairs[MOST][2]) {
    char begin[40];
    size_t count = 0;
    snprintf(begin, sizeof begin, "$block%d << EOD\n", block);
    const char *at = strstr(script, begin);
    assert_non_null(at);
    for (at += strlen(begin); strncmp(at, "EOD", 3) != 0; at = strchr(at, '\n') + 1)
        if (sscanf(at, "%lf %lf", &pairs[count][0], &pairs[count][1]) == 2 &&
            !isnan(pairs[count][0]) && count < MOST - 1)
            count++;
    return count;
}

/* A mark for every subgoal that a told trial visits, near where it is and inside the box. */
static void test_marks_on_the_map(void **state) {
    (void)state;
    besd_study *s = study_of(&small_world, 1, TRIALS);
    size_t expected[8] = {0}, visited[8];
    double pairs[MOST][2] = {{0}};
    for (int64_t id = 1; id <= TRIALS; id++) {
        besd_trial t;
        assert_ok(besd_study_trial(s, id, &t, &error), &error);
        size_t count = besd_study_visited(s, t.theta, visited);
        for (size_t k = 0; k < count; k++)
            expected[k]++;
    }
    ask(s); /* one that is under way has no mark */
    draw("map", s);
    assert_true(expected[1] > 0 && expected[1] < expected[0]);
    for (int k = 0; k < 2; k++) {
        size_t marks = 0;
        for (int shade = 0; shade < 4; shade++) {
            size_t count = read_block(4 * k + shade, pairs);
            for (size_t i = 0; i < count; i++)
                assert_true(pairs[i][0] >= 0 && pairs[i][0] <= 4 && pairs[i][1] >= 0 &&
                            pairs[i][1] <= 4);
            marks += count;
        }
        assert_int_equal(marks, expected[k]);
    }
    besd_study_close(s);
}

/* No band reaches the border of its panel: it would look cut off. */
static void test_slices_have_room(void **state) {
    (void)state;
    besd_study *s = study_of(&small_world, 0, 12);
    draw("slices", s);
    const char *at = strstr(script, "$block0 << EOD\n");
    assert_non_null(at);
    double most = 0, least = INFINITY, low, high, bottom, top;
    for (at = strchr(at, '\n') + 1; strncmp(at, "EOD", 3) != 0; at = strchr(at, '\n') + 1) {
        assert_int_equal(sscanf(at, "%*f %*f %lf %lf", &low, &high), 2);
        most = fmax(most, fmax(low, high));
        least = fmin(least, fmin(low, high));
    }
    at = strstr(at, "set logscale y\n");
    assert_non_null(at);
    at = strstr(at, "set yrange [");
    assert_int_equal(sscanf(at, "set yrange [%lf:%lf]", &bottom, &top), 2);
    assert_true(bottom <= least && top > 1.01 * most);
    besd_study_close(s);
}

/* The best line falls where a trial at the largest tau is better than all before; the interval of
 * the recommendation is drawn from its low to its high end. */
static void test_progress(void **state) {
    (void)state;
    besd_study *s = study_of(&small_world, 0, TRIALS);
    besd_recommendation best;
    double pairs[MOST][2], spent = 0, least = INFINITY;
    size_t told = 0, steps = 0;
    draw("progress", s);
    size_t lines = read_block(2, pairs);
    for (int64_t id = 1; id <= TRIALS; id++) {
        besd_trial t;
        assert_ok(besd_study_trial(s, id, &t, &error), &error);
        spent += t.cost;
        told++;
        if (t.tau != 30 || t.mean >= least)
            continue;
        least = t.mean;
        assert_close(pairs[steps][0], spent, 1e-6 * spent);
        assert_close(pairs[steps++][1], least, 1e-6 * least);
    }
    assert_int_equal(lines, steps + 1);
    assert_close(pairs[steps][1], least, 1e-6 * least);
    assert_int_equal(read_block(0, pairs) + read_block(1, pairs), told);
    assert_ok(besd_study_recommend(s, &best, &error), &error);
    double x, low, high;
    const char *drawn = strstr(script, "set arrow 1 from ");
    assert_int_equal(drawn != NULL, isfinite(best.low) && isfinite(best.high));
    if (drawn) {
        assert_int_equal(sscanf(drawn, "set arrow 1 from %lf, %lf to %*f, %lf", &x, &low, &high),
                         3);
        assert_close(low, best.low, 1e-6 * best.low);
        assert_close(high, best.high, 1e-6 * best.high);
    }
    besd_study_close(s);
}

/* The curve over the number of subgoals is that of the study. */
static void test_number(void **state) {
    (void)state;
    besd_study *s = study_of(&small_world, 1, TRIALS);
    besd_recommendation best;
    path_curve curve;
    double pairs[MOST][2] = {{0}};
    size_t known = 0;
    assert_ok(besd_study_recommend(s, &best, &error), &error);
    assert_ok(path_curve_find(s, &best, &curve, &error), &error);
    assert_int_equal(curve.count, 2);
    assert_int_equal(curve.visits, besd_study_visited(s, best.theta, NULL));
    draw("number", s);
    size_t count = read_block(0, pairs);
    for (size_t i = 0; i < curve.count; i++) {
        besd_forecast f;
        double theta[BESD_MAX_DIMENSION];
        if (!curve.of[i].known)
            continue;
        assert_close(pairs[known][0], (double)curve.of[i].points, 0);
        assert_close(pairs[known++][1], curve.of[i].value, 1e-6 * curve.of[i].value);
        if (curve.of[i].points == curve.visits) {
            assert_close(curve.of[i].value, best.value, 0);
            continue;
        }
        assert_ok(besd_study_path_forecast(s, curve.of[i].points, theta, &f, &error), &error);
        assert_close(curve.of[i].value, f.value, 1e-12);
    }
    assert_int_equal(count, known);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrows),           cmocka_unit_test(test_not_too_many),
        cmocka_unit_test(test_recommended_path), cmocka_unit_test(test_ground),
        cmocka_unit_test(test_refusals),         cmocka_unit_test(test_marks_on_the_map),
        cmocka_unit_test(test_slices_have_room), cmocka_unit_test(test_progress),
        cmocka_unit_test(test_number),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
