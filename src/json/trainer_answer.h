/* What a trainer is asked and what it may answer: one JSON object each way.
 *
 *     {"trial": 7, "theta": {"x": 3.2, "y": 4}, "theta_array": [3.2, 4], "tau": 1000, "reps": 2,
 *      "seed": 5211, "seed32": 5211, "instance_seed": 8123, "replication_seeds": [911, 4711]}
 *
 *     {"scores": [31, 28], "cost": 1900, "note": "the battery was low"}
 *
 * cost and note may be missing; other members of the answer are not looked at. Where theta
 * is a path the request has "points", those that are visited, and the answer may have legs: when
 * each point and at last the end was reached (null: it was not), for every replication (null: not
 * known), and what was earned on the way:
 *
 *     {"scores": [31, 500], "legs": [[4, 17, 31], [5, null, null]], "earned": [[1, 1, 8], null]}
 */
#ifndef BESD_JSON_TRAINER_ANSWER_H
#define BESD_JSON_TRAINER_ANSWER_H

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

/* What may be told beside scores; NULL: it was not. */
typedef struct answer_lists {
    const json_t *legs, *earned, *labels;
} answer_lists;

static inline answer_lists answer_lists_of(const json_t *object) {
    return (answer_lists){json_object_get(object, "legs"), json_object_get(object, "earned"),
                          json_object_get(object, "labels")};
}

/* The legs of `reps` replications, [reps * (points + 1)], to be freed; *legs is NULL when nothing
 * was told. A list has a time for every point and one for the end. It may leave out the points that
 * are not visited. Sentences name the place; their status is `blame`. route NULL: theta is no path.
 */
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

enum { ANSWER_NOTE_SIZE = 512 };

typedef struct trainer_answer {
    double scores[BESD_MAX_REPS]; /* of the trial's replications */
    double cost;                  /* negative: not told */
    char note[ANSWER_NOTE_SIZE];  /* empty: none */
    besd_leg *legs;               /* [replications * (points + 1)]; NULL: none; answer_free it */
} trainer_answer;

/* What an answer must be like. */
typedef struct answer_terms {
    int reps;
    besd_transform transform;
    besd_direction direction;
    const answer_route *route; /* NULL: theta is no path */
    bool ignores_legs;         /* of a training without a design */
} answer_terms;

/* A trial as its trainer sees it (json/trial.h), one line; free() it. NULL when out of memory. */
char *answer_request(const besd_study_options *study, const besd_tasks *tasks,
                     const answer_route *route, const besd_trial *trial);

/* The output as one JSON object, or NULL and a sentence that says what it is instead. */
json_t *answer_parse(const char *output, size_t length, besd_error *error);

/* Is the output an answer on these terms? When it is not, but tells a cost, the answer has that. */
besd_status answer_judge(const char *output, size_t length, const answer_terms *terms,
                         trainer_answer *answer, besd_error *error);

/* What it has allocated; twice is fine. */
void answer_free(trainer_answer *answer);

#endif
