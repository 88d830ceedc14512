#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* POLLRDHUP */
#endif
#include "serve/http.h"

#include "core/clock.h"
#include "core/json.h"
#include "core/print.h"
#include "serve/framing.h"

#include "study/study.h"

#include <inttypes.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define KEY_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-"

/* How far a request has come. */
typedef enum phase { AT_HEADERS, AT_BODY, REFUSED, WITH_WORKER, ANSWERED } phase;

typedef struct exchange {
    job job;
    http *http;
    struct MHD_Connection *connection;
    guest *watched;
    char *uri, method[16], allowed[64], client[64];
    call call;
    reply reply;
    char *body;
    size_t size, capacity;
    phase phase;
    double began;
    char id[20];           /* X-Request-Id */
    size_t sent;           /* of the reply's text, when it is a piece of a list */
    int code;              /* of the answer; 0: not answered yet */
    bool closes;           /* the connection, after the answer */
    bool is_abandoned;     /* the server has answered, though a worker still computes */
    struct exchange *next; /* in the list of those with a worker */
} exchange;

void http_begin(http *h, service *s, size_t most_connections) {
    h->service = s;
    pthread_mutex_init(&h->lock, NULL);
    if (getrandom(&h->run, sizeof h->run, 0) < 0)
        h->run = (uint32_t)getpid();
    connections_begin(&h->connections, most_connections);
    streams_begin(&h->streams, &s->metrics);
}

void exchange_note_connection(void *context, struct MHD_Connection *connection, void **place,
                              enum MHD_ConnectionNotificationCode what) {
    http *h = context;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        connections_remove(&h->connections, *place);
        *place = NULL;
        h->service->metrics.connections--;
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *place = info ? connections_add(&h->connections, info->connect_fd) : NULL;
    h->service->metrics.connections++;
}

static const char *header(const exchange *x, const char *name) {
    return MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, name);
}

static void find_client(exchange *x) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    snprintf(x->client, sizeof x->client, "?");
    if (info && info->client_addr)
        getnameinfo(info->client_addr, sizeof(struct sockaddr_storage), x->client, sizeof x->client,
                    NULL, 0, NI_NUMERICHOST);
}

void *exchange_begin(void *context, const char *uri, struct MHD_Connection *connection) {
    http *h = context;
    exchange *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    x->http = h;
    x->connection = connection;
    x->began = clock_seconds();
    snprintf(x->id, sizeof x->id, "%08" PRIx32 "-%x", h->run, ++h->begun);
    x->uri = strdup(uri);
    x->call.service = h->service;
    x->call.last_event = -1;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    x->watched = info ? info->socket_context : NULL;
    find_client(x);
    if (!x->uri) {
        free(x);
        return NULL;
    }
    h->exchanges++;
    return x;
}

static void write_json_log(const exchange *x, const char *when) {
    size_t size = 0;
    json_t *line =
        json_pack("{s:s, s:s, s:s, s:s%, s:i, s:f, s:s}", "at", when, "client", x->client, "method",
                  x->method, "path", x->uri, strnlen(x->uri, 300), "code", x->code, "ms",
                  round((clock_seconds() - x->began) * 1e4) / 10, "request", x->id);
    char *text = line ? json_text(line, JSON_COMPACT | JSON_ENSURE_ASCII, &size) : NULL;
    if (text) {
        text[size] = '\n'; /* in the place of the zero */
        fwrite(text, 1, size + 1, stderr);
    }
    free(text);
    json_decref(line);
}

/* One line for every request, with nothing in it that steers a terminal. */
static void write_log(const exchange *x) {
    char *line = NULL, when[32];
    size_t size = 0;
    time_t now = time(NULL);
    struct tm parts;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    if (x->http->log_json) {
        write_json_log(x, when);
        return;
    }
    FILE *out = open_memstream(&line, &size);
    if (!out)
        return;
    /* without the query, because it may contain something private */
    print_clean(out, "%s %s %s %.300s %d %.1f ms %s\n", when, x->client, x->method, x->uri, x->code,
                (clock_seconds() - x->began) * 1e3, x->id);
    fclose(out);
    if (line)
        fwrite(line, 1, size, stderr);
    free(line);
}

