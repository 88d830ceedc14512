#include "core/names.h"

#include <ctype.h>
#include <string.h>

#define LONGEST 64

static int lower(char c) {
    return tolower((unsigned char)c);
}

bool names_equal(const char *a, const char *b) {
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Levenshtein's distance with one row; both names are shorter than LONGEST. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[LONGEST + 1], length = strlen(b);
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t substituted = diagonal + (lower(a[i]) != lower(b[j]));
            diagonal = row[j + 1];
            row[j + 1] = smaller(substituted, smaller(row[j], row[j + 1]) + 1);
        }
    }
    return row[length];
}

const char *names_nearest(const char *typed,
                          const char *(*known)(size_t index, const void *context),
                          const void *context) {
    size_t typed_length = strlen(typed), best_distance = 4;
    const char *best = NULL;
    if (typed_length > LONGEST)
        return NULL;
    for (size_t i = 0;; i++) {
        const char *name = known(i, context);
        if (!name)
            return best;
        size_t length = strlen(name), longer = length > typed_length ? length : typed_length;
        if (length > LONGEST)
            continue;
        size_t distance = edit_distance(typed, name);
        if (distance < best_distance && 2 * distance <= longer) {
            best_distance = distance;
            best = name;
        }
    }
}
