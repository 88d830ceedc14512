/* A step is cut into parts; all lanes do one part before any does the next. Each part is a short
 * chain of dependent instructions, so that several lanes fit into the processor's window. Nothing
 * is read twice: the action values where the agent is are carried over, and after learning only the
 * value that moved is summed again. Exploring, ties and tile borders take no branch.
 *
 * Cost: on the mountain car some 50 ns an interaction at 3.5 GHz; agent.c takes 100. About 20 of
 * them go to the environment (its cosine is hard to predict: three formulas, by where the car is)
 * and 9 to the potential (an exponential), through calls that any environment and design need.
 *
 * Tried and dropped, in ns an interaction: look_again and decide in one loop, +8, because reading
 * 16 bytes of which 8 were just written waits for the write; move and judge in one loop, +3;
 * look_ahead and learn in one loop, +1; asking subgoals_reached at every move, +1; one loop that
 * takes a different lane through each part, +10; groups of two or four lanes instead of eight,
 * calls of `step` unrolled by lane, sums that begin with the first weight instead of 0: nothing.
 */
#include "learn/tile_crew.h"

#include "core/error.h"
#include "learn/subgoals.h"
#include "learn/tiles.h"

#include <stdlib.h>
#include <string.h>

#define RARELY(condition) __builtin_expect((condition), 0)

enum { MAX_WEIGHTS = 1 << 20 }; /* of one stage of one lane; beyond, caches do not help anyway */

/* Where an agent is, or where its move leads. */
typedef struct tile_place {
    _Alignas(16) uint32_t tile[TILES_MAX_TILINGS];
    besd_env_outcome outcome;
} tile_place;

typedef struct lane {
    _Alignas(64) double values[BESD_ENV_MAX_ACTIONS]; /* of the actions, where the agent is */
    double *weights;                                  /* of the stage */
    double *chosen; /* the same from the action on; before `learn`, of the stage it acted in */
    double step_size, reward, old, largest;
    double target; /* a move that stays on one side of it reaches no subgoal */
    subgoals_progress progress;
    int action;
    const besd_env_methods *methods;
    besd_env *env, *evaluation_env;
    tile_place places[2]; /* before interaction t, counted from 0, the agent is at number t % 2 */
    double *all_weights;
    int64_t goals_reached;
} lane;

struct tile_crew {
    lane lanes[TILE_CREW_LANES];
    lockstep_random random;
    lockstep_picks picks;
    tile_layout layout;
    uint64_t multiplier;
    const besd_env_spec *spec;
    const subgoals *goals;
    const learning *learning;
};

bool tile_crew_serves(const besd_env_spec *spec, const learning *l) {
    return spec->states == 0 && l->method == LEARNING_Q &&
           tile_layout_size(spec, l->tilings, l->tiles) <= MAX_WEIGHTS;
}

void tile_crew_destroy(tile_crew *c) {
    if (!c)
        return;
    for (int i = 0; i < TILE_CREW_LANES; i++)
        free(c->lanes[i].all_weights);
    tile_layout_free(&c->layout);
    free(c);
}

static size_t weight_count(const tile_crew *c) {
    return c->layout.per_stage * (size_t)(c->goals->count + 1);
}

besd_status tile_crew_create(const besd_env_spec *spec, const subgoals *goals, const learning *l,
                             tile_crew **created, besd_error *error) {
    tile_crew *c = aligned_alloc(64, sizeof *c);
    if (!c)
        return besd_fail_memory(error, "a crew of agents");
    memset(c, 0, sizeof *c);
    c->spec = spec;
    c->goals = goals;
    c->learning = l;
    c->multiplier = choice_multiplier(spec->actions);
    lockstep_picks_init(&c->picks);
    besd_status status = tile_layout_init(&c->layout, spec, l->tilings, l->tiles, error);
    for (int i = 0; status == BESD_OK && i < TILE_CREW_LANES; i++) {
        size_t bytes = weight_count(c) * sizeof(double);
        c->lanes[i].all_weights = aligned_alloc(64, (bytes + 63) / 64 * 64);
        if (!c->lanes[i].all_weights)
            status = besd_fail_memory(error, "a crew's weights");
    }
    if (status != BESD_OK) {
        tile_crew_destroy(c);
        return status;
    }
    *created = c;
    return BESD_OK;
}

static double *weights_of(const tile_crew *c, const lane *a, int stage) {
    return a->all_weights + (size_t)stage * c->layout.per_stage;
}

const double *tile_crew_weights(const tile_crew *c, int index, int stage, int64_t feature) {
    return weights_of(c, &c->lanes[index], stage) + tile_layout_index(&c->layout, feature);
}

