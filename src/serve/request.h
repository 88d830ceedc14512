/* A request as a handler sees it (`call`), what it says (`input_`, `query_`), and its answer
 * (`reply`). Nothing here knows of sockets, so a test can call every handler.
 *
 * Every function that reads something of a request checks it. When the function returns false, the
 * reply already has the refusal, and the handler has nothing more to do. */
#ifndef BESD_SERVE_REQUEST_H
#define BESD_SERVE_REQUEST_H

#include "besd/besd.h"
#include "core/given.h"
#include "page/bundle.h"
#include "serve/auth.h"

#include <jansson.h>
#include <stdbool.h>

enum { CALL_NAME_SIZE = 65 };

struct route;
struct service;
struct served;

typedef struct call {
    struct service *service;
    const struct route *route;
    char name[CALL_NAME_SIZE];  /* of the study or the file in the path; "": neither */
    int64_t trial;              /* in the path; 0: none */
    const char *query;          /* what follows the question mark, or "" */
    json_t *input;              /* the body, an object; empty when the request had no body */
    const char *client;         /* its address */
    char token[AUTH_NAME_SIZE]; /* the name of its token, or "" */
    auth_role role;             /* what it may do */
    const char *known;          /* the ETag that the client has, or NULL */
    const char *key;            /* Idempotency-Key: the request may be sent twice; NULL: none */
    char digest[33];            /* of what is requested */
    bool wants_stream;          /* the client accepts text/event-stream */
    int64_t last_event;         /* Last-Event-ID; -1: none */
    struct served *served;      /* the study of that name, and */
    besd_study *study;          /* a handle of that study; NULL for routes without a study */
} call;

/* Where a list of trials goes on. The answer is made in pieces, so that a long list keeps neither
 * memory nor a worker while its client reads. */
typedef struct list_rest {
    int64_t after, listed; /* the last trial that was looked at, and that was listed */
    int64_t left;          /* so many may still be listed */
    int64_t next;          /* where a list ends that has reached its limit; 0: it has all */
    int state;             /* of those that are listed; below 0: any */
    bool more;             /* there are more pieces */
} list_rest;

/* An answer is a text, a list in pieces, a file or a stream. */
typedef struct reply {
    char *text; /* allocated */
    size_t size;
    const asset *file;
    bool stream;   /* the events of call.served, until the client or the server leaves, */
    int64_t after; /* from the one after this */
    list_rest rest;
    int64_t trial; /* the answer is this trial, as it is now; 0: it is something else */
    const char *type;
    int code;
    besd_status status; /* what the library said, when the handler asked it */
} reply;

typedef void handler(call *c, reply *r);

/* Answers with an object, and releases it; NULL: out of memory. */
void reply_json(reply *r, int code, json_t *object);

/* The same with the text of an object, which the reply owns from now on. */
void reply_text(reply *r, int code, char *text, size_t size);

/* Answers {"error": sentence, "status": word}. */
void reply_refuse(reply *r, int code, const char *status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Answers with what the library said; the status decides the code. */
void reply_error(const call *c, reply *r, const besd_error *error);

/* As reply_error, but BESD_INVALID is 409: the request contradicts what the study knows. */
void reply_conflict(const call *c, reply *r, const besd_error *error);

/* With the object, or with the error when the object is NULL. */
void reply_object(const call *c, reply *r, json_t *object, const besd_error *error);

/* The object of a refusal by the library, without a path of this machine. */
json_t *refusal_json(const struct served *one, const besd_error *error);

void reply_clear(reply *r);

/* Reads a body into c->input; a body without bytes is an empty object. Its length was limited
 * before (HTTP_LONGEST_BODY in serve/http.h). */
bool input_parse(call *c, reply *r, const char *body, size_t size);

/* Refuses an object with other members than these, which are separated by blanks. The refusal calls
 * the object `where`. */
bool input_expect(reply *r, const json_t *object, const char *where, const char *members);

/* Members; a missing member, or null, leaves *value as it is. */
bool input_number(reply *r, const json_t *object, const char *name, double *value);
bool input_given(reply *r, const json_t *object, const char *name, given_number *number);
bool input_integer(reply *r, const json_t *object, const char *name, int64_t *value);
bool input_flag(reply *r, const json_t *object, const char *name, bool *value);
bool input_text(reply *r, const json_t *object, const char *name, const char **value);

/* theta of the body: an object with the names of the coordinates, or a list in their order. */
bool input_theta(call *c, reply *r, double *theta);

/* A list of 1 to `most` numbers. */
bool input_numbers(reply *r, const json_t *object, const char *name, double *values, size_t most,
                   size_t *count);

/* The study's handle acts in the name of the client's token. When the token has no name, it acts in
 * that of the worker; without a worker (NULL, ""), in that of the client's address. */
bool act_as(call *c, reply *r, const char *worker);

/* A word of the query, decoded; false when the word is missing or too long (this is no refusal). */
bool query_text(const char *query, const char *name, char *text, size_t size);

/* The same as a whole number from 0; a missing word leaves *value as it is. */
bool query_integer(const call *c, reply *r, const char *name, int64_t *value);

#endif
