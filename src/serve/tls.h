/* The certificate of the server and its key, as libmicrohttpd takes them. */
#ifndef BESD_SERVE_TLS_H
#define BESD_SERVE_TLS_H

#include "besd/status.h"

typedef struct tls_files {
    char *certificate, *key; /* PEM; NULL: the server speaks plain HTTP */
} tls_files;

/* Both paths or neither. Only the owner of the key's file may be able to read it. */
besd_status tls_read(tls_files *t, const char *certificate, const char *key, besd_error *error);
void tls_free(tls_files *t);

#endif
