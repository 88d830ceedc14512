#include "core/json_writer.h"

#include "core/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_writer_clear(json_writer *w) {
    free(w->text);
    *w = (json_writer){0};
}

/* Room for so many letters more, and a zero. */
static bool make_room(json_writer *w, size_t size) {
    if (w->failed || w->size + size < w->capacity)
        return !w->failed;
    size_t capacity = 2 * w->capacity + size + 256;
    char *more = realloc(w->text, capacity);
    if (!more) {
        w->failed = true;
        return false;
    }
    w->text = more;
    w->capacity = capacity;
    return true;
}

void json_write_raw(json_writer *w, const char *text, size_t size) {
    if (!make_room(w, size))
        return;
    memcpy(w->text + w->size, text, size);
    w->size += size;
    w->text[w->size] = 0;
}

/* Before a value or a name. */
static void separate(json_writer *w) {
    char last = w->size ? w->text[w->size - 1] : '[';
    if (last != '[' && last != '{' && last != ':' && last != ',')
        json_write_raw(w, ",", 1);
}

void json_write_value(json_writer *w, const char *text, size_t size) {
    separate(w);
    json_write_raw(w, text, size);
}

void json_write_begin(json_writer *w, char bracket) {
    separate(w);
    json_write_raw(w, &bracket, 1);
}

void json_write_end(json_writer *w, char bracket) {
    json_write_raw(w, &bracket, 1);
}

/* Names are besd's own, or names of coordinates, which may be anything. */
void json_write_name(json_writer *w, const char *name) {
    json_write_text(w, name);
    json_write_raw(w, ":", 1);
}

void json_write_null(json_writer *w) {
    json_write_value(w, "null", 4);
}

void json_write_integer(json_writer *w, int64_t value) {
    char digits[JSON_LONGEST_NUMBER];
    json_write_value(w, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, value));
}

/* A number of at most six decimals, as scores, costs and dates mostly are; 0: it has more. printf
 * takes ten times as long. Below 8e9 no two numbers of six decimals are the same double. */
static size_t write_short(char *text, double value) {
    enum { DECIMALS = 6, SCALE = 1000000 };
    double size = fabs(value), scaled = round(size * SCALE);
    if (!(size >= 1e-4 && scaled < 8e15) || scaled / SCALE != size)
        return 0;
    char digits[JSON_LONGEST_NUMBER];
    uint64_t whole = (uint64_t)scaled / SCALE, part = (uint64_t)scaled % SCALE;
    size_t at = sizeof digits, length = 0, decimals = DECIMALS;
    while (decimals > 1 && part % 10 == 0) {
        part /= 10;
        decimals--;
    }
    for (; decimals > 0; decimals--, part /= 10)
        digits[--at] = (char)('0' + part % 10);
    digits[--at] = '.';
    do
        digits[--at] = (char)('0' + whole % 10);
    while (whole /= 10);
    if (value < 0)
        text[length++] = '-';
    memcpy(text + length, digits + at, sizeof digits - at);
    return length + sizeof digits - at;
}

size_t json_number_text(double value, char text[JSON_LONGEST_NUMBER]) {
    if (!isfinite(value)) {
        memcpy(text, "null", 4);
        return 4;
    }
    size_t length = write_short(text, value);
    return length ? length : json_real_text(value, text);
}

void json_write_number(json_writer *w, double value) {
    char text[JSON_LONGEST_NUMBER];
    json_write_value(w, text, json_number_text(value, text));
}

void json_write_numbers(json_writer *w, const double *values, size_t count) {
    json_write_begin(w, '[');
    for (size_t i = 0; i < count; i++)
        json_write_number(w, values[i]);
    json_write_end(w, ']');
}

/* The letter that begins at *at, and moves on; a byte that begins none stands for itself. */
static uint32_t next_letter(const unsigned char **at) {
    const unsigned char *t = *at;
    size_t more = t[0] >= 0xf0 ? 3 : t[0] >= 0xe0 ? 2 : t[0] >= 0xc0 ? 1 : 0;
    uint32_t letter = more ? t[0] & (0x3fu >> more) : t[0];
    for (size_t i = 1; i <= more; i++) {
        if ((t[i] & 0xc0) != 0x80) { /* no UTF-8 */
            *at += 1;
            return t[0];
        }
        letter = letter << 6 | (t[i] & 0x3f);
    }
    *at += more + 1;
    return letter;
}

static void write_escaped(json_writer *w, uint32_t letter) {
    static const char plain[] = "\"\\\b\f\n\r\t", named[] = "\"\\bfnrt";
    char text[16];
    const char *known = letter < 128 && letter ? strchr(plain, (int)letter) : NULL;
    size_t length;
    if (known) {
        text[0] = '\\';
        text[1] = named[known - plain];
        length = 2;
    } else if (letter < 0x10000) {
        length = (size_t)snprintf(text, sizeof text, "\\u%04X", letter);
    } else {
        letter -= 0x10000;
        length = (size_t)snprintf(text, sizeof text, "\\u%04X\\u%04X", 0xD800 | letter >> 10,
                                  0xDC00 | (letter & 0x3ff));
    }
    json_write_raw(w, text, length);
}

static bool is_plain(unsigned char letter) {
    return letter >= ' ' && letter < 0x7f && letter != '"' && letter != '\\';
}

void json_write_text(json_writer *w, const char *text) {
    separate(w);
    json_write_raw(w, "\"", 1);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = 0;
        while (is_plain(at[length]))
            length++;
        json_write_raw(w, (const char *)at, length);
        at += length;
        if (*at)
            write_escaped(w, next_letter(&at));
    }
    json_write_raw(w, "\"", 1);
}

void json_write_tree(json_writer *w, json_t *value) {
    size_t size = 0;
    char *text =
        value ? json_text(value, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY, &size) : NULL;
    json_decref(value);
    separate(w);
    if (text)
        json_write_raw(w, text, size);
    w->failed |= !text;
    free(text);
}

json_t *json_writer_tree(const json_writer *w) {
    json_error_t fault;
    return w->failed || !w->text ? NULL : json_read(w->text, w->size, 0, &fault);
}
