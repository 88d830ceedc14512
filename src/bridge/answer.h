/* What a trainer is asked and what it may answer: one JSON object each way.
 *
 *     {"trial": 7, "theta": {"x": 3.2, "y": 4}, "theta_array": [3.2, 4], "tau": 1000, "reps": 2,
 *      "instance_seed": 8123, "replication_seeds": [911, 4711]}
 *
 *     {"scores": [31, 28], "cost": 1900, "note": "the battery was low"}
 *
 * cost and note may be missing; what else the answer holds is the trainer's own affair.
 */
#ifndef BESD_BRIDGE_ANSWER_H
#define BESD_BRIDGE_ANSWER_H

#include "besd/besd.h"

#include <jansson.h>

enum { ANSWER_NOTE_SIZE = 512 };

typedef struct trainer_answer {
    double scores[BESD_MAX_REPS]; /* of the trial's replications */
    double cost;                  /* negative: not told */
    char note[ANSWER_NOTE_SIZE];  /* empty: none */
} trainer_answer;

/* A trial as its trainer sees it, one line; free() it. NULL when out of memory. All seeds are below
 * 2^53, because many languages read numbers as doubles, and streams of the trial's seed. */
char *answer_request(const besd_study_options *study, const besd_trial *trial);

/* The output as one JSON object, or NULL and a sentence that says what it is instead. */
json_t *answer_parse(const char *output, size_t length, besd_error *error);

/* Is the output an answer to a trial of so many replications? When it is not, but tells a cost, the
 * answer has that. */
besd_status answer_judge(const char *output, size_t length, int reps, besd_transform transform,
                         trainer_answer *answer, besd_error *error);

#endif
