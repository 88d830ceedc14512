/* HTTP: one request from its headers to the last byte of its answer, between libmicrohttpd's loop
 * and the handlers. The loop never waits: it judges the headers, collects the body, suspends the
 * connection and hands the request to a worker.
 *
 * Where a request is refused, in this order:
 *
 *   the headers  400, 411  it is not plain where the request ends (framing_check)
 *                404, 405  no such path, no such method (route_find)
 *                403       no token is set, and the client is not of this machine (auth_is_local),
 *                          or it is a browser that a page of others has sent (auth_is_own)
 *                401, 403  the token is missing or wrong, or allows less (auth_judge)
 *                429       too many wrong ones came from this address
 *                413       Content-Length is above HTTP_LONGEST_BODY
 *   the body     415       it is not application/json
 *                400       it is not a JSON object (input_parse)
 *   the worker   503       the server is being stopped, or too many requests wait
 *                404       there is no such study (service_answer)
 *
 * All else is the handler's decision. libmicrohttpd itself refuses more than 32 KiB of headers, and
 * serve/connections cuts off a client whose request takes too long to arrive. */
#ifndef BESD_SERVE_HTTP_H
#define BESD_SERVE_HTTP_H

#include "serve/connections.h"
#include "serve/pool.h"
#include "serve/service.h"
#include "serve/stream.h"

#include <microhttpd.h>

enum {
    HTTP_LONGEST_BODY = 1 << 20,
    /* The body of a refused request is read up to here and dropped, so that its sender hears the
     * answer; after that the connection is cut. */
    HTTP_LONGEST_IGNORED = 16 << 20,
    HTTP_MOST_TOGETHER = 64 /* writes to one study with one commit */
};

struct exchange;

typedef struct http {
    service *service;
    connections connections;
    streams streams;
    pool *reading, *writing, *thinking; /* workers */
    bool quiet;                         /* no line for every request */
    bool log_json;                      /* lines are objects */
    uint32_t run;                       /* tells requests of this process from those of others */
    atomic_uint begun;
    atomic_int exchanges;       /* requests that have begun and are not over */
    pthread_mutex_t lock;       /* of what follows */
    struct exchange *under_way; /* requests that are with a worker */
    bool is_shut;               /* no request may join them */
} http;

/* All zero but for the service, which the caller keeps; the caller also starts the workers. */
void http_begin(http *h, service *s, size_t most_connections);

/* What libmicrohttpd calls; the context is an http. */
void *exchange_begin(void *context, const char *uri, struct MHD_Connection *connection);
enum MHD_Result exchange_go_on(void *context, struct MHD_Connection *connection, const char *url,
                               const char *method, const char *version, const char *data,
                               size_t *size, void **state);
void exchange_end(void *context, struct MHD_Connection *connection, void **state,
                  enum MHD_RequestTerminationCode how);
void exchange_note_connection(void *context, struct MHD_Connection *connection, void **place,
                              enum MHD_ConnectionNotificationCode what);

/* From now on no connection is suspended for a worker: MHD_stop_daemon ends the process when a
 * connection is suspended. */
void http_shut(http *h);

/* Is a request still with a worker? */
bool http_is_busy(http *h);

/* Answers the requests that a worker has not finished. The worker's own answer is dropped later. */
void http_abandon_all(http *h);

#endif
