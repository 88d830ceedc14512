#include "decide/compose.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

static bool is_allowed(const compose_legs *l, size_t point, size_t cell) {
    return !l->allowed || l->allowed[point * l->cells + cell];
}

/* The best ways to all cells at a point that is not the first. */
static void arrive(compose *c, const compose_legs *l, size_t point) {
    double *before = c->before + point * c->cells, *earlier = before - c->cells;
    int32_t *from = c->from + point * c->cells;
    for (size_t previous = 0; previous < c->cells; previous++) {
        const double *legs = l->inner + previous * c->cells;
        for (size_t cell = 0; cell < c->cells; cell++)
            if (earlier[previous] + legs[cell] > before[cell]) {
                before[cell] = earlier[previous] + legs[cell];
                from[cell] = (int32_t)previous;
            }
    }
    for (size_t cell = 0; cell < c->cells; cell++)
        if (!is_allowed(l, point, cell))
            before[cell] = -INFINITY;
}

/* The best way on from `cell` at a point that is not the last. */
static void go_on(compose *c, const compose_legs *l, size_t point, size_t cell) {
    const double *after = c->after + (point + 1) * c->cells;
    size_t at = point * c->cells + cell;
    for (size_t next = 0; next < c->cells; next++) {
        double value = l->inner[cell * c->cells + next] + after[next];
        if (value > c->after[at]) {
            c->after[at] = value;
            c->to[at] = (int32_t)next;
        }
    }
    c->after[at] = fmax(c->after[at], l->least);
}

besd_status compose_init(compose *c, const compose_legs *l, besd_error *error) {
    size_t count = l->cells * l->points;
    *c = (compose){.cells = l->cells, .points = l->points};
    const memory_array arrays[] = {{&c->before, count * sizeof *c->before},
                                   {&c->after, count * sizeof *c->after},
                                   {&c->from, count * sizeof *c->from},
                                   {&c->to, count * sizeof *c->to}};
    c->memory = memory_allocate(arrays, sizeof arrays / sizeof *arrays);
    if (!c->memory)
        return besd_fail_memory(error, "the paths");
    for (size_t i = 0; i < count; i++) {
        c->before[i] = c->after[i] = -INFINITY;
        c->from[i] = c->to[i] = 0;
    }
    for (size_t cell = 0; cell < l->cells; cell++)
        if (is_allowed(l, 0, cell))
            c->before[cell] = l->first[cell];
    for (size_t k = 1; k < l->points; k++)
        arrive(c, l, k);
    for (size_t k = l->points; k-- > 0;)
        for (size_t cell = 0; cell < l->cells; cell++) {
            if (!is_allowed(l, k, cell))
                continue;
            if (k + 1 == l->points)
                c->after[k * l->cells + cell] = l->last[cell];
            else
                go_on(c, l, k, cell);
        }
    return BESD_OK;
}

void compose_free(compose *c) {
    free(c->memory);
    *c = (compose){0};
}

double compose_value(const compose *c, size_t point, size_t cell) {
    size_t at = point * c->cells + cell;
    return c->before[at] + c->after[at];
}

void compose_path(const compose *c, size_t point, size_t cell, size_t *cells) {
    cells[point] = cell;
    for (size_t k = point; k > 0; k--)
        cells[k - 1] = (size_t)c->from[k * c->cells + cells[k]];
    for (size_t k = point; k + 1 < c->points; k++)
        cells[k + 1] = (size_t)c->to[k * c->cells + cells[k]];
}
