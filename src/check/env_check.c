#include "check/checker.h"

#include "core/error.h"
#include "world/hash.h"

#include <string.h>

besd_status check_blame(checker *c, const char *fix) {
    c->finding->verdict = CHECK_FAILED;
    SAY(c, fix, "%s", fix);
    return BESD_ENVIRONMENT;
}

besd_status check_warn(checker *c, const char *fix) {
    c->finding->verdict = CHECK_WARNED;
    SAY(c, fix, "%s", fix);
    return BESD_OK;
}

/* An environment that says itself that it cannot go on. */
static besd_status note_failure(checker *c, const besd_env *env) {
    const char *failure = c->methods->failure ? c->methods->failure(env) : NULL;
    if (!failure)
        return BESD_OK;
    SAY(c, got, "the environment failed: %.400s", failure);
    return check_blame(c, "mend what the sentence names; docs/protocol.md has the rules");
}

static void add_to_hash(const checker *c, walker *w) {
    double numbers[3 + BESD_ENV_MAX_OBSERVATION] = {w->now.reward, w->now.terminated,
                                                    w->now.truncated};
    for (int i = 0; i < c->spec.observation; i++)
        numbers[3 + i] = w->now.observation[i];
    int64_t state = c->spec.states ? w->now.state : 0;
    w->hash = hash_bytes(w->hash, numbers, sizeof numbers);
    w->hash = hash_bytes(w->hash, &state, sizeof state);
}

static besd_status begin_episode(checker *c, walker *w) {
    memset(&w->now, 0, sizeof w->now);
    c->methods->reset(w->env, &w->now);
    w->episode_steps = 0;
    add_to_hash(c, w);
    return note_failure(c, w->env);
}

besd_status walk_begin(checker *c, walker *w, besd_env *env, uint64_t instance, uint64_t chance) {
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

besd_status walk_with(checker *c, walker *w, int action) {
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

besd_status walk_on(checker *c, walker *w) {
    return walk_with(c, w, (int)rng_below(&w->actions, (uint64_t)c->spec.actions));
}

besd_status walk_all(checker *c, walker *w, besd_env *env, uint64_t instance, uint64_t chance,
                     int64_t steps) {
    besd_status status = walk_begin(c, w, env, instance, chance);
    for (int64_t i = 0; status == BESD_OK && i < steps; i++)
        status = walk_on(c, w);
    return status;
}

static const struct {
    const char *name;
    besd_status (*run)(checker *c);
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

static bool has_failed(const checker *c) {
    for (int i = 0; i < 2; i++)
        if (c->methods->failure && c->methods->failure(c->env[i]))
            return true;
    return false;
}

besd_status env_check(const domain *d, uint64_t seed, int probe, check_finding *findings,
                      size_t *count, besd_error *error) {
    checker c = {.domain = d, .methods = d->methods, .seed = seed, .probe = probe};
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
