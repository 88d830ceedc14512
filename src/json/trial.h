/* A trial as JSON, with the same members for a trainer, the command line and the network. */
#ifndef BESD_JSON_TRIAL_H
#define BESD_JSON_TRIAL_H

#include "core/json_writer.h"
#include "study/study.h"
#include "json/trainer_answer.h"

#include <jansson.h>

/* What is to be done:
 *
 *     {"trial": 7, "theta": {"x": 3.2, "y": 4}, "theta_array": [3.2, 4], "tau": 1000, "reps": 2,
 *      "seed": 5211, "seed32": 18, "instance_seed": 8123, "replication_seeds": [911, 4711]}
 *
 * where theta is a path (route) "points", those that are visited, and where the study has tasks
 * (count > 0) "task", the name of the one to train on, null for instances as they come. For a
 * training without a design, whose theta begins with NaN, theta and theta_array are null. All seeds
 * are below 2^53, because many languages read numbers as doubles; seed32 is for those who take 32
 * bits. */
void request_write(json_writer *w, const besd_study_options *study, const besd_tasks *tasks,
                   const answer_route *route, const besd_trial *trial);

/* The same, and all that is known of it: state, reason, cost, and as far as there are any repeats,
 * scores and mean, legs, earned and labels, note, tags, worker, why, replaced (how often),
 * asked_at, ended_at, lease_until, age (seconds since it was asked, while nothing is told) and
 * duration. */
void trial_write(json_writer *w, const besd_study *study, const trial_facts *f);

/* The same of the trial with this number, as text and as a tree; the caller frees it. NULL and a
 * sentence when it cannot be had. */
char *trial_text(besd_study *study, int64_t id, size_t *size, besd_error *error);
json_t *trial_json(besd_study *study, int64_t id, besd_error *error);

/* What an ask answers when the study is over: {"done": true, "reason", "stopped"}. */
json_t *done_json(const besd_study *study, const char *reason);

/* {"theta": {"x": 3.2, "y": 4}, "theta_array": [3.2, 4]}: a design in every answer. Both are null
 * when theta is NULL. NULL when out of memory. */
json_t *theta_json(const char *const *names, const double *theta, size_t count);

#endif
