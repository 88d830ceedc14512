#include "learn/guides.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIONS = LOCKSTEP_ACTIONS };

void guides_free(guides *g) {
    free(g->all);
    free(g->position);
    memset(g, 0, sizeof *g);
}

besd_status guides_init(guides *g, const subgoals *goals, int32_t states, besd_error *error) {
    *g = (guides){.goals = goals, .states = states, .rows_per_stage = states * ACTIONS};
    g->rows = g->rows_per_stage * (goals->count + 1);
    size_t count = (size_t)(g->rows / ACTIONS),
           positions = (size_t)states * (size_t)goals->dimension;
    g->all = malloc(count * sizeof *g->all);
    g->position = malloc(positions * sizeof *g->position);
    if (!g->all || !g->position) {
        guides_free(g);
        return besd_fail_memory(error, "a crew's tables");
    }
    for (size_t i = 0; i < count; i++)
        g->all[i].potential = NAN;
    for (size_t i = 0; i < positions; i++)
        g->position[i] = NAN;
    return BESD_OK;
}

void guides_learn(guides *g, int32_t row, const double *position) {
    int stage = row / g->rows_per_stage;
    bool reached = subgoals_reached(g->goals, stage, position, position);
    *guides_at(g, row) = (guide){.potential = subgoals_potential(g->goals, stage, position),
                                 .advance = reached ? g->rows_per_stage : 0};
}

/* Positions belong to states, hardly ever to instances: compute only when they differ. */
void guides_learn_all(guides *g, const double *position) {
    size_t dimension = (size_t)g->goals->dimension;
    size_t bytes = (size_t)g->states * dimension * sizeof *position;
    if (!memcmp(g->position, position, bytes))
        return;
    memcpy(g->position, position, bytes);
    for (int32_t row = 0; row < g->rows; row += ACTIONS)
        guides_learn(g, row, position + (size_t)(row / ACTIONS % g->states) * dimension);
}
