#include "study/leg_survey.h"

#include "core/error.h"
#include "study/leg_paths.h"
#include "study/legs.h"
#include "study/study_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where points have no cells, the frame is cut into this many parts along every coordinate, and
 * places in the same part count as the same. */
static const double SIDES = 10;

/* A leg is doubtful when its sd is a larger share of what legs differ by: it may be as good or as
 * bad as any other leg. */
static const double DOUBTFUL = 0.5;

/* Replications that set out on the leg between two places of the frame. */
typedef struct leg_tally {
    double place[LEG_COORDINATES];
    bool is_first, is_last;
    size_t tried, worked, seen;
    double values;       /* sum over `seen` on the scale of legs */
    double sum, squares; /* the same of what they took or earned, and of its squares */
} leg_tally;

typedef struct tallies {
    leg_tally *of;
    size_t count, capacity;
} tallies;

typedef struct surveyor {
    const study_spec *spec;
    evidence e; /* borrowed, and cut to the trials that are to be looked at */
    leg_model model;
    tallies all;
} surveyor;

static double snap(double number) {
    return (fmin(floor(number * SIDES), SIDES - 1) + 0.5) / SIDES;
}

static leg_tally leg_at(const study_spec *spec, const double *theta, size_t k) {
    size_t c = spec->path.coordinates, second = legs_length(spec);
    leg_tally t = {.is_first = k == 0, .is_last = k == spec->path.points};
    legs_place(spec, theta, k, t.place);
    for (size_t i = 0; spec->path.cell == 0 && i < c; i++) {
        t.place[i] = t.is_first ? t.place[i] : snap(t.place[i]);
        t.place[second + i] = t.is_last ? t.place[second + i] : snap(t.place[second + i]);
    }
    return t;
}

static int by_place(const void *x, const void *y) {
    const leg_tally *a = x, *b = y;
    for (size_t i = 0; i < LEG_COORDINATES; i++)
        if (a->place[i] != b->place[i])
            return a->place[i] < b->place[i] ? -1 : 1;
    return (int)b->is_first - (int)a->is_first;
}

/* Most tried first; among equally often tried, most worked first. */
static int by_number(const void *x, const void *y) {
    const leg_tally *a = x, *b = y;
    if (a->tried != b->tried)
        return a->tried > b->tried ? -1 : 1;
    if (a->worked != b->worked)
        return a->worked > b->worked ? -1 : 1;
    return by_place(x, y);
}

static besd_status add_tally(tallies *t, const leg_tally *one, besd_error *error) {
    if (t->count == t->capacity) {
        size_t capacity = 2 * t->capacity + 256;
        leg_tally *grown = realloc(t->of, capacity * sizeof *grown);
        if (!grown)
            return besd_fail_memory(error, "the legs");
        t->of = grown;
        t->capacity = capacity;
    }
    t->of[t->count++] = *one;
    return BESD_OK;
}

/* Did the replication come to the end of the leg, or to the end of the path? */
static bool has_worked(const besd_leg *legs, size_t points, size_t k) {
    return !isnan(legs[k].reached) || !isnan(legs[points].reached);
}

static besd_status tally_trial(surveyor *s, size_t trial, besd_error *error) {
    const study_spec *spec = s->spec;
    const besd_leg *legs;
    const double *theta = s->e.trials[trial].trial.theta;
    bool full = s->e.trials[trial].trial.tau == spec_tau_max(spec);
    size_t length = spec->path.points + 1, count = evidence_legs(&s->e, trial, &legs) / length;
    besd_status status = BESD_OK;
    for (size_t k = 0; status == BESD_OK && k < length; k++) {
        if (path_repeats(spec, theta, k + 1))
            continue;
        leg_tally t = leg_at(spec, theta, k);
        for (size_t i = 0; i < count; i++) {
            double value;
            if (!legs_value(spec, legs + i * length, k, &value))
                continue;
            t.tried++;
            if (full) {
                double own = legs_in_units(spec, value);
                t.seen++;
                t.values += value;
                t.sum += own;
                t.squares += own * own;
            }
            t.worked += has_worked(legs + i * length, spec->path.points, k);
        }
        if (t.tried)
            status = add_tally(&s->all, &t, error);
    }
    return status;
}

