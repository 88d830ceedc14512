#include "study/legs.h"

#include "core/error.h"
#include "decide/compose.h"
#include "study/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times are seen on a logarithmic scale from here on. */
static const double SCALE = 0.1; /* of the cap */

/* Rows of the model; of more, the best half and every so many'th of the rest. Those that
 * hyperparameters are fitted to, draws of them, and by which part the told trials grow before they
 * are fitted again. */
enum { MOST_ROWS = 500, FITTED_ROWS = 160, DRAWS = 2, SWEEPS = 2, GROWTH = 8 };

/* Composed paths that are looked at when better ones were tried often enough. */
enum { MOST_PATHS = 200 };

/* Rows that the doubt in legs is made of: it costs their square for every pair of places. */
enum { DOUBTED_ROWS = 128 };

/* In the paths of a model, legs have so many coordinates at most. */
enum { LEG_COORDINATES = 2 * BESD_MAX_COORDINATES };

/* The legs of one replication: their ends come one after the other, none after the cap, and a
 * subgoal that was not reached has no successor. The last end is that of the replication, which may
 * come on any leg. */
static besd_status check_replication(const besd_path *p, size_t replication, const besd_leg *legs,
                                     besd_error *error) {
    double before = 0, end = legs[p->points].reached;
    for (size_t k = 0; legs[0].reached != -INFINITY && k <= p->points; k++) {
        double reached = legs[k].reached;
        if (isinf(legs[k].earned))
            return besd_fail(error, BESD_INVALID, "legs[%zu][%zu]: it earned %g", replication, k,
                             legs[k].earned);
        if (isnan(reached))
            continue;
        if (!(reached >= 0 && reached <= p->cap))
            return besd_fail(error, BESD_INVALID,
                             "legs[%zu][%zu]: expected a time from 0 to the cap of %g, got %g",
                             replication, k, p->cap, reached);
        if (k < p->points && k > 0 && isnan(legs[k - 1].reached))
            return besd_fail(error, BESD_INVALID,
                             "legs[%zu][%zu]: point %zu was reached, but not the one before it",
                             replication, k, k + 1);
        if (reached < before || reached > end)
            return besd_fail(error, BESD_INVALID,
                             "legs[%zu][%zu]: its end was reached at %g, %s at %g", replication, k,
                             reached, reached < before ? "the one before it" : "the last",
                             reached < before ? before : end);
        before = reached;
    }
    return BESD_OK;
}

besd_status legs_check(const besd_path *path, const besd_leg *legs, size_t replications,
                       besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < replications; i++)
        status = check_replication(path, i, legs + i * (path->points + 1), error);
    return status;
}

/* What leg k earned; failing, it loses what was earned before. */
static double value_earned(const besd_path *p, const besd_leg *legs, size_t k) {
    double before = 0;
    if (!isnan(legs[k].reached) || !isnan(legs[p->points].reached))
        return legs[k].earned;
    for (size_t i = 0; i < k; i++)
        before += legs[i].earned;
    return -before;
}

bool legs_value(const study_spec *spec, const besd_leg *legs, size_t k, double *value) {
    const besd_path *p = &spec->path;
    double begun = k ? legs[k - 1].reached : 0, end = legs[p->points].reached;
    if (isnan(begun) || legs[0].reached == -INFINITY)
        return false;
    double until = !isnan(legs[k].reached) ? legs[k].reached : !isnan(end) ? end : p->cap;
    if (spec->options.direction == BESD_MAXIMIZE)
        *value = value_earned(p, legs, k);
    else
        *value = -log1p((until - begun) / (SCALE * p->cap));
    return !isnan(*value);
}

/* One outcome of a leg. */
typedef struct leg_sample {
    double place[LEG_COORDINATES];
    int level;
    double value;
} leg_sample;

typedef struct leg_samples {
    leg_sample *of;
    size_t count, capacity;
} leg_samples;

/* The coordinates of leg k. */
static void place_leg(const study_spec *spec, const double *theta, size_t k, double *place) {
    path_point(spec, theta, k, place);
    path_point(spec, theta, k + 1, place + spec->path.coordinates);
}

static leg_sample *add_sample(leg_samples *s, besd_error *error) {
    if (s->count == s->capacity) {
        size_t capacity = 2 * s->capacity + 256;
        leg_sample *grown = realloc(s->of, capacity * sizeof *grown);
        if (!grown) {
            besd_fail_memory(error, "the legs");
            return NULL;
        }
        s->of = grown;
        s->capacity = capacity;
    }
    leg_sample *added = &s->of[s->count++];
    *added = (leg_sample){0};
    return added;
}

