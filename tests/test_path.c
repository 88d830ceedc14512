/* A theta that is a path: how it is declared and kept, and its points in the frame and the lattice
 * that all of them share. */
#include "study_fixture.h"

#include "faulty_vfs.h"
#include "study/path.h"
#include "study_file.h"

static besd_error error;

/* Two points in a plane, of cells of side 1 unless it is changed, ending at 100. */
static besd_path plane_path(void) {
    besd_path p;
    besd_path_fill(&p);
    p.points = p.coordinates = 2;
    p.cell = 1;
    p.cap = 100;
    return p;
}

/* A description of points in a box of their own each; `low` and `high` are one for all numbers. */
static study_spec spec_of(size_t points, size_t coordinates, double cell, double low, double high) {
    study_spec s;
    besd_study_options o = small_options(points * coordinates, 1);
    double lows[BESD_MAX_DIMENSION], highs[BESD_MAX_DIMENSION];
    for (size_t i = 0; i < BESD_MAX_DIMENSION; i++) {
        lows[i] = low;
        highs[i] = high;
    }
    o.low = lows;
    o.high = highs;
    assert_ok(spec_init(&s, &o, &error), &error);
    besd_path_fill(&s.path);
    s.path.points = points;
    s.path.coordinates = coordinates;
    s.path.cell = cell;
    s.path.cap = 100;
    assert_ok(path_check(&s, &s.path, &error), &error);
    return s;
}

static void test_filled(void **state) {
    (void)state;
    besd_path p;
    memset(&p, 7, sizeof p);
    besd_path_fill(&p);
    assert_true(p.points == 0 && p.coordinates == 0 && p.cell == 0 && p.cap == 0);
    for (size_t i = 0; i < BESD_MAX_COORDINATES; i++)
        assert_true(isnan(p.from[i]) && isnan(p.to[i]));
}

/* Each thing that is wrong, and the sentence. */
static void test_refusals(void **state) {
    (void)state;
    study_spec s = spec_of(2, 2, 1, 0, 10);
    besd_path good = plane_path();
    struct {
        besd_path path;
        const char *sentence;
    } bad[17];
    size_t count = sizeof bad / sizeof *bad;
    for (size_t i = 0; i < count; i++)
        bad[i].path = good;
    bad[0].path.coordinates = 0;
    bad[0].sentence = "path: expected 1 to 8 coordinates, got 0";
    bad[1].path.coordinates = 9;
    bad[1].sentence = "path: expected 1 to 8 coordinates, got 9";
    bad[2].path.points = 0;
    bad[2].sentence = "path: 0 points of 2 coordinates are 0 numbers, but theta has 4";
    bad[3].path.points = 3;
    bad[3].sentence = "path: 3 points of 2 coordinates are 6 numbers, but theta has 4";
    bad[4].path.points = SIZE_MAX / 2 + 3; /* times two it would be four */
    bad[4].sentence = "but theta has 4";
    bad[5].path.cell = -0.5;
    bad[5].sentence = "path: cell: expected a number from 0, got -0.5";
    bad[6].path.cell = NAN;
    bad[6].sentence = "path: cell: expected a number from 0";
    bad[7].path.cell = INFINITY;
    bad[7].sentence = "path: cell: expected a number from 0, got inf";
    bad[8].path.cap = 0;
    bad[8].sentence = "path: cap: expected a positive number, got 0";
    bad[9].path.cap = NAN;
    bad[9].sentence = "path: cap: expected a positive number";
    bad[10].path.cap = INFINITY;
    bad[10].sentence = "path: cap: expected a positive number, got inf";
    bad[11].path.from[1] = -INFINITY;
    bad[11].sentence = "path: start and end must be finite, got -inf";
    bad[12].path.to[0] = INFINITY;
    bad[12].sentence = "path: start and end must be finite, got inf";
    bad[13].path.cell = 1e-9;
    bad[13].sentence = "path: cell: 1e-09 is too small, there would be more than 1e+09 along";
    bad[14].path.cell = 5e-324;
    bad[14].sentence = "is too small";
    bad[15].path.origin[1] = NAN;
    bad[15].sentence = "path: origin: expected finite numbers, got nan for coordinate 2";
    bad[16].path.origin[0] = 0.5;
    bad[16].path.cell = 0;
    bad[16].sentence = "path: origin: expected 0 where there are no cells, got 0.5";
    assert_ok(path_check(&s, &good, &error), &error);
    for (size_t i = 0; i < count; i++)
        assert_fails(path_check(&s, &bad[i].path, &error), BESD_INVALID, &error, bad[i].sentence);
    good.to[7] = INFINITY; /* no coordinate of this path */
    assert_ok(path_check(&s, &good, &error), &error);
}

