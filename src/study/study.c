/* A study's life, its trials and its model (besd/besd.h). Fitted hyperparameters are kept in the
 * file with the number of told trials they belong to, because a warm start makes them depend on
 * those before: a resumed study must continue with the same ones. */
#include "study/study_state.h"

#include "core/error.h"
#include "study/method.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FULL_FIT_STARTS = 4 };

const besd_study_options *besd_study_get_options(const besd_study *s) {
    return &s->spec.options;
}

void besd_study_close(besd_study *s) {
    if (!s)
        return;
    store_close(s->store);
    targets_free(&s->targets);
    free(s->user_targets);
    free(s);
}

static besd_status write_spec(besd_study *s, besd_error *error) {
    char *text = NULL;
    besd_status status = spec_write(&s->spec, &text, error);
    if (status == BESD_OK)
        status = store_set_text(s->store, "spec", text, error);
    free(text);
    return status;
}

/* Reads the description, or writes the first one; inside a transaction. */
static besd_status settle_spec(besd_study *s, const char *path, const study_spec *given,
                               besd_error *error) {
    char *text = NULL;
    besd_status status = store_get_text(s->store, "spec", &text, error);
    if (status != BESD_OK)
        return status;
    if (!text) {
        if (!given)
            return besd_fail(error, BESD_IO, "%s: it is an empty study without a description",
                             path);
        status = spec_init(&s->spec, &given->options, error);
        if (status == BESD_OK)
            status = write_spec(s, error);
        return status == BESD_OK ? store_set_text(s->store, "version", BESD_VERSION, error)
                                 : status;
    }
    status = spec_read(&s->spec, text, error);
    free(text);
    if (status == BESD_OK && given)
        status = spec_compare(&s->spec, given, error);
    if (status != BESD_OK) {
        besd_error reason = *error;
        return besd_fail(error, status, "%s: %.400s", path, reason.message);
    }
    if (status == BESD_OK && given && given->options.budget > s->spec.options.budget) {
        s->spec.options.budget = given->options.budget;
        status = write_spec(s, error);
    }
    return status;
}

besd_status besd_study_open(besd_study **study, const char *path, const besd_study_options *options,
                            besd_error *error) {
    besd_error own_error = {0};
    error = error ? error : &own_error;
    study_spec *given = NULL;
    besd_status status = BESD_OK;
    *study = NULL;
    if (path && (!*path || !strcmp(path, ":memory:")))
        return besd_fail(error, BESD_INVALID, "study: expected the name of a file, got '%s'", path);
    if (!path && !(options && options->dimension))
        return besd_fail(error, BESD_INVALID, "study: a study in memory needs options");
    openblas_set_num_threads(1);
    besd_study *s = calloc(1, sizeof *s);
    if (!s)
        return besd_fail_memory(error, "the study");
    if (options && options->dimension) {
        given = malloc(sizeof *given);
        status = given ? spec_init(given, options, error)
                       : besd_fail_memory(error, "the study's description");
    }
    if (status == BESD_OK)
        status = store_open(path, given != NULL, &s->store, error);
    if (status == BESD_OK && given)
        status = store_begin(s->store, error);
    if (status == BESD_OK) {
        status = settle_spec(s, path, given, error);
        if (given && status == BESD_OK)
            status = store_commit(s->store, error);
        else if (given)
            store_rollback(s->store);
    }
    if (status == BESD_OK)
        status =
            targets_init(&s->targets, s->spec.options.seed, (size_t)s->spec.options.target_count,
                         s->spec.options.dimension, error);
    free(given);
    if (status != BESD_OK) {
        besd_study_close(s);
        return status;
    }
    *study = s;
    return BESD_OK;
}

