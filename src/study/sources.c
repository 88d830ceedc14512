#include "study/sources.h"

#include "core/error.h"
#include "core/json.h"
#include "study/leg_model.h"
#include "study/legs.h"
#include "study/method.h"
#include "study/path.h"
#include "study/study_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row may lie outside the study's box by this share of it: what happens there still tells of the
 * border. Designs lie inside. */
static const double OUTSIDE = 0.25;

/* Designs are at first this far apart, in the root mean square over coordinates, and closer when
 * there are too few of them. */
static const double APART = 0.1;

void source_free(source *s) {
    observations_free(&s->rows);
    observations_free(&s->legs);
}

void sources_free(source_list *list) {
    for (size_t i = 0; i < list->count; i++)
        source_free(&list->of[i]);
    list->count = 0;
}

/* How designs of one study become designs of another: by the names of their coordinates, or, when
 * both are paths of other lengths, point after point. */
typedef struct match {
    const study_spec *spec, *other;
    bool by_name;
    size_t place[BESD_MAX_DIMENSION]; /* of this study's coordinates among the other's */
} match;

static bool same_text(const char *a, const char *b) {
    return !strcmp(a ? a : "", b ? b : "");
}

/* Are both studies of paths in one space? */
static bool are_paths(const match *m) {
    const besd_path *here = &m->spec->path, *there = &m->other->path;
    bool same = here->points && there->points && here->coordinates == there->coordinates;
    for (size_t i = 0; same && i < here->coordinates; i++)
        same = same_text(m->spec->units[i], m->other->units[i]);
    return same;
}

static besd_status match_one(match *m, const char *name, size_t i, besd_error *error) {
    const besd_study_options *o = &m->other->options;
    const char *wanted = m->spec->names[i], *unit = m->spec->units[i];
    size_t *place = &m->place[i];
    for (*place = 0; *place < o->dimension; ++*place)
        if (!strcmp(wanted, m->other->names[*place]))
            break;
    if (*place == o->dimension)
        return besd_fail(error, BESD_INVALID,
                         "source %s: expected the coordinate %s, and its %zu coordinates are %s%s",
                         name, wanted, o->dimension, m->other->names[0],
                         o->dimension > 1 ? ", ..." : "");
    if (!same_text(unit, m->other->units[*place]))
        return besd_fail(
            error, BESD_INVALID, "source %s: expected the coordinate %s in the unit '%s', got '%s'",
            name, wanted, unit ? unit : "", m->other->units[*place] ? m->other->units[*place] : "");
    return BESD_OK;
}

static besd_status match_init(match *m, const study_spec *spec, const study_spec *other,
                              const char *name, besd_error *error) {
    besd_status status = BESD_OK;
    *m = (match){.spec = spec, .other = other};
    for (size_t i = 0; status == BESD_OK && i < spec->options.dimension; i++)
        status = match_one(m, name, i, error);
    if (!are_paths(m)) {
        m->by_name = status == BESD_OK;
        return status;
    }
    m->by_name = status == BESD_OK && spec->path.points == other->path.points;
    return BESD_OK;
}

/* The visited points of a path, and the last of them until this study has all its points; false:
 * there are too many. */
static bool copy_points(const match *m, const double *theta, double *here) {
    size_t c = m->spec->path.coordinates, points = m->spec->path.points;
    size_t visits = path_visits(m->other, theta);
    double tidy[BESD_MAX_DIMENSION];
    if (visits > points)
        return false;
    memcpy(tidy, theta, m->other->options.dimension * sizeof *tidy);
    path_tidy(m->other, tidy);
    for (size_t k = 0; k < points; k++)
        memcpy(here + k * c, tidy + (k < visits ? k : visits - 1) * c, c * sizeof *here);
    return true;
}

/* A design of the other study in this study's unit cube; false: it lies outside by more than
 * `outside` of the box, or has too many points. */
static bool place_design(const match *m, const double *theta, double outside, double *unit) {
    double here[BESD_MAX_DIMENSION];
    bool inside = m->by_name || copy_points(m, theta, here);
    for (size_t i = 0; m->by_name && i < m->spec->options.dimension; i++)
        here[i] = theta[m->place[i]];
    if (inside)
        spec_to_unit(m->spec, here, unit);
    for (size_t i = 0; inside && i < m->spec->options.dimension; i++)
        inside = unit[i] >= -outside && unit[i] <= 1 + outside;
    return inside;
}

