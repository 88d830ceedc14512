/* See crew.h for what and why.
 *
 * A ground has one entry per (stage, state, action): the row the move leads to, stage advance
 * included, and the whole reward, shaping included. So a usual step is one look-up, the maximum
 * of four values and one update. The unusual is kept out of its way by two tests that hardly ever
 * fire: the sign of the entry (the move terminates) and the lane's next event (a gust of wind or
 * the episode's cap). Random numbers are made for all lanes at once, in blocks.
 */
#include "learn/crew.h"

#include "core/error.h"
#include "core/rng.h"
#include "learn/lockstep.h"
#include "learn/shaping.h"
#include "world/table.h"
#include "world/wind.h"

#include <stdlib.h>
#include <string.h>

enum { ACTIONS = 4, BLOCK = LOCKSTEP_BLOCK, TERMINAL = INT32_MIN };
enum { MAX_VALUES = 1 << 20 }; /* of one stage of one lane; beyond, caches do not help anyway */

/* Rows are counted in action values, four to a (stage, state), so that row + action is the index
 * of a value and of a ground entry at once. */
typedef struct ground_entry {
    double reward; /* raw and shaping */
    int32_t next;  /* row; with TERMINAL when the move ends the task */
} ground_entry;

typedef struct ground {
    ground_entry *entries; /* [row + action] */
    double *raw_reward;    /* [state * ACTIONS + action] */
    int32_t start;
    double wind;
} ground;

/* What the subgoals say of a (stage, state). */
typedef struct guide {
    double potential; /* NaN: not known yet */
    int32_t advance;  /* rows_per_stage when the stage's subgoal is there, else 0 */
} guide;

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
    int32_t states, rows_per_stage;
    bool by_calls;
    guide *guides;              /* [row / ACTIONS] */
    double *position;           /* [state * dimension + i]: what the guides were computed for */
    ground grounds[CREW_LANES]; /* each is made when it is first compiled */
};

bool crew_serves(const besd_env_spec *spec, const learning *l) {
    return spec->states > 0 && spec->actions == ACTIONS && spec->reach == BESD_REACH_CELL &&
           l->method == LEARNING_Q && spec->states <= MAX_VALUES / ACTIONS;
}

void crew_destroy(crew *c) {
    if (!c)
        return;
    for (int i = 0; i < CREW_LANES; i++) {
        free(c->lanes[i].values);
        free(c->grounds[i].entries);
        free(c->grounds[i].raw_reward);
    }
    free(c->guides);
    free(c->position);
    free(c);
}

static size_t row_count(const crew *c) {
    return (size_t)c->rows_per_stage * (size_t)(c->goals->count + 1);
}

besd_status crew_create(const besd_env_spec *spec, const subgoals *goals, const learning *l,
                        crew **created, besd_error *error) {
    crew *c = calloc(1, sizeof *c);
    if (!c)
        return besd_fail_memory(error, "a crew of agents");
    c->spec = spec;
    c->goals = goals;
    c->learning = l;
    c->states = (int32_t)spec->states;
    c->rows_per_stage = c->states * ACTIONS;
    size_t rows = row_count(c), positions = (size_t)c->states * (size_t)spec->position;
    c->guides = malloc(rows / ACTIONS * sizeof *c->guides);
    c->position = malloc(positions * sizeof *c->position);
    bool complete = c->guides && c->position;
    for (int i = 0; i < CREW_LANES; i++) {
        lane *a = &c->lanes[i];
        a->values = aligned_alloc(64, (rows * sizeof *a->values + 63) / 64 * 64);
        complete = complete && a->values;
    }
    if (!complete) {
        crew_destroy(c);
        return besd_fail_memory(error, "a crew's tables");
    }
    for (size_t i = 0; i < rows / ACTIONS; i++)
        c->guides[i].potential = NAN;
    for (size_t i = 0; i < positions; i++)
        c->position[i] = NAN;
    lockstep_picks_init(&c->picks);
    *created = c;
    return BESD_OK;
}

static inline guide *guide_at(const crew *c, int32_t row) {
    return &c->guides[(uint32_t)row / ACTIONS];
}

static __attribute__((noinline)) void learn_guide(crew *c, int32_t row, const double *position) {
    int stage = row / c->rows_per_stage;
    bool reached = subgoals_reached(c->goals, stage, position, position);
    *guide_at(c, row) = (guide){.potential = subgoals_potential(c->goals, stage, position),
                                .advance = reached ? c->rows_per_stage : 0};
}

/* Positions belong to states, hardly ever to instances: compute only when they differ. */
static void learn_all_guides(crew *c, const double *position) {
    size_t dimension = (size_t)c->spec->position;
    size_t bytes = (size_t)c->states * dimension * sizeof *position;
    if (!memcmp(c->position, position, bytes))
        return;
    memcpy(c->position, position, bytes);
    for (int32_t row = 0; row < (int32_t)row_count(c); row += ACTIONS)
        learn_guide(c, row, position + (size_t)(row / ACTIONS % c->states) * dimension);
}

