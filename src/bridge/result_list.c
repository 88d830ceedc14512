#include "bridge/result_list.h"

#include "core/error.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_free(besd_result *r) {
    free((void *)r->theta);
    free((void *)r->scores);
    free((void *)r->legs);
    free((void *)r->note);
    *r = (besd_result){0};
}

void results_free(result_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        result_free(&list->items[i]);
        free(list->tags[i]);
    }
    free(list->items);
    free(list->lines);
    free(list->tags);
    *list = (result_list){0};
}

static bool grow(result_list *list) {
    size_t capacity = 2 * list->capacity + 16;
    besd_result *items = realloc(list->items, capacity * sizeof *items);
    list->items = items ? items : list->items;
    size_t *lines = realloc(list->lines, capacity * sizeof *lines);
    list->lines = lines ? lines : list->lines;
    char **tags = realloc(list->tags, capacity * sizeof *tags);
    list->tags = tags ? tags : list->tags;
    if (!items || !lines || !tags)
        return false;
    list->capacity = capacity;
    return true; // cppcheck-suppress memleak; the list has them
}

besd_status result_append(result_list *list, besd_result *r, char *tags, size_t line,
                          besd_error *error) {
    if (list->count == list->capacity && !grow(list)) {
        result_free(r);
        free(tags);
        return besd_fail_memory(error, "the results");
    }
    list->lines[list->count] = line;
    list->tags[list->count] = tags;
    list->items[list->count++] = *r;
    return BESD_OK;
}

besd_status result_check_tags(const char *tags, besd_error *error) {
    if (strlen(tags) >= BESD_MAX_TAGS)
        return besd_fail(error, BESD_INVALID, "tags: expected fewer than %d bytes, got %zu",
                         BESD_MAX_TAGS, strlen(tags));
    if (!text_is_utf8(tags))
        return besd_fail(error, BESD_INVALID, "tags: expected text, got bytes that are no UTF-8");
    for (const char *tag = tags;; tag++) {
        size_t length = strcspn(tag, ",");
        if (length < 1 || length >= BESD_MAX_NAME)
            return besd_fail(error, BESD_INVALID,
                             "tags: expected words of 1 to %d bytes with commas between them, got "
                             "'%s'",
                             BESD_MAX_NAME - 1, result_excerpt(tags).text);
        tag += length;
        if (!*tag)
            return BESD_OK;
    }
}

besd_status results_tag(const result_list *list, besd_study *study, int64_t first,
                        besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; i < list->count; i++)
        for (const char *tag = list->tags[i]; status == BESD_OK && tag && *tag;) {
            char word[BESD_MAX_NAME];
            size_t length = strcspn(tag, ",");
            snprintf(word, sizeof word, "%.*s", (int)length, tag);
            status = besd_study_tag(study, first + (int64_t)i, word, true, error);
            tag += length + (tag[length] == ',');
        }
    return status;
}

besd_status result_is_told(const char *state, bool *told, besd_error *error) {
    const char *told_name = besd_trial_state_name(BESD_TRIAL_TOLD), *name;
    *told = !strcmp(state, told_name);
    for (size_t i = 0; (name = besd_trial_state_name(i)); i++)
        if (!strcmp(state, name))
            return BESD_OK;
    return besd_fail(error, BESD_INVALID, "state: expected %s or another state of trials, got '%s'",
                     told_name, result_excerpt(state).text);
}

besd_status result_at_line(besd_status status, const char *name, size_t line, besd_error *error) {
    besd_error reason = *error;
    return besd_fail(error, status, "%s, line %zu: %s", name, line, reason.message);
}

excerpt result_excerpt(const char *text) {
    excerpt e;
    snprintf(e.text, sizeof e.text, "%s", text);
    text_clean(e.text);
    return e;
}
