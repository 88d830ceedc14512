/* A small search with every number of subgoals and every length of training: designs along the way
 * and beside it, then changes of the best. Designs that divide the way evenly are not enough: in a
 * gap they are learnt only by trainings ten times as long as the best ones need, which lie behind
 * it.
 */
#include "sketch/schooling.h"

#include "core/error.h"
#include "core/rng.h"
#include "core/stats.h"
#include "learn/trial.h"
#include "world/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAYOUTS = 16, DRAWN = 16, CHANGED = 16, AGENTS = 24 };

/* How far from the way a design may begin, as a share of its length. */
static const double BLUR = 0.5;

/* An episode may last so many shortest ways, and LEAST_CAP moves in any case. */
static const double WAYS_PER_EPISODE = 5;
enum { LEAST_CAP = 60, FIRST_TAU = 2, LAST_TAU = 128 }; /* in caps */

/* Learnt: such a share of the agents of the best design find the goal. A study trains longer, by
 * the margin, because it has to find good designs before the best ones. With a margin of two, two
 * of three studies of an arena with two walls stayed in the dark. */
static const double LEARNT = 0.8;
enum { MARGIN = 6 };

/* Another subgoal pays when it saves such a share of the moves. */
static const double PAYS = 0.1;

/* Ways in some layouts of a map: moves from the start to each cell, and from there to a goal. */
typedef struct ways {
    const domain *domain;
    int layouts;
    int32_t *from[LAYOUTS], *to[LAYOUTS]; /* [cell]; -1: no way */
    int32_t length[LAYOUTS], longest;
    int32_t *queue;
} ways;

static void ways_close(ways *w) {
    for (int i = 0; i < LAYOUTS; i++) {
        free(w->from[i]);
        free(w->to[i]);
    }
    free(w->queue);
}

/* Doors and one-way cells count as free: where subgoals could help, not what is possible. */
static void walk(const domain *d, const char *cells, bool from_start, int start, int32_t *steps,
                 int32_t *queue) {
    const grid_map *map = &d->map;
    const int moves = (int)d->value[PARAMETER_MOVES];
    int taken = 0, length = 0;
    for (int i = 0; i < map->width * map->height; i++) {
        const bool first = from_start ? i == start : cells[i] == GRID_GOAL;
        steps[i] = first ? 0 : -1;
        if (first)
            queue[length++] = i;
    }
    while (taken < length) {
        const int at = queue[taken++], x = at % map->width, y = at / map->width;
        for (int m = 0; m < moves; m++) {
            const int u = x + grid_moves[m][0], v = y + grid_moves[m][1], next = u + map->width * v;
            if (u < 0 || u >= map->width || v < 0 || v >= map->height || steps[next] >= 0 ||
                cells[next] == GRID_WALL ||
                (m >= 4 && (cells[u + map->width * y] == GRID_WALL ||
                            cells[x + map->width * v] == GRID_WALL)))
                continue;
            steps[next] = steps[at] + 1;
            queue[length++] = next;
        }
    }
}

static besd_status ways_open(ways *w, const domain *d, besd_error *error) {
    const grid_map *map = &d->map;
    const size_t cells = (size_t)map->width * (size_t)map->height;
    const int64_t all = grid_map_layouts(map);
    *w = (ways){.domain = d, .queue = malloc(cells * sizeof(int32_t))};
    char *drawn = malloc(cells);
    bool fits = w->queue && drawn;
    for (int i = 0; fits && i < (all < LAYOUTS ? all : LAYOUTS); i++) {
        const int64_t layout = all <= LAYOUTS ? i : (int64_t)((double)all / LAYOUTS * i);
        const int start = grid_map_start(map, layout);
        int32_t *from = w->from[w->layouts] = malloc(cells * sizeof *from);
        int32_t *to = w->to[w->layouts] = malloc(cells * sizeof *to);
        fits = from && to;
        if (!fits)
            break;
        grid_map_layout(map, layout, drawn);
        walk(d, drawn, true, start, from, w->queue);
        walk(d, drawn, false, start, to, w->queue);
        w->length[w->layouts] = to[start];
        if (to[start] >= 0) {
            w->longest = to[start] > w->longest ? to[start] : w->longest;
            w->layouts++;
        } else { /* hopeless, and of no use here */
            free(from);
            free(to);
            w->from[w->layouts] = w->to[w->layouts] = NULL;
        }
    }
    free(drawn);
    if (!fits)
        return besd_fail_memory(error, "the ways of the sketch");
    return w->layouts ? BESD_OK
                      : besd_fail(error, BESD_UNREACHABLE,
                                  "sketch: no way leads from the start to a goal");
}

