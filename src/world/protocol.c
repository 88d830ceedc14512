#include "world/protocol.h"

#include "core/error.h"
#include "core/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_HEAD = 3 }; /* state, reward, end */

besd_status protocol_fail(besd_error *error, const char *key, const char *expected,
                          const json_t *got) {
    size_t size;
    char *text = got ? json_text(got, JSON_ENCODE_ANY | JSON_COMPACT, &size) : NULL;
    besd_error_set(error, BESD_ENVIRONMENT, "its answer to %s: expected %s, got %.120s", key,
                   expected, got ? (text ? text : "?") : "nothing");
    free(text);
    return BESD_ENVIRONMENT;
}

besd_status protocol_read_answer(const char *answer, size_t length, const char *key, json_t **value,
                                 besd_error *error) {
    json_error_t wrong;
    json_t *object = json_read(answer, length, JSON_REJECT_DUPLICATES, &wrong);
    *value = NULL;
    if (!object && json_lacked_memory(&wrong))
        return besd_fail_memory(error, "its answer");
    if (!object)
        return besd_fail(error, BESD_ENVIRONMENT,
                         "its answer to %s is not JSON%s: '%.80s' (column %d: %.100s)", key,
                         strstr(answer, "NaN") || strstr(answer, "Infinity")
                             ? ", which has no NaN and no infinity"
                             : "",
                         answer, wrong.column, wrong.text);
    const char *complaint = json_string_value(json_object_get(object, "error"));
    besd_status status = BESD_OK;
    if (complaint)
        status = besd_fail(error, BESD_ENVIRONMENT, "it says: %.300s", complaint);
    else if (!(*value = json_incref(json_object_get(object, key))))
        status =
            besd_fail(error, BESD_ENVIRONMENT,
                      "its answer to %s: expected {\"%s\": ...}, got '%.80s'", key, key, answer);
    json_decref(object);
    return status;
}

static besd_status read_integer(const json_t *object, const char *key, int64_t low, int64_t high,
                                int64_t *number, besd_error *error) {
    char expected[96];
    const json_t *value = json_object_get(object, key);
    snprintf(expected, sizeof expected, "\"%s\" as a whole number from %" PRId64 " to %" PRId64,
             key, low, high);
    if (!json_is_integer(value) || json_integer_value(value) < low ||
        json_integer_value(value) > high)
        return protocol_fail(error, "hello or spec", expected, value);
    *number = json_integer_value(value);
    return BESD_OK;
}

static besd_status read_numbers(const json_t *object, const char *key, int count, double *numbers,
                                besd_error *error) {
    char expected[96];
    const json_t *list = json_object_get(object, key);
    bool right = json_is_array(list) && json_array_size(list) == (size_t)count;
    snprintf(expected, sizeof expected, "\"%s\" as a list of %d numbers", key, count);
    for (int i = 0; right && i < count; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        right = json_is_number(value);
        numbers[i] = json_number_value(value);
    }
    return right ? BESD_OK : protocol_fail(error, "spec", expected, list);
}

/* {"tau": [200, 600], "gamma": 0.99} as "tau=200,600" and "gamma=0.99". */
static besd_status read_settings(protocol_settings *s, json_t *settings, besd_error *error) {
    const char *key;
    json_t *value;
    int count = 0;
    if (json_object_size(settings) > PROTOCOL_MAX_SETTINGS)
        return protocol_fail(error, "spec", "at most 32 settings", settings);
    json_object_foreach(settings, key, value) {
        char *text = s->text[count];
        json_t *list = json_is_array(value) ? json_incref(value) : json_pack("[O]", value);
        int length = snprintf(text, PROTOCOL_SETTING_SIZE, "%s=", key);
        bool right = json_array_size(list) > 0;
        for (size_t i = 0; right && i < json_array_size(list); i++) {
            const json_t *item = json_array_get(list, i);
            right =
                (json_is_number(item) || json_is_string(item)) && length < PROTOCOL_SETTING_SIZE;
            if (right && json_is_number(item))
                length += snprintf(text + length, PROTOCOL_SETTING_SIZE - (size_t)length, "%s%.17g",
                                   i ? "," : "", json_number_value(item));
            else if (right)
                length += snprintf(text + length, PROTOCOL_SETTING_SIZE - (size_t)length, "%s%s",
                                   i ? "," : "", json_string_value(item));
        }
        json_decref(list);
        if (!right || length >= PROTOCOL_SETTING_SIZE)
            return protocol_fail(error, "spec", "\"settings\" as names with numbers or short lists",
                                 settings);
        s->list[count++] = text;
    }
    s->list[count] = NULL;
    return BESD_OK;
}

