#include "figures/figure.h"

#include "contest/compare.h"
#include "core/error.h"
#include "core/text.h"
#include "figures/plot.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const figure_kind kinds[] = {
    {"cost", NEEDS_COMPARISON, "performance over cost, every method and domain", figure_cost},
    {"profile", NEEDS_COMPARISON, "share of runs above a normalised score, all domains",
     figure_profile},
    {"paths", NEEDS_COMPARISON, "how besd's recommendations move over the map, four runs",
     figure_paths},
    {"learning", NEEDS_COMPARISON, "learning curves with and without subgoals", figure_learning},
    {"levers", NEEDS_COMPARISON, "which tau and reps besd chooses as cost grows", figure_levers},
    {"surface", NEEDS_DOMAIN, "an instance, and the rewards of its goal and subgoals",
     figure_surface},
    {"values", NEEDS_DOMAIN, "what an agent has learnt: values and greedy moves at every stage",
     figure_values},
    {"slices", NEEDS_STUDY, "what the model of a study expects around its recommendation",
     figure_slices},
    {"progress", NEEDS_STUDY, "trials and the best of them as cost grows, and what is recommended",
     figure_progress},
    {"map", NEEDS_STUDY, "where the subgoals of a study were tried, and where they are best",
     figure_map},
    {"legs", NEEDS_STUDY, "which legs between places are fast, and which are in doubt",
     figure_legs},
    {"number", NEEDS_STUDY, "what to expect from how many subgoals", figure_number},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

const figure_kind *figure_kind_at(size_t index) {
    return index < KINDS ? &kinds[index] : NULL;
}

static const char *known_kind(size_t index, const void *context) {
    (void)context;
    return index < KINDS ? kinds[index].name : NULL;
}

besd_status figure_find(const char *name, const figure_kind **kind, besd_error *error) {
    char list[200] = "";
    size_t length = 0;
    for (size_t i = 0; i < KINDS; i++) {
        if (names_equal(name, kinds[i].name)) {
            *kind = &kinds[i];
            return BESD_OK;
        }
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "",
                                   kinds[i].name);
    }
    const char *nearest = names_nearest(name, known_kind, NULL);
    return besd_fail(error, BESD_UNKNOWN, "kind: there is no '%s'%s%s%s; known are %s", name,
                     nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "",
                     list);
}

/* The drawings keep their labels in arrays of a fixed size. */
static besd_status check_size(const findings *f, besd_error *error) {
    for (int i = 0; f && i < f->summary.domain_count; i++)
        if (f->summary.domains[i].method_count > COMPARE_MAX_CONTENDERS)
            return besd_fail(error, BESD_UNSUPPORTED, "figures: more than %d methods in %s",
                             COMPARE_MAX_CONTENDERS, f->summary.domains[i].contest->domain);
    return BESD_OK;
}

besd_status figure_make(const figure_kind *kind, const figure_source *s, const char *folder,
                        const char *name, unsigned formats, besd_error *error) {
    plot p = {0};
    besd_status status = check_size(s->findings, error);
    if (status == BESD_OK)
        status = kind->draw(s, &p, folder, name, error);
    if (status == BESD_OK)
        return plot_close(&p, formats, error);
    plot_abandon(&p);
    return status;
}

const char *figure_domain_title(const char *domain_called, char *text, size_t size) {
    size_t i = 0;
    for (; domain_called[i] && i + 1 < size; i++)
        text[i] = (char)toupper((unsigned char)domain_called[i]);
    text[i] = 0;
    return text;
}

/* What a grid in YAML is called that has no title. */
static const char no_title[] = "a grid domain of one's own";

static bool has_title(const domain *d) {
    return d->kind == DOMAIN_GRID && !d->built_in && *d->title && strcmp(d->title, no_title) != 0;
}

const char *figure_title(const domain *d, size_t most, char *text, size_t size) {
    size_t length = strlen(d->title);
    bool cut = length > most;
    if (cut)
        for (length = most; length > 0 && d->title[length] != ' ';)
            length--;
    if (!has_title(d) || !length)
        return figure_domain_title(d->name, text, size);
    snprintf(text, size, "%.*s%s", (int)length, d->title, cut ? "…" : "");
    return text;
}

void figure_lattice(plot *p, int panels, double panel_width, double panel_height) {
    p->columns = panels == 4 ? 2 : panels < 3 ? panels : 3;
    p->rows = (panels + p->columns - 1) / p->columns;
    p->width = p->columns * panel_width;
    p->height = p->rows * panel_height;
}

