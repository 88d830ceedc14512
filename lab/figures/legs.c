/* The model of legs as a map of arrows: the legs that were tried most and are not alike. Better
 * legs are darker and on top of the others, doubtful ones are dashed; above them is the recommended
 * path with its subgoals. Arrows keep a little to their right, so that a leg and its way back can
 * be told apart. */
#include "figures/legs.h"

#include "core/error.h"
#include "figures/figure.h"
#include "figures/path_ground.h"
#include "study/leg_survey.h"

#include <math.h>
#include <stdlib.h>

/* Pixels, and the cosine of 12 degrees. */
static const double NEAR_ENDS = 60, NEAR_LINE = 26, SAME_WAY = 0.978;

bool leg_has_places(const leg_known *leg) {
    double dx = leg->to[0] - leg->from[0], dy = leg->to[1] - leg->from[1];
    return fabs(dx) + fabs(dy) > 0; /* false for NaN: a start or an end that is not known */
}

static double distance(const double *a, const double *b, leg_scale scale) {
    return hypot((a[0] - b[0]) * scale.x, (a[1] - b[1]) * scale.y);
}

static double length_of(const leg_known *leg, leg_scale scale) {
    return distance(leg->from, leg->to, scale);
}

static double cosine_between(const leg_known *a, const leg_known *b, leg_scale scale) {
    double ax = (a->to[0] - a->from[0]) * scale.x, ay = (a->to[1] - a->from[1]) * scale.y;
    double bx = (b->to[0] - b->from[0]) * scale.x, by = (b->to[1] - b->from[1]) * scale.y;
    return (ax * bx + ay * by) / (hypot(ax, ay) * hypot(bx, by));
}

/* From the middle of one leg to the nearest place of another. */
static double distance_to_line(const leg_known *from, const leg_known *line, leg_scale scale) {
    double middle[2] = {(from->from[0] + from->to[0]) / 2, (from->from[1] + from->to[1]) / 2};
    double dx = (line->to[0] - line->from[0]) * scale.x,
           dy = (line->to[1] - line->from[1]) * scale.y;
    double along =
        ((middle[0] - line->from[0]) * scale.x * dx + (middle[1] - line->from[1]) * scale.y * dy) /
        (dx * dx + dy * dy);
    along = fmin(1, fmax(0, along));
    double nearest[2] = {line->from[0] + along * (line->to[0] - line->from[0]),
                         line->from[1] + along * (line->to[1] - line->from[1])};
    return distance(middle, nearest, scale);
}

bool legs_are_alike(const leg_known *a, const leg_known *b, leg_scale scale) {
    double cosine = cosine_between(a, b, scale);
    if (cosine <= 0)
        return false;
    if (distance(a->from, b->from, scale) < NEAR_ENDS && distance(a->to, b->to, scale) < NEAR_ENDS)
        return true;
    const bool a_is_short = length_of(a, scale) < length_of(b, scale);
    const leg_known *shorter = a_is_short ? a : b, *longer = a_is_short ? b : a;
    return cosine > SAME_WAY && distance_to_line(shorter, longer, scale) < NEAR_LINE;
}

static bool is_alike_any(const leg_known *leg, const leg_known *others, size_t count,
                         leg_scale scale) {
    for (size_t i = 0; i < count; i++)
        if (leg_has_places(&others[i]) && legs_are_alike(leg, &others[i], scale))
            return true;
    return false;
}

size_t leg_choice(leg_known *legs, size_t count, const leg_known *path, size_t path_count,
                  leg_scale scale, size_t most) {
    size_t chosen = 0;
    for (size_t i = 0; i < count && chosen < most; i++)
        if (leg_has_places(&legs[i]) && !is_alike_any(&legs[i], path, path_count, scale) &&
            !is_alike_any(&legs[i], legs, chosen, scale)) {
            leg_known kept = legs[i];
            for (size_t k = i; k > chosen; k--)
                legs[k] = legs[k - 1];
            legs[chosen++] = kept;
        }
    return chosen;
}

enum { MOST_LEGS = 16, MOST_LOOKED_AT = 300, PANEL = 470, LEGEND = 176 };

/* Arrows are numbered from here on: tried legs, those of the recommended path, the legend's. */
enum { FIRST_TRIED = 101, FIRST_OF_PATH = 201, FIRST_OF_LEGEND = 301 };

/* Pixels: how far an arrow ends from the places that it joins, how far it keeps to its right; the
 * same for the recommended path. */
