/* The events of studies, and the clients that follow a study by server-sent events. Once in a while
 * the watcher looks at the files of the studies that somebody follows, so acts of other processes
 * are seen as well; a study whose files are untouched costs two calls of stat. */
#ifndef BESD_SERVE_STREAM_H
#define BESD_SERVE_STREAM_H

#include "serve/metrics.h"
#include "serve/studies.h"

#include <microhttpd.h>

/* Events in one answer at most; a client that got as many asks again after the last. */
enum { EVENTS_AT_ONCE = 1000 };

enum { STREAMS_MOST = 512 };

struct stream;

typedef struct streams {
    pthread_mutex_t lock;
    struct stream *first;
    size_t count;
    unsigned round; /* how often the watcher has looked */
    bool ending;
    metrics *metrics;
} streams;

void streams_begin(streams *s, metrics *m);

/* The answer to a client that follows a study, from the event after this one on. NULL: there are
 * too many streams, or the server is being stopped. */
struct MHD_Response *stream_open(streams *s, struct MHD_Connection *connection, served *study,
                                 int64_t after);

/* Sends what is new. */
void streams_poll(streams *s);

void streams_end(streams *s);

#endif