static besd_status tally_all(surveyor *s, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < s->e.count; i++)
        if (record_is_told(&s->e.trials[i]))
            status = tally_trial(s, i, error);
    tallies *t = &s->all;
    if (status != BESD_OK || !t->count)
        return status;
    qsort(t->of, t->count, sizeof *t->of, by_place);
    size_t kept = 0;
    for (size_t i = 1; i < t->count; i++)
        if (by_place(&t->of[kept], &t->of[i]) == 0) {
            t->of[kept].tried += t->of[i].tried;
            t->of[kept].worked += t->of[i].worked;
            t->of[kept].seen += t->of[i].seen;
            t->of[kept].values += t->of[i].values;
            t->of[kept].sum += t->of[i].sum;
            t->of[kept].squares += t->of[i].squares;
        } else {
            t->of[++kept] = t->of[i];
        }
    t->count = kept + 1;
    return BESD_OK;
}

/* Cuts a time at 0 and at the cap. */
static double limit(const study_spec *spec, double number) {
    return spec->options.direction == BESD_MINIMIZE ? fmin(fmax(number, 0), spec->path.cap)
                                                    : number;
}

static double in_units(const study_spec *spec, double value) {
    return limit(spec, legs_in_units(spec, value));
}

/* Replaces what the model says of a leg by what was seen of it. */
static void take_seen(const study_spec *spec, const leg_tally *t, leg_known *leg) {
    double count = (double)t->seen, mean = t->sum / count;
    double variance = fmax(0, (t->squares - count * mean * mean) / (count - 1));
    double se = sqrt(variance / count);
    leg->mean = t->values / count;
    leg->value = limit(spec, mean);
    leg->low = limit(spec, mean - se);
    leg->high = limit(spec, mean + se);
}

/* What to expect of the leg at t->place. */
static leg_known judge(const surveyor *s, const leg_tally *t) {
    const study_spec *spec = s->spec;
    bool is_time = spec->options.direction == BESD_MINIMIZE;
    leg_known leg = {.is_first = t->is_first,
                     .is_last = t->is_last,
                     .tried = t->tried,
                     .worked = t->worked,
                     .seen = t->seen};
    double variance;
    path_numbers(spec, t->place, leg.from);
    path_numbers(spec, t->place + legs_length(spec), leg.to);
    leg.mean = leg_model_predict(&s->model, spec, t->place, &variance);
    leg.sd = sqrt(variance);
    leg.value = in_units(spec, leg.mean);
    leg.low = in_units(spec, is_time ? leg.mean + leg.sd : leg.mean - leg.sd);
    leg.high = in_units(spec, is_time ? leg.mean - leg.sd : leg.mean + leg.sd);
    if (t->seen >= LEG_SEEN)
        take_seen(spec, t, &leg);
    return leg;
}

static void find_spread(leg_survey *out) {
    double mean = 0, squares = 0, count = (double)out->tried_count;
    for (size_t i = 0; i < out->tried_count; i++)
        mean += out->tried[i].mean / count;
    for (size_t i = 0; i < out->tried_count; i++)
        squares += (out->tried[i].mean - mean) * (out->tried[i].mean - mean);
    out->spread = count > 1 ? sqrt(squares / (count - 1)) : 0;
}

static void doubt(leg_known *legs, size_t count, double spread) {
    for (size_t i = 0; i < count; i++)
        legs[i].is_doubtful = !legs[i].worked || legs[i].sd > DOUBTFUL * spread;
}

static besd_status survey_tried(surveyor *s, size_t most, leg_survey *out, besd_error *error) {
    tallies *t = &s->all;
    out->tried = malloc((t->count + 1) * sizeof *out->tried);
    if (!out->tried)
        return besd_fail_memory(error, "the legs");
    qsort(t->of, t->count, sizeof *t->of, by_number);
    for (out->tried_count = 0; out->tried_count < t->count; out->tried_count++)
        out->tried[out->tried_count] = judge(s, &t->of[out->tried_count]);
    find_spread(out); /* over all legs, also those that are not shown */
    doubt(out->tried, t->count, out->spread);
    out->tried_count = t->count < most ? t->count : most;
    out->untold = t->count - out->tried_count;
    return BESD_OK;
}

