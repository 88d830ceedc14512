#include "study/leg_model.h"

#include "core/error.h"
#include "study/legs.h"
#include "study/sources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most rows of the model, and the most rows that hyperparameters are fitted to. */
enum { MOST_ROWS = 500, FITTED_ROWS = 160 };

/* Draws of the hyperparameters, and sweeps for each. */
enum { DRAWS = 2, SWEEPS = 2 };

/* Hyperparameters are fitted again when the told trials have grown by an eighth. */
enum { GROWTH = 8 };

/* The prior of the length scales of a near-sighted model, in the frame: a cell or two of a small
 * map. Labels are coordinates as well: for a near-sighted model, instances of different labels have
 * nothing in common. */
static const double NEAR = 0.12, NEAR_SPREAD = 0.2;

/* The most rows of the model for variances, which costs their square for every pair of places. */
enum { DOUBTED_ROWS = 128 };

/* What is known of a leg before it is tried: 1; how brief the training is; the length of the leg;
 * the product of both; is its start unknown; is it the last leg to a known end, and how far that
 * end is then. */
static void describe_leg(const study_spec *spec, const double *place, double share,
                         double features[LEG_FEATURES]) {
    size_t c = spec->path.coordinates, second = legs_length(spec);
    double squares = 0, brief = 1 - share, end[BESD_MAX_COORDINATES];
    bool first = place[0] == PATH_UNKNOWN_START, last = place[second] == PATH_END;
    bool known = !first && (!last || path_end(spec, end));
    last = last && known;
    const double *to = last ? end : place + second;
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

/* Before the end was ever reached, nothing says from where it can be reached. Then a last leg is
 * thought to be better the shorter it is, and as bad as any leg at the length LAST_REACH. This
 * opinion counts as LAST_WEIGHT rows. */
static const double LAST_REACH = 1.0, LAST_WEIGHT = 5;

/* Least squares over the rows, with a ridge of one row's weight on all features but the constant
 * and those of the last leg. Leaves in the rows what is beyond the expected. */
void leg_rows_take_expected(const study_spec *spec, observations *rows,
                            double coefficients[LEG_FEATURES]) {
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

/* The number of told trials that the newest fit is made of. */
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
        if (evidence_teaches(e, i)) {
            id = e->trials[i].trial.id;
            told--;
        }
    return id;
}

/* Appends the legs of the sources. */
static besd_status lend(const study_spec *spec, const evidence *e, observations *rows,
                        besd_error *error) {
    rows->tasks = spec_tasks(spec);
    return e->sources ? sources_lend_legs(e->sources, rows, error) : BESD_OK;
}

/* Fits the hyperparameters, unless those in memory are of the same trials. */
static besd_status fit(const study_spec *spec, const evidence *e, leg_sight sight, leg_fit *memory,
                       besd_error *error) {
    int64_t told = fitted_trials((int64_t)e->told), last = last_of(e, told);
    observations rows = {0};
    if (memory->fitted == told && memory->last == last && memory->changes == e->changes)
        return BESD_OK;
    memory->fitted = 0;
    besd_status status = observations_init(&rows, 2 * legs_length(spec), error);
    if (status == BESD_OK)
        status = leg_rows_gather(spec, e, (size_t)told, FITTED_ROWS, &rows, error);
    if (status == BESD_OK && rows.count) {
        draws_options options = {.levels = (int)spec->options.tau_count,
                                 .parts = 2,
                                 .one_noise = true,
                                 .seed = spec->options.seed,
                                 .told = (uint64_t)told,
                                 .sweeps = SWEEPS,
                                 .lengthscale_mean = sight == LEG_SIGHT_NEAR ? NEAR : 0,
                                 .lengthscale_sd = sight == LEG_SIGHT_NEAR ? NEAR_SPREAD : 0};
        double coefficients[LEG_FEATURES];
        leg_rows_take_expected(spec, &rows, coefficients);
        status = lend(spec, e, &rows, error);
        if (status == BESD_OK)
            status = draws_run(&rows, &options, NULL, DRAWS, &memory->drawn, error);
    }
    if (status == BESD_OK && rows.count) {
        memory->fitted = told;
        memory->last = last;
        memory->changes = e->changes;
    }
    observations_free(&rows);
    return status;
}

/* The model of fewer rows, for variances at many places. */
static besd_status doubt(const study_spec *spec, const evidence *e, const leg_fit *memory,
                         leg_model *model, besd_error *error) {
    observations rows = {0};
    besd_status status = observations_init(&rows, 2 * legs_length(spec), error);
    if (status == BESD_OK)
        status = leg_rows_gather(spec, e, e->told, DOUBTED_ROWS, &rows, error);
    if (status == BESD_OK)
        status = lend(spec, e, &rows, error);
    size_t told = rows.count;
    if (status == BESD_OK)
        status = leg_rows_add_pending(spec, e, &rows, error);
    if (status == BESD_OK)
        status = gp_create(&rows, told, &memory->drawn.of[0], &model->doubt, error);
    observations_free(&rows);
    return status;
}

besd_status leg_model_init(const study_spec *spec, const evidence *e, leg_sight sight,
                           leg_memory *memory, leg_model *model, besd_error *error) {
    observations rows = {0};
    leg_fit *own = &memory->of[sight];
    *model = (leg_model){.labels = legs_labels(spec)};
    leg_rows_weigh(spec, e, model->weights);
    if (!e->told)
        return BESD_OK;
    besd_status status = fit(spec, e, sight, own, error);
    if (status != BESD_OK || !own->fitted)
        return status;
    status = observations_init(&rows, 2 * legs_length(spec), error);
    if (status == BESD_OK)
        status = leg_rows_gather(spec, e, e->told, MOST_ROWS, &rows, error);
    if (status == BESD_OK && rows.count) {
        leg_rows_take_expected(spec, &rows, model->expected);
        status = lend(spec, e, &rows, error);
        size_t told = rows.count;
        if (status == BESD_OK)
            status = leg_rows_add_pending(spec, e, &rows, error);
        if (status == BESD_OK)
            status = mixture_init(&model->beyond, &rows, told, &own->drawn, error);
        model->known = status == BESD_OK;
    }
    observations_free(&rows);
    if (status == BESD_OK && model->known)
        status = doubt(spec, e, own, model, error);
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

void leg_model_set_task(leg_model *model, int task) {
    if (!model->known)
        return;
    mixture_set_task(&model->beyond, task);
    gp_set_task(model->doubt, task);
}

double leg_model_expect(const leg_model *model, const study_spec *spec, const double *place) {
    double x[LEG_FEATURES];
    describe_leg(spec, place, 1, x);
    return expect(model->expected, x);
}

double leg_model_predict(const leg_model *model, const study_spec *spec, const double *place,
                         double *variance) {
    double mean = 0, own, at[LEG_COORDINATES];
    memcpy(at, place, 2 * legs_length(spec) * sizeof *at);
    *variance = 0;
    for (size_t l = 0; l < model->labels; l++) {
        legs_set_label(spec, at, l);
        mean += model->weights[l] * mixture_predict(&model->beyond, at, 1, &own, NULL);
        *variance += model->weights[l] * own;
    }
    return mean + leg_model_expect(model, spec, place);
}

/* Copies places of the frame and gives each this label. */
static void label_places(const study_spec *spec, const double *places, size_t count, size_t label,
                         double *labelled) {
    size_t c = spec->path.coordinates, length = legs_length(spec);
    for (size_t i = 0; i < count; i++) {
        double leg[LEG_COORDINATES];
        memcpy(leg, places + i * c, c * sizeof *leg);
        legs_set_label(spec, leg, label);
        memcpy(labelled + i * length, leg, length * sizeof *leg);
    }
}

/* Room for the predictions of pairs, in one allocation. */
typedef struct pairs {
    double *from, *to; /* places with one label: [rows * length], [columns * length] */
    double *own_means, *own_variances; /* of this label: [rows * columns] */
    double *variances;                 /* over all labels */
} pairs;

static bool pairs_init(pairs *p, size_t rows, size_t columns, size_t length) {
    size_t count = rows * columns;
    p->from = malloc(((rows + columns) * length + 3 * count + 1) * sizeof *p->from);
    if (!p->from)
        return false;
    p->to = p->from + rows * length;
    p->own_means = p->to + columns * length;
    p->own_variances = p->own_means + count;
    p->variances = p->own_variances + count;
    return true;
}

/* Sets `means` and p->variances to what is beyond the expected, over all labels. */
static besd_status predict_beyond(const leg_model *model, const study_spec *spec,
                                  const double *from, size_t rows, const double *to, size_t columns,
                                  const pairs *p, double *means, besd_error *error) {
    besd_status status = BESD_OK;
    size_t count = rows * columns;
    for (size_t i = 0; i < count; i++)
        means[i] = p->variances[i] = 0;
    for (size_t l = 0; status == BESD_OK && l < model->labels; l++) {
        if (model->weights[l] == 0)
            continue;
        label_places(spec, from, rows, l, p->from);
        label_places(spec, to, columns, l, p->to);
        status = mixture_predict_pairs(&model->beyond, p->from, rows, p->to, columns, 1,
                                       p->own_means, error);
        if (status == BESD_OK)
            status = gp_pair_variances(model->doubt, p->from, rows, p->to, columns, 1,
                                       p->own_variances, error);
        for (size_t i = 0; status == BESD_OK && i < count; i++) {
            means[i] += model->weights[l] * p->own_means[i];
            p->variances[i] += model->weights[l] * p->own_variances[i];
        }
    }
    return status;
}

besd_status leg_model_hope_pairs(const leg_model *model, const study_spec *spec, const double *from,
                                 size_t rows, const double *to, size_t columns, double width,
                                 double *values, besd_error *error) {
    size_t c = spec->path.coordinates, length = legs_length(spec), count = rows * columns;
    pairs p;
    if (!pairs_init(&p, rows, columns, length))
        return besd_fail_memory(error, "the legs");
    besd_status status = predict_beyond(model, spec, from, rows, to, columns, &p, values, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        double place[LEG_COORDINATES] = {0};
        memcpy(place, from + i / columns * c, c * sizeof *place);
        memcpy(place + length, to + i % columns * c, c * sizeof *place);
        values[i] += leg_model_expect(model, spec, place) + width * sqrt(p.variances[i]);
    }
    free(p.from);
    return status;
}
