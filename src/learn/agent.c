/* The learner has a representation (a table, or tile-coded weights) and a method (Q-learning,
 * SARSA, double Q-learning). A method needs two operations of a representation: read the action
 * values of a situation, and move one of them. Another temporal-difference method takes one more
 * `learn_` function.
 */
#include "learn/agent.h"

#include "core/error.h"
#include "core/rng.h"
#include "learn/epsilon_greedy.h"
#include "learn/subgoals.h"
#include "learn/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double step_size(const learning *l, int64_t goals) {
    if (l->alpha_decay <= 0)
        return l->alpha;
    return l->alpha * l->alpha_decay / (l->alpha_decay + pow((double)goals, l->alpha_power));
}

learning learning_of(const domain *d, learning_method method) {
    learning l = {.method = method,
                  .gamma = d->value[PARAMETER_GAMMA],
                  .epsilon_start = d->value[PARAMETER_EPSILON],
                  .epsilon_end = d->value[PARAMETER_EPSILON_END],
                  .alpha = d->value[PARAMETER_ALPHA],
                  .alpha_decay = d->value[PARAMETER_ALPHA_DECAY],
                  .alpha_power = d->value[PARAMETER_ALPHA_POWER],
                  .initial_value = d->value[PARAMETER_INITIAL_VALUE],
                  .initial_noise = d->value[PARAMETER_INITIAL_NOISE]};
    if (!isnan(d->value[PARAMETER_TILINGS])) {
        l.tilings = (int)d->value[PARAMETER_TILINGS];
        l.tiles = (int)d->value[PARAMETER_TILES];
    }
    for (int n = 0; n < LEARNING_STEP_SIZES; n++)
        l.step_size[n] = step_size(&l, n);
    return l;
}

const char *learning_method_name(size_t index) {
    static const char *const names[] = {"q", "sarsa", "double-q"};
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

double learning_epsilon(const learning *l, int64_t t, int64_t total) {
    if (l->epsilon_start == l->epsilon_end)
        return l->epsilon_start;
    double part = total > 1 ? (double)t / (double)(total - 1) : 0;
    return l->epsilon_start + (l->epsilon_end - l->epsilon_start) * part;
}

double learning_alpha(const learning *l, int64_t goals) {
    return goals < LEARNING_STEP_SIZES ? l->step_size[goals] : step_size(l, goals);
}

typedef struct situation {
    subgoals_progress progress;
    int64_t row; /* tabular: stage * states + state */
    double observation[BESD_ENV_MAX_OBSERVATION];
    int32_t tile[TILES_MAX_TILINGS]; /* tile-coded: where the values of each active feature start */
} situation;

struct agent {
    const besd_env_spec *spec;
    const subgoals *goals;
    const learning *learning;
    tile_coder coder;
    int64_t rows; /* of one stage: states, or features */
    double *values[2];
    uint64_t multiplier;
    const besd_env_methods *methods;
    besd_env *env;
    rng choices;
    situation places[2], *here; /* here is one of the two, the other is where it goes next */
    int action;
    int64_t goals_reached;
    double step_size;
    bool placed; /* the last reset gave a valid outcome */
};

static bool tabular(const agent *a) {
    return a->spec->states > 0;
}

static size_t value_count(const agent *a) {
    return (size_t)(a->rows * (a->goals->count + 1) * a->spec->actions);
}

/* Indices of action values have 32 bits, because tiles are looked up more often than anything else.
 */
static besd_status check_size(const agent *a, besd_error *error) {
    const int stages = a->goals->count + 1, actions = a->spec->actions;
    if (a->rows <= INT32_MAX / stages / actions)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "learner: expected at most %d action values, got %lld %s x %d stages x %d "
                     "actions",
                     INT32_MAX, (long long)a->rows, tabular(a) ? "states" : "tiles", stages,
                     actions);
}

