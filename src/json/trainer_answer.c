#include "json/trainer_answer.h"

#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "study/legs.h"
#include "json/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *answer_request(const besd_study_options *study, const besd_tasks *tasks,
                     const answer_route *route, const besd_trial *trial) {
    json_writer w = {0};
    request_write(&w, study, tasks, route, trial);
    json_write_raw(&w, "\n", 1);
    if (w.failed)
        json_writer_clear(&w);
    return w.text;
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
    size_t size = 0;
    char *text = value ? json_text(value, JSON_COMPACT | JSON_ENCODE_ANY, &size) : NULL;
    quotation q = value ? quote(text ? text : "?", text ? size : 1) : (quotation){"nothing"};
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

bool answer_route_of(const besd_study *study, const double *theta, answer_route *route) {
    besd_study_get_path(study, &route->path);
    route->visits = besd_study_visited(study, theta, route->visited);
    return route->path.points > 0;
}

json_t *answer_points(const answer_route *route, const double *theta) {
    size_t c = route->path.coordinates;
    json_t *list = json_array();
    int failed = 0;
    for (size_t k = 0; k < route->visits; k++)
        failed |= json_array_append_new(list, json_numbers(theta + route->visited[k] * c, c));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

/* What is read, and the status of a mistake. */
typedef struct reader {
    const char *member; /* "legs", "earned" or "labels" */
    besd_path path;     /* of the points that the lists are about: all, or those that are visited */
    size_t reps;
    besd_status blame;
    besd_error *error;
} reader;

static besd_status refuse_list(const reader *r, const char *place, size_t expected,
                               const char *what, const json_t *got) {
    char number[32];
    snprintf(number, sizeof number, "%zu", json_array_size(got));
    return besd_fail(r->error, r->blame, "%s%s: expected a list of %zu, %s, got %s", r->member,
                     place, expected, what, json_is_array(got) ? number : show(got).text);
}

/* One list per replication, or null; all of one length. */
static besd_status check_lists(const reader *r, const json_t *lists) {
    if (!json_is_array(lists) || json_array_size(lists) != r->reps)
        return refuse_list(r, "", r->reps, "one for every replication", lists);
    for (size_t i = 0; i < r->reps; i++) {
        const json_t *list = json_array_get(lists, i);
        char place[32];
        snprintf(place, sizeof place, "[%zu]", i);
        if (!json_is_null(list) &&
            (!json_is_array(list) || json_array_size(list) != r->path.points + 1))
            return refuse_list(r, place, r->path.points + 1, "for every point and the end", list);
    }
    return BESD_OK;
}

/* Are the lists about the visited points only? The first list decides. */
static bool is_short(const answer_route *route, const json_t *lists) {
    const json_t *first = NULL;
    for (size_t i = 0; !first && i < json_array_size(lists); i++)
        if (json_is_array(json_array_get(lists, i)))
            first = json_array_get(lists, i);
    return first && json_array_size(first) != route->path.points + 1;
}

static besd_status read_number(const reader *r, size_t replication, size_t k, const json_t *value,
                               double *number) {
    *number = json_is_number(value) ? json_number_value(value) : NAN;
    if (json_is_number(value) || json_is_null(value))
        return BESD_OK;
    return besd_fail(r->error, r->blame, "%s[%zu][%zu]: expected a number or null, got %s",
                     r->member, replication, k, show(value).text);
}

static besd_status read_times(const reader *r, const json_t *lists, besd_leg *legs) {
    size_t length = r->path.points + 1;
    besd_error own = {BESD_OK, ""};
    besd_status status = check_lists(r, lists);
    for (size_t i = 0; status == BESD_OK && i < r->reps * length; i++) {
        const json_t *list = json_array_get(lists, i / length);
        legs[i] = (besd_leg){.reached = json_is_null(list) && i % length == 0 ? -INFINITY : NAN,
                             .earned = NAN};
        if (!json_is_null(list))
            status = read_number(r, i / length, i % length, json_array_get(list, i % length),
                                 &legs[i].reached);
    }
    if (status == BESD_OK && legs_check(&r->path, legs, r->reps, &own) != BESD_OK)
        status = besd_fail(r->error, r->blame, "%s", own.message);
    return status;
}

static besd_status read_earned(const reader *r, const json_t *lists, besd_leg *legs) {
    size_t length = r->path.points + 1;
    besd_status status = check_lists(r, lists);
    for (size_t i = 0; status == BESD_OK && i < r->reps * length; i++) {
        const json_t *list = json_array_get(lists, i / length);
        bool known = legs[i - i % length].reached != -INFINITY;
        if (!json_is_null(list) && !known)
            status = besd_fail(r->error, r->blame,
                               "earned[%zu]: expected null, as in legs, got a list", i / length);
        else if (known && !json_is_null(list))
            status = read_number(r, i / length, i % length, json_array_get(list, i % length),
                                 &legs[i].earned);
    }
    return status;
}

static besd_status read_labels(const reader *r, const json_t *list, besd_leg *legs) {
    size_t length = r->path.points + 1;
    if (!json_is_array(list) || json_array_size(list) != r->reps)
        return refuse_list(r, "", r->reps, "one for every replication", list);
    for (size_t i = 0; i < r->reps; i++) {
        const json_t *label = json_array_get(list, i);
        json_int_t number = json_integer_value(label);
        if (!json_is_integer(label) || number < 0 || number >= (json_int_t)r->path.labels)
            return besd_fail(r->error, r->blame,
                             "labels[%zu]: expected a whole number from 0 to %zu, got %s", i,
                             r->path.labels - 1, show(label).text);
        for (size_t k = 0; k < length; k++)
            legs[i * length + k].label = number;
    }
    return BESD_OK;
}

/* Lists of the visited points become lists of all points, in place, from the end. A point that is
 * not visited is where the point before it is: reached at the same time, and earns nothing. */
static void spread(const answer_route *route, size_t reps, besd_leg *legs) {
    size_t points = route->path.points, visits = route->visits;
    for (size_t i = reps; i-- > 0;) {
        besd_leg few[BESD_MAX_DIMENSION + 1] = {{0}}, *all = legs + i * (points + 1);
        memcpy(few, legs + i * (visits + 1), (visits + 1) * sizeof *few);
        all[points] = few[visits];
        for (size_t k = points, at = visits - 1; k-- > 0;) {
            while (route->visited[at] > k)
                at--;
            bool unknown = few[0].reached == -INFINITY;
            all[k] = few[at];
            if (route->visited[at] != k)
                all[k] = (besd_leg){.reached = unknown ? NAN : few[at].reached,
                                    .earned = unknown ? NAN : 0,
                                    .label = few[at].label};
        }
    }
}

/* Is anything missing that the study needs beside what was told? */
static besd_status check_told(const answer_lists *told, const answer_route *route,
                              besd_direction direction, besd_status blame, besd_error *error) {
    const char *first = told->legs ? "legs" : told->earned ? "earned" : "labels";
    if (!route)
        return besd_fail(
            error, blame,
            "%s: theta of this study is no path; declare one with path: (docs/study.md)", first);
    if (!told->legs)
        return besd_fail(error, blame, "%s: it belongs to legs, which are missing", first);
    if (!told->earned && direction == BESD_MAXIMIZE)
        return besd_fail(error, blame,
                         "earned: expected what every leg earned beside legs, because the study "
                         "maximises, got nothing");
    if (!told->labels && route->path.labels)
        return besd_fail(error, blame,
                         "labels: expected the kind of instance of every replication beside legs, "
                         "because the path has %zu labels, got nothing",
                         route->path.labels);
    if (told->labels && !route->path.labels)
        return besd_fail(error, blame,
                         "labels: the path of this study has none; declare them with labels: "
                         "(docs/study.md)");
    return BESD_OK;
}

besd_status answer_read_legs(const answer_lists *told, const answer_route *route,
                             besd_direction direction, size_t reps, besd_leg **legs,
                             besd_status blame, besd_error *error) {
    reader r = {.member = "legs", .reps = reps, .blame = blame, .error = error};
    *legs = NULL;
    if (!told->legs && !told->earned && !told->labels)
        return BESD_OK;
    besd_status status = check_told(told, route, direction, blame, error);
    if (status != BESD_OK)
        return status;
    besd_leg *read = malloc((reps * (route->path.points + 1) + 1) * sizeof *read);
    if (!read)
        return besd_fail_memory(error, "the legs");
    bool few = is_short(route, told->legs);
    r.path = route->path;
    r.path.points = few ? route->visits : route->path.points;
    status = read_times(&r, told->legs, read);
    r.member = "earned";
    if (status == BESD_OK && told->earned)
        status = read_earned(&r, told->earned, read);
    r.member = "labels";
    if (status == BESD_OK && told->labels)
        status = read_labels(&r, told->labels, read);
    if (status == BESD_OK && few)
        spread(route, reps, read);
    if (status == BESD_OK)
        *legs = read;
    else
        free(read);
    return status;
}

static besd_status parse(const char *member, const char *example, const char *text, json_t **value,
                         besd_error *error) {
    json_error_t fault;
    *value = NULL;
    if (!text)
        return BESD_OK;
    *value = json_read(text, strlen(text), JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &fault);
    if (*value)
        return BESD_OK;
    if (json_lacked_memory(&fault))
        return besd_fail_memory(error, "the legs");
    besd_error_set(error, BESD_INVALID, "%s: expected JSON such as %s, got '%.60s' (%.100s)",
                   member, example, text, fault.text);
    if (error)
        text_clean(error->message);
    return BESD_INVALID;
}

besd_status answer_parse_legs(const answer_texts *told, const answer_route *route,
                              besd_direction direction, size_t reps, besd_leg **legs,
                              besd_error *error) {
    static const char example[] =
        "[[4, 17], [5, null], null] (a time for every point and one for the end)";
    json_t *times = NULL, *earned = NULL, *labels = NULL;
    *legs = NULL;
    besd_status status = parse("legs", example, told->legs, &times, error);
    if (status == BESD_OK)
        status = parse("earned", example, told->earned, &earned, error);
    if (status == BESD_OK)
        status = parse("labels", "[0, 1, 0]", told->labels, &labels, error);
    if (status == BESD_OK)
        status = answer_read_legs(&(answer_lists){times, earned, labels}, route, direction, reps,
                                  legs, BESD_INVALID, error);
    json_decref(times);
    json_decref(earned);
    json_decref(labels);
    return status;
}

/* One list for every replication; null for those of which nothing is known. */
static json_t *show_lists(const besd_leg *legs, size_t count, size_t points, bool earned) {
    json_t *lists = json_array();
    for (size_t first = 0; first + points < count; first += points + 1) {
        bool known = legs[first].reached != -INFINITY;
        json_t *list = known ? json_array() : json_null();
        for (size_t k = first; known && k <= first + points; k++)
            json_array_append_new(list, json_number(earned ? legs[k].earned : legs[k].reached));
        json_array_append_new(lists, list);
    }
    return lists;
}

json_t *answer_show_legs(const besd_leg *legs, size_t count, size_t points) {
    return show_lists(legs, count, points, false);
}

json_t *answer_show_earned(const besd_leg *legs, size_t count, size_t points) {
    return show_lists(legs, count, points, true);
}

json_t *answer_show_labels(const besd_leg *legs, size_t count, size_t points) {
    json_t *list = json_array();
    for (size_t first = 0; first + points < count; first += points + 1)
        if (json_array_append_new(list, json_integer(legs[first].label))) {
            json_decref(list);
            return NULL;
        }
    return list;
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

/* A member that is nearly "scores", such as "score", for the message. */
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
    *legs = NULL;
    if (terms->ignores_legs)
        return BESD_OK;
    if (!terms->route || !terms->route->path.labels)
        told.labels = NULL; /* this member is the trainer's own */
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
