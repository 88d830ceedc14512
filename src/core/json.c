#include "core/json.h"

#include "core/text.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Of the whole program, as jansson's functions to allocate with are. */
static atomic_bool is_watched, was_short;

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory)
        was_short = true;
    return memory;
}

void json_watch_memory(void) {
    json_set_alloc_funcs(allocate, free);
    is_watched = true;
}

/* jansson leaves the code at `unknown` where it cannot store what it has read. */
bool json_lacked_memory(const json_error_t *fault) {
    enum json_error_code code = json_error_code(fault);
    return code == json_error_unknown || code == json_error_out_of_memory;
}

/* A letter that jansson's reader has no room for is left out, without a word. Nobody watches a
 * library's allocations, so it reads again: no memory is short twice at the same letter. */
static bool is_faithful(const json_t *value, const char *text, size_t length, size_t flags) {
    if (is_watched)
        return !was_short;
    json_t *again = json_loadb(text, length, flags, NULL);
    bool same = json_equal(value, again);
    json_decref(again);
    return same;
}

json_t *json_read(const char *text, size_t length, size_t flags, json_error_t *fault) {
    json_t *value = json_loadb(text, length, flags, fault);
    if (value && is_faithful(value, text, length, flags))
        return value;
    if (value || was_short)
        *fault = (json_error_t){.line = -1}; /* of unknown kind */
    json_decref(value);
    return NULL;
}

json_t *json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_numbers(const double *values, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(array, json_number(values[i]))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

json_t *json_joined(json_t *first, json_t *second) {
    bool joined = first && second && !json_object_update(first, second);
    json_decref(second);
    if (joined)
        return first;
    json_decref(first);
    return NULL;
}

int json_print(FILE *out, const json_t *value, size_t flags) {
    char *text = json_dumps(value, flags);
    if (!text || was_short) {
        free(text);
        return -1;
    }
    text_put_json(out, text, strlen(text));
    free(text);
    return ferror(out) ? -1 : 0;
}
