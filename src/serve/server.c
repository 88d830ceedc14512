#include "serve/server_state.h"

#include "core/clock.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Every so many milliseconds: are there events, has a connection waited too long? */
enum { WATCH_EVERY = 200 };

/* So many seconds at the end for clients to read what they were sent. */
enum { FAREWELL = 2 };

static void pause_for(long milliseconds) {
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

static void *watch(void *context) {
    server *s = context;
    while (!s->ending) {
        pause_for(WATCH_EVERY);
        streams_poll(&s->streams);
        connections_cut(&s->connections, s->read_limit);
    }
    return NULL;
}

static void note_connection(void *context, struct MHD_Connection *connection, void **place,
                            enum MHD_ConnectionNotificationCode what) {
    server *s = context;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        connections_remove(&s->connections, *place);
        *place = NULL;
        s->service.metrics.connections--;
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *place = info ? connections_add(&s->connections, info->connect_fd) : NULL;
    s->service.metrics.connections++;
}

/* Paths are looked at as they are sent (serve/route), and queries decoded where they are read. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

static besd_status start_loop(server *s, besd_error *error) {
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
                     (s->listening.six ? MHD_USE_IPv6 : 0);
    s->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, exchange_go_on, s, MHD_OPTION_LISTEN_SOCKET, s->listening.socket,
        MHD_OPTION_URI_LOG_CALLBACK, exchange_begin, s, MHD_OPTION_NOTIFY_COMPLETED, exchange_end,
        s, MHD_OPTION_NOTIFY_CONNECTION, note_connection, s, MHD_OPTION_UNESCAPE_CALLBACK,
        keep_escapes, NULL, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(s->read_limit + 5),
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)SERVER_MOST_CONNECTIONS, MHD_OPTION_END);
    if (!s->daemon)
        return besd_fail(error, BESD_IO, "the HTTP server could not be started");
    return BESD_OK;
}

static besd_status start_threads(server *s, besd_error *error) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t thinkers = processors < SERVER_LEAST_THINKERS  ? SERVER_LEAST_THINKERS
                      : processors > SERVER_MOST_THINKERS ? SERVER_MOST_THINKERS
                                                          : (size_t)processors;
    s->quick = pool_start(SERVER_QUICK, false);
    s->thinking = pool_start(thinkers, true);
    s->watcher_runs = s->quick && s->thinking && pthread_create(&s->watcher, NULL, watch, s) == 0;
    if (!s->watcher_runs)
        return besd_fail(error, BESD_IO, "the threads of the server could not be started");
    return BESD_OK;
}

/* What was begun of a server that cannot start. */
static void discard(server *s) {
    if (s->watcher_runs) {
        s->ending = true;
        pthread_join(s->watcher, NULL);
    }
    pool_stop(s->quick);
    pool_stop(s->thinking);
    if (s->listening.socket >= 0)
        close(s->listening.socket);
    studies_close(&s->service.studies);
    free(s);
}

besd_status server_start(server **started, const server_options *options, besd_error *error) {
    server *s = calloc(1, sizeof *s);
    *started = NULL;
    if (!s)
        return besd_fail_memory(error, "the server");
    s->listening.socket = -1;
    json_object_seed(0); /* before there are threads */
    s->quiet = options->quiet;
    s->read_limit = options->read_limit;
    s->drain_limit = options->drain_limit;
    s->service.make = options->make;
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->service.making, NULL);
    connections_begin(&s->connections);
    streams_begin(&s->streams, &s->service.metrics);
    besd_status status = BESD_OK;
    if (options->token_file)
        status = auth_read(&s->service.auth, options->token_file, error);
    if (status == BESD_OK)
        status = studies_open(&s->service.studies, options->paths, options->path_count, error);
    if (status == BESD_OK)
        status = listen_open(&s->listening, options->listen, options->token_file != NULL, error);
    s->service.loopback = s->listening.loopback;
    if (status == BESD_OK)
        status = start_threads(s, error);
    if (status == BESD_OK)
        status = start_loop(s, error);
    if (status == BESD_OK)
        *started = s;
    else
        discard(s);
    return status;
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

/* Until no worker has anything to answer, or the time is over. */
static bool drain(server *s, double end) {
    while (exchange_any_under_way(s)) {
        if (clock_seconds() > end)
            return false;
        pause_for(10);
    }
    return true;
}

/* Answers and ends of streams are on their way; who does not read them is not waited for. */
static void see_off(server *s) {
    double end = clock_seconds() + FAREWELL;
    while (s->exchanges > 0 && clock_seconds() < end)
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
    streams_end(&s->streams);
    drain(s, end); /* what comes on open connections meanwhile is still taken */
    exchange_shut(s);
    bool is_drained = drain(s, end);
    if (!is_drained)
        exchange_abandon_all(s);
    see_off(s);
    if (!is_drained)
        return false;
    MHD_stop_daemon(s->daemon);
    pool_stop(s->quick);
    pool_stop(s->thinking);
    studies_close(&s->service.studies);
    explicit_bzero(&s->service.auth, sizeof s->service.auth);
    free(s);
    return true;
}
