#include "study/fitting.h"

#include "core/error.h"
#include "core/json.h"
#include "model/blas.h"
#include "model/fit.h"
#include "study/sources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Kept hyperparameters are used until the number of trials has grown by a twentieth: a fit to
 * nearly the same trials is nearly the same, and takes longer than everything else. */
enum { REFIT_GROWTH = 20 };

/* When the number of trials has grown by a fifth, a fit begins from several starts: the likelihood
 * may have another, higher top by now than the one that the warm start leads to. */
enum { FULL_FIT_GROWTH = 5, FULL_FIT_STARTS = 4 };

/* A fit costs the cube of the number of trials. In longer studies this many trials, evenly spread
 * over all, say enough. */
enum { MOST_FITTED = 600 };

/* Sweeps of every chain of draws. Chains go on from where they were, and the posterior has moved
 * little since. */
enum { SWEEPS = 2 };

/* Studies with more trials have fewer draws: the draws agree by then, and each costs as much as one
 * model. */
enum { MANY_TRIALS = 800, DRAWS_OF_MANY = 3 };

/* Appends the rows of the sources. */
static besd_status lend(const evidence *e, observations *to, besd_error *error) {
    to->tasks = e->observed.tasks;
    return e->sources ? sources_lend(e->sources, to, error) : BESD_OK;
}

/* Method ei-paper has a fit of its own: the one of the paper's authors. */
static bool as_authors(const study_spec *spec) {
    return spec->options.method == BESD_METHOD_EI_PAPER;
}

static besd_status find_maximum(const study_spec *spec, const evidence *e, const observations *some,
                                const draws *warm, int starts, draws *drawn, besd_error *error) {
    fit_options options = {.levels = (int)spec->options.tau_count,
                           .prior_mean = e->prior_mean,
                           .starts = starts,
                           .isotropic = as_authors(spec),
                           .no_prior = as_authors(spec),
                           .warm = warm ? &warm->of[0] : NULL};
    fit_problem *p = NULL;
    double value;
    besd_status status = fit_create(some, &options, &p, error);
    if (status == BESD_OK)
        status = fit_run(p, &drawn->of[0], &value, error);
    fit_destroy(p);
    drawn->count = 1;
    return status;
}

static size_t draw_count(const study_spec *spec, size_t told) {
    size_t most = told > MANY_TRIALS ? DRAWS_OF_MANY : DRAWS_MOST;
    return (size_t)spec->options.draws < most ? (size_t)spec->options.draws : most;
}

static besd_status draw(const study_spec *spec, const evidence *e, const observations *some,
                        const draws *warm, draws *drawn, besd_error *error) {
    draws_options options = {.levels = (int)spec->options.tau_count,
                             .one_noise = spec->options.instances == BESD_INSTANCES_FRESH,
                             .prior_mean = e->prior_mean,
                             .prior_slope = e->prior_slope,
                             .seed = spec->options.seed,
                             .told = e->told,
                             .sweeps = SWEEPS};
    return draws_run(some, &options, warm, draw_count(spec, e->told), drawn, error);
}

besd_status fitting_run(const study_spec *spec, const evidence *e, const draws *warm, int starts,
                        draws *drawn, besd_error *error) {
    observations some; /* pending trials say nothing about hyperparameters */
    besd_status status = observations_thin(&e->observed, e->rows, MOST_FITTED, &some, error);
    if (status == BESD_OK)
        status = lend(e, &some, error);
    if (status == BESD_OK)
        status = spec->options.model == BESD_MODEL_AVERAGED && !as_authors(spec)
                     ? draw(spec, e, &some, warm, drawn, error)
                     : find_maximum(spec, e, &some, warm, starts, drawn, error);
    observations_free(&some);
    return status;
}

static bool still_serves(const kept_fit *kept, int64_t told) {
    return kept->told && REFIT_GROWTH * (told - kept->told) < told;
}

static bool full_is_due(const kept_fit *kept, int64_t told) {
    return !kept->told || !kept->last_full || FULL_FIT_GROWTH * (told - kept->last_full) >= told;
}

besd_status fitting_settle(const study_spec *spec, const evidence *e, const kept_fit *kept,
                           fit_memory *memory, fitting *settled, besd_error *error) {
    int64_t told = (int64_t)e->told;
    if (!told)
        return besd_fail(error, BESD_INVALID, "model: no trial has been told yet");
    if (still_serves(kept, told)) {
        *settled = (fitting){.drawn = kept->drawn, .told = kept->told};
        return BESD_OK;
    }
    if (memory->told == told && memory->kept == kept->told && memory->changes == e->changes) {
        *settled = memory->fit;
        return BESD_OK;
    }
    bool full = full_is_due(kept, told);
    *settled = (fitting){.told = told, .is_new = true, .is_full = full};
    besd_status status = fitting_run(spec, e, kept->told ? &kept->drawn : NULL,
                                     full ? FULL_FIT_STARTS : 1, &settled->drawn, error);
    if (status == BESD_OK)
        *memory =
            (fit_memory){.told = told, .kept = kept->told, .changes = e->changes, .fit = *settled};
    return status;
}

