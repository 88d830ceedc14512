/* The order of the choosers. The first chooser that is due decides (choose_trial):
 *
 *   1. initial      while the initial design is not complete; every second design of it is one of
 *                   the best of a source, if the study has sources (sources.h)
 *   2. random or bracket, for the methods that have no model
 *   3. uniform      while no trial is told, so that a model has nothing to learn from
 *   4. improvement, for the methods ei, ei-paper and lcb
 *
 * and for method besd, which spends each trial where it teaches most (choose_besd, advise):
 *
 *   5. confirm      the last part of the budget trains the best designs again. It goes first
 *                   of these, so that nothing else can spend that part. When the rest does not pay
 *                   for a training at the largest tau, the study is over: shorter ones would
 *                   change nothing that was confirmed.
 *   6. legs         paths of the most hopeful legs, until they have their share of the cost. They
 *                   find what a model of whole designs cannot see, so they go before that model.
 *   7. blindly      all trials have scored the same, and the model cannot tell designs apart; here,
 *                   too, the designs of sources take turns with others
 *   8. explore      the share of the trials that is spread over the space
 *   9. search       the largest knowledge gradient per cost (paper, section 4.2); only at the
 *                   largest tau, while that has had less than its minimum share of the trials
 *  10. unsure or exploit, when the search finds no trial that has a value
 *
 * The small choosers are here. Confirming and legs have files of their own. */
#include "study/choose.h"
#include "decide/latin.h"

#include "core/error.h"
#include "core/rng.h"
#include "decide/hyperband.h"
#include "decide/maximise.h"
#include "decide/targets.h"
#include "study/path.h"
#include "study/recommend.h"
#include "study/sources.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const method_info methods[] = {
    [BESD_METHOD_BESD] = {"besd", NULL, "knowledge gradient per cost over theta, tau and reps",
                          START_AT_EVERY_TAU, .cheap_start = true, .has_model = true,
                          .choose = choose_besd, .recommend = recommend_maximum},
    [BESD_METHOD_RANDOM] = {"random", "rnd", "a Latin hypercube as long as the budget",
                            START_AT_ONCE, .choose = choose_random,
                            .recommend = recommend_incumbent},
    [BESD_METHOD_EI] = {"ei", NULL, "expected improvement", START_AT_TAU_MAX, .has_model = true,
                        .choose = choose_improvement, .recommend = recommend_maximum},
    [BESD_METHOD_EI_PAPER] = {"ei-paper", NULL,
                              "expected improvement as the paper's authors ran it",
                              START_AT_TAU_MAX, .has_model = true, .choose = choose_improvement,
                              .recommend = recommend_maximum},
    [BESD_METHOD_LCB] = {"lcb", NULL, "confidence bound, mean and 2 sd", START_AT_TAU_MAX,
                         .has_model = true, .choose = choose_improvement,
                         .recommend = recommend_maximum},
    [BESD_METHOD_HYPERBAND] = {"hyperband", "hb", "successive halving over tau", START_AT_ONCE,
                               .choose = choose_bracket, .recommend = recommend_incumbent},
    [BESD_METHOD_HYPERBAND_PAPER] = {"hyperband-paper", "hb-paper",
                                     "Hyperband as the paper's authors ran it", START_AT_ONCE,
                                     .choose = choose_bracket,
                                     .recommend = recommend_incumbent_of_all},
};

enum { METHOD_COUNT = sizeof methods / sizeof *methods };

const method_info *method_describe(besd_method method) {
    return &methods[method];
}

const char *besd_method_name(size_t index) {
    return index < METHOD_COUNT ? methods[index].name : NULL;
}

int method_find(const char *name) {
    for (int i = 0; i < METHOD_COUNT; i++)
        if (!strcmp(methods[i].name, name) || (methods[i].alias && !strcmp(methods[i].alias, name)))
            return i;
    return -1;
}

bool choose_needs_model(const study_spec *spec, const evidence *e) {
    return method_describe(spec->options.method)->has_model && e->told && !initial_is_due(spec, e);
}

