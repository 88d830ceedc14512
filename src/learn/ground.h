/* Tables for crews (crew.h): what the subgoals mean for every (stage, state), and the moves of an
 * instance compiled together with them.
 *
 * Rows are counted in action values, four to a (stage, state), so that row + action is the index
 * of an action value and also of an entry of a ground.
 */
#ifndef BESD_LEARN_GROUND_H
#define BESD_LEARN_GROUND_H

#include "learn/epsilon_greedy.h"
#include "learn/subgoals.h"

/* What the subgoal of a stage means for a state. Computed once, because a state stands for one
 * position. */
typedef struct guide {
    double potential; /* of the subgoal, at the state; NaN: not known yet */
    int32_t advance;  /* rows of a stage when the state reaches the subgoal, else 0 */
} guide;

typedef struct guides {
    const subgoals *goals;
    int32_t states, rows_per_stage, rows;
    guide *all;       /* [row / LOCKSTEP_ACTIONS] */
    double *position; /* [state * dimension + i]: the argument of the last guides_learn_all */
} guides;

/* No guide is known yet. `goals` is borrowed. All rows must fit an int32_t. On failure there is
 * nothing to free. */
besd_status guides_init(guides *g, const subgoals *goals, int32_t states, besd_error *error);
void guides_free(guides *g);

/* Computes the guides of all rows; `position` as in besd_env_table. */
void guides_learn_all(guides *g, const double *position);

/* Computes the guide of one row, whose state is at this position. */
void guides_learn(guides *g, int32_t row, const double *position);

static inline guide *guides_at(const guides *g, int32_t row) {
    return &g->all[(uint32_t)row / LOCKSTEP_ACTIONS];
}

/* The guide of a row, computed when it is asked for the first time. */
static inline const guide *guides_know(guides *g, int32_t row, const double *position) {
    guide *known = guides_at(g, row);
    if (__builtin_expect(isnan(known->potential), 0))
        guides_learn(g, row, position);
    return known;
}

/* A ground: the table of an instance and the subgoals, compiled together. It has one entry per
 * (stage, state, action): the row to which the move leads, stage advance included, and the whole
 * reward, shaping included. So a step is one look-up. */
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

/* Compiles a sound table with four actions and the states of `book` into g, which is all zero or
 * was compiled before with the same book. */
besd_status ground_compile(ground *g, guides *book, const besd_env_table *t, double gamma,
                           besd_error *error);
void ground_free(ground *g);

#endif
