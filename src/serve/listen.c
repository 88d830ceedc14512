#include "serve/listen.h"

#include "core/error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 256 };

static bool split(const char *address, char *host, size_t host_size, char *port, size_t port_size) {
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

/* The address as it came to be, with the port that was found. */
static void describe(listening *l) {
    struct sockaddr_storage bound = {0};
    socklen_t size = sizeof bound;
    char host[64] = "", port[8] = "";
    getsockname(l->socket, (struct sockaddr *)&bound, &size);
    getnameinfo((struct sockaddr *)&bound, size, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(l->url, sizeof l->url, l->six ? "http://[%s]:%s/" : "http://%s:%s/", host, port);
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

besd_status listen_open(listening *l, const char *address, bool may_be_public, besd_error *error) {
    char host[200], port[8];
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    l->socket = -1;
    if (!split(address, host, sizeof host, port, sizeof port))
        return besd_fail(error, BESD_INVALID,
                         "--listen: expected an address and a port, like 127.0.0.1:8420 or "
                         "[::1]:8420, got '%.100s'",
                         address);
    int code = getaddrinfo(host, port, &wanted, &found);
    if (code)
        return besd_fail(error, BESD_INVALID, "--listen %s: %s", address, gai_strerror(code));
    besd_status status =
        !may_be_public && !is_loopback(found->ai_addr)
            ? besd_fail(error, BESD_INVALID,
                        "--listen %s: others can reach this address, so a token is needed; give "
                        "--token-file FILE, or listen on 127.0.0.1",
                        address)
            : bind_to(l, address, found, error);
    freeaddrinfo(found);
    if (status == BESD_OK)
        describe(l);
    return status;
}