/* What is allowed and can hardly be meant. */
static void test_sense(void **state) {
    (void)state;
    study_spec s = spec_of(2, 2, 1, 0, 10);
    besd_path good = plane_path(), bad = good;
    besd_study_options o = s.options;
    o.low = s.low;
    o.high = s.high;
    o.names = NULL;
    assert_ok(path_check_sense(&o, &good, &error), &error);
    bad.cell = 50;
    assert_fails(path_check_sense(&o, &bad, &error), BESD_INVALID, &error,
                 "path: cell: 50 is as wide as the whole box (10)");
    bad.cell = 9.9;
    assert_ok(path_check_sense(&o, &bad, &error), &error);
    bad = good;
    bad.to[1] = 10.5;
    assert_fails(path_check_sense(&o, &bad, &error), BESD_INVALID, &error,
                 "path: to: 10.5 is outside the box of the points, which goes from 0 to 10");
    bad.to[1] = NAN; /* not known */
    bad.from[0] = -1;
    assert_fails(path_check_sense(&o, &bad, &error), BESD_INVALID, &error, "path: from: -1");
}

/* Every number comes back from the text as it was; unknown ones stay unknown. */
static void test_round_trip(void **state) {
    (void)state;
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 100; trial++) {
        besd_path p, back;
        char *text = NULL;
        besd_path_fill(&p);
        p.points = 1 + (size_t)rng_below(&stream, BESD_MAX_DIMENSION);
        p.coordinates = 1 + (size_t)rng_below(&stream, BESD_MAX_COORDINATES);
        p.cell = trial % 3 ? rng_uniform(&stream) / 3 : 0;
        p.cap = exp(rng_between(&stream, -200, 200));
        for (size_t i = 0; i < p.coordinates; i++) {
            if (rng_below(&stream, 2))
                p.from[i] = rng_normal(&stream) * 1e-5;
            if (rng_below(&stream, 2))
                p.to[i] = rng_normal(&stream) * 1e30;
            if (trial % 2)
                p.origin[i] = rng_normal(&stream);
        }
        assert_ok(path_write(&p, &text, &error), &error);
        assert_true((strstr(text, "origin") != NULL) == (trial % 2)); /* as it was before */
        assert_ok(path_read(text, &back, &error), &error);
        assert_true(!path_difference(&p, &back) && !path_difference(&back, &p));
        assert_true(back.cell == p.cell && back.cap == p.cap);
        for (size_t i = 0; i < BESD_MAX_COORDINATES; i++) {
            assert_true(isnan(p.from[i]) ? isnan(back.from[i]) : back.from[i] == p.from[i]);
            assert_true(isnan(p.to[i]) ? isnan(back.to[i]) : back.to[i] == p.to[i]);
            assert_true(back.origin[i] == p.origin[i]);
        }
        free(text);
    }
}