static besd_status sample_trial(const study_spec *spec, const evidence *e, size_t trial,
                                leg_samples *s, besd_error *error) {
    const besd_leg *legs;
    const besd_trial *t = &e->trials[trial].trial;
    size_t length = spec->path.points + 1, count = evidence_legs(e, trial, &legs) / length;
    for (size_t k = 0; k < length; k++) {
        double place[LEG_COORDINATES] = {0};
        if (path_repeats(spec, t->theta, k + 1))
            continue;
        place_leg(spec, t->theta, k, place);
        for (size_t i = 0; i < count; i++) {
            double value;
            if (!legs_value(spec, legs + i * length, k, &value))
                continue;
            leg_sample *one = add_sample(s, error);
            if (!one)
                return BESD_MEMORY;
            memcpy(one->place, place, sizeof place);
            one->level = spec_tau_level(spec, t->tau);
            one->value = value;
        }
    }
    return BESD_OK;
}

static int by_place(const void *x, const void *y) {
    const leg_sample *a = x, *b = y;
    for (size_t i = 0; i < LEG_COORDINATES; i++)
        if (a->place[i] != b->place[i])
            return a->place[i] < b->place[i] ? -1 : 1;
    return a->level != b->level ? a->level - b->level
                                : (a->value > b->value) - (a->value < b->value);
}

static bool same_row(const leg_sample *a, const leg_sample *b) {
    return a->level == b->level && !memcmp(a->place, b->place, sizeof a->place);
}

static double share_of(const study_spec *spec, int level) {
    return (double)spec->taus[level] / (double)spec_tau_max(spec);
}

/* Outcomes of one leg at one tau are one row: their number, mean and spread. */
static besd_status merge_samples(const study_spec *spec, leg_samples *s, observations *rows,
                                 besd_error *error) {
    besd_status status = BESD_OK;
    if (s->count)
        qsort(s->of, s->count, sizeof *s->of, by_place);
    for (size_t first = 0, last; status == BESD_OK && first < s->count; first = last) {
        double mean = 0, within = 0;
        for (last = first; last < s->count && same_row(&s->of[first], &s->of[last]); last++)
            mean += s->of[last].value;
        mean /= (double)(last - first);
        for (size_t i = first; i < last; i++)
            within += (s->of[i].value - mean) * (s->of[i].value - mean);
        status = observations_add(rows, s->of[first].place, share_of(spec, s->of[first].level),
                                  s->of[first].level, (double)(last - first), mean, within, error);
    }
    return status;
}

static besd_status copy_row(const observations *from, size_t j, observations *to,
                            besd_error *error) {
    return observations_add(to, from->theta + j * from->dimension, from->share[j], from->level[j],
                            from->reps[j], from->mean[j], from->within[j], error);
}

static int descending(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return a > b ? -1 : a < b;
}

/* At most `most` rows: the best half of them, which paths are made of, and some of the rest. */
static besd_status thin_out(const observations *all, size_t most, observations *some,
                            besd_error *error) {
    besd_status status = BESD_OK;
    double *means = malloc((all->count + 1) * sizeof *means);
    if (!means)
        return besd_fail_memory(error, "the legs");
    if (all->count)
        memcpy(means, all->mean, all->count * sizeof *means);
    qsort(means, all->count, sizeof *means, descending);
    bool few = all->count <= most;
    double least = few ? -INFINITY : means[most / 2];
    size_t rest = few ? 0 : all->count - most / 2, wanted = few ? 0 : most - most / 2, passed = 0;
    for (size_t j = 0; status == BESD_OK && j < all->count && some->count < most; j++) {
        if (all->mean[j] >= least) {
            status = copy_row(all, j, some, error);
            continue;
        }
        if (passed * wanted / rest != (passed + 1) * wanted / rest)
            status = copy_row(all, j, some, error);
        passed++;
    }
    free(means);
    return status;
}

/* Is it a told trial that models are made from? */
static bool teaches(const evidence *e, size_t trial) {
    return e->trials[trial].trial.state == BESD_TRIAL_TOLD &&
           !evidence_confirms(e, &e->trials[trial].trial);
}

/* The rows of the first `told` told trials. */
static besd_status gather_rows(const study_spec *spec, const evidence *e, size_t told, size_t most,
                               observations *rows, besd_error *error) {
    leg_samples samples = {0};
    observations all = {0};
    besd_status status = observations_init(&all, rows->dimension, error);
    for (size_t i = 0, seen = 0; status == BESD_OK && i < e->count && seen < told; i++)
        if (teaches(e, i)) {
            status = sample_trial(spec, e, i, &samples, error);
            seen++;
        }
    if (status == BESD_OK)
        status = merge_samples(spec, &samples, &all, error);
    if (status == BESD_OK)
        status = thin_out(&all, most, rows, error);
    observations_free(&all);
    free(samples.of);
    return status;
}

