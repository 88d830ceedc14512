#include "model/arithmetic.h"

#include <cblas.h>
#include <stdbool.h>
#include <stdio.h>

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
