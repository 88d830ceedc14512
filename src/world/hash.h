/* FNV-1a, 64 bits: fingerprints of instances. Not for anything that must resist an adversary. */
#ifndef BESD_WORLD_HASH_H
#define BESD_WORLD_HASH_H

#include "besd/env.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START 0xcbf29ce484222325u

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

/* With the zero at the end of a name, so that it can be told apart from the value that follows. */
static inline uint64_t hash_parameters(uint64_t hash, const besd_env_parameter *parameters,
                                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        hash = hash_bytes(hash, parameters[i].name, strlen(parameters[i].name) + 1);
        hash = hash_bytes(hash, &parameters[i].value, sizeof parameters[i].value);
    }
    return hash;
}

#endif