TILE_INLINE double largest_of(const double *values, tile_shape s) {
    double largest;
    if (s.actions != 3)
        return choice_largest(values, s.actions);
    lockstep_best(values, &largest);
    return largest;
}

TILE_INLINE int choose(const tile_crew *c, const double *values, tile_shape s, uint64_t threshold,
                       uint64_t random) {
    double largest;
    if (s.actions != 3)
        return choice_take(choice_best(values, s.actions), s.actions, c->multiplier, threshold,
                           random);
    return lockstep_take(&c->picks, lockstep_best(values, &largest), 3, threshold, random);
}

static besd_status check_outcome(const lane *a, const besd_env_outcome *out, int dimension,
                                 besd_error *error) {
    const char *failure =
        a->methods->failure && !isfinite(out->reward) ? a->methods->failure(a->env) : NULL;
    if (failure)
        return besd_fail(error, BESD_ENVIRONMENT, "environment %s: %s", a->methods->name, failure);
    if (!isfinite(out->reward))
        return besd_fail(error, BESD_ENVIRONMENT, "environment %s: the reward is %g",
                         a->methods->name, out->reward);
    for (int i = 0; i < dimension; i++)
        if (!isfinite(out->observation[i]))
            return besd_fail(error, BESD_ENVIRONMENT, "environment %s: observation[%d] is %g",
                             a->methods->name, i, out->observation[i]);
    return BESD_OK;
}

/* A sum is finite only if all its terms are. */
TILE_INLINE bool surely_finite(const besd_env_outcome *out, int dimension) {
    double sum = out->reward;
    for (int i = 0; i < dimension; i++)
        sum += out->observation[i];
    return sum * 0 >= 0;
}

/* What else changes with the stage. */
static void follow_stage(const tile_crew *c, lane *a) {
    const subgoals *g = c->goals;
    const int stage = a->progress.stage;
    a->weights = weights_of(c, a, stage);
    if (stage >= g->count)
        a->target = INFINITY; /* every move stays on its one side */
    else
        a->target = g->reach == BESD_SUBGOALS_CROSS ? g->target[stage][0] : NAN; /* no move does */
}

static besd_status begin_episode(const tile_crew *c, lane *a, tile_place *here, besd_error *error) {
    const tile_shape s = c->layout.shape;
    a->methods->reset(a->env, &here->outcome);
    besd_status status = check_outcome(a, &here->outcome, s.dimension, error);
    if (status != BESD_OK)
        return status;
    a->progress = subgoals_progress_at(c->goals, 0, here->outcome.observation);
    follow_stage(c, a);
    tile_find(&c->layout, s, here->outcome.observation, here->tile);
    tile_read_all(a->weights, here->tile, s, a->values);
    return BESD_OK;
}

static void set_initial_weights(const tile_crew *c, lane *a, rng noise) {
    const learning *l = c->learning;
    const double part = 1.0 / c->layout.shape.tilings;
    const size_t actions = (size_t)c->layout.shape.actions, stride = c->layout.stride;
    for (size_t i = 0; i < weight_count(c); i += stride)
        for (size_t k = 0; k < stride; k++)
            a->all_weights[i + k] = k < actions ? part * l->initial_value : -INFINITY;
    for (int stage = 0; l->initial_noise > 0 && stage <= c->goals->count; stage++)
        for (int64_t feature = 0; feature < tiles_count(&c->layout.coder); feature++) {
            double *weights = weights_of(c, a, stage) + tile_layout_index(&c->layout, feature);
            for (size_t k = 0; k < actions; k++)
                weights[k] = part * (l->initial_value + l->initial_noise * rng_normal(&noise));
        }
}

besd_status tile_crew_place(tile_crew *c, int index, const besd_env_methods *methods, besd_env *env,
                            besd_env *evaluation_env, const agent_seeds *seeds, besd_error *error) {
    lane *a = &c->lanes[index];
    rng choices = seeds->choices;
    a->methods = methods;
    a->env = env;
    a->evaluation_env = evaluation_env;
    a->goals_reached = 0;
    a->step_size = learning_alpha(c->learning, 0);
    set_initial_weights(c, a, seeds->initial);
    methods->seed(env, seeds->dynamics);
    besd_status status = begin_episode(c, a, &a->places[0], error);
    if (status != BESD_OK)
        return status;
    a->action = choose(c, a->values, c->layout.shape, choice_threshold(c->learning->epsilon_start),
                       rng_next(&choices));
    a->chosen = a->weights + a->action;
    lockstep_random_set(&c->random, index, &choices);
    return BESD_OK;
}

