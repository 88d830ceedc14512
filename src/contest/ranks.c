#include "contest/ranks.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

bool ranks_launched(void) {
    const char *names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (int i = 0; i < 2; i++) {
        const char *size = getenv(names[i]);
        if (size && atoi(size) > 1)
            return true;
    }
    return false;
}

#ifdef BESD_MPI
#include <mpi.h>

enum { TAG_REPORT = 1, TAG_NUMBER = 2 };

static int number, count = 1;

int ranks_number(void) {
    return number;
}

int ranks_count(void) {
    return count;
}

besd_status ranks_begin(besd_error *error) {
    int provided = 0;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_FUNNELED)
        return besd_fail(error, BESD_UNSUPPORTED, "MPI: it offers no threads beside the main one");
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    return BESD_OK;
}

void ranks_end(void) {
    MPI_Finalize();
    count = 1;
}

/* A report is this, and after it the trials. Ranks run the same program on equal machines. */
typedef struct report {
    int64_t job;
    besd_status status;
    job_result result; /* its pointer means nothing elsewhere */
    besd_error error;
} report;

/* Out of memory in the middle of an exchange: the job as a whole cannot go on. */
_Noreturn static void give_up(void) {
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void receive(const ranks_desk *desk, const MPI_Status *who, int bytes) {
    char *buffer = malloc((size_t)bytes);
    if (!buffer)
        give_up();
    MPI_Recv(buffer, bytes, MPI_BYTE, who->MPI_SOURCE, TAG_REPORT, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    report r;
    memcpy(&r, buffer, sizeof r);
    size_t size = r.result.trial_count * sizeof *r.result.trials;
    r.result.trials = malloc(size + 1);
    if (!r.result.trials)
        give_up();
    memcpy(r.result.trials, buffer + sizeof r, size);
    free(buffer);
    if (r.job >= 0)
        desk->deliver(desk->context, r.job, r.status, &r.result, &r.error);
    free(r.result.trials);
}

bool ranks_attend(const ranks_desk *desk, int *dismissed) {
    int waits = 0, bytes = 0;
    MPI_Status who;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_REPORT, MPI_COMM_WORLD, &waits, &who);
    if (!waits)
        return false;
    MPI_Get_count(&who, MPI_BYTE, &bytes);
    receive(desk, &who, bytes);
    int64_t next = desk->take(desk->context);
    MPI_Send(&next, 1, MPI_INT64_T, who.MPI_SOURCE, TAG_NUMBER, MPI_COMM_WORLD);
    *dismissed += next < 0;
    return true;
}

int64_t ranks_exchange(int64_t job, besd_status status, const job_result *result,
                       const besd_error *error) {
    report r = {.job = job, .status = status};
    if (job >= 0 && status == BESD_OK)
        r.result = *result;
    if (job >= 0 && status != BESD_OK)
        r.error = *error;
    size_t size = r.result.trial_count * sizeof *r.result.trials;
    char *buffer = malloc(sizeof r + size);
    int64_t next = -1;
    if (!buffer)
        give_up();
    memcpy(buffer, &r, sizeof r);
    if (size)
        memcpy(buffer + sizeof r, r.result.trials, size);
    MPI_Send(buffer, (int)(sizeof r + size), MPI_BYTE, 0, TAG_REPORT, MPI_COMM_WORLD);
    free(buffer);
    MPI_Recv(&next, 1, MPI_INT64_T, 0, TAG_NUMBER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return next;
}

#else

int ranks_number(void) {
    return 0;
}

int ranks_count(void) {
    return 1;
}

besd_status ranks_begin(besd_error *error) {
    return besd_fail(error, BESD_UNSUPPORTED,
                     "MPI: it is not compiled in; install libopenmpi-dev and build again");
}

void ranks_end(void) {
}

bool ranks_attend(const ranks_desk *desk, int *dismissed) {
    (void)desk;
    (void)dismissed;
    return false;
}

int64_t ranks_exchange(int64_t job, besd_status status, const job_result *result,
                       const besd_error *error) {
    (void)job;
    (void)status;
    (void)result;
    (void)error;
    return -1;
}
#endif
