/* Jobs over the ranks of MPI: rank 0 gives out numbers and collects results, the others compute.
 * All calls are made by the main thread of each rank. Without MPI there is one rank. */
#ifndef BESD_CONTEST_RANKS_H
#define BESD_CONTEST_RANKS_H

#include "contest/job.h"

/* Was the program started by mpirun as one of several? */
bool ranks_launched(void);

/* Joins the other ranks. BESD_UNSUPPORTED when MPI is not compiled in. */
besd_status ranks_begin(besd_error *error);
void ranks_end(void);

int ranks_number(void); /* of this process, from 0 */
int ranks_count(void);

/* What rank 0 does with those who come to it. */
typedef struct ranks_desk {
    void *context;
    int64_t (*take)(void *context); /* the next job, -1: no more */
    void (*deliver)(void *context, int64_t job, besd_status status, const job_result *result,
                    const besd_error *error);
} ranks_desk;

/* Rank 0: serves one rank that waits, and counts it as dismissed when there is no more for it.
 * False when nobody waits. */
bool ranks_attend(const ranks_desk *desk, int *dismissed);

/* Another rank: hands in a job (job < 0: none yet) and gets the number of the next, -1: no more. */
int64_t ranks_exchange(int64_t job, besd_status status, const job_result *result,
                       const besd_error *error);

#endif
