#include "learn/ground.h"

#include "core/error.h"
#include "learn/shaping.h"

#include <stdlib.h>
#include <string.h>

enum { ACTIONS = LOCKSTEP_ACTIONS };

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
