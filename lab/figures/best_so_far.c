/* One line of steps per study, with its name at the right. Lines that end earlier, because less was
 * spent, lead to their names as dots. Eight lines can be told apart; of more studies the eight that
 * are best at the end have colours and names, the others are grey behind them. */
#include "figures/best_so_far.h"
#include "figures/figure.h"

#include "core/error.h"
#include "core/text.h"
#include "figures/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct line_look {
    const char *colour, *dash;
    double width;
} line_look;

static const line_look looks[] = {
    {PLOT_BLUE, "solid", 2.2},    {PLOT_VERMILLION, "(8,3)", 2.2},
    {PLOT_GREEN, "(3,2)", 2.2},   {PLOT_PURPLE, "(10,3,2,3)", 2.2},
    {PLOT_ORANGE, "(14,4)", 2.2}, {PLOT_SKY, "(6,2,2,2,2,2)", 2.2},
    {PLOT_BLACK, "(2,3)", 1.8},   {"#7a4b12", "(5,2,1,2)", 2.2},
};

static const line_look unnamed = {"#c4c4c4", "solid", 1.2};

enum { LOOKS = sizeof looks / sizeof *looks, LONGEST_LABEL = 28 };

/* A share of the panel's height left free below and above the lines. */
static const double margin = 0.06;

typedef struct score_view {
    const study_digest *all;
    size_t count, drawn;
    const line_look **looks; /* NULL: no line */
    bool logarithmic;
    double low, high; /* of the scores */
    double cost;      /* the largest */
    double unit;      /* of the numbers on its axis */
} score_view;

/* How many lines are better at the end. */
static size_t rank_of(const score_view *v, size_t study) {
    double mean = study_digest_best_mean(&v->all[study]);
    size_t rank = 0;
    for (size_t i = 0; i < v->count; i++) {
        double other = study_digest_best_mean(&v->all[i]);
        rank += study_digest_is_better(&v->all[i], other, mean) || (other == mean && i < study);
    }
    return rank;
}

static void choose_looks(score_view *v) {
    size_t named = 0;
    for (size_t i = 0; i < v->count; i++)
        if (v->all[i].step_count) {
            v->looks[i] = rank_of(v, i) < LOOKS ? &looks[named++] : &unnamed;
            v->drawn++;
        }
}

static double height_of(const score_view *v, double score) {
    return v->logarithmic ? log(score) : score;
}

static double score_at(const score_view *v, double height) {
    return v->logarithmic ? exp(height) : height;
}

static void find_ranges(score_view *v) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < v->count; i++) {
        const study_digest *d = &v->all[i];
        for (size_t k = 0; k < d->step_count; k++) {
            low = fmin(low, height_of(v, d->steps[k].mean));
            high = fmax(high, height_of(v, d->steps[k].mean));
        }
        if (d->step_count)
            v->cost = fmax(v->cost, d->spent);
    }
    double least = v->logarithmic ? 0.1 : 1e-6 + 0.02 * fabs(high); /* of a flat line */
    double room = margin * (high - low) + (high - low < least ? least : 0);
    v->low = score_at(v, low - room);
    v->high = score_at(v, high + room);
    if (!(v->cost > 0))
        v->cost = 1;
    v->unit = v->cost >= 2e6 ? 1e6 : v->cost >= 1e4 ? 1e3 : 1;
}

static double share_of_height(const score_view *v, double score) {
    double foot = height_of(v, v->low);
    return (height_of(v, score) - foot) / (height_of(v, v->high) - foot);
}

static void draw_axes(plot *p, const score_view *v) {
    cost_axes axes = {.direction = v->all[0].spec.options.direction,
                      .logarithmic = v->logarithmic,
                      .cost = v->cost,
                      .unit = v->unit,
                      .low = v->low,
                      .high = v->high};
    cost_axes_draw(&axes, p);
}

/* Long names lose their middle. */
static const char *label_of(const study_digest *d, char *text, size_t size) {
    size_t length = strlen(d->name), half = LONGEST_LABEL / 2;
    char first[LONGEST_LABEL];
    if (length <= LONGEST_LABEL)
        return d->name;
    snprintf(first, sizeof first, "%.*s", (int)half, d->name);
    text_clean(first); /* a letter that was cut off goes */
    const char *rest = d->name + length - half;
    while (((unsigned char)*rest & 0xc0) == 0x80)
        rest++;
    snprintf(text, size, "%s…%s", first, rest);
    return text;
}

