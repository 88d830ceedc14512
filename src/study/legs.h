/* Learning from the parts of a design that is a path. A trial says which of its legs worked and how
 * long each took; a leg is a place in twice the coordinates of a point, however many points there
 * are, and other paths share it. So a model of legs sees K + 1 outcomes where that of designs sees
 * one, and dynamic programming composes the best path of them, whether its legs were ever tried
 * together or not. It finds thin corners of large spaces; the model of designs then polishes.
 *
 * The value of a leg that took the time d is -log(1 + d / s), s a tenth of the cap; one that failed
 * took what was left until the cap. Of scores that are maximised it is what was earned on the leg,
 * and one that fails takes back what was earned before.
 */
#ifndef BESD_STUDY_LEGS_H
#define BESD_STUDY_LEGS_H

#include "study/spec.h"

/* Coordinates of a leg, at most. */
enum { LEG_COORDINATES = 2 * (BESD_MAX_COORDINATES + 1) };

/* Do the ends of legs come one after the other, none after the cap? A point that was not reached
 * has no successors; the last end is that of the replication and may come on any leg. One of which
 * nothing is known (besd/besd.h) is sound. */
besd_status legs_check(const besd_path *path, const besd_leg *legs, size_t replications,
                       besd_error *error);

/* The value of leg k of a replication; false when it never came to that leg, or nothing is known.
 */
bool legs_value(const study_spec *spec, const besd_leg *legs, size_t k, double *value);

/* A leg's value in the user's units; what is left of an episode when it fails, less than which
 * nothing is worth; and what visiting a point costs. */
double legs_in_units(const study_spec *spec, double value);
double legs_least(const study_spec *spec);
double legs_price(const study_spec *spec);

/* What a leg may be hoped to be worth: no more than one that takes no time, however little is known
 * of it, but for a trace by which more hope still is more. */
double legs_limited(const study_spec *spec, double hoped);

/* What a hoped leg adds to a path that is to be tried. A path comes to its end when all of its legs
 * work, so chances are multiplied: of a time it is the logarithm of how far the leg is from
 * failing, less that of one more than the trials which set out to its end and never came there.
 * Sums of values, which are right for legs that are known, would prefer a path that gives up at
 * once to one that gets far, and where nothing works the legs that may yet work would not show. */
double legs_chance(const study_spec *spec, double hoped, double misses);

/* The coordinates of leg k: (from, to) in the frame of path.h. Where instances are labelled, each
 * end has one coordinate more: the label, in [0, 1], that of 0 at first. legs_length counts the
 * coordinates of an end. Does such a leg lead to the end? */
size_t legs_length(const study_spec *spec);
size_t legs_labels(const study_spec *spec); /* 1 where there are none */
void legs_place(const study_spec *spec, const double *theta, size_t k, double *place);
void legs_set_label(const study_spec *spec, double *place, size_t label);
bool legs_is_last(const study_spec *spec, const double *place);

#endif
