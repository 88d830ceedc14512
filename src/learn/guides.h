/* What the subgoals say of every (stage, state) of a table: the potential there, and whether the
 * subgoal of the stage is there. Worked out once for each, because a state stands for one position.
 *
 * Rows are counted in action values, four to a (stage, state), so that row + action is the index
 * of a value and of a ground's entry at once.
 */
#ifndef BESD_LEARN_GUIDES_H
#define BESD_LEARN_GUIDES_H

#include "learn/lockstep.h"
#include "learn/subgoals.h"

typedef struct guide {
    double potential; /* NaN: not known yet */
    int32_t advance;  /* rows of a stage when its subgoal is there, else 0 */
} guide;

typedef struct guides {
    const subgoals *goals;
    int32_t states, rows_per_stage, rows;
    guide *all;       /* [row / LOCKSTEP_ACTIONS] */
    double *position; /* [state * dimension + i]: what guides_learn_all worked them out for */
} guides;

/* Nothing is known yet. `goals` is borrowed. All rows must fit an int32_t. On failure there is
 * nothing to free. */
besd_status guides_init(guides *g, const subgoals *goals, int32_t states, besd_error *error);
void guides_free(guides *g);

/* Of every row; `position` as in besd_env_table. */
void guides_learn_all(guides *g, const double *position);

/* Of one row, where the state is at this position. */
void guides_learn(guides *g, int32_t row, const double *position);

static inline guide *guides_at(const guides *g, int32_t row) {
    return &g->all[(uint32_t)row / LOCKSTEP_ACTIONS];
}

/* The same, worked out when it is asked for the first time. */
static inline const guide *guides_know(guides *g, int32_t row, const double *position) {
    guide *known = guides_at(g, row);
    if (__builtin_expect(isnan(known->potential), 0))
        guides_learn(g, row, position);
    return known;
}

#endif