/* How far a cell is from where the way has done a share of its length: moves off it and along it,
 * the mean over layouts. */
static double distance(const ways *w, int cell, double share) {
    double sum = 0;
    for (int i = 0; i < w->layouts; i++) {
        const double length = w->length[i], from = w->from[i][cell], to = w->to[i][cell];
        sum += from < 0 || to < 0 ? 2 * length : from + to - length + fabs(from - share * length);
    }
    return sum / w->layouts;
}

typedef struct design {
    double theta[2 * SCHOOLING_MOST_SUBGOALS];
} design;

static void put_subgoal(const grid_map *map, int k, int cell, design *made) {
    made->theta[2 * k] = grid_map_unit(map, 0, cell % map->width + 0.5);
    made->theta[2 * k + 1] = grid_map_unit(map, 1, cell / map->width + 0.5);
}

/* The cell that is nearest to a share of the way, give or take some moves. */
static int cell_at(const ways *w, double share, double blur, rng *stream) {
    const grid_map *map = &w->domain->map;
    double least = INFINITY;
    int best = 0;
    for (int cell = 0; cell < map->width * map->height; cell++) {
        const double here = distance(w, cell, share) + blur * rng_uniform(stream);
        if (here < least) {
            least = here;
            best = cell;
        }
    }
    return best;
}

/* The first design divides the way evenly, the others anyhow, and leave it a little. */
static design draw_design(const ways *w, int count, int number, rng *stream) {
    design made = {{0}};
    double shares[SCHOOLING_MOST_SUBGOALS];
    for (int k = 0; k < count; k++) {
        shares[k] = number ? rng_uniform(stream) : (k + 1.0) / (count + 1);
        for (int i = k; i > 0 && shares[i] < shares[i - 1]; i--) { /* in order */
            const double earlier = shares[i];
            shares[i] = shares[i - 1];
            shares[i - 1] = earlier;
        }
    }
    const double blur = number ? BLUR * w->longest * rng_uniform(stream) : 0;
    for (int k = 0; k < count; k++)
        put_subgoal(&w->domain->map, k, cell_at(w, shares[k], blur, stream), &made);
    return made;
}

/* One of the subgoals, or all, move by a few cells. */
static design change_design(const ways *w, int count, const design *from, rng *stream) {
    const grid_map *map = &w->domain->map;
    const int only = (int)rng_below(stream, (uint64_t)count + 1);
    design made = *from;
    for (int k = 0; k < count; k++) {
        int at[2];
        for (int i = 0; i < 2; i++) {
            const int side = i ? map->height : map->width, reach = side / 8 + 1;
            const int moved = (int)rng_below(stream, (uint64_t)(2 * reach + 1)) - reach;
            at[i] = (int)floor(grid_map_in_cells(map, i, from->theta[2 * k + i]));
            at[i] = at[i] + moved < 0 ? 0 : at[i] + moved >= side ? side - 1 : at[i] + moved;
        }
        if (only == k || only == count)
            put_subgoal(map, k, at[0] + map->width * at[1], &made);
    }
    return made;
}

typedef struct marks {
    double share, steps;
} marks;

/* Trains agents, each in an instance of its own. */
static besd_status train(const domain *d, const double *theta, int count, int64_t tau,
                         uint64_t seed, marks *m, besd_error *error) {
    trial_result result;
    trial_request r = {.domain = d,
                       .theta = count ? theta : NULL,
                       .theta_length = (size_t)(2 * count),
                       .tau = tau,
                       .reps = 1,
                       .instances = AGENTS,
                       .seed = seed};
    besd_status status = trial_run(&r, &result, error);
    if (status != BESD_OK)
        return status;
    int reached = 0;
    double steps = 0;
    for (size_t i = 0; i < result.agents; i++) {
        reached += result.reached_goal[i];
        steps += result.reached_goal[i] ? result.final[i] : d->value[PARAMETER_CAP];
    }
    *m = (marks){reached / (double)result.agents, steps / (double)result.agents};
    trial_result_free(&result);
    return BESD_OK;
}