/* The legs of asked trials, which are on their way. */
static besd_status add_pending(const study_spec *spec, const evidence *e, observations *rows,
                               besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; i < e->count; i++) {
        const besd_trial *t = &e->trials[i].trial;
        if (t->state != BESD_TRIAL_ASKED)
            continue;
        int level = spec_tau_level(spec, t->tau);
        for (size_t k = 0; status == BESD_OK && k <= spec->path.points; k++) {
            double place[LEG_COORDINATES];
            if (path_repeats(spec, t->theta, k + 1))
                continue;
            place_leg(spec, t->theta, k, place);
            status =
                observations_add(rows, place, share_of(spec, level), level, t->reps, 0, 0, error);
        }
    }
    return status;
}

/* What is known of a leg before it is tried: 1, how brief the training is, its length, both; is it
 * a first one whose start has no place; is it the last, and how far it is then to the end. */
static void describe_leg(const study_spec *spec, const double *place, double share,
                         double features[LEG_FEATURES]) {
    size_t c = spec->path.coordinates;
    double squares = 0, brief = 1 - share, end[BESD_MAX_COORDINATES];
    bool first = place[0] == PATH_UNKNOWN_START, last = place[c] == PATH_END;
    bool known = !first && (!last || path_end(spec, end));
    last = last && known;
    const double *to = last ? end : place + c;
    for (size_t i = 0; known && i < c; i++)
        squares += (to[i] - place[i]) * (to[i] - place[i]);
    double length = sqrt(squares);
    features[0] = 1;
    features[1] = brief;
    features[2] = last ? 0 : length;
    features[3] = last ? 0 : brief * length;
    features[4] = first;
    features[LEG_IS_LAST] = last;
    features[LEG_TO_END] = last ? length : 0;
}

static double expect(const double *coefficients, const double *features) {
    double sum = 0;
    for (int i = 0; i < LEG_FEATURES; i++)
        sum += coefficients[i] * features[i];
    return sum;
}

/* Solves a symmetric, positive definite system in place. */
static void solve(double a[LEG_FEATURES][LEG_FEATURES], double *x) {
    for (int k = 0; k < LEG_FEATURES; k++)
        for (int i = k + 1; i < LEG_FEATURES; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < LEG_FEATURES; j++)
                a[i][j] -= factor * a[k][j];
            x[i] -= factor * x[k];
        }
    for (int k = LEG_FEATURES; k-- > 0;) {
        for (int j = k + 1; j < LEG_FEATURES; j++)
            x[k] -= a[k][j] * x[j];
        x[k] /= a[k][k];
    }
}

/* Before the end was ever reached nothing says from where it can be: then the last leg is thought
 * to be the better the shorter it is, and at this distance as bad as any. That counts for so many
 * rows. */
static const double LAST_REACH = 1.0, LAST_WEIGHT = 5;

/* Least squares over the rows, with a ridge of one row's weight on all but the mean and what stands
 * above; the rows are left with what is beyond. */
static void take_expected(const study_spec *spec, observations *rows, double *coefficients) {
    double normal[LEG_FEATURES][LEG_FEATURES] = {{0}}, least = INFINITY, most = -INFINITY;
    for (int i = 0; i < LEG_FEATURES; i++) {
        normal[i][i] = i == 0 ? 1e-6 : i < LEG_IS_LAST ? 1 : LAST_WEIGHT;
        coefficients[i] = 0;
    }
    for (size_t j = 0; j < rows->count; j++) {
        least = fmin(least, rows->mean[j]);
        most = fmax(most, rows->mean[j]);
    }
    coefficients[LEG_TO_END] = LAST_WEIGHT * (least - most) / LAST_REACH;
    for (size_t j = 0; j < rows->count; j++) {
        double x[LEG_FEATURES];
        describe_leg(spec, rows->theta + j * rows->dimension, rows->share[j], x);
        for (int i = 0; i < LEG_FEATURES; i++) {
            for (int k = 0; k < LEG_FEATURES; k++)
                normal[i][k] += x[i] * x[k];
            coefficients[i] += x[i] * rows->mean[j];
        }
    }
    solve(normal, coefficients);
    for (size_t j = 0; j < rows->count; j++) {
        double x[LEG_FEATURES];
        describe_leg(spec, rows->theta + j * rows->dimension, rows->share[j], x);
        rows->mean[j] -= expect(coefficients, x);
    }
}