static double possible(const study_spec *spec, double together) {
    double best = spec->options.best_possible;
    if (isinf(best))
        return limit(spec, together);
    return spec->options.direction == BESD_MINIMIZE ? limit(spec, fmax(together, best))
                                                    : fmin(together, best);
}

/* The legs of a design at their own places. How often they were tried is counted over the same part
 * of the frame. */
static size_t survey_design(const surveyor *s, const double *theta, leg_known *legs,
                            double *promise) {
    const study_spec *spec = s->spec;
    size_t count = 0;
    *promise = 0;
    for (size_t k = 0; k <= spec->path.points; k++) {
        if (path_repeats(spec, theta, k + 1))
            continue;
        leg_tally t = leg_at(spec, theta, k);
        for (size_t i = 0; i < s->all.count; i++)
            if (by_place(&t, &s->all.of[i]) == 0)
                t = s->all.of[i];
        legs_place(spec, theta, k, t.place);
        leg_known leg = judge(s, &t);
        leg.number = count;
        *promise += leg.value;
        legs[count++] = leg;
    }
    *promise = possible(spec, *promise);
    return count;
}

static besd_status survey_composed(const surveyor *s, leg_survey *out, besd_error *error) {
    leg_path path;
    bool found;
    leg_known legs[BESD_MAX_DIMENSION + 1];
    out->composed_promise = NAN;
    besd_status status = leg_paths_compose(s->spec, &s->e, &s->model, s->spec->path.points,
                                           -LEG_CAUTION, 0, &path, &found, error);
    if (status == BESD_OK && found) {
        memcpy(out->composed, path.theta, sizeof out->composed);
        survey_design(s, path.theta, legs, &out->composed_promise);
    }
    return status;
}

static size_t count_told(const evidence *e) {
    size_t told = 0;
    for (size_t i = 0; i < e->count; i++)
        told += evidence_teaches(e, i);
    return told;
}

static besd_status survey(surveyor *s, leg_memory *memory, const double *theta, size_t most,
                          leg_survey *out, besd_error *error) {
    besd_status status = tally_all(s, error);
    if (status == BESD_OK && s->all.count)
        status = leg_model_init(s->spec, &s->e, LEG_SIGHT_LEARNT, memory, &s->model, error);
    if (status == BESD_OK && !s->model.known)
        status = besd_fail(error, BESD_UNSUPPORTED,
                           "legs: none were told; expected trials that tell when their points were "
                           "reached");
    if (status == BESD_OK)
        status = survey_tried(s, most, out, error);
    if (status == BESD_OK && theta) {
        out->design_count = survey_design(s, theta, out->of_design, &out->promise);
        doubt(out->of_design, out->design_count, out->spread);
    }
    return status == BESD_OK ? survey_composed(s, out, error) : status;
}

besd_status leg_survey_init(leg_survey *out, besd_study *study, const double *theta, size_t most,
                            int64_t before, besd_error *error) {
    surveyor s = {.spec = &study->spec};
    view v;
    *out = (leg_survey){0};
    if (!study->spec.path.points)
        return besd_fail(error, BESD_UNSUPPORTED,
                         "legs: theta of this study is no path, so there are none; expected a "
                         "study with 'path'");
    besd_status status = study_glance(study, &v, error);
    if (status != BESD_OK)
        return status;
    leg_memory *own = calloc(1, sizeof *own); /* today's memory is not that of an earlier moment */
    s.e = v.evidence;
    if (before > 0 && (size_t)before <= s.e.count) {
        s.e.count = (size_t)before - 1;
        s.e.told = count_told(&s.e);
    }
    status = own ? survey(&s, before > 0 ? own : &study->legs, theta, most, out, error)
                 : besd_fail_memory(error, "the legs");
    if (status != BESD_OK)
        leg_survey_free(out);
    leg_model_free(&s.model);
    free(s.all.of);
    free(own);
    view_free(&v);
    return status;
}

void leg_survey_free(leg_survey *s) {
    free(s->tried);
    *s = (leg_survey){0};
}
