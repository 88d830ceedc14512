/* Performance over cost (the paper's figure with error bars): one panel per domain, the mean of all
 * replications with a band of two standard errors (the single runs of besd behind it were tried:
 * fifty of them hide everything else). The vertical axis is the logarithm of the regret, labelled
 * with the regret itself; for returns, and where the optimum is not known, it is the performance.
 */
#include "contest/compare.h"
#include "figures/figure.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct cost_view {
    const summary_domain *domain;
    bool shows_regret;
    double low, high; /* of the vertical axis */
} cost_view;

static bool shows_regret(const results_contest *c) {
    return !c->maximise && isfinite(c->optimum);
}

static double height_of(const cost_view *v, const summary_point *p, double *band) {
    *band = v->shows_regret ? p->log_regret_two_se : p->two_se;
    return v->shows_regret ? p->log_regret : p->mean;
}

static void find_range(cost_view *v) {
    double band, value, sight = v->shows_regret ? 0.7 : INFINITY; /* a wide band is cut */
    v->low = INFINITY;
    v->high = -INFINITY;
    for (int m = 0; m < v->domain->method_count; m++)
        for (int k = 0; k < JOB_POINTS; k++) {
            value = height_of(v, &v->domain->methods[m].points[k], &band);
            if (isfinite(value)) {
                band = isfinite(band) ? fmin(band, sight) : 0;
                v->low = fmin(v->low, value - band);
                v->high = fmax(v->high, value + band);
            }
        }
    if (!v->shows_regret) {
        v->low = fmin(0, v->low);
        v->high = fmax(v->high, v->domain->contest->optimum); /* NaN: not known */
    }
    double margin = 0.04 * (v->high - v->low) + 1e-9;
    v->low -= margin;
    v->high += margin;
}

static void label_regrets(plot *p, const cost_view *v) {
    double ticks[FIGURE_MAX_TICKS];
    int count = figure_log_ticks(exp(v->low), exp(v->high), ticks);
    plot_say(p, "set ytics ()");
    for (int i = 0; i < count; i++)
        plot_say(p, "set ytics add (\"%g\" %.10g)", ticks[i], log(ticks[i]));
}

static void draw_axes(plot *p, const cost_view *v) {
    const results_contest *c = v->domain->contest;
    figure_cost_axis(p, c->budget);
    plot_say(p, "set yrange [%.10g:%.10g]", v->low, v->high);
    plot_axes(p, figure_cost_unit(c->budget),
              v->shows_regret ? "regret, steps (log scale)"
              : c->maximise   ? "discounted return"
                              : "steps to the goal");
    if (v->shows_regret)
        label_regrets(p, v);
    else if (isfinite(c->optimum))
        plot_say(p,
                 "set arrow from graph 0, first %.10g to graph 1, first %.10g nohead lw 1 "
                 "dt (2,4) lc rgb \"#666666\" back",
                 c->optimum, c->optimum);
}

static void mark_initial_design(plot *p, const cost_view *v) {
    const summary_domain *d = v->domain;
    double end = d->besd >= 0 ? d->methods[d->besd].initial_end : NAN;
    if (!isfinite(end))
        return;
    bool early = end < 0.55 * d->contest->budget;
    plot_say(p,
             "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead lw 0.8 lc rgb \"#bbbbbb\" "
             "back",
             end, end);
    plot_say(p,
             "set label \"initial design of besd\" at %.10g, graph 0.035 %s offset character "
             "%g, 0 font \",10\" tc rgb \"#666666\" front",
             end, early ? "left" : "right", early ? 0.5 : -0.5);
}

static int write_curve(plot *p, const cost_view *v, const summary_method *m) {
    int block = plot_block(p);
    for (int k = 0; k < JOB_POINTS; k++) {
        double band, value = height_of(v, &m->points[k], &band);
        if (isfinite(value))
            plot_datum(p, "%.10g %.10g %.10g %.10g", m->points[k].cost, value, value - band,
                       value + band);
    }
    return block;
}

static double label_room(const summary *s) {
    double most = plot_label_room("hyperband");
    char name[METHOD_LOOK_NAME];
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++)
            most = fmax(most, plot_label_room(method_look_name(
                                  s->domains[i].methods[m].entry->method, name, sizeof name)));
    return most;
}

