/* The walks of all checks, the checks of the rules of besd/env.h, and the list of all checks.
 * Checks of whether subgoals make sense are in env_check_sense.c. */
#include "check/check.h"

#include "check/env_check_state.h"
#include "core/error.h"
#include "core/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

besd_status check_blame(env_checker *c, const char *fix) {
    c->finding->verdict = CHECK_FAILED;
    SAY(c, fix, "%s", fix);
    return BESD_ENVIRONMENT;
}

besd_status check_warn(env_checker *c, const char *fix) {
    c->finding->verdict = CHECK_WARNED;
    SAY(c, fix, "%s", fix);
    return BESD_OK;
}

/* Notes when the environment says that it cannot go on. */
static besd_status note_failure(env_checker *c, const besd_env *env) {
    const char *failure = c->methods->failure ? c->methods->failure(env) : NULL;
    if (!failure)
        return BESD_OK;
    SAY(c, got, "the environment failed: %.400s", failure);
    return check_blame(c, "mend what the sentence names; docs/protocol.md has the rules");
}

static void add_to_hash(const env_checker *c, walker *w) {
    double numbers[3 + BESD_ENV_MAX_OBSERVATION] = {w->now.reward, w->now.terminated,
                                                    w->now.truncated};
    for (int i = 0; i < c->spec.observation; i++)
        numbers[3 + i] = w->now.observation[i];
    int64_t state = c->spec.states ? w->now.state : 0;
    w->hash = hash_bytes(w->hash, numbers, sizeof numbers);
    w->hash = hash_bytes(w->hash, &state, sizeof state);
}

static besd_status begin_episode(env_checker *c, walker *w) {
    memset(&w->now, 0, sizeof w->now);
    c->methods->reset(w->env, &w->now);
    w->episode_steps = 0;
    add_to_hash(c, w);
    return note_failure(c, w->env);
}

besd_status walk_begin(env_checker *c, walker *w, besd_env *env, uint64_t instance,
                       uint64_t chance) {
    besd_error error = {BESD_OK, ""};
    *w = (walker){.env = env, .hash = HASH_START};
    w->actions = rng_open(c->seed, RNG_TEST, instance, chance, 0);
    if (c->methods->instance(env, rng_seed(c->seed, RNG_INSTANCE, instance, 0, 0), &error)) {
        SAY(c, got, "instance failed: %.400s",
            error.message[0] ? error.message : "without a reason");
        return check_blame(c, "an instance must come of every seed");
    }
    c->methods->seed(env, rng_seed(c->seed, RNG_DYNAMICS, chance, 0, 0));
    return begin_episode(c, w);
}

besd_status walk_with(env_checker *c, walker *w, int action) {
    if (w->now.terminated || w->now.truncated) {
        besd_status status = begin_episode(c, w);
        if (status != BESD_OK)
            return status;
    }
    w->before = w->now;
    w->action = action;
    memset(&w->now, 0, sizeof w->now);
    c->methods->step(w->env, action, &w->now);
    w->episode_steps++;
    add_to_hash(c, w);
    return note_failure(c, w->env);
}

besd_status walk_on(env_checker *c, walker *w) {
    return walk_with(c, w, (int)rng_below(&w->actions, (uint64_t)c->spec.actions));
}

/* A whole walk. */
static besd_status walk_all(env_checker *c, walker *w, besd_env *env, uint64_t instance,
                            uint64_t chance, int64_t steps) {
    besd_status status = walk_begin(c, w, env, instance, chance);
    for (int64_t i = 0; status == BESD_OK && i < steps; i++)
        status = walk_on(c, w);
    return status;
}

enum { MOST_STATES = 1 << 20 }; /* beyond, positions are not remembered */

static besd_status check_determinism(env_checker *c) {
    SAY(c, expected, "the same seeds give the same %d outcomes, in the same handle and in another",
        CHECK_WALK);
    walker first, again, other;
    besd_status status = walk_all(c, &first, c->env[0], 1, 1, CHECK_WALK);
    if (status == BESD_OK)
        status = walk_all(c, &again, c->env[0], 1, 1, CHECK_WALK);
    if (status == BESD_OK)
        status = walk_all(c, &other, c->env[1], 1, 1, CHECK_WALK);
    if (status != BESD_OK)
        return status;
    if (first.hash == again.hash && first.hash == other.hash) {
        SAY(c, got, "they do");
        return BESD_OK;
    }
    SAY(c, got, "%s",
        first.hash != again.hash ? "the same handle told something else the second time"
                                 : "another handle told something else");
    return check_blame(
        c, "draw everything random from the seeds of instance and seed, and let instance "
           "and reset forget what came before");
}

