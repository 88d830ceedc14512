/* The address that a server listens on, and the connections that clients have opened to it. A
 * client that sends its request a byte at a time is never idle for libmicrohttpd and could hold a
 * connection for ever. So every connection has a time since which a request is expected, and is cut
 * when the whole request has not arrived within the limit. A stranger, a connection
 * none of whose requests was let in so far, has less time, and hardly any when connections run
 * short. So a client that opens connections and sends nothing cannot keep others out. */
#ifndef BESD_SERVE_CONNECTIONS_H
#define BESD_SERVE_CONNECTIONS_H

#include "besd/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct listening {
    int socket;
    bool loopback, six; /* only this machine can reach it; IPv6 */
    char url[128];      /* "http://127.0.0.1:8420/" */
} listening;

/* "127.0.0.1:8420", "localhost:0" (any free port), "[::1]:8420", "0.0.0.0:80". On any
 * address but loopback clients need a token, and the token must travel through TLS: of this server,
 * or of a proxy in front of it. */
typedef struct listen_guard {
    bool has_token, has_tls, behind_proxy;
} listen_guard;
besd_status listen_open(listening *l, const char *address, listen_guard guard, besd_error *error);

typedef struct guest {
    struct guest *next, **link;
    int socket;
    double since;  /* when waiting for its request began; 0: the request is being answered */
    bool is_known; /* a request was let in */
} guest;

typedef struct connections {
    pthread_mutex_t lock;
    guest *first;
    size_t count, most; /* most: how many are accepted */
} connections;

/* Raises the number of files that the process may open as far as it may, and finds the number of
 * connections that leave enough for studies. */
size_t connections_afford(void);

void connections_begin(connections *c, size_t most);

/* NULL without memory: the connection is not watched then. */
guest *connections_add(connections *c, int socket);
void connections_remove(connections *c, guest *one);

/* A request is expected from now on, or (wanted false) it has arrived. */
void connections_wait(connections *c, guest *one, bool wanted);

/* The headers of a request have come, and it was let in. */
void connections_know(connections *c, guest *one);

/* Cuts the connections whose request is not there in time; strangers have less time. */
void connections_cut(connections *c, double seconds);

#endif
