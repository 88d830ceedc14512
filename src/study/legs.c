#include "study/legs.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times are seen on a logarithmic scale from this share of the cap on. */
static const double SCALE = 0.1;

/* The share that stays of a hope that a leg takes less than no time. */
static const double TRACE = 0.02;

/* The chance of a leg is at least this: no leg is without hope. */
static const double LEAST_CHANCE = 0.02;

/* The squares of what was earned must be finite. */
static const double MOST_EARNED = 1e150;

static besd_status check_labels(const besd_path *p, size_t replication, const besd_leg *legs,
                                besd_error *error) {
    int64_t labels = (int64_t)p->labels;
    for (size_t k = 0; labels && k <= p->points; k++)
        if (legs[k].label < 0 || legs[k].label >= labels || legs[k].label != legs[0].label)
            return besd_fail(error, BESD_INVALID,
                             "labels[%zu]: expected one from 0 to %lld for all legs of a "
                             "replication, got %lld",
                             replication, (long long)labels - 1, (long long)legs[k].label);
    return BESD_OK;
}

/* The ends of the legs come one after the other, none after the cap, and a point that was not
 * reached has no successor. The last end is that of the replication, which may come on any leg. */
static besd_status check_replication(const besd_path *p, size_t replication, const besd_leg *legs,
                                     besd_error *error) {
    double before = 0, end = legs[p->points].reached;
    besd_status status = check_labels(p, replication, legs, error);
    if (status != BESD_OK)
        return status;
    for (size_t k = 0; legs[0].reached != -INFINITY && k <= p->points; k++) {
        double reached = legs[k].reached;
        if (fabs(legs[k].earned) >= MOST_EARNED)
            return besd_fail(error, BESD_INVALID,
                             "legs[%zu][%zu]: expected to have earned less than %g either way, got "
                             "%g",
                             replication, k, MOST_EARNED, legs[k].earned);
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
                             "legs[%zu][%zu]: expected a time %s %g, when %s was reached, got %g",
                             replication, k, reached < before ? "from" : "up to",
                             reached < before ? before : end,
                             reached < before ? "the point before it" : "the end", reached);
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

/* What leg k earned. A leg that failed loses what was earned before it. */
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

double legs_in_units(const study_spec *spec, double value) {
    if (spec->options.direction == BESD_MAXIMIZE)
        return value;
    return SCALE * spec->path.cap * expm1(-value);
}

double legs_least(const study_spec *spec) {
    return spec->options.direction == BESD_MAXIMIZE ? -INFINITY : -log1p(1 / SCALE);
}

double legs_limited(const study_spec *spec, double hoped) {
    return spec->options.direction == BESD_MAXIMIZE || hoped < 0 ? hoped : TRACE * hoped;
}

double legs_chance(const study_spec *spec, double hoped, double misses) {
    if (spec->options.direction == BESD_MAXIMIZE)
        return hoped;
    return log(fmax(LEAST_CHANCE, 1 - hoped / legs_least(spec))) - log1p(misses);
}

double legs_price(const study_spec *spec) {
    const besd_path *p = &spec->path;
    return spec->options.direction == BESD_MAXIMIZE ? p->price : log1p(p->price / (SCALE * p->cap));
}

size_t legs_labels(const study_spec *spec) {
    return spec->path.labels > 1 ? spec->path.labels : 1;
}

size_t legs_length(const study_spec *spec) {
    return spec->path.coordinates + (legs_labels(spec) > 1);
}

void legs_set_label(const study_spec *spec, double *place, size_t label) {
    size_t length = legs_length(spec);
    if (legs_labels(spec) > 1)
        place[length - 1] = place[2 * length - 1] = (double)label / (double)(legs_labels(spec) - 1);
}

void legs_place(const study_spec *spec, const double *theta, size_t k, double *place) {
    path_point(spec, theta, k, place);
    path_point(spec, theta, k + 1, place + legs_length(spec));
    legs_set_label(spec, place, 0);
}

bool legs_is_last(const study_spec *spec, const double *place) {
    return place[legs_length(spec)] == PATH_END;
}

/* One outcome of a leg. */
typedef struct leg_sample {
    double place[LEG_COORDINATES];
    int level, task;
    double value;
} leg_sample;

typedef struct leg_samples {
    leg_sample *of;
    size_t count, capacity;
} leg_samples;

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
        legs_place(spec, t->theta, k, place);
        for (size_t i = 0; i < count; i++) {
            double value;
            if (!legs_value(spec, legs + i * length, k, &value))
                continue;
            leg_sample *one = add_sample(s, error);
            if (!one)
                return BESD_MEMORY;
            memcpy(one->place, place, sizeof place);
            legs_set_label(spec, one->place, (size_t)legs[i * length].label);
            one->level = spec_tau_level(spec, t->tau);
            one->task = spec_task(spec, t);
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
    if (a->task != b->task)
        return a->task - b->task;
    return a->level != b->level ? a->level - b->level
                                : (a->value > b->value) - (a->value < b->value);
}

static bool same_row(const leg_sample *a, const leg_sample *b) {
    return a->level == b->level && a->task == b->task &&
           !memcmp(a->place, b->place, sizeof a->place);
}

/* Outcomes of one leg at one tau become one row: their number, mean and spread. */
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
        status = observations_add(rows, s->of[first].place,
                                  spec_share(spec, spec->taus[s->of[first].level]),
                                  s->of[first].level, (double)(last - first), mean, within, error);
        if (status == BESD_OK)
            rows->task[rows->count - 1] = s->of[first].task;
    }
    return status;
}

static int descending(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return a > b ? -1 : a < b;
}

