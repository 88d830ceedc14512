/* One study over its cost: every told trial, the best mean so far of those at the largest tau, and
 * at the end what is recommended, with its 90 % interval. The best trial has luck in it; what the
 * recommendation promises has not, and so may well look worse. */
#include "figures/figure.h"

#include "core/error.h"
#include "figures/study_trials.h"

#include <math.h>
#include <stdlib.h>

/* A share of the panel's height left free below and above. */
static const double margin = 0.06;

typedef struct progress_view {
    const besd_study_options *options;
    study_trials trials;
    besd_recommendation best;
    bool logarithmic;
    double low, high; /* of the scores */
    double cost, unit;
} progress_view;

static bool can_be_drawn(const progress_view *v, double score) {
    return isfinite(score) && (score > 0 || !v->logarithmic);
}

static double height_of(const progress_view *v, double score) {
    return v->logarithmic ? log(score) : score;
}

static void include(const progress_view *v, double score, double *low, double *high) {
    if (!can_be_drawn(v, score))
        return;
    *low = fmin(*low, height_of(v, score));
    *high = fmax(*high, height_of(v, score));
}

static void find_ranges(progress_view *v) {
    double low = INFINITY, high = -INFINITY;
    v->cost = v->options->baseline_cost; /* which was paid before the first trial */
    for (size_t i = 0; i < v->trials.count; i++) {
        v->cost += v->trials.of[i].cost;
        if (v->trials.of[i].state == BESD_TRIAL_TOLD)
            include(v, v->trials.of[i].mean, &low, &high);
    }
    include(v, v->best.value, &low, &high);
    include(v, v->best.low, &low, &high);
    include(v, v->best.high, &low, &high);
    double least = v->logarithmic ? 0.1 : 1e-6 + 0.02 * fabs(high);
    double room = margin * (high - low) + (high - low < least ? least : 0);
    v->low = v->logarithmic ? exp(low - room) : low - room;
    v->high = v->logarithmic ? exp(high + room) : high + room;
    v->cost = v->cost > 0 ? v->cost : 1;
    v->unit = v->cost >= 2e6 ? 1e6 : v->cost >= 1e4 ? 1e3 : 1;
}

static bool is_better(const progress_view *v, double mean, double than) {
    return v->options->direction == BESD_MINIMIZE ? mean < than : mean > than;
}

static int64_t largest_told_tau(const study_trials *t) {
    int64_t tau = 0;
    for (size_t i = 0; i < t->count; i++)
        if (t->of[i].state == BESD_TRIAL_TOLD && t->of[i].tau > tau)
            tau = t->of[i].tau;
    return tau;
}

/* Told trials at the largest tau that was told, or at the others. */
static void write_trials(const progress_view *v, plot *p, int64_t largest, bool at_largest) {
    double spent = v->options->baseline_cost;
    plot_block(p);
    for (size_t i = 0; i < v->trials.count; i++) {
        const besd_trial *t = &v->trials.of[i];
        spent += t->cost;
        if (t->state == BESD_TRIAL_TOLD && (t->tau == largest) == at_largest &&
            can_be_drawn(v, t->mean))
            plot_datum(p, "%.10g %.10g", spent / v->unit, t->mean);
    }
    plot_datum(p, "NaN NaN");
}

static void write_best(const progress_view *v, plot *p, int64_t largest) {
    double spent = v->options->baseline_cost, best = NAN;
    plot_block(p);
    for (size_t i = 0; i < v->trials.count; i++) {
        const besd_trial *t = &v->trials.of[i];
        spent += t->cost;
        if (t->state == BESD_TRIAL_TOLD && t->tau == largest && can_be_drawn(v, t->mean) &&
            (isnan(best) || is_better(v, t->mean, best))) {
            best = t->mean;
            plot_datum(p, "%.10g %.10g", spent / v->unit, best);
        }
    }
    plot_datum(p, "%.10g %.10g", spent / v->unit, best);
}

