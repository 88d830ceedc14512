/* The ground on which figures of a study draw points of two coordinates: the map of its domain
 * where that is known, else the box of its points. */
#ifndef BESD_FIGURES_PATH_GROUND_H
#define BESD_FIGURES_PATH_GROUND_H

#include "besd/besd.h"
#include "figures/plot.h"
#include "world/domain.h"

typedef struct path_ground {
    const besd_study_options *options;
    besd_path path;
    domain domain;
    bool has_map;
    double low[2], high[2]; /* of what is drawn, user's units */
    double cell;            /* a length that marks and gaps are measured by */
} path_ground;

/* BESD_UNSUPPORTED with a sentence when theta is no path of points with two coordinates; `figure`
 * is who asks. */
besd_status path_ground_init(path_ground *g, besd_study *study, const char *figure,
                             besd_error *error);

/* The inside of a panel in which both coordinates have the same scale, or nearly so, and the longer
 * side has `side` pixels. */
void path_ground_fit(const path_ground *g, double side, double *width, double *height);

/* Ranges, frame, cells or axes; start and end, where the study knows them and no map shows them. */
void path_ground_draw(const path_ground *g, plot *p);

/* A disc with the number of a subgoal, 1 and up, on top of all. */
void path_ground_mark(const path_ground *g, plot *p, const double *place, size_t number,
                      const char *colour);

/* What the ground shows, in words for a footer: " Walls: ...". Returns `text`. */
const char *path_ground_explain(const path_ground *g, char *text, size_t size);

/* What the points are called on an axis: "x (m)" of x1, x2, ...; returns `text`. */
const char *path_ground_axis(const path_ground *g, size_t coordinate, char *text, size_t size);

#endif
