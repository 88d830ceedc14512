/* Who may speak: a bearer token, compared in a time that tells nothing of it; and without one only
 * programs of this machine, which pages of others in a browser are not. */
#ifndef BESD_SERVE_AUTH_H
#define BESD_SERVE_AUTH_H

#include "besd/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { AUTH_SHORTEST_TOKEN = 16, AUTH_LONGEST_TOKEN = 512 };

typedef struct auth {
    char token[AUTH_LONGEST_TOKEN + 1]; /* "": none is asked for */
} auth;

/* The first line of a file. */
besd_status auth_read(auth *a, const char *path, besd_error *error);

/* Is this header ("Bearer ...", or NULL) the token? True when none is asked for. */
bool auth_allows(const auth *a, const char *authorization);

/* Without a token: is the request meant for this machine by name, and not sent by a page of another
 * host? Both headers may be NULL. */
bool auth_is_local(const char *host, const char *origin);

#endif
