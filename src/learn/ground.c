#include "learn/ground.h"

#include "core/error.h"
#include "learn/subgoals.h"

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

/* Positions of states are hardly ever different in another instance; compute only when they are. */
void guides_learn_all(guides *g, const double *position) {
    size_t dimension = (size_t)g->goals->dimension;
    size_t bytes = (size_t)g->states * dimension * sizeof *position;
    if (!memcmp(g->position, position, bytes))
        return;
    memcpy(g->position, position, bytes);
    for (int32_t row = 0; row < g->rows; row += ACTIONS)
        guides_learn(g, row, position + (size_t)(row / ACTIONS % g->states) * dimension);
}

void ground_free(ground *g) {
    free(g->entries);
    free(g->raw_reward);
    memset(g, 0, sizeof *g);
}

static besd_status make_room(ground *g, const guides *book, besd_error *error) {
    if (!g->entries)
        g->entries = malloc((size_t)book->rows * sizeof *g->entries);
    if (!g->raw_reward)
        g->raw_reward = malloc((size_t)book->rows_per_stage * sizeof *g->raw_reward);
    return g->entries && g->raw_reward ? BESD_OK : besd_fail_memory(error, "a crew's ground");
}

static void compile_stage(ground *g, const guides *book, const besd_env_table *t, int stage,
                          double gamma) {
    int32_t base = stage * book->rows_per_stage;
    const guide *here = guides_at(book, base);
    for (int32_t i = 0; i < book->rows_per_stage; i++) {
        int32_t next = t->next[i], row = base + next * ACTIONS + here[next].advance;
        bool terminal = t->terminal[next];
        double shaping =
            shaping_of(gamma, here[i / ACTIONS].potential, here[next].potential, terminal);
        g->entries[base + i] = (ground_entry){.reward = t->reward[i] + shaping,
                                              .next = terminal ? row | GROUND_TERMINAL : row};
    }
}

besd_status ground_compile(ground *g, guides *book, const besd_env_table *t, double gamma,
                           besd_error *error) {
    besd_status status = make_room(g, book, error);
    if (status != BESD_OK)
        return status;
    guides_learn_all(book, t->position);
    memcpy(g->raw_reward, t->reward, (size_t)book->rows_per_stage * sizeof *g->raw_reward);
    g->start = (int32_t)t->start * ACTIONS;
    g->wind = t->wind;
    for (int stage = 0; stage <= book->goals->count; stage++)
        compile_stage(g, book, t, stage, gamma);
    return BESD_OK;
}
