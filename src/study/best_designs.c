/* Several good designs instead of one, apart from each other: to try with an agent of another kind
 * than the study's own, to whom the best of them may not be the best. A study of a sketch, which
 * costs nothing, hands them to the study of the real agent.
 *
 * The first is the recommendation. The others are told designs, the best first by what the model
 * expects of them at the largest tau, less caution; each is at least `apart` from all before it.
 * Cost: one forecast for each told design.
 */
#include "besd/besd.h"

#include "core/error.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a study with very many trials the newest are looked at. */
enum { MOST_CANDIDATES = 2000 };

typedef struct candidates {
    size_t count, dimension;
    int64_t first;  /* trial to look at */
    double *thetas; /* [candidate * dimension]; the first is the recommendation */
    int64_t *taus;
    besd_forecast *forecasts;
    const besd_study_options *options;
} candidates;

static void free_candidates(candidates *c) {
    free(c->thetas);
    free(c->taus);
    free(c->forecasts);
}

static bool take_trial(void *context, const besd_trial *t) {
    candidates *c = context;
    if (t->state == BESD_TRIAL_TOLD && c->count < MOST_CANDIDATES)
        memcpy(c->thetas + c->count++ * c->dimension, t->theta, c->dimension * sizeof *t->theta);
    return true;
}

static besd_status find_candidates(candidates *c, besd_study *s, const besd_recommendation *r,
                                   besd_error *error) {
    int64_t trials;
    const besd_study_options *o = besd_study_get_options(s);
    *c = (candidates){.dimension = o->dimension, .options = o};
    c->thetas = malloc(MOST_CANDIDATES * c->dimension * sizeof *c->thetas);
    c->taus = malloc(MOST_CANDIDATES * sizeof *c->taus);
    c->forecasts = calloc(MOST_CANDIDATES, sizeof *c->forecasts);
    if (!c->thetas || !c->taus || !c->forecasts)
        return besd_fail_memory(error, "the designs");
    memcpy(c->thetas, r->theta, c->dimension * sizeof *c->thetas);
    c->count = 1;
    for (size_t i = 0; i < MOST_CANDIDATES; i++)
        c->taus[i] = o->taus[o->tau_count - 1];
    besd_status status = besd_study_trial_count(s, &trials, error);
    if (status == BESD_OK)
        status = besd_study_trials(s, trials > MOST_CANDIDATES ? trials - MOST_CANDIDATES + 1 : 0,
                                   take_trial, c, error);
    if (status == BESD_OK)
        status = besd_study_forecast_many(s, c->thetas, c->taus, c->count, c->forecasts, error);
    return status;
}

/* How far apart two designs are: the largest difference of a coordinate, as a share of its box. */
static double distance(const candidates *c, const double *a, const double *b) {
    double most = 0;
    for (size_t i = 0; i < c->dimension; i++)
        most = fmax(most, fabs(a[i] - b[i]) / (c->options->high[i] - c->options->low[i]));
    return most;
}

static double worth(const candidates *c, size_t i) {
    return c->forecasts[i].mean - c->options->caution * c->forecasts[i].sd;
}

/* The best candidate that is far enough from the designs chosen so far; c->count: there is none. */
static size_t find_next(const candidates *c, const double *chosen, size_t count, double apart) {
    size_t best = c->count;
    for (size_t i = 1; i < c->count; i++) {
        bool far = true;
        for (size_t k = 0; far && k < count; k++) {
            const double away =
                distance(c, c->thetas + i * c->dimension, chosen + k * c->dimension);
            far = away > 0 && away >= apart;
        }
        if (far && (best == c->count || worth(c, i) > worth(c, best)))
            best = i;
    }
    return best;
}

besd_status besd_study_best_designs(besd_study *s, size_t count, double apart, double *thetas,
                                    besd_forecast *forecasts, size_t *found, besd_error *error) {
    besd_recommendation r;
    candidates c = {0};
    *found = 0;
    if (!(apart >= 0 && apart <= 1))
        return besd_fail(error, BESD_INVALID,
                         "apart: expected a share of the box in [0, 1], got %g", apart);
    if (count < 1)
        return besd_fail(error, BESD_INVALID, "count: expected at least 1 design, got 0");
    besd_status status = besd_study_recommend(s, &r, error);
    if (status == BESD_OK)
        status = find_candidates(&c, s, &r, error);
    for (size_t at = 0; status == BESD_OK && *found < count && at < c.count;
         at = find_next(&c, thetas, *found, apart)) {
        memcpy(thetas + *found * c.dimension, c.thetas + at * c.dimension,
               c.dimension * sizeof *thetas);
        forecasts[(*found)++] = c.forecasts[at];
    }
    free_candidates(&c);
    return status;
}
