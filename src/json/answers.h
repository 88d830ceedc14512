/* What a study says of itself as JSON, the same for the command line and the network. Trials have
 * json/trial.h. */
#ifndef BESD_JSON_ANSWERS_H
#define BESD_JSON_ANSWERS_H

#include "besd/besd.h"

#include <jansson.h>

/* An event of a study:
 * {"id", "at", "who", "what", "trial": 7 or null, "detail": {...} or null}; NULL without memory. */
json_t *event_json(const besd_event *event);

/* Why a trial was chosen: what the file keeps of it (study/study.h), and the best candidates. NULL
 * without memory. */
json_t *explanation_json(const besd_study_options *study, const besd_explanation *explanation);

/* A recommendation, and what is to be said of it where the number of points of a path varies. NULL
 * and a sentence when it cannot be had. */
json_t *recommendation_json(besd_study *study, const besd_recommendation *r, besd_error *error);

/* {"sources": [...]}: what the study learns from, each with name, matched, trials, rows, likeness,
 * related and share. NULL and a sentence when it cannot be had. */
json_t *sources_json(besd_study *study, besd_error *error);

/* What is expected of a design at this tau: theta, tau, mean, sd, value, low, high, tried and
 * better, which is null without a baseline. NULL without memory. */
json_t *forecast_json(const besd_study_options *study, const double *theta, int64_t tau,
                      const besd_forecast *forecast);

/* {"budget", "spent"} and {"first", "added", "skipped"}: what set and add have done. NULL without
 * memory. */
json_t *budget_json(double budget, double spent);
json_t *added_json(int64_t first, size_t added, size_t skipped);

#endif
