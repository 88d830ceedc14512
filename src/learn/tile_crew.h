/* A crew of agents that learn by tile-coded Q-learning in lock-step: crew.h for environments
 * whose observation is the state.
 *
 * It does the work of agent.c, bit for bit, through the same calls of the public interface. One
 * agent alone makes the processor wait: an action leads to a position, to tiles, to sums of
 * weights, to an update and to the next action, one after the other. With eight agents, which all
 * do one part of a step before any does the next, the processor overlaps them.
 */
#ifndef BESD_LEARN_TILE_CREW_H
#define BESD_LEARN_TILE_CREW_H

#include "learn/agent.h"
#include "learn/epsilon_greedy.h"

enum { TILE_CREW_LANES = LOCKSTEP_LANES };

typedef struct tile_crew tile_crew;

/* Can a crew train on this environment with this method? Not when eight tables would be too large.
 */
bool tile_crew_serves(const besd_env_spec *spec, const learning *l);

/* `spec`, `goals` and `l` are borrowed for the life of the crew. */
besd_status tile_crew_create(const besd_env_spec *spec, const subgoals *goals, const learning *l,
                             tile_crew **created, besd_error *error);
void tile_crew_destroy(tile_crew *c);

/* A fresh agent that moves by calls of env, whose instance is drawn; `evaluation_env` is another
 * handle of the same instance. Each lane needs handles of its own. */
besd_status tile_crew_place(tile_crew *c, int lane, const besd_env_methods *methods, besd_env *env,
                            besd_env *evaluation_env, const agent_seeds *seeds, besd_error *error);

/* Trains lanes 0, ..., lanes - 1 for interactions from + 1, ..., to of a training of `total`. */
besd_status tile_crew_train(tile_crew *c, int lanes, int64_t from, int64_t to, int64_t total,
                            besd_error *error);

/* One greedy episode of every lane; agents and their training are left as they were. */
besd_status tile_crew_evaluate(tile_crew *c, int lanes, const agent_seeds *seeds,
                               agent_episode *episodes, besd_error *error);

/* Weights of (stage, feature), features as tiles.h numbers them; [actions], borrowed. For the
 * tests, which compare them with those of the reference agent. */
const double *tile_crew_weights(const tile_crew *c, int lane, int stage, int64_t feature);

#endif
