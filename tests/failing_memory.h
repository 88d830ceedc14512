/* Allocations that fail on demand, in the program and in every library it uses. For one test file:
 * malloc and its kin are defined here.
 *
 *     memory_fail(3, true);               the third allocation from now on fails, and no other
 *     status = work();
 *     bool it_did = memory_recover();     were there as many as three?
 */
#ifndef BESD_TESTS_FAILING_MEMORY_H
#define BESD_TESTS_FAILING_MEMORY_H

#include "sanitized.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* Volatile: compilers believe that malloc touches nothing of ours. */
static volatile struct {
    long left; /* allocations until the first failure; 0: none is wanted */
    bool once;
    bool failed;
} memory;

/* The n-th allocation fails; unless `once`, so do all after it, as when memory is used up. */
static inline void memory_fail(long n, bool once) {
    memory.failed = false;
    memory.once = once;
    memory.left = n;
}

/* The end of it; true when an allocation has failed. */
static inline bool memory_recover(void) {
    memory.left = 0;
    return memory.failed;
}

#ifdef SANITIZED
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *old, size_t size);

static bool fails(void) {
    if (!memory.left || --memory.left)
        return false;
    memory.failed = true;
    memory.left = memory.once ? 0 : 1;
    errno = ENOMEM;
    return true;
}

/* Public, as opposed to the rest of the program, for the libraries to call them. */
#define FOR_ALL __attribute__((visibility("default")))

FOR_ALL void *malloc(size_t size) {
    return fails() ? NULL : REAL(malloc)(size);
}

FOR_ALL void *calloc(size_t count, size_t size) {
    return fails() ? NULL : REAL(calloc)(count, size);
}

FOR_ALL void *realloc(void *old, size_t size) {
    return fails() ? NULL : REAL(realloc)(old, size);
}

#endif
