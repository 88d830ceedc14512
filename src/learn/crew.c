/* On a ground a usual step is one look-up, the maximum of four values and one update. Two tests
 * find the unusual steps, which are rare: the sign of the entry (the move terminates) and the next
 * event of the lane (a gust of wind or the cap of the episode). Random numbers are made for all
 * lanes in blocks.
 */
#include "learn/crew.h"

#include "core/error.h"
#include "core/rng.h"
#include "learn/epsilon_greedy.h"
#include "learn/ground.h"
#include "learn/subgoals.h"
#include "world/domain_load.h"
#include "world/grid.h"

#include <stdlib.h>

enum { ACTIONS = LOCKSTEP_ACTIONS, BLOCK = LOCKSTEP_BLOCK, TERMINAL = GROUND_TERMINAL };
enum { MAX_VALUES = 1 << 20 }; /* of one stage of one lane; beyond, caches do not help anyway */
_Static_assert(MAX_VALUES <= INT32_MAX / (SUBGOALS_MAX + 1), "rows of all stages fit an int32_t");

typedef struct lane {
    double *values; /* [row + action] */
    const ground_entry *entries;
    int64_t event; /* the interaction, counted from 0, at which deadline or gust comes first */
    double step_size;
    int32_t row, action;

    int64_t deadline, gust;
    wind wind;
    const ground *ground;
    int64_t goals_reached;
    const besd_env_methods *methods; /* callers only, to the end */
    besd_env *env, *evaluation_env;
    int32_t base; /* first row of the stage */
} lane;

struct crew {
    lane lanes[CREW_LANES];
    lockstep_random random;
    lockstep_picks picks;
    const besd_env_spec *spec;
    const subgoals *goals;
    const learning *learning;
    bool by_calls;
    guides guides;
    ground grounds[CREW_LANES]; /* each is made when it is first compiled */
};

bool crew_serves(const besd_env_spec *spec, const learning *l) {
    return spec->states > 0 && spec->actions == ACTIONS && spec->reach != BESD_REACH_CROSS &&
           l->method == LEARNING_Q && spec->states <= MAX_VALUES / ACTIONS;
}

void crew_destroy(crew *c) {
    if (!c)
        return;
    for (int i = 0; i < CREW_LANES; i++) {
        free(c->lanes[i].values);
        ground_free(&c->grounds[i]);
    }
    guides_free(&c->guides);
    free(c);
}

static size_t row_count(const crew *c) {
    return (size_t)c->guides.rows;
}

besd_status crew_create(const besd_env_spec *spec, const subgoals *goals, const learning *l,
                        crew **created, besd_error *error) {
    crew *c = calloc(1, sizeof *c);
    if (!c)
        return besd_fail_memory(error, "a crew of agents");
    c->spec = spec;
    c->goals = goals;
    c->learning = l;
    lockstep_picks_init(&c->picks);
    besd_status status = guides_init(&c->guides, goals, (int32_t)spec->states, error);
    for (int i = 0; status == BESD_OK && i < CREW_LANES; i++) {
        lane *a = &c->lanes[i];
        a->values = aligned_alloc(64, (row_count(c) * sizeof *a->values + 63) / 64 * 64);
        if (!a->values)
            status = besd_fail_memory(error, "a crew's tables");
    }
    if (status != BESD_OK) {
        crew_destroy(c);
        return status;
    }
    *created = c;
    return BESD_OK;
}

besd_status crew_compile(crew *c, int index, const besd_env_methods *methods, const besd_env *env,
                         besd_error *error) {
    const besd_env_table *t = methods->table(env);
    besd_status status = env_table_check(methods->name, t, c->spec, error);
    if (status != BESD_OK)
        return status;
    return ground_compile(&c->grounds[index], &c->guides, t, c->learning->gamma, error);
}

static inline int choose(const crew *c, const double *row, uint64_t random, uint64_t threshold) {
    double largest;
    return lockstep_take(&c->picks, lockstep_best(row, &largest), ACTIONS, threshold, random);
}

static void set_initial_values(const crew *c, lane *a, rng noise) {
    const learning *l = c->learning;
    for (size_t i = 0; i < row_count(c); i++)
        a->values[i] = l->initial_value;
    for (size_t i = 0; l->initial_noise > 0 && i < row_count(c); i++)
        a->values[i] += l->initial_noise * rng_normal(&noise);
}

/* The common part of the two ways of placing an agent; a->row is where the first episode starts. */
static void settle(crew *c, int index, const agent_seeds *seeds) {
    lane *a = &c->lanes[index];
    rng choices = seeds->choices;
    set_initial_values(c, a, seeds->initial);
    a->goals_reached = 0;
    a->step_size = learning_alpha(c->learning, 0);
    a->action = choose(c, a->values + a->row, rng_next(&choices),
                       choice_threshold(c->learning->epsilon_start));
    lockstep_random_set(&c->random, index, &choices);
}