/* What comes out of the file is checked like anything else from outside. */
static besd_status check_trial(const besd_study *s, const stored_trial *t, besd_error *error) {
    const study_spec *spec = &s->spec;
    const besd_trial *x = &t->trial;
    bool right = spec_tau_level(spec, x->tau) >= 0 && spec_reps_level(spec, x->reps) >= 0 &&
                 besd_trial_state_name((size_t)x->state) && besd_reason_name((size_t)x->reason) &&
                 isfinite(x->cost) && x->cost >= 0 && x->score_count <= BESD_MAX_REPS;
    for (size_t i = 0; right && i < spec->options.dimension; i++)
        right = x->theta[i] >= spec->low[i] && x->theta[i] <= spec->high[i];
    if (right && x->state == BESD_TRIAL_TOLD)
        right =
            x->score_count >= 1 && isfinite(t->model_mean) && isfinite(t->within) && t->within >= 0;
    return right ? BESD_OK
                 : besd_fail(error, BESD_IO, "trial %lld is damaged in the study's file",
                             (long long)x->id);
}

besd_status study_get_trial(besd_study *s, int64_t id, stored_trial *t, besd_error *error) {
    besd_status status = store_get_trial(s->store, s->spec.options.dimension, id, t, error);
    return status == BESD_OK ? check_trial(s, t, error) : status;
}

besd_status study_load(besd_study *s, evidence *e, besd_error *error) {
    stored_trial *trials = NULL;
    size_t count;
    besd_status status =
        store_list_trials(s->store, s->spec.options.dimension, &trials, &count, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = check_trial(s, &trials[i], error);
    if (status == BESD_OK)
        status = evidence_init(e, &s->spec, trials, count, error);
    free(trials);
    return status;
}

/* Positive and far from where squares leave the range of doubles. */
static bool positive(double value) {
    return value > 1e-300 && value < 1e302;
}

/* Are these hyperparameters that a model can work with? */
static bool usable(const hyperparameters *h, size_t dimension, size_t levels) {
    bool good = fabs(h->prior_mean) < 1e151 && h->sigma_root[0] > 0 && h->sigma_root[0] < 1e151 &&
                fabs(h->sigma_root[1]) < 1e151 && h->sigma_root[2] > 0 &&
                h->sigma_root[2] < 1e151 &&
                (h->discrepancy_variance == 0 ||
                 (positive(h->discrepancy_variance) && positive(h->discrepancy_lengthscale)));
    for (size_t i = 0; i < dimension; i++)
        good = good && positive(h->lengthscale[i]);
    for (size_t i = 0; i < levels; i++)
        good = good && positive(h->env_variance[i]) && positive(h->rep_variance[i]);
    return good;
}

/* Kept hyperparameters serve until the trials have grown by a twentieth; then they are fitted
 * again, from where they were, and from several starts whenever the trials have grown by a fifth.
 */
besd_status study_fit(besd_study *s, evidence *e, bool keep, hyperparameters *h,
                      besd_error *error) {
    int64_t told = (int64_t)e->told, fitted = told, last_full = 0;
    hyperparameters kept;
    if (!told)
        return besd_fail(error, BESD_INVALID, "model: no trial has been told yet");
    besd_status status = store_get_fit(s->store, &fitted, &kept, sizeof kept, error);
    if (status == BESD_OK)
        status = store_last_full_fit(s->store, &last_full, error);
    if (status != BESD_OK)
        return status;
    if (fitted && !usable(&kept, s->spec.options.dimension, s->spec.options.tau_count))
        fitted = 0;
    if (fitted && 20 * (told - fitted) < told) {
        *h = kept;
        return BESD_OK;
    }
    bool full = !fitted || !last_full || 5 * (told - last_full) >= told;
    if (s->looked.told == told && s->looked.fitted == fitted) {
        *h = s->looked.h;
    } else {
        status =
            advisor_fit(&s->spec, e, fitted ? &kept : NULL, full ? FULL_FIT_STARTS : 1, h, error);
        if (status != BESD_OK)
            return status;
        s->looked.told = told;
        s->looked.fitted = fitted;
        s->looked.h = *h;
    }
    return keep ? store_set_fit(s->store, told, full, h, sizeof *h, error) : BESD_OK;
}

/* The model of the told trials, with or without pending ones. */
besd_status study_model(besd_study *s, evidence *e, bool with_pending, bool keep, gp **model,
                        besd_error *error) {
    hyperparameters h;
    besd_status status = study_fit(s, e, keep, &h, error);
    if (status != BESD_OK)
        return status;
    size_t count = e->trials.count;
    if (!with_pending)
        e->trials.count = e->told;
    status = gp_create(&e->trials, e->told, &h, model, error);
    e->trials.count = count;
    return status;
}
/* Ends a transaction one way or the other. */
besd_status study_end(besd_study *s, besd_status status, besd_error *error) {
    if (status == BESD_OK)
        return store_commit(s->store, error);
    store_rollback(s->store);
    return status;
}

besd_status besd_study_trial_count(besd_study *s, int64_t *count, besd_error *error) {
    return store_count_trials(s->store, count, error);
}

besd_status besd_study_trial(besd_study *s, int64_t id, besd_trial *trial, besd_error *error) {
    stored_trial t;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        *trial = t.trial;
    return status;
}

besd_status besd_study_scores(besd_study *s, int64_t id, double *scores, size_t capacity,
                              size_t *count, besd_error *error) {
    stored_trial t;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status != BESD_OK)
        return status;
    return store_get_scores(s->store, id, scores, capacity, count, error);
}