/* The told trials of the newest fit: they grow by an eighth from one to the next. */
static int64_t fitted_trials(int64_t told) {
    int64_t fitted = 1;
    while (fitted + (fitted + GROWTH - 1) / GROWTH <= told)
        fitted += (fitted + GROWTH - 1) / GROWTH;
    return fitted;
}

/* The id of told trial number `told`. */
static int64_t last_of(const evidence *e, int64_t told) {
    int64_t id = 0;
    for (size_t i = 0; i < e->count && told > 0; i++)
        if (teaches(e, i)) {
            id = e->trials[i].trial.id;
            told--;
        }
    return id;
}

static besd_status fit(const study_spec *spec, const evidence *e, leg_memory *memory,
                       besd_error *error) {
    int64_t told = fitted_trials((int64_t)e->told), last = last_of(e, told);
    observations rows = {0};
    if (memory->fitted == told && memory->last == last)
        return BESD_OK;
    memory->fitted = 0;
    besd_status status = observations_init(&rows, 2 * spec->path.coordinates, error);
    if (status == BESD_OK)
        status = gather_rows(spec, e, (size_t)told, FITTED_ROWS, &rows, error);
    if (status == BESD_OK && rows.count) {
        draws_options options = {.levels = (int)spec->options.tau_count,
                                 .parts = 2,
                                 .one_noise = true,
                                 .seed = spec->options.seed,
                                 .told = (uint64_t)told,
                                 .sweeps = SWEEPS};
        double coefficients[LEG_FEATURES];
        take_expected(spec, &rows, coefficients);
        status = draws_run(&rows, &options, NULL, DRAWS, &memory->drawn, error);
    }
    if (status == BESD_OK && rows.count) {
        memory->fitted = told;
        memory->last = last;
    }
    observations_free(&rows);
    return status;
}

/* A smaller model, for variances at many places. */
static besd_status doubt(const study_spec *spec, const evidence *e, const leg_memory *memory,
                         leg_model *model, besd_error *error) {
    observations rows = {0};
    besd_status status = observations_init(&rows, 2 * spec->path.coordinates, error);
    if (status == BESD_OK)
        status = gather_rows(spec, e, e->told, DOUBTED_ROWS, &rows, error);
    size_t told = rows.count;
    if (status == BESD_OK)
        status = add_pending(spec, e, &rows, error);
    if (status == BESD_OK)
        status = gp_create(&rows, told, &memory->drawn.of[0], &model->doubt, error);
    observations_free(&rows);
    return status;
}

besd_status legs_model(const study_spec *spec, const evidence *e, leg_memory *memory,
                       leg_model *model, besd_error *error) {
    observations rows = {0};
    *model = (leg_model){0};
    if (!e->told)
        return BESD_OK;
    besd_status status = fit(spec, e, memory, error);
    if (status != BESD_OK || !memory->fitted)
        return status;
    status = observations_init(&rows, 2 * spec->path.coordinates, error);
    if (status == BESD_OK)
        status = gather_rows(spec, e, e->told, MOST_ROWS, &rows, error);
    size_t told = rows.count;
    if (status == BESD_OK && told) {
        take_expected(spec, &rows, model->expected);
        status = add_pending(spec, e, &rows, error);
        if (status == BESD_OK)
            status = mixture_init(&model->beyond, &rows, told, &memory->drawn, error);
        model->known = status == BESD_OK;
    }
    observations_free(&rows);
    if (status == BESD_OK && model->known)
        status = doubt(spec, e, memory, model, error);
    if (status != BESD_OK)
        leg_model_free(model);
    return status;
}

void leg_model_free(leg_model *model) {
    if (model->known)
        mixture_free(&model->beyond);
    gp_destroy(model->doubt);
    *model = (leg_model){0};
}

/* Everything that paths are composed of. */
typedef struct composer {
    const study_spec *spec;
    const leg_model *model;
    path_lattice lattice;
    size_t points;                /* of the paths */
    double width;                 /* a leg is worth its mean and so many standard deviations */
    double *first, *inner, *last; /* what legs are worth */
    compose paths;
} composer;

static void composer_free(composer *c) {
    path_lattice_free(&c->lattice);
    free(c->first);
    free(c->inner);
    free(c->last);
    compose_free(&c->paths);
}

/* What visiting the end of a leg costs, on the scale of legs. */
static double price_of(const study_spec *spec, const double *place) {
    const besd_path *p = &spec->path;
    if (place[p->coordinates] == PATH_END)
        return 0;
    return spec->options.direction == BESD_MAXIMIZE ? p->price : log1p(p->price / (SCALE * p->cap));
}

