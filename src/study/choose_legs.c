/* Trials at paths that are composed of the most hopeful legs (legs.h). */
#include "study/choose.h"

#include "study/leg_paths.h"
#include "study/legs.h"
#include "study/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A leg is worth its mean and this many standard deviations. That sends trials to places where no
 * trial has been. Half as many find less; half as many again are too curious. */
static const double HOPE = 2;

/* A path is tried at most this many times. */
enum { MOST_TIMES = 4 };

/* One in this many trials for legs is a full training, the others are the shortest: whether a leg
 * works shows early. */
enum { FULL_EVERY = 4 };

/* Where a larger share of the trials scores as badly as the worst, the model of legs is
 * near-sighted in every second round of FULL_EVERY trials. */
static const double FLAT = 0.5;

/* Points with more coordinates than this are named by their number. */
enum { MOST_NAMED = 3 };

/* The more trials score as badly as the worst, the less do scores say about designs, and the larger
 * is the share of the cost that goes to legs. */
bool legs_are_due(const study_spec *spec, const evidence *e, double affordable) {
    const besd_study_options *o = &spec->options;
    return o->legs > 0 && o->model == BESD_MODEL_AVERAGED && e->legs &&
           !turn_search_is_over(spec, affordable) &&
           e->legs_cost <= fmax(o->legs, explore_flatness(e)) * e->chosen_cost;
}

/* Point k of a path in words: "the start", "(2.5, 3.5)", "the end". */
static void name_point(const study_spec *spec, const double *theta, size_t k, char *text,
                       size_t size) {
    const besd_path *p = &spec->path;
    double place[BESD_MAX_COORDINATES], numbers[BESD_MAX_COORDINATES];
    if (k == 0 || k > p->points || p->coordinates > MOST_NAMED) {
        snprintf(text, size, k == 0 ? "the start" : k > p->points ? "the end" : "point %zu", k);
        return;
    }
    path_point(spec, theta, k, place);
    path_numbers(spec, place, numbers);
    size_t length = (size_t)snprintf(text, size, "(");
    for (size_t i = 0; i < p->coordinates && length < size; i++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%.4g", i ? ", " : "", numbers[i]);
    if (length < size)
        snprintf(text + length, size - length, ")");
}

static leg_sight sight_for(const evidence *e) {
    bool second = e->chosen_for_legs / FULL_EVERY % 2 == 1;
    return second && explore_flatness(e) > FLAT ? LEG_SIGHT_NEAR : LEG_SIGHT_LEARNT;
}

static void explain(const turn *t, leg_sight sight, const leg_path *path) {
    const study_spec *spec = t->spec;
    besd_explanation *x = t->explanation;
    const char *how = sight == LEG_SIGHT_NEAR ? ", near-sighted as most trials fail" : "";
    char from[48], to[48];
    if (!x)
        return;
    memset(x, 0, sizeof *x);
    bool is_time = spec->options.direction == BESD_MINIMIZE;
    double side = is_time ? path->doubt : -path->doubt;
    double low = legs_in_units(spec, path->doubtful_mean + side);
    double high = legs_in_units(spec, path->doubtful_mean - side);
    if (is_time) { /* a time is possible only in this range */
        low = fmax(low, 0);
        high = fmin(high, spec->path.cap);
    }
    name_point(spec, path->theta, path->doubtful, from, sizeof from);
    name_point(spec, path->theta, path->doubtful + 1, to, sizeof to);
    int length = snprintf(
        x->why, sizeof x->why,
        "a path of the most hopeful legs, each at its mean and %g sd%s; as expected they make "
        "%.4g. "
        "It teaches most of leg %zu of %zu, from %s to %s, which should %s %.3g to %.3g",
        HOPE, how, path->promise, path->doubtful + 1, spec->path.points + 1, from, to,
        is_time ? "take" : "earn", low, high);
    if (length >= (int)sizeof x->why)
        snprintf(x->why, sizeof x->why,
                 "a path of the most hopeful legs%s; it teaches most of leg %zu of %zu", how,
                 path->doubtful + 1, spec->path.points + 1);
}

besd_status choose_legs(turn *t, bool *taken, besd_error *error) {
    const study_spec *spec = t->spec;
    const evidence *e = t->evidence;
    leg_model model;
    leg_path path;
    *taken = false;
    leg_sight sight = sight_for(e);
    besd_status status = leg_model_init(spec, t->all ? t->all : e, sight, t->legs, &model, error);
    if (status != BESD_OK || !model.known)
        return status;
    leg_model_set_task(&model, spec_task(spec, t->trial));
    status = leg_paths_compose(spec, e, &model, spec->path.points, HOPE, MOST_TIMES, &path, taken,
                               error);
    leg_model_free(&model);
    if (status != BESD_OK || !*taken)
        return status;
    int last = (int)spec->options.tau_count - 1;
    bool full = e->chosen_for_legs % FULL_EVERY == FULL_EVERY - 1 &&
                spec_cost(spec, last, 0) <= t->affordable;
    memcpy(t->trial->theta, path.theta, spec->options.dimension * sizeof *path.theta);
    t->trial->tau = spec->taus[full ? last : 0];
    t->trial->reps = spec->reps[0];
    t->trial->reason = BESD_REASON_LEGS;
    explain(t, sight, &path);
    return BESD_OK;
}
