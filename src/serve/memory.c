#include "serve/memory.h"

#include <string.h>

/* Where the number of trials is, or would be. */
static size_t place_of(const recommendations *m, int64_t trials) {
    size_t at = m->count;
    while (at > 0 && m->of[at - 1].trials >= trials)
        at--;
    return at;
}

/* The first and the newest stay. */
static void thin_out(recommendations *m) {
    size_t kept = 0;
    for (size_t i = 0; i < m->count; i++)
        if (i % 2 == 0 || i + 1 == m->count)
            m->of[kept++] = m->of[i];
    m->count = kept;
}

void memory_keep(recommendations *m, const besd_recommendation *r) {
    remembered new = {r->trials, r->value, r->low, r->high};
    size_t at = place_of(m, r->trials);
    if (at < m->count && m->of[at].trials == r->trials) {
        m->of[at] = new;
        return;
    }
    if (m->count == MEMORY_MOST) {
        thin_out(m);
        at = place_of(m, r->trials);
    }
    memmove(m->of + at + 1, m->of + at, (m->count - at) * sizeof *m->of);
    m->of[at] = new;
    m->count++;
}

const remembered *memory_at(const recommendations *m, int64_t trials) {
    size_t at = place_of(m, trials);
    return at < m->count && m->of[at].trials == trials ? &m->of[at] : NULL;
}
