#include "contest/own_map.h"

#include "core/error.h"
#include "world/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 17, LONGEST_PATH = 1024 };

/* By a number, because a domain may have any name. */
static bool find_path(const char *folder, const char *identity, char path[LONGEST_PATH]) {
    return snprintf(path, LONGEST_PATH, "%s/map-%016llx.txt", folder,
                    (unsigned long long)hash_bytes(HASH_START, identity, strlen(identity))) <
           LONGEST_PATH;
}

besd_status own_map_keep(const char *folder, const char *identity, const domain *d,
                         besd_error *error) {
    char path[LONGEST_PATH];
    domain known;
    if (d->kind != DOMAIN_GRID || domain_from_identity(identity, &known) ||
        !find_path(folder, identity, path))
        return BESD_OK;
    char *text = malloc(LARGEST);
    if (!text)
        return besd_fail_memory(error, "a map");
    FILE *file = grid_map_print(&d->map, text, LARGEST) <= LARGEST ? fopen(path, "w") : NULL;
    bool written = file && fputs(text, file) >= 0;
    if (file && fclose(file))
        written = false;
    free(text);
    return written
               ? BESD_OK
               : besd_fail(error, BESD_IO, "%s: could not be written: %s", path, strerror(errno));
}

grid_map *own_map_read(const char *folder, const char *identity) {
    char path[LONGEST_PATH];
    FILE *file = find_path(folder, identity, path) ? fopen(path, "r") : NULL;
    char *text = file ? calloc(1, LARGEST) : NULL;
    grid_map *map = text ? malloc(sizeof *map) : NULL;
    if (map) {
        text[fread(text, 1, LARGEST - 1, file)] = 0;
        if (grid_map_parse(text, map, NULL) != BESD_OK) {
            free(map);
            map = NULL;
        }
    }
    free(text);
    if (file)
        fclose(file);
    return map;
}
