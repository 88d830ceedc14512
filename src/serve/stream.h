/* Clients that follow studies by server-sent events. Once in a while the watcher looks at the files
 * of the studies that somebody follows, so that what other processes do is seen as well; a study
 * whose files are untouched costs two calls of stat. */
#ifndef BESD_SERVE_STREAM_H
#define BESD_SERVE_STREAM_H

#include "serve/metrics.h"
#include "serve/summary.h"

#include <microhttpd.h>

enum { STREAMS_MOST = 256 };

struct stream;

typedef struct streams {
    pthread_mutex_t lock;
    struct stream *first;
    size_t count;
    unsigned round; /* of looking */
    bool ending;
    metrics *metrics;
} streams;

void streams_begin(streams *s, metrics *m);

/* The answer to a client that follows a study from this event on; NULL: there are too many, or the
 * server is being stopped. */
struct MHD_Response *stream_open(streams *s, struct MHD_Connection *connection, served *study,
                                 int64_t after);

/* Sends what is new. */
void streams_poll(streams *s);

/* Ends all. */
void streams_end(streams *s);

#endif
