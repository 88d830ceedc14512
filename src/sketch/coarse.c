#include "sketch/coarse.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A start or goal that comes to lie in a wall moves at most so many cells. */
static const double MOST_MOVED = 1.6;

static int cells_of(const coarse_grid *g) {
    return g->width * g->height;
}

/* Room for making the cells of one plan. */
typedef struct workshop {
    const plan *plan;
    const coarse_grid *grid;
    int32_t *cell_of; /* [pixel]; -1: outside of the grid */
    uint8_t *wall;    /* [pixel] */
    uint8_t *main;    /* [pixel]: 1 in the largest free part of its cell */
    int32_t *part;    /* [pixel]: number of its part, from 1; 0 none yet */
    int32_t *queue;
    int32_t *total, *free, *largest, *largest_part; /* [cell]: pixels of each kind */
} workshop;

static size_t pixels_of(const plan *p) {
    return (size_t)p->width * (size_t)p->height;
}

static int along(const coarse_grid *g, int coordinate, double place) {
    double at = floor((place - g->origin[coordinate]) / g->cell);
    return at >= 0 && at < (coordinate ? g->height : g->width) ? (int)at : -1;
}

static void find_cells(workshop *w) {
    const plan *p = w->plan;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            int column = along(w->grid, 0, p->origin[0] + p->pixel * (x + 0.5));
            int row = along(w->grid, 1, p->origin[1] + p->pixel * (y + 0.5));
            w->cell_of[(size_t)x + (size_t)p->width * (size_t)y] =
                column < 0 || row < 0 ? -1 : column + w->grid->width * row;
        }
}

static void workshop_close(workshop *w) {
    free(w->cell_of);
    free(w->wall);
    free(w->main);
    free(w->part);
    free(w->queue);
    free(w->total);
    free(w->free);
    free(w->largest);
    free(w->largest_part);
}

static besd_status workshop_open(workshop *w, const plan *p, const coarse_grid *g,
                                 besd_error *error) {
    const size_t pixels = pixels_of(p), cells = (size_t)cells_of(g);
    *w = (workshop){.plan = p,
                    .grid = g,
                    .cell_of = malloc(pixels * sizeof(int32_t)),
                    .wall = malloc(pixels),
                    .main = malloc(pixels),
                    .part = malloc(pixels * sizeof(int32_t)),
                    .queue = malloc(pixels * sizeof(int32_t)),
                    .total = malloc(cells * sizeof(int32_t)),
                    .free = malloc(cells * sizeof(int32_t)),
                    .largest = malloc(cells * sizeof(int32_t)),
                    .largest_part = malloc(cells * sizeof(int32_t))};
    if (!w->cell_of || !w->wall || !w->main || !w->part || !w->queue || !w->total || !w->free ||
        !w->largest || !w->largest_part)
        return besd_fail_memory(error, "the cells of the sketch");
    find_cells(w);
    return BESD_OK;
}

/* The neighbours of a pixel to the left, to the right, below and above; -1: there is none. */
static void neighbours(const plan *p, int32_t pixel, int32_t next[4]) {
    const int x = pixel % p->width, y = pixel / p->width;
    next[0] = x > 0 ? pixel - 1 : -1;
    next[1] = x + 1 < p->width ? pixel + 1 : -1;
    next[2] = y > 0 ? pixel - p->width : -1;
    next[3] = y + 1 < p->height ? pixel + p->width : -1;
}

/* The free part of a cell that holds the pixel: numbers it and returns its size. */
static int32_t number_part(workshop *w, int32_t from, int32_t number) {
    int32_t taken = 0, length = 0, next[4];
    w->queue[length++] = from;
    w->part[from] = number;
    while (taken < length) {
        int32_t at = w->queue[taken++];
        neighbours(w->plan, at, next);
        for (int i = 0; i < 4; i++)
            if (next[i] >= 0 && !w->wall[next[i]] && !w->part[next[i]] &&
                w->cell_of[next[i]] == w->cell_of[at]) {
                w->part[next[i]] = number;
                w->queue[length++] = next[i];
            }
    }
    return length;
}