/* At most `most` rows: the better half, of which paths are made, and an even selection of the rest.
 * Rows that are as bad as the first of the rest belong to the rest. Otherwise, where most legs fail
 * alike, their places would decide which of them stay. */
static besd_status thin_out(const observations *all, size_t most, observations *some,
                            besd_error *error) {
    besd_status status = BESD_OK;
    double *means = malloc((all->count + 1) * sizeof *means);
    if (!means)
        return besd_fail_memory(error, "the legs");
    if (all->count)
        memcpy(means, all->mean, all->count * sizeof *means);
    qsort(means, all->count, sizeof *means, descending);
    double least = all->count <= most ? -INFINITY : means[most / 2];
    size_t good = 0, passed = 0;
    while (good < all->count && means[good] > least)
        good++;
    size_t rest = good < all->count ? all->count - good : 1, wanted = most - good;
    for (size_t j = 0; status == BESD_OK && j < all->count; j++)
        if (all->mean[j] > least) {
            status = observations_copy(some, all, j, error);
        } else {
            if (passed * wanted / rest != (passed + 1) * wanted / rest)
                status = observations_copy(some, all, j, error);
            passed++;
        }
    free(means);
    return status;
}

besd_status leg_rows_gather(const study_spec *spec, const evidence *e, size_t told, size_t most,
                            observations *rows, besd_error *error) {
    leg_samples samples = {0};
    observations all = {0};
    besd_status status = observations_init(&all, rows->dimension, error);
    for (size_t i = 0, seen = 0; status == BESD_OK && i < e->count && seen < told; i++)
        if (evidence_teaches(e, i)) {
            if (evidence_shows(e, i))
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

void leg_rows_weigh(const study_spec *spec, const evidence *e, double *weights) {
    size_t labels = legs_labels(spec), length = spec->path.points + 1;
    double met = 0;
    for (size_t l = 0; l < labels; l++)
        weights[l] = 0;
    for (size_t trial = 0; labels > 1 && trial < e->count; trial++) {
        const besd_leg *legs;
        size_t count = evidence_teaches(e, trial) ? evidence_legs(e, trial, &legs) : 0;
        for (size_t i = 0; i < count; i += length, met++)
            weights[legs[i].label]++;
    }
    for (size_t l = 0; l < labels; l++)
        weights[l] = met > 0 ? weights[l] / met : 1 / (double)labels;
}

/* Of a large study, rows of the newest pending trials only. */
enum { MOST_PENDING_ROWS = 500 };

/* The first pending trial whose legs are looked at. */
static size_t first_pending(const study_spec *spec, const evidence *e) {
    size_t each = (spec->path.points + 1) * legs_labels(spec), rows = 0, i = e->count;
    if (!e->looked_at)
        return 0;
    while (i > 0 && rows + each <= MOST_PENDING_ROWS)
        rows += record_is_pending(&e->trials[--i]) ? each : 0;
    return i;
}

besd_status leg_rows_add_pending(const study_spec *spec, const evidence *e, observations *rows,
                                 besd_error *error) {
    besd_status status = BESD_OK;
    size_t labels = legs_labels(spec);
    double weights[BESD_MAX_LABELS] = {0};
    leg_rows_weigh(spec, e, weights);
    for (size_t i = first_pending(spec, e); i < e->count; i++) {
        const besd_trial *t = &e->trials[i].trial;
        if (!record_is_pending(&e->trials[i]))
            continue;
        int level = spec_tau_level(spec, t->tau);
        for (size_t k = 0; k <= spec->path.points; k++) {
            double place[LEG_COORDINATES];
            if (path_repeats(spec, t->theta, k + 1))
                continue;
            legs_place(spec, t->theta, k, place);
            for (size_t l = 0; status == BESD_OK && l < labels; l++) {
                legs_set_label(spec, place, l);
                if (weights[l] > 0)
                    status = observations_add(rows, place, spec_share(spec, t->tau), level,
                                              t->reps * weights[l], 0, 0, error);
                if (status == BESD_OK && weights[l] > 0)
                    rows->task[rows->count - 1] = spec_task(spec, t);
            }
        }
    }
    return status;
}

/* What a trial says about one of its points. */
typedef enum visit { NOT_TRIED, MISSED, VISITED } visit;

static visit visit_of(const besd_leg *legs, size_t count, size_t points, size_t k) {
    visit said = NOT_TRIED;
    for (size_t i = 0; i < count; i++) {
        const besd_leg *l = legs + i * (points + 1);
        if (l[0].reached == -INFINITY)
            continue;
        if (!isnan(l[k].reached))
            return VISITED;
        bool set_out = k == 0 || !isnan(l[k - 1].reached);
        if (set_out && isnan(l[points].reached))
            said = MISSED;
    }
    return said;
}

void leg_misses_count(const study_spec *spec, const evidence *e, const path_lattice *lattice,
                      double *misses) {
    size_t points = spec->path.points;
    for (size_t cell = 0; cell < lattice->cells; cell++)
        misses[cell] = 0;
    for (size_t i = 0; i < e->count; i++) {
        const besd_leg *legs;
        const double *theta = e->trials[i].trial.theta;
        size_t count = evidence_teaches(e, i) ? evidence_legs(e, i, &legs) / (points + 1) : 0;
        for (size_t k = 0; count && k < points; k++) {
            double place[BESD_MAX_COORDINATES];
            visit said = visit_of(legs, count, points, k);
            path_point(spec, theta, k + 1, place);
            size_t cell = path_lattice_find(lattice, spec, place);
            if (said == VISITED)
                misses[cell] = -INFINITY; /* later misses do not count */
            else if (said == MISSED)
                misses[cell]++;
        }
    }
    for (size_t cell = 0; cell < lattice->cells; cell++)
        misses[cell] = fmax(misses[cell], 0);
}