static int64_t earlier(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The interaction at which the next gust comes, when `next` is the next interaction. */
static int64_t gust_time(const wind *w, int64_t next) {
    return w->calm < INT64_MAX / 2 ? next + (int64_t)w->calm : INT64_MAX;
}

void crew_place(crew *c, int index, int ground_index, const agent_seeds *seeds) {
    lane *a = &c->lanes[index];
    c->by_calls = false;
    a->ground = &c->grounds[ground_index];
    a->entries = a->ground->entries;
    a->row = a->ground->start;
    a->wind = wind_start(seeds->dynamics, a->ground->wind);
    a->gust = gust_time(&a->wind, 0);
    a->deadline = c->spec->cap - 1;
    a->event = earlier(a->gust, a->deadline);
    settle(c, index, seeds);
}

/* An unusual step: wind, the cap, or a move that terminates. */
static __attribute__((noinline)) void train_unusual(const crew *c, lane *a, int64_t t) {
    int action = a->action;
    if (t == a->gust) {
        action = wind_gust(&a->wind, ACTIONS);
        a->gust = gust_time(&a->wind, t + 1);
    }
    const ground_entry *e = &a->entries[a->row + action];
    double *value = &a->values[a->row + a->action], largest = 0;
    bool terminated = e->next < 0;
    a->row = e->next & ~TERMINAL;
    if (!terminated)
        lockstep_best(a->values + a->row, &largest);
    *value += a->step_size * (e->reward + c->learning->gamma * largest - *value);
    if (terminated)
        a->step_size = learning_alpha(c->learning, ++a->goals_reached);
    if (terminated || t == a->deadline) {
        a->row = a->ground->start;
        a->deadline = t + c->spec->cap;
    }
    a->event = earlier(a->gust, a->deadline);
}

/* In a loop apart from the updates: reading a row waits while a value of it is being written, and a
 * quarter of all moves are bumps, which end in the row they changed. */
static inline void choose_all(crew *c, int lanes, const uint64_t *random, uint64_t threshold) {
    for (int i = 0; i < lanes; i++) {
        lane *a = &c->lanes[i];
        a->action = choose(c, a->values + a->row, random[i], threshold);
    }
}

/* `first` is the interaction to which the first row of c->random belongs. */
static void train_by_ground(crew *c, int lanes, int64_t first, int64_t from, int64_t to,
                            uint64_t threshold) {
    const double gamma = c->learning->gamma;
    for (int64_t t = from; t < to; t++) {
        for (int i = 0; i < lanes; i++) {
            lane *a = &c->lanes[i];
            int32_t index = a->row + a->action;
            const ground_entry *e = &a->entries[index];
            if (__builtin_expect(t == a->event || e->next < 0, 0)) {
                train_unusual(c, a, t);
                continue;
            }
            double *value = &a->values[index], largest;
            a->row = e->next;
            lockstep_best(a->values + a->row, &largest);
            *value += a->step_size * (e->reward + gamma * largest - *value);
        }
        choose_all(c, lanes, c->random.next[t - first], threshold);
    }
}

/* The row of (stage before the move, state after it), or -1 when the environment broke its
 * contract. Of an observation only the position matters, and only when a state is seen for the
 * first time. To check all of it with every move would cost a tenth of the speed. */
static inline int32_t row_of(crew *c, int32_t base, const besd_env_outcome *out) {
    const uint64_t states = (uint64_t)c->guides.states;
    if (__builtin_expect((uint64_t)out->state >= states || !isfinite(out->reward), 0))
        return -1;
    int32_t row = base + (int32_t)out->state * ACTIONS;
    const guide *known = guides_know(&c->guides, row, out->observation);
    return __builtin_expect(isnan(known->potential), 0) ? -1 : row; /* NaN: it is no place */
}

static int32_t call_reset(crew *c, const lane *a, besd_env *env) {
    besd_env_outcome out = {0};
    a->methods->reset(env, &out);
    for (int i = 0; i < c->spec->observation; i++)
        if (!isfinite(out.observation[i]))
            return -1;
    return row_of(c, 0, &out);
}

static besd_status fail_call(const lane *a, const besd_env *env, besd_error *error) {
    const char *failure = a->methods->failure ? a->methods->failure(env) : NULL;
    return besd_fail(error, BESD_ENVIRONMENT, "environment %s: %s", a->methods->name,
                     failure ? failure
                             : "it told a state, a reward or an observation out of range");
}

besd_status crew_place_caller(crew *c, int index, const besd_env_methods *methods, besd_env *env,
                              besd_env *evaluation_env, const agent_seeds *seeds,
                              besd_error *error) {
    lane *a = &c->lanes[index];
    c->by_calls = true;
    a->methods = methods;
    a->env = env;
    a->evaluation_env = evaluation_env;
    methods->seed(env, seeds->dynamics);
    a->base = 0;
    a->row = call_reset(c, a, env);
    if (a->row < 0)
        return fail_call(a, env, error);
    settle(c, index, seeds);
    return BESD_OK;
}

/* One interaction of every lane in one call. */
static void step_lanes(crew *c, int lanes, besd_env_outcome *outs) {
    besd_env *envs[CREW_LANES];
    besd_env_outcome *places[CREW_LANES];
    int actions[CREW_LANES];
    for (int i = 0; i < lanes; i++) {
        envs[i] = c->lanes[i].env;
        actions[i] = c->lanes[i].action;
        places[i] = &outs[i];
    }
    c->lanes[0].methods->step_many(envs, actions, places, lanes);
}

/* What a lane learns from an outcome; false when the environment broke its contract. */
static inline bool learn_from_call(crew *c, lane *a, const besd_env_outcome *out, double gamma) {
    int32_t middle = row_of(c, a->base, out);
    if (__builtin_expect(middle < 0, 0))
        return false;
    double *value = &a->values[a->row + a->action], largest = 0;
    double before = guides_at(&c->guides, a->row)->potential;
    guide at_middle = *guides_at(&c->guides, middle);
    int32_t advance = at_middle.advance;
    a->base += advance;
    a->row = middle + advance;
    if (__builtin_expect(!out->terminated, 1))
        lockstep_best(a->values + a->row, &largest);
    double reward = out->reward + shaping_of(gamma, before, at_middle.potential, out->terminated);
    *value += a->step_size * (reward + gamma * largest - *value);
    if (__builtin_expect(advance, 0))
        guides_know(&c->guides, a->row, out->observation);
    if (__builtin_expect(out->terminated | out->truncated, 0)) {
        if (out->terminated)
            a->step_size = learning_alpha(c->learning, ++a->goals_reached);
        a->base = 0;
        a->row = call_reset(c, a, a->env);
    }
    return a->row >= 0;
}

static besd_status train_by_calls(crew *c, int lanes, int64_t first, int64_t from, int64_t to,
                                  uint64_t threshold, besd_error *error) {
    const double gamma = c->learning->gamma;
    besd_env_outcome out = {0};
    for (int64_t t = from; t < to; t++) {
        for (int i = 0; i < lanes; i++) {
            lane *a = &c->lanes[i];
            a->methods->step(a->env, a->action, &out);
            if (__builtin_expect(!learn_from_call(c, a, &out, gamma), 0))
                return fail_call(a, a->env, error);
        }
        choose_all(c, lanes, c->random.next[t - first], threshold);
    }
    return BESD_OK;
}

/* The same with one call for all lanes. */
static besd_status train_by_one_call(crew *c, int lanes, int64_t first, int64_t from, int64_t to,
                                     uint64_t threshold, besd_error *error) {
    besd_env_outcome outs[CREW_LANES] = {0};
    for (int64_t t = from; t < to; t++) {
        step_lanes(c, lanes, outs);
        for (int i = 0; i < lanes; i++)
            if (!learn_from_call(c, &c->lanes[i], &outs[i], c->learning->gamma))
                return fail_call(&c->lanes[i], c->lanes[i].env, error);
        choose_all(c, lanes, c->random.next[t - first], threshold);
    }
    return BESD_OK;
}

/* The hot loops are inlined here. They begin at a line of the instruction cache, because elsewhere
 * they are up to 5 % slower, depending on the code that the linker puts before them. */
__attribute__((aligned(64))) besd_status crew_train(crew *c, int lanes, int64_t from, int64_t to,
                                                    int64_t total, besd_error *error) {
    const learning *l = c->learning;
    besd_status status = BESD_OK;
    for (int64_t first = from; status == BESD_OK && first < to; first += BLOCK) {
        int64_t last = earlier(first + BLOCK, to);
        int64_t stride = l->epsilon_start == l->epsilon_end ? last - first : 1;
        lockstep_random_fill(&c->random, (int)(last - first));
        for (int64_t t = first; status == BESD_OK && t < last; t += stride) {
            uint64_t threshold = choice_threshold(learning_epsilon(l, t, total));
            if (c->by_calls && c->lanes[0].methods->step_many)
                status = train_by_one_call(c, lanes, first, t, t + stride, threshold, error);
            else if (c->by_calls)
                status = train_by_calls(c, lanes, first, t, t + stride, threshold, error);
            else
                train_by_ground(c, lanes, first, t, t + stride, threshold);
        }
    }
    return status;
}

/* One greedy episode of one lane, apart from its training. */
typedef struct test_run {
    lane *agent;
    agent_episode *episode;
    rng choices;
    wind wind;
    int32_t row, base, advance; /* advance: of the last move, 0 when it completed no subgoal */
    double discount;
} test_run;

/* Moves the run on by the ground; true when its task terminated. */
static inline bool test_by_ground(const crew *c, test_run *r, int action, double *reward) {
    const ground *g = r->agent->ground;
    int moved = wind_blow(&r->wind, action, ACTIONS);
    int32_t next = g->entries[r->row + moved].next;
    *reward = g->raw_reward[r->row - r->base + moved];
    r->row = next & ~TERMINAL;
    r->advance = r->row - r->base >= c->guides.rows_per_stage ? c->guides.rows_per_stage : 0;
    r->base += r->advance;
    return next < 0;
}

static besd_status begin_test(crew *c, test_run *r, const agent_seeds *seeds, besd_error *error) {
    lane *a = r->agent;
    r->choices = seeds->choices;
    if (!c->by_calls) {
        r->wind = wind_start(seeds->dynamics, a->ground->wind);
        r->row = a->ground->start;
        return BESD_OK;
    }
    a->methods->seed(a->evaluation_env, seeds->dynamics);
    r->row = call_reset(c, a, a->evaluation_env);
    return r->row < 0 ? fail_call(a, a->evaluation_env, error) : BESD_OK;
}

/* Counts a move, and the subgoal that it completed. */
static inline void count_test_step(const crew *c, test_run *r, double reward) {
    episode_move(r->episode, reward, &r->discount, c->learning->gamma);
    if (r->advance)
        episode_advance(r->episode);
}

static void evaluate_by_ground(const crew *c, test_run *runs, int running) {
    for (int i = 0; running > 0; i = i + 1 < running ? i + 1 : 0) {
        test_run *r = &runs[i];
        double reward;
        int action = choose(c, r->agent->values + r->row, rng_next(&r->choices), 0);
        bool terminated = test_by_ground(c, r, action, &reward);
        count_test_step(c, r, reward);
        if (terminated || r->episode->steps >= c->spec->cap) {
            r->episode->reached_goal = terminated;
            *r = runs[--running];
        }
    }
}

/* Moves all runs on, by one call each or by one call for all. */
static void test_by_calls(const crew *c, test_run *runs, int running, besd_env_outcome *outs) {
    besd_env *envs[CREW_LANES];
    besd_env_outcome *places[CREW_LANES];
    int actions[CREW_LANES];
    const besd_env_methods *methods = runs[0].agent->methods;
    for (int i = 0; i < running; i++) {
        test_run *r = &runs[i];
        envs[i] = r->agent->evaluation_env;
        places[i] = &outs[i];
        actions[i] = choose(c, r->agent->values + r->row, rng_next(&r->choices), 0);
    }
    if (methods->step_many)
        methods->step_many(envs, actions, places, running);
    for (int i = 0; i < running && !methods->step_many; i++)
        methods->step(envs[i], actions[i], places[i]);
}

static besd_status evaluate_by_calls(crew *c, test_run *runs, int running, besd_error *error) {
    while (running > 0) {
        besd_env_outcome outs[CREW_LANES] = {0};
        test_by_calls(c, runs, running, outs);
        for (int i = running - 1; i >= 0; i--) {
            test_run *r = &runs[i];
            const besd_env_outcome *out = &outs[i];
            r->row = row_of(c, r->base, out);
            if (r->row < 0)
                return fail_call(r->agent, r->agent->evaluation_env, error);
            r->advance = guides_at(&c->guides, r->row)->advance;
            r->row += r->advance;
            r->base += r->advance;
            count_test_step(c, r, out->reward);
            if (r->episode->steps >= c->spec->cap && !out->terminated && !out->truncated)
                return besd_fail(error, BESD_ENVIRONMENT,
                                 "environment %s: expected truncation after the cap of %lld steps",
                                 r->agent->methods->name, (long long)c->spec->cap);
            if (out->terminated || out->truncated) {
                r->episode->reached_goal = out->terminated;
                *r = runs[--running];
            }
        }
    }
    return BESD_OK;
}

besd_status crew_evaluate(crew *c, int lanes, const agent_seeds *seeds, agent_episode *episodes,
                          besd_error *error) {
    test_run runs[CREW_LANES];
    for (int i = 0; i < lanes; i++) {
        runs[i] = (test_run){.agent = &c->lanes[i], .episode = &episodes[i], .discount = 1};
        episodes[i] = (agent_episode){0};
        besd_status status = begin_test(c, &runs[i], &seeds[i], error);
        if (status != BESD_OK)
            return status;
    }
    if (c->by_calls)
        return evaluate_by_calls(c, runs, lanes, error);
    evaluate_by_ground(c, runs, lanes);
    return BESD_OK;
}

const double *crew_values(const crew *c, int index, int stage, int64_t state) {
    return c->lanes[index].values + stage * c->guides.rows_per_stage + state * ACTIONS;
}
