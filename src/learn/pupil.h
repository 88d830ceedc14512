/* A pupil: one agent of Q-learning in one instance of a domain, for those who want to look at what
 * it has learnt or how it walks. Whoever wants scores alone asks trial.h, which is faster.
 *
 *     pupil_open(&p, d, theta, length, &error);
 *     pupil_enter(&p, instance, &error);                  // the instance of this seed
 *     pupil_train(&p, seed, 0, tau, &error);
 *     pupil_test(&p, seed, 0, tau, observer, context, &episode, &error);
 *     pupil_close(&p);
 */
#ifndef BESD_LEARN_PUPIL_H
#define BESD_LEARN_PUPIL_H

#include "learn/agent.h"

typedef struct pupil {
    const domain *domain;
    besd_env *env, *evaluation_env; /* the same instance, to learn and to be tested in */
    besd_env_spec spec;
    subgoals goals;
    learning learning;
    agent *agent;
} pupil;

/* theta NULL: no subgoals. The domain is borrowed; the agent borrows from *p, which must stay where
 * it is. Close it also after a failure. */
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
