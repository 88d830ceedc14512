/* Sketches: a grid domain made from a drawing of an arena. Subgoals found in it, in seconds and
 * without a single training of the real agent, are where a study of the real agent begins.
 *
 *     file -> plan (plan_sources.h) -> cells (sketch_map.h) -> how long to train (schooling.h)
 */
#ifndef BESD_SKETCH_H
#define BESD_SKETCH_H

#include "sketch/plan.h"
#include "sketch/schooling.h"
#include "sketch/sketch_map.h"
#include "world/domain.h"

#include <stdio.h>

enum { SKETCH_MOST_FILES = 16 };

/* What is 0 or NaN has not been said. */
typedef struct sketch_options {
    const char *const *files;
    size_t file_count;
    const char *name;         /* of the domain; NULL: after the first file */
    double start[2], goal[4]; /* in the user's units */
    size_t start_count, goal_count;
    double goal_radius;
    double scale; /* of a picture, or of a map that does not say it */
    double origin[2];
    size_t origin_count;
    double cell, radius;
    int moves;
    double wind[2];
    plan_unknown unknown;
    int subgoals, fewest;
} sketch_options;

/* All defaults. */
sketch_options sketch_options_default(void);

typedef struct sketch_report {
    bool as_drawn; /* the map has the cells that it was drawn with */
    sketch_findings findings;
    schooling schooling;
} sketch_report;

/* Makes the domain, without a source to release. */
besd_status sketch_make(const sketch_options *o, domain *d, sketch_report *report,
                        besd_error *error);

/* Writes the domain as the YAML that domain_yaml.h reads. */
void sketch_write(FILE *out, const domain *d, const sketch_report *report);

#endif