/* Trials of equal theta and tau are one row, those that confirmed a design among them. */
static void merge_row(observations *rows, size_t j, const trial_record *r) {
    double n = rows->reps[j], m = (double)r->trial.score_count, all = n + m;
    double apart = r->model_mean - rows->mean[j];
    rows->within[j] += r->within + apart * apart * n * m / all;
    rows->mean[j] += apart * m / all;
    rows->reps[j] = all;
}

static besd_status add_row(observations *rows, const double *unit, double share,
                           const trial_record *r, besd_error *error) {
    size_t d = rows->dimension;
    for (size_t j = 0; j < rows->count; j++)
        if (rows->share[j] == share && !memcmp(rows->theta + j * d, unit, d * sizeof *unit)) {
            merge_row(rows, j, r);
            return BESD_OK;
        }
    return observations_add(rows, unit, share, 0, (double)r->trial.score_count, r->model_mean,
                            r->within, error);
}

static besd_status gather_rows(const match *m, const evidence *e, observations *rows,
                               besd_error *error) {
    besd_status status = observations_init(rows, m->spec->options.dimension, error);
    for (size_t i = 0; m->by_name && status == BESD_OK && i < e->count; i++) {
        const trial_record *r = &e->trials[i];
        double unit[BESD_MAX_DIMENSION];
        if (record_is_told(r) && place_design(m, r->trial.theta, OUTSIDE, unit))
            status = add_row(rows, unit, spec_share(m->other, r->trial.tau), r, error);
    }
    return status;
}

static void scale_rows(observations *rows, double sd) {
    for (size_t j = 0; j < rows->count; j++) {
        rows->mean[j] /= sd;
        rows->within[j] /= sd * sd;
    }
}

/* Subtracts what the source expects of an unknown design, and divides by the standard deviation of
 * its signal. Pending trials have no scores yet. */
static void standardise(const evidence *e, observations *rows) {
    observations told = e->observed; /* a view */
    told.count = e->rows;
    for (size_t j = 0; j < rows->count; j++)
        rows->mean[j] -= e->prior_mean + e->prior_slope * (1 - rows->share[j]);
    scale_rows(rows, sqrt(estimate_variances(&told).signal));
}

static int descending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

/* The better half of the rows that may stay, and an even selection of the rest. */
static besd_status thin_out(observations *all, observations *some, besd_error *error) {
    size_t good = 0, passed = 0, half = SOURCE_ROWS_MOST / 2;
    besd_status status = observations_init(some, all->dimension, error);
    double *means = malloc((all->count + 1) * sizeof *means), least = -INFINITY;
    if (status == BESD_OK && !means)
        status = besd_fail_memory(error, "the rows of a source");
    if (status == BESD_OK && all->count > SOURCE_ROWS_MOST) {
        memcpy(means, all->mean, all->count * sizeof *means);
        qsort(means, all->count, sizeof *means, descending);
        least = means[half];
    }
    for (size_t j = 0; j < all->count; j++)
        good += all->mean[j] > least;
    size_t rest = all->count - good, wanted = good < SOURCE_ROWS_MOST ? SOURCE_ROWS_MOST - good : 0;
    for (size_t j = 0; status == BESD_OK && j < all->count; j++) {
        bool stays = all->mean[j] > least;
        if (!stays) {
            stays = passed * wanted / rest != (passed + 1) * wanted / rest;
            passed++;
        }
        if (stays)
            status = observations_copy(some, all, j, error);
    }
    free(means);
    return status;
}

static double distance(const double *a, const double *b, size_t dimension) {
    double squares = 0;
    for (size_t i = 0; i < dimension; i++)
        squares += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(squares / (double)dimension);
}

static bool is_apart(const source *s, const double *unit, size_t dimension, double apart) {
    for (size_t i = 0; i < s->design_count; i++)
        if (distance(s->designs + i * dimension, unit, dimension) < apart)
            return false;
    return true;
}

static void add_design(source *s, const double *unit, size_t dimension) {
    memcpy(s->designs + s->design_count++ * dimension, unit, dimension * sizeof *unit);
}

/* A tried design, and what the source's model expects of it. */
typedef struct tried_design {
    double mean;
    size_t trial;
} tried_design;

