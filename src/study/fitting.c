#include "study/fitting.h"

#include "core/error.h"
#include "model/fit.h"

#include <stdlib.h>

/* Kept hyperparameters serve until the trials have grown by a twentieth: a fit to nearly the same
 * trials is nearly the same, and takes longer than everything else. */
enum { REFIT_GROWTH = 20 };

/* Whenever they have grown by a fifth the warm start is not trusted alone: the likelihood may have
 * another, higher top by now. */
enum { FULL_FIT_GROWTH = 5, FULL_FIT_STARTS = 4 };

/* A fit costs the cube of the trials; beyond so many, every so many'th says enough. */
enum { MOST_FITTED = 600 };

/* The told trials that hyperparameters are fitted to: pending ones say nothing of them. */
static besd_status thin_out(const evidence *e, observations *some, besd_error *error) {
    const observations *o = &e->observed;
    size_t kept = e->told < MOST_FITTED ? e->told : MOST_FITTED;
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < kept; i++) {
        size_t j = i * e->told / kept;
        status = observations_add(some, o->theta + j * o->dimension, o->share[j], o->level[j],
                                  o->reps[j], o->mean[j], o->within[j], error);
    }
    return status;
}

besd_status fitting_run(const study_spec *spec, const evidence *e, const hyperparameters *warm,
                        int starts, hyperparameters *h, besd_error *error) {
    static const model_kind kinds[] = {[BESD_MODEL_PAPER] = MODEL_PAPER,
                                       [BESD_MODEL_EXTENDED] = MODEL_EXTENDED,
                                       [BESD_MODEL_NOISE] = MODEL_NOISE};
    bool as_authors = spec->options.method == BESD_METHOD_EI_PAPER;
    fit_options options = {.kind = kinds[spec->options.model],
                           .levels = (int)spec->options.tau_count,
                           .prior_mean = e->prior_mean,
                           .starts = starts,
                           .isotropic = as_authors,
                           .no_prior = as_authors,
                           .warm = warm};
    fit_problem *p = NULL;
    observations some;
    double value;
    besd_status status = observations_init(&some, spec->options.dimension, error);
    if (status == BESD_OK)
        status = thin_out(e, &some, error);
    if (status == BESD_OK)
        status = fit_create(&some, &options, &p, error);
    if (status == BESD_OK)
        status = fit_run(p, h, &value, error);
    fit_destroy(p);
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
        *settled = (fitting){.h = kept->h, .told = kept->told};
        return BESD_OK;
    }
    if (memory->told == told && memory->kept == kept->told) {
        *settled = memory->fit;
        return BESD_OK;
    }
    bool full = full_is_due(kept, told);
    *settled = (fitting){.told = told, .is_new = true, .is_full = full};
    besd_status status = fitting_run(spec, e, kept->told ? &kept->h : NULL,
                                     full ? FULL_FIT_STARTS : 1, &settled->h, error);
    if (status == BESD_OK)
        *memory = (fit_memory){.told = told, .kept = kept->told, .fit = *settled};
    return status;
}

besd_status fitting_condition(const evidence *e, const hyperparameters *h, bool with_pending,
                              gp **model, besd_error *error) {
    observations seen = e->observed; /* a view; the model copies it */
    if (!with_pending)
        seen.count = e->told;
    return gp_create(&seen, e->told, h, model, error);
}
