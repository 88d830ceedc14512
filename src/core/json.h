/* Numbers as JSON, which knows neither infinity nor NaN: null; JSON as text that steers no
 * terminal; and JSON without memory, which must not be another JSON. */
#ifndef BESD_CORE_JSON_H
#define BESD_CORE_JSON_H

#include <jansson.h>
#include <stdbool.h>

json_t *json_number(double value);
json_t *json_numbers(const double *values, size_t count);

/* The first object with the members of the second, which is gone; NULL when either is. */
json_t *json_joined(json_t *first, json_t *second);

/* json_loadb for texts that an answer depends on. When memory is short, jansson's reader can lose
 * digits of a number or say nothing of the reason; here that is NULL, and json_lacked_memory is
 * true of the fault. */
json_t *json_read(const char *text, size_t length, size_t flags, json_error_t *fault);
bool json_lacked_memory(const json_error_t *fault);

/* For a program, before its first JSON, and not for a library: jansson's allocations are watched
 * from now on. After one has failed json_read and json_print refuse, so that what was made of many
 * small values need not be checked one by one. */
void json_watch_memory(void);

/* json_dumpf, with every letter that steers a terminal as \\u and its number. -1 when it cannot be
 * written, or was made while memory was short. */
int json_print(FILE *out, const json_t *value, size_t flags);

#endif
