/* Comparisons: domains x contenders x replications, over threads or over the ranks of MPI. The
 * results do not depend on who computed what. */
#ifndef BESD_CONTEST_COMPARE_H
#define BESD_CONTEST_COMPARE_H

#include "contest/results.h"

enum { COMPARE_MAX_DOMAINS = 32, COMPARE_MAX_CONTENDERS = 64 };

typedef struct comparison {
    contest contests[COMPARE_MAX_DOMAINS];
    int contest_count;
    contender contenders[COMPARE_MAX_CONTENDERS];
    int contender_count;
    int replications;
    int threads; /* of rank 0; 0: all processors, one when there are several ranks */
} comparison;

/* Called, by one thread at a time, after every job; false stops the comparison. */
typedef bool compare_watch(void *context, int64_t done, int64_t total, const char *on,
                           const char *method, int replication);

/* The domain's identity, and its initial design where that is not the usual one: what the results
 * know it by. */
void compare_identify(const domain *d, char *text, size_t size);

/* Runs what the results do not hold yet; on rank 0, when there are ranks. BESD_DONE when the
 * watcher stopped it. */
besd_status compare_run(const comparison *c, results *r, compare_watch *watch, void *context,
                        besd_error *error);

/* Rank 0, when it cannot run the comparison: sends the other ranks home. */
void compare_dismiss(void);

/* What a rank other than 0 does: jobs, until rank 0 has no more. */
besd_status compare_serve(const comparison *c, besd_error *error);

#endif