/* Whatever differs makes another path, and is named. */
static void test_difference(void **state) {
    (void)state;
    const besd_path p = plane_path();
    const char *const names[] = {"points", "coordinates", "cell",   "cap", "fewest", "price",
                                 "labels", "from",        "origin", "to",  NULL};
    assert_null(path_difference(&p, &p));
    for (int i = 0; i < 11; i++) {
        besd_path q = p;
        q.points += i == 0;
        q.coordinates += i == 1;
        q.cell += i == 2;
        q.cap += i == 3;
        q.fewest += i == 4;
        q.price += i == 5;
        q.labels += i == 6 ? 2 : 0;
        if (i == 7)
            q.from[1] = 0;
        if (i == 8)
            q.origin[1] = 0.5;
        if (i == 9)
            q.to[0] = 3;
        if (i == 10)
            q.from[2] = 1; /* none of its coordinates */
        const char *there = path_difference(&p, &q), *back = path_difference(&q, &p);
        assert_true(names[i] ? there && back : !there && !back);
        if (names[i]) {
            assert_string_equal(there, names[i]);
            assert_string_equal(back, names[i]);
        }
    }
}

/* What no besd wrote. */
static const char *const damaged[] = {
    "",
    "{",
    "[]",
    "null",
    "{}",
    "{\"cap\":100,\"cell\":1,\"coordinates\":2,\"from\":[null,null],\"points\":0,\"to\":[1,2]}",
    "{\"cap\":100,\"cell\":1,\"coordinates\":2,\"from\":[null,null],\"points\":-2,\"to\":[1,2]}",
    "{\"cap\":100,\"cell\":1,\"coordinates\":2,\"from\":[null,null],\"points\":65,\"to\":[1,2]}",
    "{\"cap\":100,\"cell\":1,\"coordinates\":2,\"from\":[null,null],\"points\":2.0,\"to\":[1,2]}",
    "{\"cap\":100,\"cell\":1,\"coordinates\":0,\"from\":[],\"points\":2,\"to\":[]}",
    "{\"cap\":100,\"cell\":1,\"coordinates\":9,\"from\":[1,1,1,1,1,1,1,1,1],\"points\":2,"
    "\"to\":[1,1,1,1,1,1,1,1,1]}",
    "{\"cap\":100,\"cell\":1,\"coordinates\":2,\"from\":[null],\"points\":2,\"to\":[1,2]}",
    "{\"cap\":100,\"cell\":1,\"coordinates\":2,\"from\":[1,2],\"points\":2,\"to\":[1,2,3]}",
    "{\"cap\":100,\"cell\":1,\"coordinates\":2,\"from\":[1,\"2\"],\"points\":2,\"to\":[1,2]}",
    "{\"cap\":100,\"cell\":1,\"coordinates\":2,\"from\":[1,2],\"points\":2}",
    "{\"cap\":100,\"cell\":\"1\",\"coordinates\":2,\"from\":[1,2],\"points\":2,\"to\":[1,2]}",
    "{\"cap\":100,\"coordinates\":2,\"from\":[1,2],\"points\":2,\"to\":[1,2]}",
    "{\"cap\":true,\"cell\":1,\"coordinates\":2,\"from\":[1,2],\"points\":2,\"to\":[1,2]}",
    "{\"cap\":9,\"cell\":1,\"coordinates\":2,\"fewest\":0,\"from\":[1,2],\"origin\":[1],\"points\":"
    "2,"
    "\"price\":0,\"to\":[1,2]}",
    "{\"cap\":9,\"cell\":1,\"coordinates\":2,\"fewest\":0,\"from\":[1,2],\"origin\":[1,null],"
    "\"points\":2,\"price\":0,\"to\":[1,2]}",
};

static void test_damaged_text(void **state) {
    (void)state;
    besd_path p;
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        besd_status status = path_read(damaged[i], &p, &error);
        if (status != BESD_IO || !strstr(error.message, "its path is damaged"))
            fail_msg("'%s': %s", damaged[i], besd_status_name(status));
    }
}

static besd_path path_of(const besd_study *s) {
    besd_path p;
    memset(&p, 7, sizeof p);
    besd_study_get_path(s, &p);
    return p;
}

