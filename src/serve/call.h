/* One request as handlers see it, and what they answer. Nothing here knows of sockets, so that
 * every handler can be called by a test. */
#ifndef BESD_SERVE_CALL_H
#define BESD_SERVE_CALL_H

#include "besd/besd.h"
#include "serve/assets.h"

#include <jansson.h>
#include <stdbool.h>

enum { CALL_NAME_SIZE = 65, CALL_LONGEST_BODY = 1 << 20 };

struct route;
struct service;
struct served;

typedef struct call {
    struct service *service;
    const struct route *route;
    char name[CALL_NAME_SIZE]; /* of the study in the path, or of the file; "": none */
    int64_t trial;             /* in the path; 0: none */
    const char *query;         /* what follows the question mark, or "" */
    json_t *input;             /* the body, an object; empty when there was none */
    const char *client;        /* its address */
    const char *known;         /* the ETag that the client has, or NULL */
    bool wants_stream;         /* it accepts text/event-stream */
    int64_t last_event;        /* Last-Event-ID; -1: none */
    struct served *served;     /* the study of that name, and */
    besd_study *study;         /* a handle of it; NULL for routes without one */
} call;

typedef struct reply {
    char *text; /* allocated; or */
    size_t size;
    const asset *file;
    const char *type;
    int64_t after; /* of a stream: */
    int code;
    besd_status status; /* of the library, when it was asked */
    bool stream;        /* the events of call.served after one of them, until one side leaves */
} reply;

typedef void handler(call *c, reply *r);

/* Answers with an object, which is gone then; NULL: out of memory. */
void reply_json(reply *r, int code, json_t *object);

/* Answers {"error": sentence, "status": word}. */
void reply_refuse(reply *r, int code, const char *status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same object of what the library said, without a path of this machine. */
json_t *refusal_json(const struct served *one, const besd_error *error);

void reply_error(const call *c, reply *r, const besd_error *error);

/* As reply_error, but 409: what was asked for contradicts what is known. */
void reply_conflict(const call *c, reply *r, const besd_error *error);

void reply_clear(reply *r);

#endif