void exchange_end(void *context, struct MHD_Connection *connection, void **state,
                  enum MHD_RequestTerminationCode how) {
    http *h = context;
    exchange *x = *state;
    (void)connection;
    (void)how;
    if (!x)
        return;
    *state = NULL;
    h->exchanges--;
    connections_wait(&h->connections, x->watched, true);
    if (x->call.query && x->code) {
        metrics_count(&h->service->metrics, x->call.route, x->code, clock_seconds() - x->began);
        if (!h->quiet)
            write_log(x);
    }
    if (x->is_abandoned)
        return; /* a worker still uses the exchange, and the program is about to end */
    reply_clear(&x->reply);
    json_decref(x->call.input);
    free(x->body);
    free(x->uri);
    free(x);
}

/* A browser runs nothing that comes from a study, and no other site may frame our page. */
static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* FNV-1a is enough to tell files apart. */
static void make_etag(const asset *file, char *text, size_t size) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < file->size; i++)
        hash = (hash ^ file->bytes[i]) * 1099511628211u;
    snprintf(text, size, "\"%016" PRIx64 "\"", hash);
}

static struct MHD_Response *make_file(const call *c, reply *r) {
    char etag[32];
    make_etag(r->file, etag, sizeof etag);
    bool known = c->known && strstr(c->known, etag);
    if (known)
        r->code = MHD_HTTP_NOT_MODIFIED;
    struct MHD_Response *made = MHD_create_response_from_buffer(
        known ? 0 : r->file->size, (void *)r->file->bytes, MHD_RESPMEM_PERSISTENT);
    if (made) {
        MHD_add_response_header(made, MHD_HTTP_HEADER_ETAG, etag);
        MHD_add_response_header(made, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
    }
    return made;
}

static struct MHD_Response *make_text(reply *r) {
    struct MHD_Response *made =
        MHD_create_response_from_buffer(r->size, r->text ? r->text : (void *)"",
                                        r->text ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (made) {
        r->text = NULL; /* the response owns it now */
        MHD_add_response_header(made, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    }
    return made;
}

static void add_headers(const http *h, struct MHD_Response *made, const reply *r,
                        const char *allowed, bool closes) {
    const char *type = r->file ? r->file->type : r->type;
    if (type && r->code != MHD_HTTP_NOT_MODIFIED)
        MHD_add_response_header(made, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(made, "Content-Security-Policy", policy);
    MHD_add_response_header(made, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(made, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(made, "X-Frame-Options", "DENY");
    MHD_add_response_header(made, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(made, "Cross-Origin-Opener-Policy", "same-origin");
    if (r->code == MHD_HTTP_UNAUTHORIZED)
        MHD_add_response_header(made, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer realm=\"besd\"");
    if (r->code == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(made, MHD_HTTP_HEADER_ALLOW, allowed);
    if (r->code == MHD_HTTP_SERVICE_UNAVAILABLE)
        MHD_add_response_header(made, "Retry-After", "1");
    if (h->service->draining || closes)
        MHD_add_response_header(made, MHD_HTTP_HEADER_CONNECTION, "close");
}

static ssize_t read_pieces(void *context, uint64_t position, char *buffer, size_t size);

/* A list that goes on: each piece is made when the client has read the one before. */
static struct MHD_Response *make_list(exchange *x) {
    enum { BLOCK = 64 << 10 };
    x->sent = 0;
    struct MHD_Response *made =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_pieces, x, NULL);
    if (made)
        MHD_add_response_header(made, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    return made;
}

static enum MHD_Result answer(exchange *x) {
    http *h = x->http;
    reply *r = &x->reply;
    struct MHD_Response *made = NULL;
    x->phase = ANSWERED;
    if (r->stream)
        made = stream_open(&h->streams, x->connection, x->call.served, r->after);
    else if (r->file)
        made = make_file(&x->call, r);
    else if (r->rest.more)
        made = make_list(x);
    if (r->stream && !made)
        reply_refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE, "busy",
                     "too many clients follow studies already; ask without a stream");
    if (!made)
        made = make_text(r);
    x->code = r->code;
    if (!made)
        return MHD_NO;
    add_headers(h, made, r, x->allowed, x->closes || r->code == 413);
    MHD_add_response_header(made, "X-Request-Id", x->id);
    enum MHD_Result result = MHD_queue_response(x->connection, (unsigned)r->code, made);
    MHD_destroy_response(made);
    return result;
}

/* Any page in a browser could send a body that is not JSON. */
static bool is_json(const char *type) {
    static const char json[] = "application/json";
    size_t length = sizeof json - 1;
    return type && !strncasecmp(type, json, length) &&
           (!type[length] || strchr("; \t", type[length]));
}

static bool is_too_long(const char *length) {
    return length && (strlen(length) > 18 || strtoll(length, NULL, 10) > HTTP_LONGEST_BODY);
}

/* 401, 403 and 429. */
static bool has_right(exchange *x) {
    call *c = &x->call;
    auth *a = &x->http->service->auth;
    double now = clock_seconds();
    const char *given = header(x, "Authorization");
    if (auth_is_locked_out(a, x->client, now)) {
        reply_refuse(&x->reply, 429, "locked",
                     "too many wrong tokens came from this address; wait a minute");
        return false;
    }
    c->role = auth_judge(a, given, c->token);
    if (c->role >= c->route->right)
        return true;
    if (c->role != ROLE_NONE) {
        reply_refuse(&x->reply, 403, "forbidden",
                     "the token '%s' may %s; this takes one that may %s", c->token,
                     auth_role_name(c->role), auth_role_name(c->route->right));
        return false;
    }
    if (given)
        auth_note_failure(a, x->client, now);
    reply_refuse(&x->reply, 401, "unauthorized", "%s",
                 given ? "the token is not the right one"
                       : "a token is needed: send 'Authorization: Bearer TOKEN'");
    return false;
}

/* 403 and 401. */
static bool may_pass(exchange *x) {
    service *s = x->http->service;
    const route *wanted = x->call.route;
    if (!s->auth.is_needed && !auth_is_local(header(x, "Host"), header(x, "Origin"))) {
        reply_refuse(&x->reply, 403, "forbidden",
                     "without a token only programs and pages of this machine may speak to the "
                     "server, by the name localhost; start it with --token-file for others");
        return false;
    }
    if (!s->auth.is_needed && wanted->right != ROLE_NONE &&
        !auth_is_own(header(x, "Sec-Fetch-Site"))) {
        reply_refuse(&x->reply, 403, "forbidden",
                     "a page of another site may not speak to the server without a token");
        return false;
    }
    bool is_open =
        wanted->right == ROLE_NONE || (!strcmp(wanted->pattern, "/metrics") && s->open_metrics);
    return is_open || has_right(x);
}

static bool is_key(const char *key) {
    size_t length = strlen(key);
    return length >= 1 && length < STUDY_KEY_SIZE && strspn(key, KEY_LETTERS) == length;
}

/* False: refused. */
static bool read_headers(exchange *x, const char *method, const char *version) {
    call *c = &x->call;
    char *question = strchr(x->uri, '?');
    const char *accept = header(x, "Accept"), *last = header(x, "Last-Event-ID");
    if (question)
        *question++ = 0;
    c->query = question ? question : "";
    c->client = x->client;
    c->known = header(x, "If-None-Match");
    c->key = header(x, "Idempotency-Key");
    c->wants_stream = accept && strstr(accept, "text/event-stream");
    c->last_event = last && *last && strspn(last, "0123456789") == strlen(last) && strlen(last) < 19
                        ? strtoll(last, NULL, 10)
                        : -1;
    snprintf(x->method, sizeof x->method, "%s", method);
    x->closes = !framing_check(x->connection, method, version, &x->reply);
    if (x->closes)
        return false;
    if (!route_find(c, &x->reply, method, x->uri, x->allowed, sizeof x->allowed) || !may_pass(x))
        return false;
    connections_know(&x->http->connections, x->watched);
    if (c->key && !is_key(c->key)) {
        reply_refuse(&x->reply, 400, "invalid",
                     "Idempotency-Key: expected 1 to %d letters, digits or . _ : -",
                     STUDY_KEY_SIZE - 1);
        return false;
    }
    if (is_too_long(header(x, "Content-Length"))) {
        reply_refuse(&x->reply, 413, "too_large", "the body: expected at most %d bytes, got %.20s",
                     HTTP_LONGEST_BODY, header(x, "Content-Length"));
        return false;
    }
    return true;
}

/* Keeps a piece of the body, whose length was judged with the headers; false: out of memory. */
static bool collect(exchange *x, const char *data, size_t size) {
    if (x->size + size > x->capacity) {
        size_t capacity = 2 * x->capacity + size + 512;
        char *more = realloc(x->body, capacity);
        if (!more)
            return false;
        x->body = more;
        x->capacity = capacity;
    }
    memcpy(x->body + x->size, data, size);
    x->size += size;
    return true;
}

/* Drops a piece of the body of a request that is refused already; false: cut the connection. */
static bool ignore(exchange *x, size_t size) {
    x->size += size;
    return x->size <= HTTP_LONGEST_IGNORED;
}

/* What tells one act from another: its path and its body. */
static void make_digest(exchange *x) {
    const char *parts[] = {x->uri, x->body ? x->body : ""};
    size_t sizes[] = {strlen(x->uri) + 1, x->size};
    uint64_t hash = 14695981039346656037u;
    for (size_t part = 0; part < 2; part++)
        for (size_t i = 0; i < sizes[part]; i++)
            hash = (hash ^ (unsigned char)parts[part][i]) * 1099511628211u;
    snprintf(x->call.digest, sizeof x->call.digest, "%016" PRIx64 "%zx", hash, x->size);
}

/* False: refused. */
static bool read_body(exchange *x) {
    if (x->size && !is_json(header(x, "Content-Type"))) {
        reply_refuse(&x->reply, 415, "media_type",
                     "Content-Type: expected application/json, got %.60s",
                     header(x, "Content-Type") ? header(x, "Content-Type") : "none");
        return false;
    }
    if (x->call.key)
        make_digest(x);
    return input_parse(&x->call, &x->reply, x->body ? x->body : "", x->size);
}

static bool thinks(const exchange *x) {
    return x->call.route->work == WORK_THINK || x->call.route->work == WORK_ASK;
}

static void leave_list(exchange *x) {
    exchange **place = &x->http->under_way;
    while (*place && *place != x)
        place = &(*place)->next;
    if (*place)
        *place = x->next;
}

/* In a worker: gives the exchange back to the loop. */
static void hand_back(exchange *x, reply *r) {
    http *h = x->http;
    pthread_mutex_lock(&h->lock);
    bool is_wanted = !x->is_abandoned;
    if (is_wanted) {
        reply_clear(&x->reply); /* the piece before */
        x->reply = *r;
        x->sent = 0;
        leave_list(x);
        MHD_resume_connection(x->connection);
    }
    pthread_mutex_unlock(&h->lock);
    if (!is_wanted)
        reply_clear(r);
}

/* Has the client left before a worker came to its request? What is told is kept all the same. */
static bool has_left(const exchange *x) {
    enum { LEFT = POLLRDHUP | POLLHUP | POLLERR };
    struct pollfd line = {.fd = x->watched ? x->watched->socket : -1, .events = POLLRDHUP};
    route_work work = x->call.route->work;
    return (work == WORK_READ || work == WORK_THINK || work == WORK_ASK) &&
           poll(&line, 1, 0) == 1 && line.revents & LEFT;
}

/* The client has gone and will not read this; the log has nginx's code for it. */
static void refuse_absent(reply *r) {
    reply_refuse(r, 499, "left", "the client has left");
}

static void run(job *self) {
    exchange *x = (exchange *)(void *)self;
    service *s = x->http->service;
    reply r = {0};
    bool asks = x->call.route->work == WORK_ASK;
    if (has_left(x))
        refuse_absent(&r);
    else
        service_answer(&x->call, &r);
    if (asks)
        s->metrics.asks--;
    hand_back(x, &r);
}

static void run_piece(job *self) {
    exchange *x = (exchange *)(void *)self;
    reply r = {.rest = x->reply.rest};
    if (has_left(x))
        refuse_absent(&r);
    else
        service_go_on(&x->call, &r);
    hand_back(x, &r);
}

/* Writes that arrived for the same study while the disk was busy share one commit. */
static void run_together(job *self) {
    exchange *all[HTTP_MOST_TOGETHER] = {(exchange *)(void *)self};
    call *calls[HTTP_MOST_TOGETHER];
    reply replies[HTTP_MOST_TOGETHER] = {0};
    size_t count = 1;
    job *more = self->turn
                    ? pool_take_along(all[0]->http->writing, self->turn, HTTP_MOST_TOGETHER - 1)
                    : NULL;
    for (; more; more = more->next)
        all[count++] = (exchange *)(void *)more;
    for (size_t i = 0; i < count; i++)
        calls[i] = &all[i]->call;
    service_answer_together(calls, replies, count);
    for (size_t i = 0; i < count; i++)
        hand_back(all[i], &replies[i]);
}

/* Suspends the connection until a worker has an answer; false: the workers have ended. */
static bool suspend(exchange *x) {
    http *h = x->http;
    pthread_mutex_lock(&h->lock);
    bool is_open = !h->is_shut;
    if (is_open) {
        x->phase = WITH_WORKER;
        x->next = h->under_way;
        h->under_way = x;
        MHD_suspend_connection(x->connection);
    }
    pthread_mutex_unlock(&h->lock);
    return is_open;
}

/* In the loop: hands out the piece of a list that is there, and has the next one made. */
static ssize_t read_pieces(void *context, uint64_t position, char *buffer, size_t size) {
    exchange *x = context;
    const reply *r = &x->reply;
    (void)position;
    if (r->code != 200) /* the headers are gone: all that is left is to break off */
        return MHD_CONTENT_READER_END_WITH_ERROR;
    size_t there = r->size - x->sent, count = there < size ? there : size;
    if (there) {
        memcpy(buffer, r->text + x->sent, count);
        x->sent += count;
        return (ssize_t)count;
    }
    if (!r->rest.more)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (!suspend(x))
        return MHD_CONTENT_READER_END_WITH_ERROR;
    x->job.run = run_piece;
    pool_submit(x->http->reading, &x->job, true);
    return 0;
}

static pool *pool_of(const exchange *x) {
    http *h = x->http;
    return thinks(x) ? h->thinking : x->call.route->work == WORK_WRITE ? h->writing : h->reading;
}

/* The connection is suspended before its job can be run, so a refused job is resumed by hand. */
static void submit(exchange *x) {
    http *h = x->http;
    reply crowded = {0};
    bool asks = x->call.route->work == WORK_ASK;
    h->service->metrics.asks += asks;
    if (pool_submit(pool_of(x), &x->job, false))
        return;
    h->service->metrics.asks -= asks;
    reply_refuse(&crowded, 503, "busy", "too many requests wait already; ask again in a second");
    hand_back(x, &crowded);
}

static enum MHD_Result hand_over(exchange *x) {
    http *h = x->http;
    const route *wanted = x->call.route;
    if ((h->service->draining && thinks(x)) || !suspend(x)) {
        reply_refuse(&x->reply, 503, "ending", "the server is being stopped; ask again later");
        return answer(x);
    }
    x->job.run = wanted->work == WORK_WRITE ? run_together : run;
    if (wanted->work == WORK_WRITE || wanted->work == WORK_ASK) {
        served *one = studies_find(&h->service->studies, x->call.name);
        x->job.turn = !one ? NULL : wanted->work == WORK_ASK ? &one->asking : &one->writing;
    }
    submit(x);
    return MHD_YES;
}

void http_shut(http *h) {
    pthread_mutex_lock(&h->lock);
    h->is_shut = true;
    pthread_mutex_unlock(&h->lock);
}

bool http_is_busy(http *h) {
    pthread_mutex_lock(&h->lock);
    bool any = h->under_way != NULL;
    pthread_mutex_unlock(&h->lock);
    return any;
}

void http_abandon_all(http *h) {
    pthread_mutex_lock(&h->lock);
    for (exchange *x = h->under_way; x; x = x->next) {
        x->is_abandoned = true;
        reply_refuse(&x->reply, 503, "ending", "the server was stopped while it computed");
        MHD_resume_connection(x->connection);
    }
    h->under_way = NULL;
    pthread_mutex_unlock(&h->lock);
}

enum MHD_Result exchange_go_on(void *context, struct MHD_Connection *connection, const char *url,
                               const char *method, const char *version, const char *data,
                               size_t *size, void **state) {
    http *h = context;
    exchange *x = *state;
    (void)connection;
    (void)url;
    if (!x)
        return MHD_NO;
    if (x->phase == AT_HEADERS) {
        x->phase = read_headers(x, method, version) ? AT_BODY : REFUSED;
        /* An answer before the body ends the connection, so other refusals wait for the body. */
        return x->reply.code == 413 || x->closes ? answer(x) : MHD_YES;
    }
    if (*size) {
        bool goes_on = x->phase == AT_BODY ? collect(x, data, *size) : ignore(x, *size);
        *size = 0;
        return goes_on ? MHD_YES : MHD_NO;
    }
    if (x->phase == WITH_WORKER || x->phase == REFUSED)
        return answer(x);
    connections_wait(&h->connections, x->watched, false);
    if (!read_body(x))
        return answer(x);
    if (x->call.route->work != WORK_AT_ONCE)
        return hand_over(x);
    service_answer(&x->call, &x->reply);
    return answer(x);
}
