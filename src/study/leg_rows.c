#include "study/leg_rows.h"

#include "core/error.h"
#include "study/legs.h"
#include "study/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* At most `most` rows: the better half of them, which paths are made of, and every so many'th of
 * the rest. Those that are as bad as the first of the rest belong to it: where most legs fail
 * alike, places would decide otherwise which of them, and which others, are left out. */
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
            status = copy_row(all, j, some, error);
        } else {
            if (passed * wanted / rest != (passed + 1) * wanted / rest)
                status = copy_row(all, j, some, error);
            passed++;
        }
    free(means);
    return status;
}

bool leg_rows_teaches(const evidence *e, size_t trial) {
    return record_is_told(&e->trials[trial]) && !evidence_confirms(e, &e->trials[trial].trial);
}

besd_status leg_rows_gather(const study_spec *spec, const evidence *e, size_t told, size_t most,
                            observations *rows, besd_error *error) {
    leg_samples samples = {0};
    observations all = {0};
    besd_status status = observations_init(&all, rows->dimension, error);
    for (size_t i = 0, seen = 0; status == BESD_OK && i < e->count && seen < told; i++)
        if (leg_rows_teaches(e, i)) {
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
        size_t count = leg_rows_teaches(e, trial) ? evidence_legs(e, trial, &legs) : 0;
        for (size_t i = 0; i < count; i += length, met++)
            weights[legs[i].label]++;
    }
    for (size_t l = 0; l < labels; l++)
        weights[l] = met > 0 ? weights[l] / met : 1 / (double)labels;
}

besd_status leg_rows_add_pending(const study_spec *spec, const evidence *e, observations *rows,
                                 besd_error *error) {
    besd_status status = BESD_OK;
    size_t labels = legs_labels(spec);
    double weights[BESD_MAX_LABELS] = {0};
    leg_rows_weigh(spec, e, weights);
    for (size_t i = 0; i < e->count; i++) {
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
                    status = observations_add(rows, place, share_of(spec, level), level,
                                              t->reps * weights[l], 0, 0, error);
            }
        }
    }
    return status;
}