static int by_mean(const void *a, const void *b) {
    const tried_design *x = a, *y = b;
    if (x->mean != y->mean)
        return x->mean > y->mean ? -1 : 1;
    return x->trial < y->trial ? -1 : x->trial > y->trial;
}

/* The tried designs by what is expected of them, best first. */
static besd_status rank_designs(const study_spec *other, const evidence *e, const mixture *model,
                                tried_design **ranked, size_t *count, besd_error *error) {
    *count = 0;
    *ranked = malloc((e->count + 1) * sizeof **ranked);
    if (!*ranked)
        return besd_fail_memory(error, "the designs of a source");
    for (size_t i = 0; i < e->count; i++) {
        double unit[BESD_MAX_DIMENSION];
        if (!record_is_told(&e->trials[i]))
            continue;
        spec_to_unit(other, e->trials[i].trial.theta, unit);
        (*ranked)[(*count)++] = (tried_design){mixture_predict(model, unit, 1, NULL, NULL), i};
    }
    qsort(*ranked, *count, sizeof **ranked, by_mean);
    return BESD_OK;
}

/* The better half of the tried designs is asked for designs that are far apart, then for designs
 * that are closer. */
static void spread_designs(const match *m, const evidence *e, const tried_design *ranked,
                           size_t count, source *s) {
    size_t d = m->spec->options.dimension, wanted = SOURCE_DESIGNS_MOST;
    for (double apart = APART; s->design_count < wanted && apart > APART / 10; apart /= 2)
        for (size_t i = 0; i < (count + 1) / 2 && s->design_count < wanted; i++) {
            double unit[BESD_MAX_DIMENSION];
            const double *theta = e->trials[ranked[i].trial].trial.theta;
            if (place_design(m, theta, 0, unit) && is_apart(s, unit, d, apart))
                add_design(s, unit, d);
        }
}

static besd_status gather_designs(const match *m, besd_study *from, const view *v, source *s,
                                  besd_error *error) {
    fitting fit;
    mixture model;
    besd_recommendation best;
    double unit[BESD_MAX_DIMENSION];
    tried_design *ranked = NULL;
    size_t count;
    besd_status status = besd_study_recommend(from, &best, error);
    if (status == BESD_OK)
        status = study_model(from, v, false, &fit, &model, error);
    if (status != BESD_OK)
        return status;
    if (place_design(m, best.theta, 0, unit))
        add_design(s, unit, m->spec->options.dimension);
    status = rank_designs(&from->spec, &v->evidence, &model, &ranked, &count, error);
    if (status == BESD_OK)
        spread_designs(m, &v->evidence, ranked, count, s);
    free(ranked);
    mixture_free(&model);
    return status;
}

/* The legs of the other study in this study's frame, without those that lie far outside of it.
 * Labels are of the other study and say nothing here. */
static besd_status translate_legs(const match *m, const observations *legs, observations *here,
                                  besd_error *error) {
    size_t there = legs_length(m->other), length = legs_length(m->spec);
    besd_status status = BESD_OK;
    for (size_t j = 0; status == BESD_OK && j < legs->count; j++) {
        const double *place = legs->theta + j * legs->dimension;
        double moved[LEG_COORDINATES];
        if (!path_translate(m->other, place, m->spec, moved) ||
            !path_translate(m->other, place + there, m->spec, moved + length))
            continue;
        legs_set_label(m->spec, moved, 0);
        status = observations_add(here, moved, legs->share[j], 0, legs->reps[j], legs->mean[j],
                                  legs->within[j], error);
    }
    return status;
}

/* Rows of legs, without what is expected of every leg, scaled like the rows of designs. */
static besd_status gather_legs(const match *m, const evidence *e, source *s, besd_error *error) {
    observations rows = {0};
    double coefficients[LEG_FEATURES];
    besd_status status = observations_init(&s->legs, 2 * legs_length(m->spec), error);
    if (status == BESD_OK)
        status = observations_init(&rows, 2 * legs_length(m->other), error);
    if (status == BESD_OK)
        status = leg_rows_gather(m->other, e, e->told, SOURCE_ROWS_MOST, &rows, error);
    if (status == BESD_OK && rows.count) {
        leg_rows_take_expected(m->other, &rows, coefficients);
        scale_rows(&rows, sqrt(estimate_variances(&rows).signal));
        status = translate_legs(m, &rows, &s->legs, error);
    }
    observations_free(&rows);
    return status;
}

