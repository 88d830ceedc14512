#include "serve/auth.h"

#include "core/error.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <gnutls/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A secret that other users of the machine can read is refused. */
besd_status auth_check_mode(const char *path, besd_error *error) {
    struct stat file;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || !(file.st_mode & 077))
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "%s: others may read or write it (mode %03o); 'chmod 600' it, and make a new "
                     "token if somebody has",
                     path, (unsigned)file.st_mode & 0777);
}

const char *auth_role_name(size_t role) {
    static const char *const names[] = {"read", "work", "manage"};
    return role >= ROLE_READ && role <= ROLE_MANAGE ? names[role - 1] : NULL;
}

static void digest_of(const char *token, unsigned char digest[AUTH_DIGEST_SIZE]) {
    gnutls_hash_fast(GNUTLS_DIG_SHA256, token, strlen(token), digest);
}

static bool read_digest(const char *text, unsigned char digest[AUTH_DIGEST_SIZE]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < AUTH_DIGEST_SIZE; i++) {
        const char *high = text[2 * i] ? strchr(digits, text[2 * i]) : NULL;
        const char *low = high && text[2 * i + 1] ? strchr(digits, text[2 * i + 1]) : NULL;
        if (!low)
            return false;
        digest[i] = (unsigned char)((high - digits) << 4 | (low - digits));
    }
    return !text[2 * AUTH_DIGEST_SIZE];
}

static bool is_name(const char *name) {
    size_t length = strlen(name);
    for (const char *sign = name; *sign; sign++)
        if (!isalnum((unsigned char)*sign) && !strchr("._-", *sign))
            return false;
    return length >= 1 && length < AUTH_NAME_SIZE;
}

/* Room for one more. */
static auth_token *add_token(auth *a) {
    auth_token *more = realloc(a->tokens, (a->count + 1) * sizeof *more);
    if (!more)
        return NULL;
    a->tokens = more;
    a->tokens[a->count] = (auth_token){.role = ROLE_MANAGE};
    return &a->tokens[a->count++];
}

static bool has_name(const auth *a, const char *name) {
    for (size_t i = 0; i < a->count; i++)
        if (!strcmp(a->tokens[i].name, name))
            return true;
    return false;
}

/* "robot-3 work 5e88...", a comment, or nothing. */
static besd_status read_line(auth *a, const char *path, int number, const char *line,
                             besd_error *error) {
    char name[128] = "", role[16] = "", digest[128] = "", more[2] = "";
    int parts = sscanf(line, "%127s %15s %127s %1s", name, role, digest, more);
    if (parts <= 0 || name[0] == '#')
        return BESD_OK;
    size_t rank = ROLE_READ;
    while (auth_role_name(rank) && strcmp(auth_role_name(rank), role) != 0)
        rank++;
    unsigned char bytes[AUTH_DIGEST_SIZE];
    if (parts != 3 || !is_name(name) || !auth_role_name(rank) || !read_digest(digest, bytes) ||
        has_name(a, name))
        return besd_fail(
            error, BESD_INVALID,
            "%s (line %d): expected a new name, read, work or manage, and a digest, as "
            "'besd token new' writes them",
            path, number);
    auth_token *t = add_token(a);
    if (!t)
        return besd_fail_memory(error, "the tokens");
    snprintf(t->name, sizeof t->name, "%s", name);
    t->role = (auth_role)rank;
    memcpy(t->digest, bytes, sizeof bytes);
    return BESD_OK;
}

static besd_status read_single(auth *a, const char *path, const char *line, besd_error *error) {
    besd_status status = check_token(path, line, error);
    auth_token *t = status == BESD_OK ? add_token(a) : NULL;
    if (t)
        digest_of(line, t->digest);
    return status == BESD_OK && !t ? besd_fail_memory(error, "the token") : status;
}

static besd_status read_tokens(auth *a, FILE *file, const char *path, besd_error *error) {
    char line[AUTH_LONGEST_TOKEN + 3] = "";
    bool is_list = false;
    besd_status status = BESD_OK;
    for (int number = 1; status == BESD_OK && (fgets(line, sizeof line, file) || number == 1);
         number++) {
        line[strcspn(line, "\r\n")] = 0;
        if (number == 1 && !(is_list = !strcmp(line, AUTH_LIST_BEGINNING))) {
            status = read_single(a, path, line, error);
            break;
        }
        status = read_line(a, path, number, line, error);
    }
    explicit_bzero(line, sizeof line);
    if (status == BESD_OK && ferror(file))
        status = besd_fail(error, BESD_IO, "%s: the tokens could not be read", path);
    if (status == BESD_OK && !a->count)
        status =
            besd_fail(error, BESD_INVALID, "%s: it has no token; 'besd token new' makes one", path);
    return status;
}

besd_status auth_read(auth *a, const char *path, besd_error *error) {
    auth new = {.count = 0};
    besd_status status = auth_check_mode(path, error);
    if (status != BESD_OK)
        return status;
    FILE *file = fopen(path, "r");
    if (!file)
        return besd_fail(error, BESD_IO, "%s: the token could not be read: %s", path,
                         strerror(errno));
    status = read_tokens(&new, file, path, error);
    fclose(file);
    if (status == BESD_OK) {
        pthread_mutex_lock(&a->lock);
        auth_token *old = a->tokens;
        a->tokens = new.tokens;
        a->count = new.count;
        a->is_needed = true;
        pthread_mutex_unlock(&a->lock);
        new.tokens = old;
    }
    free(new.tokens);
    return status;
}

