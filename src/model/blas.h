/* Linear algebra by OpenBLAS, and what its bytes depend on.
 *
 * OpenBLAS is opened when the first model is made and not when the program starts. Loading it
 * starts a thread for every processor. Each thread maps 128 MB, and tries again without end when it
 * cannot. Under
 * `ulimit -v` a program that only prints its version would never end. */
#ifndef BESD_MODEL_BLAS_H
#define BESD_MODEL_BLAS_H

#include "besd/status.h"

#include <cblas.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef BESD_OPENBLAS
#define BESD_OPENBLAS "libopenblas.so.0"
#endif

/* The routines of LAPACK in OpenBLAS. LAPACKE would only pass calls on, and prints messages on
 * standard output. The last argument is Fortran's length of the first. */
typedef void lapack_routine(const char *triangle, const int *n, double *matrix, const int *stride,
                            int *info, size_t length);
lapack_routine dpotrf_, dpotri_;

/* X(name, symbol): the functions that besd uses. */
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

/* Set by the first blas_open, and then the same until the process ends. */
extern blas_functions blas;

/* What OpenBLAS maps for each caller. */
enum { BLAS_CALLER_MB = 128 };

/* For any thread, any number of times; after a failure the next call tries again. BESD_MEMORY when
 * there is no room for the library, BESD_IO when it is not installed. */
besd_status blas_open(besd_error *error);

/* Opens OpenBLAS with one thread for each caller, and checks that there is room for `callers` at a
 * time; to be called before anything of OpenBLAS computes. OpenBLAS maps 128 MB for a caller when
 * it first needs them. When it cannot have them it asks again without end, so under `ulimit -v` the
 * process would hang. BESD_MEMORY when there is no room, BESD_IO when OpenBLAS is not
 * installed. */
besd_status arithmetic_begin(size_t callers, besd_error *error);

/* "OpenBLAS SkylakeX, fused": what the bytes of a computation depend on besides the program.
 * OpenBLAS and the C library choose their code by the processor, and the choices round differently.
 * Two processes with the same text and the same libraries compute the same bytes. Opens OpenBLAS;
 * "" after a failure. */
enum { ARITHMETIC_NAME_SIZE = 80 };
besd_status arithmetic_name(char *name, size_t size, besd_error *error);

/* Covariance matrices are factorised and inverted in place by LAPACK. They are lower triangles of
 * row-major [n * n]; what is above the diagonal is neither read nor written.
 *
 * Replaces the matrix by its lower Cholesky factor, for n >= 1; false when it is not positive
 * definite, and then the matrix is lost. `room` [n * n] is work space. */
bool cholesky_factorise(double *matrix, size_t n, double *room);

/* Replaces a factor by the inverse of the matrix it belongs to. */
bool cholesky_invert(double *factor, size_t n, double *room);

#endif
