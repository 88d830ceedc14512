/* Memory in blocks: several arrays in one allocation, fingerprints of bytes, and loops over arrays
 * for the vector instructions of the processor. */
#ifndef BESD_CORE_MEMORY_H
#define BESD_CORE_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One array of a block. */
typedef struct memory_array {
    void *pointer; /* the address of the pointer that is to hold the array: &model->mean */
    size_t bytes;  /* 0 is fine: the pointer then holds an address that is not NULL */
} memory_array;

enum { MEMORY_ALIGNMENT = 64 }; /* of every array: a line of the cache */

/* Allocates one block with room for all arrays, and sets their pointers. Returns the block, which
 * free() gives back; NULL without memory. The bytes are not set. */
static inline void *memory_allocate(const memory_array *arrays, size_t count) {
    const size_t step = MEMORY_ALIGNMENT;
    size_t total = step;
    for (size_t i = 0; i < count; i++)
        total += (arrays[i].bytes + step - 1) / step * step;
    char *block = malloc(total), *next = block;
    if (!block)
        return NULL;
    next += (step - (uintptr_t)block % step) % step;
    for (size_t i = 0; i < count; i++) {
        memcpy(arrays[i].pointer, &next, sizeof next);
        next += (arrays[i].bytes + step - 1) / step * step;
    }
    return block;
}

/* FNV-1a, 64 bits: a fingerprint. Not for anything that must resist an adversary. */
#define HASH_START 0xcbf29ce484222325u

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

/* VECTORISED marks a function that is all plain loops over arrays. It is compiled for several
 * generations of x86-64, and the right version is chosen when the program starts. All versions
 * compute the same bytes, because products and sums are never fused (-ffp-contract=off). */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VECTORISED
#endif

#endif
