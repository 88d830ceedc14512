/* Notes and tags of trials: words that nothing is computed from. */
#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "study/store_acts.h"
#include "study/study_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static besd_status check_tag(const char *tag, besd_error *error) {
    size_t length = strlen(tag);
    if (length >= 1 && length < BESD_MAX_NAME && !strchr(tag, ',') && text_is_utf8(tag))
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "tag: expected a word of 1 to %d bytes without commas, got '%.30s'",
                     BESD_MAX_NAME - 1, tag);
}

/* Whoever reads tags has room for so many. */
static besd_status check_room(besd_study *s, int64_t id, const char *tag, besd_error *error) {
    char *tags = NULL;
    besd_status status = store_get_tags(s->store, id, &tags, error);
    if (status == BESD_OK && tags && strlen(tags) + 1 + strlen(tag) >= BESD_MAX_TAGS)
        status = besd_fail(error, BESD_INVALID,
                           "tag: the tags of trial %lld would be %zu bytes long, expected fewer "
                           "than %d; take one off first",
                           (long long)id, strlen(tags) + 1 + strlen(tag), BESD_MAX_TAGS);
    free(tags);
    return status;
}

/* Inside a transaction. */
static besd_status set_tag(besd_study *s, int64_t id, const char *tag, bool on, besd_error *error) {
    besd_status status = on ? check_room(s, id, tag, error) : BESD_OK;
    if (status == BESD_OK)
        status = store_set_tag(s->store, id, tag, on, error);
    json_t *object = json_pack("{s:s}", "tag", tag);
    char *detail = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (status == BESD_OK)
        status = detail ? study_record(s, on ? "tagged" : "untagged", id, detail, error)
                        : besd_fail_memory(error, "an event");
    free(detail);
    return status;
}

/* What a note replaces is kept with the event. Inside a transaction. */
static besd_status set_note(besd_study *s, int64_t id, const char *note, besd_error *error) {
    char *before = NULL, *detail = NULL;
    besd_status status = store_get_trial_note(s->store, id, &before, error);
    if (status == BESD_OK && before && *before) {
        text_clean(before);
        json_t *object = json_pack("{s:s}", "before", before);
        detail = object ? json_dumps(object, JSON_COMPACT) : NULL;
        json_decref(object);
        if (!detail)
            status = besd_fail_memory(error, "an event");
    }
    if (status == BESD_OK)
        status = store_set_trial_note(s->store, id, note, error);
    if (status == BESD_OK)
        status = study_record(s, "noted", id, detail, error);
    free(before);
    free(detail);
    return status;
}

static besd_status annotate(besd_study *s, int64_t id, const char *note, const tag_change *tags,
                            size_t count, besd_error *error) {
    trial_record t;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK && note)
        status = set_note(s, id, note, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = set_tag(s, id, tags[i].tag, tags[i].on, error);
    return status;
}

besd_status study_annotate(besd_study *s, int64_t id, const char *note, const tag_change *tags,
                           size_t count, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = check_tag(tags[i].tag, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    return store_end(s->store, annotate(s, id, note, tags, count, error), error);
}

besd_status besd_study_tag(besd_study *s, int64_t id, const char *tag, bool on, besd_error *error) {
    tag_change change = {tag, on};
    return study_annotate(s, id, NULL, &change, 1, error);
}

besd_status besd_study_set_trial_note(besd_study *s, int64_t id, const char *text,
                                      besd_error *error) {
    return study_annotate(s, id, text, NULL, 0, error);
}

besd_status besd_study_tags(besd_study *s, int64_t id, char *text, size_t size, besd_error *error) {
    trial_record t;
    char *tags = NULL;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = store_get_tags(s->store, id, &tags, error);
    if (status == BESD_OK)
        snprintf(text, size, "%s", tags ? tags : "");
    free(tags);
    return status;
}