/* Does the number have at most two significant digits? */
static bool is_round(double value) {
    double digit = pow(10, floor(log10(value)) - 1);
    return fabs(remainder(value, digit)) < 1e-6 * digit;
}

/* Four parts, or five or six when they give rounder numbers. */
void figure_cost_axis(plot *p, double budget) {
    double unit = budget >= 2e6 ? 1e6 : 1e3;
    int parts = 4;
    for (int n = 4; n <= 6; n++)
        if (is_round(budget / unit / n)) {
            parts = n;
            break;
        }
    plot_say(p, "set xrange [0:%.10g]\nset xtics ()", budget);
    for (int i = 0; i <= parts; i++)
        plot_say(p, "set xtics add (\"%.4g\" %.10g)", budget * i / parts / unit,
                 budget * i / parts);
}

const char *figure_cost_unit(double budget) {
    return budget >= 2e6 ? "million interactions" : "thousand interactions";
}

static int take_digits(double low, double high, const double *digits, double *ticks) {
    int count = 0;
    for (int power = (int)floor(log10(low)); pow(10, power) <= high; power++)
        for (const double *digit = digits; *digit > 0; digit++) {
            double tick = *digit * pow(10, power);
            if (tick >= low && tick <= high && count < FIGURE_MAX_TICKS)
                ticks[count++] = tick;
        }
    return count;
}

static int take_multiples(double low, double high, double step, double *ticks) {
    int count = 0;
    for (double i = ceil(low / step); i * step <= high && count < FIGURE_MAX_TICKS; i++)
        ticks[count++] = i * step;
    return count;
}

static bool reaches_far(double low, double high, const double *ticks, int count) {
    double fifth = log(high / low) / 5;
    return count >= 4 && log(ticks[0] / low) <= fifth && log(high / ticks[count - 1]) <= fifth;
}

/* The coarsest digits that do; where even the finest do not, the axis is so short that it is
 * nearly linear, and has steps of equal size. */
int figure_log_ticks(double low, double high, double *ticks) {
    static const double digits[][11] = {
        {1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}, {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8}};
    static const double steps[] = {5, 2, 1};
    int count = 0;
    if (!(low > 0 && high > low && isfinite(high)))
        return 0;
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
        count = take_digits(low, high, digits[i], ticks);
        if (reaches_far(low, high, ticks, count))
            return count;
    }
    double unit = pow(10, floor(log10(high - low)));
    for (int i = 0; i < 6; i++) {
        count = take_multiples(low, high, steps[i % 3] * (i < 3 ? unit : unit / 10), ticks);
        if (reaches_far(low, high, ticks, count))
            break;
    }
    return count;
}

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

/* The last is drawn on top. A name that is not listed looks like the first. */
static const method_look looks[] = {
    {"", "#555555", "(4,3,1,3)", 1.4},
    {"ql", PLOT_GREY, "(1,3)", 1.8},
    {"tql", PLOT_PURPLE, "(6,3,1,3)", 1.8},
    {"random", PLOT_ORANGE, "(2,2)", 1.8},
    {"hyperband-paper", "#66b49f", "(10,3)", 1.4},
    {"hyperband", PLOT_GREEN, "(12,4)", 1.8},
    {"lcb", PLOT_SKY, "(8,3,2,3)", 1.8},
    {"ei-paper", "#555555", "(3,2,1,2)", 1.4},
    {"ei", PLOT_BLUE, "(5,3)", 1.8},
    {"besd", PLOT_VERMILLION, "solid", 3},
};

enum { LOOKS = sizeof looks / sizeof *looks };

const method_look *method_look_of(const char *method) {
    for (int i = LOOKS - 1; i > 0; i--)
        if (!strcmp(looks[i].method, method))
            return &looks[i];
    return &looks[0];
}

const char *method_look_name(const char *method, char *text, size_t size) {
    enum { MOST = 32 };
    size_t length = strlen(method);
    if (length <= MOST)
        snprintf(text, size, "%s", method);
    else
        snprintf(text, size, "%.*s…%s", MOST / 2, method, method + length - MOST / 2);
    return text;
}

void method_look_order(const summary_domain *d, int *order) {
    for (int i = 0; i < d->method_count; i++) {
        int at = i;
        for (; at > 0 && method_look_of(d->methods[order[at - 1]].entry->method) >
                             method_look_of(d->methods[i].entry->method);
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}
