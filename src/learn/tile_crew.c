#include "learn/tile_crew.h"

#include "core/error.h"
#include "learn/tiles.h"

#include <stdlib.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef double pair __attribute__((vector_size(16), may_alias));
typedef uint32_t four __attribute__((vector_size(16), may_alias));

typedef struct place {
    _Alignas(16) uint32_t tile[TILES_MAX_TILINGS];
    besd_env_outcome outcome;
} place;

typedef struct lane {
    _Alignas(64) double values[BESD_ENV_MAX_ACTIONS];
    double *weights; /* of the stage */
    double *chosen;
    double potential, step_size, target, reward, largest;
    int action, stage;
    const besd_env_methods *methods;
    besd_env *env, *evaluation_env;
    place places[2];
    int64_t goals_reached;
    double *all_weights;
} lane;

struct tile_crew {
    lane lanes[TILE_CREW_LANES];
    lockstep_random random;
    lockstep_picks picks;
    tile_coder coder;
    const besd_env_spec *spec;
    const subgoals *goals;
    const learning *learning;
    int stride, width;
    uint64_t multiplier;
    size_t per_stage;
    uint32_t *share[BESD_ENV_MAX_OBSERVATION];
};

bool tile_crew_serves(const besd_env_spec *spec, const learning *l) {
    return spec->states == 0 && l->method == LEARNING_Q;
}

void tile_crew_destroy(tile_crew *c) {
    if (!c)
        return;
    for (int i = 0; i < TILE_CREW_LANES; i++)
        free(c->lanes[i].all_weights);
    for (int i = 0; i < BESD_ENV_MAX_OBSERVATION; i++)
        free(c->share[i]);
    free(c);
}

