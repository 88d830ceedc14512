#include "model/arithmetic.h"

#include "core/error.h"
#include "model/cholesky.h"

#include <cblas.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>

/* What OpenBLAS maps for one caller. */
enum { ROOM_MB = 128 };

/* Mapped as OpenBLAS does it, one by one, so that limits and the kernel's accounts answer the same.
 */
static bool can_map(size_t rooms) {
    size_t bytes = (size_t)ROOM_MB << 20;
    if (!rooms)
        return true;
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return false;
    bool rest = can_map(rooms - 1);
    return !munmap(room, bytes) && rest;
}

besd_status arithmetic_begin(size_t callers, besd_error *error) {
    static _Thread_local bool begun;
    if (begun && callers == 1)
        return BESD_OK;
    if (!can_map(callers))
        return besd_fail(error, BESD_MEMORY,
                         "out of memory: the model needs %zu MB more of address space; does "
                         "'ulimit -v' or a batch system keep it short?",
                         callers * ROOM_MB);
    openblas_set_num_threads(1);
    double one = 1, room = 0;
    begun = cholesky_factorise(&one, 1, &room); /* OpenBLAS takes its room now, and keeps it */
    return BESD_OK;
}

/* Does the C library take its exp and log with fused products? */
static bool is_fused(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
    return true;
#endif
}

const char *arithmetic_name(void) {
    static _Thread_local char name[80];
    snprintf(name, sizeof name, "OpenBLAS %s%s", openblas_get_corename(),
             is_fused() ? ", fused" : "");
    return name;
}
