/* An event as JSON. */
#ifndef BESD_SERVE_EVENT_JSON_H
#define BESD_SERVE_EVENT_JSON_H

#include "besd/besd.h"

#include <jansson.h>

/* So many events in one answer; whoever has that many asks again after the last. */
enum { EVENTS_AT_ONCE = 1000 };

/* {"id", "at", "who", "what", "trial": 7 or null, "detail": {...} or null}; NULL without memory. */
json_t *event_json(const besd_event *e);

#endif