static void draw_end(plot *p, const score_view *v, const study_digest *d, const line_look *look) {
    double x = d->spent / v->unit, y = study_digest_best_mean(d);
    plot_say(p, "set label \"\" at %.10g, %.10g point pt 7 ps 0.45 lc rgb \"%s\" front", x, y,
             look->colour);
    if (look != &unnamed && d->spent < 0.99 * v->cost)
        plot_say(p,
                 "set arrow from %.10g, %.10g to graph 1, first %.10g nohead lw 1 dt (1,4) lc rgb "
                 "\"%s\" back",
                 x, y, y, look->colour);
}

static void label_lines(plot *p, const score_view *v) {
    char texts[LOOKS][2 * LONGEST_LABEL];
    plot_end ends[LOOKS];
    int count = 0;
    for (size_t i = 0; i < v->count; i++) {
        const study_digest *d = &v->all[i];
        if (!v->looks[i])
            continue;
        draw_end(p, v, d, v->looks[i]);
        if (v->looks[i] == &unnamed)
            continue;
        ends[count] = (plot_end){.y = share_of_height(v, study_digest_best_mean(d)),
                                 .text = label_of(d, texts[count], sizeof *texts),
                                 .colour = v->looks[i]->colour};
        count++;
    }
    plot_label_ends(p, ends, count);
}

static void write_lines(plot *p, const score_view *v) {
    for (size_t i = 0; i < v->count; i++) {
        const study_digest *d = &v->all[i];
        if (!v->looks[i])
            continue;
        plot_block(p);
        for (size_t k = 0; k < d->step_count; k++)
            plot_datum(p, "%.10g %.10g", d->steps[k].cost, d->steps[k].mean);
        plot_datum(p, "%.10g %.10g", d->spent, study_digest_best_mean(d));
    }
}

static void draw_lines(plot *p, const score_view *v) {
    char source[160];
    size_t left = v->drawn;
    plot_say(p, "plot \\");
    for (int in_front = 0; in_front < 2; in_front++)
        for (size_t i = 0, block = 0; i < v->count; i++) {
            const line_look *look = v->looks[i];
            block += look != NULL;
            if (!look || (look != &unnamed) != in_front)
                continue;
            plot_put(p, " %s using ($1/%g):2 with steps lw %g dt %s lc rgb \"%s\"",
                     plot_source((int)block - 1, source, sizeof source), v->unit, look->width,
                     look->dash, look->colour);
            plot_end_line(p, --left > 0);
        }
}

static double label_room(const score_view *v) {
    char text[2 * LONGEST_LABEL];
    double most = 0;
    for (size_t i = 0; i < v->count; i++)
        if (v->looks[i] && v->looks[i] != &unnamed)
            most = fmax(most, plot_label_room(label_of(&v->all[i], text, sizeof text)));
    return most;
}

static void explain(plot *p, const score_view *v) {
    char at[80] = "at the largest tau of each study", grey[80] = "", missing[80] = "";
    char text[500];
    int64_t tau = study_digests_common_tau(v->all, v->count);
    size_t without = v->count - v->drawn;
    if (tau)
        snprintf(at, sizeof at, "at tau %lld", (long long)tau);
    if (v->drawn > LOOKS)
        snprintf(grey, sizeof grey, " Grey: all but the %d that are best at the end.", LOOKS);
    if (without)
        snprintf(missing, sizeof missing, " Without a line: %zu stud%s with nothing told.", without,
                 without == 1 ? "y" : "ies");
    snprintf(
        text, sizeof text,
        "Best mean score so far of the trials told %s, over the cost of all trials; a point is "
        "what was spent in the end.%s%s",
        at, grey, missing);
    plot_set_footer(p, text);
}

static besd_status draw(score_view *v, plot *p, const char *folder, const char *name,
                        besd_error *error) {
    choose_looks(v);
    find_ranges(v);
    p->room.left = 68;
    p->room.right = label_room(v);
    figure_lattice(p, 1, 720 + p->room.left + p->room.right, 380);
    p->room.above = 32;
    p->room.below = 54;
    explain(p, v);
    besd_status status = plot_open(p, folder, name, error);
    if (status != BESD_OK)
        return status;
    plot_panel(p, 0, "The best trial so far");
    draw_axes(p, v);
    write_lines(p, v);
    label_lines(p, v);
    draw_lines(p, v);
    return BESD_OK;
}

besd_status best_so_far_draw(const study_digest *all, size_t count, const char *folder,
                             const char *name, besd_error *error) {
    plot p = {0};
    score_view v = {.all = all,
                    .count = count,
                    .looks = calloc(count, sizeof(line_look *)),
                    .logarithmic = all[0].spec.options.transform == BESD_TRANSFORM_LOG};
    besd_status status = v.looks ? draw(&v, &p, folder, name, error)
                                 : besd_fail_memory(error, "the lines of a figure");
    if (status == BESD_OK)
        status = plot_close(&p, PLOT_SVG, error);
    else
        plot_abandon(&p);
    free(v.looks);
    return status;
}
