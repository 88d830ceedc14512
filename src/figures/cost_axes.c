#include "figures/cost_axes.h"

#include "figures/figure.h"

#include <stdio.h>

void cost_axes_draw(const cost_axes *a, plot *p) {
    double ticks[FIGURE_MAX_TICKS];
    char label[80];
    snprintf(label, sizeof label, "mean score%s%s",
             a->direction == BESD_MINIMIZE ? " (less is better)" : "",
             a->logarithmic ? ", log scale" : "");
    plot_say(p, "set xrange [0:%.10g]\nset format x \"%%g\"", a->cost / a->unit);
    plot_say(p, "set yrange [%.10g:%.10g]\nset format y \"%%g\"", a->low, a->high);
    plot_axes(p,
              a->unit > 1e3   ? "cost, millions"
              : a->unit > 1.0 ? "cost, thousands"
                              : "cost",
              label);
    if (!a->logarithmic)
        return;
    int count = figure_log_ticks(a->low, a->high, ticks);
    plot_say(p, "set logscale y\nset ytics ()");
    for (int i = 0; i < count; i++)
        plot_say(p, "set ytics add (\"%g\" %.10g)", ticks[i], ticks[i]);
}
