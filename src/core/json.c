#include "core/json.h"

#include <math.h>

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
