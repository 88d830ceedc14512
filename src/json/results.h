/* Earlier results, read from JSON, JSON lines or CSV, for besd_study_add. */
#ifndef BESD_JSON_RESULTS_H
#define BESD_JSON_RESULTS_H

#include "besd/besd.h"

#include <jansson.h>
#include <stdio.h>

/* The results that were read, and the line of each. */
typedef struct result_list {
    besd_result *items; /* each owns its arrays */
    size_t count, capacity;
    size_t skipped; /* rows of trials that nothing was told of */
    size_t *lines;  /* [count]: the line of each, from 1 */
    char **tags;    /* [count]: the tags of each with commas between them, or NULL */
} result_list;

void results_free(result_list *list);

/* Frees the arrays of one result. */
void result_free(besd_result *result);

/* The list owns the result and its tags (or NULL) from now on; without memory both are freed. */
besd_status result_append(result_list *list, besd_result *result, char *tags, size_t line,
                          besd_error *error);

/* May a trial have these tags, with commas between them? */
besd_status result_check_tags(const char *tags, besd_error *error);

/* Tags the trials that the results became; `first` is the number of the first of them. */
besd_status results_tag(const result_list *list, besd_study *study, int64_t first,
                        besd_error *error);

/* Do the scores of a trial in this state count? A word that is no state is refused. */
besd_status result_is_told(const char *state, bool *told, besd_error *error);

/* Puts the name of the file and the line in front of the message. */
besd_status result_at_line(besd_status status, const char *name, size_t line, besd_error *error);

/* The beginning of a text, cleaned, for a message. */
typedef struct excerpt {
    char text[40];
} excerpt;

excerpt result_excerpt(const char *text);

/* theta by name, {"x": 3.2, "y": 4}, or as an array; a refusal names the coordinate that is
 * missing or unknown. */
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
