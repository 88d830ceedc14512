/* Trials: train agents with one design and score them (paper section 3.4).
 *
 * A trial (theta, tau, q, seed) draws one instance, trains q independent agents in it for exactly
 * tau interactions each and scores one greedy episode of each on raw reward. `instances` > 1 does
 * that on as many instances, for testing a design. Everything random is named by (seed, instance,
 * replication), so the scores do not depend on the number of threads, nor on how many
 * checkpoints are evaluated on the way, and two designs tested with one seed meet the same
 * instances.
 */
#ifndef BESD_LEARN_TRIAL_H
#define BESD_LEARN_TRIAL_H

#include "learn/agent.h"

typedef struct trial_request {
    const domain *domain;
    const double *theta; /* NULL: no subgoals */
    size_t theta_length;
    int64_t tau;
    int64_t reps, instances;
    uint64_t seed;
    bool fresh_instances;  /* every replication gets its own instance */
    const int64_t *layout; /* of a grid: instances of this layout alone; NULL: as they come */
    learning_method method;
    int64_t every; /* interactions from one evaluation to the next; 0: only at the end */
    int threads;   /* 0: as many as there are processors */
    /* All routes give the same bytes; the slower ones are for the tests, which compare them. */
    enum { TRIAL_FASTEST, TRIAL_BY_CALLS, TRIAL_BY_AGENT } route;
} trial_request;

typedef struct trial_result {
    size_t agents;            /* instances * reps, instance after instance */
    size_t checkpoints;       /* at least 1; the last is at tau */
    int64_t *interactions;    /* [checkpoints] */
    double *scores;           /* [checkpoint * agents + agent] */
    uint8_t *reached_goal;    /* [agent], at the last checkpoint */
    uint64_t *instance_seeds; /* [agent] */
    size_t legs;              /* points of theta + 1 */
    int64_t *reached; /* [agent * legs + leg]: the step with which the leg ended, 0: it did not */
    double *earned;   /* [agent * legs + leg]: its part of the score, when that is a return */
    const double *final; /* the last checkpoint's scores: [agents] */
} trial_result;

besd_status trial_run(const trial_request *request, trial_result *result, besd_error *error);
void trial_result_free(trial_result *result);

/* The score of an episode under the domain's objective; `cap` is that of the environment's spec. */
double trial_score(const domain *d, int64_t cap, const agent_episode *episode);

/* The seeds of one replication: training, and the evaluation after `interactions`. */
agent_seeds trial_training_seeds(uint64_t seed, uint64_t instance, uint64_t replication);
agent_seeds trial_evaluation_seeds(uint64_t seed, uint64_t instance, uint64_t replication,
                                   int64_t interactions);

/* A pupil: one agent of Q-learning in one instance of a domain, to look at what it has learnt or
 * how it walks. For scores alone trial_run is faster.
 *
 *     pupil_open(&p, d, theta, length, &error);
 *     pupil_enter(&p, instance, &error);                  // the instance of this seed
 *     pupil_train(&p, seed, 0, tau, &error);
 *     pupil_test(&p, seed, 0, tau, observer, context, &episode, &error);
 *     pupil_close(&p);
 */
typedef struct pupil {
    const domain *domain;
    besd_env *env, *evaluation_env; /* two handles of one instance, for training and test */
    besd_env_spec spec;
    subgoals goals;
    learning learning;
    agent *agent;
} pupil;

/* theta NULL: no subgoals. The domain is borrowed; the agent borrows from *p, which must not be
 * moved. Close the pupil also after a failure. */
besd_status pupil_open(pupil *p, const domain *d, const double *theta, size_t length,
                       besd_error *error);
void pupil_close(pupil *p);

/* Enters an instance: the argument of besd_env_methods.instance. */
besd_status pupil_enter(pupil *p, uint64_t instance, besd_error *error);

/* Trains for tau interactions, with the randomness that replication 0 of instance number `number`
 * has in a trial of this seed. pupil_train forgets everything before; pupil_train_on starts from
 * the action values that the pupil has, from whichever instance. */
besd_status pupil_train(pupil *p, uint64_t seed, uint64_t number, int64_t tau, besd_error *error);
besd_status pupil_train_on(pupil *p, uint64_t seed, uint64_t number, int64_t tau,
                           besd_error *error);

/* A greedy episode after a training of tau, again as in a trial. observer may be NULL. */
besd_status pupil_test(pupil *p, uint64_t seed, uint64_t number, int64_t tau,
                       agent_observer *observer, void *context, agent_episode *episode,
                       besd_error *error);

#endif
