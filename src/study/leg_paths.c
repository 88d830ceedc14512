#include "study/leg_paths.h"

#include "core/error.h"
#include "decide/compose.h"
#include "study/legs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Composed paths that are looked at, best first, when better ones were tried often enough. */
enum { MOST_PATHS = 200 };

/* Everything that paths are composed of. */
typedef struct composer {
    const study_spec *spec;
    const leg_model *model;
    path_lattice lattice;
    size_t points;        /* of the paths */
    double width;         /* a leg is worth its mean and so many standard deviations */
    double *inner;        /* what legs are worth, from cell to cell; one allocation with */
    double *first, *last; /* those from the start and to the end, */
    double *misses;       /* and the misses of each cell (legs.h) */
    compose paths;
} composer;

static void composer_free(composer *c) {
    path_lattice_free(&c->lattice);
    free(c->inner);
    compose_free(&c->paths);
}

/* Is the path to be tried? Else it is to be relied on. */
static bool is_hoped(const composer *c) {
    return c->width > 0;
}

static double price_of(const study_spec *spec, const double *place) {
    return legs_is_last(spec, place) ? 0 : legs_price(spec);
}

/* What the legs between places of the frame are worth, [rows * columns]. */
static besd_status value_pairs(const composer *c, const double *from, size_t rows, const double *to,
                               size_t columns, double *values, besd_error *error) {
    size_t length = c->spec->path.coordinates;
    besd_status status =
        leg_model_hope_pairs(c->model, c->spec, from, rows, to, columns, c->width, values, error);
    for (size_t i = 0; status == BESD_OK && i < rows * columns; i++) {
        size_t column = i % columns;
        bool last = to[column * length] == PATH_END;
        values[i] = legs_limited(c->spec, values[i]) - (last ? 0 : legs_price(c->spec));
        if (is_hoped(c))
            values[i] = legs_chance(c->spec, values[i], last ? 0 : c->misses[column]);
    }
    return status;
}

static besd_status value_legs(composer *c, besd_error *error) {
    const study_spec *spec = c->spec;
    size_t cells = c->lattice.cells;
    const double *places = c->lattice.places;
    double start[BESD_MAX_COORDINATES], end[BESD_MAX_COORDINATES];
    path_point(spec, NULL, 0, start);
    path_point(spec, NULL, spec->path.points + 1, end);
    besd_status status = value_pairs(c, places, cells, places, cells, c->inner, error);
    if (status == BESD_OK)
        status = value_pairs(c, start, 1, places, cells, c->first, error);
    if (status == BESD_OK)
        status = value_pairs(c, places, cells, end, 1, c->last, error);
    for (size_t cell = 0; path_varies(spec) && cell < cells; cell++)
        c->inner[cell * cells + cell] = 0; /* the point is repeated: there is no leg */
    return status;
}

static besd_status composer_init(composer *c, const study_spec *spec, const evidence *e,
                                 const leg_model *model, size_t points, double width,
                                 besd_error *error) {
    *c = (composer){.spec = spec, .model = model, .points = points, .width = width};
    besd_status status = path_lattice_init(&c->lattice, spec, error);
    size_t cells = c->lattice.cells;
    if (status == BESD_OK) {
        c->inner = malloc((cells + 3) * cells * sizeof *c->inner);
        if (!c->inner)
            status = besd_fail_memory(error, "the legs");
    }
    if (status == BESD_OK) {
        c->first = c->inner + cells * cells;
        c->last = c->first + cells;
        c->misses = c->last + cells;
        leg_misses_count(spec, e, &c->lattice, c->misses);
        status = value_legs(c, error);
    }
    if (status == BESD_OK)
        status = compose_init(&c->paths,
                              &(compose_legs){.cells = cells,
                                              .points = points,
                                              .first = c->first,
                                              .inner = c->inner,
                                              .last = c->last,
                                              .allowed = c->lattice.allowed,
                                              .least = is_hoped(c) ? -INFINITY : legs_least(spec)},
                              error);
    if (status != BESD_OK)
        composer_free(c);
    return status;
}

/* A point in a cell, and what the best path through it is worth. */
typedef struct passage {
    double value;
    size_t point, cell;
} passage;

