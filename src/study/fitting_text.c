/* Fits as the file has them:
 * {"format": 1, "prior_mean": ..., "prior_slope": ..., "lengthscale": [...], "sigma_root": [l11,
 * l21, l22], "discrepancy_variance": ..., "discrepancy_lengthscale": ..., "env_variance": [...],
 *  "rep_variance": [...]}
 * with one length scale per coordinate and one noise per tau level; several draws are a list of
 * these. Seventeen digits give every double back. */
#include "core/error.h"
#include "core/json.h"
#include "study/fitting.h"

#include <math.h>
#include <string.h>

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

static json_t *describe(const study_spec *spec, const hyperparameters *h) {
    size_t d = spec->options.dimension, levels = spec->options.tau_count;
    json_t *json =
        json_pack("{s:i, s:f, s:f, s:f, s:f}", "format", FORMAT, "prior_mean", h->prior_mean,
                  "prior_slope", h->prior_slope, "discrepancy_variance", h->discrepancy_variance,
                  "discrepancy_lengthscale", h->discrepancy_lengthscale);
    int failed = json_object_set_new(json, "lengthscale", list_of(h->lengthscale, d));
    failed |= json_object_set_new(json, "sigma_root", list_of(h->sigma_root, ROOTS));
    failed |= json_object_set_new(json, "env_variance", list_of(h->env_variance, levels));
    failed |= json_object_set_new(json, "rep_variance", list_of(h->rep_variance, levels));
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

/* Positive and far from where squares leave the range of doubles. */
static bool positive(double value) {
    return value > 1e-300 && value < 1e302;
}

/* Are these hyperparameters that a model can work with? */
static bool is_usable(const hyperparameters *h, size_t dimension, size_t levels) {
    bool good = fabs(h->prior_mean) < 1e151 && fabs(h->prior_slope) < 1e151 &&
                h->sigma_root[0] > 0 && h->sigma_root[0] < 1e151 &&
                fabs(h->sigma_root[1]) < 1e151 && h->sigma_root[2] > 0 &&
                h->sigma_root[2] < 1e151 &&
                (h->discrepancy_variance == 0 ||
                 (positive(h->discrepancy_variance) && positive(h->discrepancy_lengthscale)));
    for (size_t i = 0; i < dimension; i++)
        good = good && positive(h->lengthscale[i]);
    for (size_t i = 0; i < levels; i++)
        good = good && (h->env_variance[i] == 0 || positive(h->env_variance[i])) &&
               positive(h->rep_variance[i]);
    return good;
}

static bool read_one(const study_spec *spec, const json_t *json, hyperparameters *h) {
    size_t d = spec->options.dimension, levels = spec->options.tau_count;
    double format;
    *h = (hyperparameters){0};
    return read_number(json, "format", &format) && format == FORMAT &&
           read_number(json, "prior_mean", &h->prior_mean) &&
           (!json_object_get(json, "prior_slope") || /* older */
            read_number(json, "prior_slope", &h->prior_slope)) &&
           read_number(json, "discrepancy_variance", &h->discrepancy_variance) &&
           read_number(json, "discrepancy_lengthscale", &h->discrepancy_lengthscale) &&
           read_list(json, "lengthscale", d, h->lengthscale) &&
           read_list(json, "sigma_root", ROOTS, h->sigma_root) &&
           read_list(json, "env_variance", levels, h->env_variance) &&
           read_list(json, "rep_variance", levels, h->rep_variance) && is_usable(h, d, levels);
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