/* Fewer rows than this say nothing. */
enum { FEWEST_ROWS = 3 };

static void describe_match(const match *m, size_t all, source *s) {
    int length =
        snprintf(s->matched, sizeof s->matched, "%s; ",
                 m->by_name ? "all coordinates by name" : "points of paths, one after the other");
    if (m->by_name)
        length += snprintf(s->matched + length, sizeof s->matched - (size_t)length,
                           "%zu of its %zu different trials, ", s->rows.count, all);
    snprintf(s->matched + length, sizeof s->matched - (size_t)length,
             "%zu legs, and %zu of its best designs are used", s->legs.count, s->design_count);
}

static besd_status gather_from(const study_spec *spec, besd_study *from, const view *v, source *s,
                               besd_error *error) {
    match m;
    observations all = {0};
    besd_status status = match_init(&m, spec, &from->spec, s->name, error);
    if (status == BESD_OK)
        status = gather_rows(&m, &v->evidence, &all, error);
    if (status == BESD_OK) {
        standardise(&v->evidence, &all);
        status = thin_out(&all, &s->rows, error);
    }
    if (status == BESD_OK && are_paths(&m))
        status = gather_legs(&m, &v->evidence, s, error);
    if (status == BESD_OK)
        status = gather_designs(&m, from, v, s, error);
    if (status == BESD_OK && s->rows.count < FEWEST_ROWS && s->legs.count < FEWEST_ROWS)
        status = besd_fail(error, BESD_INVALID,
                           "source %s: expected at least %d told designs inside the box of this "
                           "study, got %zu",
                           s->name, FEWEST_ROWS, s->rows.count);
    describe_match(&m, all.count, s);
    observations_free(&all);
    return status;
}

besd_status source_gather(const study_spec *spec, besd_study *from, const char *name, source *s,
                          besd_error *error) {
    view v;
    *s = (source){0};
    snprintf(s->name, sizeof s->name, "%s", name);
    besd_status status = study_glance(from, &v, error);
    if (status != BESD_OK)
        return status;
    for (size_t i = 0; i < v.evidence.count; i++)
        s->trials += record_is_told(&v.evidence.trials[i]);
    if (v.evidence.told == 0)
        status = besd_fail(error, BESD_INVALID, "source %s: nothing was told in it yet", name);
    if (status == BESD_OK && method_describe(from->spec.options.method)->has_model == false)
        status = besd_fail(error, BESD_INVALID,
                           "source %s: expected a study of a method with a model, got %s", name,
                           besd_method_name(from->spec.options.method));
    if (status == BESD_OK)
        status = gather_from(spec, from, &v, s, error);
    view_free(&v);
    if (status != BESD_OK)
        source_free(s);
    return status;
}

/* A source as text:
 *
 *     {"format": 1, "name": ..., "matched": ..., "trials": 312,
 *      "rows": [[theta..., share, reps, mean, within], ...],
 *      "legs": [[from..., to..., share, reps, mean, within], ...], "designs": [[theta...], ...]}
 */
enum { FORMAT = 1, ROW_NUMBERS = 4 };

static json_t *write_rows(const observations *o) {
    json_t *rows = json_array();
    int failed = 0;
    for (size_t j = 0; j < o->count; j++) {
        json_t *row = json_numbers(o->theta + j * o->dimension, o->dimension);
        failed |= json_array_append_new(row, json_real(o->share[j]));
        failed |= json_array_append_new(row, json_real(o->reps[j]));
        failed |= json_array_append_new(row, json_real(o->mean[j]));
        failed |= json_array_append_new(row, json_real(o->within[j]));
        failed |= json_array_append_new(rows, row);
    }
    if (!failed)
        return rows;
    json_decref(rows);
    return NULL;
}

static json_t *write_designs(const source *s) {
    json_t *designs = json_array();
    int failed = 0;
    for (size_t i = 0; i < s->design_count; i++)
        failed |= json_array_append_new(
            designs, json_numbers(s->designs + i * s->rows.dimension, s->rows.dimension));
    if (!failed)
        return designs;
    json_decref(designs);
    return NULL;
}

