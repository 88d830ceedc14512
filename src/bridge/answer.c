#include "bridge/answer.h"

#include "bridge/trial_json.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *answer_request(const besd_study_options *study, const answer_route *route,
                     const besd_trial *trial) {
    json_t *request = trial_request(study, route, trial);
    char *text = request ? json_dumps(request, JSON_COMPACT) : NULL, *line = NULL;
    json_decref(request);
    if (text) {
        size_t size = strlen(text) + 2;
        line = malloc(size);
        if (line)
            snprintf(line, size, "%s\n", text);
        free(text);
    }
    return line;
}

/* The first few characters of an output without the blanks at its end, for a message. */
typedef struct quotation {
    char text[64];
} quotation;

static quotation quote(const char *output, size_t length) {
    quotation q;
    while (length && strchr(" \t\r\n", output[length - 1]))
        length--;
    size_t most = sizeof q.text - 1, count = length < most ? length : most;
    memcpy(q.text, output, count);
    q.text[count] = 0;
    text_clean(q.text);
    return q;
}

/* The first few characters of a value as JSON. */
static quotation show(const json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    quotation q =
        value ? quote(text ? text : "?", text ? strlen(text) : 1) : (quotation){"nothing"};
    free(text);
    return q;
}

static size_t skip_blanks(const char *text, size_t from, size_t length) {
    while (from < length && strchr(" \t\r\n", text[from]) && text[from])
        from++;
    return from;
}

static void explain_syntax(const char *output, size_t length, const json_error_t *reason,
                           besd_error *error) {
    quotation q = quote(output, length);
    if (json_error_code(reason) == json_error_premature_end_of_input)
        besd_error_set(error, BESD_ENVIRONMENT,
                       "expected one JSON object, got one that is not finished: '%s'", q.text);
    else if (strstr(reason->text, "NaN") || strstr(reason->text, "Infinity"))
        besd_error_set(error, BESD_ENVIRONMENT,
                       "scores: expected finite numbers, got '%s', which JSON does not know",
                       q.text);
    else
        besd_error_set(error, BESD_ENVIRONMENT,
                       "expected one JSON object, got '%s' (%.100s, line %d); whatever else it "
                       "prints belongs on standard error",
                       q.text, reason->text, reason->line);
}

json_t *answer_parse(const char *output, size_t length, besd_error *error) {
    json_error_t reason;
    size_t begin = skip_blanks(output, 0, length);
    if (begin == length) {
        besd_error_set(error, BESD_ENVIRONMENT, "expected one JSON object, got nothing");
        return NULL;
    }
    json_t *value = json_read(
        output, length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &reason);
    if (!value && json_lacked_memory(&reason)) {
        besd_fail_memory(error, "its answer");
        return NULL;
    }
    if (!value) {
        explain_syntax(output + begin, length - begin, &reason, error);
        return NULL;
    }
    size_t end = skip_blanks(output, (size_t)reason.position, length);
    if (json_is_object(value) && end == length)
        return value;
    if (!json_is_object(value))
        besd_error_set(error, BESD_ENVIRONMENT, "expected one JSON object, got '%s'",
                       quote(output + begin, length - begin).text);
    else
        besd_error_set(error, BESD_ENVIRONMENT,
                       "expected one JSON object and nothing else, got '%s' after it",
                       quote(output + end, length - end).text);
    json_decref(value);
    return NULL;
}

static besd_status read_cost(const json_t *object, double *cost, besd_error *error) {
    const json_t *value = json_object_get(object, "cost");
    if (!value)
        return BESD_OK;
    if (!json_is_number(value) || json_number_value(value) < 0 || json_number_value(value) > 1e300)
        return besd_fail(error, BESD_ENVIRONMENT, "cost: expected a number from 0 to 1e300, got %s",
                         show(value).text);
    *cost = json_number_value(value);
    return BESD_OK;
}

static besd_status read_note(const json_t *object, char *note, size_t size, besd_error *error) {
    const json_t *value = json_object_get(object, "note");
    if (!value)
        return BESD_OK;
    if (!json_is_string(value))
        return besd_fail(error, BESD_ENVIRONMENT, "note: expected a text, got %s",
                         show(value).text);
    snprintf(note, size, "%s", json_string_value(value));
    text_clean(note);
    return BESD_OK;
}

static const char *known_member(size_t index, const void *context) {
    (void)context;
    return index ? NULL : "scores";
}

/* "score" instead of "scores" deserves a word. */
static const char *find_misspelt(const json_t *object) {
    void *place = json_object_iter((json_t *)object);
    for (; place; place = json_object_iter_next((json_t *)object, place))
        if (names_nearest(json_object_iter_key(place), known_member, NULL))
            return json_object_iter_key(place);
    return NULL;
}

static besd_status read_scores(const json_t *object, int reps, besd_transform transform,
                               double *scores, besd_error *error) {
    const json_t *list = json_object_get(object, "scores");
    if (!list) {
        const char *like = find_misspelt(object);
        return besd_fail(error, BESD_ENVIRONMENT,
                         "scores: expected a list of %d numbers, got nothing%s%.60s%s", reps,
                         like ? " but \"" : "", like ? like : "", like ? "\"" : "");
    }
    if (!json_is_array(list))
        return besd_fail(error, BESD_ENVIRONMENT, "scores: expected a list of %d numbers, got %s",
                         reps, show(list).text);
    if (json_array_size(list) != (size_t)reps)
        return besd_fail(error, BESD_ENVIRONMENT,
                         "scores: expected %d, one for every replication, got %zu", reps,
                         json_array_size(list));
    for (size_t i = 0; i < (size_t)reps; i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_number(value))
            return besd_fail(error, BESD_ENVIRONMENT, "scores[%zu]: expected a number, got %s", i,
                             show(value).text);
        scores[i] = json_number_value(value);
        if (transform == BESD_TRANSFORM_LOG && scores[i] <= 0)
            return besd_fail(error, BESD_ENVIRONMENT,
                             "scores[%zu]: expected a positive number, because the study takes "
                             "logarithms, got %g",
                             i, scores[i]);
    }
    return BESD_OK;
}

static besd_status read_legs(const json_t *object, const answer_terms *terms, besd_leg **legs,
                             besd_error *error) {
    answer_lists told = answer_lists_of(object);
    if (!terms->route || !terms->route->path.labels)
        told.labels = NULL; /* it means something else */
    return answer_read_legs(&told, terms->route, terms->direction, (size_t)terms->reps, legs,
                            BESD_ENVIRONMENT, error);
}

besd_status answer_judge(const char *output, size_t length, const answer_terms *terms,
                         trainer_answer *answer, besd_error *error) {
    besd_error own_error = {0};
    error = error ? error : &own_error;
    answer->cost = -1;
    answer->note[0] = 0;
    answer->legs = NULL;
    json_t *object = answer_parse(output, length, error);
    if (!object)
        return error->status;
    besd_status status = read_cost(object, &answer->cost, error);
    if (status == BESD_OK)
        status = read_note(object, answer->note, sizeof answer->note, error);
    if (status == BESD_OK)
        status = read_scores(object, terms->reps, terms->transform, answer->scores, error);
    if (status == BESD_OK)
        status = read_legs(object, terms, &answer->legs, error);
    json_decref(object);
    return status;
}

void answer_free(trainer_answer *answer) {
    free(answer->legs);
    answer->legs = NULL;
}
