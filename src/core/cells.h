/* Cells along a coordinate: intervals of one size, numbered from the one that begins at the origin.
 * Learners and studies must agree on cells, also where rounding would give another number: a box of
 * 0.6 has three cells of 0.2, although 0.6 / 0.2 is not quite 3.
 */
#ifndef BESD_CORE_CELLS_H
#define BESD_CORE_CELLS_H

#include <math.h>

#define CELLS_SLACK 1e-9 /* of a cell */

/* The first and the last cell of a box. */
static inline double cells_first(double low, double origin, double size) {
    return floor((low - origin) / size + CELLS_SLACK);
}

static inline double cells_last(double high, double origin, double size) {
    return ceil((high - origin) / size - CELLS_SLACK) - 1;
}

/* The cell of a coordinate in a box that ends at `high`; the border belongs to the last cell. */
static inline double cells_number(double x, double high, double origin, double size) {
    return fmin(floor((x - origin) / size), cells_last(high, origin, size));
}

#endif
