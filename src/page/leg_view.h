/* What is known of the legs of a study, for pages: the legs of the recommended path, the path that
 * the best legs make, the legs that were tried most, what the newest trial could teach, and what to
 * expect of how many points. Cost: one survey (study/leg_survey.h) for each of these. */
#ifndef BESD_PAGE_LEG_VIEW_H
#define BESD_PAGE_LEG_VIEW_H

#include "besd/besd.h"

#include <jansson.h>

/* {"counts", "promise", "spread", "path": [leg ...], "composed": {"promise", "legs"} or null,
 *  "tried": [leg ...], "untold", "before": [{"trial", "legs"} ...], "numbers": {...} or null},
 * where a leg is {"from", "to", "first", "last", "value", "low", "high", "mean", "sd", "tried",
 * "worked", "seen", "doubtful"}.
 *
 * `counts` is "time" or "earned"; "before" has the newest trial that was to teach something, and
 * the newest that was chosen for its legs, with legs as they were known before it. NULL and
 * BESD_UNSUPPORTED: theta is no path, or no legs were told. */
json_t *leg_view(besd_study *study, const besd_recommendation *at, besd_error *error);

#endif
