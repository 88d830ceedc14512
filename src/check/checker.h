/* Inside the checks of an environment: what they share. Not for others; see env_check.h.
 *
 * A check says what it expects, walks, says what it got, and blames the environment when they
 * differ. What a walk sees is summed up as a hash of every outcome, so that "the same" means the
 * same bytes.
 */
#ifndef BESD_CHECK_CHECKER_H
#define BESD_CHECK_CHECKER_H

#include "check/env_check.h"
#include "core/rng.h"

#include <stdio.h>

enum { CHECK_WALK = 2000, CHECK_INSTANCES = 20, CHECK_EPISODES = 20 };

typedef struct checker {
    const domain *domain;
    const besd_env_methods *methods;
    besd_env_spec spec;
    uint64_t seed;
    int probe; /* random designs to try */
    besd_env *env[2];
    check_finding *finding; /* of the check that runs */
} checker;

/* Writes the expected, got or fix of the check that runs. */
#define SAY(c, member, ...) snprintf((c)->finding->member, sizeof(c)->finding->member, __VA_ARGS__)

/* The check fails; the value, BESD_ENVIRONMENT, ends it, and besd goes on with the next one. */
besd_status check_blame(checker *c, const char *fix);

/* The check passes with a warning. */
besd_status check_warn(checker *c, const char *fix);

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
besd_status walk_begin(checker *c, walker *w, besd_env *env, uint64_t instance, uint64_t chance);

/* One step with this action, after a reset when the last one ended the episode. */
besd_status walk_with(checker *c, walker *w, int action);

/* One step with a random action. */
besd_status walk_on(checker *c, walker *w);

/* All of it. */
besd_status walk_all(checker *c, walker *w, besd_env *env, uint64_t instance, uint64_t chance,
                     int64_t steps);

/* The checks. Does the environment keep the contract? */
besd_status check_determinism(checker *c);
besd_status check_handles(checker *c);
besd_status check_ranges(checker *c);
besd_status check_positions(checker *c);
besd_status check_ending(checker *c);

/* Does a study of it make sense? */
besd_status check_instances(checker *c);
besd_status check_solvable(checker *c);
besd_status check_reward(checker *c);
besd_status check_shaping(checker *c);
besd_status check_reach(checker *c);
besd_status check_probe(checker *c);
besd_status check_speed(checker *c);

#endif
