/* What pages and programs are told of a whole study: in a list, by itself, and why its newest
 * explained trial was chosen. HTTP answers with these objects, and a page that is written into a
 * file has them inside. Each is NULL with a sentence when it cannot be had; the caller releases it.
 *
 * Trials have json/trial.h, recommendations and events json/answers.h, pictures page/views.h. */
#ifndef BESD_PAGE_STUDY_JSON_H
#define BESD_PAGE_STUDY_JSON_H

#include "besd/besd.h"

#include <jansson.h>

/* {"name", "trials": {...}, "budget", "spent", "direction", "dimension"} */
json_t *study_summary_json(const char *name, besd_study *study, besd_error *error);

/* The same with theta, tau, reps, options, which of these are changed, the path, arithmetic, domain
 * and command. */
json_t *study_json(const char *name, besd_study *study, besd_error *error);

/* {"trial", "at", "explanation"} of the newest ask that was explained, whoever asked. BESD_UNKNOWN:
 * there is none. */
json_t *explained_json(besd_study *study, besd_error *error);

#endif
