/* What a study expects along each coordinate of theta, the others kept at the recommendation: mean
 * scores at the largest tau with their intervals as a band, those at the other tau as thin lines,
 * and below the places that were tried. The recommendation itself is a point with its own interval,
 * since the trials that confirm it are nothing to the model. */
#include "figures/figure.h"

#include "core/error.h"
#include "study/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200 };

/* gnuplot leaves out the label of a number that is the very end of a logarithmic axis. */
#define BELOW_FOOT 1e-6

typedef struct slice_view {
    besd_study *study;
    const besd_study_options *options;
    besd_recommendation best;
    double *thetas; /* every place, and what is expected there */
    int64_t *taus;
    besd_forecast *forecasts;
    double low, high; /* of all that a panel shows */
} slice_view;

/* The number of a place: step of the slice along a coordinate at a tau level. */
static size_t place(const slice_view *v, size_t coordinate, size_t level, size_t step) {
    return (coordinate * v->options->tau_count + level) * (STEPS + 1) + step;
}

static void choose_places(slice_view *v) {
    const besd_study_options *o = v->options;
    size_t d = o->dimension;
    for (size_t c = 0; c < d; c++)
        for (size_t level = 0; level < o->tau_count; level++)
            for (size_t step = 0; step <= STEPS; step++) {
                size_t at = place(v, c, level, step);
                memcpy(v->thetas + at * d, v->best.theta, d * sizeof *v->thetas);
                v->thetas[at * d + c] = o->low[c] + (o->high[c] - o->low[c]) * (double)step / STEPS;
                v->taus[at] = o->taus[level];
            }
}

static void forget(slice_view *v) {
    free(v->thetas);
    free(v->taus);
    free(v->forecasts);
}

/* One question for the whole figure: making a model of many trials takes its time. */
static besd_status ask_model(slice_view *v, besd_error *error) {
    size_t d = v->options->dimension, count = place(v, d, 0, 0);
    v->thetas = malloc(count * d * sizeof *v->thetas);
    v->taus = malloc(count * sizeof *v->taus);
    v->forecasts = malloc(count * sizeof *v->forecasts);
    if (!v->thetas || !v->taus || !v->forecasts)
        return besd_fail_memory(error, "the slices");
    choose_places(v);
    return besd_study_forecast_many(v->study, v->thetas, v->taus, count, v->forecasts, error);
}

/* A score that is shown; one that is not known is no number to gnuplot. */
static void write_score(plot *p, slice_view *v, double score) {
    if (!isfinite(score)) {
        fputs(" NaN", p->script);
        return;
    }
    v->low = fmin(v->low, score);
    v->high = fmax(v->high, score);
    fprintf(p->script, " %.8g", score);
}

/* x, then mean, low and high of the largest tau, then the means of the others; and those of the
 * recommendation. */
static void write_slice(plot *p, slice_view *v, size_t coordinate) {
    size_t d = v->options->dimension, last = v->options->tau_count - 1;
    v->low = INFINITY;
    v->high = -INFINITY;
    plot_block(p);
    for (size_t step = 0; step <= STEPS; step++) {
        size_t at = place(v, coordinate, last, step);
        fprintf(p->script, "%.8g", v->thetas[at * d + coordinate]);
        write_score(p, v, v->forecasts[at].value);
        write_score(p, v, v->forecasts[at].low);
        write_score(p, v, v->forecasts[at].high);
        for (size_t level = 0; level < last; level++)
            write_score(p, v, v->forecasts[place(v, coordinate, level, step)].value);
        fputc('\n', p->script);
    }
    plot_block(p);
    fprintf(p->script, "%.8g", v->best.theta[coordinate]);
    write_score(p, v, v->best.value);
    write_score(p, v, v->best.low);
    write_score(p, v, v->best.high);
    fputc('\n', p->script);
}

typedef struct coordinate_plot {
    plot *plot;
    size_t coordinate;
} coordinate_plot;

static bool write_trial(void *context, const besd_trial *t) {
    const coordinate_plot *c = context;
    plot_datum(c->plot, "%.8g", t->theta[c->coordinate]);
    return true;
}

static besd_status write_trials(plot *p, const slice_view *v, size_t coordinate,
                                besd_error *error) {
    coordinate_plot c = {p, coordinate};
    plot_block(p);
    return besd_study_trials(v->study, 0, write_trial, &c, error);
}

