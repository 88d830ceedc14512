/* One agent in a subgoal-augmented environment (paper section 3.3): any environment behind
 * besd/env.h, any learning method, tabular or tile-coded. This is the readable reference; crew.h
 * and tile_crew.h do the same for Q-learning, faster.
 *
 * The augmented state is (state, stage) with one table of action values per stage. Learning sees
 * raw reward + shaping; scores see raw reward only.
 */
#ifndef BESD_LEARN_AGENT_H
#define BESD_LEARN_AGENT_H

#include "core/rng.h"
#include "learn/subgoals.h"
#include "world/domain.h"

/* How an agent learns: the method and its schedules, from the parameters of a domain. */
typedef enum learning_method { LEARNING_Q, LEARNING_SARSA, LEARNING_DOUBLE_Q } learning_method;

enum { LEARNING_STEP_SIZES = 1024 };

typedef struct learning {
    learning_method method;
    double gamma;
    double epsilon_start, epsilon_end;
    double alpha, alpha_decay, alpha_power;
    double initial_value, initial_noise;
    int tilings, tiles;                    /* tile coding, for environments without state ids */
    double step_size[LEARNING_STEP_SIZES]; /* alpha after n goals, because pow is slow */
} learning;

learning learning_of(const domain *d, learning_method method);

/* "q", "sarsa", "double-q"; NULL past the last. */
const char *learning_method_name(size_t index);

/* Exploration rate of interaction t of `total`. */
double learning_epsilon(const learning *l, int64_t t, int64_t total);

/* alpha * c / (c + n^power) after n episodes that reached the goal; c = 0: constant. */
double learning_alpha(const learning *l, int64_t goals);

/* The random streams of one replication. */
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
    int stage;                       /* number of subgoals that were reached */
    int64_t reached[SUBGOALS_MAX];   /* the step with which each was reached */
    double earned[SUBGOALS_MAX + 1]; /* the part of the return earned on each leg */
} agent_episode;

/* Counts a move; to be called before episode_advance. `discount` is that of the reward, and is
 * updated for the next move. */
static inline void episode_move(agent_episode *e, double reward, double *discount, double gamma) {
    double earned = *discount * reward;
    e->steps++;
    e->discounted_return += earned;
    e->earned[e->stage] += earned;
    *discount *= gamma;
}

/* The last move that was counted reached a subgoal. */
static inline void episode_advance(agent_episode *e) {
    e->reached[e->stage++] = e->steps;
}

/* One transition as an observer sees it. */
typedef struct agent_transition {
    int64_t state; /* before the move; 0 when the environment has no state ids */
    int stage, next_stage;
    int action; /* chosen by the agent; the wind may have replaced it */
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

/* Begins an episode of env, keeps the action values and forgets the rest. */
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