static void find_parts(workshop *w) {
    const size_t pixels = pixels_of(w->plan), cells = (size_t)cells_of(w->grid);
    int32_t number = 0;
    memset(w->total, 0, cells * sizeof *w->total);
    memset(w->free, 0, cells * sizeof *w->free);
    memset(w->largest, 0, cells * sizeof *w->largest);
    memset(w->part, 0, pixels * sizeof *w->part);
    for (size_t i = 0; i < pixels; i++) {
        const int32_t cell = w->cell_of[i];
        if (cell < 0)
            continue;
        w->total[cell]++;
        w->free[cell] += !w->wall[i];
        if (w->wall[i] || w->part[i])
            continue;
        int32_t size = number_part(w, (int32_t)i, ++number);
        if (size > w->largest[cell]) {
            w->largest[cell] = size;
            w->largest_part[cell] = number;
        }
    }
    for (size_t i = 0; i < pixels; i++)
        w->main[i] =
            w->cell_of[i] >= 0 && w->part[i] && w->part[i] == w->largest_part[w->cell_of[i]];
}

/* Marks in touching[2 * cell + (0 right, 1 above)] which neighbours can be stepped to. */
static void find_steps(const workshop *w, uint8_t *touching) {
    const plan *p = w->plan;
    memset(touching, 0, 2 * (size_t)cells_of(w->grid));
    for (size_t i = 0; i < pixels_of(p); i++) {
        int32_t next[4];
        if (!w->main[i])
            continue;
        neighbours(p, (int32_t)i, next);
        for (int side = 0; side < 2; side++) {
            int32_t other = next[side ? 3 : 1];
            if (other >= 0 && w->main[other] && w->cell_of[other] != w->cell_of[i])
                touching[2 * w->cell_of[i] + side] = 1;
        }
    }
}

/* The walls among the cells, with w->wall as they are among the pixels. `touching` is scratch. */
static void make_walls(workshop *w, uint8_t *walls, uint8_t *touching) {
    const coarse_grid *g = w->grid;
    find_parts(w);
    find_steps(w, touching);
    for (int i = 0; i < cells_of(g); i++)
        walls[i] = w->total[i] == 0 || 2 * w->free[i] < w->total[i];
    for (int i = 0; i < cells_of(g); i++)
        for (int side = 0; side < 2 && !walls[i]; side++) {
            const bool there = side ? i / g->width + 1 < g->height : i % g->width + 1 < g->width;
            const int other = i + (side ? g->width : 1);
            if (!there || walls[other] || touching[2 * i + side])
                continue;
            /* shares of wall, compared without division */
            const int64_t here = (int64_t)(w->total[i] - w->free[i]) * w->total[other];
            const int64_t beyond = (int64_t)(w->total[other] - w->free[other]) * w->total[i];
            walls[beyond >= here ? other : i] = 1;
        }
}

/* The walls that an alternative adds. */
static besd_status make_varying(workshop *w, coarse *c, int choice, int alternative,
                                uint8_t *touching, besd_error *error) {
    const plan *p = w->plan;
    const uint8_t *more = p->choices[choice].walls[alternative];
    if (!more)
        return BESD_OK;
    uint8_t *walls = malloc((size_t)cells_of(w->grid));
    c->varying[choice][alternative] = walls;
    if (!walls)
        return besd_fail_memory(error, "the cells of the sketch");
    for (size_t i = 0; i < pixels_of(p); i++)
        w->wall[i] = p->ground[i] == PLAN_WALL || more[i];
    make_walls(w, walls, touching);
    for (int i = 0; i < cells_of(w->grid); i++)
        walls[i] = walls[i] && !c->walls[i];
    return BESD_OK;
}

/* The free cell that is nearest to a place, if it is near enough; -1. */
static int nearest_free(const coarse *c, const double *place) {
    const coarse_grid *g = &c->grid;
    double least = MOST_MOVED * g->cell;
    int nearest = -1;
    for (int i = 0; i < cells_of(g); i++) {
        const double x = g->origin[0] + g->cell * (i % g->width + 0.5) - place[0];
        const double y = g->origin[1] + g->cell * (i / g->width + 0.5) - place[1];
        if (!c->walls[i] && hypot(x, y) < least) {
            least = hypot(x, y);
            nearest = i;
        }
    }
    return nearest;
}

