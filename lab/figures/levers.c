/* Which (tau, reps) besd pays for as cost grows: the shares of trials in tenths of the budget, the
 * replications of all runs together. Lighter is shorter; few replications are blue, many orange and
 * hatched. */
#include "figures/figure.h"

#include "core/error.h"

#include <string.h>

enum { BINS = 10, MAX_PAIRS = 64 };

typedef struct lever_pair {
    int64_t tau;
    int reps, tau_level, reps_level;
    double trials[BINS];
} lever_pair;

typedef struct lever_shares {
    int count;
    lever_pair pairs[MAX_PAIRS]; /* by reps, then tau */
    int tau_levels;
} lever_shares;

static bool comes_before(const lever_pair *a, int64_t tau, int reps) {
    return a->reps < reps || (a->reps == reps && a->tau < tau);
}

static lever_pair *pair_of(lever_shares *s, int64_t tau, int reps) {
    int at = 0;
    while (at < s->count && comes_before(&s->pairs[at], tau, reps))
        at++;
    lever_pair *found = &s->pairs[at];
    if (at < s->count && found->tau == tau && found->reps == reps)
        return found;
    if (s->count == MAX_PAIRS)
        return NULL;
    memmove(found + 1, found, (size_t)(s->count++ - at) * sizeof *found);
    *found = (lever_pair){.tau = tau, .reps = reps};
    return found;
}

static void find_levels(lever_shares *s) {
    for (int i = 0; i < s->count; i++) {
        lever_pair *own = &s->pairs[i];
        for (int j = 0; j < s->count; j++) { /* distinct smaller values, each counted once */
            bool first_tau = true, first_reps = true;
            for (int k = 0; k < j; k++) {
                first_tau &= s->pairs[k].tau != s->pairs[j].tau;
                first_reps &= s->pairs[k].reps != s->pairs[j].reps;
            }
            own->tau_level += first_tau && s->pairs[j].tau < own->tau;
            own->reps_level += first_reps && s->pairs[j].reps < own->reps;
        }
        s->tau_levels = own->tau_level + 1 > s->tau_levels ? own->tau_level + 1 : s->tau_levels;
    }
}

static void count_trials(const summary_domain *d, lever_shares *s) {
    const results_entry *e = d->methods[d->besd].entry;
    for (int r = 0; r < e->count; r++)
        for (size_t t = 0; t < e->result[r].trial_count; t++) {
            const job_trial *trial = &e->result[r].trials[t];
            double bin = BINS * trial->cost / d->contest->budget;
            lever_pair *pair = pair_of(s, trial->tau, trial->reps);
            if (pair)
                pair->trials[bin < BINS ? (int)bin : BINS - 1] += 1;
        }
    find_levels(s);
}

static unsigned colour_of(const lever_shares *s, const lever_pair *pair) {
    static const char *const hues[] = {PLOT_BLUE, PLOT_ORANGE, PLOT_GREEN, PLOT_PURPLE};
    double strength = s->tau_levels > 1 ? 0.3 + 0.7 * pair->tau_level / (s->tau_levels - 1) : 1;
    return plot_tint(hues[pair->reps_level % 4], strength);
}

/* Lines over the shade, by reps, because two shades may be one in grey; "" for the fewest. A page
 * has patterns of its own, that are as dense there as the others on a screen. */
static const char *hatch_of(const lever_pair *pair) {
    static const char *const patterns[] = {"", "(format eq \"pdf\" ? 6 : 4)",
                                           "(format eq \"pdf\" ? 7 : 5)",
                                           "(format eq \"pdf\" ? 2 : 1)"};
    return patterns[pair->reps_level % 4];
}