/* The largest of ..., 1, 2, 5, 10, ... that is not above a positive number: the foot of an axis. */
static double round_down(double value) {
    double decade = pow(10, floor(log10(value))), digit = value / decade;
    return decade * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/* A band that ends at the border looks cut off. */
static const double room_above = 0.06;

static void label_scores(plot *p, const slice_view *v) {
    double ticks[FIGURE_MAX_TICKS], low = v->low > 0 ? round_down(v->low) : v->low;
    double high = low > 0 ? v->high * pow(v->high / low, room_above) : v->high;
    int count = figure_log_ticks(low, high, ticks);
    plot_say(p, "set logscale y\nset format y \"%%g\"");
    if (count)
        plot_say(p, "set yrange [%.10g:%.10g]\nset ytics ()", low * (1 - BELOW_FOOT), high);
    for (int i = 0; i < count; i++)
        plot_say(p, "set ytics add (\"%%g\" %.10g)", ticks[i]);
}

static void draw_panel(plot *p, const slice_view *v, size_t coordinate) {
    const besd_study_options *o = v->options;
    char source[160], own[160], trials[160], title[2 * BESD_MAX_NAME + 40];
    int last = p->block - 1;
    double recommended = v->best.theta[coordinate];
    const char *unit = o->units[coordinate];
    snprintf(title, sizeof title, "%s = %.4g%s%s", o->names[coordinate], recommended,
             *unit ? " " : "", unit);
    plot_panel(p, (int)coordinate, title);
    plot_say(p, "set xrange [%.10g:%.10g]", o->low[coordinate], o->high[coordinate]);
    plot_say(p, "set y2range [0:1]\nset yrange [*:*]");
    if (o->transform == BESD_TRANSFORM_LOG)
        label_scores(p, v);
    plot_axes(p, "", o->direction == BESD_MINIMIZE ? "score (less is better)" : "score");
    plot_say(p,
             "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead lw 1 dt (4,3) lc rgb "
             "\"" PLOT_INK "\" back",
             recommended, recommended);
    plot_source(last - 2, source, sizeof source);
    plot_source(last - 1, own, sizeof own);
    plot_source(last, trials, sizeof trials);
    plot_say(p,
             "plot %s using 1:3:4 with filledcurves lc rgb \"" PLOT_BLUE "\", \\\n"
             " for [k = 5:%zu] %s using 1:(column(k)) with lines lw 1.2 dt (6,3) lc rgb "
             "\"" PLOT_ORANGE "\", \\\n"
             " %s using 1:2 with lines lw 2.6 lc rgb \"" PLOT_BLUE "\", \\\n"
             " %s using 1:2:3:4 with yerrorbars pt 7 ps 0.7 lw 1.6 lc rgb \"" PLOT_INK "\", \\\n"
             " %s using 1:(0.02) axes x1y2 with points pt 2 ps 0.35 lw 0.8 lc rgb \"#666666\"",
             source, o->tau_count + 3, source, source, own, trials);
}

static void explain(plot *p, const besd_study_options *o) {
    char text[400], others[200] = "";
    size_t length = 0, last = o->tau_count - 1;
    for (size_t t = 0; t < last && length < sizeof others; t++)
        length += (size_t)snprintf(others + length, sizeof others - length, "%s%lld",
                                   t ? ", " : "; orange: at tau ", (long long)o->taus[t]);
    snprintf(text, sizeof text,
             "Blue: what the model expects at tau %lld with its 90 %% interval%s. Point on the "
             "dashed line: the recommendation, its confirming trials included. Crosses: where "
             "trials were made.",
             (long long)o->taus[last], others);
    plot_set_footer(p, text);
}

static besd_status draw(slice_view *v, plot *p, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < v->options->dimension; i++) {
        write_slice(p, v, i);
        status = write_trials(p, v, i, error);
        if (status == BESD_OK)
            draw_panel(p, v, i);
    }
    return status;
}

besd_status figure_slices(const figure_source *s, plot *p, const char *folder, const char *name,
                          besd_error *error) {
    slice_view v = {.study = s->study, .options = besd_study_get_options(s->study)};
    besd_status status = besd_study_recommend(s->study, &v.best, error);
    if (status == BESD_OK)
        status = ask_model(&v, error);
    figure_lattice(p, (int)v.options->dimension, 380, 270);
    explain(p, v.options);
    p->room.left = 66;
    p->room.right = 16;
    p->room.above = 32;
    p->room.below = 40;
    if (status == BESD_OK)
        status = plot_open(p, folder, name, error);
    if (status == BESD_OK)
        status = draw(&v, p, error);
    forget(&v);
    return status;
}