static void draw_curves(plot *p, const cost_view *v) {
    const summary_domain *d = v->domain;
    int order[COMPARE_MAX_CONTENDERS], first = p->block, ends = 0;
    plot_end labels[COMPARE_MAX_CONTENDERS + 1];
    char source[160], names[COMPARE_MAX_CONTENDERS][METHOD_LOOK_NAME];
    method_look_order(d, order);
    for (int i = 0; i < d->method_count; i++) {
        const summary_method *m = &d->methods[order[i]];
        const method_look *look = method_look_of(m->entry->method);
        double band, last = height_of(v, &m->points[JOB_POINTS - 1], &band);
        write_curve(p, v, m);
        if (isfinite(last))
            labels[ends++] =
                (plot_end){.y = (last - v->low) / (v->high - v->low),
                           .text = method_look_name(m->entry->method, names[i], sizeof names[i]),
                           .colour = look->colour,
                           .bold = look->width > 2};
    }
    if (!v->shows_regret && isfinite(d->contest->optimum))
        labels[ends++] = (plot_end){.y = (d->contest->optimum - v->low) / (v->high - v->low),
                                    .text = "optimum",
                                    .colour = "#666666"};
    plot_label_ends(p, labels, ends);
    plot_say(p, "plot \\");
    for (int i = 0; i < d->method_count; i++)
        plot_say(p, " %s using 1:3:4 with filledcurves fs transparent solid %g lc rgb \"%s\", \\",
                 plot_source(first + i, source, sizeof source), order[i] == d->besd ? 0.28 : 0.12,
                 method_look_of(d->methods[order[i]].entry->method)->colour);
    for (int i = 0; i < d->method_count; i++) {
        const method_look *look = method_look_of(d->methods[order[i]].entry->method);
        plot_put(p, " %s using 1:2 with lines lw %g dt %s lc rgb \"%s\"",
                 plot_source(first + i, source, sizeof source), look->width, look->dash,
                 look->colour);
        plot_end_line(p, i + 1 < d->method_count);
    }
}

/* What lines and bands are; learning without subgoals, which has nothing to choose, apart. */
static void explain(plot *p, const summary *s) {
    int least = INT_MAX, most = 0;
    bool learner = false, regret = false;
    char text[200], range[40] = "";
    for (int i = 0; i < s->domain_count; i++) {
        regret |= shows_regret(s->domains[i].contest);
        for (int m = 0; m < s->domains[i].method_count; m++) {
            const results_entry *e = s->domains[i].methods[m].entry;
            if (!strcmp(e->method, "ql")) {
                learner = true;
                continue;
            }
            least = e->count < least ? e->count : least;
            most = e->count > most ? e->count : most;
        }
    }
    if (least < most)
        snprintf(range, sizeof range, "%d to ", least);
    if (most > 1)
        snprintf(text, sizeof text, "Mean of %s%d runs%s, band ± 2 standard errors%s.", range, most,
                 regret ? " (geometric for regret)" : "", learner ? "; ql is run once" : "");
    else
        snprintf(text, sizeof text, "One run of every method.");
    plot_set_footer(p, text);
}

besd_status figure_cost(const figure_source *s, plot *p, const char *folder, const char *name,
                        besd_error *error) {
    const summary *all = &s->findings->summary;
    p->room.left = 68;
    p->room.right = label_room(all);
    figure_lattice(p, all->domain_count, 242 + p->room.left + p->room.right, 330);
    p->room.above = 32;
    p->room.below = 54;
    explain(p, all);
    besd_status status = plot_open(p, folder, name, error);
    for (int i = 0; status == BESD_OK && i < all->domain_count; i++) {
        const results_contest *c = all->domains[i].contest;
        cost_view v = {.domain = &all->domains[i], .shows_regret = shows_regret(c)};
        char title[70];
        find_range(&v);
        plot_panel(p, i, figure_domain_title(c->domain, title, sizeof title));
        draw_axes(p, &v);
        mark_initial_design(p, &v);
        draw_curves(p, &v);
    }
    return status;
}
