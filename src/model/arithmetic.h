/* What the bytes of a computation depend on besides the program: OpenBLAS and the C library choose
 * kernels by the processor, and these round differently. */
#ifndef BESD_MODEL_ARITHMETIC_H
#define BESD_MODEL_ARITHMETIC_H

#include "besd/status.h"

#include <stddef.h>

/* To be called before anything of OpenBLAS computes, which it opens: one thread for each caller,
 * and room for `callers` at a time. OpenBLAS maps 128 MB for each when it first needs them, and
 * where there are none it asks again for ever: under `ulimit -v` a process would never end.
 * BESD_MEMORY when they are not to be had, BESD_IO when OpenBLAS is not there. */
besd_status arithmetic_begin(size_t callers, besd_error *error);

/* "OpenBLAS SkylakeX, fused": two processes with the same text and libraries compute the same
 * bytes. Opens OpenBLAS, whose choice it is; "" after a failure. */
enum { ARITHMETIC_NAME_SIZE = 80 };
besd_status arithmetic_name(char *name, size_t size, besd_error *error);

#endif
