/* What the page draws of a study: the curve over cost, slices of the posterior.
 *
 * The curve shows what was recommended after each number of told trials: answers that a client
 * asked for since the server started, and in the gaps between them what hindsight says. They are
 * kept in memory and not in the file, because looking at a study must not change it. */
#ifndef BESD_PAGE_VIEWS_H
#define BESD_PAGE_VIEWS_H

#include "besd/besd.h"

#include <jansson.h>

enum { RECOMMENDATIONS_MOST = 256 };

typedef struct remembered {
    int64_t trials; /* told by then */
    double value, low, high;
} remembered;

/* By trials, increasing; all zero: nothing is remembered. The owner guards it against threads. */
typedef struct recommendations {
    size_t count;
    remembered of[RECOMMENDATIONS_MOST];
} recommendations;

/* Of one number of trials the newest counts. When there is no room, every second one is forgotten.
 */
void recommendations_keep(recommendations *m, const besd_recommendation *r);

/* NULL: nothing is remembered of that many trials. */
const remembered *recommendations_at(const recommendations *m, int64_t trials);

/* {"points": [...]}: the best mean score at the largest tau, and what was recommended, over the
 * cost of the trials in the order in which they ended. There is a point wherever something changes.
 */
json_t *view_curve(besd_study *study, const recommendations *recommended, besd_error *error);

/* With more trials than this, no fit is made for a picture: it would take too long. */
enum { HINDSIGHT_MOST = 400 };

/* The number of told trials to look back to next: the middle of the widest gap in what is
 * remembered, where gaps also lie before the first and after the last. 0: no gap is wide enough to
 * be seen. */
int64_t hindsight_next(const recommendations *known, int64_t told);

/* What would have been recommended after the first `told` trials were told. The model is made anew
 * from the trials that had ended by then, so it may differ in the last digits from what the study
 * said at the time. It costs a fit, and nothing is written to the study. BESD_UNSUPPORTED: the
 * method has no model. */
besd_status hindsight_recommend(besd_study *study, int64_t told, besd_recommendation *r,
                                besd_error *error);

/* What the model expects along each coordinate, in the units of the scores; the other coordinates
 * stay at the recommendation. BESD_UNSUPPORTED: the method has no model. */
json_t *view_slices(besd_study *study, const besd_recommendation *at, besd_error *error);

#endif
