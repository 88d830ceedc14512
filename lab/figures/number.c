/* What to expect from how many subgoals: the best path of every number, with its 90 % interval; the
 * number that is recommended filled. */
#include "figures/figure.h"

#include "core/error.h"
#include "study/recommend.h"

#include <math.h>

/* A share of the panel's height left free below and above. */
static const double margin = 0.08;

static void find_range(const path_curve *c, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < c->count; i++)
        if (c->of[i].known) {
            *low = fmin(*low, isfinite(c->of[i].low) ? c->of[i].low : c->of[i].value);
            *high = fmax(*high, isfinite(c->of[i].high) ? c->of[i].high : c->of[i].value);
        }
    double room = margin * (*high - *low) + (*high > *low ? 0 : 1e-6 + 0.1 * fabs(*high));
    *low -= room;
    *high += room;
}

static void draw_axes(plot *p, const path_curve *c, const besd_study_options *o) {
    double low, high;
    find_range(c, &low, &high);
    plot_say(p, "set xrange [%g:%g]\nset yrange [%.10g:%.10g]", (double)c->of[0].points - 0.5,
             (double)c->of[c->count - 1].points + 0.5, low, high);
    plot_say(p, "set xtics %zu, 1", c->of[0].points);
    plot_axes(p, "subgoals",
              o->direction == BESD_MINIMIZE ? "expected score (less is better)" : "expected score");
}

static void write_points(plot *p, const path_curve *c) {
    plot_block(p);
    for (size_t i = 0; i < c->count; i++) {
        const path_curve_point *at = &c->of[i];
        bool sure = isfinite(at->low) && isfinite(at->high);
        if (at->known)
            plot_datum(p, "%zu %.8g %.8g %.8g %d", at->points, at->value,
                       sure ? at->low : at->value, sure ? at->high : at->value,
                       at->points == c->visits ? 7 : 6);
    }
}

static void label_points(plot *p, const path_curve *c) {
    for (size_t i = 0; i < c->count; i++)
        if (c->of[i].known)
            plot_say(p,
                     "set label '%.4g' at %zu, %.8g left offset character 1.5, 0 font \",11\" tc "
                     "rgb \"" PLOT_INK "\" front",
                     c->of[i].value, c->of[i].points, c->of[i].value);
        else
            plot_say(p,
                     "set label 'none tried' at %zu, graph 0.5 center font \",11\" tc rgb "
                     "\"#666666\" front",
                     c->of[i].points);
}

besd_status figure_number(const figure_source *s, plot *p, const char *folder, const char *name,
                          besd_error *error) {
    char source[160];
    besd_recommendation best;
    path_curve curve;
    besd_status status = besd_study_recommend(s->study, &best, error);
    if (status == BESD_OK)
        status = path_curve_find(s->study, &best, &curve, error);
    if (status == BESD_OK && !curve.count)
        status = besd_fail(error, BESD_UNSUPPORTED,
                           "number: this study does not choose the number of subgoals; expected "
                           "one with subgoals such as 1..4, or 'fewest' in its path");
    if (status != BESD_OK)
        return status;
    p->room.left = 66;
    p->room.right = 24;
    p->room.above = 32;
    p->room.below = 50;
    figure_lattice(p, 1, 520, 300);
    plot_set_footer(p, "The best path of every number of subgoals, and between which scores it "
                       "lies with a probability of 90 %. Filled: recommended.");
    status = plot_open(p, folder, name, error);
    if (status != BESD_OK)
        return status;
    plot_panel(p, 0, "What to expect from how many subgoals");
    draw_axes(p, &curve, besd_study_get_options(s->study));
    write_points(p, &curve);
    label_points(p, &curve);
    plot_source(0, source, sizeof source);
    plot_say(p,
             "plot %s using 1:2 with lines lw 1.2 lc rgb \"#9bbfd6\", \\\n"
             " %s using 1:2:3:4 with yerrorbars pt 0 lw 1.6 lc rgb \"" PLOT_BLUE "\", \\\n"
             " %s using 1:2 with points pt 7 ps 1.3 lc rgb \"#ffffff\", \\\n"
             " %s using 1:2:5 with points pt variable ps 1.3 lw 1.8 lc rgb \"" PLOT_BLUE "\"",
             source, source, source, source);
    return BESD_OK;
}
