/* What would have been recommended when fewer trials were told: the gaps in what is remembered. The
 * model is made anew from the trials that had ended by then, so it may differ in the last digits
 * from what the study said at the time. Every answer costs a fit. */
#ifndef BESD_SERVE_HINDSIGHT_H
#define BESD_SERVE_HINDSIGHT_H

#include "serve/memory.h"

/* With more trials than this a fit takes too long for a picture. */
enum { HINDSIGHT_MOST = 400 };

/* The number of told trials to look back to next: the middle of the widest gap before the first,
 * between any two and after the last of what is remembered; 0: no gap is wide enough to be seen. */
int64_t hindsight_next(const recommendations *known, int64_t told);

/* The recommendation after so many told trials. Nothing is written to the study. BESD_UNSUPPORTED
 * for methods without a model. */
besd_status hindsight_recommend(besd_study *study, int64_t told, besd_recommendation *r,
                                besd_error *error);

#endif
