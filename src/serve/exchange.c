/* The life of one request: its headers are judged, its body is collected, a worker answers. Between
 * the last two the connection is suspended, and the loop has time for others. */
#include "core/clock.h"
#include "core/print.h"
#include "serve/input.h"
#include "serve/server_state.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* A body that is too long is read up to here, so that its sender hears the answer. */
enum { MOST_IGNORED = 16 << 20, MOST_TOGETHER = 64 };

typedef enum phase { AT_HEADERS, AT_BODY, REFUSED, WITH_WORKER, ANSWERED } phase;

typedef struct exchange {
    job job;
    server *server;
    struct MHD_Connection *connection;
    guest *watched;
    char *uri, method[16], allowed[64], client[64];
    call call;
    reply reply;
    char *body;
    size_t size, capacity;
    phase phase;
    double began;
    int code; /* that was sent */
    bool is_abandoned;
    struct exchange *next; /* of those with a worker */
} exchange;

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
    server *s = context;
    exchange *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    x->server = s;
    x->connection = connection;
    x->began = clock_seconds();
    x->uri = strdup(uri);
    x->call.service = &s->service;
    x->call.last_event = -1;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    x->watched = info ? info->socket_context : NULL;
    find_client(x);
    if (!x->uri) {
        free(x);
        return NULL;
    }
    s->exchanges++;
    return x;
}

/* One line for every request, with nothing in it that steers a terminal. */
static void write_log(const exchange *x) {
    char *line = NULL, when[32];
    size_t size = 0;
    time_t now = time(NULL);
    struct tm parts;
    FILE *out = open_memstream(&line, &size);
    if (!out)
        return;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    /* without the query, in which somebody may have put what is nobody's business */
    print_clean(out, "%s %s %s %.300s %d %.1f ms\n", when, x->client, x->method, x->uri, x->code,
                (clock_seconds() - x->began) * 1e3);
    fclose(out);
    if (line)
        fwrite(line, 1, size, stderr);
    free(line);
}

void exchange_end(void *context, struct MHD_Connection *connection, void **state,
                  enum MHD_RequestTerminationCode how) {
    server *s = context;
    exchange *x = *state;
    (void)connection;
    (void)how;
    if (!x)
        return;
    *state = NULL;
    s->exchanges--;
    connections_wait(&s->connections, x->watched, true);
    if (x->call.query && x->code) {
        metrics_count(&s->service.metrics, x->call.route, x->code, clock_seconds() - x->began);
        if (!s->quiet)
            write_log(x);
    }
    if (x->is_abandoned)
        return; /* a worker still has it, and the program is about to end */
    reply_clear(&x->reply);
    json_decref(x->call.input);
    free(x->body);
    free(x->uri);
    free(x);
}

static enum MHD_Result answer(exchange *x) {
    x->phase = ANSWERED;
    enum MHD_Result result = respond(x->server, x->connection, &x->call, &x->reply, x->allowed);
    x->code = x->reply.code;
    return result;
}

/* Bodies that are not JSON could be sent by any page in a browser. */
static bool is_json(const char *type) {
    static const char json[] = "application/json";
    size_t length = sizeof json - 1;
    return type && !strncasecmp(type, json, length) &&
           (!type[length] || strchr("; \t", type[length]));
}

static bool is_too_long(const char *length) {
    return length && (strlen(length) > 18 || strtoll(length, NULL, 10) > CALL_LONGEST_BODY);
}

static bool may_pass(exchange *x) {
    const service *s = &x->server->service;
    const route *wanted = x->call.route;
    if (!s->auth.token[0] && !auth_is_local(header(x, "Host"), header(x, "Origin"))) {
        reply_refuse(&x->reply, 403, "forbidden",
                     "without a token only programs and pages of this machine may speak to the "
                     "server, by the name localhost; start it with --token-file for others");
        return false;
    }
    bool open = wanted->open || (!strcmp(wanted->pattern, "/metrics") && s->loopback);
    if (open || auth_allows(&s->auth, header(x, "Authorization")))
        return true;
    reply_refuse(&x->reply, 401, "unauthorized", "%s",
                 header(x, "Authorization")
                     ? "the token is not the right one"
                     : "a token is needed: send 'Authorization: Bearer TOKEN'");
    return false;
}

