#include "core/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The first letter of a text: its bytes, and what is shown in its place. */
typedef struct piece {
    size_t size;
    const char *shown;
    size_t shown_size;
} piece;

static bool continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The bytes that a letter has by its first one; 0 when no letter begins so. */
static size_t letter_size(unsigned char first) {
    return first < 0x80   ? 1
           : first < 0xc2 ? 0
           : first < 0xe0 ? 2
           : first < 0xf0 ? 3
           : first < 0xf5 ? 4
                          : 0;
}

size_t text_cut(const char *text, size_t most) {
    size_t length = strnlen(text, most + 1);
    if (length <= most)
        return length;
    for (length = most; length > 0 && continues(text[length]);)
        length--;
    return length;
}

/* How many of the bytes can belong to one letter. */
static size_t coherent(const char *text, size_t size, size_t length) {
    size_t i = 1;
    while (i < size && i < length && continues(text[i]))
        i++;
    return i;
}

static uint32_t decode(const char *text, size_t size) {
    uint32_t code = (unsigned char)text[0] & (size > 1 ? 0x7fU >> size : 0x7fU);
    for (size_t i = 1; i < size; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3fU);
    return code;
}

/* Neither an overlong form, nor a surrogate, nor beyond the last code of Unicode. */
static bool is_letter(uint32_t code, size_t size) {
    static const uint32_t first[] = {0, 0, 0x80, 0x800, 0x10000};
    return code >= first[size] && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}

bool text_is_utf8(const char *text) {
    size_t length = strlen(text);
    while (length) {
        size_t size = letter_size((unsigned char)*text);
        if (!size || coherent(text, size, length) < size || !is_letter(decode(text, size), size))
            return false;
        text += size;
        length -= size;
    }
    return true;
}

static bool turns_direction(uint32_t code) {
    return code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

static bool ends_line(uint32_t code) {
    return code == 0x2028 || code == 0x2029;
}

static piece instead(size_t size, const char *shown) {
    return (piece){size, shown, strlen(shown)};
}

static piece first_piece(const char *text, size_t length) {
    unsigned char first = (unsigned char)*text;
    size_t size = letter_size(first);
    if (size == 1)
        return first < ' ' || first == 127 ? instead(1, " ") : (piece){1, text, 1};
    size_t found = size ? coherent(text, size, length) : 0;
    if (found < size && found == length)
        return instead(length, "");
    uint32_t code = size && found == size ? decode(text, size) : 0;
    if (!code || !is_letter(code, size))
        return instead(1, "?");
    if (code < 0xa0 || turns_direction(code))
        return instead(size, "?");
    return ends_line(code) ? instead(size, " ") : (piece){size, text, size};
}

void text_clean(char *text) {
    char *to = text;
    for (size_t left = strlen(text); left;) {
        piece p = first_piece(text, left);
        memmove(to, p.shown, p.shown_size);
        to += p.shown_size;
        text += p.size;
        left -= p.size;
    }
    *to = 0;
}

size_t text_put_escaped(FILE *out, const char *text, size_t length, text_escape *escape) {
    size_t written = 0;
    char before = 0;
    for (piece p; length; text += p.size, length -= p.size) {
        p = first_piece(text, length);
        const char *escaped = p.shown_size == 1 ? escape(*p.shown, before) : NULL;
        size_t size = escaped ? strlen(escaped) : p.shown_size;
        if (out)
            fwrite(escaped ? escaped : p.shown, 1, size, out);
        if (p.shown_size)
            before = p.shown[p.shown_size - 1];
        written += size;
    }
    return written;
}

static const char *as_it_is(char sign, char before) {
    (void)sign;
    (void)before;
    return NULL;
}

size_t text_put_clean(FILE *out, const char *text, size_t length) {
    return text_put_escaped(out, text, length, as_it_is);
}

static const char *as_entity(char sign, char before) {
    (void)before;
    switch (sign) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

size_t text_put_markup(FILE *out, const char *text, size_t length) {
    return text_put_escaped(out, text, length, as_entity);
}

/* Would text_clean replace this letter? Bytes below a space stand between the strings of JSON. */
static bool needs_number(const char *text, const piece *p) {
    return p->shown != text && p->shown_size && (p->size > 1 || *text == 127);
}

size_t text_put_json(FILE *out, const char *text, size_t length) {
    size_t written = 0;
    for (piece p; length; text += p.size, length -= p.size) {
        char number[8];
        p = first_piece(text, length);
        if (needs_number(text, &p)) {
            snprintf(number, sizeof number, "\\u%04x", (unsigned)(decode(text, p.size) & 0xffff));
            p.shown = number;
            p.shown_size = strlen(number);
        } else if ((unsigned char)*text < ' ') {
            p.shown = text;
        }
        if (out)
            fwrite(p.shown, 1, p.shown_size, out);
        written += p.shown_size;
    }
    return written;
}

/* Names longer than this are neither suggested nor corrected. */
enum { LONGEST_NAME = 64 };

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
 * are no longer than LONGEST_NAME. */
static size_t edit_distance(const char *a, const char *b) {
    size_t rows[3][LONGEST_NAME + 1], length = strlen(b), i = 0;
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
    if (typed_length > LONGEST_NAME)
        return NULL;
    for (size_t i = 0;; i++) {
        const char *name = known(i, context);
        if (!name)
            return best;
        size_t length = strlen(name), longer = length > typed_length ? length : typed_length;
        if (length > LONGEST_NAME)
            continue;
        size_t distance = edit_distance(typed, name);
        if (distance < best_distance && 2 * distance <= longer) {
            best_distance = distance;
            best = name;
        }
    }
}
