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

/* What a token allows: looking; asking, telling and all else that a worker does; everything. */
typedef enum auth_role { ROLE_NONE, ROLE_READ, ROLE_WORK, ROLE_MANAGE } auth_role;

/* "read", "work", "manage"; NULL behind the last. */
const char *auth_role_name(size_t role);

enum { AUTH_NAME_SIZE = 40, AUTH_DIGEST_SIZE = 32, AUTH_STRANGERS = 64, AUTH_MOST_FAILURES = 10 };

/* Tokens are kept as their SHA-256. They are long and random, so nobody can try them all. */
typedef struct auth_token {
    char name[AUTH_NAME_SIZE]; /* "": the only token of a file */
    auth_role role;
    unsigned char digest[AUTH_DIGEST_SIZE];
} auth_token;

/* An address from which wrong tokens came. */
typedef struct auth_stranger {
    char client[64];
    int failures;
    double last; /* when */
} auth_stranger;

/* All zero but for the lock: no token is needed. */
typedef struct auth {
    pthread_mutex_t lock;
    bool is_needed;
    auth_token *tokens;
    size_t count;
    auth_stranger strangers[AUTH_STRANGERS];
} auth;

/* Refuses a file that others than its owner may read or write; others' troubles are not judged. */
besd_status auth_check_mode(const char *path, besd_error *error);

/* Reads tokens: a file whose first line is AUTH_LIST_BEGINNING has a name, a role and a digest in
 * every further line; any other has one token in its first line, which may do everything. After a
 * failure the tokens stay as they were. */
#define AUTH_LIST_BEGINNING "# besd tokens"
besd_status auth_read(auth *a, const char *path, besd_error *error);
void auth_free(auth *a);

/* Makes a token, and appends its line to a file of them, which is made with mode 600 when it is not
 * there. A name has one token. */
besd_status auth_make(const char *path, const char *name, auth_role role,
                      char token[AUTH_LONGEST_TOKEN + 1], besd_error *error);

/* What the header ("Bearer ...", or NULL) allows, and the name of its token. Everything when no
 * token is needed. */
auth_role auth_judge(auth *a, const char *authorization, char name[AUTH_NAME_SIZE]);

/* After AUTH_MOST_FAILURES wrong tokens an address is not listened to for a minute; loopback is not
 * counted, because a proxy there is everybody. */
bool auth_is_locked_out(auth *a, const char *client, double now);
void auth_note_failure(auth *a, const char *client, double now);

/* Does Host name this machine, and was the request not sent by a page of another host (Origin)?
 * Both headers may be NULL. */
bool auth_is_local(const char *host, const char *origin);

/* Does the header Sec-Fetch-Site (NULL: none) say that a person or a page of ours has sent the
 * request? Browsers set it, and no page can. A page of others may make a browser send a GET, though
 * it never sees the answer. */
bool auth_is_own(const char *site);

#endif