besd_status agent_create(const besd_env_spec *spec, const subgoals *goals, const learning *l,
                         agent **created, besd_error *error) {
    agent *a = calloc(1, sizeof *a);
    if (!a)
        return besd_fail_memory(error, "an agent");
    a->spec = spec;
    a->goals = goals;
    a->learning = l;
    a->multiplier = choice_multiplier(spec->actions);
    besd_status status = BESD_OK;
    if (!tabular(a))
        status = tiles_init(&a->coder, spec, l->tilings, l->tiles, error);
    a->rows = tabular(a) ? spec->states : tiles_count(&a->coder);
    if (status == BESD_OK)
        status = check_size(a, error);
    for (int i = 0; status == BESD_OK && i < (l->method == LEARNING_DOUBLE_Q ? 2 : 1); i++) {
        a->values[i] = malloc(value_count(a) * sizeof(double));
        if (!a->values[i])
            status = besd_fail_memory(error, "an agent's action values");
    }
    if (status != BESD_OK) {
        agent_destroy(a);
        return status;
    }
    *created = a;
    return BESD_OK;
}

void agent_destroy(agent *a) {
    if (!a)
        return;
    free(a->values[0]);
    free(a->values[1]);
    free(a);
}

const double *agent_values(const agent *a, int stage, int64_t state) {
    return a->values[0] + (stage * a->rows + state) * a->spec->actions;
}

static void perceive(const agent *a, const besd_env_outcome *out, subgoals_progress p,
                     situation *s) {
    const int stage = p.stage;
    s->progress = p;
    for (int i = 0; i < a->spec->observation; i++)
        s->observation[i] = out->observation[i];
    if (tabular(a)) {
        s->row = stage * a->rows + out->state;
        return;
    }
    tiles_active(&a->coder, out->observation, s->tile);
    for (int k = 0; k < a->coder.tilings; k++)
        s->tile[k] = (s->tile[k] + (int32_t)(stage * a->rows)) * a->spec->actions;
}

static double read_value(const agent *a, int which, const situation *s, int action) {
    const double *values = a->values[which] + action;
    if (tabular(a))
        return values[s->row * a->spec->actions];
    double sum = 0;
    for (int k = 0; k < a->coder.tilings; k++)
        sum += values[s->tile[k]];
    return sum;
}

static void read_values(const agent *a, int which, const situation *s, double *out) {
    const double *values = a->values[which];
    int actions = a->spec->actions;
    if (tabular(a)) {
        memcpy(out, values + s->row * actions, (size_t)actions * sizeof *out);
    } else if (actions == 3) { /* three sums at once, in the order of read_value */
        double first = 0, second = 0, third = 0;
        for (int k = 0; k < a->coder.tilings; k++) {
            first += values[s->tile[k]];
            second += values[s->tile[k] + 1];
            third += values[s->tile[k] + 2];
        }
        out[0] = first;
        out[1] = second;
        out[2] = third;
    } else {
        for (int action = 0; action < actions; action++)
            out[action] = read_value(a, which, s, action);
    }
}

static void move_value(agent *a, int which, const situation *s, int action, double amount) {
    if (tabular(a)) {
        a->values[which][s->row * a->spec->actions + action] += amount;
        return;
    }
    for (int k = 0; k < a->coder.tilings; k++)
        a->values[which][s->tile[k] + action] += amount;
}

/* What the policy is greedy in: the values, or the sum of both tables of double Q-learning. */
static void policy_values(const agent *a, const situation *s, double *out) {
    read_values(a, 0, s, out);
    if (a->learning->method == LEARNING_DOUBLE_Q) {
        double second[BESD_ENV_MAX_ACTIONS];
        read_values(a, 1, s, second);
        for (int i = 0; i < a->spec->actions; i++)
            out[i] += second[i];
    }
}

static int choose(const agent *a, rng *stream, const double *values, uint64_t threshold) {
    uint64_t best = choice_best(values, a->spec->actions);
    return choice_take(best, a->spec->actions, a->multiplier, threshold, rng_next(stream));
}

static int choose_at(const agent *a, rng *stream, const situation *s, uint64_t threshold) {
    double values[BESD_ENV_MAX_ACTIONS];
    policy_values(a, s, values);
    return choose(a, stream, values, threshold);
}

/* The three methods: learn from the transition that leads from a->here to next, and return the
 * next action. A truncated episode bootstraps like any other, a terminated one does not. */
static int learn_q(agent *a, const agent_transition *t, const situation *next, uint64_t threshold) {
    double values[BESD_ENV_MAX_ACTIONS], largest = 0;
    double old = read_value(a, 0, a->here, a->action);
    if (!t->terminated) {
        read_values(a, 0, next, values);
        largest = choice_largest(values, a->spec->actions);
    }
    double target = t->raw_reward + t->shaping + a->learning->gamma * largest;
    move_value(a, 0, a->here, a->action, a->step_size * (target - old));
    if (t->terminated || t->truncated)
        return -1;
    values[a->action] = read_value(a, 0, next, a->action); /* the only one that can have moved */
    return choose(a, &a->choices, values, threshold);
}