/* The parts of a step, each of which all lanes do before any does the next. */
TILE_INLINE void move(lane *a, tile_place *next) {
    a->methods->step(a->env, a->action, &next->outcome);
}

/* The same for all lanes in one call, where the environment offers it. */
static void move_many(const besd_env_methods *methods, lane *const *lanes, int count, int next) {
    besd_env *envs[TILE_CREW_LANES];
    besd_env_outcome *outs[TILE_CREW_LANES];
    int actions[TILE_CREW_LANES];
    for (int i = 0; i < count; i++) {
        envs[i] = lanes[i]->env;
        actions[i] = lanes[i]->action;
        outs[i] = &lanes[i]->places[next].outcome;
    }
    methods->step_many(envs, actions, outs, count);
}

/* The reward with shaping. */
TILE_INLINE void judge(const tile_crew *c, lane *a, const besd_env_outcome *out, double gamma) {
    a->reward =
        out->reward + shaping_pay(c->goals, &a->progress, gamma, out->observation, out->terminated);
}

/* The stage and the tiles to which the move leads. */
TILE_INLINE besd_status perceive(const tile_crew *c, lane *a, const tile_place *here,
                                 tile_place *next, tile_shape s, besd_error *error) {
    const double *from = here->outcome.observation, *to = next->outcome.observation;
    if (RARELY(!surely_finite(&next->outcome, s.dimension))) {
        besd_status status = check_outcome(a, &next->outcome, s.dimension, error);
        if (status != BESD_OK)
            return status;
    }
    if (RARELY(!((from[0] - a->target) * (to[0] - a->target) > 0)) &&
        shaping_advance(c->goals, &a->progress, from, to))
        follow_stage(c, a);
    tile_find(&c->layout, s, to, next->tile);
    return BESD_OK;
}

TILE_INLINE void look_ahead(lane *a, const tile_place *next, tile_shape s) {
    a->old = a->values[a->action];
    a->largest = 0;
    if (RARELY(next->outcome.terminated))
        return;
    tile_read_all(a->weights, next->tile, s, a->values);
    a->largest = largest_of(a->values, s);
}

TILE_INLINE besd_status learn(const tile_crew *c, lane *a, const tile_place *here, tile_place *next,
                              tile_shape s, double gamma, besd_error *error) {
    const besd_env_outcome *out = &next->outcome;
    besd_status status = BESD_OK;
    double target = a->reward + gamma * a->largest;
    tile_add(a->chosen, here->tile, s, a->step_size * (target - a->old));
    if (RARELY(out->terminated | out->truncated)) {
        if (out->terminated)
            a->step_size = learning_alpha(c->learning, ++a->goals_reached);
        status = begin_episode(c, a, next, error);
    }
    a->chosen = a->weights + a->action;
    return status;
}

/* The value of the last action is the only one that learning can have moved. */
TILE_INLINE void look_again(lane *a, const tile_place *here, tile_shape s) {
    a->values[a->action] = tile_read(a->chosen, here->tile, s);
}

TILE_INLINE void decide(const tile_crew *c, lane *a, tile_shape s, uint64_t threshold,
                        uint64_t random) {
    a->action = choose(c, a->values, s, threshold, random);
    a->chosen = a->weights + a->action;
}

/* `first` is the interaction to which the first row of c->random belongs. */
TILE_INLINE besd_status train(tile_crew *c, tile_shape s, int lanes, int64_t first, int64_t from,
                              int64_t to, uint64_t threshold, besd_error *error) {
    const double gamma = c->learning->gamma;
    lane *const end = c->lanes + lanes, *all[TILE_CREW_LANES];
    const bool at_once = c->lanes[0].methods->step_many != NULL;
    besd_status status = BESD_OK;
    for (int i = 0; i < lanes; i++)
        all[i] = &c->lanes[i];
    for (int64_t t = from; t < to; t++) {
        const int here = (int)(t & 1), next = 1 - here;
        const uint64_t *random = c->random.next[t - first];
        if (RARELY(at_once))
            move_many(c->lanes[0].methods, all, lanes, next);
        for (lane *a = c->lanes; a < end && !at_once; a++)
            move(a, &a->places[next]);
        for (lane *a = c->lanes; a < end; a++)
            judge(c, a, &a->places[next].outcome, gamma);
        for (lane *a = c->lanes; a < end && status == BESD_OK; a++)
            status = perceive(c, a, &a->places[here], &a->places[next], s, error);
        if (status != BESD_OK)
            return status;
        for (lane *a = c->lanes; a < end; a++)
            look_ahead(a, &a->places[next], s);
        for (lane *a = c->lanes; a < end && status == BESD_OK; a++)
            status = learn(c, a, &a->places[here], &a->places[next], s, gamma, error);
        if (status != BESD_OK)
            return status;
        for (lane *a = c->lanes; a < end; a++)
            look_again(a, &a->places[next], s);
        for (lane *a = c->lanes; a < end; a++)
            decide(c, a, s, threshold, *random++);
    }
    return BESD_OK;
}