/* The told trials, the rows of the sources, and then pending trials. */
static besd_status condition_with_sources(const evidence *e, const draws *drawn, bool with_pending,
                                          mixture *model, besd_error *error) {
    const observations *o = &e->observed;
    observations all;
    size_t told = 0;
    besd_status status = observations_init(&all, o->dimension, error);
    for (size_t j = 0; status == BESD_OK && j < e->rows; j++)
        status = observations_copy(&all, o, j, error);
    if (status == BESD_OK)
        status = lend(e, &all, error);
    told = all.count;
    for (size_t j = e->rows; with_pending && status == BESD_OK && j < o->count; j++)
        status = observations_copy(&all, o, j, error);
    if (status == BESD_OK)
        status = mixture_init(model, &all, told, drawn, error);
    observations_free(&all);
    return status;
}

besd_status fitting_condition(const evidence *e, const draws *drawn, bool with_pending,
                              mixture *model, besd_error *error) {
    if (e->sources && e->sources->count)
        return condition_with_sources(e, drawn, with_pending, model, error);
    observations seen = e->observed; /* a view; the model copies it */
    if (!with_pending)
        seen.count = e->rows;
    return mixture_init(model, &seen, e->rows, drawn, error);
}

besd_status fitting_begin(size_t threads, besd_error *error) {
    return arithmetic_begin(threads, error);
}

/* A fit as text:
 *
 *     {"format": 1, "prior_mean": ..., "prior_slope": ..., "lengthscale": [...],
 *      "sigma_root": [l11, l21, l22], "env_variance": [...], "rep_variance": [...],
 *      "tasks": {"level_variance": ..., "rho": ..., "feature_scale": [...], "kappa": [...],
 *                "gamma": [...], "noise": [...]}}
 *
 * with one length scale per coordinate and one noise per tau level; "tasks" only where there are
 * tasks or sources (model/tasks.h). Several draws are a list of
 * such objects. Seventeen digits give every double back. Older fits also have a
 * "discrepancy_variance", of a term that no model has now: it is 0. */
enum { FORMAT = 1, ROOTS = 3 };

