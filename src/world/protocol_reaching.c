/* When a subgoal is reached, as the spec of a process says it. The words are those of --set, and so
 * are the rules: each member is put before reaching_set. */
#include "core/error.h"
#include "world/protocol.h"

#include <stdio.h>
#include <string.h>

/* A member as the text that --set would have; false when it is neither word, number nor list. */
static bool write_member(const json_t *value, char *text, size_t size) {
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    int length = 0;
    if (json_is_string(value))
        return snprintf(text, size, "%s", json_string_value(value)) < (int)size;
    for (size_t i = 0; i < count && (size_t)length < size; i++) {
        const json_t *item = json_is_array(value) ? json_array_get(value, i) : value;
        if (!json_is_number(item))
            return false;
        length += snprintf(text + length, size - (size_t)length, "%s%.17g", i ? "," : "",
                           json_number_value(item));
    }
    return count > 0 && (size_t)length < size;
}

besd_status protocol_read_reaching(const json_t *answer, const besd_env_spec *spec,
                                   besd_env_reaching *how, besd_error *error) {
    static const char *const kinds[] = {"a word", "a number", "a list of numbers", "a number"};
    besd_error own = {BESD_OK, ""};
    besd_status status = BESD_OK;
    reaching r;
    reaching_init(&r, BESD_REACH_CELL);
    for (size_t i = 0; status == BESD_OK && reaching_name(i); i++) {
        char text[REACHING_TEXT_SIZE], expected[96];
        const char *name = reaching_name(i);
        const json_t *value = json_object_get(answer, name);
        if (!value)
            continue;
        snprintf(expected, sizeof expected, "\"%s\" as %s", name, kinds[i]);
        bool right = i == 0   ? json_is_string(value)
                     : i == 2 ? json_is_array(value)
                              : json_is_number(value);
        if (!right || !write_member(value, text, sizeof text))
            return protocol_fail(error, "spec", expected, value);
        status = reaching_set(&r, name, text, &own);
    }
    if (status == BESD_OK && r.origin_count == 1 && spec->position != 1)
        status =
            besd_fail(&own, BESD_INVALID, "origin: expected %d numbers, got 1", spec->position);
    if (status == BESD_OK)
        status = reaching_check(&r, spec, &own);
    if (status != BESD_OK)
        return besd_fail(error, BESD_ENVIRONMENT, "its answer to spec: %.400s", own.message);
    *how = r.how;
    return BESD_OK;
}
