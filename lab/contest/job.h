/* One job of a comparison: one contender, one domain, one replication. The study lives in memory;
 * what comes out is the curve of tested recommendations, its trials and the learning curve of the
 * last recommendation. Everything follows from (seed, domain, contender, replication). */
#ifndef BESD_CONTEST_JOB_H
#define BESD_CONTEST_JOB_H

#include "contest/contender.h"
#include "world/domain.h"

#include <stdint.h>

enum { JOB_POINTS = 40, JOB_CHECKPOINTS = 10 };
enum { JOB_STORED_INSTANCES = 10 }; /* that transfer Q-learning has been trained in */

/* What all jobs of one domain share. */
typedef struct contest {
    domain domain;
    double budget;
    uint64_t seed;     /* of the comparison; contenders of one replication share the study's seed */
    int64_t instances; /* of every test, the same for all */
    int64_t checkpoint; /* interactions between the checkpoints of a learning curve */
    bool every_change;  /* test recommendations whenever they change, besides at the points */
} contest;

typedef struct job_point {
    double cost;     /* share of the budget in force from here, k / JOB_POINTS of it */
    double mean, se; /* of the test */
    bool known;      /* false while there is no recommendation */
    double theta[BESD_MAX_DIMENSION];
} job_point;

typedef struct job_trial {
    double theta[BESD_MAX_DIMENSION];
    int64_t tau;
    int32_t reps, reason;
    double cost, mean; /* cost: spent when it ended */
    job_point change;  /* the recommendation after it, when it is another one and was tested */
} job_trial;

typedef struct job_result {
    job_point points[JOB_POINTS];  /* at budget * (k + 1) / JOB_POINTS */
    double curve[JOB_CHECKPOINTS]; /* mean test score after (i + 1) * checkpoint interactions;
                                      NaN: not known */
    size_t dimension, trial_count, trial_capacity;
    job_trial *trials;
} job_result;

/* What the paper's comparison gives a built-in domain; budget 0 for others. */
void contest_init(contest *c, const domain *d);

/* The seed of the test instances, common to everything in a domain. */
uint64_t contest_test_seed(const contest *c);

/* The seed of the instances in which transfer Q-learning is trained. */
uint64_t job_transfer_seed(const contest *c, int replication);

/* Learning curves are few, and tables are made of their ratios. So a curve is read on five times as
 * many instances as a test has; the first of them are those of the test. */
int64_t contest_curve_instances(const contest *c);

besd_status job_run(const contest *c, const contender *who, int replication, job_result *result,
                    besd_error *error);
void job_result_free(job_result *result);

/* The mean test score of learning without subgoals. */
besd_status job_plain_score(const contest *c, double *score, besd_error *error);

/* The learning curve of a design; theta NULL: without subgoals. */
besd_status job_learning_curve(const contest *c, const double *theta, size_t dimension,
                               double *means, besd_error *error);

/* Transfer Q-learning (paper section 5.5): no subgoals; on a test instance the agent starts from
 * the action values that plain Q-learning had in a randomly chosen stored training instance.
 *
 * Trains for tau_max in each of `stored` instances of source_seed, then for tau_max on each of the
 * test instances that domain_study_test would use with test_seed; scores [instances]. */
besd_status transfer_test(const domain *d, int stored, uint64_t source_seed, int64_t instances,
                          uint64_t test_seed, double *scores, besd_error *error);

#endif