/* Writes a member as the text of --set; false when it is neither word, number nor list. */
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
    reach_options r;
    reach_options_init(&r, BESD_REACH_CELL);
    for (size_t i = 0; status == BESD_OK && reach_options_name(i); i++) {
        char text[REACH_OPTIONS_TEXT_SIZE], expected[96];
        const char *name = reach_options_name(i);
        const json_t *value = json_object_get(answer, name);
        if (!value)
            continue;
        snprintf(expected, sizeof expected, "\"%s\" as %s", name, kinds[i]);
        bool right = i == 0   ? json_is_string(value)
                     : i == 2 ? json_is_array(value)
                              : json_is_number(value);
        if (!right || !write_member(value, text, sizeof text))
            return protocol_fail(error, "spec", expected, value);
        status = reach_options_set(&r, name, text, &own);
    }
    if (status == BESD_OK && r.origin_count == 1 && spec->position != 1)
        status =
            besd_fail(&own, BESD_INVALID, "origin: expected %d numbers, got 1", spec->position);
    if (status == BESD_OK)
        status = reach_options_check(&r, spec, &own);
    if (status != BESD_OK)
        return besd_fail(error, BESD_ENVIRONMENT, "its answer to spec: %.400s", own.message);
    *how = r.how;
    return BESD_OK;
}

besd_status protocol_read_spec(const json_t *answer, besd_env_spec *s, besd_env_reaching *how,
                               protocol_settings *settings, besd_error *error) {
    int64_t actions, states, observation, position;
    memset(s, 0, sizeof *s);
    *how = (besd_env_reaching){0};
    besd_status status = read_integer(answer, "actions", 2, BESD_ENV_MAX_ACTIONS, &actions, error);
    if (status == BESD_OK)
        status = read_integer(answer, "states", 0, INT64_C(1) << 30, &states, error);
    if (status == BESD_OK)
        status =
            read_integer(answer, "observation", 1, BESD_ENV_MAX_OBSERVATION, &observation, error);
    if (status == BESD_OK)
        status = read_integer(answer, "position", 1, observation, &position, error);
    if (status == BESD_OK)
        status = read_integer(answer, "cap", 1, 1000000000, &s->cap, error);
    if (status == BESD_OK)
        status = read_numbers(answer, "low", (int)observation, s->low, error);
    if (status == BESD_OK)
        status = read_numbers(answer, "high", (int)observation, s->high, error);
    if (status != BESD_OK)
        return status;
    s->actions = (int)actions;
    s->states = states;
    s->observation = (int)observation;
    s->position = (int)position;
    memcpy(s->subgoal_low, s->low, sizeof s->low);
    memcpy(s->subgoal_high, s->high, sizeof s->high);
    if (json_object_get(answer, "subgoal_low"))
        status = read_numbers(answer, "subgoal_low", s->position, s->subgoal_low, error);
    if (status == BESD_OK && json_object_get(answer, "subgoal_high"))
        status = read_numbers(answer, "subgoal_high", s->position, s->subgoal_high, error);
    if (status == BESD_OK)
        status = protocol_read_reaching(answer, s, how, error);
    s->reach = how->reach;
    json_t *named = json_object_get(answer, "settings");
    if (status == BESD_OK && named && !json_is_object(named))
        return protocol_fail(error, "spec", "\"settings\" as an object", named);
    return status == BESD_OK ? read_settings(settings, named, error) : status;
}

