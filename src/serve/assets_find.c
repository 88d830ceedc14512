#include "serve/assets.h"

#include <string.h>

const asset *assets_find(const char *path) {
    for (const asset *a = assets; a->path; a++)
        if (!strcmp(a->path, path))
            return a;
    return NULL;
}
