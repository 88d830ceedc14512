/* The page as one file: the modules, styles and d3 of the live page with what they show inside, so
 * that it opens from a mail, without a server or a network. The modules become one script; a policy
 * lets the browser run that very script and load nothing. */
#ifndef BESD_PAGE_BUNDLE_H
#define BESD_PAGE_BUNDLE_H

#include "besd/status.h"

#include <stddef.h>

/* A file inside the program: the page, and the description of the service. cmake/embed.cmake makes
 * the table from src/page/web, src/serve/openapi.json and docs/schema.json. */
typedef struct asset {
    const char *path, *type; /* "app.js"; path NULL: the end of the table */
    const unsigned char *bytes;
    size_t size;
} asset;

extern const asset assets[];

/* Writes the page with this JSON in it. What was in the file is replaced at once, or stays. */
besd_status bundle_write(const char *path, const char *json, size_t size, besd_error *error);

#endif