besd_status source_write(const source *s, char **text, besd_error *error) {
    json_t *json =
        json_pack("{s:i, s:s, s:s, s:I, s:o, s:o, s:o}", "format", FORMAT, "name", s->name,
                  "matched", s->matched, "trials", (json_int_t)s->trials, "rows",
                  write_rows(&s->rows), "legs", write_rows(&s->legs), "designs", write_designs(s));
    *text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(json);
    return *text ? BESD_OK : besd_fail_memory(error, "a source");
}

/* Numbers of a list, all finite and at most `most` either way. */
static bool read_numbers(const json_t *list, size_t count, double most, double *numbers) {
    bool right = json_is_array(list) && json_array_size(list) == count;
    for (size_t i = 0; right && i < count; i++) {
        numbers[i] = json_number_value(json_array_get(list, i));
        right = json_is_number(json_array_get(list, i)) && fabs(numbers[i]) <= most;
    }
    return right;
}

/* Standardised scores are small numbers. */
static const double LARGEST = 1e9;

/* A row whose places lie in [low, high]. */
static bool read_row(const json_t *list, double low, double high, observations *rows,
                     besd_status *status, besd_error *error) {
    size_t d = rows->dimension;
    double n[MODEL_MAX_DIMENSION + ROW_NUMBERS];
    if (!read_numbers(list, d + ROW_NUMBERS, LARGEST, n))
        return false;
    const double *rest = n + d;
    bool sound = rest[0] > 0 && rest[0] <= 1 && rest[1] >= 1 && rest[3] >= 0;
    for (size_t i = 0; i < d; i++)
        sound = sound && n[i] >= low && n[i] <= high;
    if (sound)
        *status = observations_add(rows, n, rest[0], 0, rest[1], rest[2], rest[3], error);
    return sound;
}

static bool read_rows(const json_t *list, double low, double high, observations *rows,
                      besd_status *status, besd_error *error) {
    size_t count = json_array_size(list);
    bool sound = json_is_array(list) && count <= SOURCE_ROWS_MOST;
    for (size_t i = 0; sound && *status == BESD_OK && i < count; i++)
        sound = read_row(json_array_get(list, i), low, high, rows, status, error);
    return sound;
}

static bool read_design(const json_t *list, size_t d, source *s) {
    double *unit = s->designs + s->design_count * d;
    bool sound = s->design_count < SOURCE_DESIGNS_MOST && read_numbers(list, d, 1, unit);
    for (size_t i = 0; sound && i < d; i++)
        sound = unit[i] >= 0;
    s->design_count += sound;
    return sound;
}

static bool read_all(const json_t *json, source *s, besd_status *status, besd_error *error) {
    const json_t *designs = json_object_get(json, "designs");
    const char *name = json_string_value(json_object_get(json, "name"));
    const char *matched = json_string_value(json_object_get(json, "matched"));
    bool sound = json_integer_value(json_object_get(json, "format")) == FORMAT && name && matched &&
                 strlen(name) < sizeof s->name && strlen(matched) < sizeof s->matched &&
                 json_integer_value(json_object_get(json, "trials")) > 0 && json_is_array(designs);
    if (!sound)
        return false;
    snprintf(s->name, sizeof s->name, "%s", name);
    snprintf(s->matched, sizeof s->matched, "%s", matched);
    s->trials = json_integer_value(json_object_get(json, "trials"));
    sound =
        read_rows(json_object_get(json, "rows"), -OUTSIDE, 1 + OUTSIDE, &s->rows, status, error) &&
        read_rows(json_object_get(json, "legs"), PATH_UNKNOWN_START, PATH_END, &s->legs, status,
                  error);
    for (size_t i = 0; sound && i < json_array_size(designs); i++)
        sound = read_design(json_array_get(designs, i), s->rows.dimension, s);
    return sound;
}

besd_status source_read(const study_spec *spec, const char *text, source *s, besd_error *error) {
    json_error_t fault;
    *s = (source){0};
    size_t leg = spec->path.points ? 2 * legs_length(spec) : 1;
    besd_status status = observations_init(&s->rows, spec->options.dimension, error);
    if (status == BESD_OK)
        status = observations_init(&s->legs, leg, error);
    if (status != BESD_OK)
        return status;
    json_t *json = json_read(text, strlen(text), 0, &fault);
    if (!json && json_lacked_memory(&fault))
        status = besd_fail_memory(error, "a source");
    else if (!read_all(json, s, &status, error) && status == BESD_OK)
        status = besd_fail(error, BESD_IO, "a source of the study is damaged");
    json_decref(json);
    if (status != BESD_OK)
        source_free(s);
    return status;
}

