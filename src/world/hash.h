/* FNV-1a, 64 bits: fingerprints of instances. Not for anything that must resist an adversary. */
#ifndef BESD_WORLD_HASH_H
#define BESD_WORLD_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xcbf29ce484222325u

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

#endif