void auth_free(auth *a) {
    free(a->tokens);
    a->tokens = NULL;
    a->count = 0;
}

static bool write_all(int file, const char *text) {
    size_t size = strlen(text);
    return write(file, text, size) == (ssize_t)size;
}

/* The file as it is, or begun; -1: it cannot be. */
static int open_list(const char *path, besd_error *error) {
    auth known = {.lock = PTHREAD_MUTEX_INITIALIZER};
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0)
        return write_all(file, AUTH_LIST_BEGINNING "\n") ? file : -1;
    besd_status status = errno == EEXIST
                             ? auth_read(&known, path, error)
                             : besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    bool is_list = status == BESD_OK && known.tokens[0].name[0];
    auth_free(&known);
    if (status == BESD_OK && !is_list)
        besd_error_set(error, BESD_INVALID, "%s: it has a single token; name another file", path);
    return is_list ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
}

besd_status auth_make(const char *path, const char *name, auth_role role,
                      char token[AUTH_LONGEST_TOKEN + 1], besd_error *error) {
    unsigned char bytes[24], digest[AUTH_DIGEST_SIZE];
    char hex[2 * AUTH_DIGEST_SIZE + 1], line[AUTH_NAME_SIZE + sizeof hex + 16];
    auth known = {.lock = PTHREAD_MUTEX_INITIALIZER};
    if (!is_name(name))
        return besd_fail(error, BESD_INVALID,
                         "--name: expected 1 to %d letters, digits or . _ -, got '%.60s'",
                         AUTH_NAME_SIZE - 1, name);
    bool taken = access(path, F_OK) == 0 && auth_read(&known, path, error) == BESD_OK &&
                 has_name(&known, name);
    auth_free(&known);
    if (taken)
        return besd_fail(error, BESD_INVALID,
                         "%s: '%s' has a token; remove its line first, and the old token ends",
                         path, name);
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return besd_fail(error, BESD_IO, "no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    digest_of(token, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    int file = open_list(path, error);
    if (file < 0)
        return error->status == BESD_OK ? besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno))
                                        : error->status;
    snprintf(line, sizeof line, "%s %s %s\n", name, auth_role_name(role), hex);
    bool written = write_all(file, line) && fsync(file) == 0;
    close(file);
    return written ? BESD_OK : besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
}

/* Looks at all bytes, also after a difference. */
static bool same(const unsigned char *a, const unsigned char *b) {
    volatile unsigned char difference = 0;
    for (size_t i = 0; i < AUTH_DIGEST_SIZE; i++)
        difference |= a[i] ^ b[i];
    return !difference;
}

auth_role auth_judge(auth *a, const char *authorization, char name[AUTH_NAME_SIZE]) {
    static const char scheme[] = "Bearer ";
    unsigned char digest[AUTH_DIGEST_SIZE];
    auth_role role = ROLE_NONE;
    name[0] = 0;
    if (!a->is_needed)
        return ROLE_MANAGE;
    if (!authorization || strncasecmp(authorization, scheme, strlen(scheme)) != 0)
        return ROLE_NONE;
    digest_of(authorization + strlen(scheme), digest);
    pthread_mutex_lock(&a->lock);
    for (size_t i = 0; i < a->count; i++)
        if (same(a->tokens[i].digest, digest)) {
            role = a->tokens[i].role;
            snprintf(name, AUTH_NAME_SIZE, "%s", a->tokens[i].name);
        }
    pthread_mutex_unlock(&a->lock);
    return role;
}

static const double locked_seconds = 60;

static bool is_counted(const char *client) {
    return strncmp(client, "127.", 4) != 0 && strcmp(client, "::1") != 0;
}

/* The stranger of this address, or the one that was heard of longest ago. Locked. */
static auth_stranger *find_stranger(auth *a, const char *client) {
    auth_stranger *oldest = &a->strangers[0];
    for (size_t i = 0; i < AUTH_STRANGERS; i++) {
        if (!strcmp(a->strangers[i].client, client))
            return &a->strangers[i];
        if (a->strangers[i].last < oldest->last)
            oldest = &a->strangers[i];
    }
    return oldest;
}

bool auth_is_locked_out(auth *a, const char *client, double now) {
    if (!is_counted(client))
        return false;
    pthread_mutex_lock(&a->lock);
    const auth_stranger *s = find_stranger(a, client);
    bool is = !strcmp(s->client, client) && s->failures >= AUTH_MOST_FAILURES &&
              now - s->last < locked_seconds;
    pthread_mutex_unlock(&a->lock);
    return is;
}

void auth_note_failure(auth *a, const char *client, double now) {
    if (!is_counted(client))
        return;
    pthread_mutex_lock(&a->lock);
    auth_stranger *s = find_stranger(a, client);
    if (strcmp(s->client, client) != 0 || now - s->last >= locked_seconds)
        *s = (auth_stranger){.failures = 0};
    snprintf(s->client, sizeof s->client, "%s", client);
    s->failures++;
    s->last = now;
    pthread_mutex_unlock(&a->lock);
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
