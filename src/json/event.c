#include "json/event.h"

#include "core/json.h"

#include <string.h>

json_t *event_json(const besd_event *e) {
    json_error_t fault;
    json_t *detail = e->detail && e->detail[0] ? json_read(e->detail, strlen(e->detail), 0, &fault)
                                               : json_null();
    return json_pack("{s:I, s:o, s:s+, s:s, s:o, s:o}", "id", (json_int_t)e->id, "at",
                     json_number(e->at), "who", e->who ? e->who : "", "", "what", e->what, "trial",
                     e->trial ? json_integer(e->trial) : json_null(), "detail", detail);
}