static json_t *list_of(const double *values, size_t count) {
    json_t *list = json_array();
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        failed |= json_array_append_new(list, json_real(values[i]));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *describe_tasks(const task_set *set, const task_parameters *p) {
    json_t *json = json_pack("{s:f, s:f}", "level_variance", p->level_variance, "rho", p->rho);
    int failed =
        json_object_set_new(json, "feature_scale", list_of(p->feature_scale, set->features));
    failed |= json_object_set_new(json, "kappa", list_of(p->kappa, set->sources));
    failed |= json_object_set_new(json, "gamma", list_of(p->gamma, set->sources));
    failed |= json_object_set_new(json, "noise", list_of(p->noise, set->sources));
    if (!failed)
        return json;
    json_decref(json);
    return NULL;
}

static json_t *describe(const study_spec *spec, const hyperparameters *h) {
    size_t d = spec->options.dimension, levels = spec->options.tau_count;
    json_t *json = json_pack("{s:i, s:f, s:f}", "format", FORMAT, "prior_mean", h->prior_mean,
                             "prior_slope", h->prior_slope);
    int failed = json_object_set_new(json, "lengthscale", list_of(h->lengthscale, d));
    failed |= json_object_set_new(json, "sigma_root", list_of(h->sigma_root, ROOTS));
    failed |= json_object_set_new(json, "env_variance", list_of(h->env_variance, levels));
    failed |= json_object_set_new(json, "rep_variance", list_of(h->rep_variance, levels));
    if (spec_tasks(spec))
        failed |= json_object_set_new(json, "tasks", describe_tasks(&spec->tasks, &h->tasks));
    if (!failed)
        return json;
    json_decref(json);
    return NULL;
}

besd_status fitting_write(const study_spec *spec, const draws *drawn, char **text,
                          besd_error *error) {
    json_t *json = drawn->count == 1 ? describe(spec, &drawn->of[0]) : json_array();
    int failed = 0;
    for (size_t i = 0; drawn->count > 1 && i < drawn->count; i++)
        failed |= json_array_append_new(json, describe(spec, &drawn->of[i]));
    *text = failed || !json ? NULL : json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(json);
    return *text ? BESD_OK : besd_fail_memory(error, "the hyperparameters");
}

static bool read_number(const json_t *json, const char *key, double *value) {
    const json_t *number = json_object_get(json, key);
    *value = json_number_value(number);
    return json_is_number(number);
}

static bool read_list(const json_t *json, const char *key, size_t count, double *values) {
    const json_t *list = json_object_get(json, key);
    bool right = json_is_array(list) && json_array_size(list) == count;
    for (size_t i = 0; right && i < count; i++) {
        right = json_is_number(json_array_get(list, i));
        values[i] = json_number_value(json_array_get(list, i));
    }
    return right;
}

/* Larger numbers have squares that a double cannot hold. */
static const double LARGEST_ROOT = 1e151;

/* Is it positive, and neither close to 0 nor to the largest double? */
static bool positive(double value) {
    return value > 1e-300 && value < 1e302;
}

/* Can a model work with these hyperparameters? */
static bool is_usable(const hyperparameters *h, size_t dimension, size_t levels) {
    bool good = fabs(h->prior_mean) < LARGEST_ROOT && fabs(h->prior_slope) < LARGEST_ROOT &&
                h->sigma_root[0] > 0 && h->sigma_root[0] < LARGEST_ROOT &&
                fabs(h->sigma_root[1]) < LARGEST_ROOT && h->sigma_root[2] > 0 &&
                h->sigma_root[2] < LARGEST_ROOT;
    for (size_t i = 0; i < dimension; i++)
        good = good && positive(h->lengthscale[i]);
    for (size_t i = 0; i < levels; i++)
        good = good && (h->env_variance[i] == 0 || positive(h->env_variance[i])) &&
               positive(h->rep_variance[i]);
    return good;
}

static bool is_share(double value) {
    return value >= 0 && value <= 1;
}

static bool read_tasks(const task_set *set, const json_t *json, task_parameters *p) {
    bool good = read_number(json, "level_variance", &p->level_variance) &&
                read_number(json, "rho", &p->rho) &&
                read_list(json, "feature_scale", set->features, p->feature_scale) &&
                read_list(json, "kappa", set->sources, p->kappa) &&
                read_list(json, "gamma", set->sources, p->gamma) &&
                read_list(json, "noise", set->sources, p->noise) && positive(p->level_variance) &&
                is_share(p->rho);
    for (size_t i = 0; good && i < set->features; i++)
        good = positive(p->feature_scale[i]);
    for (size_t i = 0; good && i < set->sources; i++)
        good = is_share(p->kappa[i]) && positive(p->gamma[i]) && positive(p->noise[i]);
    return good;
}

/* A discrepancy is of another model. */
static bool has_discrepancy(const json_t *json) {
    const json_t *variance = json_object_get(json, "discrepancy_variance");
    return variance && !(json_is_number(variance) && json_number_value(variance) == 0);
}

static bool read_one(const study_spec *spec, const json_t *json, hyperparameters *h) {
    size_t d = spec->options.dimension, levels = spec->options.tau_count;
    double format;
    *h = (hyperparameters){0};
    return read_number(json, "format", &format) && format == FORMAT &&
           read_number(json, "prior_mean", &h->prior_mean) &&
           (!json_object_get(json, "prior_slope") || /* older fits have none */
            read_number(json, "prior_slope", &h->prior_slope)) &&
           !has_discrepancy(json) && read_list(json, "lengthscale", d, h->lengthscale) &&
           read_list(json, "sigma_root", ROOTS, h->sigma_root) &&
           read_list(json, "env_variance", levels, h->env_variance) &&
           read_list(json, "rep_variance", levels, h->rep_variance) && is_usable(h, d, levels) &&
           (!spec_tasks(spec) ||
            read_tasks(&spec->tasks, json_object_get(json, "tasks"), &h->tasks));
}

besd_status fitting_read(const study_spec *spec, const char *text, draws *drawn, bool *usable,
                         besd_error *error) {
    json_error_t fault;
    json_t *json = json_read(text, strlen(text), 0, &fault);
    if (!json && json_lacked_memory(&fault))
        return besd_fail_memory(error, "the hyperparameters");
    bool many = json_is_array(json);
    drawn->count = many ? json_array_size(json) : 1;
    *usable = json && drawn->count >= 1 && drawn->count <= DRAWS_MOST;
    for (size_t i = 0; *usable && i < drawn->count; i++)
        *usable = read_one(spec, many ? json_array_get(json, i) : json, &drawn->of[i]);
    json_decref(json);
    return BESD_OK;
}
