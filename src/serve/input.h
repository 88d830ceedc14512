/* What a request says: the members of its body and the words of its query, each checked where it is
 * read. A function that answers false has answered the request with a sentence. */
#ifndef BESD_SERVE_INPUT_H
#define BESD_SERVE_INPUT_H

#include "serve/call.h"

/* Reads a body into c->input; no bytes are an empty object. */
bool input_parse(call *c, reply *r, const char *body, size_t size);

/* Are there other members than these, separated by blanks? "object" is called `where`. */
bool input_expect(reply *r, const json_t *object, const char *where, const char *members);

/* Members; missing ones and null leave *value as it is. */
bool input_number(reply *r, const json_t *object, const char *name, double *value);
bool input_integer(reply *r, const json_t *object, const char *name, int64_t *value);
bool input_flag(reply *r, const json_t *object, const char *name, bool *value);
bool input_text(reply *r, const json_t *object, const char *name, const char **value);

/* theta of the body: an object with the names of the coordinates, or a list in their order. */
bool input_theta(call *c, reply *r, double *theta);

/* A list of numbers, 1 to `most` of them. */
bool input_numbers(reply *r, const json_t *object, const char *name, double *values, size_t most,
                   size_t *count);

/* A word of the query, decoded; false when it is not there or too long. */
bool query_text(const char *query, const char *name, char *text, size_t size);

/* The same as a whole number from 0; *value stays as it is when it is not there. */
bool query_integer(const call *c, reply *r, const char *name, int64_t *value);

#endif