/* What the legs between places of the frame are worth, [rows * columns]. */
static besd_status value_pairs(const composer *c, const double *from, size_t rows, const double *to,
                               size_t columns, double *values, besd_error *error) {
    size_t length = c->spec->path.coordinates, count = rows * columns;
    double *variances = malloc((count + 1) * sizeof *variances);
    besd_status status = variances ? BESD_OK : besd_fail_memory(error, "the legs");
    if (status == BESD_OK)
        status =
            mixture_predict_pairs(&c->model->beyond, from, rows, to, columns, 1, values, error);
    if (status == BESD_OK)
        status = gp_pair_variances(c->model->doubt, from, rows, to, columns, 1, variances, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        double place[LEG_COORDINATES], x[LEG_FEATURES];
        memcpy(place, from + i / columns * length, length * sizeof *place);
        memcpy(place + length, to + i % columns * length, length * sizeof *place);
        describe_leg(c->spec, place, 1, x);
        values[i] += expect(c->model->expected, x) - price_of(c->spec, place) +
                     c->width * sqrt(variances[i]);
    }
    free(variances);
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
        c->inner[cell * cells + cell] = 0; /* there is no such leg */
    return status;
}

/* What is left of an episode is worth no less than when it fails. */
static double worst_value(const study_spec *spec) {
    return spec->options.direction == BESD_MAXIMIZE ? -INFINITY : -log1p(1 / SCALE);
}

static besd_status composer_init(composer *c, const study_spec *spec, const leg_model *model,
                                 size_t points, double width, besd_error *error) {
    *c = (composer){.spec = spec, .model = model, .points = points, .width = width};
    besd_status status = path_lattice_init(&c->lattice, spec, error);
    size_t cells = c->lattice.cells;
    if (status == BESD_OK) {
        c->first = malloc(cells * sizeof(double));
        c->inner = malloc(cells * cells * sizeof(double));
        c->last = malloc(cells * sizeof(double));
        if (!c->first || !c->inner || !c->last)
            status = besd_fail_memory(error, "the legs");
    }
    if (status == BESD_OK)
        status = value_legs(c, error);
    if (status == BESD_OK)
        status = compose_init(&c->paths,
                              &(compose_legs){.cells = cells,
                                              .points = points,
                                              .first = c->first,
                                              .inner = c->inner,
                                              .last = c->last,
                                              .allowed = c->lattice.allowed,
                                              .least = worst_value(spec)},
                              error);
    if (status != BESD_OK)
        composer_free(c);
    return status;
}

/* A place at a point, by what the best path through it is worth. */
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

/* The best different paths, in `paths` [MOST_PATHS * points]. */
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
    for (size_t k = 0; k < c->spec->path.points; k++) { /* the last is repeated */
        size_t cell = cells[k < c->points ? k : c->points - 1];
        memcpy(places + k * length, c->lattice.places + cell * length, length * sizeof *places);
    }
    path_theta(c->spec, places, theta);
    path_tidy(c->spec, theta);
}

/* A leg's value in the user's units. */
static double in_units(const study_spec *spec, double value) {
    if (spec->options.direction == BESD_MAXIMIZE)
        return value;
    return SCALE * spec->path.cap * expm1(-value);
}

/* What a path promises, leg by leg. */
static void judge(const composer *c, leg_path *path) {
    const study_spec *spec = c->spec;
    double variance = 0;
    for (size_t k = 0; k <= spec->path.points; k++) {
        double place[LEG_COORDINATES], x[LEG_FEATURES], doubt;
        if (path_repeats(spec, path->theta, k + 1))
            continue;
        place_leg(spec, path->theta, k, place);
        describe_leg(spec, place, 1, x);
        double mean = mixture_predict(&c->model->beyond, place, 1, &doubt, NULL) +
                      expect(c->model->expected, x) - price_of(spec, place);
        path->mean += mean;
        path->promise += in_units(spec, mean);
        variance += doubt;
        if (sqrt(doubt) > path->doubt) {
            path->doubt = sqrt(doubt);
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
        times += e->trials[i].trial.state != BESD_TRIAL_FAILED &&
                 same_path(spec, e->trials[i].trial.theta, theta);
    return times;
}

besd_status legs_compose(const study_spec *spec, const evidence *e, const leg_model *model,
                         size_t points, double width, size_t most, leg_path *best, bool *found,
                         besd_error *error) {
    composer c;
    size_t count = 0;
    *found = false;
    besd_status status = composer_init(&c, spec, model, points, width, error);
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
