/* A world of legs that is known: cells of a square, where one leads to another in a time that
 * depends on both, or not at all. A path fails with its first leg that leads nowhere. */
#ifndef BESD_TESTS_LEG_WORLD_H
#define BESD_TESTS_LEG_WORLD_H

#include "study_fixture.h"

#include <float.h>

enum { WORLD_MOST_POINTS = 3 };

typedef struct leg_world {
    int side;      /* cells along it; the start is in the first corner, the end in the last */
    size_t points; /* of a path, up to WORLD_MOST_POINTS */
    int reach;     /* steps that a leg can be long */
    double cap;
} leg_world;

/* Four by four, and most paths of two points fail. */
static const leg_world small_world = {.side = 4, .points = 2, .reach = 3, .cap = 100};

/* The time from one cell to another, INFINITY when they are too far apart. Cells are the harder to
 * enter the farther they are from the left and the upper border. */
static inline double world_steps(const leg_world *w, const int *from, const int *to) {
    int away = abs(from[0] - to[0]) + abs(from[1] - to[1]);
    int aside = to[0] < w->side - 1 - to[1] ? to[0] : w->side - 1 - to[1];
    return away > w->reach ? (double)INFINITY : (double)(1 + away * away + 3 * aside);
}

/* The cells of a path, start and end included; the upper border is the last cell's. */
static inline void world_cells(const leg_world *w, const double *theta,
                               int cells[WORLD_MOST_POINTS + 2][2]) {
    memset(cells, 0, sizeof(int[WORLD_MOST_POINTS + 2][2]));
    for (size_t k = 0; k < w->points; k++)
        for (size_t i = 0; i < 2; i++) {
            int cell = (int)floor(theta[2 * k + i]);
            cells[k + 1][i] = cell < w->side ? cell : w->side - 1;
        }
    cells[w->points + 1][0] = cells[w->points + 1][1] = w->side - 1;
}

/* The time that a path takes, the cap when it fails. */
static inline double world_time(const leg_world *w, const double *theta) {
    int cells[WORLD_MOST_POINTS + 2][2];
    double time = 0;
    world_cells(w, theta, cells);
    for (size_t k = 0; k <= w->points; k++)
        time += world_steps(w, cells[k], cells[k + 1]);
    return fmin(time, w->cap);
}

/* The shortest time of all paths, and how many have it; or, of all, how many fail. */
static inline double world_shortest(const leg_world *w, int *best, int *failing, int *all) {
    double shortest = INFINITY, theta[2 * WORLD_MOST_POINTS];
    int cells = w->side * w->side;
    *best = *failing = 0;
    *all = 1;
    for (size_t k = 0; k < w->points; k++)
        *all *= cells;
    for (int number = 0; number < *all; number++) {
        for (size_t k = 0, rest = (size_t)number; k < w->points; k++, rest /= (size_t)cells) {
            theta[2 * k] = (double)(rest % (size_t)cells % (size_t)w->side) + 0.5;
            theta[2 * k + 1] = (double)(rest % (size_t)cells / (size_t)w->side) + 0.5;
        }
        double time = world_time(w, theta);
        *best = time < shortest ? 1 : *best + (time == shortest);
        shortest = fmin(shortest, time);
        *failing += time >= w->cap;
    }
    return shortest;
}

/* Scores and legs of a trial: up to a tenth more than the time, a half more after a short training.
 */
static inline void world_train(const leg_world *w, const besd_trial *t, double *scores,
                               besd_leg *legs) {
    int cells[WORLD_MOST_POINTS + 2][2];
    world_cells(w, t->theta, cells);
    for (int r = 0; r < t->reps; r++) {
        rng stream = rng_open(t->seed, RNG_TEST, (uint64_t)r, 0, 0);
        besd_leg *one = legs + (size_t)r * (w->points + 1);
        double time = 0;
        for (size_t k = 0; k <= w->points; k++) {
            time += world_steps(w, cells[k], cells[k + 1]) * (t->tau < 30 ? 1.5 : 1) *
                    rng_between(&stream, 1, 1.1);
            one[k] = (besd_leg){.reached = time < w->cap ? time : NAN};
        }
        scores[r] = fmin(time, w->cap);
    }
}

static inline besd_path world_path(const leg_world *w) {
    besd_path p;
    besd_path_fill(&p);
    p.points = w->points;
    p.coordinates = 2;
    p.cell = 1;
    p.cap = w->cap;
    for (size_t i = 0; i < 2; i++) {
        p.from[i] = 0.5;
        p.to[i] = w->side - 0.5;
    }
    return p;
}

/* The averaged model, trainings of 10 and 30, no budget. */
static inline besd_study_options world_options(const leg_world *w, uint64_t seed) {
    static double high[BESD_MAX_DIMENSION];
    besd_study_options o = small_options(2 * w->points, seed);
    for (size_t i = 0; i < BESD_MAX_DIMENSION; i++)
        high[i] = w->side;
    o.high = high;
    o.model = BESD_MODEL_AVERAGED;
    o.direction = BESD_MINIMIZE;
    o.transform = BESD_TRANSFORM_LOG;
    o.initial_designs = 3;
    o.targets = 40;
    return o;
}

/* A study of it that knows of the path. */
static inline besd_study *world_study(const leg_world *w, const char *file,
                                      const besd_study_options *o) {
    besd_error error = {BESD_OK, ""};
    besd_study *s = open_study(file, o);
    besd_path p = world_path(w);
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    return s;
}

static inline void world_answer(const leg_world *w, besd_study *s, const besd_trial *t,
                                bool with_legs) {
    double scores[8];
    besd_leg legs[8 * (WORLD_MOST_POINTS + 1)];
    besd_error error = {BESD_OK, ""};
    assert_true(t->reps <= 8);
    world_train(w, t, scores, legs);
    assert_ok(besd_study_tell(s, t->id,
                              &(besd_outcome){.scores = scores,
                                              .count = (size_t)t->reps,
                                              .legs = with_legs ? legs : NULL},
                              &error),
              &error);
}

/* Asks and answers so many times; the trials go to `trials` unless it is NULL. */
static inline void world_run(const leg_world *w, besd_study *s, int count, besd_trial *trials) {
    for (int i = 0; i < count; i++) {
        besd_trial t = ask(s);
        world_answer(w, s, &t, true);
        if (trials)
            trials[i] = t;
    }
}

#endif
