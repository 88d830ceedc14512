/* What the bytes of a computation depend on besides the program: OpenBLAS and the C library choose
 * kernels by the processor, and these round differently. */
#ifndef BESD_MODEL_ARITHMETIC_H
#define BESD_MODEL_ARITHMETIC_H

#include "besd/status.h"

#include <stddef.h>

/* To be called before anything of OpenBLAS computes: one thread for each caller, and room for
 * `callers` at a time. OpenBLAS maps 128 MB for each when it first needs them, and where there are
 * none it asks again for ever: under `ulimit -v` a process would never end. BESD_MEMORY when they
 * are not to be had. */
besd_status arithmetic_begin(size_t callers, besd_error *error);

/* "OpenBLAS SkylakeX, fused": two processes with the same text and libraries compute the same
 * bytes. */
const char *arithmetic_name(void);

#endif