/* Once and for all: the same again is fine, another is not, and neither is one after a trial. */
static void test_declaration(void **state) {
    (void)state;
    char file[PATH_SIZE];
    besd_study_options o = small_options(4, 1);
    besd_study *s = open_study(new_path(file), &o), *other;
    besd_path p = plane_path(), q = p;
    assert_int_equal(path_of(s).points, 0);
    p.to[0] = 0.1;
    q.points = 3;
    assert_fails(besd_study_set_path(s, &q, &error), BESD_INVALID, &error, "6 numbers");
    assert_int_equal(path_of(s).points, 0);
    other = open_study(file, NULL);
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    q = p;
    q.cap = 99;
    assert_fails(besd_study_set_path(s, &q, &error), BESD_INVALID, &error,
                 "has one with another 'cap'; it stays");
    assert_fails(besd_study_set_path(other, &q, &error), BESD_INVALID, &error,
                 "has one with another 'cap'; it stays"); /* whoever was first */
    assert_ok(besd_study_set_path(other, &p, &error), &error);
    besd_study_close(other);
    besd_path got = path_of(s);
    assert_true(!path_difference(&got, &p));
    run_trials(s, 1, NULL);
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    besd_study_close(s);
    s = open_study(file, NULL);
    got = path_of(s);
    assert_true(!path_difference(&got, &p));
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    besd_study_close(s);

    s = new_study(&o);
    ask(s);
    assert_fails(besd_study_set_path(s, &p, &error), BESD_INVALID, &error,
                 "has trials already; a path is declared before the first");
    assert_int_equal(path_of(s).points, 0);
    besd_study_close(s);
}

/* The text of the file is checked like anything else from outside. */
static void test_damaged_file(void **state) {
    (void)state;
    char file[PATH_SIZE], statement[512];
    besd_study_options o = small_options(4, 1);
    besd_path p = plane_path();
    besd_study *s = open_study(new_path(file), &o);
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    besd_study_close(s);
    bytes whole = read_bytes(file);
    const char *const misfits[] = {
        "{\"cap\":0,\"cell\":1,\"coordinates\":2,\"from\":[1,2],\"points\":2,\"to\":[1,2]}",
        "{\"cap\":100,\"cell\":-1,\"coordinates\":2,\"from\":[1,2],\"points\":2,\"to\":[1,2]}",
        "{\"cap\":100,\"cell\":1,\"coordinates\":2,\"from\":[1,2],\"points\":3,\"to\":[1,2]}"};
    size_t misfit_count = sizeof misfits / sizeof *misfits;
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged + misfit_count; i++) {
        const char *text = i < misfit_count ? misfits[i] : damaged[i - misfit_count];
        write_bytes(file, whole.data, whole.size);
        snprintf(statement, sizeof statement, "UPDATE text SET value = '%s' WHERE key = 'path'",
                 text);
        sql(file, statement);
        assert_fails(besd_study_open(&s, file, NULL, &error), BESD_IO, &error, file);
    }
    free(whole.data);
}

/* A declaration that did not reach the disk was none; made again it is one. */
static void test_faulty_disk(void **state) {
    (void)state;
    char file[PATH_SIZE];
    besd_study_options o = small_options(4, 1);
    besd_path p = plane_path();
    int failures = 0;
    bool reached = true;
    for (int at = 1; reached; at++) {
        besd_study *s = open_study(new_path(file), &o);
        besd_study_close(s);
        use_faulty_disk(FAULT_FULL, at);
        besd_status status = besd_study_open(&s, file, NULL, &error);
        if (status == BESD_OK) {
            status = besd_study_set_path(s, &p, &error);
            if (status != BESD_OK) {
                assert_int_equal(status, BESD_IO);
                assert_int_equal(path_of(s).points, 0);
                failures++;
                repair_disk();
                assert_ok(besd_study_set_path(s, &p, &error), &error);
            }
            besd_study_close(s);
        }
        reached = disk.changes >= at;
        use_real_disk();
        if (status == BESD_OK || failures) {
            s = open_study(file, NULL);
            assert_int_equal(path_of(s).points, 2);
            besd_study_close(s);
        }
    }
    assert_true(failures >= 1);
}

