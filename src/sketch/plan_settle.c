/* What has to be decided about a plan before it becomes cells: which unknown pixels are walls, and
 * how near to a wall the robot can come. */
#include "sketch/plan.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of unknown places so many may be walls or not; the smaller ones are walls. */
enum { MOST_UNKNOWN_PLACES = 6 };

static size_t pixels_of(const plan *p) {
    return (size_t)p->width * (size_t)p->height;
}

static void replace(plan *p, enum plan_pixel from, enum plan_pixel to) {
    for (size_t i = 0; i < pixels_of(p); i++)
        if (p->ground[i] == from)
            p->ground[i] = (uint8_t)to;
}

/* Marks the unknown place that holds a pixel with a number; returns its pixels, `queue` has room
 * for all. */
static size_t mark_place(const plan *p, size_t from, int32_t number, int32_t *places,
                         size_t *queue) {
    const size_t width = (size_t)p->width;
    size_t taken = 0, length = 0;
    queue[length++] = from;
    places[from] = number;
    while (taken < length) {
        const size_t at = queue[taken++], x = at % width, y = at / width;
        const size_t next[4] = {at - 1, at + 1, at - width, at + width};
        const bool there[4] = {x > 0, x + 1 < width, y > 0, y + 1 < (size_t)p->height};
        for (int i = 0; i < 4; i++)
            if (there[i] && p->ground[next[i]] == PLAN_UNKNOWN && !places[next[i]]) {
                places[next[i]] = number;
                queue[length++] = next[i];
            }
    }
    return length;
}

/* The largest places, the first of equal ones, in `largest`; returns how many there are. */
static int find_places(const plan *p, const int32_t *steps, int32_t *places, size_t *queue,
                       int32_t *largest) {
    size_t sizes[MOST_UNKNOWN_PLACES] = {0};
    int count = 0, number = 0;
    for (size_t i = 0; i < pixels_of(p); i++) {
        if (p->ground[i] != PLAN_UNKNOWN || places[i] || steps[i] < 0)
            continue; /* nobody comes there, so it does not matter */
        size_t size = mark_place(p, i, ++number, places, queue);
        int at = count < MOST_UNKNOWN_PLACES ? count++ : MOST_UNKNOWN_PLACES;
        while (at > 0 && sizes[at - 1] < size) {
            if (at < MOST_UNKNOWN_PLACES) {
                sizes[at] = sizes[at - 1];
                largest[at] = largest[at - 1];
            }
            at--;
        }
        if (at < MOST_UNKNOWN_PLACES) {
            sizes[at] = size;
            largest[at] = number;
        }
    }
    return count;
}

/* A wall that stands or not where the place is. */
static besd_status add_choice(plan *p, const int32_t *places, int32_t number, besd_error *error) {
    if (p->choice_count == PLAN_MAX_CHOICES)
        return besd_fail(error, BESD_INVALID, "sketch: more than %d walls vary", PLAN_MAX_CHOICES);
    uint8_t *walls = plan_mask(p);
    if (!walls)
        return besd_fail_memory(error, "the plan");
    for (size_t i = 0; i < pixels_of(p); i++)
        if (places[i] == number) {
            walls[i] = 1;
            p->ground[i] = PLAN_FREE;
        }
    p->choices[p->choice_count++] = (plan_choice){.count = 2, .walls = {walls, NULL}};
    return BESD_OK;
}

static besd_status settle_maybe(plan *p, besd_error *error) {
    int32_t *steps = malloc(2 * pixels_of(p) * sizeof *steps), largest[MOST_UNKNOWN_PLACES];
    int32_t *places = calloc(pixels_of(p), sizeof *places);
    size_t *queue = malloc(pixels_of(p) * sizeof *queue);
    besd_status status = BESD_OK;
    if (!steps || !places || !queue)
        status = besd_fail_memory(error, "the plan");
    if (status == BESD_OK) {
        plan_walk(p, NULL, steps);
        int count = find_places(p, steps, places, queue, largest);
        for (int i = 0; status == BESD_OK && i < count; i++)
            status = add_choice(p, places, largest[i], error);
    }
    free(steps);
    free(places);
    free(queue);
    return status;
}

