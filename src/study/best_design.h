/* The best design under the model, which the discretisation then follows. */
#ifndef BESD_STUDY_BEST_DESIGN_H
#define BESD_STUDY_BEST_DESIGN_H

#include "decide/targets.h"
#include "model/mixture.h"
#include "study/evidence.h"

/* The largest posterior mean at tau_max, in the unit cube. Unless the study is discrete, the tried
 * designs, the best one and a cloud around it join the targets. */
besd_status best_design(const study_spec *spec, const mixture *model, const evidence *e, targets *t,
                        double *unit, double *mean, besd_error *error);

#endif
