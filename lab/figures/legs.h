/* Which legs the figure of legs shows. All legs that were tried would be arrows on top of each
 * other. So of legs that go the same way, side by side or one within the other, the first in the
 * list stands for the others; and legs of the recommended path are not drawn a second time. */
#ifndef BESD_FIGURES_LEGS_H
#define BESD_FIGURES_LEGS_H

#include "study/leg_survey.h"

typedef struct leg_scale {
    double x, y; /* pixels of a unit */
} leg_scale;

/* A leg between two places that are not the same. */
bool leg_has_places(const leg_known *leg);

/* Would a reader take their arrows for one? Not those of a leg and its way back. */
bool legs_are_alike(const leg_known *a, const leg_known *b, leg_scale scale);

/* Moves up to `most` legs that are alike neither to each other nor to one of the path to the front,
 * in the order that they have, and returns how many. */
size_t leg_choice(leg_known *legs, size_t count, const leg_known *path, size_t path_count,
                  leg_scale scale, size_t most);

#endif
