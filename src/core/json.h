/* JSON by jansson, with four things besides: numbers (infinity and NaN, which JSON lacks, become
 * null), texts with the shortest numbers, text that steers no terminal, and no wrong answer when
 * memory is short. */
#ifndef BESD_CORE_JSON_H
#define BESD_CORE_JSON_H

#include <jansson.h>
#include <stdbool.h>

json_t *json_number(double value);
json_t *json_numbers(const double *values, size_t count);

/* Adds the members of the second object to the first and returns the first. Takes over both
 * references; NULL when either object is NULL, or without memory. */
json_t *json_joined(json_t *first, json_t *second);

/* Append to a list and set a member of an object. Without memory the list or object is released and
 * becomes NULL, so that nothing is answered with a part of it. */
void json_add(json_t **list, json_t *value);
void json_put(json_t **object, const char *name, json_t *value);

/* json_loadb for texts that an answer depends on. When memory is short, jansson's reader can lose
 * digits of a number, or fail without the reason. Then this returns NULL, and json_lacked_memory is
 * true of the fault. */
json_t *json_read(const char *text, size_t length, size_t flags, json_error_t *fault);
bool json_lacked_memory(const json_error_t *fault);

/* Watches the allocations of jansson from now on. After one of them has failed, json_read and
 * json_print refuse, so the many small values of a document need not be checked one by one. For a
 * program, before its first JSON; a library must not do that to its program. */
void json_watch_memory(void);

/* JSON as text, for everything that leaves the program; allocated, NULL without memory. Its reals
 * have 15 or 16 digits where those read back as the same number: 6.11, not 6.1100000000000003. The
 * room is measured first, because json_dumps loses the name of a member, without a word, when its
 * buffer cannot grow. What a study file keeps is not written by this: those bytes stay. */
char *json_text(const json_t *value, size_t flags, size_t *size);

/* A finite number as json_text writes it, without a zero at its end; returns its length. */
enum { JSON_LONGEST_NUMBER = 40 };
size_t json_real_text(double value, char text[JSON_LONGEST_NUMBER]);

/* Shortens the reals of a JSON text in place; returns its length. */
size_t json_shorten(char *text);

/* json_text, with every letter that steers a terminal as \\u and its number. -1 when it cannot be
 * written, or was made while memory was short. */
int json_print(FILE *out, const json_t *value, size_t flags);

#endif
