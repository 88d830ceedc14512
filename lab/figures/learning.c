/* Learning curves: with besd's final recommendations (the mean over replications and two standard
 * errors) and without subgoals, read on more instances than a test has. */
#include "figures/figure.h"

#include "core/stats.h"

#include <math.h>
#include <stdlib.h>

static besd_status draw_domain(plot *p, const summary_domain *d) {
    const results_contest *c = d->contest;
    const results_entry *e = d->besd >= 0 ? d->methods[d->besd].entry : NULL;
    double *values = malloc((size_t)(e ? e->count : 1) * sizeof *values);
    double highest = 0, with = NAN;
    char source[160];
    if (!values)
        return BESD_MEMORY;
    int block = plot_block(p);
    for (int k = 0; k < JOB_CHECKPOINTS; k++) {
        sample_summary s = {.mean = NAN, .se = NAN};
        for (int i = 0; e && i < e->count; i++)
            values[i] = e->result[i].curve[k];
        if (e)
            s = stats_summarise(values, (size_t)e->count);
        highest = fmax(highest, fmax(s.mean + 2 * s.se, c->plain[k]));
        with = s.mean;
        plot_datum(p, "%lld %.10g %.10g %.10g %.10g", (long long)(c->checkpoint * (k + 1)),
                   c->plain[k], s.mean, s.mean - 2 * s.se, s.mean + 2 * s.se);
    }
    free(values);
    highest = 1.06 * fmax(highest, c->curve_optimum);
    plot_end ends[3] = {
        {.y = c->plain[JOB_CHECKPOINTS - 1] / highest, .text = "no subgoals", .colour = PLOT_INK}};
    int end_count = 1;
    if (isfinite(c->curve_optimum))
        ends[end_count++] =
            (plot_end){.y = c->curve_optimum / highest, .text = "optimum", .colour = "#777777"};
    if (isfinite(with))
        ends[end_count++] = (plot_end){
            .y = with / highest, .text = "besd", .colour = PLOT_VERMILLION, .bold = true};
    plot_label_ends(p, ends, end_count);
    plot_say(p, "set xrange [0:%lld]\nset yrange [0:%.10g]",
             (long long)(c->checkpoint * JOB_CHECKPOINTS), highest);
    plot_say(p, "set xtics %lld", (long long)(c->checkpoint * JOB_CHECKPOINTS / 2));
    plot_axes(p, "interactions with an instance",
              c->maximise ? "discounted return" : "steps to the goal");
    if (isfinite(c->curve_optimum))
        plot_say(p,
                 "set arrow from graph 0, first %.10g to graph 1, first %.10g nohead lw 1 dt (2,4) "
                 "lc rgb \"#777777\" back",
                 c->curve_optimum, c->curve_optimum);
    plot_source(block, source, sizeof source);
    plot_say(p,
             "plot %s using 1:4:5 with filledcurves lc rgb \"" PLOT_VERMILLION "\", \\\n"
             " %s using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb \"" PLOT_INK
             "\", \\\n %s using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb \"" PLOT_VERMILLION
             "\"",
             source, source, source);
    return BESD_OK;
}

besd_status figure_learning(const figure_source *s, plot *p, const char *folder, const char *name,
                            besd_error *error) {
    const summary *all = &s->findings->summary;
    figure_lattice(p, all->domain_count, 386, 300);
    p->room.left = 68;
    p->room.right = plot_label_room("no subgoals");
    p->room.above = 32;
    p->room.below = 54;
    besd_status status = plot_open(p, folder, name, error);
    for (int i = 0; status == BESD_OK && i < all->domain_count; i++) {
        char title[70];
        plot_panel(p, i, figure_domain_title(all->domains[i].contest->domain, title, sizeof title));
        status = draw_domain(p, &all->domains[i]);
    }
    return status;
}
