#include "serve/connections.h"

#include "core/clock.h"
#include "core/error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 256 };

static bool split_address(const char *address, char *host, size_t host_size, char *port,
                          size_t port_size) {
    const char *colon = strrchr(address, ':');
    if (!colon || colon == address || !colon[1] || strlen(colon + 1) >= port_size ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return false;
    const char *begin = address;
    size_t length = (size_t)(colon - address);
    if (address[0] == '[' && colon[-1] == ']') {
        begin++;
        length -= 2;
    } else if (memchr(address, ':', length)) {
        return false; /* an IPv6 address without brackets */
    }
    if (!length || length >= host_size)
        return false;
    snprintf(host, host_size, "%.*s", (int)length, begin);
    snprintf(port, port_size, "%s", colon + 1);
    return true;
}

static bool is_loopback(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)address;
        return ntohl(four->sin_addr.s_addr) >> 24 == 127;
    }
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;
    return address->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

/* The address that was bound, with the port that the system has chosen. */
static void write_url(listening *l, bool has_tls) {
    struct sockaddr_storage bound = {0};
    socklen_t size = sizeof bound;
    char host[64] = "", port[8] = "";
    getsockname(l->socket, (struct sockaddr *)&bound, &size);
    getnameinfo((struct sockaddr *)&bound, size, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(l->url, sizeof l->url, l->six ? "http%s://[%s]:%s/" : "http%s://%s:%s/",
             has_tls ? "s" : "", host, port);
}

static besd_status bind_to(listening *l, const char *address, const struct addrinfo *found,
                           besd_error *error) {
    int yes = 1;
    l->six = found->ai_family == AF_INET6;
    l->loopback = is_loopback(found->ai_addr);
    l->socket = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (l->socket >= 0)
        setsockopt(l->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (l->socket >= 0 && bind(l->socket, found->ai_addr, found->ai_addrlen) == 0 &&
        listen(l->socket, BACKLOG) == 0)
        return BESD_OK;
    int cause = errno;
    if (l->socket >= 0)
        close(l->socket);
    l->socket = -1;
    if (cause == EADDRINUSE)
        return besd_fail(error, BESD_IO,
                         "--listen %s: another program listens there already; choose another port, "
                         "0 is any that is free",
                         address);
    return besd_fail(error, BESD_IO, "--listen %s: %s", address, strerror(cause));
}

static besd_status check_guard(const char *address, listen_guard guard, besd_error *error) {
    if (!guard.has_token)
        return besd_fail(error, BESD_INVALID,
                         "--listen %s: others can reach this address, so a token is needed; give "
                         "--token-file FILE, or listen on 127.0.0.1",
                         address);
    if (!guard.has_tls && !guard.behind_proxy)
        return besd_fail(error, BESD_INVALID,
                         "--listen %s: others can reach this address, and could read the token on "
                         "its way; give --tls-cert FILE and --tls-key FILE, or say --behind-proxy "
                         "when a proxy in front has TLS",
                         address);
    return BESD_OK;
}

besd_status listen_open(listening *l, const char *address, listen_guard guard, besd_error *error) {
    char host[200], port[8];
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    l->socket = -1;
    if (!split_address(address, host, sizeof host, port, sizeof port))
        return besd_fail(error, BESD_INVALID,
                         "--listen: expected an address and a port, like 127.0.0.1:8420 or "
                         "[::1]:8420, got '%.100s'",
                         address);
    int code = getaddrinfo(host, port, &wanted, &found);
    if (code)
        return besd_fail(error, BESD_INVALID, "--listen %s: %s", address, gai_strerror(code));
    besd_status status = is_loopback(found->ai_addr) ? BESD_OK : check_guard(address, guard, error);
    if (status == BESD_OK)
        status = bind_to(l, address, found, error);
    freeaddrinfo(found);
    if (status == BESD_OK)
        write_url(l, guard.has_tls);
    return status;
}

size_t connections_afford(void) {
    enum { MOST_FILES = 8192, KEPT_BACK = 64, MOST = 1000, FEWEST = 16 };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return MOST;
    if (files.rlim_cur < MOST_FILES) {
        files.rlim_cur = files.rlim_max < MOST_FILES ? files.rlim_max : MOST_FILES;
        if (setrlimit(RLIMIT_NOFILE, &files) != 0)
            getrlimit(RLIMIT_NOFILE, &files);
    }
    /* a study that is read, written and asked at once has a dozen files open */
    rlim_t left = files.rlim_cur > KEPT_BACK ? (files.rlim_cur - KEPT_BACK) / 2 : 0;
    return left > MOST ? MOST : left < FEWEST ? FEWEST : (size_t)left;
}

void connections_begin(connections *c, size_t most) {
    *c = (connections){.most = most};
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
    c->count++;
    pthread_mutex_unlock(&c->lock);
    return one;
}

void connections_remove(connections *c, guest *one) {
    if (!one)
        return;
    pthread_mutex_lock(&c->lock);
    c->count--;
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

void connections_know(connections *c, guest *one) {
    if (!one)
        return;
    pthread_mutex_lock(&c->lock);
    one->is_known = true;
    pthread_mutex_unlock(&c->lock);
}

void connections_cut(connections *c, double seconds) {
    static const double greeting = 5, greeting_in_a_crowd = 0.5;
    double now = clock_seconds();
    pthread_mutex_lock(&c->lock); /* so that no socket is closed meanwhile and its number reused */
    double patience = fmin(seconds, c->count > c->most / 4 * 3 ? greeting_in_a_crowd : greeting);
    for (guest *one = c->first; one; one = one->next)
        if (one->since > 0 && now - one->since > (one->is_known ? seconds : patience))
            shutdown(one->socket, SHUT_RDWR);
    pthread_mutex_unlock(&c->lock);
}
