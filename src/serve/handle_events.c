/* What happened to a study: as a list, or as a stream of server-sent events (serve/stream). */
#include "core/error.h"
#include "serve/event_json.h"
#include "serve/handlers.h"
#include "serve/input.h"

json_t *event_json(const besd_event *e) {
    json_t *detail = e->detail && e->detail[0] ? json_loads(e->detail, 0, NULL) : json_null();
    return json_pack("{s:I, s:f, s:s+, s:s, s:o, s:o}", "id", (json_int_t)e->id, "at", e->at, "who",
                     e->who ? e->who : "", "", "what", e->what, "trial",
                     e->trial ? json_integer(e->trial) : json_null(), "detail",
                     detail ? detail : json_null());
}

static bool append(void *context, const besd_event *e) {
    return json_array_append_new(context, event_json(e)) == 0 &&
           json_array_size(context) < EVENTS_AT_ONCE;
}

static bool note_last(void *context, const besd_event *e) {
    *(int64_t *)context = e->id;
    return true;
}

void handle_events(call *c, reply *r) {
    int64_t after = 0, newest = 0, last = 0;
    besd_error error = {0};
    if (!query_integer(c, r, "after", &after) || !query_integer(c, r, "newest", &newest))
        return;
    if (newest > 0 && besd_study_events(c->study, after, note_last, &last, &error) != BESD_OK) {
        reply_error(c, r, &error);
        return;
    }
    if (newest > 0 && last - newest > after)
        after = last - newest;
    if (c->wants_stream) {
        r->code = 200;
        r->type = "text/event-stream";
        r->stream = true;
        r->after = c->last_event >= 0 ? c->last_event : after;
        return;
    }
    json_t *list = json_array();
    if (besd_study_events(c->study, after, append, list, &error) == BESD_OK) {
        reply_json(r, 200, json_pack("{s:o}", "events", list));
        return;
    }
    json_decref(list);
    reply_error(c, r, &error);
}
