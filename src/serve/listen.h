/* The address that a server listens on. */
#ifndef BESD_SERVE_LISTEN_H
#define BESD_SERVE_LISTEN_H

#include "besd/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct listening {
    int socket;
    bool loopback, six; /* only this machine can reach it; IPv6 */
    char url[128];      /* "http://127.0.0.1:8420/" */
} listening;

/* "127.0.0.1:8420", "localhost:0" (any port that is free), "[::1]:8420", "0.0.0.0:80". With
 * may_be_public false anything but loopback is refused. */
besd_status listen_open(listening *l, const char *address, bool may_be_public, besd_error *error);

#endif
