/* Why a trial was chosen, as JSON: what the file keeps of it (study/explanation_json.h), and the
 * best candidates. */
#ifndef BESD_JSON_EXPLANATION_H
#define BESD_JSON_EXPLANATION_H

#include "besd/besd.h"

#include <jansson.h>

/* NULL without memory. */
json_t *explanation_json(const besd_study_options *study, const besd_explanation *explanation);

#endif