besd_status choose_trial(turn *t, besd_error *error) {
    const method_info *method = method_describe(t->spec->options.method);
    bool untaught =
        method->has_model && !t->evidence->told; /* the model has nothing to learn from */
    besd_status status = BESD_OK;
    if (initial_is_due(t->spec, t->evidence))
        status = choose_initial(t, error);
    else if (untaught)
        choose_uniform(t);
    else
        return method->choose(t, error);
    if (status == BESD_OK && untaught && method->start == START_AT_EVERY_TAU)
        turn_lower(t); /* a cheap trial is better than none */
    return status;
}

/* Climbs begin from the best two points of the discretisation: the second climb wins often enough,
 * a third hardly ever. */
enum { REFINED = 2 };

static bool tau_max_is_due(const study_spec *spec, const evidence *e) {
    double share = spec->options.tau_max_share;
    return share > 0 && (double)e->chosen_at_tau_max < share * (double)(e->chosen + 1);
}

/* The best trial of the discretisation, then of its neighbourhood. */
static besd_status search(const turn *t, kg_average *k, const kg_levers *levers, const double *best,
                          advice *a, besd_error *error) {
    size_t faced = t->task ? 1 : t->spec->tasks.own, turns = t->evidence->place_count;
    besd_status status =
        spec_has_tasks(t->spec)
            ? kg_average_search_tasks(k, (size_t)task_in_turn(t, turns), faced, a->candidates,
                                      BESD_MAX_CANDIDATES, &a->candidate_count, error)
            : kg_average_search(k, a->candidates, BESD_MAX_CANDIDATES, &a->candidate_count, error);
    if (status != BESD_OK)
        return status;
    a->evaluated = k->evaluated;
    a->kept = kg_average_kept(k);
    for (size_t i = 0; i < a->candidate_count; i++) {
        kg_choice choice = a->candidates[i];
        if (!t->spec->options.discrete && i < REFINED)
            status = kg_average_refine(k, &choice, error);
        if (status != BESD_OK)
            return status;
        if (i == 0 || choice.log_score > a->choice.log_score)
            a->choice = choice;
    }
    mixture_set_task(t->model, a->choice.task); /* the search has looked at others */
    a->worthless = exploit_is_due(t->model, a);
    if (a->worthless && t->spec->options.model == BESD_MODEL_AVERAGED)
        status = choose_unsure(t, levers, a, error);
    else if (a->worthless)
        choose_exploit(levers, best, t->spec->options.dimension, a);
    if (spec_has_tasks(t->spec))
        kg_average_face(k, (size_t)a->choice.task);
    kg_average_evaluate(k, a->choice.theta, a->log_kg);
    if (!a->worthless)
        advice_pick_levers(levers, a); /* the climb has moved theta */
    if (!a->worthless && t->explanation && !spec_has_tasks(t->spec))
        a->missed = exp(fmax(0, kg_average_best_score(k) - a->choice.log_score));
    return status;
}

/* Choosers 7 to 10. */
static besd_status advise(turn *t, advice *a, besd_error *error) {
    kg_levers levers;
    kg_average k = {0};
    double best[BESD_MAX_DIMENSION], mean;
    bool due = tau_max_is_due(t->spec, t->evidence);
    int64_t number = explore_due(t->spec, t->evidence, t->affordable);
    if (due && !advice_fill_levers(t->spec, t->affordable, true, &levers))
        due = false;
    if (!due && !advice_fill_levers(t->spec, t->affordable, false, &levers))
        return turn_stop_for_budget(t, spec_cost(t->spec, 0, 0), error);
    a->reason = due ? BESD_REASON_SHARE : BESD_REASON_KG;
    besd_status status =
        best_design(t->spec, t->model, t->evidence, t->targets, best, &mean, error);
    if (status == BESD_OK && spec_has_tasks(t->spec)) {
        a->choice.task = (int)task_in_turn(t, t->evidence->place_count);
        status = best_designs(t->spec, t->model, t->evidence, t->targets, error);
    }
    if (status == BESD_OK)
        status =
            kg_average_init(&k, t->model, &levers, t->targets->points, t->targets->count, error);
    if (status == BESD_OK && spec_has_tasks(t->spec))
        kg_average_face(&k, (size_t)a->choice.task);
    if (status == BESD_OK && explore_is_blind(t->spec, t->evidence))
        choose_blindly(t, &k, &levers, a);
    else if (status == BESD_OK && number >= 0)
        choose_explore(t, &k, &levers, number, a);
    else if (status == BESD_OK)
        status = search(t, &k, &levers, best, a, error);
    kg_average_free(&k);
    return status;
}