static besd_status make_ground(const crew *c, ground *g, besd_error *error) {
    if (!g->entries)
        g->entries = malloc(row_count(c) * sizeof *g->entries);
    if (!g->raw_reward)
        g->raw_reward = malloc((size_t)c->rows_per_stage * sizeof *g->raw_reward);
    return g->entries && g->raw_reward ? BESD_OK : besd_fail_memory(error, "a crew's ground");
}

besd_status crew_compile(crew *c, int index, const besd_env_methods *methods, const besd_env *env,
                         besd_error *error) {
    const besd_env_table *t = methods->table(env);
    ground *g = &c->grounds[index];
    besd_status status = table_check(methods->name, t, c->spec, error);
    if (status == BESD_OK)
        status = make_ground(c, g, error);
    if (status != BESD_OK)
        return status;
    learn_all_guides(c, t->position);
    memcpy(g->raw_reward, t->reward, (size_t)c->rows_per_stage * sizeof *g->raw_reward);
    g->start = (int32_t)t->start * ACTIONS;
    g->wind = t->wind;
    double gamma = c->learning->gamma;
    for (int stage = 0; stage <= c->goals->count; stage++) {
        int32_t base = stage * c->rows_per_stage;
        const guide *guides = guide_at(c, base);
        for (int32_t i = 0; i < c->rows_per_stage; i++) {
            int32_t next = t->next[i];
            bool terminal = t->terminal[next];
            double shaping =
                shaping_of(gamma, guides[i / ACTIONS].potential, guides[next].potential, terminal);
            int32_t row = base + next * ACTIONS + guides[next].advance;
            g->entries[base + i] = (ground_entry){.reward = t->reward[i] + shaping,
                                                  .next = terminal ? row | TERMINAL : row};
        }
    }
    return BESD_OK;
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

/* What the two ways of placing have in common; a->row is where the first episode starts. */
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

/* A step that is out of the ordinary: wind, the cap, or a move that terminates. */
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

/* Apart from the updates, because reading a row whose one value was written a moment ago waits
 * for the write to retire: a quarter of all moves are bumps and end in the row they changed. */
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

static inline void know_guide(crew *c, int32_t row, const double *position) {
    if (__builtin_expect(isnan(guide_at(c, row)->potential), 0))
        learn_guide(c, row, position);
}

/* The row of (stage before the move, state after it), or -1 when the environment broke its
 * contract. Of an observation only the position matters, and only when a state is first seen:
 * looking at all of it with every move would cost a tenth of the speed. */
static inline int32_t row_of(crew *c, int32_t base, const besd_env_outcome *out) {
    if (__builtin_expect((uint64_t)out->state >= (uint64_t)c->states || !isfinite(out->reward), 0))
        return -1;
    int32_t row = base + (int32_t)out->state * ACTIONS;
    know_guide(c, row, out->observation);
    if (__builtin_expect(isnan(guide_at(c, row)->potential), 0)) /* a position that is no place */
        return -1;
    return row;
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
    double before = guide_at(c, a->row)->potential;
    guide at_middle = *guide_at(c, middle);
    int32_t advance = at_middle.advance;
    a->base += advance;
    a->row = middle + advance;
    if (__builtin_expect(!out->terminated, 1))
        lockstep_best(a->values + a->row, &largest);
    double reward = out->reward + shaping_of(gamma, before, at_middle.potential, out->terminated);
    *value += a->step_size * (reward + gamma * largest - *value);
    if (__builtin_expect(advance, 0))
        know_guide(c, a->row, out->observation);
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

besd_status crew_train(crew *c, int lanes, int64_t from, int64_t to, int64_t total,
                       besd_error *error) {
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
    int32_t row, base;
    double discount;
} test_run;

/* Moves the run on by the ground; true when its task terminated. */
static inline bool test_by_ground(const crew *c, test_run *r, int action, double *reward) {
    const ground *g = r->agent->ground;
    int moved = wind_blow(&r->wind, action, ACTIONS);
    int32_t next = g->entries[r->row + moved].next;
    *reward = g->raw_reward[r->row - r->base + moved];
    r->row = next & ~TERMINAL;
    r->base += r->row - r->base >= c->rows_per_stage ? c->rows_per_stage : 0;
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

/* Counts a move. */
static inline void count_test_step(const crew *c, test_run *r, double reward) {
    r->episode->steps++;
    r->episode->discounted_return += r->discount * reward;
    r->discount *= c->learning->gamma;
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

/* Moves all runs on by one call each, or by one for all. */
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
            int32_t advance = guide_at(c, r->row)->advance;
            r->row += advance;
            r->base += advance;
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
    return c->lanes[index].values + stage * c->rows_per_stage + state * ACTIONS;
}
