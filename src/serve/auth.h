/* Who may use the server. With a token: clients that send it; the comparison takes the same time
 * wherever the tokens differ. Without a token: programs of this machine, but no page of another
 * site in a browser of this machine. */
#ifndef BESD_SERVE_AUTH_H
#define BESD_SERVE_AUTH_H

#include "besd/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { AUTH_SHORTEST_TOKEN = 16, AUTH_LONGEST_TOKEN = 512 };

/* All zero but for the lock: no token is needed. */
typedef struct auth {
    pthread_mutex_t lock;
    bool is_needed;
    char token[AUTH_LONGEST_TOKEN + 1];
} auth;

/* Refuses a file that others than its owner may read or write; others' troubles are not judged. */
besd_status auth_check_mode(const char *path, besd_error *error);

/* Reads the token from the first line of a file; after a failure the token stays. */
besd_status auth_read(auth *a, const char *path, besd_error *error);

/* Does this header ("Bearer ...", or NULL) have the token? True when none is needed. */
bool auth_allows(auth *a, const char *authorization);

/* Does Host name this machine, and was the request not sent by a page of another host (Origin)?
 * Both headers may be NULL. */
bool auth_is_local(const char *host, const char *origin);

/* Does the header Sec-Fetch-Site (NULL: none) say that a person or a page of ours has sent the
 * request? Browsers set it, and no page can. A page of others may make a browser send a GET, though
 * it never sees the answer. */
bool auth_is_own(const char *site);

#endif
