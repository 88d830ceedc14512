/* Results of somebody's on their way into a study, and where each came from. */
#ifndef BESD_BRIDGE_RESULT_LIST_H
#define BESD_BRIDGE_RESULT_LIST_H

#include "besd/besd.h"

typedef struct result_list {
    besd_result *items; /* with arrays of their own */
    size_t count, capacity;
    size_t skipped; /* rows of trials that nothing was told of */
    size_t *lines;  /* [count]: where each came from, from 1 */
} result_list;

void results_free(result_list *list);

/* One with arrays of its own. */
void result_free(besd_result *result);

/* Takes the result over, also when there is no room for it. */
besd_status result_append(result_list *list, besd_result *result, size_t line, besd_error *error);

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