besd_status besd_study_spent(besd_study *s, double *cost, besd_error *error) {
    evidence e;
    besd_status status = study_load(s, &e, error);
    if (status != BESD_OK)
        return status;
    *cost = e.spent;
    evidence_free(&e);
    return BESD_OK;
}

/* Under which key of the store a note is kept. */
static besd_status name_note(const char *key, char name[BESD_MAX_NAME + 8], besd_error *error) {
    if (strlen(key) > BESD_MAX_NAME)
        return besd_fail(error, BESD_INVALID, "note: the key '%.30s...' is longer than %d bytes",
                         key, BESD_MAX_NAME);
    snprintf(name, BESD_MAX_NAME + 8, "note:%s", key);
    return BESD_OK;
}

besd_status besd_study_set_note(besd_study *s, const char *key, const char *text,
                                besd_error *error) {
    char name[BESD_MAX_NAME + 8];
    besd_status status = name_note(key, name, error);
    return status ? status : store_set_text(s->store, name, text, error);
}

besd_status besd_study_get_note(besd_study *s, const char *key, char *text, size_t size,
                                besd_error *error) {
    char name[BESD_MAX_NAME + 8], *stored = NULL;
    besd_status status = name_note(key, name, error);
    if (status == BESD_OK)
        status = store_get_text(s->store, name, &stored, error);
    if (status == BESD_OK)
        snprintf(text, size, "%s", stored ? stored : "");
    free(stored);
    return status;
}

besd_status besd_study_set_trial_note(besd_study *s, int64_t id, const char *text,
                                      besd_error *error) {
    stored_trial t;
    besd_status status = study_get_trial(s, id, &t, error);
    return status == BESD_OK ? store_set_trial_note(s->store, id, text, error) : status;
}

double besd_study_initial_cost(const besd_study *s) {
    return method_initial_cost(&s->spec.options);
}

besd_status besd_study_trial_times(besd_study *s, int64_t id, int64_t *asked, int64_t *ended,
                                   besd_error *error) {
    return store_get_times(s->store, id, asked, ended, error);
}

besd_status besd_study_get_trial_note(besd_study *s, int64_t id, char *text, size_t size,
                                      besd_error *error) {
    stored_trial t;
    char *stored = NULL;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = store_get_trial_note(s->store, id, &stored, error);
    if (status == BESD_OK)
        snprintf(text, size, "%s", stored ? stored : "");
    free(stored);
    return status;
}
