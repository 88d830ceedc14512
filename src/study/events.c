/* Who did what, and when: every act leaves an event in the file, written with it. */
#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "study/store_acts.h"
#include "study/study_state.h"

#include <stdio.h>
#include <string.h>

besd_status besd_study_set_who(besd_study *s, const char *who, besd_error *error) {
    if (strlen(who) >= sizeof s->who || !text_is_utf8(who))
        return besd_fail(error, BESD_INVALID,
                         "who: expected a name of UTF-8 shorter than %d bytes, got '%.20s...'",
                         BESD_MAX_NAME, who);
    snprintf(s->who, sizeof s->who, "%s", who);
    return BESD_OK;
}

besd_status study_record(besd_study *s, const char *what, int64_t trial, const char *detail,
                         besd_error *error) {
    store_event event = {.who = s->who, .what = what, .trial = trial, .detail = detail};
    return store_add_event(s->store, &event, error);
}

/* Whoever visits may rely on details being JSON. */
typedef struct guide {
    const besd_study *study;
    besd_event_visitor *visit;
    void *context;
    besd_status status;
    besd_error *error;
} guide;

static bool show(void *context, const besd_event *e) {
    guide *g = context;
    json_error_t fault;
    json_t *detail =
        e->detail[0] ? json_read(e->detail, strlen(e->detail), 0, &fault) : json_object();
    if (!detail && (!e->detail[0] || json_lacked_memory(&fault)))
        g->status = besd_fail_memory(g->error, "an event");
    else if (!json_is_object(detail))
        g->status = besd_fail(g->error, BESD_IO, "%s: the event %lld is damaged",
                              store_path(g->study->store), (long long)e->id);
    json_decref(detail);
    return g->status == BESD_OK && g->visit(g->context, e);
}

besd_status besd_study_events(besd_study *s, int64_t after, besd_event_visitor *visit,
                              void *context, besd_error *error) {
    guide g = {.study = s, .visit = visit, .context = context, .error = error};
    besd_status status = store_list_events(s->store, after, show, &g, error);
    return g.status == BESD_OK ? status : g.status;
}
