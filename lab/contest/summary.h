/* What a comparison says: curves over cost, differences between besd and each rival, a performance
 * profile over all domains. Everything that is exported, drawn or written about is computed here
 * once, in an order that does not depend on who computed which job.
 *
 * Regret is what the best policy would have done better on the very test instances: steps more, or
 * return less; smaller is better everywhere. Before its first recommendation a method has nothing
 * better to offer than learning without subgoals, so that is its regret there. A single run has
 * values but no spread: two_se and the ends of intervals are NaN.
 */
#ifndef BESD_CONTEST_SUMMARY_H
#define BESD_CONTEST_SUMMARY_H

#include "contest/results.h"
#include "contest/statistics.h"

enum { SUMMARY_THRESHOLDS = 51 }; /* of the profile: 0, 0.02, ..., 1 */

/* The logarithm of a regret stops here: test instances are finite, luck can bring it to zero. */
#define SUMMARY_SMALLEST_REGRET 0.01

/* All replications of a method at one cost. */
typedef struct summary_point {
    double cost;
    int known; /* replications that had a recommendation; the rest is NaN unless all had */
    double mean, two_se; /* of the tested performance */
    interval iqm;
    double log_regret, log_regret_two_se; /* of the replications' log regrets */
} summary_point;

typedef struct summary_method {
    const results_entry *entry;
    summary_point points[JOB_POINTS];
    double area;        /* mean regret over all points */
    double initial_end; /* cost at which the initial design ended, mean; NaN: it did not */
} summary_method;

typedef enum summary_moment { AT_HALF, AT_FINAL, MOMENTS } summary_moment;

/* besd against one other method in one domain. */
typedef struct summary_rivalry {
    int rival; /* index into methods */
    struct {
        interval difference;  /* mean performance of besd - that of the rival */
        interval improvement; /* probability that besd is the better one */
    } at[MOMENTS];
    double cost, rival_cost; /* at which each first has the rival's final mean regret; NaN: never */
    double ratio;            /* of these two */
} summary_rivalry;

typedef struct summary_domain {
    const results_contest *contest;
    int method_count;
    summary_method *methods; /* by name */
    int besd;                /* index of the method besd, -1: it was not run */
    int best_rival;          /* the best of the others at the end, variants of besd apart; or -1 */
    int rivalry_count;
    summary_rivalry *rivalries; /* in the order of methods; none without besd */
} summary_domain;

/* A method over all domains that have a scale: normalised scores (plain - value) / (plain -
 * optimum), 0 for learning without subgoals, 1 for the best policy there is. */
typedef struct summary_profile {
    const char *method;
    interval iqm, mean;
    interval share[SUMMARY_THRESHOLDS]; /* of replications that score above a threshold */
} summary_profile;

typedef struct summary {
    const results_table *table; /* borrowed */
    int domain_count;
    summary_domain *domains; /* in the order of the built-in domains */
    int profile_count;       /* methods that are known in every domain that has a scale */
    summary_profile *profiles;
} summary;

/* The table must outlive the summary. */
besd_status summary_make(const results_table *table, summary *s, besd_error *error);
void summary_free(summary *s);

double summary_threshold(int index);
const char *summary_moment_name(summary_moment moment);

/* The point of a moment. */
int summary_moment_point(summary_moment moment);

/* Regret of a tested point; that of learning without subgoals where there is none. */
double summary_regret(const summary_domain *d, const job_point *point);

/* The regrets 1, 2, 5 times a power of ten, the largest first, that mean curves of the domain pass;
 * how many. None where the optimum is not known. */
enum { SUMMARY_MAX_REGRETS = 64 };
int summary_regrets(const summary_domain *d, double *regrets);

/* The first cost at which a method's mean regret is at most this; NaN: never. */
double summary_cost_to_reach(const summary_domain *d, const summary_method *m, double regret);

/* Scores can be normalised: the optimum is known, and learning without subgoals misses it. */
bool summary_has_scale(const summary_domain *d);

/* So few runs of besd prove nothing, whatever the bootstrap says of them. */
enum { SUMMARY_FEWEST = 5 };
bool summary_has_few(const summary_domain *d);

/* Is the difference of performances good for besd (1), bad (-1) or not clear (0), as it always is
 * with few runs? */
int summary_verdict(const summary_domain *d, interval difference);

/* The method of this name, or NULL. */
const summary_method *summary_find(const summary_domain *d, const char *method);

/* "22.1 ± 1.1" and "-53.9 [-86.0, -16.6]", with as many decimals as the spread deserves. `sign`
 * stands between the mean and its spread. */
const char *summary_print_mean(const summary_point *p, const char *sign, char *text, size_t size);
const char *summary_print_interval(interval i, char *text, size_t size);

/* "besd" and "besd:..." are not each other's baselines. */
bool summary_is_besd(const char *method);

#endif
