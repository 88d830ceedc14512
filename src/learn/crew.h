/* A crew: several agents that learn by tabular Q-learning in lock-step.
 *
 * Most of besd's time is spent here. On a grid a crew does the work of agent.c, bit for bit, many
 * times faster. One agent alone makes the processor wait: each step needs the action that the
 * previous step chose, a chain of look-ups and comparisons of some 50 cycles. With eight agents in
 * turn the processor overlaps their chains.
 *
 * Moves come from the table of an instance, compiled together with the subgoals into a `ground`
 * (ground.h). When the environment offers no table, each move is a call of the public `step`. Both
 * ways need four actions and discrete states; agent.c serves everything else.
 */
#ifndef BESD_LEARN_CREW_H
#define BESD_LEARN_CREW_H

#include "learn/agent.h"
#include "learn/epsilon_greedy.h"

enum { CREW_LANES = LOCKSTEP_LANES };

typedef struct crew crew;

/* Can a crew train on this environment with this method? Not when eight tables would be too large.
 */
bool crew_serves(const besd_env_spec *spec, const learning *l);

/* `spec`, `goals` and `l` are borrowed for the life of the crew. */
besd_status crew_create(const besd_env_spec *spec, const subgoals *goals, const learning *l,
                        crew **created, besd_error *error);
void crew_destroy(crew *c);

/* Compiles the current instance of env as ground number 0, ..., CREW_LANES - 1. */
besd_status crew_compile(crew *c, int ground, const besd_env_methods *methods, const besd_env *env,
                         besd_error *error);

/* A fresh agent on a compiled ground; several may share it. */
void crew_place(crew *c, int lane, int ground, const agent_seeds *seeds);

/* A fresh agent that moves by calls of env, whose instance is drawn; `evaluation_env` is another
 * handle of the same instance. Each lane needs handles of its own. */
besd_status crew_place_caller(crew *c, int lane, const besd_env_methods *methods, besd_env *env,
                              besd_env *evaluation_env, const agent_seeds *seeds,
                              besd_error *error);

/* Trains lanes 0, ..., lanes - 1, all placed the same way, for interactions from + 1, ..., to of
 * a training of `total`. */
besd_status crew_train(crew *c, int lanes, int64_t from, int64_t to, int64_t total,
                       besd_error *error);

/* One greedy episode of every lane; agents and their training are left as they were. */
besd_status crew_evaluate(crew *c, int lanes, const agent_seeds *seeds, agent_episode *episodes,
                          besd_error *error);

/* Action values of (stage, state); [4], borrowed. For the tests, which compare them with those of
 * the reference agent. */
const double *crew_values(const crew *c, int lane, int stage, int64_t state);

#endif
