/* The performance profile over all domains whose scores can be normalised: for every score, the
 * share of runs that did better. A curve further up and to the right is better; the label tells the
 * interquartile mean. */
#include "contest/compare.h"
#include "figures/figure.h"

#include "core/error.h"

#include <math.h>
#include <string.h>

static void write_profile(plot *p, const summary_profile *profile) {
    plot_block(p);
    for (int t = 0; t < SUMMARY_THRESHOLDS; t++)
        plot_datum(p, "%.10g %.10g %.10g %.10g", summary_threshold(t), profile->share[t].value,
                   profile->share[t].low, profile->share[t].high);
}

/* Most important last. */
static void order_profiles(const summary *s, int *order) {
    for (int i = 0; i < s->profile_count; i++) {
        int at = i;
        for (; at > 0 && method_look_of(s->profiles[order[at - 1]].method) >
                             method_look_of(s->profiles[i].method);
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

enum { PANEL_WIDTH = 444, LINE_SIZE = METHOD_LOOK_NAME + 60 };

/* To two decimals, and never "-0.00". */
static double hundredths(double value) {
    return rint(100 * value) / 100 + 0.0;
}

static const char *describe(const summary_profile *one, char *text, size_t size) {
    char name[METHOD_LOOK_NAME];
    snprintf(text, size, "%s  %.2f  [%.2f, %.2f]", method_look_name(one->method, name, sizeof name),
             hundredths(one->iqm.value), hundredths(one->iqm.low), hundredths(one->iqm.high));
    return text;
}

static double label_room(const summary *s) {
    char text[LINE_SIZE];
    double most = 0;
    for (int i = 0; i < s->profile_count; i++)
        most = fmax(most, plot_label_room(describe(&s->profiles[i], text, sizeof text)));
    return most;
}

/* The names, best interquartile mean first, right of the panel. */
static void list_methods(plot *p, const summary *s) {
    char text[LINE_SIZE];
    for (int i = 0; i < s->profile_count; i++) {
        const summary_profile *one = &s->profiles[i];
        const method_look *look = method_look_of(one->method);
        int better = 0;
        for (int j = 0; j < s->profile_count; j++)
            better += s->profiles[j].iqm.value > one->iqm.value ||
                      (j < i && s->profiles[j].iqm.value == one->iqm.value);
        double y = 0.97 - 0.075 * better;
        plot_say(p,
                 "set arrow from graph 1.04, graph %.3f to graph 1.12, graph %.3f nohead lw %g dt "
                 "%s lc rgb \"%s\"",
                 y, y, look->width, look->dash, look->colour);
        plot_say(p, "set label '%s' at graph 1.14, graph %.3f left tc rgb \"" PLOT_INK "\"",
                 describe(one, text, sizeof text), y);
    }
}

/* Says in the footer which domains are left out, and why; how many are not. */
static int explain(plot *p, const summary *s) {
    char text[600] = "", name[FIGURE_TITLE_SIZE];
    int shown = 0;
    for (int i = 0; i < s->domain_count; i++) {
        const results_contest *c = s->domains[i].contest;
        size_t length = strlen(text);
        if (summary_has_scale(&s->domains[i]))
            shown++;
        else
            snprintf(text + length, sizeof text - length, "%s%s (%s)", length ? ", " : "Left out: ",
                     figure_domain_title(c->domain, name, sizeof name),
                     isfinite(c->optimum) ? "subgoals gain nothing" : "optimum not known");
    }
    if (*text) {
        snprintf(text + strlen(text), sizeof text - strlen(text), ".");
        plot_set_footer(p, text);
    }
    return shown;
}

besd_status figure_profile(const figure_source *s, plot *p, const char *folder, const char *name,
                           besd_error *error) {
    const summary *all = &s->findings->summary;
    int order[COMPARE_MAX_CONTENDERS];
    char source[160], title[120];
    if (!all->profile_count)
        return besd_fail(
            error, BESD_INVALID,
            "profile: expected a domain whose optimum is known and missed without subgoals, and a "
            "method that was run in every such domain");
    p->room.left = 66;
    p->room.right = fmax(250, 0.14 * PANEL_WIDTH + label_room(all));
    figure_lattice(p, 1, PANEL_WIDTH + p->room.left + p->room.right, 340);
    p->room.above = 32;
    p->room.below = 56;
    int shown = explain(p, all);
    besd_status status = plot_open(p, folder, name, error);
    if (status != BESD_OK)
        return status;
    snprintf(title, sizeof title, "%d domain%s; interquartile means with 95 %% intervals", shown,
             shown == 1 ? "" : "s");
    plot_panel(p, 0, title);
    plot_say(p, "set xrange [0:1]\nset yrange [0:1.02]");
    plot_axes(p, "normalised score (0 no subgoals, 1 optimum)", "share of runs that score higher");
    list_methods(p, all);
    order_profiles(all, order);
    for (int i = 0; i < all->profile_count; i++)
        write_profile(p, &all->profiles[order[i]]);
    plot_say(p, "plot \\");
    for (int i = 0; i < all->profile_count; i++)
        plot_say(p, " %s using 1:3:4 with filledcurves lc rgb \"%s\", \\",
                 plot_source(i, source, sizeof source),
                 method_look_of(all->profiles[order[i]].method)->colour);
    for (int i = 0; i < all->profile_count; i++) {
        const method_look *look = method_look_of(all->profiles[order[i]].method);
        plot_put(p, " %s using 1:2 with lines lw %g dt %s lc rgb \"%s\"",
                 plot_source(i, source, sizeof source), look->width, look->dash, look->colour);
        plot_end_line(p, i + 1 < all->profile_count);
    }
    return BESD_OK;
}