static void assert_place(const study_spec *s, const double *theta, size_t point, double x,
                         double y) {
    double place[2];
    path_point(s, theta, point, place);
    assert_close(place[0], x, 1e-15);
    assert_close(place[1], y, 1e-15);
}

/* Cells: a point lies in the middle of its own, and the upper border is the last one's. */
static void test_cells(void **state) {
    (void)state;
    study_spec s = spec_of(2, 2, 1, 0, 10);
    const double theta[] = {0, 10, 3.99, 4};
    assert_place(&s, theta, 1, 0.05, 0.95);
    assert_place(&s, theta, 2, 0.35, 0.45);
    double end[2];
    assert_place(&s, theta, 0, -1, -1); /* nobody knows where: outside, */
    assert_place(&s, theta, 3, 2, 2);   /* and far from each other */
    assert_false(path_end(&s, end));
    s.path.from[0] = 9.2; /* half of it is not known */
    s.path.to[1] = 10;
    assert_place(&s, theta, 0, -1, -1);
    assert_false(path_end(&s, end));
    s.path.from[1] = 0;
    s.path.to[0] = 0.7;
    assert_place(&s, theta, 0, 0.95, 0.05);
    assert_place(&s, theta, 3, 2, 2); /* an end is like no other point, */
    assert_true(path_end(&s, end));   /* wherever it is */
    assert_close(end[0], 0.05, 1e-15);
    assert_close(end[1], 0.95, 1e-15);
    s.path.to[0] = 12; /* outside the frame, and not too far */
    s.path.to[1] = -1000;
    assert_true(path_end(&s, end));
    assert_close(end[0], 1.2, 1e-15);
    assert_close(end[1], -0.5, 1e-15);

    s = spec_of(2, 2, 4, -1, 9); /* the frame is of whole cells: -4 to 12 */
    const double other[] = {-1, 0, 3.9, 9};
    assert_place(&s, other, 1, 0.125, 0.375);
    assert_place(&s, other, 2, 0.375, 0.875);

    s.path.origin[0] = 1; /* -3 to 9, whereas the other coordinate stays */
    assert_place(&s, other, 1, 2 / 12.0, 0.375);
    assert_place(&s, other, 2, 6 / 12.0, 0.875);

    s = spec_of(2, 2, 0.08, 0, 0.8); /* metres: ten cells, whatever the rounding */
    const double metres[] = {0.8, 0, 0.7999, 0.08};
    assert_place(&s, metres, 1, 0.95, 0.05);
    assert_place(&s, metres, 2, 0.95, 0.15);
    s = spec_of(2, 2, 0.2, 0, 0.6); /* 0.6 / 0.2 is not quite 3 */
    const double thirds[] = {0.6, 0.59, 0.1, 0.3};
    assert_place(&s, thirds, 1, 5 / 6.0, 5 / 6.0);
    assert_place(&s, thirds, 2, 1 / 6.0, 0.5);

    s = spec_of(2, 2, 0, -1, 9); /* no cells: as it is */
    assert_place(&s, other, 1, 0, 0.1);
    assert_place(&s, other, 2, 0.49, 1);
}