/* Ends the study when the value of the best trial is below the stopping value. Exploring trials are
 * not asked for because of their value, unless the search found no other. */
static besd_status check_value(turn *t, const advice *a, besd_error *error) {
    double least = t->spec->options.stop_below;
    bool explores = a->reason == BESD_REASON_EXPLORE && !a->worthless;
    if (!(least > 0) || explores || a->choice.log_score >= log(least))
        return BESD_OK;
    t->stop = BESD_STOP_VALUE;
    return besd_fail(error, BESD_DONE,
                     "the best knowledge gradient per cost is %g, below the stopping value %g",
                     exp(a->choice.log_score), least);
}

/* Confirms, or tries legs of, one task alone where there are tasks. */
static besd_status choose_alone(turn *t, bool confirms, bool *taken, besd_error *error) {
    evidence share;
    turn own = *t;
    bool tasks = spec_has_tasks(t->spec);
    besd_status status = BESD_OK;
    if (tasks) {
        int64_t task =
            confirms ? task_to_confirm(t) : task_in_turn(t, (size_t)t->evidence->chosen_for_legs);
        status = turn_of_task(t, task, &share, &own, error);
    }
    if (status != BESD_OK)
        return status;
    *taken = true;
    status = confirms ? choose_confirm(&own, error) : choose_legs(&own, taken, error);
    if (tasks)
        evidence_free(&share);
    return status;
}

/* Choosers 5 to 10. */
besd_status choose_besd(turn *t, besd_error *error) {
    advice a = {0};
    bool taken;
    if (confirm_is_due(t->spec, t->evidence, t->affordable))
        return choose_alone(t, true, &taken, error);
    if (confirm_is_over(t->spec, t->evidence, t->affordable))
        return turn_stop_for_budget(t, spec_cost(t->spec, (int)t->spec->options.tau_count - 1, 0),
                                    error);
    if (legs_are_due(t->spec, t->evidence, t->affordable)) {
        besd_status status = choose_alone(t, false, &taken, error);
        if (status != BESD_OK || taken)
            return status;
    }
    besd_status status = advise(t, &a, error);
    if (status == BESD_OK)
        status = check_value(t, &a, error);
    if (status != BESD_OK)
        return status;
    turn_take(t, a.choice.theta, a.choice.tau, a.choice.reps, a.reason);
    t->trial->task = a.choice.task;
    t->used_targets = true;
    mixture_set_task(t->model, a.choice.task);
    advice_explain(t, &a);
    return BESD_OK;
}

/* The initial design. The paper tries the same designs at every tau. Here every trial has a design
 * of its own unless `initial_crossed` says otherwise: the same number of trials sees more of the
 * space, and a model that shares what it learns between tau levels needs no pairs. */

/* Every initial design is tried at this many tau levels, counted from the largest. */
static size_t initial_levels(const besd_study_options *o) {
    switch (method_describe(o->method)->start) {
    case START_AT_EVERY_TAU:
        return o->tau_count;
    case START_AT_TAU_MAX:
        return 1;
    case START_AT_ONCE:
        break;
    }
    return 0;
}

size_t initial_trials(const besd_study_options *o) {
    return (size_t)o->initial_designs * initial_levels(o);
}

/* Does a share of the budget end the initial design? */
static bool initial_is_limited(const besd_study_options *o) {
    return o->method == BESD_METHOD_BESD && o->model == BESD_MODEL_AVERAGED && !isinf(o->budget);
}

