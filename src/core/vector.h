/* VECTORISED marks a function that is all plain loops over arrays: it is compiled for several
 * generations of x86-64 and the right one is chosen when the program starts. The bytes that come
 * out are the same, because products and sums are never fused (-ffp-contract=off). */
#ifndef BESD_CORE_VECTOR_H
#define BESD_CORE_VECTOR_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VECTORISED
#endif

#endif
