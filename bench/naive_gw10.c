/* The baseline of the ratio: GW10 with two subgoals as one would first write it. One agent at a
 * time, positions as coordinates, walls by comparison, exp for every potential avoided by a table
 * (as anyone would), a coin for wind and exploration at every step, ties by counting.
 */
#include "bench.h"

#include "core/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 10, STAGES = 3, CAP = 500 };

struct naive_world {
    int wall;
    double wind;
    double potential[STAGES][SIDE][SIDE];
    double q[STAGES][SIDE][SIDE][4];
    rng r;
};

static const double theta[2][2] = {{7.5, 3.5}, {1.5, 8.5}};

static int greedy(naive_world *w, const double *q) {
    double best = q[0];
    int count = 0;
    for (int a = 1; a < 4; a++)
        if (q[a] > best)
            best = q[a];
    for (int a = 0; a < 4; a++)
        count += q[a] == best;
    int skip = count > 1 ? (int)rng_below(&w->r, (unsigned)count) : 0;
    for (int a = 0;; a++)
        if (q[a] == best && skip-- == 0)
            return a;
}

static bool is_goal(int x, int y) {
    return (x == 0 && y >= 8) || (x == 1 && y == 9);
}

static void move(naive_world *w, int *x, int *y, int action) {
    if (rng_uniform(&w->r) < w->wind)
        action = (int)rng_below(&w->r, 4);
    int nx = *x + (action == 1) - (action == 3), ny = *y + (action == 0) - (action == 2);
    if (nx < 0 || nx >= SIDE || ny < 0 || ny >= SIDE || (ny == w->wall && nx < 6))
        return;
    *x = nx;
    *y = ny;
}

static bool reached(int stage, int x, int y) {
    return stage < 2 && x == (int)theta[stage][0] && y == (int)theta[stage][1];
}

static void draw_world(naive_world *w, unsigned long long seed) {
    memset(w, 0, sizeof *w);
    w->r = rng_open(seed, RNG_TEST, 0, 0, 0);
    w->wall = 2 + (int)rng_below(&w->r, 5);
    w->wind = rng_between(&w->r, 0, 0.02);
    for (int k = 0; k < 2; k++)
        for (int x = 0; x < SIDE; x++)
            for (int y = 0; y < SIDE; y++)
                w->potential[k][x][y] =
                    0.2 * exp(-0.5 *
                              (pow(x + 0.5 - theta[k][0], 2) + pow(y + 0.5 - theta[k][1], 2)) / 10);
}

void naive_gw10_train(naive_world *w, unsigned long long seed, int tau) {
    draw_world(w, seed);
    int x = 0, y = 0, stage = 0, steps = 0, goals = 0;
    double alpha = 0.11;
    for (int t = 0; t < tau; t++) {
        double *q = w->q[stage][x][y];
        int action = rng_uniform(&w->r) < 0.2 ? (int)rng_below(&w->r, 4) : greedy(w, q);
        double before = w->potential[stage][x][y], target;
        move(w, &x, &y, action);
        steps++;
        if (is_goal(x, y)) {
            target = 1 - before;
        } else {
            double shaping = w->potential[stage][x][y] - before;
            stage += reached(stage, x, y);
            const double *next = w->q[stage][x][y];
            target = shaping + fmax(fmax(next[0], next[1]), fmax(next[2], next[3]));
        }
        q[action] += alpha * (target - q[action]);
        if (is_goal(x, y))
            alpha = 0.11 * 100 / (100 + pow(++goals, 1.1));
        if (is_goal(x, y) || steps == CAP)
            x = y = stage = steps = 0;
    }
}

int naive_gw10_evaluate(naive_world *w) {
    int x = 0, y = 0, stage = 0, steps = 0;
    for (; steps < CAP && !is_goal(x, y); steps++) {
        move(w, &x, &y, greedy(w, w->q[stage][x][y]));
        stage += reached(stage, x, y);
    }
    return steps;
}

naive_world *naive_gw10_create(void) {
    return malloc(sizeof(naive_world));
}