static besd_status check_handles(env_checker *c) {
    SAY(c, expected, "two handles that take turns tell what each tells alone");
    walker alone[2], together[2];
    besd_status status = BESD_OK;
    for (uint64_t i = 0; status == BESD_OK && i < 2; i++)
        status = walk_all(c, &alone[i], c->env[i], i, i + 7, CHECK_WALK);
    for (uint64_t i = 0; status == BESD_OK && i < 2; i++)
        status = walk_begin(c, &together[i], c->env[i], i, i + 7);
    for (int step = 0; status == BESD_OK && step < 2 * CHECK_WALK; step++)
        status = walk_on(c, &together[step % 2]);
    if (status != BESD_OK)
        return status;
    if (alone[0].hash == together[0].hash && alone[1].hash == together[1].hash) {
        SAY(c, got, "they do");
        return BESD_OK;
    }
    SAY(c, got, "handle %d told something else when the other one was used in between",
        alone[0].hash == together[0].hash ? 2 : 1);
    return check_blame(c,
                       "keep all state in the handle: no globals, no static variables, no shared "
                       "generator");
}

/* What is wrong with an outcome; NULL when nothing is. */
static const char *find_fault(const besd_env_spec *s, const besd_env_outcome *out, char *text,
                              size_t size) {
    if (!isfinite(out->reward))
        snprintf(text, size, "a reward of %g", out->reward);
    else if (s->states && (out->state < 0 || out->state >= s->states))
        snprintf(text, size, "state %" PRId64 " of %" PRId64, out->state, s->states);
    else if (out->terminated && out->truncated)
        snprintf(text, size, "an outcome that is both terminated and truncated");
    else {
        for (int i = 0; i < s->observation; i++)
            if (!(out->observation[i] >= s->low[i] && out->observation[i] <= s->high[i])) {
                snprintf(text, size, "observation[%d] = %g outside [%g, %g]", i,
                         out->observation[i], s->low[i], s->high[i]);
                return text;
            }
        return NULL;
    }
    return text;
}

static besd_status check_ranges(env_checker *c) {
    SAY(c, expected,
        "finite rewards, states in [0, %" PRId64 ") and observations within low and "
        "high, for all %d actions on %d instances",
        c->spec.states, c->spec.actions, CHECK_INSTANCES);
    for (uint64_t instance = 0; instance < CHECK_INSTANCES; instance++) {
        walker w;
        besd_status status = walk_begin(c, &w, c->env[0], instance, instance);
        for (int step = 0; status == BESD_OK && step <= CHECK_WALK; step++) {
            char fault[128];
            if (find_fault(&c->spec, &w.now, fault, sizeof fault)) {
                SAY(c, got, "%s, after action %d in step %" PRId64 " of an episode", fault,
                    w.action, w.episode_steps);
                return check_blame(c, "tell what the spec promises, or widen the spec");
            }
            status = walk_on(c, &w);
        }
        if (status != BESD_OK)
            return status;
    }
    SAY(c, got, "they are");
    return BESD_OK;
}

static besd_status see_position(env_checker *c, const walker *w, double *seen) {
    int dimension = c->spec.position;
    const double *now = w->now.observation;
    if (w->now.state < 0 || w->now.state >= c->spec.states) {
        SAY(c, got, "state %" PRId64 " of %" PRId64, w->now.state, c->spec.states);
        return check_blame(c, "tell states from 0 to states - 1");
    }
    double *known = seen + (size_t)w->now.state * (size_t)dimension;
    for (int i = 0; i < dimension; i++) {
        if (!isnan(known[i]) && known[i] != now[i]) {
            SAY(c, got, "state %" PRId64 " was at coordinate %d = %g and later at %g", w->now.state,
                i, known[i], now[i]);
            return check_blame(
                c, "number states so that the position follows from the state, or declare "
                   "states = 0 and let the observation be the state");
        }
        known[i] = now[i];
    }
    return BESD_OK;
}