static int learn_sarsa(agent *a, const agent_transition *t, const situation *next,
                       uint64_t threshold) {
    double values[BESD_ENV_MAX_ACTIONS], target = t->raw_reward + t->shaping;
    double old = read_value(a, 0, a->here, a->action);
    int action = -1;
    if (!t->terminated) {
        read_values(a, 0, next, values);
        action = choose(a, &a->choices, values, threshold);
        target += a->learning->gamma * values[action];
    }
    move_value(a, 0, a->here, a->action, a->step_size * (target - old));
    return action;
}

static int learn_double_q(agent *a, const agent_transition *t, const situation *next,
                          uint64_t threshold) {
    double values[BESD_ENV_MAX_ACTIONS], target = t->raw_reward + t->shaping;
    int which = (int)(rng_next(&a->choices) >> 63);
    double old = read_value(a, which, a->here, a->action);
    if (!t->terminated) {
        read_values(a, which, next, values);
        int best = choose(a, &a->choices, values, 0);
        target += a->learning->gamma * read_value(a, 1 - which, next, best);
    }
    move_value(a, which, a->here, a->action, a->step_size * (target - old));
    return t->terminated || t->truncated ? -1 : choose_at(a, &a->choices, next, threshold);
}

static int learn(agent *a, const agent_transition *t, const situation *next, uint64_t threshold) {
    switch (a->learning->method) {
    case LEARNING_SARSA:
        return learn_sarsa(a, t, next, threshold);
    case LEARNING_DOUBLE_Q:
        return learn_double_q(a, t, next, threshold);
    case LEARNING_Q:
        break;
    }
    return learn_q(a, t, next, threshold);
}

/* An outcome must be what the spec promised; the environment may be somebody else's. */
static besd_status check_outcome(const agent *a, const besd_env *env, const besd_env_outcome *out,
                                 besd_error *error) {
    const char *failure =
        a->methods->failure && !isfinite(out->reward) ? a->methods->failure(env) : NULL;
    if (failure)
        return besd_fail(error, BESD_ENVIRONMENT, "environment %s: %s", a->methods->name, failure);
    if (!isfinite(out->reward))
        return besd_fail(error, BESD_ENVIRONMENT, "environment %s: the reward is %g",
                         a->methods->name, out->reward);
    if (tabular(a) && (out->state < 0 || out->state >= a->spec->states))
        return besd_fail(error, BESD_ENVIRONMENT,
                         "environment %s: expected a state in [0, %lld), got %lld",
                         a->methods->name, (long long)a->spec->states, (long long)out->state);
    for (int i = 0; i < a->spec->observation; i++)
        if (!isfinite(out->observation[i]))
            return besd_fail(error, BESD_ENVIRONMENT, "environment %s: observation[%d] is %g",
                             a->methods->name, i, out->observation[i]);
    return BESD_OK;
}

static besd_status begin_episode(agent *a, uint64_t threshold, besd_error *error) {
    besd_env_outcome out = {0};
    a->methods->reset(a->env, &out);
    besd_status status = check_outcome(a, a->env, &out, error);
    a->placed = status == BESD_OK;
    if (!a->placed)
        return status;
    perceive(a, &out, subgoals_progress_at(a->goals, 0, out.observation), a->here);
    a->action = choose_at(a, &a->choices, a->here, threshold);
    return BESD_OK;
}

static void set_initial_values(agent *a, const agent_seeds *seeds) {
    rng noise = seeds->initial;
    double share = tabular(a) ? 1 : 1.0 / a->coder.tilings;
    for (int t = 0; t < 2 && a->values[t]; t++)
        for (size_t i = 0; i < value_count(a); i++) {
            double value = a->learning->initial_value;
            if (a->learning->initial_noise > 0)
                value += a->learning->initial_noise * rng_normal(&noise);
            a->values[t][i] = share * value;
        }
}

void agent_place(agent *a, const besd_env_methods *methods, besd_env *env,
                 const agent_seeds *seeds) {
    set_initial_values(a, seeds);
    agent_move(a, methods, env, seeds);
}

