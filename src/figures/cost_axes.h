/* The axes of figures that show scores over cost. */
#ifndef BESD_FIGURES_COST_AXES_H
#define BESD_FIGURES_COST_AXES_H

#include "besd/besd.h"
#include "draw/plot.h"

typedef struct cost_axes {
    besd_direction direction;
    bool logarithmic;
    double cost, unit; /* where the axis ends, and what it counts in: 1, a thousand, a million */
    double low, high;  /* of the scores */
} cost_axes;

void cost_axes_draw(const cost_axes *axes, plot *p);

#endif