/* A cell is a goal when half of its free pixels are; of a small goal those that hold part of it. */
static void find_goals(coarse *c, const workshop *w) {
    const plan *p = w->plan;
    const size_t cells = (size_t)cells_of(w->grid);
    int32_t *marked = w->largest; /* has served */
    double middle[2] = {0}, count = 0;
    bool any = false;
    memset(marked, 0, cells * sizeof *marked);
    for (size_t i = 0; i < pixels_of(p); i++) {
        if (!p->goal[i])
            continue;
        middle[0] += p->origin[0] + p->pixel * ((double)(i % (size_t)p->width) + 0.5);
        middle[1] += p->origin[1] + p->pixel * ((double)(i / (size_t)p->width) + 0.5);
        count++;
        if (w->cell_of[i] >= 0 && w->main[i])
            marked[w->cell_of[i]]++;
    }
    for (int share = 2; share >= 0 && !any; share -= 2) /* half of the cell, then any of it */
        for (size_t i = 0; i < cells; i++) {
            c->goals[i] = !c->walls[i] && marked[i] &&
                          (!share || share * marked[i] >= w->free[i]) && (int)i != c->start;
            any = any || c->goals[i];
        }
    if (any || !(count > 0))
        return;
    const int nearest = nearest_free(c, (double[]){middle[0] / count, middle[1] / count});
    if (nearest >= 0 && nearest != c->start)
        c->goals[nearest] = 1;
}

static void find_start(coarse *c, const workshop *w) {
    const int32_t cell = w->cell_of[plan_pixel_of(w->plan, w->plan->start)];
    c->start = cell >= 0 && !c->walls[cell] ? cell : nearest_free(c, w->plan->start);
}

/* Start and goals are never walls, whatever varies. */
static void keep_ends_free(coarse *c, const plan *p) {
    for (int k = 0; k < p->choice_count; k++)
        for (int a = 0; a < p->choices[k].count; a++)
            for (int i = 0; c->varying[k][a] && i < cells_of(&c->grid); i++)
                if (c->goals[i] || i == c->start)
                    c->varying[k][a][i] = 0;
}

besd_status coarse_make(coarse *c, const plan *p, const coarse_grid *g, besd_error *error) {
    workshop w;
    const size_t cells = (size_t)cells_of(g);
    *c = (coarse){.grid = *g, .walls = malloc(cells), .goals = calloc(1, cells), .start = -1};
    uint8_t *touching = malloc(2 * cells);
    besd_status status = workshop_open(&w, p, g, error);
    if (status == BESD_OK && (!c->walls || !c->goals || !touching))
        status = besd_fail_memory(error, "the cells of the sketch");
    if (status == BESD_OK) {
        for (size_t i = 0; i < pixels_of(p); i++)
            w.wall[i] = p->ground[i] == PLAN_WALL;
        make_walls(&w, c->walls, touching);
        find_start(c, &w);
        find_goals(c, &w);
    }
    for (int k = 0; k < p->choice_count; k++)
        for (int a = 0; status == BESD_OK && a < p->choices[k].count; a++)
            status = make_varying(&w, c, k, a, touching, error);
    if (status == BESD_OK)
        keep_ends_free(c, p);
    workshop_close(&w);
    free(touching);
    return status;
}

void coarse_free(coarse *c, const plan *p) {
    for (int k = 0; k < p->choice_count; k++)
        for (int a = 0; a < p->choices[k].count; a++)
            free(c->varying[k][a]);
    free(c->walls);
    free(c->goals);
    *c = (coarse){0};
}

bool coarse_is_wall(const coarse *c, const plan *p, int cell, const plan_instance *instance) {
    bool wall = c->walls[cell];
    for (int k = 0; !wall && instance && k < p->choice_count; k++) {
        const uint8_t *more = c->varying[k][instance->of[k]];
        wall = more && more[cell];
    }
    return wall;
}

int coarse_walk(const coarse *c, const plan *p, const plan_instance *instance, int32_t *steps) {
    const coarse_grid *g = &c->grid;
    int32_t *queue = steps + cells_of(g);
    int taken = 0, length = 0, nearest = -1;
    for (int i = 0; i < cells_of(g); i++)
        steps[i] = -1;
    if (c->start >= 0) {
        steps[c->start] = 0;
        queue[length++] = c->start;
    }
    while (taken < length) {
        const int at = queue[taken++], x = at % g->width, y = at / g->width;
        const int next[4] = {at - 1, at + 1, at - g->width, at + g->width};
        const bool there[4] = {x > 0, x + 1 < g->width, y > 0, y + 1 < g->height};
        if (c->goals[at] && nearest < 0)
            nearest = steps[at];
        for (int i = 0; i < 4; i++)
            if (there[i] && steps[next[i]] < 0 && !coarse_is_wall(c, p, next[i], instance)) {
                steps[next[i]] = steps[at] + 1;
                queue[length++] = next[i];
            }
    }
    return nearest;
}
