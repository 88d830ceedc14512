/* Pictures: refused with a sentence, or as many rows as were announced, in order. */
#include "fuzz.h"

#include "sketch/picture.h"

enum { MOST_PIXELS = 1 << 20 }; /* larger ones are only slower */

typedef struct seen {
    int width, height, rows;
    unsigned long sum;
} seen;

static besd_status begin(void *context, int width, int height, besd_error *error) {
    seen *s = context;
    if (width < 1 || height < 1 || s->height)
        abort();
    s->width = width;
    s->height = height;
    if ((long)width * height <= MOST_PIXELS)
        return BESD_OK;
    snprintf(error->message, sizeof error->message, "too slow");
    return BESD_INVALID;
}

static void take_row(void *context, int y, const picture_pixel *pixels) {
    seen *s = context;
    if (y != s->rows++)
        abort();
    for (int x = 0; x < s->width; x++)
        s->sum += pixels[x].grey + pixels[x].opacity;
}

static void look(const char *path) {
    besd_error error = {0};
    seen s = {0};
    const picture_taker taker = {&s, begin, take_row};
    besd_status status = picture_read(path, &taker, &error);
    if (status == BESD_OK ? s.rows != s.height : !error.message[0])
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_file(data, size, look);
    return 0;
}
