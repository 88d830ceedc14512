/* What a trainer is asked and what it may answer: one JSON object each way.
 *
 *     {"trial": 7, "theta": {"x": 3.2, "y": 4}, "theta_array": [3.2, 4], "tau": 1000, "reps": 2,
 *      "seed": 5211, "seed32": 5211, "instance_seed": 8123, "replication_seeds": [911, 4711]}
 *
 *     {"scores": [31, 28], "cost": 1900, "note": "the battery was low"}
 *
 * cost and note may be missing; what else the answer holds is the trainer's own affair. Where theta
 * is a path the request has "points", those that are visited, and the answer may have legs: when
 * each point and at last the end was reached (null: it was not), for every replication (null: not
 * known), and what was earned on the way:
 *
 *     {"scores": [31, 500], "legs": [[4, 17, 31], [5, null, null]], "earned": [[1, 1, 8], null]}
 */
#ifndef BESD_BRIDGE_ANSWER_H
#define BESD_BRIDGE_ANSWER_H

#include "bridge/answer_legs.h"

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
} answer_terms;

/* A trial as its trainer sees it (trial_json.h), one line; free() it. NULL when out of memory. */
char *answer_request(const besd_study_options *study, const answer_route *route,
                     const besd_trial *trial);

/* The output as one JSON object, or NULL and a sentence that says what it is instead. */
json_t *answer_parse(const char *output, size_t length, besd_error *error);

/* Is the output an answer on these terms? When it is not, but tells a cost, the answer has that. */
besd_status answer_judge(const char *output, size_t length, const answer_terms *terms,
                         trainer_answer *answer, besd_error *error);

/* What it has allocated; twice is fine. */
void answer_free(trainer_answer *answer);

#endif