besd_status plan_settle(plan *p, plan_unknown unknown, besd_error *error) {
    besd_status status = BESD_OK;
    if (unknown == PLAN_UNKNOWN_MAYBE)
        status = settle_maybe(p, error);
    replace(p, PLAN_UNKNOWN, unknown == PLAN_UNKNOWN_FREE ? PLAN_FREE : PLAN_WALL);
    return status;
}

/* Squared distances to the nearest pixel with f = 0, along one line: the lower envelope of
 * parabolas (Felzenszwalb and Huttenlocher 2012). f has 0 or a large number for each of n pixels;
 * `at` and `border` have room for n + 1. */
static void envelope(const double *f, int n, double *distance, int *at, double *border) {
    int last = 0;
    at[0] = 0;
    border[0] = -INFINITY;
    border[1] = INFINITY;
    for (int q = 1; q < n; q++) {
        double meet;
        for (;;) {
            int v = at[last];
            meet = ((f[q] + (double)q * q) - (f[v] + (double)v * v)) / (2.0 * (q - v));
            if (meet > border[last])
                break;
            last--;
        }
        at[++last] = q;
        border[last] = meet;
        border[last + 1] = INFINITY;
    }
    for (int q = 0, k = 0; q < n; q++) {
        while (border[k + 1] < q)
            k++;
        distance[q] = (double)(q - at[k]) * (q - at[k]) + f[at[k]];
    }
}

/* Room for the distances of one plan. */
typedef struct distances {
    double *squared, *line, *result, *border; /* squared: [pixel]; the others: of a line */
    int *at;
} distances;

/* Squared distances in pixels from every pixel to the nearest wall. */
static void measure(const plan *p, const uint8_t *pixels, uint8_t wall, distances *d) {
    static const double far = 1e12;
    for (int x = 0; x < p->width; x++) {
        for (int y = 0; y < p->height; y++)
            d->line[y] = pixels[(size_t)x + (size_t)p->width * (size_t)y] == wall ? 0 : far;
        envelope(d->line, p->height, d->result, d->at, d->border);
        for (int y = 0; y < p->height; y++)
            d->squared[(size_t)x + (size_t)p->width * (size_t)y] = d->result[y];
    }
    for (int y = 0; y < p->height; y++) {
        double *row = d->squared + (size_t)p->width * (size_t)y;
        memcpy(d->line, row, (size_t)p->width * sizeof *row);
        envelope(d->line, p->width, row, d->at, d->border);
    }
}

/* A pixel is as near to a wall as its centre is to the border of the wall's pixel. */
static void grow(const plan *p, uint8_t *pixels, uint8_t wall, double radius, distances *d) {
    measure(p, pixels, wall, d);
    const double reach = radius / p->pixel + 0.5;
    for (size_t i = 0; i < pixels_of(p); i++)
        if (d->squared[i] < reach * reach)
            pixels[i] = wall;
}

static void grow_border(plan *p, double radius) {
    const double reach = radius / p->pixel;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if (fmin(fmin(x, p->width - 1 - x), fmin(y, p->height - 1 - y)) + 0.5 < reach)
                p->ground[(size_t)x + (size_t)p->width * (size_t)y] = PLAN_WALL;
}

besd_status plan_inflate(plan *p, double radius, besd_error *error) {
    const size_t longest = (size_t)(p->width > p->height ? p->width : p->height) + 2;
    if (!(radius > 0))
        return BESD_OK;
    distances d = {.squared = malloc(pixels_of(p) * sizeof(double)),
                   .line = malloc(longest * sizeof(double)),
                   .result = malloc(longest * sizeof(double)),
                   .border = malloc(longest * sizeof(double)),
                   .at = malloc(longest * sizeof(int))};
    const bool fits = d.squared && d.line && d.result && d.border && d.at;
    if (fits) {
        grow(p, p->ground, PLAN_WALL, radius, &d);
        grow_border(p, radius);
    }
    for (int c = 0; fits && c < p->choice_count; c++)
        for (int a = 0; a < p->choices[c].count; a++)
            if (p->choices[c].walls[a])
                grow(p, p->choices[c].walls[a], 1, radius, &d);
    free(d.squared);
    free(d.line);
    free(d.result);
    free(d.border);
    free(d.at);
    return fits ? BESD_OK : besd_fail_memory(error, "the plan");
}
