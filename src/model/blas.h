/* OpenBLAS, opened when the first model is made and not when the program starts: loading it starts
 * a thread for every processor, and each of these maps 128 MB, again and again where there are
 * none. Under `ulimit -v` a program that only prints its version would never end. */
#ifndef BESD_MODEL_BLAS_H
#define BESD_MODEL_BLAS_H

#include "besd/status.h"

#include <cblas.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef BESD_OPENBLAS
#define BESD_OPENBLAS "libopenblas.so.0"
#endif

/* OpenBLAS has LAPACK's routines; LAPACKE, which would only pass them on, has messages that it
 * prints on standard output. The last argument is Fortran's length of the first. */
typedef void lapack_routine(const char *triangle, const int *n, double *matrix, const int *stride,
                            int *info, size_t length);
lapack_routine dpotrf_, dpotri_;

/* X(name, symbol): all that is used of it. */
#define BLAS_LIST(X)                                                                               \
    X(ddot, cblas_ddot)                                                                            \
    X(dgemv, cblas_dgemv)                                                                          \
    X(dtrsv, cblas_dtrsv)                                                                          \
    X(dgemm, cblas_dgemm)                                                                          \
    X(dtrsm, cblas_dtrsm)                                                                          \
    X(dpotrf, dpotrf_)                                                                             \
    X(dpotri, dpotri_)                                                                             \
    X(get_corename, openblas_get_corename)                                                         \
    X(set_num_threads, openblas_set_num_threads)

typedef struct blas_functions {
#define BLAS_MEMBER(name, symbol) __typeof__(symbol) *name;
    BLAS_LIST(BLAS_MEMBER)
#undef BLAS_MEMBER
} blas_functions;

/* There after the first blas_open, and the same until the process ends. */
extern blas_functions blas;

/* What OpenBLAS maps for each caller at a time, and can `callers` of them be mapped? */
enum { BLAS_CALLER_MB = 128 };
bool blas_has_room(size_t callers);

/* Any thread, any number of times; after a failure the next call tries again. BESD_MEMORY when
 * there is no room for the library, BESD_IO when it is not there. */
besd_status blas_open(besd_error *error);

#endif
