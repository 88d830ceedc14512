#include "serve/stream.h"

#include "core/clock.h"
#include "core/json.h"
#include "core/print.h"
#include "json/answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A client with so much unread text gets nothing more until it reads. */
enum { MOST_UNREAD = 1 << 18, BLOCK = 16 << 10 };

static const double keep_alive_seconds = 15;

typedef struct stream {
    struct stream *next;
    streams *all;
    served *study;
    struct MHD_Connection *connection;
    int64_t after;
    file_stamp seen;
    bool is_sure;   /* what was read is not older than the stamp */
    bool has_more;  /* there are more events than were written at once */
    unsigned round; /* of the watcher, in which it looked at this stream */
    double written; /* when */
    char *text;     /* not read yet, from begin to end */
    size_t begin, end, capacity;
    bool is_suspended;
    bool is_over; /* ends when its text is read */
} stream;

void streams_begin(streams *s, metrics *m) {
    *s = (streams){.metrics = m};
    pthread_mutex_init(&s->lock, NULL);
}

/* In the loop: hands out the unread text. Without any, the connection sleeps until there is some.
 */
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
    } else if (one->all->ending || one->is_over) {
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
    if (one->begin) { /* the text that was read makes room */
        memmove(one->text, one->text + one->begin, one->end - one->begin);
        one->end -= one->begin;
        one->begin = 0;
    }
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

/* The events of one study after a certain one, as text. */
typedef struct batch {
    served *study;
    int64_t after, last;
    bool is_sure;
    char *text;
    size_t size, written;
    FILE *out;
    int count;
    bool has_more;
    bool is_over; /* the study cannot be read any more */
} batch;

static bool print_event(void *context, const besd_event *e) {
    batch *b = context;
    json_t *object = event_json(e);
    size_t size;
    char *data = json_text(object, JSON_COMPACT | JSON_ENSURE_ASCII, &size);
    if (data) {
        print_clean(b->out, "id: %lld", (long long)e->id);
        fputc('\n', b->out);
        print_clean(b->out, "event: %s", e->what);
        fputs("\ndata: ", b->out);
        fwrite(data, size, 1, b->out);
        fputs("\n\n", b->out);
        b->written += size;
        b->last = e->id;
    }
    json_decref(object);
    free(data);
    b->has_more = !data || ++b->count >= EVENTS_AT_ONCE || b->written > MOST_UNREAD;
    return !b->has_more;
}

/* The last message of a stream. The server does not try again, because every try opens the file
 * anew; the client may come back, after ten seconds. */
static void print_failure(batch *b, const besd_error *error) {
    json_t *object = refusal_json(b->study, error);
    size_t size;
    char *data = json_text(object, JSON_COMPACT | JSON_ENSURE_ASCII, &size);
    fputs("retry: 10000\nevent: error\ndata: ", b->out);
    if (data)
        fwrite(data, size, 1, b->out);
    fputs("\n\n", b->out);
    json_decref(object);
    free(data);
    b->is_over = true;
}

/* Reads without the lock, because reading takes time; false: out of memory, to be tried again. */
static bool read_batch(batch *b) {
    besd_error error;
    besd_study *study;
    bool fresh;
    b->out = open_memstream(&b->text, &b->size);
    if (!b->out)
        return false;
    besd_status status = served_borrow(b->study, SERVED_READ, &study, &fresh, &error);
    if (status == BESD_OK) {
        status = besd_study_events(study, b->after, print_event, b, &error);
        served_return(b->study, SERVED_READ, study, status);
    }
    if (status != BESD_OK && status != BESD_MEMORY)
        print_failure(b, &error);
    return !fclose(b->out) && status != BESD_MEMORY;
}

static void wake(stream *one) {
    one->written = clock_seconds();
    if (one->is_suspended) {
        one->is_suspended = false;
        MHD_resume_connection(one->connection);
    }
}

static bool reads(const stream *one) {
    return one->end - one->begin <= MOST_UNREAD;
}

static bool is_behind(const stream *one, const file_stamp *now) {
    return !one->is_over && reads(one) &&
           (one->has_more || !one->is_sure || memcmp(now, &one->seen, sizeof *now) != 0);
}

/* Finds a stream that this round has not looked at, and for which there may be something to read;
 * false: there is none. */
static bool find_behind(streams *s, batch *b, file_stamp *now, unsigned round) {
    bool found = false;
    pthread_mutex_lock(&s->lock);
    for (stream *one = s->first; one && !found; one = one->next) {
        if (one->round == round)
            continue;
        *now = served_stamp(one->study);
        one->round = round;
        found = is_behind(one, now);
        if (found)
            *b = (batch){.study = one->study,
                         .after = one->after,
                         .last = one->after,
                         .is_sure = stamp_is_settled(now)};
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

/* Gives the text to all streams that are at the same event of the same study, and whose clients
 * read. */
static void hand_out(streams *s, const batch *b, const file_stamp *now, unsigned round) {
    pthread_mutex_lock(&s->lock);
    for (stream *one = s->first; one; one = one->next) {
        if (one->is_over || one->study != b->study || one->after != b->after || !reads(one) ||
            (b->size && !write_text(one, b->text, b->size)))
            continue;
        one->round = round;
        one->after = b->last;
        one->seen = *now;
        one->is_sure = b->is_sure;
        one->has_more = b->has_more;
        one->is_over = b->is_over;
        if (b->size)
            wake(one);
    }
    pthread_mutex_unlock(&s->lock);
}

static void keep_alive(streams *s) {
    static const char alive[] = ": keep-alive\n\n";
    pthread_mutex_lock(&s->lock);
    for (stream *one = s->first; one; one = one->next)
        if (!one->is_over && clock_seconds() - one->written > keep_alive_seconds &&
            one->begin == one->end && write_text(one, alive, sizeof alive - 1))
            wake(one);
    pthread_mutex_unlock(&s->lock);
}

void streams_poll(streams *s) {
    batch b;
    file_stamp now;
    unsigned round = ++s->round;
    while (find_behind(s, &b, &now, round)) {
        if (read_batch(&b))
            hand_out(s, &b, &now, round);
        free(b.text);
    }
    keep_alive(s);
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
    static const char hello[] = ": besd\n\n"; /* makes the headers leave at once */
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
    struct MHD_Response *made =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, one, close_stream);
    if (!made)
        close_stream(one);
    return made;
}
