/* Numbers as JSON, which knows neither infinity nor NaN: null; and JSON as text that steers no
 * terminal. */
#ifndef BESD_CORE_JSON_H
#define BESD_CORE_JSON_H

#include <jansson.h>

json_t *json_number(double value);
json_t *json_numbers(const double *values, size_t count);

/* The first object with the members of the second, which is gone; NULL when either is. */
json_t *json_joined(json_t *first, json_t *second);

/* json_dumpf, with every letter that steers a terminal as \\u and its number. -1 when it cannot be
 * written. */
int json_print(FILE *out, const json_t *value, size_t flags);

#endif