static bool read_headers(exchange *x, const char *method) {
    call *c = &x->call;
    char *question = strchr(x->uri, '?');
    const char *accept = header(x, "Accept"), *last = header(x, "Last-Event-ID");
    if (question)
        *question++ = 0;
    c->query = question ? question : "";
    c->client = x->client;
    c->known = header(x, "If-None-Match");
    c->wants_stream = accept && strstr(accept, "text/event-stream");
    c->last_event = last && *last && strspn(last, "0123456789") == strlen(last) && strlen(last) < 19
                        ? strtoll(last, NULL, 10)
                        : -1;
    snprintf(x->method, sizeof x->method, "%s", method);
    if (!route_find(c, &x->reply, method, x->uri, x->allowed, sizeof x->allowed) || !may_pass(x))
        return false;
    if (is_too_long(header(x, "Content-Length"))) {
        reply_refuse(&x->reply, 413, "too_large", "the body: expected at most %d bytes, got %.20s",
                     CALL_LONGEST_BODY, header(x, "Content-Length"));
        return false;
    }
    return true;
}

/* Keeps what has come; false: the sender shall not go on. */
static bool collect(exchange *x, const char *data, size_t size) {
    bool fits = x->size + size <= CALL_LONGEST_BODY;
    if (fits && x->size + size > x->capacity) {
        size_t capacity = 2 * x->capacity + size + 512;
        char *more = realloc(x->body, capacity);
        if (!more)
            return false;
        x->body = more;
        x->capacity = capacity;
    }
    if (fits)
        memcpy(x->body + x->size, data, size);
    x->size += size;
    return x->size <= MOST_IGNORED;
}

static bool ignore(exchange *x, size_t size) {
    x->size += size;
    return x->size <= MOST_IGNORED;
}

static bool read_body(exchange *x) {
    if (x->size > CALL_LONGEST_BODY) {
        reply_refuse(&x->reply, 413, "too_large", "the body: expected at most %d bytes, got more",
                     CALL_LONGEST_BODY);
        return false;
    }
    if (x->size && !is_json(header(x, "Content-Type"))) {
        reply_refuse(&x->reply, 415, "media_type",
                     "Content-Type: expected application/json, got %.60s",
                     header(x, "Content-Type") ? header(x, "Content-Type") : "none");
        return false;
    }
    return input_parse(&x->call, &x->reply, x->body ? x->body : "", x->size);
}

static bool thinks(const exchange *x) {
    return x->call.route->work == WORK_THINK || x->call.route->work == WORK_ASK;
}

static void leave_list(exchange *x) {
    exchange **place = &x->server->under_way;
    while (*place && *place != x)
        place = &(*place)->next;
    if (*place)
        *place = x->next;
}

/* In a worker: the exchange is the loop's again. */
static void hand_back(exchange *x, reply *r) {
    server *s = x->server;
    pthread_mutex_lock(&s->lock);
    bool is_wanted = !x->is_abandoned;
    if (is_wanted) {
        x->reply = *r;
        leave_list(x);
        MHD_resume_connection(x->connection);
    }
    pthread_mutex_unlock(&s->lock);
    if (!is_wanted)
        reply_clear(r);
}

static void run(job *self) {
    exchange *x = (exchange *)(void *)self;
    service *s = &x->server->service;
    reply r = {0};
    bool asks = x->call.route->work == WORK_ASK;
    service_answer(&x->call, &r);
    if (asks)
        s->metrics.asks--;
    hand_back(x, &r);
}

