/* Learning from the parts of a design that is a path. A trial says which of its legs worked and how
 * long each leg took. A leg is a place with twice as many coordinates as a point, however many
 * points there are, and other paths share it. So a model of legs sees K + 1 outcomes where the
 * model of designs sees one, and dynamic programming composes the best path of legs that may never
 * have been tried together. It finds thin corners of large spaces; the model of designs then
 * polishes.
 *
 * The value of a leg that took the time d is -log(1 + d / s), with s a tenth of the cap. A leg that
 * failed took what was left until the cap. In studies that are maximised, the value of a leg is
 * what was earned on it, and a leg that fails loses what was earned before it. */
#ifndef BESD_STUDY_LEGS_H
#define BESD_STUDY_LEGS_H

#include "study/evidence.h"
#include "study/path.h"

/* The most coordinates that a leg can have. */
enum { LEG_COORDINATES = 2 * (BESD_MAX_COORDINATES + 1) };

/* Do the ends of legs come one after the other, and none after the cap? A point that was not
 * reached has no successors. The last end is that of the replication and may come on any leg. A
 * replication of which nothing is known (besd/besd.h) is sound. */
besd_status legs_check(const besd_path *path, const besd_leg *legs, size_t replications,
                       besd_error *error);

/* The value of leg k of a replication; false when the replication never came to that leg, or
 * nothing is known. */
bool legs_value(const study_spec *spec, const besd_leg *legs, size_t k, double *value);

/* A leg's value in the user's units. */
double legs_in_units(const study_spec *spec, double value);

/* The value of a leg that takes the whole episode: no leg is worth less. */
double legs_least(const study_spec *spec);

/* What a visit to a point costs, on the scale of values. */
double legs_price(const study_spec *spec);

/* What may be hoped of a leg: no more than the value of a leg that takes no time, however little is
 * known. A trace of the excess stays, so that a larger hope still is larger. */
double legs_limited(const study_spec *spec, double hoped);

/* What a hoped leg adds to a path that is to be tried. A path comes to its end when all of its legs
 * work, so chances are multiplied. Where legs are times, the chance of a leg is how far it is from
 * failing, divided by one more than `misses`: the trials that set out to its end and never came
 * there. This is the logarithm of that chance. Sums of values are right for legs that are known.
 * Here they would prefer a path that gives up at once to one that gets far, and where nothing works
 * they would hide the legs that may yet work. */
double legs_chance(const study_spec *spec, double hoped, double misses);

/* The coordinates of leg k: (from, to) in the frame of path.h. Where instances are labelled, each
 * end has one more coordinate: the label, in [0, 1]. legs_place sets label 0. */
void legs_place(const study_spec *spec, const double *theta, size_t k, double *place);
void legs_set_label(const study_spec *spec, double *place, size_t label);
size_t legs_length(const study_spec *spec); /* coordinates of one end of a leg */
size_t legs_labels(const study_spec *spec); /* 1 where instances have no labels */

/* Does the leg at this place lead to the end? */
bool legs_is_last(const study_spec *spec, const double *place);

/* What was told of legs, as a model sees it: one row for every leg and tau, however many trials and
 * replications came to it. Of the first `told` trials that teach; at most `most` rows. Of more rows
 * the better half stays, of which paths are made, and an even selection of the rest. */
besd_status leg_rows_gather(const study_spec *spec, const evidence *e, size_t told, size_t most,
                            observations *rows, besd_error *error);

/* How often instances of each label were met, as shares of all: [max(labels, 1)]. */
void leg_rows_weigh(const study_spec *spec, const evidence *e, double *weights);

/* Adds rows for the legs of pending trials, which will meet labels as often as before. */
besd_status leg_rows_add_pending(const study_spec *spec, const evidence *e, observations *rows,
                                 besd_error *error);

/* Places that no trial has come to. The model of legs hopes for a place from wherever it was not
 * tried from, so a place inside a wall would be tried from everywhere in turn. Therefore misses are
 * counted (legs_chance): for each place of the lattice, the trials, however short, that set out to
 * it and none of whose replications came there. 0 where one of them came to that place, or to
 * another place of the same cell. Confirming trials do not count. Replications that came to the end
 * of the path instead say nothing. Tried and dropped: the rule of succession, by which untried
 * places are half as likely as places that were reached; with it no trial looked for new places. */
void leg_misses_count(const study_spec *spec, const evidence *e, const path_lattice *lattice,
                      double *misses);

#endif
