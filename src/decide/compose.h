/* Composing paths from legs by dynamic programming. A path has K points, each of which lies in one
 * of `cells` places. It is worth the sum of its legs: start to first point, point to point, last
 * point to the end. K passes over all pairs of cells fill tables from the start and from the end,
 * which give for every cell at every point the best of all paths through it.
 */
#ifndef BESD_DECIDE_COMPOSE_H
#define BESD_DECIDE_COMPOSE_H

#include "besd/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMPOSE_MOST_POINTS = 64 };

typedef struct compose_legs {
    size_t cells, points; /* points: K, from 1 to COMPOSE_MOST_POINTS */
    const double *first;  /* [cell]: from the start */
    const double *inner;  /* [cell * cells + next] */
    const double *last;   /* [cell]: to the end */
    const bool *allowed;  /* [point * cells + cell], at least one for each point; NULL: all are */
    double least;         /* to go on to another point is never worth less; the last leg may be */
} compose_legs;

typedef struct compose {
    size_t cells, points;
    void *memory;           /* of the arrays */
    double *before, *after; /* [point * cells + cell]: the best way there, and on from there */
    int32_t *from, *to;     /* the cell before it, and after it, on that way */
} compose;

/* On failure there is nothing to free. */
besd_status compose_init(compose *c, const compose_legs *legs, besd_error *error);
void compose_free(compose *c);

/* What the best path with this cell at this point is worth, -INFINITY where it is not allowed, and
 * its cells, [points]. */
double compose_value(const compose *c, size_t point, size_t cell);
void compose_path(const compose *c, size_t point, size_t cell, size_t *cells);

#endif