static besd_status check_positions(env_checker *c) {
    SAY(c, expected, "a state id stands for one position, in every instance");
    if (!c->spec.states || c->spec.states > MOST_STATES) {
        SAY(c, got, "%s",
            c->spec.states ? "not checked: there are too many states"
                           : "not needed: the observation is the state");
        return BESD_OK;
    }
    size_t numbers = (size_t)c->spec.states * (size_t)c->spec.position;
    double *seen = malloc(numbers * sizeof *seen);
    if (!seen)
        return BESD_MEMORY;
    for (size_t i = 0; i < numbers; i++)
        seen[i] = NAN;
    besd_status status = BESD_OK;
    for (uint64_t instance = 0; status == BESD_OK && instance < CHECK_INSTANCES; instance++) {
        walker w;
        status = walk_begin(c, &w, c->env[0], instance, instance);
        for (int step = 0; status == BESD_OK && step < CHECK_WALK; step++) {
            status = see_position(c, &w, seen);
            if (status == BESD_OK)
                status = walk_on(c, &w);
        }
    }
    free(seen);
    if (status == BESD_OK)
        SAY(c, got, "it does");
    return status;
}

/* Episodes with one action over and over (which tends to get stuck) and with random ones. */
static besd_status check_ending(env_checker *c) {
    SAY(c, expected,
        "an episode ends by `terminated`, or by `truncated` after exactly %" PRId64
        " steps, the cap",
        c->spec.cap);
    int terminated = 0, truncated = 0;
    for (int episode = 0; episode < CHECK_EPISODES; episode++) {
        walker w;
        besd_status status = walk_begin(c, &w, c->env[0], (uint64_t)episode, 3);
        while (status == BESD_OK && !w.now.terminated && !w.now.truncated &&
               w.episode_steps < c->spec.cap)
            status = episode % 2 ? walk_on(c, &w) : walk_with(c, &w, episode / 2 % c->spec.actions);
        if (status != BESD_OK)
            return status;
        if (!w.now.terminated && !w.now.truncated) {
            SAY(c, got, "neither after %" PRId64 " steps", w.episode_steps);
            return check_blame(c,
                               "count steps from reset and set truncated when they reach the cap");
        }
        if (w.now.truncated && !w.now.terminated && w.episode_steps < c->spec.cap) {
            SAY(c, got, "truncated after %" PRId64 " steps", w.episode_steps);
            return check_blame(
                c, "when the task is over, set terminated; when time is up, let the spec's "
                   "cap say so");
        }
        terminated += w.now.terminated;
        truncated += w.now.truncated;
    }
    SAY(c, got, "%d of %d episodes terminated, %d were truncated at the cap", terminated,
        CHECK_EPISODES, truncated);
    return BESD_OK;
}

static const struct {
    const char *name;
    besd_status (*run)(env_checker *c);
} checks[] = {{"determinism", check_determinism},
              {"handles", check_handles},
              {"ranges", check_ranges},
              {"positions", check_positions},
              {"ending", check_ending},
              {"instances", check_instances},
              {"solvable", check_solvable},
              {"reward", check_reward},
              {"shaping", check_shaping},
              {"reach", check_reach},
              {"probe", check_probe},
              {"speed", check_speed}};

enum { CHECKS = sizeof checks / sizeof *checks };

_Static_assert(sizeof checks / sizeof *checks <= ENV_CHECK_MAX,
               "findings have room for all checks");

static bool has_failed(const env_checker *c) {
    for (int i = 0; i < 2; i++)
        if (c->methods->failure && c->methods->failure(c->env[i]))
            return true;
    return false;
}

besd_status env_check(const domain *d, uint64_t seed, int probe, check_finding *findings,
                      size_t *count, besd_error *error) {
    env_checker c = {.domain = d, .methods = d->methods, .seed = seed, .probe = probe};
    *count = 0;
    besd_status status = domain_open(d, &c.env[0], error);
    if (status == BESD_OK)
        status = domain_open(d, &c.env[1], error);
    if (status == BESD_OK)
        domain_spec(d, c.env[0], &c.spec);
    for (size_t i = 0; status == BESD_OK && i < CHECKS; i++) {
        c.finding = &findings[(*count)++];
        *c.finding = (check_finding){.name = checks[i].name};
        besd_status result = checks[i].run(&c);
        if (result == BESD_MEMORY)
            status = besd_fail_memory(error, "a check");
        if (result != BESD_OK && has_failed(&c))
            break;
    }
    d->methods->destroy(c.env[0]);
    d->methods->destroy(c.env[1]);
    return status;
}
