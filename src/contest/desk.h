/* Jobs over the ranks of MPI: rank 0 gives out numbers and collects results, the others compute. */
#ifndef BESD_CONTEST_DESK_H
#define BESD_CONTEST_DESK_H

#include "bridge/ranks.h"
#include "contest/job.h"

/* What rank 0 does with those who come to it. */
typedef struct desk {
    void *context;
    int64_t (*take)(void *context); /* the next job, -1: no more */
    void (*deliver)(void *context, int64_t job, besd_status status, const job_result *result,
                    const besd_error *error);
} desk;

/* Rank 0: serves one rank that waits, and counts it as dismissed when there is no more for it.
 * False when nobody waits. */
bool desk_attend(const desk *d, int *dismissed);

/* Another rank: hands in a job (job < 0: none yet) and gets the number of the next, -1: no more. */
int64_t desk_exchange(int64_t job, besd_status status, const job_result *result,
                      const besd_error *error);

#endif