/* All numbers of a cell are one place, and its middle is in the lattice. */
static void test_cells_and_lattice_agree(void **state) {
    (void)state;
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    study_spec s = spec_of(2, 2, 2, 0, 10);
    path_lattice l;
    assert_ok(path_lattice_init(&l, &s, &error), &error);
    assert_int_equal(l.cells, 25);
    for (int trial = 0; trial < 200; trial++) {
        double theta[4], place[2];
        int met = 0;
        for (int i = 0; i < 4; i++)
            theta[i] = rng_between(&stream, 0, 10);
        for (size_t point = 1; point <= 2; point++) {
            path_point(&s, theta, point, place);
            for (size_t cell = 0; cell < l.cells; cell++)
                met += fabs(l.places[2 * cell] - place[0]) < 1e-12 &&
                       fabs(l.places[2 * cell + 1] - place[1]) < 1e-12;
            for (int i = 0; i < 2; i++)
                assert_true(fabs(place[i] * 10 - theta[2 * (point - 1) + (size_t)i]) <= 1 + 1e-12);
        }
        assert_int_equal(met, 2);
    }
    path_lattice_free(&l);
    assert_null(l.places);
    assert_null(l.allowed);
}

/* Boxes that differ between points: what meets a point's box, and nothing else, is allowed to it.
 */
static void test_boxes_of_their_own(void **state) {
    (void)state;
    study_spec s = spec_of(2, 1, 1, 0, 10);
    path_lattice l;
    s.high[0] = 4;   /* the first point: 0 to 4 */
    s.low[1] = 3.25; /* the second: 3.25 to 10 */
    assert_ok(path_lattice_init(&l, &s, &error), &error);
    assert_int_equal(l.cells, 10);
    for (size_t cell = 0; cell < 10; cell++) {
        assert_close(l.places[cell], (double)cell / 10 + 0.05, 1e-15);
        assert_true(l.allowed[cell] == (cell < 4));
        assert_true(l.allowed[10 + cell] == (cell >= 3));
    }
    /* the middle of a cell that is half outside is moved into the box, and stays in the cell */
    const double places[] = {0.35, 0.35};
    double theta[2], place;
    s.low[1] = 3.75;
    path_theta(&s, places, theta);
    assert_close(theta[0], 3.5, 1e-15);
    assert_close(theta[1], 3.75, 1e-15);
    path_point(&s, theta, 2, &place);
    assert_close(place, 0.35, 1e-15);
    const double outside[] = {0.95, 0.05};
    path_theta(&s, outside, theta);
    assert_true(theta[0] == 4 && theta[1] == 3.75);
    path_lattice_free(&l);
}

/* From the box to the frame and back. */
static void test_back_into_the_box(void **state) {
    (void)state;
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    study_spec s = spec_of(3, 2, 0, -3, 5);
    s.low[2] = -7;
    s.high[5] = 20;
    for (int trial = 0; trial < 50; trial++) {
        double theta[6], places[6], back[6];
        for (int i = 0; i < 6; i++)
            theta[i] = rng_between(&stream, s.low[i], s.high[i]);
        for (size_t k = 0; k < 3; k++)
            path_point(&s, theta, k + 1, places + 2 * k);
        path_theta(&s, places, back);
        for (int i = 0; i < 6; i++) {
            assert_true(places[i] >= 0 && places[i] <= 1);
            assert_close(back[i], theta[i], 1e-13);
            assert_true(back[i] >= s.low[i] && back[i] <= s.high[i]);
        }
    }
}

/* One to eight coordinates, cells of all sizes and none: never more places than can be composed,
 * never none, all inside the frame and different, and each point has some. */
static void test_lattices(void **state) {
    (void)state;
    const double cells[] = {0, 0.001, 0.01, 0.3, 1, 1 / 3.0, 5, 1e-6, 2e-8, 10 / 256.0, 100};
    for (size_t coordinates = 1; coordinates <= BESD_MAX_COORDINATES; coordinates++)
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
            study_spec s = spec_of(2, coordinates, cells[c], 0, 10);
            path_lattice l;
            assert_ok(path_lattice_init(&l, &s, &error), &error);
            if (l.cells < 1 || l.cells > 1024)
                fail_msg("%zu coordinates, cells of %g: %zu places", coordinates, cells[c],
                         l.cells);
            if (cells[c] < 5) /* more than the middle */
                assert_true(l.cells > 1);
            for (size_t i = 0; i < l.cells; i++) {
                const double *place = l.places + i * coordinates;
                for (size_t k = 0; k < coordinates; k++)
                    assert_true(place[k] > 0 && place[k] < 1);
                assert_true(l.allowed[i] == l.allowed[l.cells + i]);
                for (size_t j = 0; j < i; j++)
                    assert_memory_not_equal(place, l.places + j * coordinates,
                                            coordinates * sizeof *place);
            }
            assert_true(l.allowed[0]);
            path_lattice_free(&l);
        }
}

