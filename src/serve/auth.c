#include "serve/auth.h"

#include "core/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static besd_status check_token(const char *path, const char *token, besd_error *error) {
    size_t length = strlen(token);
    if (length < AUTH_SHORTEST_TOKEN || length > AUTH_LONGEST_TOKEN)
        return besd_fail(error, BESD_INVALID,
                         "%s: expected a token of %d to %d characters in its first line, got %zu; "
                         "'openssl rand -hex 32' makes one",
                         path, AUTH_SHORTEST_TOKEN, AUTH_LONGEST_TOKEN, length);
    for (const char *sign = token; *sign; sign++)
        if (*sign <= ' ' || *sign > '~')
            return besd_fail(error, BESD_INVALID,
                             "%s: expected a token of visible ASCII characters without blanks",
                             path);
    return BESD_OK;
}

/* Secrets that others can read are none. */
besd_status auth_check_mode(const char *path, besd_error *error) {
    struct stat file;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || !(file.st_mode & 077))
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "%s: others may read or write it (mode %03o); 'chmod 600' it, and make a new "
                     "token if somebody has",
                     path, (unsigned)file.st_mode & 0777);
}

besd_status auth_read(auth *a, const char *path, besd_error *error) {
    char line[AUTH_LONGEST_TOKEN + 3] = "";
    besd_status private = auth_check_mode(path, error);
    FILE *file = private == BESD_OK ? fopen(path, "r") : NULL;
    if (private != BESD_OK)
        return private;
    if (!file)
        return besd_fail(error, BESD_IO, "%s: the token could not be read: %s", path,
                         strerror(errno));
    if (!fgets(line, sizeof line, file))
        line[0] = 0;
    bool failed = ferror(file);
    fclose(file);
    if (failed)
        return besd_fail(error, BESD_IO, "%s: the token could not be read", path);
    line[strcspn(line, "\r\n")] = 0;
    besd_status status = check_token(path, line, error);
    if (status == BESD_OK) {
        pthread_mutex_lock(&a->lock);
        snprintf(a->token, sizeof a->token, "%s", line);
        a->is_needed = true;
        pthread_mutex_unlock(&a->lock);
    }
    explicit_bzero(line, sizeof line);
    return status;
}

/* Looks at all bytes of the token, also after a difference. */
static bool same(const char *token, const char *given) {
    size_t length = strlen(token), given_length = strlen(given);
    volatile unsigned char difference = length != given_length;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)(token[i] ^ (i < given_length ? given[i] : 0));
    return !difference;
}

bool auth_allows(auth *a, const char *authorization) {
    static const char scheme[] = "Bearer ";
    if (!a->is_needed)
        return true;
    if (!authorization || strncasecmp(authorization, scheme, strlen(scheme)) != 0)
        return false;
    pthread_mutex_lock(&a->lock);
    bool allowed = same(a->token, authorization + strlen(scheme));
    pthread_mutex_unlock(&a->lock);
    return allowed;
}

static bool is_here(const char *host, size_t length) {
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !strncasecmp(host, names[i], length))
            return true;
    return length > 4 && !strncmp(host, "127.", 4) && strspn(host, "0123456789.") >= length;
}

/* The length of "localhost:8420" or "[::1]:8420" without the port. */
static size_t host_length(const char *host) {
    const char *end = host[0] == '[' ? strchr(host, ']') : NULL;
    return end ? (size_t)(end - host) + 1 : strcspn(host, ":/");
}

bool auth_is_local(const char *host, const char *origin) {
    if (host && !is_here(host, host_length(host)))
        return false;
    if (!origin)
        return true;
    const char *name = strstr(origin, "://");
    return name && host && !strcasecmp(name + 3, host);
}

bool auth_is_own(const char *site) {
    return !site || !strcasecmp(site, "same-origin") || !strcasecmp(site, "none");
}
