/* OpenBLAS starts as many threads as its first caller has processors. So the thread that opens the
 * library has one processor meanwhile. That concerns this thread only; an environment variable
 * would concern the whole program and the commands it starts.
 *
 * LAPACK stores columns, so the caller of Cholesky lends memory for the transposed matrix, and
 * nothing is allocated. The same bytes read as the upper triangle of columns would need no
 * transposition; but LAPACK adds in another order for that triangle, and the last bits would differ
 * from those of older studies. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "model/blas.h"

#include "core/error.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The library and the libraries it needs take 40 MB; each of its threads has a stack, too. */
enum { LIBRARY_MB = 48, THREAD_MB = BLAS_CALLER_MB + 8 };

blas_functions blas;

/* Can a block of `megabytes` be mapped, and beside it `times` blocks of `others`? They are mapped
 * one by one, as OpenBLAS does, so that limits and the kernel's accounts give the same answer. */
static bool can_map(size_t megabytes, size_t others, size_t times) {
    size_t bytes = megabytes << 20;
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return false;
    bool rest = !times || can_map(others, others, times - 1);
    return !munmap(room, bytes) && rest;
}

/* Can memory be mapped for this number of callers? */
static bool has_room(size_t callers) {
    return !callers || can_map(BLAS_CALLER_MB, BLAS_CALLER_MB, callers - 1);
}

/* Leaves this thread one of its processors. Returns how many threads OpenBLAS will start. */
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
    if (*library) /* the program has opened it, with its own number of threads */
        return BESD_OK;
    cpu_set_t before;
    bool narrowed;
    size_t threads = narrow(&before, &narrowed);
    /* room for the first caller, too: without it the library would be opened in vain */
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

/* Refuses sizes that LAPACK would complain of, because it complains on standard error. */
static bool call(lapack_routine *routine, double *matrix, size_t n) {
    int order = (int)n, info = -1;
    if (n < 1 || n > INT_MAX)
        return false;
    routine("L", &order, matrix, &order, &info, 1);
    return info == 0;
}

/* A tile of both matrices fits into the innermost cache. */
enum { TILE = 32 };

/* out[j * n + i] = in[i * n + j] for a triangle of `in`: below the diagonal, or above it. */
static void transpose(const double *in, double *out, size_t n, bool below) {
    for (size_t row = 0; row < n; row += TILE)
        for (size_t column = below ? 0 : row; column < (below ? row + 1 : n); column += TILE)
            for (size_t i = row; i < row + TILE && i < n; i++) {
                size_t first = below || column > i ? column : i, last = below ? i + 1 : n;
                for (size_t j = first; j < column + TILE && j < last; j++)
                    out[j * n + i] = in[i * n + j];
            }
}

bool cholesky_factorise(double *matrix, size_t n, double *room) {
    transpose(matrix, room, n, true);
    if (!call(blas.dpotrf, room, n))
        return false;
    transpose(room, matrix, n, false);
    return isfinite(matrix[n * n - 1]); /* the last pivot: OpenBLAS lets NaN pass */
}

bool cholesky_invert(double *factor, size_t n, double *room) {
    transpose(factor, room, n, true);
    if (!call(blas.dpotri, room, n))
        return false;
    transpose(room, factor, n, false);
    return true;
}

besd_status arithmetic_begin(size_t callers, besd_error *error) {
    static _Thread_local bool begun;
    if (begun && callers == 1)
        return BESD_OK;
    besd_status status = blas_open(error);
    if (status != BESD_OK)
        return status;
    if (!has_room(callers))
        return besd_fail(error, BESD_MEMORY,
                         "out of memory: the model needs %zu MB more of address space; does "
                         "'ulimit -v' or a batch system keep it short?",
                         callers * BLAS_CALLER_MB);
    double one = 1, room = 0;
    begun = cholesky_factorise(&one, 1, &room); /* OpenBLAS takes its room now, and keeps it */
    return BESD_OK;
}

/* Does the C library compute exp and log with fused products? */
static bool is_fused(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
    return true;
#endif
}

besd_status arithmetic_name(char *name, size_t size, besd_error *error) {
    if (size)
        *name = 0;
    besd_status status = blas_open(error);
    if (status == BESD_OK)
        snprintf(name, size, "OpenBLAS %s%s", blas.get_corename(), is_fused() ? ", fused" : "");
    return status;
}
