/* Results of somebody's on their way into a study, and where each came from. */
#ifndef BESD_BRIDGE_RESULT_LIST_H
#define BESD_BRIDGE_RESULT_LIST_H

#include "besd/besd.h"

typedef struct result_list {
    besd_result *items; /* with arrays of their own */
    size_t count, capacity;
    size_t skipped; /* rows of trials that nothing was told of */
    size_t *lines;  /* [count]: where each came from, from 1 */
    char **tags;    /* [count]: the tags of each with commas between them, or NULL */
} result_list;

void results_free(result_list *list);

/* One with arrays of its own. */
void result_free(besd_result *result);

/* Takes the result and its tags (or NULL) over, also when there is no room for them. */
besd_status result_append(result_list *list, besd_result *result, char *tags, size_t line,
                          besd_error *error);

/* May a trial have these tags, with commas between them? */
besd_status result_check_tags(const char *tags, besd_error *error);

/* Tags the trials that the results have become, the first of which has this number. */
besd_status results_tag(const result_list *list, besd_study *study, int64_t first,
                        besd_error *error);

/* Is that the state of a trial whose scores count? Refused when it is no state. */
besd_status result_is_told(const char *state, bool *told, besd_error *error);

/* The same sentence, behind the name of the file and the line. */
besd_status result_at_line(besd_status status, const char *name, size_t line, besd_error *error);

/* The first of a text, cleaned, for a sentence. */
typedef struct excerpt {
    char text[40];
} excerpt;

excerpt result_excerpt(const char *text);

#endif