/* Looks for the best design with so many subgoals: some at random, then changes of the best. Its
 * marks are those of other agents than those that chose it. */
static besd_status try_count(domain *d, const ways *w, int count, int64_t tau, schooling *s,
                             besd_error *error) {
    rng stream = rng_open(1, RNG_TEST, (uint64_t)count, 7, 0);
    design best = {{0}};
    double least = INFINITY;
    marks m = {0};
    besd_status status = BESD_OK;
    d->value[PARAMETER_SUBGOALS] = count ? count : 1;
    d->value[PARAMETER_FEWEST_SUBGOALS] = 0;
    for (int i = 0; status == BESD_OK && count && i < DRAWN + CHANGED; i++) {
        const design one =
            i < DRAWN ? draw_design(w, count, i, &stream) : change_design(w, count, &best, &stream);
        status = train(d, one.theta, count, tau, 1, &m, error);
        if (status == BESD_OK && m.steps < least) {
            least = m.steps;
            best = one;
        }
    }
    if (status == BESD_OK)
        status = train(d, best.theta, count, tau, 2, &m, error);
    s->share[count] = m.share;
    s->steps[count] = m.steps;
    return status;
}

static besd_status try_tau(domain *d, const ways *w, int64_t tau, int fewest, int most,
                           schooling *s, besd_error *error) {
    besd_status status = try_count(d, w, 0, tau, s, error);
    s->plain = s->share[0];
    s->best = 0;
    for (int count = fewest; status == BESD_OK && count <= most; count++) {
        status = try_count(d, w, count, tau, s, error);
        s->best = fmax(s->best, s->share[count]);
    }
    s->longest = tau;
    return status;
}

/* The fewest subgoals after which another one does not pay. */
static int suggest(const schooling *s, int fewest, int most) {
    int best = fewest;
    for (int count = fewest + 1; count <= most; count++)
        if (s->steps[count] < (1 - PAYS) * s->steps[best])
            best = count;
    return best;
}

/* Two digits that are not zero are enough for a training length. */
static int64_t rounded(double tau) {
    const double unit = pow(10, fmax(floor(log10(tau)) - 1, 0));
    return (int64_t)(round(tau / unit) * unit);
}

static void set_levels(domain *d, int64_t tau) {
    memset(d->tau, 0, sizeof d->tau);
    d->tau[0] = rounded((double)tau / 4);
    d->tau[1] = rounded((double)tau / 2);
    d->tau[2] = rounded((double)tau);
}

besd_status schooling_find(domain *d, schooling *s, besd_error *error) {
    const int known = (int)d->value[PARAMETER_SUBGOALS];
    const int known_fewest = (int)d->value[PARAMETER_FEWEST_SUBGOALS];
    const int most = known > 0 && known < SCHOOLING_MOST_SUBGOALS ? known : SCHOOLING_MOST_SUBGOALS;
    const int fewest = known > 0 && !known_fewest ? most : 1;
    ways w;
    *s = (schooling){0};
    besd_status status = ways_open(&w, d, error);
    for (int i = 0; status == BESD_OK && i < w.layouts; i++)
        s->way += (double)w.length[i] / w.layouts;
    const double cap = fmax(ceil(WAYS_PER_EPISODE * w.longest / 10) * 10, LEAST_CAP);
    d->value[PARAMETER_CAP] = cap;
    for (double tau = FIRST_TAU * cap; status == BESD_OK && !s->learnt && tau <= LAST_TAU * cap;
         tau *= 2) {
        s->tau = rounded(tau);
        status = try_tau(d, &w, s->tau, fewest, most, s, error);
        s->learnt = fmax(s->best, s->plain) >= LEARNT;
    }
    ways_close(&w);
    if (status != BESD_OK)
        return status;
    s->tau = rounded((double)s->tau * (s->learnt && s->plain < LEARNT ? MARGIN : 1));
    set_levels(d, s->tau);
    s->suggested = suggest(s, fewest, most);
    d->value[PARAMETER_SUBGOALS] = known > 0 ? known : s->suggested;
    d->value[PARAMETER_FEWEST_SUBGOALS] = known_fewest;
    return BESD_OK;
}
