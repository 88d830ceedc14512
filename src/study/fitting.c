#include "study/fitting.h"

#include "core/error.h"
#include "model/arithmetic.h"
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

/* Sweeps of every chain of draws from where it was: the posterior has moved little since. */
enum { SWEEPS = 2 };

/* Beyond so many trials, so many draws. */
enum { MANY_TRIALS = 800, DRAWS_OF_MANY = 3 };

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

/* The authors' expected improvement has a fit of its own. */
static bool as_authors(const study_spec *spec) {
    return spec->options.method == BESD_METHOD_EI_PAPER;
}

static besd_status find_maximum(const study_spec *spec, const evidence *e, const observations *some,
                                const draws *warm, int starts, draws *drawn, besd_error *error) {
    static const model_kind kinds[] = {[BESD_MODEL_PAPER] = MODEL_PAPER,
                                       [BESD_MODEL_EXTENDED] = MODEL_EXTENDED,
                                       [BESD_MODEL_NOISE] = MODEL_NOISE,
                                       [BESD_MODEL_AVERAGED] = MODEL_PAPER};
    fit_options options = {.kind = kinds[spec->options.model],
                           .levels = (int)spec->options.tau_count,
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

/* Long studies have fewer draws: they agree by then, and each costs as much as one model. */
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
    observations some;
    besd_status status = observations_init(&some, spec->options.dimension, error);
    if (status == BESD_OK)
        status = thin_out(e, &some, error);
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

besd_status fitting_condition(const evidence *e, const draws *drawn, bool with_pending,
                              mixture *model, besd_error *error) {
    observations seen = e->observed; /* a view; the model copies it */
    if (!with_pending)
        seen.count = e->told;
    return mixture_init(model, &seen, e->told, drawn, error);
}

besd_status fitting_begin(size_t threads, besd_error *error) {
    return arithmetic_begin(threads, error);
}
