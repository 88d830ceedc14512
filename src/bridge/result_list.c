#include "bridge/result_list.h"

#include "core/error.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_free(besd_result *r) {
    free((void *)r->theta);
    free((void *)r->scores);
    free((void *)r->legs);
    free((void *)r->note);
    *r = (besd_result){0};
}

void results_free(result_list *list) {
    for (size_t i = 0; i < list->count; i++)
        result_free(&list->items[i]);
    free(list->items);
    free(list->lines);
    *list = (result_list){0};
}

besd_status result_append(result_list *list, besd_result *r, size_t line, besd_error *error) {
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 16;
        besd_result *items = realloc(list->items, capacity * sizeof *items);
        list->items = items ? items : list->items;
        size_t *lines = realloc(list->lines, capacity * sizeof *lines);
        list->lines = lines ? lines : list->lines;
        if (!items || !lines) {
            result_free(r);
            return besd_fail_memory(error, "the results");
        }
        list->capacity = capacity;
    }
    list->lines[list->count] = line;
    list->items[list->count++] = *r;
    return BESD_OK;
}

besd_status result_is_told(const char *state, bool *told, besd_error *error) {
    const char *told_name = besd_trial_state_name(BESD_TRIAL_TOLD), *name;
    *told = !strcmp(state, told_name);
    for (size_t i = 0; (name = besd_trial_state_name(i)); i++)
        if (!strcmp(state, name))
            return BESD_OK;
    return besd_fail(error, BESD_INVALID, "state: expected %s or another state of trials, got '%s'",
                     told_name, result_excerpt(state).text);
}

besd_status result_at_line(besd_status status, const char *name, size_t line, besd_error *error) {
    besd_error reason = *error;
    return besd_fail(error, status, "%s, line %zu: %s", name, line, reason.message);
}

excerpt result_excerpt(const char *text) {
    excerpt e;
    snprintf(e.text, sizeof e.text, "%s", text);
    text_clean(e.text);
    return e;
}
