/* A theta that is a path (besd/besd.h): its declaration, its points in a frame that all of them
 * share, and the lattice on which paths are composed. */
#ifndef BESD_STUDY_PATH_H
#define BESD_STUDY_PATH_H

#include "study/spec.h"

/* Does it fit the study? */
besd_status path_check(const study_spec *spec, const besd_path *path, besd_error *error);

/* The name of something in which two declarations differ; NULL: they are the same. */
const char *path_difference(const besd_path *a, const besd_path *b);

/* As JSON for the file and back; the text is the caller's to free. */
besd_status path_write(const besd_path *path, char **text, besd_error *error);
besd_status path_read(const char *text, besd_path *path, besd_error *error);

/* Where a start that is not known is, along every coordinate, and every end: too far from the unit
 * cube, and from each other, to have anything in common with its points. An end is not reached the
 * way points are, so legs to it are like no others. */
#define PATH_UNKNOWN_START (-1.0)
#define PATH_END 2.0

/* Point 0, ..., points + 1 of the path of theta, in the frame: the box of all points is the unit
 * cube. In a path with cells, points lie in the centres of theirs. */
void path_point(const study_spec *spec, const double *theta, size_t point, double *place);

/* Such a place in the user's units; NaN when it is that of a start or an end that is not known. */
void path_numbers(const study_spec *spec, const double *place, double *numbers);

/* Where the end really is, in the frame; false when that is not known. */
bool path_end(const study_spec *spec, double *place);

/* Is the number of points a matter of the design? */
bool path_varies(const study_spec *spec);

/* Is point k of the path, 2 or later, in the place of the one before it, and therefore none? */
bool path_repeats(const study_spec *spec, const double *theta, size_t point);

/* The points that are visited; theta is written with them first, and the last of them repeated. */
size_t path_visits(const study_spec *spec, const double *theta);
void path_tidy(const study_spec *spec, double *theta);

/* What its points cost: a score is worse by so much. And the best mean score that theta can have,
 * that price included; infinite: not known. Of a theta that is no path as well. */
double path_price(const study_spec *spec, const double *theta);
double path_best_possible(const study_spec *spec, const double *theta);

/* Number `number` of designs that are spread over the space, in the unit cube: where the number of
 * points varies they take turns in it. */
void path_cut(const study_spec *spec, size_t number, double *unit);

/* The places that composed paths visit: all cells, or as many points as make little difference. */
typedef struct path_lattice {
    size_t cells;
    size_t side[BESD_MAX_COORDINATES]; /* places along each coordinate */
    double *places;                    /* [cells * coordinates], in the frame */
    bool *allowed;                     /* [points * cells]: is the cell in the box of that point? */
} path_lattice;

besd_status path_lattice_init(path_lattice *l, const study_spec *spec, besd_error *error);
void path_lattice_free(path_lattice *l);

/* The place of the lattice in whose cell a place of the frame lies. */
size_t path_lattice_find(const path_lattice *l, const study_spec *spec, const double *place);

/* The design that visits these places of the frame, [points * coordinates], moved into its box. */
void path_theta(const study_spec *spec, const double *places, double *theta);

#endif
