/* An event of a study as JSON, the same for the command line and the network. */
#ifndef BESD_JSON_EVENT_H
#define BESD_JSON_EVENT_H

#include "besd/besd.h"

#include <jansson.h>

/* {"id", "at", "who", "what", "trial": 7 or null, "detail": {...} or null}; NULL without memory. */
json_t *event_json(const besd_event *event);

#endif