besd_status protocol_read_hello(const json_t *answer, protocol_hello *hello, besd_error *error) {
    int64_t lanes;
    const json_t *protocol = json_object_get(answer, "protocol");
    if (!json_is_integer(protocol) || json_integer_value(protocol) != PROTOCOL_VERSION) {
        char expected[48];
        snprintf(expected, sizeof expected, "protocol %d", PROTOCOL_VERSION);
        return protocol_fail(error, "hello", expected, protocol);
    }
    const char *name = json_string_value(json_object_get(answer, "name"));
    if (!name || !*name || strlen(name) >= sizeof hello->name || strpbrk(name, " \t\n/"))
        return protocol_fail(error, "hello", "\"name\" as a word without blanks and '/'",
                             json_object_get(answer, "name"));
    besd_status status = read_integer(answer, "lanes", 1, PROTOCOL_MAX_LANES, &lanes, error);
    if (status != BESD_OK)
        return status;
    snprintf(hello->name, sizeof hello->name, "%s", name);
    hello->lanes = (int)lanes;
    return BESD_OK;
}

char *protocol_hello_line(const besd_env_parameter *parameters, size_t count) {
    json_t *named = json_object();
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        failed |= json_object_set_new(named, parameters[i].name, json_number(parameters[i].value));
    json_t *message = json_pack("{s:{s:i, s:i, s:o}}", "hello", "protocol", PROTOCOL_VERSION,
                                "lanes", PROTOCOL_MAX_LANES, "parameters", named);
    size_t length = 0;
    char *text = message && !failed ? json_text(message, JSON_COMPACT, &length) : NULL;
    char *line = text ? realloc(text, length + 2) : NULL;
    json_decref(message);
    if (!line) {
        free(text);
        return NULL;
    }
    memcpy(line + length, "\n", 2);
    return line;
}

/* A number of a row; NaN when there is none at this place. */
static double row_number(const json_t *row, size_t index) {
    const json_t *value = json_array_get(row, index);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* [state, reward, end, observation...]: end is 0, 1 when terminated, 2 when truncated. */
besd_status protocol_read_row(const besd_env_spec *s, const char *key, const json_t *row,
                              besd_env_outcome *out, besd_error *error) {
    char expected[128];
    size_t length = ROW_HEAD + (size_t)s->observation;
    if (!json_is_array(row) || json_array_size(row) != length) {
        snprintf(expected, sizeof expected,
                 "a row of %zu: state, reward, end and %d numbers of the observation", length,
                 s->observation);
        return protocol_fail(error, key, expected, row);
    }
    const json_t *state = json_array_get(row, 0), *end = json_array_get(row, 2);
    out->state = s->states ? json_integer_value(state) : 0;
    if (s->states && (!json_is_integer(state) || out->state < 0 || out->state >= s->states)) {
        snprintf(expected, sizeof expected, "a state from 0 to %" PRId64, s->states - 1);
        return protocol_fail(error, key, expected, row);
    }
    out->reward = row_number(row, 1);
    if (isnan(out->reward))
        return protocol_fail(error, key, "a number as reward", row);
    if (!json_is_integer(end) || json_integer_value(end) < 0 || json_integer_value(end) > 2)
        return protocol_fail(error, key, "0, 1 (terminated) or 2 (truncated) as end", row);
    out->terminated = json_integer_value(end) == 1;
    out->truncated = json_integer_value(end) == 2;
    for (int i = 0; i < s->observation; i++) {
        double value = row_number(row, ROW_HEAD + (size_t)i);
        if (!(value >= s->low[i] && value <= s->high[i])) {
            snprintf(expected, sizeof expected, "observation %d in its declared range [%g, %g]", i,
                     s->low[i], s->high[i]);
            return protocol_fail(error, key, expected, row);
        }
        out->observation[i] = value;
    }
    return BESD_OK;
}
