#include "figures/path_ground.h"

#include "core/error.h"
#include "figures/figure.h"
#include "figures/map.h"
#include "run/domain_notes.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Around a box, as a share of its sides. */
static const double margin = 0.035;

/* A box is drawn at most this much longer than wide. */
static const double most_oblong = 2.5;

/* Without cells, marks are measured by this share of the box. */
static const double share_of_box = 0.1;

static void find_box(path_ground *g) {
    const besd_study_options *o = g->options;
    for (size_t i = 0; i < 2; i++) {
        g->low[i] = INFINITY;
        g->high[i] = -INFINITY;
        for (size_t k = 0; k < g->path.points; k++) {
            g->low[i] = fmin(g->low[i], o->low[2 * k + i]);
            g->high[i] = fmax(g->high[i], o->high[2 * k + i]);
        }
        if (isfinite(g->path.from[i])) {
            g->low[i] = fmin(g->low[i], g->path.from[i]);
            g->high[i] = fmax(g->high[i], g->path.from[i]);
        }
        if (isfinite(g->path.to[i])) {
            g->low[i] = fmin(g->low[i], g->path.to[i]);
            g->high[i] = fmax(g->high[i], g->path.to[i]);
        }
    }
    double shorter = fmin(g->high[0] - g->low[0], g->high[1] - g->low[1]);
    g->cell = fmax(g->path.cell, share_of_box * shorter);
}

besd_status path_ground_init(path_ground *g, besd_study *study, const char *figure,
                             besd_error *error) {
    bool known = false;
    *g = (path_ground){.options = besd_study_get_options(study)};
    besd_study_get_path(study, &g->path);
    if (!g->path.points)
        return besd_fail(error, BESD_UNSUPPORTED,
                         "%s: theta of this study is no path; expected a study of a domain, or one "
                         "with 'path'",
                         figure);
    if (g->path.coordinates != 2)
        return besd_fail(error, BESD_UNSUPPORTED,
                         "%s: expected points of 2 coordinates, got %zu; 'slices' draws studies "
                         "with any number",
                         figure, g->path.coordinates);
    besd_status status = domain_notes_find(study, &g->domain, &known, error);
    if (status != BESD_OK)
        return status;
    g->has_map = known && g->domain.kind == DOMAIN_GRID;
    find_box(g);
    if (g->has_map) {
        const grid_map *map = &g->domain.map;
        for (int i = 0; i < 2; i++) {
            g->low[i] = grid_map_unit(map, i, 0);
            g->high[i] = grid_map_unit(map, i, i ? map->height : map->width);
        }
        g->cell = map->cell_size;
    }
    return BESD_OK;
}

void path_ground_fit(const path_ground *g, double side, double *width, double *height) {
    double x = g->high[0] - g->low[0], y = g->high[1] - g->low[1];
    if (g->has_map) {
        map_fit(&g->domain, side, width, height);
        return;
    }
    x = fmin(x, most_oblong * y);
    y = fmin(y, most_oblong * x);
    *width = side * fmin(1, x / y);
    *height = side * fmin(1, y / x);
}

const char *path_ground_axis(const path_ground *g, size_t coordinate, char *text, size_t size) {
    const char *name = g->options->names[coordinate], *unit = g->options->units[coordinate];
    size_t length = strlen(name);
    while (length > 1 && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '_'))
        length--;
    snprintf(text, size, "%.*s%s%s%s", (int)length, name, *unit ? " (" : "", unit,
             *unit ? ")" : "");
    return text;
}

static void draw_end(plot *p, const double *place, const char *letter, const char *colour) {
    if (isnan(place[0]) || isnan(place[1]))
        return;
    plot_say(p, "set label \"\" at %.8g, %.8g point pt 5 ps 2.1 lc rgb \"%s\" front", place[0],
             place[1], colour);
    plot_say(p, "set label '%s' at %.8g, %.8g center font \",11\" tc rgb \"#000000\" front", letter,
             place[0], place[1]);
}

static void draw_box(const path_ground *g, plot *p) {
    char x[2 * BESD_MAX_NAME + 4], y[2 * BESD_MAX_NAME + 4];
    for (size_t i = 0; i < 2; i++) {
        double around = margin * (g->high[i] - g->low[i]);
        plot_say(p, "set %crange [%.10g:%.10g]", i ? 'y' : 'x', g->low[i] - around,
                 g->high[i] + around);
    }
    plot_say(p, "unset grid");
    plot_axes(p, path_ground_axis(g, 0, x, sizeof x), path_ground_axis(g, 1, y, sizeof y));
    plot_say(p,
             "set object rectangle from %.10g,%.10g to %.10g,%.10g fs empty border rgb \"#bbbbbb\" "
             "lw 0.8 behind",
             g->low[0], g->low[1], g->high[0], g->high[1]);
}

void path_ground_draw(const path_ground *g, plot *p) {
    if (g->has_map) {
        map_draw(p, &g->domain);
        return;
    }
    draw_box(g, p);
    draw_end(p, g->path.from, "S", "#7fb8d8");
    draw_end(p, g->path.to, "G", "#ea9a66");
}

void path_ground_mark(const path_ground *g, plot *p, const double *place, size_t number,
                      const char *colour) {
    (void)g;
    plot_say(p, "set label \"\" at %.8g, %.8g point pt 7 ps 2.3 lc rgb \"#ffffff\" front", place[0],
             place[1]);
    plot_say(p, "set label \"\" at %.8g, %.8g point pt 7 ps 2 lc rgb \"%s\" front", place[0],
             place[1], colour);
    plot_say(p,
             "set label '{/:Bold %zu}' at %.8g, %.8g center font \",11\" tc rgb \"#ffffff\" front",
             number, place[0], place[1]);
}

const char *path_ground_explain(const path_ground *g, char *text, size_t size) {
    static const struct {
        char kind;
        const char *words;
    } cells[] = {{GRID_KEY, ", K key"}, {GRID_DOOR, ", D door"}, {GRID_TREASURE, ", T treasure"}};
    bool known = g->has_map || isfinite(g->path.from[0]) || isfinite(g->path.to[0]);
    size_t length = (size_t)snprintf(text, size, "%s", known ? " S start, G goal" : "");
    for (size_t i = 0; g->has_map && i < sizeof cells / sizeof *cells && length < size; i++)
        if (map_has(&g->domain, cells[i].kind))
            length += (size_t)snprintf(text + length, size - length, "%s", cells[i].words);
    if (length < size)
        snprintf(text + length, size - length, "%s%s%s",
                 g->has_map && map_has_one_way(&g->domain) ? ", arrows: entered so only" : "",
                 known ? "." : "",
                 g->has_map && map_has(&g->domain, GRID_WALL)
                     ? " Walls: dark always, light in some instances."
                     : "");
    return text;
}