/* 32 x 32 cells are all there; one more along a side, and they are taken two by two. */
static void test_too_many_cells(void **state) {
    (void)state;
    path_lattice l;
    study_spec s = spec_of(2, 2, 1, 0, 32);
    assert_ok(path_lattice_init(&l, &s, &error), &error);
    assert_int_equal(l.cells, 1024);
    path_lattice_free(&l);
    s = spec_of(2, 2, 1, 0, 33);
    assert_ok(path_lattice_init(&l, &s, &error), &error);
    assert_int_equal(l.cells, 17 * 17);
    path_lattice_free(&l);
}

/* A point in the place of its predecessor is none, where their number is a matter of the design. */
static void test_visited(void **state) {
    (void)state;
    static const struct {
        double theta[8];
        size_t fewest, count, visited[4];
    } cases[] = {{{1, 1, 1, 1, 2, 2, 2, 2}, 0, 4, {0, 1, 2, 3}},
                 {{1, 1, 1.4, 1.9, 2, 2, 2, 2}, 1, 2, {0, 2}},
                 {{1, 1, 3, 3, 1, 1, 1, 1}, 1, 3, {0, 1, 2}},
                 {{5, 5, 5, 5, 5, 5, 5, 5}, 1, 1, {0}}};
    besd_study_options o = small_options(8, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_study *s = new_study(&o);
        size_t visited[4];
        besd_path p;
        besd_path_fill(&p);
        assert_int_equal(besd_study_visited(s, cases[i].theta, visited), 0); /* no path yet */
        p.points = 4;
        p.coordinates = 2;
        p.cell = 1;
        p.cap = 10;
        p.fewest = cases[i].fewest;
        assert_ok(besd_study_set_path(s, &p, &error), &error);
        assert_int_equal(besd_study_visited(s, cases[i].theta, NULL), cases[i].count);
        assert_int_equal(besd_study_visited(s, cases[i].theta, visited), cases[i].count);
        assert_memory_equal(visited, cases[i].visited, cases[i].count * sizeof *visited);
        besd_study_close(s);
    }
}

/* No time beyond the cap is expected of a path, however little is known. */
static void test_forecasts_know_the_cap(void **state) {
    (void)state;
    besd_study_options o = short_options(4, 3);
    o.direction = BESD_MINIMIZE;
    o.transform = BESD_TRANSFORM_LOG;

    besd_path p;
    besd_path_fill(&p);
    p.points = 2, p.coordinates = 2, p.cap = 100;
    for (int with = 0; with < 2; with++) {
        besd_study *s;
        besd_forecast f;
        double highest = 0;
        assert_ok(besd_study_open(&s, NULL, &o, &error), &error);
        if (with)
            assert_ok(besd_study_set_path(s, &p, &error), &error);
        for (int i = 0; i < 8; i++) {
            besd_trial t;
            double scores[BESD_MAX_REPS];
            assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
            for (int r = 0; r < t.reps; r++)
                scores[r] = i % 3 ? 100 : 20 + r;
            assert_ok(besd_study_tell(s, t.id,
                                      &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                                      &error),
                      &error);
        }
        for (int i = 0; i < 20; i++) {
            double theta[] = {i / 2.0, 10 - i / 2.0, i / 4.0, 5};
            assert_ok(besd_study_forecast(s, theta, 30, &f, &error), &error);
            assert_true(f.low <= f.value && f.value <= f.high);
            highest = f.high > highest ? f.high : highest;
        }
        assert_int_equal(highest > 100, !with);
        besd_study_close(s);
    }
}

