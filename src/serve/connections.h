/* Connections that are open, and since when each has had time for its next request. Whoever sends
 * it a byte at a time is not idle to the library below, and would hold a connection for ever; here
 * a request has to be there, as a whole, after so many seconds. */
#ifndef BESD_SERVE_CONNECTIONS_H
#define BESD_SERVE_CONNECTIONS_H

#include <pthread.h>
#include <stdbool.h>

typedef struct guest {
    struct guest *next, **link;
    int socket;
    double since; /* 0: its request is being answered */
} guest;

typedef struct connections {
    pthread_mutex_t lock;
    guest *first;
} connections;

void connections_begin(connections *c);

/* NULL without memory: then it is not watched. */
guest *connections_add(connections *c, int socket);
void connections_remove(connections *c, guest *one);

/* A request is wanted from now on, or it is there. */
void connections_wait(connections *c, guest *one, bool wanted);

/* Cuts those that have waited longer than so many seconds. */
void connections_cut(connections *c, double seconds);

#endif
