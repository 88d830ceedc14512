/* What env_check.c and env_check_sense.c share.
 *
 * A check says what it expects, walks through the environment, says what it got, and blames the
 * environment when they differ. A walk keeps a fingerprint of all outcomes, so that "the same"
 * means the same bytes.
 */
#ifndef BESD_CHECK_ENV_CHECK_STATE_H
#define BESD_CHECK_ENV_CHECK_STATE_H

#include "check/check.h"
#include "core/rng.h"

enum { CHECK_WALK = 2000, CHECK_INSTANCES = 20, CHECK_EPISODES = 20 };

typedef struct env_checker {
    const domain *domain;
    const besd_env_methods *methods;
    besd_env_spec spec;
    uint64_t seed;
    int probe; /* random designs to try */
    besd_env *env[2];
    check_finding *finding; /* of the check that runs */
} env_checker;

/* The check fails. Returns BESD_ENVIRONMENT, which ends this check; the next one follows. */
besd_status check_blame(env_checker *c, const char *fix);

/* The check passes with a warning. */
besd_status check_warn(env_checker *c, const char *fix);

/* A walk with random actions through episode after episode of one instance. */
typedef struct walker {
    besd_env *env;
    rng actions;
    uint64_t hash;
    int64_t episode_steps;
    int action; /* the last one */
    besd_env_outcome before, now;
} walker;

/* Draws the instance, seeds the environment's chance and begins an episode. */
besd_status walk_begin(env_checker *c, walker *w, besd_env *env, uint64_t instance,
                       uint64_t chance);

/* One step with this action, after a reset when the last one ended the episode. */
besd_status walk_with(env_checker *c, walker *w, int action);

/* One step with a random action. */
besd_status walk_on(env_checker *c, walker *w);

/* The checks of env_check_sense.c: does a study of the environment make sense? */
besd_status check_instances(env_checker *c);
besd_status check_solvable(env_checker *c);
besd_status check_reward(env_checker *c);
besd_status check_shaping(env_checker *c);
besd_status check_reach(env_checker *c);
besd_status check_probe(env_checker *c);
besd_status check_speed(env_checker *c);

#endif