double initial_cost(const besd_study_options *o) {
    double once = 0; /* one design at every tau */
    for (size_t t = o->tau_count - initial_levels(o); t < o->tau_count; t++)
        once += o->setup_cost + (double)o->taus[t] * o->initial_reps * o->interaction_price;
    double all = o->initial_designs * once;
    return initial_is_limited(o) ? fmin(all, fmax(once, o->initial_share * o->budget)) : all;
}

/* The tau level of a trial of the initial design. */
static int initial_tau(const besd_study_options *o, size_t levels, size_t place) {
    return (int)(o->tau_count - levels + place % levels);
}

bool initial_is_due(const study_spec *spec, const evidence *e) {
    const besd_study_options *o = &spec->options;
    size_t levels = initial_levels(o), place = e->place_count;
    /* Results from elsewhere count as initial trials. */
    if (!levels || place + e->added >= initial_trials(o) || e->chosen)
        return false;
    if (!initial_is_limited(o))
        return true;
    double next =
        spec_cost(spec, initial_tau(o, levels, place), spec_reps_level(spec, o->initial_reps));
    /* Every tau is tried once, unless it is too expensive and a model can choose already. */
    if (place < levels)
        return !e->told || next <= turn_affordable(spec, e);
    return e->spent + next <= o->initial_share * o->budget;
}

/* The next design of the sources that has not had its number of trials yet; false: there is none.
 */
static bool next_of_sources(const evidence *e, size_t trials_each, double *unit) {
    return e->sources && sources_design(e->sources, e->sourced / trials_each, unit);
}

besd_status choose_initial(turn *t, besd_error *error) {
    const besd_study_options *o = &t->spec->options;
    size_t levels = initial_levels(o), place = t->evidence->place_count;
    size_t trials_each = o->initial_crossed ? levels : 1;
    double best[BESD_MAX_DIMENSION];
    bool has_sources = t->evidence->sources && t->evidence->sources->count;
    if (spec_has_tasks(t->spec) && levels)
        t->trial->task = task_in_turn(t, place / levels / (has_sources ? 2 : 1));
    if (levels && place / levels % 2 == 0 && next_of_sources(t->evidence, trials_each, best)) {
        turn_take(t, best, initial_tau(o, levels, place), spec_reps_level(t->spec, o->initial_reps),
                  BESD_REASON_SOURCE);
        return BESD_OK;
    }
    size_t designs = levels ? initial_trials(o) / trials_each : 0;
    if (!levels || !designs)
        return besd_fail(error, BESD_INVALID, "initial design: the method has none");
    double *points = malloc(designs * o->dimension * sizeof *points);
    if (!points)
        return besd_fail_memory(error, "the initial design");
    latin_hypercube(o->seed, RNG_INITIAL_DESIGN, designs, o->dimension, points);
    size_t number = place / trials_each;
    path_cut(t->spec, number, points + number * o->dimension);
    turn_take(t, points + number * o->dimension, initial_tau(o, levels, place),
              spec_reps_level(t->spec, o->initial_reps), BESD_REASON_INITIAL);
    free(points);
    return BESD_OK;
}

/* Longer Latin hypercubes are hardly more even than independent points. */
static const double LONGEST_LATIN = 1e5;

void choose_uniform(turn *t) {
    const besd_study_options *o = &t->spec->options;
    double unit[BESD_MAX_DIMENSION];
    if (spec_has_tasks(t->spec))
        t->trial->task = task_in_turn(t, t->evidence->place_count);
    rng stream = rng_open(o->seed, RNG_CHOICE, (uint64_t)t->trial->id, 0, 1);
    for (size_t i = 0; i < o->dimension; i++)
        unit[i] = rng_uniform(&stream);
    turn_take_full(t, unit, BESD_REASON_RANDOM);
}

