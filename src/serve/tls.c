#include "serve/tls.h"

#include "core/error.h"
#include "serve/auth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a PEM file, which the caller frees. */
static besd_status read_pem(const char *path, const char *what, char **text, besd_error *error) {
    enum { LONGEST = 1 << 18 };
    FILE *file = fopen(path, "r");
    if (!file)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    *text = calloc(1, LONGEST + 1);
    size_t size = *text ? fread(*text, 1, LONGEST, file) : 0;
    bool failed = ferror(file);
    fclose(file);
    if (!*text)
        return besd_fail_memory(error, what);
    if (failed)
        return besd_fail(error, BESD_IO, "%s: it could not be read", path);
    if (!size || !strstr(*text, "-----BEGIN "))
        return besd_fail(error, BESD_INVALID, "%s: expected %s in PEM", path, what);
    return BESD_OK;
}

besd_status tls_read(tls_files *t, const char *certificate, const char *key, besd_error *error) {
    *t = (tls_files){0};
    if (!certificate && !key)
        return BESD_OK;
    if (!certificate || !key)
        return besd_fail(error, BESD_INVALID, "--tls-cert and --tls-key belong together");
    besd_status status = auth_check_mode(key, error);
    if (status == BESD_OK)
        status = read_pem(certificate, "a certificate", &t->certificate, error);
    if (status == BESD_OK)
        status = read_pem(key, "a private key", &t->key, error);
    if (status != BESD_OK)
        tls_free(t);
    return status;
}

void tls_free(tls_files *t) {
    if (t->key)
        explicit_bzero(t->key, strlen(t->key));
    free(t->certificate);
    free(t->key);
    *t = (tls_files){0};
}
