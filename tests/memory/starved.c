/* To be preloaded: the n-th allocation of the process fails, whichever library makes it.
 *
 *     STARVED_AT=17 LD_PRELOAD=./libstarved.so besd ...      the 17th, and no other
 *     STARVED_AT=17 STARVED_ON=1 ...                         the 17th and all after it
 *     STARVED_COUNT=FILE ...                                 how many there were, at the end
 *
 * Only the process that was called starves: commands that it starts have the variables of their own
 * (scripts/torture_memory.py), and a child without STARVED_AT gets what it asks for. Allocations
 * of the dynamic loader and of constructors, before main() and in dlopen(), are not counted: nobody
 * could tell, and libgfortran ends the process itself. A dlopen() as a whole is one that can fail.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long made;
static long starved_at;
static bool counting, from_then_on;
static const char *count_file;

static _Thread_local bool loading;

static bool fails(void) {
    if (!counting || loading)
        return false;
    long number = atomic_fetch_add(&made, 1) + 1;
    if (!starved_at || (from_then_on ? number < starved_at : number != starved_at))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return fails() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *made_here = fails() ? NULL : __libc_memalign(alignment, size);
    if (made_here)
        *memory = made_here;
    return made_here ? 0 : ENOMEM;
}

/* glibc's own calls malloc inside the C library, past the one above. */
char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *strndup(const char *text, size_t most) {
    size_t size = strnlen(text, most);
    char *copy = malloc(size + 1);
    if (copy) {
        memcpy(copy, text, size);
        copy[size] = 0;
    }
    return copy;
}

void *dlopen(const char *name, int mode) {
    static void *(*real)(const char *, int);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
    bool refused = !(mode & RTLD_NOLOAD) && fails();
    loading = true;
    void *library = real(refused ? "there is no memory for this library" : name, mode);
    loading = false;
    return library;
}

static void tell_count(void) {
    long number = atomic_load(&made);
    counting = false;
    FILE *file = count_file ? fopen(count_file, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld\n", number);
    fclose(file);
}

/* The last of the constructors; what was asked for is not passed on to children. */
__attribute__((constructor(65535))) static void begin(void) {
    const char *at = getenv("STARVED_AT"), *on = getenv("STARVED_ON");
    starved_at = at ? atol(at) : 0;
    from_then_on = on && *on == '1';
    const char *name = getenv("STARVED_COUNT");
    count_file = name ? strdup(name) : NULL;
    if (!at && !name)
        return;
    unsetenv("STARVED_AT");
    unsetenv("STARVED_ON");
    unsetenv("STARVED_COUNT");
    unsetenv("LD_PRELOAD");
    atexit(tell_count);
    counting = true;
}