besd_status choose_random(turn *t, besd_error *error) {
    const besd_study_options *o = &t->spec->options;
    double unit[BESD_MAX_DIMENSION];
    double full = spec_cost(t->spec, (int)o->tau_count - 1, (int)o->reps_count - 1);
    double length = floor(o->budget * (1 + TURN_ROUNDING) / full);
    size_t place = t->evidence->place_count;
    if (!(length > (double)place && length < LONGEST_LATIN)) {
        choose_uniform(t);
        return BESD_OK;
    }
    double *axis = malloc((size_t)length * sizeof *axis);
    if (!axis)
        return besd_fail_memory(error, "the Latin hypercube");
    latin_point(o->seed, RNG_CHOICE, (size_t)length, o->dimension, place, axis, unit);
    free(axis);
    turn_take_full(t, unit, BESD_REASON_RANDOM);
    return BESD_OK;
}

/* The largest tau that is at most `units` times the smallest tau. */
static int64_t tau_of_resource(const study_spec *spec, int64_t units) {
    size_t level = spec->options.tau_count - 1;
    while (level > 0 && (double)spec->taus[level] > (double)spec->taus[0] * (double)units)
        level--;
    return spec->taus[level];
}

static besd_status take_new_design(turn *t, const hyperband_place *place, besd_error *error) {
    const besd_study_options *o = &t->spec->options;
    double *points = malloc(place->designs * o->dimension * sizeof *points);
    if (!points)
        return besd_fail_memory(error, "the designs of a bracket");
    uint64_t seed = rng_seed(o->seed, RNG_CHOICE, place->pass, (uint64_t)place->bracket, 2);
    latin_hypercube(seed, RNG_CHOICE, place->designs, o->dimension, points);
    turn_take_full(t, points + place->index * o->dimension, BESD_REASON_BRACKET);
    free(points);
    return BESD_OK;
}

static bool is_promoted(const evidence_place *promoted, size_t count, const besd_trial *t) {
    for (size_t i = 0; i < count; i++)
        if (!memcmp(promoted[i].record->trial.theta, t->theta, sizeof t->theta))
            return true;
    return false;
}

/* The best design of the previous rung that is not promoted yet. A trial that is not told counts as
 * worst. Scores that arrive late, from trials that run at the same time, count for the promotions
 * that follow. */
static besd_status promote(turn *t, const hyperband_place *place, besd_error *error) {
    const evidence_place *before = t->evidence->places + place->previous;
    double *scores = malloc(place->count * sizeof *scores);
    size_t *candidates = malloc(place->count * sizeof *candidates), count = 0;
    besd_status status = scores && candidates ? BESD_OK : besd_fail_memory(error, "a rung");
    for (size_t i = 0; status == BESD_OK && i < place->count; i++) {
        const trial_record *r = before[i].record;
        if (is_promoted(before + place->count, place->index, &r->trial))
            continue;
        scores[count] = r->trial.state == BESD_TRIAL_TOLD ? r->model_mean : NAN;
        candidates[count++] = i;
    }
    if (status == BESD_OK) {
        const besd_trial *best =
            &before[candidates[hyperband_survivor(scores, count)]].record->trial;
        memcpy(t->trial->theta, best->theta, sizeof t->trial->theta);
        t->trial->reps = best->reps;
        t->trial->reason = BESD_REASON_PROMOTED;
    }
    free(scores);
    free(candidates);
    return status;
}

besd_status choose_bracket(turn *t, besd_error *error) {
    hyperband_place place = hyperband_at(t->evidence->place_count);
    besd_status status = place.rung ? promote(t, &place, error) : take_new_design(t, &place, error);
    t->trial->tau = tau_of_resource(t->spec, place.resource);
    return status;
}

/* The usual width of a confidence bound, in standard deviations. */
static const double BOUND_WIDTH = 2;

/* GPyOpt's jitter, in standard deviations of the scores. */
static const double GPYOPT_JITTER = 0.01;

/* The best posterior mean at tau_max among the designs that were tried. */
static double best_tried(const mixture *model, const evidence *e) {
    const observations *o = &e->observed;
    double best = -INFINITY;
    for (size_t j = 0; j < e->rows; j++)
        best = fmax(best, mixture_predict(model, o->theta + j * o->dimension, 1, NULL, NULL));
    return best;
}

