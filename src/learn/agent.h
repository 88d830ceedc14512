/* One agent in a subgoal-augmented environment (paper section 3.3): any environment behind
 * besd/env.h, any learning method, tabular or tile-coded. This is the readable reference; crew.h
 * does the same on grids, faster.
 *
 * The augmented state is (state, stage) with one table of action values per stage. Learning sees
 * raw reward + shaping; scores see raw reward only.
 */
#ifndef BESD_LEARN_AGENT_H
#define BESD_LEARN_AGENT_H

#include "core/rng.h"
#include "learn/learning.h"
#include "learn/subgoals.h"

/* Where one replication's randomness comes from. */
typedef struct agent_seeds {
    rng choices;       /* exploration and ties */
    uint64_t dynamics; /* the environment's own chance */
    rng initial;       /* initial action values */
} agent_seeds;

/* Leg k of an episode leads from subgoal k, or the start, to subgoal k + 1; the last to the goal.
 */
typedef struct agent_episode {
    int64_t steps;
    double discounted_return;        /* of the raw reward */
    bool reached_goal;               /* terminated, as opposed to truncated */
    int stage;                       /* subgoals that were reached, */
    int64_t reached[SUBGOALS_MAX];   /* and the step with which each was */
    double earned[SUBGOALS_MAX + 1]; /* of the return, on each leg */
} agent_episode;

/* Counts a move, before its subgoal; `discount` is that of the reward, and goes on. */
static inline void episode_move(agent_episode *e, double reward, double *discount, double gamma) {
    double earned = *discount * reward;
    e->steps++;
    e->discounted_return += earned;
    e->earned[e->stage] += earned;
    *discount *= gamma;
}

/* The move that was counted last completed a subgoal. */
static inline void episode_advance(agent_episode *e) {
    e->reached[e->stage++] = e->steps;
}

/* One transition as an observer sees it. */
typedef struct agent_transition {
    int64_t state; /* before the move; 0 when the environment has no state ids */
    int stage, next_stage;
    int action; /* chosen; the wind may have moved the agent otherwise */
    double raw_reward, shaping;
    bool terminated, truncated;
    const double *observation, *next_observation; /* borrowed during the call */
} agent_transition;

typedef void agent_observer(void *context, const agent_transition *transition);

typedef struct agent agent;

/* `spec`, `goals` and `l` are borrowed for the life of the agent. */
besd_status agent_create(const besd_env_spec *spec, const subgoals *goals, const learning *l,
                         agent **created, besd_error *error);
void agent_destroy(agent *a);

/* Forgets everything and begins an episode of env, whose instance is drawn. */
void agent_place(agent *a, const besd_env_methods *methods, besd_env *env,
                 const agent_seeds *seeds);

/* Begins an episode of env with the action values that it has; the rest is forgotten. */
void agent_move(agent *a, const besd_env_methods *methods, besd_env *env, const agent_seeds *seeds);

/* Interactions from + 1, ..., to of a training of `total`. observer may be NULL. */
besd_status agent_train(agent *a, int64_t from, int64_t to, int64_t total, agent_observer *observer,
                        void *context, besd_error *error);

/* One greedy episode in another handle of the same instance; the training is left as it was. */
besd_status agent_evaluate(agent *a, besd_env *env, const agent_seeds *seeds,
                           agent_observer *observer, void *context, agent_episode *episode,
                           besd_error *error);

/* Action values of (stage, state), for environments with state ids; [actions], borrowed. For
 * double Q-learning these are the first of its two tables. */
const double *agent_values(const agent *a, int stage, int64_t state);

#endif
