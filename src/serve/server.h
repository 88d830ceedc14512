/* The server: libmicrohttpd's loop in a thread of its own, workers beside it. */
#ifndef BESD_SERVE_SERVER_H
#define BESD_SERVE_SERVER_H

#include "serve/service.h"

typedef struct server server;

typedef struct server_options {
    const char *const *paths; /* a folder, or files */
    size_t path_count;
    const char *listen, *token_file; /* token_file NULL: none */
    double read_limit;               /* seconds for a request to be there */
    double drain_limit;              /* seconds for what is under way when it ends */
    bool quiet;                      /* no line for every request */
    service_maker *make;
} server_options;

/* Starts it; signals that should end the program are to be blocked before, so that no thread of the
 * server takes them. */
besd_status server_start(server **s, const server_options *options, besd_error *error);

const char *server_url(const server *s);
size_t server_studies(server *s);

/* Accepts nothing new, waits for what is under way, ends event streams and all threads. False: asks
 * were still computed after the limit; the threads go on and the program has to end with _exit. */
bool server_stop(server *s);

#endif
