/* Does an environment keep the rules of besd/env.h? */
#include "check/checker.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_STATES = 1 << 20 }; /* beyond, positions are not remembered */

besd_status check_determinism(checker *c) {
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

besd_status check_handles(checker *c) {
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

besd_status check_ranges(checker *c) {
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

static besd_status see_position(checker *c, const walker *w, double *seen) {
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

besd_status check_positions(checker *c) {
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
besd_status check_ending(checker *c) {
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
