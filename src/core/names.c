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

static bool are_swapped(const char *a, const char *b) {
    return lower(a[0]) == lower(b[1]) && lower(a[1]) == lower(b[0]);
}

/* How many letters must be added, left out, replaced or swapped with their neighbour; both names
 * are no longer than LONGEST. */
static size_t edit_distance(const char *a, const char *b) {
    size_t rows[3][LONGEST + 1], length = strlen(b), i = 0;
    for (size_t j = 0; j <= length; j++)
        rows[0][j] = j;
    for (; a[i]; i++) {
        const size_t *above = rows[i % 3], *second = rows[(i + 2) % 3];
        size_t *row = rows[(i + 1) % 3];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t replaced = above[j] + (lower(a[i]) != lower(b[j]));
            row[j + 1] = smaller(replaced, smaller(row[j], above[j + 1]) + 1);
            if (i && j && are_swapped(a + i - 1, b + j - 1))
                row[j + 1] = smaller(row[j + 1], second[j - 1] + 1);
        }
    }
    return rows[i % 3][length];
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
