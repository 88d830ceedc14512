/* A trial as JSON, with the same members for a trainer, the command line and the network. */
#ifndef BESD_BRIDGE_TRIAL_JSON_H
#define BESD_BRIDGE_TRIAL_JSON_H

#include "bridge/answer_legs.h"

#include <jansson.h>

/* What is to be done:
 *
 *     {"trial": 7, "theta": {"x": 3.2, "y": 4}, "theta_array": [3.2, 4], "tau": 1000, "reps": 2,
 *      "seed": 5211, "seed32": 18, "instance_seed": 8123, "replication_seeds": [911, 4711]}
 *
 * and where theta is a path (route) "points", those that are visited. All seeds are below 2^53,
 * because many languages read numbers as doubles; seed32 is for those who take 32 bits. NULL when
 * out of memory. */
json_t *trial_request(const besd_study_options *study, const answer_route *route,
                      const besd_trial *trial);

/* The same for whoever has asked for it: with state, reason, cost, and repeats, worker and
 * lease_until as far as there are any. NULL and a sentence when it cannot be had. */
json_t *trial_describe_asked(besd_study *study, const besd_trial *trial, besd_error *error);

/* The same, and all that is known of it: state, reason, cost, and as far as there are any repeats,
 * scores and mean, legs, earned and labels, note, tags, worker, why, replaced (how often),
 * asked_at, ended_at, lease_until, age (seconds since it was asked, while nothing is told) and
 * duration. NULL and a sentence when it cannot be had. */
json_t *trial_describe(besd_study *study, const besd_trial *trial, besd_error *error);

/* theta by name. */
json_t *trial_theta(const besd_study_options *study, const double *theta);

#endif
