#include "model/arithmetic.h"

#include "core/error.h"
#include "model/blas.h"
#include "model/cholesky.h"

#include <stdbool.h>
#include <stdio.h>

besd_status arithmetic_begin(size_t callers, besd_error *error) {
    static _Thread_local bool begun;
    if (begun && callers == 1)
        return BESD_OK;
    besd_status status = blas_open(error);
    if (status != BESD_OK)
        return status;
    if (!blas_has_room(callers))
        return besd_fail(error, BESD_MEMORY,
                         "out of memory: the model needs %zu MB more of address space; does "
                         "'ulimit -v' or a batch system keep it short?",
                         callers * BLAS_CALLER_MB);
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

besd_status arithmetic_name(char *name, size_t size, besd_error *error) {
    if (size)
        *name = 0;
    besd_status status = blas_open(error);
    if (status == BESD_OK)
        snprintf(name, size, "OpenBLAS %s%s", blas.get_corename(), is_fused() ? ", fused" : "");
    return status;
}