static const double GAP = 7, ASIDE = 3.5, PATH_GAP = 11;

/* Legs of one line would hide each other, and dashes fill each other's gaps: every third is this
 * much farther aside than the one before. */
static const double APART = 1.5;

/* The best legs have this colour, the worst this share of it. */
#define BEST_COLOUR "#00304f"
static const double PALEST = 0.2;

typedef struct leg_view {
    path_ground ground;
    besd_recommendation best;
    leg_survey survey;
    double low, high; /* means of what is drawn: low is the worst */
    double sx, sy;    /* pixels of a unit */
    size_t drawn;
} leg_view;

/* A leg of the path that the discs at its ends would cover is not drawn. */
static bool has_room(const leg_view *v, const leg_known *leg) {
    return leg_has_places(leg) && hypot((leg->to[0] - leg->from[0]) * v->sx,
                                        (leg->to[1] - leg->from[1]) * v->sy) > 2.2 * PATH_GAP;
}

static int worst_first(const void *x, const void *y) {
    const leg_known *a = x, *b = y;
    return a->mean < b->mean ? -1 : a->mean > b->mean;
}

/* The scale, then what is drawn. */
static void choose_legs(leg_view *v, const plot *p) {
    const path_ground *g = &v->ground;
    leg_survey *s = &v->survey;
    double around = g->has_map ? 2 * 0.035 * fmax(g->high[0], g->high[1]) : 0;
    double ratio = g->has_map ? 1 : 1.07;
    v->sx = plot_panel_width(p) / ((g->high[0] - g->low[0]) * ratio + around);
    v->sy = plot_panel_height(p) / ((g->high[1] - g->low[1]) * ratio + around);
    v->drawn = leg_choice(s->tried, s->tried_count, s->of_design, s->design_count,
                          (leg_scale){v->sx, v->sy}, MOST_LEGS);
    s->untold += s->tried_count - v->drawn;
    s->tried_count = v->drawn;
    qsort(s->tried, s->tried_count, sizeof *s->tried, worst_first);
}

static void find_range(leg_view *v) {
    v->low = INFINITY;
    v->high = -INFINITY;
    for (size_t i = 0; i < v->survey.tried_count; i++) {
        v->low = fmin(v->low, v->survey.tried[i].mean);
        v->high = fmax(v->high, v->survey.tried[i].mean);
    }
}

/* From 0, the worst of what is drawn, to 1. */
static double share_of(const leg_view *v, double mean) {
    return v->high > v->low ? (mean - v->low) / (v->high - v->low) : 1;
}

static unsigned shade_of(double share) {
    return plot_tint(BEST_COLOUR, PALEST + (1 - PALEST) * share);
}

/* The ends of an arrow in the units of the map. */
static void shorten(const leg_view *v, const leg_known *leg, double gap, double aside,
                    double from[2], double to[2]) {
    double dx = (leg->to[0] - leg->from[0]) * v->sx, dy = (leg->to[1] - leg->from[1]) * v->sy;
    double length = hypot(dx, dy), cut = fmin(gap, 0.25 * length);
    double ux = dx / length, uy = dy / length;
    from[0] = leg->from[0] + (ux * cut + uy * aside) / v->sx;
    from[1] = leg->from[1] + (uy * cut - ux * aside) / v->sy;
    to[0] = leg->to[0] + (-ux * cut + uy * aside) / v->sx;
    to[1] = leg->to[1] + (-uy * cut - ux * aside) / v->sy;
}

/* How an arrow looks; `more` is added for shaft and head. */
typedef struct arrow_look {
    double width, head; /* the head in shares of the figure */
    const char *dash;   /* NULL: it has none */
    unsigned colour;
    const char *more;
} arrow_look;

/* A dashed shaft would make a ragged head, so the head is drawn separately. */
static void draw_arrow(const leg_view *v, plot *p, int number, const arrow_look *look,
                       const double *from, const double *to) {
    double dx = (to[0] - from[0]) * v->sx, dy = (to[1] - from[1]) * v->sy;
    double length = hypot(dx, dy), back = fmin(1, 0.7 * look->head * p->width / length);
    double width = look->width + (look->dash ? 0.03 : 0); /* svg else misses the change of dash */
    double neck[2] = {to[0] - back * (to[0] - from[0]), to[1] - back * (to[1] - from[1])};
    plot_say(p, "set arrow %d from %.6g,%.6g to %.6g,%.6g nohead lw %.2f dt %s lc rgb 0x%06x%.*s",
             number, from[0], from[1], neck[0], neck[1], width, look->dash ? look->dash : "solid",
             look->colour, 6, look->more);
    plot_say(
        p,
        "set arrow from %.6g,%.6g to %.6g,%.6g head filled size screen %.4f,21 fixed lw %.2f lc "
        "rgb 0x%06x%.*s",
        neck[0], neck[1], to[0], to[1], look->head, look->width, look->colour, 6, look->more);
}

