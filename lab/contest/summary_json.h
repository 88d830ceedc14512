/* A comparison as JSON: the content of summary.json, which is also what the page of a comparison
 * shows. It has everything but single runs and trials: curves, differences, the profile, Table 1,
 * learning curves, the levers that besd paid for, maps, and the paths of a few recommendations.
 * Equal results give equal bytes. */
#ifndef BESD_CONTEST_SUMMARY_JSON_H
#define BESD_CONTEST_SUMMARY_JSON_H

#include "contest/table1.h"

#include <jansson.h>

/* "besd", "rival" or "neither": whom a difference favours. */
const char *verdict_name(int verdict);

/* {"domains": [...], "profiles": [...], "table1": {...}}; NULL when memory is short. */
json_t *summary_json(const summary *s, const table1 *t);

#endif
