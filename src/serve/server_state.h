/* The inside of the server, for the files that it is made of. */
#ifndef BESD_SERVE_SERVER_STATE_H
#define BESD_SERVE_SERVER_STATE_H

#include "serve/connections.h"
#include "serve/listen.h"
#include "serve/server.h"
#include "serve/stream.h"

#include <microhttpd.h>

enum { SERVER_QUICK = 6, SERVER_LEAST_THINKERS = 2, SERVER_MOST_THINKERS = 4 };
enum { SERVER_MOST_CONNECTIONS = 1000 };

struct exchange;

struct server {
    service service;
    listening listening;
    connections connections;
    streams streams;
    pool *quick, *thinking;
    struct MHD_Daemon *daemon;
    pthread_t watcher;
    bool watcher_runs;
    atomic_bool ending;
    double read_limit, drain_limit;
    bool quiet;
    pthread_mutex_t lock; /* of the exchanges that are with a worker */
    struct exchange *under_way;
    bool is_shut;         /* and none may join them */
    atomic_int exchanges; /* that have begun and are not over, answers that are sent among them */
};

/* What libmicrohttpd calls. */
void *exchange_begin(void *context, const char *uri, struct MHD_Connection *connection);
enum MHD_Result exchange_go_on(void *context, struct MHD_Connection *connection, const char *url,
                               const char *method, const char *version, const char *data,
                               size_t *size, void **state);
void exchange_end(void *context, struct MHD_Connection *connection, void **state,
                  enum MHD_RequestTerminationCode how);

/* From here on no connection is suspended for a worker: MHD_stop_daemon ends the process when one
 * is. */
void exchange_shut(server *s);

/* Is one still with a worker? */
bool exchange_any_under_way(server *s);

/* Answers those that are still with a worker; their workers will find nobody waiting. */
void exchange_abandon_all(server *s);

/* Makes libmicrohttpd's answer; `allowed` for a 405, or "". */
enum MHD_Result respond(server *s, struct MHD_Connection *connection, const call *c, reply *r,
                        const char *allowed);

#endif
