/* PNG, by libpng. What is not grey becomes grey, what is not 8 bits deep becomes so. libpng leaves
 * by longjmp, so whatever a jump must find again lives in one struct outside of the function that
 * sets the mark. An interlaced picture has to be read as a whole, 128 MiB at most. */
#include "sketch/picture.h"

#include "core/error.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

typedef struct png_reader {
    const char *path;
    const picture_taker *taker;
    png_structp png;
    png_infop info;
    jmp_buf mark;
    picture_pixel *pixels; /* a row, or all of an interlaced picture */
    besd_status status;
    besd_error *error;
} png_reader;

_Static_assert(sizeof(picture_pixel) == 2, "libpng writes grey and opacity, a byte each");

static void leave(png_structp png, png_const_charp why) {
    png_reader *r = png_get_error_ptr(png);
    r->status = besd_fail(r->error, BESD_INVALID,
                          "%s: the PNG is cut off or damaged (libpng: %.200s)", r->path, why);
    longjmp(r->mark, 1);
}

static void hear(png_structp png, png_const_charp warning) {
    (void)png;
    (void)warning;
}

/* Chunks that say nothing about pixels can be of any size; none needs more than this. */
enum { LARGEST_CHUNK = 8 << 20, MOST_CHUNKS = 100 };

static void ask_for_grey(png_reader *r) {
    png_set_expand(r->png);
    png_set_scale_16(r->png);
    png_set_rgb_to_gray(r->png, PNG_ERROR_ACTION_NONE, PNG_RGB_TO_GRAY_DEFAULT,
                        PNG_RGB_TO_GRAY_DEFAULT);
    png_set_add_alpha(r->png, 255, PNG_FILLER_AFTER);
}

static void read_rows(png_reader *r) {
    const int width = (int)png_get_image_width(r->png, r->info);
    const int height = (int)png_get_image_height(r->png, r->info);
    const int passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    if (png_get_rowbytes(r->png, r->info) != (size_t)width * sizeof *r->pixels)
        png_error(r->png, "its pixels could not be made grey");
    const size_t kept = passes > 1 ? (size_t)height : 1;
    r->pixels = calloc(kept * (size_t)width, sizeof *r->pixels);
    if (!r->pixels) {
        r->status = besd_fail_memory(r->error, "the picture");
        return;
    }
    r->status = r->taker->begin(r->taker->context, width, height, r->error);
    for (int pass = 0; r->status == BESD_OK && pass < passes; pass++)
        for (int y = 0; y < height; y++) {
            picture_pixel *row = r->pixels + (passes > 1 ? (size_t)y * (size_t)width : 0);
            png_read_row(r->png, (png_bytep)row, NULL);
            if (pass + 1 == passes)
                r->taker->row(r->taker->context, y, row);
        }
    if (r->status == BESD_OK)
        png_read_end(r->png, NULL);
}

static void read_all(png_reader *r, FILE *file) {
    if (setjmp(r->mark))
        return;
    png_set_user_limits(r->png, PICTURE_LONGEST, PICTURE_LONGEST);
    png_set_chunk_malloc_max(r->png, LARGEST_CHUNK);
    png_set_chunk_cache_max(r->png, MOST_CHUNKS);
    png_init_io(r->png, file);
    png_read_info(r->png, r->info);
    r->status = picture_check_size(r->path, png_get_image_width(r->png, r->info),
                                   png_get_image_height(r->png, r->info), r->error);
    if (r->status != BESD_OK)
        return;
    ask_for_grey(r);
    read_rows(r);
}

besd_status picture_read_png(const char *path, FILE *file, const picture_taker *taker,
                             besd_error *error) {
    png_reader *r = calloc(1, sizeof *r);
    if (!r)
        return besd_fail_memory(error, "the picture");
    *r = (png_reader){.path = path, .taker = taker, .status = BESD_MEMORY, .error = error};
    r->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, leave, hear);
    r->info = r->png ? png_create_info_struct(r->png) : NULL;
    if (r->info)
        read_all(r, file);
    else
        besd_fail_memory(error, "the picture");
    besd_status status = r->status;
    png_destroy_read_struct(&r->png, &r->info, NULL);
    free(r->pixels);
    free(r);
    return status;
}
