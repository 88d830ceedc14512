#include "core/json.h"

#include "core/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
    if (!text)
        return -1;
    text_put_json(out, text, strlen(text));
    free(text);
    return ferror(out) ? -1 : 0;
}