/* What has come for the same study while the disk was busy is written with one commit. */
static void run_together(job *self) {
    exchange *all[MOST_TOGETHER] = {(exchange *)(void *)self};
    call *calls[MOST_TOGETHER];
    reply replies[MOST_TOGETHER] = {0};
    size_t count = 1;
    job *more =
        self->turn ? pool_take_along(all[0]->server->quick, self->turn, MOST_TOGETHER - 1) : NULL;
    for (; more; more = more->next)
        all[count++] = (exchange *)(void *)more;
    for (size_t i = 0; i < count; i++)
        calls[i] = &all[i]->call;
    service_answer_together(calls, replies, count);
    for (size_t i = 0; i < count; i++)
        hand_back(all[i], &replies[i]);
}

/* Suspends the connection until a worker has an answer; false: nobody works any more. */
static bool suspend(exchange *x) {
    server *s = x->server;
    pthread_mutex_lock(&s->lock);
    bool is_open = !s->is_shut;
    if (is_open) {
        x->phase = WITH_WORKER;
        x->next = s->under_way;
        s->under_way = x;
        MHD_suspend_connection(x->connection);
    }
    pthread_mutex_unlock(&s->lock);
    return is_open;
}

static enum MHD_Result hand_over(exchange *x) {
    server *s = x->server;
    const route *wanted = x->call.route;
    if ((s->service.draining && thinks(x)) || !suspend(x)) {
        reply_refuse(&x->reply, 503, "ending", "the server is being stopped; ask again later");
        return answer(x);
    }
    x->job.run = wanted->work == WORK_WRITE ? run_together : run;
    if (wanted->work == WORK_WRITE || wanted->work == WORK_ASK) {
        served *one = studies_find(&s->service.studies, x->call.name);
        x->job.turn = !one ? NULL : wanted->work == WORK_ASK ? &one->asking : &one->writing;
    }
    if (wanted->work == WORK_ASK)
        s->service.metrics.asks++;
    pool_submit(thinks(x) ? s->thinking : s->quick, &x->job);
    return MHD_YES;
}

void exchange_shut(server *s) {
    pthread_mutex_lock(&s->lock);
    s->is_shut = true;
    pthread_mutex_unlock(&s->lock);
}

bool exchange_any_under_way(server *s) {
    pthread_mutex_lock(&s->lock);
    bool any = s->under_way != NULL;
    pthread_mutex_unlock(&s->lock);
    return any;
}

void exchange_abandon_all(server *s) {
    pthread_mutex_lock(&s->lock);
    for (exchange *x = s->under_way; x; x = x->next) {
        x->is_abandoned = true;
        reply_refuse(&x->reply, 503, "ending", "the server was stopped while it computed");
        MHD_resume_connection(x->connection);
    }
    s->under_way = NULL;
    pthread_mutex_unlock(&s->lock);
}

enum MHD_Result exchange_go_on(void *context, struct MHD_Connection *connection, const char *url,
                               const char *method, const char *version, const char *data,
                               size_t *size, void **state) {
    server *s = context;
    exchange *x = *state;
    (void)connection;
    (void)url;
    (void)version;
    if (!x)
        return MHD_NO;
    if (x->phase == AT_HEADERS) {
        x->phase = read_headers(x, method) ? AT_BODY : REFUSED;
        /* an answer before the body ends the connection, so all but one wait for it */
        return x->reply.code == 413 ? answer(x) : MHD_YES;
    }
    if (*size) {
        bool goes_on = x->phase == AT_BODY ? collect(x, data, *size) : ignore(x, *size);
        *size = 0;
        return goes_on ? MHD_YES : MHD_NO;
    }
    if (x->phase == WITH_WORKER || x->phase == REFUSED)
        return answer(x);
    connections_wait(&s->connections, x->watched, false);
    if (!read_body(x))
        return answer(x);
    if (x->call.route->work != WORK_AT_ONCE)
        return hand_over(x);
    service_answer(&x->call, &x->reply);
    return answer(x);
}