static void list_pairs(plot *p, const lever_shares *s) {
    double step = 17 / plot_panel_height(p);
    for (int i = 0; i < s->count; i++) {
        double y = 0.02 + step * i;
        plot_say(
            p,
            "set object rectangle from graph 1.04, graph %.4f to graph 1.09, graph %.4f noclip "
            "fs solid 1 noborder fc rgb 0x%06x",
            y, y + 0.7 * step, colour_of(s, &s->pairs[i]));
        if (*hatch_of(&s->pairs[i]))
            plot_say(p,
                     "set object rectangle from graph 1.04, graph %.4f to graph 1.09, graph %.4f "
                     "noclip fs transparent pattern %s noborder fc rgb \"" PLOT_INK "\"",
                     y, y + 0.7 * step, hatch_of(&s->pairs[i]));
        plot_say(p,
                 "set label \"%lld × %d\" at graph 1.11, graph %.4f left font \",11\" tc rgb "
                 "\"" PLOT_INK "\"",
                 (long long)s->pairs[i].tau, s->pairs[i].reps, y + 0.35 * step);
    }
    plot_say(p,
             "set label \"tau × reps\" at graph 1.04, graph %.4f left font \",11\" tc rgb "
             "\"#666666\"",
             0.02 + step * (s->count + 0.4));
}

static void draw_shares(plot *p, const summary_domain *d, const lever_shares *s) {
    double lower[BINS] = {0}, total[BINS] = {0}, width = d->contest->budget / BINS;
    char source[160];
    int first = p->block;
    for (int i = 0; i < s->count; i++)
        for (int b = 0; b < BINS; b++)
            total[b] += s->pairs[i].trials[b];
    for (int i = 0; i < s->count; i++) {
        plot_block(p);
        for (int b = 0; b < BINS; b++)
            if (total[b] > 0) {
                double upper = lower[b] + s->pairs[i].trials[b] / total[b];
                plot_datum(p, "%.10g %.10g %.10g %.10g %.10g %.10g", width * (b + 0.5),
                           (lower[b] + upper) / 2, width * (b + 0.03), width * (b + 0.97), lower[b],
                           upper);
                lower[b] = upper;
            }
    }
    plot_say(p, "plot \\");
    for (int i = 0; i < s->count; i++) {
        plot_source(first + i, source, sizeof source);
        plot_put(p, " %s using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x%06x",
                 source, colour_of(s, &s->pairs[i]));
        if (*hatch_of(&s->pairs[i])) {
            plot_end_line(p, true);
            plot_put(p,
                     " %s using 1:2:3:4:5:6 with boxxyerror fs transparent pattern %s noborder fc "
                     "rgb \"" PLOT_INK "\"",
                     source, hatch_of(&s->pairs[i]));
        }
        plot_end_line(p, i + 1 < s->count);
    }
}

static void draw_domain(plot *p, int panel, const summary_domain *d) {
    lever_shares shares = {0};
    char title[70];
    count_trials(d, &shares);
    plot_panel(p, panel, figure_domain_title(d->contest->domain, title, sizeof title));
    figure_cost_axis(p, d->contest->budget);
    plot_say(p, "set yrange [0:1]\nset ytics 0, 0.5\nunset grid");
    plot_axes(p, figure_cost_unit(d->contest->budget), "share of trials");
    list_pairs(p, &shares);
    draw_shares(p, d, &shares);
}

besd_status figure_levers(const figure_source *s, plot *p, const char *folder, const char *name,
                          besd_error *error) {
    const summary *all = &s->findings->summary;
    int panels = 0;
    for (int i = 0; i < all->domain_count; i++)
        panels += all->domains[i].besd >= 0;
    if (!panels)
        return besd_fail(error, BESD_INVALID, "levers: besd is not among the methods compared");
    figure_lattice(p, panels, 386, 280);
    p->room.left = 68;
    p->room.right = 92;
    p->room.above = 32;
    p->room.below = 54;
    besd_status status = plot_open(p, folder, name, error);
    for (int i = 0, panel = 0; status == BESD_OK && i < all->domain_count; i++)
        if (all->domains[i].besd >= 0)
            draw_domain(p, panel++, &all->domains[i]);
    return status;
}