/* Expected improvement as the authors of the paper ran it: a jitter, and noise in the variance. */
static void imitate_gpyopt(const turn *t, improvement *a) {
    const besd_study_options *o = &t->spec->options;
    const evidence *e = t->evidence;
    double mean = 0, variance = 0, n = (double)e->rows;
    for (size_t j = 0; j < e->rows; j++)
        mean += e->observed.mean[j] / n;
    for (size_t j = 0; j < e->rows; j++)
        variance += (e->observed.mean[j] - mean) * (e->observed.mean[j] - mean) / n;
    a->jitter = GPYOPT_JITTER * sqrt(variance);
    a->noise = mixture_noise(t->model, (int)o->tau_count - 1, t->spec->reps[o->reps_count - 1]);
}

besd_status choose_improvement(turn *t, besd_error *error) {
    const besd_study_options *o = &t->spec->options;
    double unit[BESD_MAX_DIMENSION], mean;
    besd_status status =
        best_design(t->spec, t->model, t->evidence, t->targets, unit, &mean, error);
    if (status != BESD_OK)
        return status;
    bool bound = o->method == BESD_METHOD_LCB;
    improvement a = {.kind = bound ? IMPROVEMENT_BOUND : IMPROVEMENT_EXPECTED,
                     .width = BOUND_WIDTH,
                     .incumbent = best_tried(t->model, t->evidence)};
    if (o->method == BESD_METHOD_EI_PAPER)
        imitate_gpyopt(t, &a);
    status = improvement_maximise(t->model, &a, t->targets->points, t->targets->count, o->discrete,
                                  unit, error);
    if (status != BESD_OK)
        return status;
    turn_take_full(t, unit, bound ? BESD_REASON_BOUND : BESD_REASON_IMPROVEMENT);
    t->used_targets = true;
    return BESD_OK;
}

/* Are these means of the same score? Sums of many equal scores differ by rounding errors. */
static bool are_same(const observations *o, size_t i, size_t j) {
    double rounding = (o->reps[i] + o->reps[j]) * DBL_EPSILON * fabs(o->mean[j]);
    return fabs(o->mean[i] - o->mean[j]) <= rounding;
}

double explore_flatness(const evidence *e) {
    size_t worst = 0, same = 0;
    for (size_t j = 1; j < e->rows; j++)
        if (e->observed.mean[j] < e->observed.mean[worst])
            worst = j;
    for (size_t j = 0; j < e->rows; j++)
        same += are_same(&e->observed, worst, j);
    return e->rows ? (double)same / (double)e->rows : 0;
}

bool explore_is_blind(const study_spec *spec, const evidence *e) {
    if (spec->options.model != BESD_MODEL_AVERAGED || e->told < 2)
        return false;
    for (size_t j = 1; j < e->rows; j++)
        if (!are_same(&e->observed, 0, j))
            return false;
    return true;
}

/* One in 1 / explore of the chosen trials explores, until the search is over. Legs go first; an
 * exploring trial that falls on the turn of legs is not made up for. */
int64_t explore_due(const study_spec *spec, const evidence *e, double affordable) {
    const besd_study_options *o = &spec->options;
    double chosen = (double)e->chosen;
    double before = floor(chosen * o->explore), after = floor((chosen + 1) * o->explore);
    return after > before && !turn_search_is_over(spec, affordable) ? (int64_t)before : -1;
}

/* The fixed discretisation is a Latin hypercube, so its points, one after the other, are spread
 * evenly. */
static void spread_design(const turn *t, int64_t number, double *theta) {
    const targets *all = t->targets;
    memcpy(theta, all->points + (size_t)number % all->fixed * all->dimension,
           all->dimension * sizeof *theta);
    path_cut(t->spec, (size_t)number, theta);
}