static int by_value(const void *x, const void *y) {
    const passage *a = x, *b = y;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

static bool is_listed(const size_t *paths, size_t count, size_t points, const size_t *path) {
    for (size_t i = 0; i < count; i++)
        if (!memcmp(paths + i * points, path, points * sizeof *path))
            return true;
    return false;
}

/* The best paths, all different: `paths` [MOST_PATHS * points]. */
static besd_status list_paths(const composer *c, size_t *paths, size_t *count, besd_error *error) {
    size_t points = c->paths.points, cells = c->paths.cells, passages = 0;
    passage *all = malloc(points * cells * sizeof *all);
    if (!all)
        return besd_fail_memory(error, "the paths");
    for (size_t k = 0; k < points; k++)
        for (size_t cell = 0; cell < cells; cell++) {
            double value = compose_value(&c->paths, k, cell);
            if (value > -INFINITY)
                all[passages++] = (passage){value, k, cell};
        }
    qsort(all, passages, sizeof *all, by_value);
    *count = 0;
    for (size_t i = 0; i < passages && *count < MOST_PATHS; i++) {
        size_t *path = paths + *count * points;
        compose_path(&c->paths, all[i].point, all[i].cell, path);
        *count += !is_listed(paths, *count, points, path);
    }
    free(all);
    return BESD_OK;
}

static void path_of(const composer *c, const size_t *cells, double *theta) {
    double places[BESD_MAX_DIMENSION];
    size_t length = c->spec->path.coordinates;
    for (size_t k = 0; k < c->spec->path.points; k++) { /* the last point is repeated */
        size_t cell = cells[k < c->points ? k : c->points - 1];
        memcpy(places + k * length, c->lattice.places + cell * length, length * sizeof *places);
    }
    path_theta(c->spec, places, theta);
    path_tidy(c->spec, theta);
}

/* What a path promises, leg by leg. */
static void judge(const composer *c, leg_path *path) {
    const study_spec *spec = c->spec;
    double variance = 0;
    for (size_t k = 0; k <= spec->path.points; k++) {
        double place[LEG_COORDINATES], doubt;
        if (path_repeats(spec, path->theta, k + 1))
            continue;
        legs_place(spec, path->theta, k, place);
        double mean = leg_model_predict(c->model, spec, place, &doubt) - price_of(spec, place);
        path->mean += mean;
        path->promise += legs_in_units(spec, mean);
        variance += doubt;
        if (sqrt(doubt) > path->doubt) {
            path->doubt = sqrt(doubt);
            path->doubtful_mean = mean + price_of(spec, place);
            path->doubtful = k;
        }
    }
    path->sd = sqrt(variance);
}

/* Do two designs visit the same places? */
static bool same_path(const study_spec *spec, const double *a, const double *b) {
    for (size_t k = 1; k <= spec->path.points; k++) {
        double x[BESD_MAX_COORDINATES], y[BESD_MAX_COORDINATES];
        path_point(spec, a, k, x);
        path_point(spec, b, k, y);
        if (memcmp(x, y, spec->path.coordinates * sizeof *x) != 0)
            return false;
    }
    return true;
}

static size_t times_tried(const study_spec *spec, const evidence *e, const double *theta) {
    size_t times = 0;
    for (size_t i = 0; i < e->count; i++)
        times += (record_is_told(&e->trials[i]) || record_is_pending(&e->trials[i])) &&
                 same_path(spec, e->trials[i].trial.theta, theta);
    return times;
}

besd_status leg_paths_compose(const study_spec *spec, const evidence *e, const leg_model *model,
                              size_t points, double width, size_t most, leg_path *best, bool *found,
                              besd_error *error) {
    composer c;
    size_t count = 0;
    *found = false;
    besd_status status = composer_init(&c, spec, e, model, points, width, error);
    if (status != BESD_OK)
        return status;
    size_t *cells = malloc(MOST_PATHS * points * sizeof *cells);
    if (!cells)
        status = besd_fail_memory(error, "the paths");
    if (status == BESD_OK)
        status = list_paths(&c, cells, &count, error);
    for (size_t i = 0; status == BESD_OK && !*found && i < count; i++) {
        *best = (leg_path){0};
        path_of(&c, cells + i * points, best->theta);
        *found = !most || times_tried(spec, e, best->theta) < most;
    }
    if (*found)
        judge(&c, best);
    free(cells);
    composer_free(&c);
    return status;
}
