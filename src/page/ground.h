/* The ground under a study's designs, for pages: the map or mountain of a built-in domain, the map
 * that the study keeps, or the box of a path's points.
 *
 *     {"kind": "grid", "width", "height", "low", "high", "cells": ["G..#", ...], "points_of_theta"}
 *
 * where a mountain has the start and the goal instead of cells, and a box has both if they are
 * known. Nothing that the study names is opened or run. */
#ifndef BESD_PAGE_GROUND_H
#define BESD_PAGE_GROUND_H

#include "besd/besd.h"
#include "world/domain.h"

#include <jansson.h>

/* NULL and BESD_UNKNOWN: there is none. */
json_t *ground_view(besd_study *study, besd_error *error);

/* Of a grid or a mountain, under designs of so many points; NULL without memory. */
json_t *ground_of_domain(const domain *d, size_t points);

#endif
