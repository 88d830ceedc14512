/* PGM, plain (P2) and raw (P5), and which of the two readers a file is for. */
#include "sketch/picture.h"

#include "core/error.h"
#include "core/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool picture_is(const char *path) {
    static const char *const endings[] = {".png", ".pgm", ".pnm"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (length > 4 && names_equal(path + length - 4, endings[i]))
            return true;
    return false;
}

besd_status picture_check_size(const char *path, uint64_t width, uint64_t height,
                               besd_error *error) {
    if (!width || !height)
        return besd_fail(error, BESD_INVALID, "%s: the picture has no pixels", path);
    if (width > PICTURE_LONGEST || height > PICTURE_LONGEST || width * height > PICTURE_MOST_PIXELS)
        return besd_fail(error, BESD_INVALID,
                         "%s: expected a picture of at most %d pixels a side and %d million in "
                         "all, got %llu x %llu; make it smaller, a tenth of the robot's size per "
                         "pixel is fine enough",
                         path, PICTURE_LONGEST, PICTURE_MOST_PIXELS >> 20,
                         (unsigned long long)width, (unsigned long long)height);
    return BESD_OK;
}

/* The next number of the header, or of a plain picture; comments go from # to the end of the line.
 * False at the end of the file, at other characters, and beyond a million. */
static bool next_number(FILE *file, uint64_t *number) {
    int c = getc_unlocked(file);
    while (c == '#' || isspace(c)) {
        while (c == '#' && (c = getc_unlocked(file)) != '\n' && c != EOF)
            c = '#';
        c = getc_unlocked(file);
    }
    if (!isdigit(c))
        return false;
    for (*number = 0; isdigit(c); c = getc_unlocked(file)) {
        *number = 10 * *number + (uint64_t)(c - '0');
        if (*number > 1000000)
            return false;
    }
    return c == EOF || isspace(c) || (c == '#' && ungetc(c, file) == c);
}

typedef struct pgm {
    uint64_t width, height, most;
    bool plain;
} pgm;

static bool read_raw_row(FILE *file, const pgm *p, uint8_t *bytes, picture_pixel *row) {
    const size_t wide = p->most > 255 ? 2 : 1;
    if (fread(bytes, wide, (size_t)p->width, file) != p->width)
        return false;
    for (size_t x = 0; x < p->width; x++) {
        uint64_t value = wide == 2 ? bytes[2 * x] * UINT64_C(256) + bytes[2 * x + 1] : bytes[x];
        value = value < p->most ? value : p->most;
        row[x] = (picture_pixel){(uint8_t)(value * 255 / p->most), 255};
    }
    return true;
}

static bool read_plain_row(FILE *file, const pgm *p, picture_pixel *row) {
    for (size_t x = 0; x < p->width; x++) {
        uint64_t value;
        if (!next_number(file, &value) || value > p->most)
            return false;
        row[x] = (picture_pixel){(uint8_t)(value * 255 / p->most), 255};
    }
    return true;
}

static besd_status read_rows(const char *path, FILE *file, const pgm *p, const picture_taker *taker,
                             besd_error *error) {
    picture_pixel *row = malloc((size_t)p->width * sizeof *row);
    uint8_t *bytes = malloc(2 * (size_t)p->width);
    besd_status status = row && bytes ? BESD_OK : besd_fail_memory(error, "the picture");
    if (status == BESD_OK)
        status = taker->begin(taker->context, (int)p->width, (int)p->height, error);
    for (int y = 0; status == BESD_OK && y < (int)p->height; y++) {
        if (p->plain ? read_plain_row(file, p, row) : read_raw_row(file, p, bytes, row))
            taker->row(taker->context, y, row);
        else
            status =
                besd_fail(error, BESD_INVALID,
                          "%s: expected %llu rows of %llu pixels, row %d is cut off or wrong", path,
                          (unsigned long long)p->height, (unsigned long long)p->width, y + 1);
    }
    free(row);
    free(bytes);
    return status;
}

static besd_status read_pgm(const char *path, FILE *file, bool plain, const picture_taker *taker,
                            besd_error *error) {
    pgm p = {.plain = plain};
    if (!next_number(file, &p.width) || !next_number(file, &p.height) ||
        !next_number(file, &p.most) || !p.most || p.most > 65535)
        return besd_fail(error, BESD_INVALID,
                         "%s: its header is no PGM's: expected width, height and the largest "
                         "value, 1 to 65535",
                         path);
    besd_status status = picture_check_size(path, p.width, p.height, error);
    return status == BESD_OK ? read_rows(path, file, &p, taker, error) : status;
}

besd_status picture_read(const char *path, const picture_taker *taker, besd_error *error) {
    struct stat about;
    unsigned char magic[2];
    if (stat(path, &about))
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return besd_fail(error, BESD_IO, "%s: expected a picture, and it is no file", path);
    FILE *file = fopen(path, "rb");
    if (!file)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    besd_status status;
    if (fread(magic, 1, 2, file) != 2)
        magic[0] = magic[1] = 0;
    if (magic[0] == 'P' && (magic[1] == '2' || magic[1] == '5')) {
        status = read_pgm(path, file, magic[1] == '2', taker, error);
    } else if (magic[0] == 0x89 && magic[1] == 'P') {
        rewind(file);
        status = picture_read_png(path, file, taker, error);
    } else {
        status =
            besd_fail(error, BESD_INVALID,
                      "%s: expected a picture, PNG or PGM (P2 or P5); it begins otherwise", path);
    }
    fclose(file);
    return status;
}