/* The mountain car's shape, as constants. */
static const tile_shape common = {.tilings = 8, .actions = 3, .dimension = 2};

static bool is_common(tile_shape s) {
    return s.tilings == common.tilings && s.actions == common.actions &&
           s.dimension == common.dimension;
}

besd_status tile_crew_train(tile_crew *c, int lanes, int64_t from, int64_t to, int64_t total,
                            besd_error *error) {
    const learning *l = c->learning;
    const tile_shape s = c->layout.shape;
    besd_status status = BESD_OK;
    for (int64_t first = from; status == BESD_OK && first < to; first += LOCKSTEP_BLOCK) {
        int64_t last = first + LOCKSTEP_BLOCK < to ? first + LOCKSTEP_BLOCK : to;
        int64_t steps = l->epsilon_start == l->epsilon_end ? last - first : 1;
        lockstep_random_fill(&c->random, (int)(last - first));
        for (int64_t t = first; status == BESD_OK && t < last; t += steps) {
            uint64_t threshold = choice_threshold(learning_epsilon(l, t, total));
            status = is_common(s) ? train(c, common, lanes, first, t, t + steps, threshold, error)
                                  : train(c, s, lanes, first, t, t + steps, threshold, error);
        }
    }
    return status;
}

/* One greedy episode. */
typedef struct test_run {
    lane agent; /* a copy that moves in the evaluation handle and reads the same weights */
    agent_episode *episode;
    rng choices;
    double discount;
} test_run;

static besd_status begin_test(const tile_crew *c, test_run *r, const lane *a,
                              const agent_seeds *seeds, agent_episode *episode, besd_error *error) {
    *r = (test_run){.agent = *a, .episode = episode, .choices = seeds->choices, .discount = 1};
    *episode = (agent_episode){0};
    r->agent.env = a->evaluation_env;
    a->methods->seed(a->evaluation_env, seeds->dynamics);
    return begin_episode(c, &r->agent, &r->agent.places[0], error);
}

/* Counts a move; true when it was the last. */
static inline bool end_test_step(test_run *r, const besd_env_outcome *out, double gamma) {
    episode_move(r->episode, out->reward, &r->discount, gamma);
    if (r->agent.progress.stage > r->episode->stage)
        episode_advance(r->episode);
    r->episode->reached_goal = out->terminated;
    return out->terminated || out->truncated;
}

TILE_INLINE besd_status test(const tile_crew *c, tile_shape s, test_run *runs, int running,
                             besd_error *error) {
    for (int64_t t = 0; running > 0; t++) {
        const int here = (int)(t & 1), next = 1 - here;
        if (t == c->spec->cap)
            return besd_fail(error, BESD_ENVIRONMENT,
                             "environment %s: expected truncation after the cap of %lld steps",
                             runs[0].agent.methods->name, (long long)t);
        lane *all[TILE_CREW_LANES];
        const bool at_once = runs[0].agent.methods->step_many != NULL;
        for (int i = 0; i < running; i++) {
            lane *a = all[i] = &runs[i].agent;
            a->action = choose(c, a->values, s, 0, rng_next(&runs[i].choices));
            if (!at_once)
                move(a, &a->places[next]);
        }
        if (at_once)
            move_many(runs[0].agent.methods, all, running, next);
        for (int i = running - 1; i >= 0; i--) {
            lane *a = &runs[i].agent;
            tile_place *to = &a->places[next];
            besd_status status = perceive(c, a, &a->places[here], to, s, error);
            if (status != BESD_OK)
                return status;
            tile_read_all(a->weights, to->tile, s, a->values);
            if (end_test_step(&runs[i], &to->outcome, c->learning->gamma))
                runs[i] = runs[--running];
        }
    }
    return BESD_OK;
}

besd_status tile_crew_evaluate(tile_crew *c, int lanes, const agent_seeds *seeds,
                               agent_episode *episodes, besd_error *error) {
    const tile_shape s = c->layout.shape;
    test_run runs[TILE_CREW_LANES];
    for (int i = 0; i < lanes; i++) {
        besd_status status = begin_test(c, &runs[i], &c->lanes[i], &seeds[i], &episodes[i], error);
        if (status != BESD_OK)
            return status;
    }
    return is_common(s) ? test(c, common, runs, lanes, error) : test(c, s, runs, lanes, error);
}
