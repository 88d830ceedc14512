#define _GNU_SOURCE /* environ */
#include "cluster/ranks.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int number_in(const char *variable) {
    const char *text = getenv(variable);
    return text ? atoi(text) : 0;
}

bool ranks_launched(void) {
    if (number_in("OMPI_COMM_WORLD_SIZE") > 1 || number_in("PMI_SIZE") > 1)
        return true;
    return getenv("PMIX_RANK") && number_in("SLURM_STEP_NUM_TASKS") > 1; /* srun --mpi=pmix */
}

static bool is_of_the_job(const char *variable) {
    static const char *const beginnings[] = {
        "PMIX_",          "PMI_",           "OMPI_COMM_WORLD_",      "OMPI_UNIVERSE_SIZE",
        "OMPI_MCA_ess",   "OMPI_MCA_orte_", "OMPI_MCA_initial_wdir", "OMPI_MCA_pmix",
        "OMPI_APP_CTX_",  "OMPI_NUM_APP_",  "OMPI_FIRST_RANKS",      "OMPI_FILE_LOCATION",
        "OMPI_MCA_prte_", "OMPI_ARGV",      "OMPI_COMMAND"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (!strncmp(variable, beginnings[i], strlen(beginnings[i])))
            return true;
    return false;
}

void ranks_hide(void) {
    char name[128], number[16];
    for (char **at = environ; *at;) {
        size_t length = strcspn(*at, "=");
        if (is_of_the_job(*at) && length < sizeof name) {
            memcpy(name, *at, length);
            name[length] = 0;
            unsetenv(name); /* which moves the rest up */
        } else {
            at++;
        }
    }
    snprintf(number, sizeof number, "%d", ranks_number());
    setenv("BESD_RANK", number, 1);
}

#ifdef BESD_MPI
#include <mpi.h>
#include <signal.h>

enum { TAG = 1, PATIENCE_MS = 500 };

static int number, count = 1;
static bool is_incomplete;

/* What is on its way. */
typedef struct parcel {
    MPI_Request request;
    struct parcel *next;
    char bytes[];
} parcel;

static parcel *sent;

int ranks_number(void) {
    return number;
}

int ranks_count(void) {
    return count;
}

/* MPI has threads of its own. A signal that one of them takes wakes nobody who waits for it, so
 * they begin with all of them blocked. */
static bool start_mpi(void) {
    sigset_t all, before;
    int provided = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int result = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result == MPI_SUCCESS && provided >= MPI_THREAD_FUNNELED;
}

besd_status ranks_begin(besd_error *error) {
    if (!start_mpi())
        return besd_fail(error, BESD_UNSUPPORTED, "MPI: it offers no threads beside the main one");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    return BESD_OK;
}

/* Out of memory in the middle of an exchange: the job as a whole cannot go on. */
_Noreturn static void give_up(void) {
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void release_arrived(void) {
    for (parcel **at = &sent; *at;) {
        parcel *p = *at;
        int arrived = 0;
        MPI_Test(&p->request, &arrived, MPI_STATUS_IGNORE);
        if (arrived) {
            *at = p->next;
            free(p);
        } else {
            at = &p->next;
        }
    }
}

void ranks_send(int to, const void *bytes, size_t size) {
    parcel *p = malloc(sizeof *p + size);
    if (!p)
        give_up();
    memcpy(p->bytes, bytes, size);
    MPI_Isend(p->bytes, (int)size, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &p->request);
    p->next = sent;
    sent = p;
    release_arrived();
} // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): it is tested when the next one is sent

bool ranks_receive(rank_message *m) {
    int waits = 0, size = 0;
    MPI_Status who;
    release_arrived();
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &waits, &who) != MPI_SUCCESS || !waits)
        return false;
    MPI_Get_count(&who, MPI_BYTE, &size);
    m->from = who.MPI_SOURCE;
    m->size = (size_t)size;
    m->bytes = malloc(m->size + 1);
    if (!m->bytes)
        give_up();
    MPI_Recv(m->bytes, size, MPI_BYTE, m->from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    m->bytes[m->size] = 0; /* so that a text is one */
    return true;
}

void ranks_lose_one(void) {
    is_incomplete = true;
}

void ranks_end(void) {
    for (int i = 0; sent && (!is_incomplete || i < PATIENCE_MS); i++) {
        release_arrived(); /* the receiver may need us for that */
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    if (!is_incomplete)
        MPI_Finalize();
    count = 1;
    number = 0;
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

void ranks_lose_one(void) {
}

void ranks_send(int to, const void *bytes, size_t size) {
    (void)to;
    (void)bytes;
    (void)size;
}

bool ranks_receive(rank_message *m) {
    (void)m;
    return false;
}
#endif

void ranks_await(rank_message *m) {
    while (!ranks_receive(m))
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}