static void draw_tried(const leg_view *v, plot *p) {
    int number = FIRST_TRIED;
    for (size_t i = 0; i < v->survey.tried_count; i++) {
        const leg_known *leg = &v->survey.tried[i];
        double from[2], to[2], share = share_of(v, leg->mean);
        arrow_look look = {1.1 + share, 0.014, leg->is_doubtful ? "(6,4)" : NULL, shade_of(share),
                           ""};
        shorten(v, leg, GAP, ASIDE + APART * (double)(number % 3), from, to);
        draw_arrow(v, p, number++, &look, from, to);
    }
}

/* Left of the leg, where its own arrows are not, so far that the leg does not touch the words. */
static void label_leg(const leg_view *v, plot *p, const leg_known *leg) {
    double dx = (leg->to[0] - leg->from[0]) * v->sx, dy = (leg->to[1] - leg->from[1]) * v->sy;
    double length = hypot(dx, dy);
    char text[20];
    int letters = snprintf(text, sizeof text, "%.3g", leg->value);
    double half_width = 3.6 * letters, half_height = 7;
    double aside = (5 + (half_width * fabs(dy) + half_height * fabs(dx)) / length) / length;
    if (length < 4 * PATH_GAP)
        return; /* no room for it */
    plot_say(p,
             "set label '%s' at %.6g,%.6g center boxed font \",11\" tc rgb \"" PLOT_VERMILLION
             "\" front",
             text, (leg->from[0] + leg->to[0]) / 2 - dy * aside / v->sx,
             (leg->from[1] + leg->to[1]) / 2 + dx * aside / v->sy);
}

static void draw_path(const leg_view *v, plot *p) {
    int number = FIRST_OF_PATH;
    plot_say(p, "set style textbox opaque fc rgb \"#ffffff\" noborder margins 0.5, 0.5");
    for (size_t i = 0; i < v->survey.design_count; i++) {
        const leg_known *leg = &v->survey.of_design[i];
        double from[2], to[2];
        arrow_look look = {3.6, 0.022, leg->is_doubtful ? "(5,3)" : NULL,
                           plot_tint(PLOT_VERMILLION, 1), " front"};
        if (!has_room(v, leg))
            continue;
        shorten(v, leg, PATH_GAP, 0, from, to);
        plot_say(p, "set arrow from %.6g,%.6g to %.6g,%.6g nohead lw 7 lc rgb \"#ffffff\" front",
                 from[0], from[1], to[0], to[1]);
        draw_arrow(v, p, number++, &look, from, to);
    }
    for (size_t i = 0; i < v->survey.design_count; i++) {
        const leg_known *leg = &v->survey.of_design[i];
        if (leg_has_places(leg))
            label_leg(v, p, leg);
        if (!leg->is_last)
            path_ground_mark(&v->ground, p, leg->to, i + 1, PLOT_VERMILLION);
    }
}

/* Rows of the legend, from the top of the panel down. */
typedef struct legend {
    plot *p;
    int number;
    double y; /* pixels below the top */
} legend;

static void add_words(legend *l, double indent, const char *text) {
    plot *p = l->p;
    plot_say(p,
             "set label '%s' at graph %.4f, graph %.4f left font \",11\" tc rgb \"" PLOT_INK "\"",
             text, 1 + indent / plot_panel_width(p), 1 - l->y / plot_panel_height(p));
    l->y += 17;
}

static void add_arrow(legend *l, double width, bool dashed, unsigned colour, const char *text) {
    plot *p = l->p;
    double y = 1 - l->y / plot_panel_height(p), pixel = 1 / plot_panel_width(p);
    plot_say(p,
             "set arrow %d from graph %.4f, graph %.4f to graph %.4f, graph %.4f nohead lw %.2f dt "
             "%s lc rgb 0x%06x",
             l->number++, 1 + 16 * pixel, y, 1 + 44 * pixel, y, width, dashed ? "(6,4)" : "solid",
             colour);
    plot_say(p,
             "set arrow from graph %.4f, graph %.4f to graph %.4f, graph %.4f head filled size "
             "screen 0.014,21 fixed lw %.2f lc rgb 0x%06x",
             1 + 43 * pixel, y, 1 + 52 * pixel, y, width, colour);
    add_words(l, 60, text);
}