bool sources_design(const source_list *list, size_t number, double *unit) {
    size_t most = 0;
    for (size_t i = 0; i < list->count; i++)
        most = list->of[i].design_count > most ? list->of[i].design_count : most;
    for (size_t round = 0; round < most; round++)
        for (size_t i = 0; i < list->count; i++) {
            const source *s = &list->of[i];
            if (round >= s->design_count || number--)
                continue;
            size_t d = s->rows.dimension;
            memcpy(unit, s->designs + round * d, d * sizeof *unit);
            return true;
        }
    return false;
}

static besd_status lend_rows(const observations *rows, int task, observations *to,
                             besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t j = 0; status == BESD_OK && j < rows->count; j++) {
        status = observations_copy(to, rows, j, error);
        if (status == BESD_OK)
            to->task[to->count - 1] = task;
    }
    return status;
}

besd_status sources_lend(const source_list *list, observations *to, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < list->count; i++)
        status = lend_rows(&list->of[i].rows, tasks_source(to->tasks, i), to, error);
    return status;
}

besd_status sources_lend_legs(const source_list *list, observations *to, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < list->count; i++)
        if (list->of[i].legs.dimension == to->dimension)
            status = lend_rows(&list->of[i].legs, tasks_source(to->tasks, i), to, error);
    return status;
}

/* The mean over the draws of kappa (model/tasks.h), and the share of draws in which it is not 0. */
static void judge(const mixture *model, size_t i, besd_source *out) {
    out->likeness = out->related = 0;
    for (size_t j = 0; j < model->count; j++) {
        double kappa = gp_hyperparameters(model->models[j])->tasks.kappa[i];
        out->likeness += kappa / (double)model->count;
        out->related += (kappa > 0) / (double)model->count;
    }
}

/* The variance at a design without the rows of source number i. */
static besd_status vary_without(const view *v, const draws *drawn, size_t i, const double *unit,
                                double *variance, besd_error *error) {
    evidence e = v->evidence; /* a view with other sources */
    mixture model;
    source_list *others = malloc(sizeof *others);
    if (!others)
        return besd_fail_memory(error, "the sources");
    *others = *e.sources;
    others->of[i].rows.count = 0;
    e.sources = others;
    besd_status status = fitting_condition(&e, drawn, false, &model, error);
    if (status == BESD_OK) {
        mixture_predict(&model, unit, 1, variance, NULL);
        mixture_free(&model);
    }
    free(others);
    return status;
}

static besd_status judge_source(besd_study *s, const view *v, size_t i, besd_source *out,
                                besd_error *error) {
    besd_recommendation best;
    fitting fit;
    mixture model;
    double unit[BESD_MAX_DIMENSION], with, without, prior = 0;
    besd_status status = besd_study_recommend(s, &best, error);
    if (status == BESD_OK)
        status = study_model(s, v, false, &fit, &model, error);
    if (status != BESD_OK)
        return status;
    judge(&model, i, out);
    spec_to_unit(&s->spec, best.theta, unit);
    mixture_predict(&model, unit, 1, &with, NULL);
    for (size_t j = 0; j < model.count; j++)
        prior += gp_prior_variance(model.models[j], 1) / (double)model.count;
    mixture_free(&model);
    status = vary_without(v, &fit.drawn, i, unit, &without, error);
    if (status == BESD_OK)
        out->share = prior > with ? fmin(fmax((without - with) / (prior - with), 0), 1) : 0;
    return status;
}

besd_status besd_study_source(besd_study *s, size_t index, besd_source *out, besd_error *error) {
    view v;
    if (index >= s->sources.count)
        return besd_fail(error, BESD_UNKNOWN, "source %zu: the study has %zu", index,
                         s->sources.count);
    const source *from = &s->sources.of[index];
    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "%s", from->name);
    snprintf(out->matched, sizeof out->matched, "%s", from->matched);
    out->trials = from->trials;
    out->rows = (int64_t)from->rows.count;
    out->likeness = out->related = out->share = NAN;
    besd_status status = study_glance(s, &v, error);
    if (status != BESD_OK)
        return status;
    if (v.evidence.told)
        status = judge_source(s, &v, index, out, error);
    view_free(&v);
    return status;
}
