#include "serve/server.h"

#include "core/clock.h"
#include "core/error.h"
#include "serve/http.h"
#include "serve/tls.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    READERS = 4,
    WRITERS = 4, /* threads of their own, so that no reader delays a writer */
    MOST_WAITING = 256,
    LEAST_THINKERS = 2,
    MOST_THINKERS = 4,
    WATCH_EVERY = 200, /* milliseconds: are there events, has a client taken too long? */
    FAREWELL = 2       /* seconds at the end for clients to read their answers */
};

struct server {
    service service;
    http http;
    listening listening;
    struct MHD_Daemon *daemon;
    pthread_t watcher;
    bool watcher_runs;
    atomic_bool ending;
    double read_limit, drain_limit;
    unsigned per_address;
    const char *token_file; /* the caller keeps it */
    tls_files tls;
};

static void pause_for(long milliseconds) {
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

static bool is_crowded(const http *h) {
    const size_t many = MOST_WAITING / 2;
    return pool_waiting(h->reading) > many || pool_waiting(h->writing) > many ||
           pool_waiting(h->thinking) > many;
}

static void *watch(void *context) {
    server *s = context;
    while (!s->ending) {
        pause_for(WATCH_EVERY);
        s->service.crowded = is_crowded(&s->http);
        streams_poll(&s->http.streams);
        connections_cut(&s->http.connections, s->read_limit);
    }
    return NULL;
}

/* Paths stay as they were sent (serve/route reads them), and queries are decoded where they are
 * read. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/* Whatever speaks over loopback shares one address: programs of this machine, and proxies. */
static unsigned most_per_address(const server *s) {
    size_t most = s->http.connections.most;
    return s->per_address ? s->per_address : s->listening.loopback ? 0 : (unsigned)most / 2;
}

static besd_status start_loop(server *s, besd_error *error) {
    /* an empty list without TLS */
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, s->tls.certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, s->tls.key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
        {MHD_OPTION_END, 0, NULL}};
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
                     (s->listening.six ? MHD_USE_IPv6 : 0) | (s->tls.key ? MHD_USE_TLS : 0);
    s->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, exchange_go_on, &s->http, MHD_OPTION_LISTEN_SOCKET,
        s->listening.socket, MHD_OPTION_URI_LOG_CALLBACK, exchange_begin, &s->http,
        MHD_OPTION_NOTIFY_COMPLETED, exchange_end, &s->http, MHD_OPTION_NOTIFY_CONNECTION,
        exchange_note_connection, &s->http, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(s->read_limit + 5), MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)s->http.connections.most, MHD_OPTION_PER_IP_CONNECTION_LIMIT, most_per_address(s),
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, s->tls.key ? tls : tls + 3,
        MHD_OPTION_END);
    if (!s->daemon)
        return besd_fail(error, s->tls.key ? BESD_INVALID : BESD_IO,
                         s->tls.key ? "--tls-cert, --tls-key: they are damaged, or do not belong "
                                      "together"
                                    : "the HTTP server could not be started");
    return BESD_OK;
}

static besd_status start_threads(server *s, besd_error *error) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t thinkers = processors < LEAST_THINKERS  ? LEAST_THINKERS
                      : processors > MOST_THINKERS ? MOST_THINKERS
                                                   : (size_t)processors;
    s->http.writing = pool_start(WRITERS, false, MOST_WAITING);
    s->http.reading = pool_start(READERS, true, MOST_WAITING);
    s->http.thinking = pool_start(thinkers, true, MOST_WAITING);
    s->watcher_runs = s->http.writing && s->http.reading && s->http.thinking &&
                      pthread_create(&s->watcher, NULL, watch, s) == 0;
    if (!s->watcher_runs)
        return besd_fail(error, BESD_IO, "the threads of the server could not be started");
    return BESD_OK;
}

static void stop_workers(http *h) {
    pool_stop(h->reading);
    pool_stop(h->writing);
    pool_stop(h->thinking);
}