void agent_move(agent *a, const besd_env_methods *methods, besd_env *env,
                const agent_seeds *seeds) {
    a->methods = methods;
    a->env = env;
    a->here = &a->places[0];
    a->choices = seeds->choices;
    a->goals_reached = 0;
    a->step_size = learning_alpha(a->learning, 0);
    methods->seed(env, seeds->dynamics);
    begin_episode(a, choice_threshold(a->learning->epsilon_start), NULL);
}

/* One move: stage, shaping, and the part of the transition that learning needs. */
static besd_status take_step(const agent *a, besd_env *env, const situation *here, int action,
                             situation *next, agent_transition *t, besd_error *error) {
    besd_env_outcome out;
    a->methods->step(env, action, &out);
    besd_status status = check_outcome(a, env, &out, error);
    if (status != BESD_OK)
        return status;
    subgoals_progress p = here->progress;
    t->raw_reward = out.reward;
    t->shaping = shaping_move(a->goals, &p, a->learning->gamma, here->observation, out.observation,
                              out.terminated);
    perceive(a, &out, p, next);
    t->terminated = out.terminated;
    t->truncated = out.truncated;
    return BESD_OK;
}

static void tell(const agent *a, agent_transition *t, const situation *here, int action,
                 const situation *next, agent_observer *observer, void *context) {
    t->state = tabular(a) ? here->row - here->progress.stage * a->rows : 0;
    t->stage = here->progress.stage;
    t->next_stage = next->progress.stage;
    t->action = action;
    t->observation = here->observation;
    t->next_observation = next->observation;
    observer(context, t);
}

besd_status agent_train(agent *a, int64_t from, int64_t to, int64_t total, agent_observer *observer,
                        void *context, besd_error *error) {
    agent_transition t;
    uint64_t threshold = 0;
    if (!a->placed) {
        const char *failure = a->methods->failure ? a->methods->failure(a->env) : NULL;
        return besd_fail(error, BESD_ENVIRONMENT, "environment %s: %s", a->methods->name,
                         failure ? failure
                                 : "its reset told a state or an observation out of range");
    }
    for (int64_t i = from; i < to; i++) {
        situation *next = a->here == &a->places[0] ? &a->places[1] : &a->places[0];
        besd_status status = take_step(a, a->env, a->here, a->action, next, &t, error);
        if (status != BESD_OK)
            return status;
        if (observer)
            tell(a, &t, a->here, a->action, next, observer, context);
        if (i == from || a->learning->epsilon_start != a->learning->epsilon_end)
            threshold = choice_threshold(learning_epsilon(a->learning, i, total));
        a->action = learn(a, &t, next, threshold);
        a->here = next;
        if (t.terminated) {
            a->goals_reached++;
            a->step_size = learning_alpha(a->learning, a->goals_reached);
        }
        if (t.terminated || t.truncated) {
            status = begin_episode(a, threshold, error);
            if (status != BESD_OK)
                return status;
        }
    }
    return BESD_OK;
}

besd_status agent_evaluate(agent *a, besd_env *env, const agent_seeds *seeds,
                           agent_observer *observer, void *context, agent_episode *episode,
                           besd_error *error) {
    rng stream = seeds->choices;
    besd_env_outcome out = {0};
    situation places[2], *here = &places[0], *next = &places[1];
    agent_transition t = {0};
    double discount = 1;
    *episode = (agent_episode){0};
    a->methods->seed(env, seeds->dynamics);
    a->methods->reset(env, &out);
    besd_status reset = check_outcome(a, env, &out, error);
    if (reset != BESD_OK)
        return reset;
    perceive(a, &out, subgoals_progress_at(a->goals, 0, out.observation), here);
    while (!t.terminated && !t.truncated) {
        if (episode->steps == a->spec->cap)
            return besd_fail(error, BESD_ENVIRONMENT,
                             "environment %s: expected truncation after the cap of %lld steps",
                             a->methods->name, (long long)a->spec->cap);
        int action = choose_at(a, &stream, here, 0);
        besd_status status = take_step(a, env, here, action, next, &t, error);
        if (status != BESD_OK)
            return status;
        if (observer)
            tell(a, &t, here, action, next, observer, context);
        episode_move(episode, t.raw_reward, &discount, a->learning->gamma);
        if (next->progress.stage > here->progress.stage)
            episode_advance(episode);
        situation *left = here;
        here = next;
        next = left;
    }
    episode->reached_goal = t.terminated;
    return BESD_OK;
}
