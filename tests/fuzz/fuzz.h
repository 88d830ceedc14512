/* What the fuzz targets share: libFuzzer's one function, and its bytes as a text or as a file. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#ifndef BESD_TESTS_FUZZ_H
#define BESD_TESTS_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* To be freed. */
static inline char *fuzz_text(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = 0;
    return text;
}

/* Calls read(path) on a file in memory. */
static inline void fuzz_file(const uint8_t *data, size_t size, void (*read)(const char *path)) {
    char path[64];
    int file = memfd_create("fuzz.yaml", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    read(path);
    close(file);
}

#endif
