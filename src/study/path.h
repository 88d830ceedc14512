/* A theta that is a path (besd/besd.h): its declaration, its points in a frame that all points
 * share, and the lattice on which paths are composed. */
#ifndef BESD_STUDY_PATH_H
#define BESD_STUDY_PATH_H

#include "study/spec.h"

/* Does the declared path fit the study? */
besd_status path_check(const study_spec *spec, const besd_path *path, besd_error *error);

/* Can it be meant so? A cell as wide as the box is a mistake, mostly of units, and so is an end
 * outside it. The sentence says what to do. */
besd_status path_check_sense(const besd_study_options *o, const besd_path *p, besd_error *error);

/* The name of a member in which two declarations differ; NULL: they are the same. */
const char *path_difference(const besd_path *a, const besd_path *b);

/* To JSON for the file and back; the caller frees the text. */
besd_status path_write(const besd_path *path, char **text, besd_error *error);
besd_status path_read(const char *text, besd_path *path, besd_error *error);

/* Along every coordinate, the place of an unknown start, and of every end. Both are so far from the
 * unit cube, and from each other, that the model sees nothing in common. An end is not reached the
 * way points are, so legs to it are like no other legs. */
#define PATH_UNKNOWN_START (-1.0)
#define PATH_END 2.0

/* Point 0 (the start), ..., points + 1 (the end) of the path of theta, in the frame: the box of all
 * points is the unit cube. In a path with cells, every point lies in the centre of its cell. */
void path_point(const study_spec *spec, const double *theta, size_t point, double *place);

/* A place of the frame in the user's units; NaN for an unknown start or end. */
void path_numbers(const study_spec *spec, const double *place, double *numbers);

/* A place in the frame of one study as a place in the frame of another; false: it lies so far
 * outside that it would be moved to the border. Unknown starts and ends stay what they are. */
bool path_translate(const study_spec *from, const double *place, const study_spec *to,
                    double *there);

/* The true place of the end in the frame; false when it is not known. */
bool path_end(const study_spec *spec, double *place);

/* Does a design choose its number of points? */
bool path_varies(const study_spec *spec);

/* Where the number of points varies, a point in the same place as the one before it is no point. Is
 * point k, from 2 on, such a point? */
bool path_repeats(const study_spec *spec, const double *theta, size_t point);

/* The number of points that are visited. path_tidy writes theta with these points first, and then
 * repeats the last one. */
size_t path_visits(const study_spec *spec, const double *theta);
void path_tidy(const study_spec *spec, double *theta);

/* The price of its points: a score gets worse by this much. And the best and the worst mean score
 * that theta can have, with that price; infinite: not known. All take a theta that is no path. */
double path_price(const study_spec *spec, const double *theta);
double path_best_possible(const study_spec *spec, const double *theta);
double path_worst_possible(const study_spec *spec, const double *theta);

/* Cuts design number `number` of those that are spread over the space, in the unit cube: where the
 * number of points varies, the designs take turns through all numbers of points. */
void path_cut(const study_spec *spec, size_t number, double *unit);

/* The places that composed paths visit: all cells, or a lattice of places that is fine enough. */
typedef struct path_lattice {
    size_t cells;
    size_t side[BESD_MAX_COORDINATES]; /* places along each coordinate */
    double *places;                    /* [cells * coordinates], in the frame */
    bool *allowed;                     /* [points * cells]: is the cell in the box of that point? */
} path_lattice;

besd_status path_lattice_init(path_lattice *l, const study_spec *spec, besd_error *error);
void path_lattice_free(path_lattice *l);

/* The number of the lattice's place in whose cell a place of the frame lies. */
size_t path_lattice_find(const path_lattice *l, const study_spec *spec, const double *place);

/* The design that visits these places of the frame, [points * coordinates], moved into the box. */
void path_theta(const study_spec *spec, const double *places, double *theta);

#endif