/* Designs that are spread over the space take turns in their number of points, from the fewest to
 * the most; the points that count stay where they are, and the last of them stands for the rest. */
static void test_cut(void **state) {
    (void)state;
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    for (size_t fewest = 0; fewest <= 4; fewest++) {
        study_spec s = spec_of(4, 2, 0, 0, 10);
        s.path.fewest = fewest;
        size_t numbers = fewest ? 4 - fewest + 1 : 1, times[5] = {0};
        for (size_t number = 0; number < 3 * numbers; number++) {
            double unit[8], cut[8], theta[8];
            for (int i = 0; i < 8; i++)
                cut[i] = unit[i] = rng_uniform(&stream);
            path_cut(&s, number, cut);
            spec_to_user(&s, cut, theta);
            size_t visits = path_visits(&s, theta);
            assert_true(visits >= fewest && visits <= 4);
            assert_memory_equal(cut, unit, 2 * visits * sizeof *cut);
            for (size_t k = visits; k < 4; k++)
                assert_memory_equal(cut + 2 * k, unit + 2 * (visits - 1), 2 * sizeof *cut);
            times[visits]++;
        }
        for (size_t visits = fewest ? fewest : 4; visits <= 4; visits++)
            assert_int_equal(times[visits], 3);
    }
}

/* A tidy theta visits the same places in the same order, none of them again before the end; what is
 * tidy stays as it is, and so does a path whose points all count. */
static void test_tidy(void **state) {
    (void)state;
    enum { SIDE = 2, COUNT = 5 };
    rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
    int untidy = 0;
    for (int trial = 0; trial < 200; trial++) {
        study_spec s = spec_of(COUNT, 2, 1, 0, SIDE);
        double theta[2 * COUNT], tidy[2 * COUNT], again[2 * COUNT], visited[2 * COUNT] = {0};
        size_t count = 0;
        for (int i = 0; i < 2 * COUNT; i++)
            theta[i] = rng_between(&stream, 0, SIDE);
        memcpy(tidy, theta, sizeof tidy);
        path_tidy(&s, tidy);
        assert_memory_equal(tidy, theta, sizeof tidy);
        s.path.fewest = 1;
        for (size_t k = 0; k < COUNT; k++) {
            const double *at = theta + 2 * k, *last = k ? at - 2 : NULL;
            if (!last || floor(at[0]) != floor(last[0]) || floor(at[1]) != floor(last[1]))
                memcpy(visited + 2 * count++, at, 2 * sizeof *at);
        }
        for (size_t k = count; k < COUNT; k++)
            memcpy(visited + 2 * k, visited + 2 * (count - 1), 2 * sizeof *visited);
        path_tidy(&s, tidy);
        assert_memory_equal(tidy, visited, sizeof tidy);
        assert_int_equal(path_visits(&s, tidy), count);
        memcpy(again, tidy, sizeof tidy);
        path_tidy(&s, again);
        assert_memory_equal(again, tidy, sizeof tidy);
        untidy += memcmp(tidy, theta, sizeof tidy) != 0;
    }
    assert_true(untidy > 50 && untidy < 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forecasts_know_the_cap),
        cmocka_unit_test(test_filled),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_sense),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_difference),
        cmocka_unit_test(test_damaged_text),
        cmocka_unit_test(test_declaration),
        cmocka_unit_test(test_damaged_file),
        cmocka_unit_test(test_faulty_disk),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_cells_and_lattice_agree),
        cmocka_unit_test(test_boxes_of_their_own),
        cmocka_unit_test(test_back_into_the_box),
        cmocka_unit_test(test_lattices),
        cmocka_unit_test(test_too_many_cells),
        cmocka_unit_test(test_visited),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_tidy),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
