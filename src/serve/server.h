/* The server: libmicrohttpd's loop in a thread of its own, workers beside it, and a watcher that
 * looks for new events and for clients that are too slow. */
#ifndef BESD_SERVE_SERVER_H
#define BESD_SERVE_SERVER_H

#include "serve/service.h"

typedef struct server server;

typedef struct server_options {
    const char *const *paths; /* a folder, or files */
    size_t path_count;
    const char *listen, *token_file;       /* token_file NULL: none */
    const char *tls_certificate, *tls_key; /* NULL: plain HTTP */
    bool behind_proxy;                     /* which has TLS */
    double read_limit;                     /* seconds in which a request has to arrive */
    double drain_limit; /* seconds in which the last requests have to be answered */
    bool quiet;         /* no line for every request */
    bool log_json;      /* lines are objects */
    bool only_check;    /* could it be started? then it is not, and *s is NULL */
    bool open_metrics;  /* /metrics needs no token */
    int per_address;    /* connections of one client address; 0: the default */
    service_maker *make;
} server_options;

/* Starts the server. Block the signals that should end the program before, so that no thread of the
 * server takes them. */
besd_status server_start(server **s, const server_options *options, besd_error *error);

/* Reads the token file again; when that fails, everything stays as it was. */
besd_status server_reload(server *s, besd_error *error);

const char *server_url(const server *s);
size_t server_studies(server *s);

/* Accepts no new connection, waits for the requests under way, ends event streams and all threads.
 * False: an ask was still computed after the limit; its thread goes on, and the program has to end
 * with _exit. */
bool server_stop(server *s);

#endif
