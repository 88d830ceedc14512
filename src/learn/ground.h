/* A ground: the table of an instance and the subgoals, compiled together.
 *
 * It has one entry per (stage, state, action): the row the move leads to, stage advance included,
 * and the whole reward, shaping included. So a step is one look-up. Rows are those of guides.h.
 */
#ifndef BESD_LEARN_GROUND_H
#define BESD_LEARN_GROUND_H

#include "learn/guides.h"

enum { GROUND_TERMINAL = INT32_MIN };

typedef struct ground_entry {
    double reward; /* raw and shaping */
    int32_t next;  /* row; with GROUND_TERMINAL when the move ends the task */
} ground_entry;

typedef struct ground {
    ground_entry *entries; /* [row + action] */
    double *raw_reward;    /* [state * LOCKSTEP_ACTIONS + action] */
    int32_t start;
    double wind;
} ground;

/* Compiles a sound table of four actions and the states of `book` into g, which was zero or
 * compiled before with the same book. */
besd_status ground_compile(ground *g, guides *book, const besd_env_table *t, double gamma,
                           besd_error *error);
void ground_free(ground *g);

#endif
