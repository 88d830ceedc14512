#include "serve/hindsight.h"

#include "core/error.h"
#include "serve/ended.h"
#include "study/method.h"

#include <math.h>
#include <stdlib.h>

/* So few trials say nothing; so many parts of a curve are enough. */
enum { FEWEST = 3, PARTS = 12 };

int64_t hindsight_next(const recommendations *known, int64_t told) {
    int64_t before = FEWEST - 1, widest = told / PARTS > 1 ? told / PARTS : 1, middle = 0;
    for (size_t i = 0; i <= known->count; i++) {
        int64_t here = i < known->count && known->of[i].trials < told ? known->of[i].trials : told;
        if (here - before > widest) {
            widest = here - before;
            middle = before + (here - before) / 2;
        }
        before = here > before ? here : before;
    }
    return told <= HINDSIGHT_MOST && middle >= FEWEST ? middle : 0;
}

static besd_status copy_legs(besd_study *study, const ended_trial *e, size_t scores,
                             besd_leg **legs, besd_error *error) {
    besd_path p;
    size_t count = 0;
    besd_study_get_path(study, &p);
    *legs = NULL;
    if (!p.points)
        return BESD_OK;
    *legs = malloc(scores * (p.points + 1) * sizeof **legs);
    if (!*legs)
        return besd_fail_memory(error, "the legs");
    besd_status status =
        besd_study_legs(study, e->id, *legs, scores * (p.points + 1), &count, error);
    if (!count) {
        free(*legs);
        *legs = NULL;
    }
    return status;
}

static besd_status copy_trial(besd_study *study, const ended_trial *e, besd_study *copy,
                              besd_error *error) {
    double scores[BESD_MAX_REPS];
    besd_trial t;
    besd_leg *legs;
    size_t count = 0;
    int64_t id;
    besd_status status = besd_study_trial(study, e->id, &t, error);
    if (status == BESD_OK)
        status = besd_study_scores(study, e->id, scores, BESD_MAX_REPS, &count, error);
    if (status == BESD_OK && !count)
        return besd_fail(error, BESD_UNSUPPORTED,
                         "trial %lld was told as a summary, without scores", (long long)e->id);
    if (status == BESD_OK)
        status = copy_legs(study, e, count, &legs, error);
    if (status != BESD_OK)
        return status;
    besd_result r = {.theta = t.theta,
                     .tau = t.tau,
                     .scores = scores,
                     .count = count,
                     .cost = t.cost,
                     .legs = legs};
    status = besd_study_add(copy, &r, 1, &id, error);
    free(legs);
    return status;
}

/* A study in memory with the same space and options, and no limit. */
static besd_status begin_copy(besd_study *study, besd_study **copy, besd_error *error) {
    besd_study_options o = *besd_study_get_options(study);
    besd_path p;
    o.budget = INFINITY;
    besd_study_get_path(study, &p);
    besd_status status = besd_study_open(copy, NULL, &o, error);
    return status == BESD_OK && p.points ? besd_study_set_path(*copy, &p, error) : status;
}

besd_status hindsight_recommend(besd_study *study, int64_t told, besd_recommendation *r,
                                besd_error *error) {
    besd_study *copy = NULL;
    ended_trial *list = NULL;
    size_t count = 0;
    const besd_study_options *o = besd_study_get_options(study);
    if (!method_describe(o->method)->has_model)
        return besd_fail(error, BESD_UNSUPPORTED, "the method %s has no model to look back with",
                         besd_method_name((size_t)o->method));
    besd_status status = ended_read(study, &list, &count, error);
    if (status == BESD_OK)
        status = begin_copy(study, &copy, error);
    for (size_t i = 0; status == BESD_OK && told > 0 && i < count; i++)
        if (list[i].told) {
            status = copy_trial(study, &list[i], copy, error);
            told--;
        }
    if (status == BESD_OK)
        status = besd_study_recommend(copy, r, error);
    besd_study_close(copy);
    free(list);
    return status;
}