static void *lines(size_t size) {
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

besd_status tile_crew_create(const besd_env_spec *spec, const subgoals *goals, const learning *l,
                             tile_crew **created, besd_error *error) {
    tile_crew *c = lines(sizeof *c);
    if (!c)
        return besd_fail_memory(error, "a crew of agents");
    *c = (tile_crew){.spec = spec, .goals = goals, .learning = l};
    c->multiplier = choice_multiplier(spec->actions);
    c->stride = (spec->actions + 1) / 2 * 2;
    lockstep_picks_init(&c->picks);
    besd_status status = tiles_init(&c->coder, spec, l->tilings, l->tiles, error);
    if (status) {
        tile_crew_destroy(c);
        return status;
    }
    c->per_stage = (size_t)tiles_count(&c->coder) * (size_t)c->stride;
    bool complete = true;
    for (int i = 0; i < TILE_CREW_LANES; i++) {
        c->lanes[i].all_weights = lines(c->per_stage * (size_t)(goals->count + 1) * sizeof(double));
        complete = complete && c->lanes[i].all_weights;
    }
    int tilings = l->tilings;
    size_t notches = (size_t)(l->tiles * tilings + 1);
    c->width = (tilings + 3) / 4 * 4;
    for (int i = 0; i < spec->observation; i++) {
        c->share[i] = lines(notches * (size_t)c->width * sizeof(uint32_t));
        complete = complete && c->share[i];
        for (size_t n = 0; complete && n < notches; n++) {
            uint32_t *row = c->share[i] + n * (size_t)c->width;
            int32_t feature[TILES_MAX_TILINGS] = {0};
            tiles_add_share(&c->coder, i, (int64_t)n, feature);
            for (int k = 0; k < c->width; k++)
                row[k] = (uint32_t)((feature[k] * tilings + (i == 0 ? k : 0)) * c->stride);
        }
    }
    if (!complete) {
        tile_crew_destroy(c);
        return besd_fail_memory(error, "a crew's tables");
    }
    *created = c;
    return BESD_OK;
}

ALWAYS_INLINE void find_tiles(const tile_crew *c, const double *observation, int tilings,
                              int dimension, uint32_t *tile) {
    int width = (tilings + 3) / 4;
    const four *first =
        (const four *)c->share[0] + tiles_notch(&c->coder, 0, observation[0]) * width;
    if (dimension == 2) {
        const four *second =
            (const four *)c->share[1] + tiles_notch(&c->coder, 1, observation[1]) * width;
        for (int k = 0; k < width; k++)
            ((four *)tile)[k] = first[k] + second[k];
        return;
    }
    for (int k = 0; k < width; k++)
        ((four *)tile)[k] = first[k];
    for (int i = 1; i < dimension; i++) {
        const four *share =
            (const four *)c->share[i] + tiles_notch(&c->coder, i, observation[i]) * width;
        for (int k = 0; k < width; k++)
            ((four *)tile)[k] += share[k];
    }
}

ALWAYS_INLINE double read_values(const double *weights, const uint32_t *tile, int tilings,
                                 int actions, double *values) {
    if (actions == 3) {
        pair low = {0, 0}, high = {0, 0};
        for (int k = 0; k < tilings; k++) {
            size_t at = tile[k];
            low += *(const pair *)&weights[at];
            high += *(const pair *)&weights[at + 2];
        }
        *(pair *)values = low;
        *(pair *)(values + 2) = high;
        __m128d both = _mm_max_pd(low, high);
        return _mm_cvtsd_f64(_mm_max_sd(both, _mm_unpackhi_pd(both, both)));
    }
    for (int a = 0; a < actions; a += 2) {
        pair sum = {0, 0};
        for (int k = 0; k < tilings; k++)
            sum += *(const pair *)&weights[tile[k] + (unsigned)a];
        *(pair *)(values + a) = sum;
    }
    return choice_largest(values, actions);
}

ALWAYS_INLINE double read_value(const double *weights, const uint32_t *tile, int tilings) {
    double sum = 0;
    for (int k = 0; k < tilings; k++)
        sum += weights[tile[k]];
    return sum;
}

ALWAYS_INLINE int choose(const tile_crew *c, const double *values, int actions, uint64_t threshold,
                         uint64_t random) {
    if (actions == 3) {
        double largest;
        return lockstep_take(&c->picks, lockstep_best(values, &largest), 3, threshold, random);
    }
    return choice_take(choice_best(values, actions), actions, c->multiplier, threshold, random);
}

ALWAYS_INLINE bool sound(const besd_env_outcome *out, int dimension) {
    double zero = out->reward * 0;
    for (int i = 0; i < dimension; i++)
        zero += out->observation[i] * 0;
    return zero == 0;
}

static __attribute__((noinline)) besd_status fail_outcome(const tile_crew *c, const lane *a,
                                                          const besd_env_outcome *out,
                                                          besd_error *error) {
    if (!isfinite(out->reward))
        return besd_fail(error, BESD_ENVIRONMENT, "environment %s: the reward is %g",
                         a->methods->name, out->reward);
    int i = 0;
    while (i + 1 < c->spec->observation && isfinite(out->observation[i]))
        i++;
    return besd_fail(error, BESD_ENVIRONMENT, "environment %s: observation[%d] is %g",
                     a->methods->name, i, out->observation[i]);
}

static void enter(const tile_crew *c, lane *a, int stage, const double *position) {
    a->stage = stage;
    a->weights = a->all_weights + (size_t)stage * c->per_stage;
    a->potential = subgoals_potential(c->goals, stage, position);
    a->target = stage >= c->goals->count              ? INFINITY
                : c->goals->reach == BESD_REACH_CROSS ? c->goals->target[stage][0]
                                                      : NAN;
}

static __attribute__((noinline)) besd_status begin_episode(const tile_crew *c, lane *a, place *here,
                                                           besd_error *error) {
    besd_env_outcome *out = &here->outcome;
    a->methods->reset(a->env, out);
    if (!sound(out, c->spec->observation))
        return fail_outcome(c, a, out, error);
    enter(c, a, 0, out->observation);
    find_tiles(c, out->observation, c->coder.tilings, c->coder.dimension, here->tile);
    read_values(a->weights, here->tile, c->coder.tilings, c->spec->actions, a->values);
    return BESD_OK;
}

static void set_initial_weights(const tile_crew *c, lane *a, rng noise) {
    const learning *l = c->learning;
    double share = 1.0 / c->coder.tilings;
    size_t count = c->per_stage * (size_t)(c->goals->count + 1);
    for (size_t row = 0; row < count; row += (size_t)c->stride)
        for (int i = 0; i < c->stride; i++) {
            double value = i < c->spec->actions ? l->initial_value : -INFINITY;
            if (l->initial_noise > 0 && i < c->spec->actions)
                value += l->initial_noise * rng_normal(&noise);
            a->all_weights[row + (size_t)i] = share * value;
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
    if (status)
        return status;
    a->action = choose(c, a->values, c->spec->actions,
                       choice_threshold(c->learning->epsilon_start), rng_next(&choices));
    a->chosen = a->weights + a->action;
    lockstep_random_set(&c->random, index, &choices);
    return BESD_OK;
}

ALWAYS_INLINE besd_status perceive(tile_crew *c, lane *a, const place *here, place *next,
                                   int dimension, besd_error *error) {
    const besd_env_outcome *out = &next->outcome;
    if (__builtin_expect(!sound(out, dimension), 0))
        return fail_outcome(c, a, out, error);
    double after = 0, before = a->potential;
    if (__builtin_expect(!out->terminated, 1))
        after = subgoals_potential(c->goals, a->stage, out->observation);
    a->potential = after;
    if (__builtin_expect(!((here->outcome.observation[0] - a->target) *
                               (out->observation[0] - a->target) >
                           0),
                         0) &&
        subgoals_reached(c->goals, a->stage, here->outcome.observation, out->observation))
        enter(c, a, a->stage + 1, out->observation);
    a->reward = out->reward + (c->learning->gamma * after - before);
    return BESD_OK;
}

ALWAYS_INLINE besd_status learn(tile_crew *c, lane *a, const place *here, place *next, int tilings,
                                int actions, double gamma, besd_error *error) {
    const besd_env_outcome *out = &next->outcome;
    double amount = a->largest;
    double *weights = a->chosen;
    for (int k = 0; k < tilings; k++)
        weights[here->tile[k]] += amount;
    a->chosen = a->weights + a->action;
    if (__builtin_expect(out->terminated | out->truncated, 0)) {
        if (out->terminated)
            a->step_size = learning_alpha(c->learning, ++a->goals_reached);
        besd_status status = begin_episode(c, a, next, error);
        a->chosen = a->weights + a->action;
        return status;
    }
    return BESD_OK;
}

static const uint64_t masks[3][4] __attribute__((aligned(32))) = {
    {~0ull, 0, 0, 0}, {0, ~0ull, 0, 0}, {0, 0, ~0ull, 0}};

ALWAYS_INLINE void decide(tile_crew *c, lane *a, const place *here, int tilings, int actions,
                          uint64_t threshold, uint64_t random) {
    double moved = read_value(a->chosen, here->tile, tilings);
    if (actions == 3) {
        const __m128d *mask = (const __m128d *)masks[a->action];
        __m128d low = _mm_load_pd(a->values), high = _mm_load_pd(a->values + 2);
        __m128d both = _mm_set1_pd(moved);
        low = _mm_xor_pd(low, _mm_and_pd(mask[0], _mm_xor_pd(low, both)));
        high = _mm_xor_pd(high, _mm_and_pd(mask[1], _mm_xor_pd(high, both)));
        _mm_store_pd(a->values, low);
        _mm_store_pd(a->values + 2, high);
    } else
        a->values[a->action] = moved;
    a->action = choose(c, a->values, actions, threshold, random);
    a->chosen = a->weights + a->action;
}

ALWAYS_INLINE besd_status train_some(tile_crew *c, int lanes, int64_t first, int64_t from,
                                     int64_t to, uint64_t threshold, int tilings, int actions,
                                     int dimension, besd_error *error) {
    double gamma = c->learning->gamma;
    for (int64_t t = from; t < to; t++) {
        int now = (int)(t & 1);
        for (int i = 0; i < lanes; i++) {
            lane *a = &c->lanes[i];
            a->methods->step(a->env, a->action, &a->places[1 - now].outcome);
        }
        for (int i = 0; i < lanes; i++) {
            lane *a = &c->lanes[i];
            besd_status status =
                perceive(c, a, &a->places[now], &a->places[1 - now], dimension, error);
            if (__builtin_expect(status, 0))
                return status;
        }
        for (int i = 0; i < lanes; i++) {
            place *next = &c->lanes[i].places[1 - now];
            find_tiles(c, next->outcome.observation, tilings, dimension, next->tile);
        }
        for (int i = 0; i < lanes; i++) {
            lane *a = &c->lanes[i];
            place *next = &c->lanes[i].places[1 - now];
            double largest = 0, old = a->values[a->action];
            if (__builtin_expect(!next->outcome.terminated, 1))
                largest = read_values(a->weights, next->tile, tilings, actions, a->values);
            a->largest = a->step_size * (a->reward + gamma * largest - old);
        }
        for (int i = 0; i < lanes; i++) {
            lane *a = &c->lanes[i];
            besd_status status =
                learn(c, a, &a->places[now], &a->places[1 - now], tilings, actions, gamma, error);
            if (__builtin_expect(status, 0))
                return status;
        }
        const uint64_t *random = c->random.next[t - first];
        for (int i = 0; i < lanes; i++)
            decide(c, &c->lanes[i], &c->lanes[i].places[1 - now], tilings, actions, threshold,
                   random[i]);
    }
    return BESD_OK;
}

besd_status tile_crew_train(tile_crew *c, int lanes, int64_t from, int64_t to, int64_t total,
                            besd_error *error) {
    const learning *l = c->learning;
    besd_status status = BESD_OK;
    for (int64_t first = from; first < to && !status; first += LOCKSTEP_BLOCK) {
        int64_t last = first + LOCKSTEP_BLOCK < to ? first + LOCKSTEP_BLOCK : to;
        int64_t stride = l->epsilon_start == l->epsilon_end ? last - first : 1;
        lockstep_random_fill(&c->random, (int)(last - first));
        for (int64_t t = first; status == BESD_OK && t < last; t += stride) {
            uint64_t threshold = choice_threshold(learning_epsilon(l, t, total));
            if (c->spec->actions == 3 && c->coder.tilings == 8 && c->coder.dimension == 2)
                status = train_some(c, lanes, first, t, t + stride, threshold, 8, 3, 2, error);
            else
                status = train_some(c, lanes, first, t, t + stride, threshold, c->coder.tilings,
                                    c->spec->actions, c->coder.dimension, error);
        }
    }
    return status;
}

typedef struct test_run {
    lane *agent;
    agent_episode *episode;
    rng choices;
    int stage;
    besd_env_outcome outcome[2];
    double discount;
} test_run;

ALWAYS_INLINE besd_status evaluate_some(tile_crew *c, int lanes, test_run *runs, int tilings,
                                        int actions, int dimension, besd_error *error) {
    for (int running = lanes, i = 0; running > 0; i = i + 1 < running ? i + 1 : 0) {
        test_run *r = &runs[i];
        lane *a = r->agent;
        besd_env_outcome *from = &r->outcome[r->episode->steps & 1],
                         *to = &r->outcome[~r->episode->steps & 1];
        _Alignas(16) uint32_t tile[TILES_MAX_TILINGS];
        _Alignas(16) double values[BESD_ENV_MAX_ACTIONS];
        find_tiles(c, from->observation, tilings, dimension, tile);
        read_values(a->all_weights + (size_t)r->stage * c->per_stage, tile, tilings, actions,
                    values);
        int action = choose(c, values, actions, 0, rng_next(&r->choices));
        a->methods->step(a->evaluation_env, action, to);
        if (!sound(to, dimension))
            return fail_outcome(c, a, to, error);
        r->stage += subgoals_reached(c->goals, r->stage, from->observation, to->observation);
        r->episode->steps++;
        r->episode->discounted_return += r->discount * to->reward;
        r->discount *= c->learning->gamma;
        if (to->terminated || to->truncated) {
            r->episode->reached_goal = to->terminated;
            *r = runs[--running];
        } else if (r->episode->steps == c->spec->cap)
            return besd_fail(error, BESD_ENVIRONMENT,
                             "environment %s: expected truncation after the cap of %lld steps",
                             a->methods->name, (long long)c->spec->cap);
    }
    return BESD_OK;
}

besd_status tile_crew_evaluate(tile_crew *c, int lanes, const agent_seeds *seeds,
                               agent_episode *episodes, besd_error *error) {
    test_run runs[TILE_CREW_LANES];
    for (int i = 0; i < lanes; i++) {
        lane *a = &c->lanes[i];
        runs[i] = (test_run){
            .agent = a, .episode = &episodes[i], .discount = 1, .choices = seeds[i].choices};
        episodes[i] = (agent_episode){0};
        a->methods->seed(a->evaluation_env, seeds[i].dynamics);
        a->methods->reset(a->evaluation_env, &runs[i].outcome[0]);
        if (!sound(&runs[i].outcome[0], c->spec->observation))
            return fail_outcome(c, a, &runs[i].outcome[0], error);
    }
    if (c->spec->actions == 3 && c->coder.tilings == 8 && c->coder.dimension == 2)
        return evaluate_some(c, lanes, runs, 8, 3, 2, error);
    return evaluate_some(c, lanes, runs, c->coder.tilings, c->spec->actions, c->coder.dimension,
                         error);
}

const double *tile_crew_weights(const tile_crew *c, int index, int stage, int64_t feature) {
    return c->lanes[index].all_weights + (size_t)stage * c->per_stage +
           (size_t)(feature * c->stride);
}
