/* Earlier results of somebody's, from JSON, JSON lines or CSV, for besd_study_add. */
#ifndef BESD_BRIDGE_RESULTS_H
#define BESD_BRIDGE_RESULTS_H

#include "bridge/result_list.h"

#include <jansson.h>
#include <stdio.h>

/* theta by name, {"x": 3.2, "y": 4}, or as an array; refused with the name that is missing, or that
 * is none. */
besd_status results_theta(const besd_study_options *study, const json_t *json, double *theta,
                          besd_error *error);

/* {"theta": ..., "tau": 1000, "scores": [31, 28], "cost": 0, "note": "...", "tags": [...], "legs":
 * ...}; what else it has belongs to trials as besd shows them, or is refused. A trial that is not
 * told, by its "state", is skipped. */
besd_status results_add_json(result_list *list, const besd_study *study, const json_t *json,
                             size_t line, besd_error *error);

/* A file of JSON lines, or of CSV with a line of names: those of the coordinates, tau and scores
 * (with blanks between them), and if you like cost, tags and note; the other columns of `besd
 * trials --csv` are not looked at. Sentences begin with the file's name and the line. */
besd_status results_read(result_list *list, const besd_study *study, FILE *in, const char *name,
                         besd_error *error);

#endif