/* What is drawn in about this shade: the nearest leg. */
static double value_at(const leg_view *v, double share) {
    double least = INFINITY, nearest = NAN;
    for (size_t i = 0; i < v->survey.tried_count; i++) {
        const leg_known *leg = &v->survey.tried[i];
        double away = fabs(share_of(v, leg->mean) - share);
        if (away < least) {
            least = away;
            nearest = leg->value;
        }
    }
    return nearest + 0.0; /* never "-0" */
}

static void draw_legend(const leg_view *v, plot *p) {
    bool is_time = v->ground.options->direction == BESD_MINIMIZE;
    legend l = {.p = p, .number = FIRST_OF_LEGEND, .y = 14};
    char text[80];
    add_words(&l, 16, is_time ? "expected time of a leg" : "what a leg should earn");
    for (int i = 2; i >= 0; i--) {
        snprintf(text, sizeof text, "%.3g%s", value_at(v, i / 2.0),
                 i == 2   ? ", the best"
                 : i == 0 ? ", the worst"
                          : "");
        add_arrow(&l, 1.1 + i / 2.0, false, shade_of(i / 2.0), text);
    }
    l.y += 10;
    add_arrow(&l, 1.6, true, shade_of(0.5), "doubtful");
    l.y += 10;
    add_arrow(&l, 3.6, false, plot_tint(PLOT_VERMILLION, 1), "recommended");
    if (v->survey.design_count) {
        snprintf(text, sizeof text, "%.3g in all", v->survey.promise + 0.0);
        add_words(&l, 60, text);
    }
}

static void explain(const leg_view *v, plot *p) {
    char ground[200], left[120] = "", text[640];
    if (v->survey.untold)
        snprintf(left, sizeof left,
                 ", of %zu those that were tried most and do not go the same way",
                 v->survey.untold + v->survey.tried_count);
    snprintf(
        text, sizeof text,
        "%zu legs%s, and what to expect of them after a training of %lld. Dashed: doubtful, it "
        "never worked or its doubt is over half of what legs differ by. Thick: the recommended "
        "path, its subgoals numbered, what its legs should %s beside them.%s",
        v->drawn, left, (long long)v->ground.options->taus[v->ground.options->tau_count - 1],
        v->ground.options->direction == BESD_MINIMIZE ? "take" : "earn",
        path_ground_explain(&v->ground, ground, sizeof ground));
    plot_set_footer(p, text);
}

static void set_size(leg_view *v, plot *p) {
    double width, height;
    path_ground_fit(&v->ground, PANEL, &width, &height);
    p->room.left = v->ground.has_map ? 14 : 58;
    p->room.right = LEGEND;
    p->room.above = 34;
    p->room.below = v->ground.has_map ? 12 : 46;
    height = fmax(height, 200); /* the legend's */
    figure_lattice(p, 1, width + p->room.left + p->room.right,
                   height + p->room.above + p->room.below);
}

static void draw(leg_view *v, plot *p) {
    char title[FIGURE_TITLE_SIZE + 20] = "The legs", name[FIGURE_TITLE_SIZE];
    const path_ground *g = &v->ground;
    if (g->has_map)
        snprintf(title, sizeof title, "The legs of %s",
                 figure_title(&g->domain, 40, name, sizeof name));
    plot_panel(p, 0, title);
    path_ground_draw(g, p);
    draw_tried(v, p);
    draw_path(v, p);
    draw_legend(v, p);
    plot_say(p, "plot NaN");
}

besd_status figure_legs(const figure_source *s, plot *p, const char *folder, const char *name,
                        besd_error *error) {
    leg_view v = {0};
    besd_status status = path_ground_init(&v.ground, s->study, "legs", error);
    if (status == BESD_OK)
        status = besd_study_recommend(s->study, &v.best, error);
    if (status == BESD_OK)
        status = leg_survey_init(&v.survey, s->study, v.best.theta, MOST_LOOKED_AT, 0, error);
    if (status != BESD_OK)
        return status;
    set_size(&v, p);
    choose_legs(&v, p);
    find_range(&v);
    explain(&v, p);
    status = plot_open(p, folder, name, error);
    if (status == BESD_OK)
        draw(&v, p);
    leg_survey_free(&v.survey);
    return status;
}
