#include "serve/connections.h"

#include "core/clock.h"

#include <stdlib.h>
#include <sys/socket.h>

void connections_begin(connections *c) {
    c->first = NULL;
    pthread_mutex_init(&c->lock, NULL);
}

guest *connections_add(connections *c, int socket) {
    guest *one = calloc(1, sizeof *one);
    if (!one)
        return NULL;
    one->socket = socket;
    one->since = clock_seconds();
    pthread_mutex_lock(&c->lock);
    one->next = c->first;
    one->link = &c->first;
    if (one->next)
        one->next->link = &one->next;
    c->first = one;
    pthread_mutex_unlock(&c->lock);
    return one;
}

void connections_remove(connections *c, guest *one) {
    if (!one)
        return;
    pthread_mutex_lock(&c->lock);
    *one->link = one->next;
    if (one->next)
        one->next->link = one->link;
    pthread_mutex_unlock(&c->lock);
    free(one);
}

void connections_wait(connections *c, guest *one, bool wanted) {
    if (!one)
        return;
    pthread_mutex_lock(&c->lock);
    one->since = wanted ? clock_seconds() : 0;
    pthread_mutex_unlock(&c->lock);
}

void connections_cut(connections *c, double seconds) {
    double now = clock_seconds();
    pthread_mutex_lock(&c->lock); /* so that no socket is closed and its number used again */
    for (guest *one = c->first; one; one = one->next)
        if (one->since > 0 && now - one->since > seconds)
            shutdown(one->socket, SHUT_RDWR);
    pthread_mutex_unlock(&c->lock);
}
