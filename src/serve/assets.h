/* The files of the live page and the description of the service, inside the program:
 * cmake/embed.cmake makes the table from src/serve/page/ and src/serve/openapi.json. */
#ifndef BESD_SERVE_ASSETS_H
#define BESD_SERVE_ASSETS_H

#include <stddef.h>

typedef struct asset {
    const char *path, *type; /* "app.js"; path NULL: the end of the table */
    const unsigned char *bytes;
    size_t size;
} asset;

extern const asset assets[];

/* NULL: there is none of this name. */
const asset *assets_find(const char *path);

#endif