static void draw_axes(const progress_view *v, plot *p) {
    cost_axes axes = {.direction = v->options->direction,
                      .logarithmic = v->logarithmic,
                      .cost = 1.015 * v->cost, /* the recommendation stands there */
                      .unit = v->unit,
                      .low = v->low,
                      .high = v->high};
    cost_axes_draw(&axes, p);
}

/* The recommendation stands just beyond the last trial. */
static void draw_recommendation(const progress_view *v, plot *p) {
    double x = 1.015 * v->cost / v->unit;
    char text[80];
    if (!can_be_drawn(v, v->best.value))
        return;
    if (can_be_drawn(v, v->best.low) && can_be_drawn(v, v->best.high))
        plot_say(p,
                 "set arrow 1 from %.10g, %.10g to %.10g, %.10g heads size screen 0.006,90 lw 2.2 "
                 "lc rgb \"" PLOT_VERMILLION "\" front",
                 x, v->best.low, x, v->best.high);
    plot_say(p,
             "set label \"\" at %.10g, %.10g point pt 7 ps 1 lc rgb \"" PLOT_VERMILLION "\" front",
             x, v->best.value);
    double foot = height_of(v, v->low);
    double share = (height_of(v, v->best.value) - foot) / (height_of(v, v->high) - foot);
    snprintf(text, sizeof text, "recommended: %.4g", v->best.value);
    plot_end end = {.y = share, .text = text, .colour = PLOT_VERMILLION, .bold = true};
    plot_label_ends(p, &end, 1);
}

static void explain(const progress_view *v, plot *p, int64_t largest) {
    char text[500];
    snprintf(
        text, sizeof text,
        "Points: told trials, blue at tau %lld, grey at shorter ones. Line: the best so far at "
        "tau %lld, which has luck in it. Right: what the recommendation is expected to score%s.",
        (long long)largest, (long long)largest,
        isfinite(v->best.low) && isfinite(v->best.high)
            ? ", and between which scores with a probability of 90 %"
            : "; the trials do not say how sure that is");
    plot_set_footer(p, text);
}

static void draw(progress_view *v, plot *p, int64_t largest) {
    char grey[160], blue[160], line[160];
    plot_panel(p, 0, "The study as cost grows");
    draw_axes(v, p);
    write_trials(v, p, largest, false);
    write_trials(v, p, largest, true);
    write_best(v, p, largest);
    draw_recommendation(v, p);
    plot_source(0, grey, sizeof grey);
    plot_source(1, blue, sizeof blue);
    plot_source(2, line, sizeof line);
    plot_say(p,
             "plot %s using 1:2 with points pt 7 ps 0.4 lc rgb \"#b0b0b0\", \\\n"
             " %s using 1:2 with points pt 7 ps 0.5 lc rgb \"#5fa3cc\", \\\n"
             " %s using 1:2 with steps lw 2.2 lc rgb \"" PLOT_BLUE "\"",
             grey, blue, line);
}

besd_status figure_progress(const figure_source *s, plot *p, const char *folder, const char *name,
                            besd_error *error) {
    progress_view v = {.options = besd_study_get_options(s->study)};
    v.logarithmic = v.options->transform == BESD_TRANSFORM_LOG;
    besd_status status = besd_study_recommend(s->study, &v.best, error);
    if (status == BESD_OK)
        status = study_trials_read(&v.trials, s->study, error);
    if (status != BESD_OK)
        return status;
    find_ranges(&v);
    int64_t largest = largest_told_tau(&v.trials);
    p->room.left = 68;
    p->room.right = plot_label_room("recommended: 0.0001234");
    figure_lattice(p, 1, 560 + p->room.left + p->room.right, 330);
    p->room.above = 32;
    p->room.below = 54;
    explain(&v, p, largest);
    status = plot_open(p, folder, name, error);
    if (status == BESD_OK)
        draw(&v, p, largest);
    study_trials_free(&v.trials);
    return status;
}