void choose_explore(const turn *t, kg_average *k, const kg_levers *levers, int64_t number,
                    advice *a) {
    double theta[BESD_MAX_DIMENSION];
    spread_design(t, number, theta);
    kg_average_evaluate(k, theta, a->log_kg);
    choose_exploit(levers, theta, t->targets->dimension, a); /* if no levers have a value */
    a->reason = BESD_REASON_EXPLORE;
    advice_pick_levers(levers, a);
}

/* The cost of the trials at each tau so far. */
static void count_costs(const turn *t, double *spent) {
    for (size_t i = 0; i < t->evidence->count; i++) {
        const besd_trial *trial = &t->evidence->trials[i].trial;
        spent[spec_tau_level(t->spec, trial->tau)] += trial->cost;
    }
}

/* Nobody knows how long a training must be to show a difference. So every tau gets the same share
 * of the cost: many short trainings, and a long one now and then. */
void choose_blindly(const turn *t, kg_average *k, const kg_levers *levers, advice *a) {
    double theta[BESD_MAX_DIMENSION], least = INFINITY, spent[KG_MAX_LEVELS] = {0};
    bool sourced = t->evidence->place_count % 2 == 0 && next_of_sources(t->evidence, 1, theta);
    if (!sourced)
        spread_design(t, t->evidence->chosen, theta);
    count_costs(t, spent);
    kg_average_evaluate(k, theta, a->log_kg);
    memcpy(a->choice.theta, theta, t->targets->dimension * sizeof *theta);
    for (int tau = 0; tau < levers->tau_count; tau++)
        for (int reps = 0; reps < levers->reps_count; reps++)
            if (spent[tau] + levers->cost[tau][reps] < least) {
                least = spent[tau] + levers->cost[tau][reps];
                a->choice.tau = tau;
                a->choice.reps = reps;
                a->choice.log_kg = a->log_kg[tau * levers->reps_count + reps];
            }
    a->choice.log_score = a->choice.log_kg - log(levers->cost[a->choice.tau][a->choice.reps]);
    a->reason = sourced ? BESD_REASON_SOURCE : BESD_REASON_EXPLORE;
    a->why = "all trials have scored the same, so designs are spread over the space and costs over "
             "the trainings";
}

/* A knowledge gradient below this share of the prior standard deviation is a rounding error: the
 * trial changes nothing. */
static const double NEGLIGIBLE = 1e-12;

bool exploit_is_due(const mixture *model, const advice *a) {
    double log_prior_sd = 0.5 * log(mixture_prior_variance(model));
    return !a->candidate_count || a->choice.log_kg < log_prior_sd + log(NEGLIGIBLE);
}

void choose_exploit(const kg_levers *levers, const double *unit, size_t dimension, advice *a) {
    a->reason = BESD_REASON_EXPLOIT;
    memcpy(a->choice.theta, unit, dimension * sizeof *unit);
    for (int t = levers->tau_count - 1; t >= 0; t--)
        for (int r = 0; r < levers->reps_count; r++)
            if (isfinite(levers->cost[t][r])) {
                a->choice.tau = t;
                a->choice.reps = r;
                a->choice.log_kg = a->choice.log_score = -INFINITY;
                return;
            }
}

besd_status choose_unsure(const turn *t, const kg_levers *levers, advice *a, besd_error *error) {
    const targets *all = t->targets;
    size_t unsure = 0, n = all->count;
    double *shares = calloc(3 * n, sizeof *shares);
    if (!shares)
        return besd_fail_memory(error, "the model's doubts");
    double *means = shares + n, *variances = means + n;
    for (size_t c = 0; c < n; c++)
        shares[c] = 1;
    besd_status status =
        mixture_predict_many(t->model, all->points, shares, n, means, variances, error);
    for (size_t c = 1; status == BESD_OK && c < n; c++)
        if (variances[c] > variances[unsure])
            unsure = c;
    free(shares);
    choose_exploit(levers, all->points + unsure * all->dimension, all->dimension, a);
    a->reason = BESD_REASON_EXPLORE;
    a->why = "no trial promises to change the recommendation, so the least known design is tried";
    return status;
}
