/* Legs as JSON, the way trainers tell them (answer.h) and trials show them. */
#ifndef BESD_BRIDGE_ANSWER_LEGS_H
#define BESD_BRIDGE_ANSWER_LEGS_H

#include "besd/besd.h"

#include <jansson.h>

/* The path of one trial. */
typedef struct answer_route {
    besd_path path;
    size_t visits, visited[BESD_MAX_DIMENSION]; /* the points that are visited, from 0 */
} answer_route;

/* false where theta of the study is no path. */
bool answer_route_of(const besd_study *study, const double *theta, answer_route *route);

/* The places that are visited, in order; NULL when out of memory. */
json_t *answer_points(const answer_route *route, const double *theta);

/* What is told beside scores, each NULL when it is not. */
typedef struct answer_lists {
    const json_t *legs, *earned, *labels;
} answer_lists;

static inline answer_lists answer_lists_of(const json_t *object) {
    return (answer_lists){json_object_get(object, "legs"), json_object_get(object, "earned"),
                          json_object_get(object, "labels")};
}

/* The legs of so many replications, [reps * (points + 1)], to be freed; *legs is NULL when nothing
 * was told. A list has a time for every point and one for the end, or, shorter, those
 * of the points that are visited and the end. Sentences name the place; their status is `blame`.
 * route NULL: theta is no path. */
besd_status answer_read_legs(const answer_lists *told, const answer_route *route,
                             besd_direction direction, size_t reps, besd_leg **legs,
                             besd_status blame, besd_error *error);

/* The same from texts of the command line. */
typedef struct answer_texts {
    const char *legs, *earned, *labels; /* NULL: not given */
} answer_texts;

static inline bool answer_texts_given(const answer_texts *told) {
    return told->legs || told->earned || told->labels;
}

besd_status answer_parse_legs(const answer_texts *told, const answer_route *route,
                              besd_direction direction, size_t reps, besd_leg **legs,
                              besd_error *error);

/* Legs as they were told, what they earned, and the labels of their replications. */
json_t *answer_show_legs(const besd_leg *legs, size_t count, size_t points);
json_t *answer_show_earned(const besd_leg *legs, size_t count, size_t points);
json_t *answer_show_labels(const besd_leg *legs, size_t count, size_t points);

#endif
