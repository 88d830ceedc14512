#include "serve/stream.h"

#include "core/clock.h"
#include "serve/event_json.h"
#include "serve/handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A client that does not read is not written to any further. */
enum { MOST_UNREAD = 1 << 18, BLOCK = 16 << 10 };

static const double keep_alive_seconds = 15;

typedef struct stream {
    struct stream *next;
    streams *all;
    served *study;
    struct MHD_Connection *connection;
    int64_t after;
    file_stamp seen;
    bool has_more; /* than was written at once */
    double written;
    char *text; /* not read yet */
    size_t begin, end, capacity;
    bool is_suspended;
} stream;

void streams_begin(streams *s, metrics *m) {
    *s = (streams){.metrics = m};
    pthread_mutex_init(&s->lock, NULL);
}

/* In the loop: what there is, or the connection sleeps until there is something. */
static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t size) {
    stream *one = context;
    ssize_t count = 0;
    (void)position;
    pthread_mutex_lock(&one->all->lock);
    size_t there = one->end - one->begin;
    if (there) {
        count = (ssize_t)(there < size ? there : size);
        memcpy(buffer, one->text + one->begin, (size_t)count);
        one->begin += (size_t)count;
        if (one->begin == one->end)
            one->begin = one->end = 0;
    } else if (one->all->ending) {
        count = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        one->is_suspended = true;
        MHD_suspend_connection(one->connection);
    }
    pthread_mutex_unlock(&one->all->lock);
    return count;
}

static void close_stream(void *context) {
    stream *one = context;
    streams *s = one->all;
    pthread_mutex_lock(&s->lock);
    stream **place = &s->first;
    while (*place && *place != one)
        place = &(*place)->next;
    if (*place)
        *place = one->next;
    s->count--;
    pthread_mutex_unlock(&s->lock);
    s->metrics->streams--;
    free(one->text);
    free(one);
}

static bool write_text(stream *one, const char *text, size_t size) {
    if (one->end + size > one->capacity) {
        size_t capacity = 2 * one->capacity + size + 1024;
        char *more = realloc(one->text, capacity);
        if (!more)
            return false;
        one->text = more;
        one->capacity = capacity;
    }
    memcpy(one->text + one->end, text, size);
    one->end += size;
    return true;
}

static bool write_event(void *context, const besd_event *e) {
    stream *one = context;
    json_t *object = event_json(e);
    char *data = object ? json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL, head[128];
    int length =
        snprintf(head, sizeof head, "id: %lld\nevent: %.40s\ndata: ", (long long)e->id, e->what);
    bool written = data && write_text(one, head, (size_t)length) &&
                   write_text(one, data, strlen(data)) && write_text(one, "\n\n", 2);
    json_decref(object);
    free(data);
    if (written)
        one->after = e->id;
    one->has_more = one->end - one->begin > MOST_UNREAD;
    return written && !one->has_more;
}

static void wake(stream *one) {
    one->written = clock_seconds();
    if (one->is_suspended) {
        one->is_suspended = false;
        MHD_resume_connection(one->connection);
    }
}

/* With the lock of all streams, which readers in the loop wait for: it is held for some events. */
static void poll_one(stream *one) {
    besd_error ignored;
    besd_study *study;
    bool fresh;
    file_stamp now = summary_stamp(one->study);
    bool is_new = memcmp(&now, &one->seen, sizeof now) != 0;
    size_t before = one->end;
    if ((is_new || one->has_more) && one->end - one->begin <= MOST_UNREAD &&
        handle_borrow(one->study, HANDLE_READ, &study, &fresh, &ignored) == BESD_OK) {
        one->has_more = false;
        besd_status status = besd_study_events(study, one->after, write_event, one, &ignored);
        handle_return(one->study, HANDLE_READ, study, status);
        if (status == BESD_OK)
            one->seen = now;
    }
    static const char alive[] = ": keep-alive\n\n";
    if (one->end == before && clock_seconds() - one->written > keep_alive_seconds &&
        one->begin == one->end)
        write_text(one, alive, sizeof alive - 1);
    if (one->end != before)
        wake(one);
}

void streams_poll(streams *s) {
    pthread_mutex_lock(&s->lock);
    for (stream *one = s->first; one; one = one->next)
        poll_one(one);
    pthread_mutex_unlock(&s->lock);
}

void streams_end(streams *s) {
    pthread_mutex_lock(&s->lock);
    s->ending = true;
    for (stream *one = s->first; one; one = one->next)
        wake(one);
    pthread_mutex_unlock(&s->lock);
}

struct MHD_Response *stream_open(streams *s, struct MHD_Connection *connection, served *study,
                                 int64_t after) {
    static const char hello[] = ": besd\n\n"; /* so that the headers leave at once */
    stream *one = calloc(1, sizeof *one);
    if (!one || !write_text(one, hello, sizeof hello - 1)) {
        free(one);
        return NULL;
    }
    *one = (stream){.all = s,
                    .study = study,
                    .connection = connection,
                    .after = after,
                    .written = clock_seconds(),
                    .text = one->text,
                    .end = one->end,
                    .capacity = one->capacity};
    pthread_mutex_lock(&s->lock);
    bool is_full = s->count >= STREAMS_MOST || s->ending;
    if (!is_full) {
        one->next = s->first;
        s->first = one;
        s->count++;
    }
    pthread_mutex_unlock(&s->lock);
    if (is_full) {
        free(one->text);
        free(one);
        return NULL;
    }
    s->metrics->streams++;
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, one,
                                             close_stream);
}
