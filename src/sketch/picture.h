/* Pictures, row by row: PNG and PGM. A picture is somebody else's file, so its size is checked
 * before anything is allocated, and what a picture of 8192 x 8192 pixels takes is the most that
 * any takes. */
#ifndef BESD_SKETCH_PICTURE_H
#define BESD_SKETCH_PICTURE_H

#include "besd/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PICTURE_LONGEST = 32768, PICTURE_MOST_PIXELS = 1 << 26 };

/* One pixel: how bright, and how opaque; 0 to 255. */
typedef struct picture_pixel {
    uint8_t grey, opacity;
} picture_pixel;

/* Who takes the picture. */
typedef struct picture_taker {
    void *context;
    besd_status (*begin)(void *context, int width, int height, besd_error *error);
    /* Row y, counted from the top. The rows come in order, each once. */
    void (*row)(void *context, int y, const picture_pixel *pixels);
} picture_taker;

/* Reads the picture in a file. What is no picture, is cut off or too large is refused. */
besd_status picture_read(const char *path, const picture_taker *taker, besd_error *error);

/* Ends in .png, .pgm or .pnm? */
bool picture_is(const char *path);

/* For picture_png.c: the rest of a PNG file, of which nothing has been read; and the limits. */
besd_status picture_read_png(const char *path, FILE *file, const picture_taker *taker,
                             besd_error *error);
besd_status picture_check_size(const char *path, uint64_t width, uint64_t height,
                               besd_error *error);

#endif
