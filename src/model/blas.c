/* OpenBLAS starts as many threads as its first caller has processors, so that one is lent a single
 * one for as long as the library is opened: a thread's own affair, where a variable of the
 * environment would be the whole program's and that of the commands it starts. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "model/blas.h"

#include "core/error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The library with those it needs takes 40 MB; a thread of it has a stack too. */
enum { LIBRARY_MB = 48, THREAD_MB = BLAS_CALLER_MB + 8 };

blas_functions blas;

/* Some megabytes, and then others a number of times: mapped as OpenBLAS does it, one by one, so
 * that limits and the kernel's accounts answer the same. */
static bool can_map(size_t megabytes, size_t others, size_t times) {
    size_t bytes = megabytes << 20;
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return false;
    bool rest = !times || can_map(others, others, times - 1);
    return !munmap(room, bytes) && rest;
}

bool blas_has_room(size_t callers) {
    return !callers || can_map(BLAS_CALLER_MB, BLAS_CALLER_MB, callers - 1);
}

/* Leaves this thread one of its processors; how many threads will OpenBLAS start besides it? */
static size_t narrow(cpu_set_t *before, bool *narrowed) {
    cpu_set_t one;
    *narrowed = false;
    if (sched_getaffinity(0, sizeof *before, before)) { /* there are more than a cpu_set_t holds */
        long processors = sysconf(_SC_NPROCESSORS_CONF);
        return processors > 1 ? (size_t)processors - 1 : 0;
    }
    size_t first = 0;
    while (!CPU_ISSET(first, before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    *narrowed = !sched_setaffinity(0, sizeof one, &one);
    return *narrowed ? 0 : (size_t)CPU_COUNT(before) - 1;
}

static besd_status fail_room(size_t threads, besd_error *error) {
    return besd_fail(error, BESD_MEMORY,
                     "out of memory: OpenBLAS needs %zu MB more of address space; does 'ulimit -v' "
                     "or a batch system keep it short?",
                     LIBRARY_MB + BLAS_CALLER_MB + THREAD_MB * threads);
}

static besd_status load(void **library, besd_error *error) {
    *library = dlopen(BESD_OPENBLAS, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (*library) /* the program has it, and as many threads as it likes */
        return BESD_OK;
    cpu_set_t before;
    bool narrowed;
    size_t threads = narrow(&before, &narrowed);
    /* and for the first caller, without whom it would be open for nothing */
    bool has_room = can_map(LIBRARY_MB + BLAS_CALLER_MB, THREAD_MB, threads);
    if (has_room)
        *library = dlopen(BESD_OPENBLAS, RTLD_NOW | RTLD_LOCAL);
    if (narrowed)
        sched_setaffinity(0, sizeof before, &before);
    if (!has_room)
        return fail_room(threads, error);
    if (!*library)
        return besd_fail(error, BESD_IO,
                         "OpenBLAS (Debian's package libopenblas0), which the model computes with, "
                         "cannot be opened: %s",
                         dlerror());
    return BESD_OK;
}

static besd_status find(void *library, blas_functions *found, besd_error *error) {
    void *symbol;
#define BLAS_FIND(name, called)                                                                    \
    symbol = dlsym(library, #called);                                                              \
    if (!symbol)                                                                                   \
        return besd_fail(error, BESD_IO, "%s: it has no function %s; is it OpenBLAS?",             \
                         BESD_OPENBLAS, #called);                                                  \
    memcpy(&found->name, &symbol, sizeof symbol); /* ISO C has no cast for this */
    BLAS_LIST(BLAS_FIND)
#undef BLAS_FIND
    return BESD_OK;
}

besd_status blas_open(besd_error *error) {
    static atomic_bool opened;
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    if (atomic_load_explicit(&opened, memory_order_acquire))
        return BESD_OK;
    pthread_mutex_lock(&turn);
    besd_status status = BESD_OK;
    if (!atomic_load_explicit(&opened, memory_order_relaxed)) {
        void *library = NULL; /* stays open */
        blas_functions found;
        status = load(&library, error);
        if (status == BESD_OK)
            status = find(library, &found, error);
        if (status == BESD_OK) {
            blas = found;
            blas.set_num_threads(1);
            atomic_store_explicit(&opened, true, memory_order_release);
        } else if (library) {
            dlclose(library);
        }
    }
    pthread_mutex_unlock(&turn);
    return status;
}
