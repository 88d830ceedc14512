/* Why a trial was chosen, as JSON. */
#ifndef BESD_STUDY_EXPLANATION_JSON_H
#define BESD_STUDY_EXPLANATION_JSON_H

#include "besd/besd.h"
#include "core/json.h"

/* What every (tau, reps) was worth, and the best candidates; NULL without memory. */
json_t *explanation_json(const besd_study_options *study, const besd_explanation *explanation);

/* Of it, what is kept with the event of the ask: why, and the levers; free() it. NULL without
 * memory. */
char *explanation_text(const besd_study_options *study, const besd_explanation *explanation);

#endif