/* Frees a server that could not start. */
static void discard(server *s) {
    if (s->watcher_runs) {
        s->ending = true;
        pthread_join(s->watcher, NULL);
    }
    stop_workers(&s->http);
    if (s->listening.socket >= 0)
        close(s->listening.socket);
    studies_close(&s->service.studies);
    tls_free(&s->tls);
    auth_free(&s->service.auth);
    free(s);
}

besd_status server_start(server **started, const server_options *options, besd_error *error) {
    server *s = calloc(1, sizeof *s);
    *started = NULL;
    if (!s)
        return besd_fail_memory(error, "the server");
    s->listening.socket = -1;
    json_object_seed(0); /* before there are threads */
    s->http.quiet = options->quiet;
    s->http.log_json = options->log_json;
    s->token_file = options->token_file;
    s->read_limit = options->read_limit;
    s->drain_limit = options->drain_limit;
    s->service.make = options->make;
    s->service.open_metrics = options->open_metrics;
    s->per_address = (unsigned)options->per_address;
    http_begin(&s->http, &s->service, connections_afford());
    pthread_mutex_init(&s->service.making, NULL);
    pthread_mutex_init(&s->service.auth.lock, NULL);
    besd_status status = BESD_OK;
    /* now: no client waits yet, and a lack of memory can still be reported */
    if (!besd_arithmetic()[0])
        status = besd_fail(error, BESD_MEMORY,
                           "OpenBLAS could not be opened: it is not installed, "
                           "or there is no room for it (ulimit -v)");
    if (status == BESD_OK && options->token_file)
        status = auth_read(&s->service.auth, options->token_file, error);
    if (status == BESD_OK)
        status = studies_open(&s->service.studies, options->paths, options->path_count, error);
    if (status == BESD_OK)
        status = tls_read(&s->tls, options->tls_certificate, options->tls_key, error);
    if (status == BESD_OK)
        status = listen_open(&s->listening, options->listen,
                             (listen_guard){.has_token = options->token_file != NULL,
                                            .has_tls = s->tls.key != NULL,
                                            .behind_proxy = options->behind_proxy},
                             error);
    bool starts = status == BESD_OK && !options->only_check;
    if (starts)
        status = start_threads(s, error);
    if (starts && status == BESD_OK)
        status = start_loop(s, error);
    if (starts && status == BESD_OK)
        *started = s;
    else
        discard(s);
    return status;
}

besd_status server_reload(server *s, besd_error *error) {
    return s->token_file ? auth_read(&s->service.auth, s->token_file, error) : BESD_OK;
}

const char *server_url(const server *s) {
    return s->listening.url;
}

static void count_one(void *context, served *one) {
    (void)one;
    (*(size_t *)context)++;
}

size_t server_studies(server *s) {
    size_t count = 0;
    studies_visit(&s->service.studies, count_one, &count);
    return count;
}

/* Waits until no request is with a worker; false: the time is over. */
static bool drain(server *s, double end) {
    while (http_is_busy(&s->http)) {
        if (clock_seconds() > end)
            return false;
        pause_for(10);
    }
    return true;
}

/* Waits a little while answers and ends of streams are sent; a client that does not read is left.
 */
static void see_off(server *s) {
    double end = clock_seconds() + FAREWELL;
    while (s->http.exchanges > 0 && clock_seconds() < end)
        pause_for(10);
}

bool server_stop(server *s) {
    double end = clock_seconds() + s->drain_limit;
    s->service.draining = true;
    MHD_socket door = MHD_quiesce_daemon(s->daemon);
    if (door != MHD_INVALID_SOCKET)
        close(door);
    s->ending = true;
    pthread_join(s->watcher, NULL);
    streams_end(&s->http.streams);
    drain(s, end); /* requests on open connections are still accepted */
    http_shut(&s->http);
    bool is_drained = drain(s, end);
    if (!is_drained)
        http_abandon_all(&s->http);
    see_off(s);
    if (!is_drained)
        return false;
    MHD_stop_daemon(s->daemon);
    stop_workers(&s->http);
    studies_close(&s->service.studies);
    auth_free(&s->service.auth);
    tls_free(&s->tls);
    free(s);
    return true;
}
