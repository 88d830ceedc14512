/* What the bytes of a computation depend on besides the program: OpenBLAS and the C library choose
 * kernels by the processor, and these round differently. */
#ifndef BESD_MODEL_ARITHMETIC_H
#define BESD_MODEL_ARITHMETIC_H

/* "OpenBLAS SkylakeX, fused": two processes with the same text and libraries compute the same
 * bytes. */
const char *arithmetic_name(void);

#endif
