#include "core/json.h"

#include "core/text.h"

#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For the whole program, as the allocation functions of jansson are. */
static atomic_bool is_watched, was_short;

/* jansson's reader asserts that the letters of a number are where it has put them. When their
 * buffer cannot grow they are not there, and the assertion aborts the process. That buffer grows by
 * doubling. So, while something is read, a request for a power of two is served from this reserve;
 * it is never reused. Other requests fail, which ends the reading. */
enum { RESERVE = 8192 };
static _Thread_local _Alignas(max_align_t) char reserve[RESERVE];
static _Thread_local size_t lent;
static _Thread_local bool is_reading;

static void *lend(size_t size) {
    if (!is_reading || (size & (size - 1)) || size < sizeof(max_align_t) || size > RESERVE - lent)
        return NULL;
    lent += size;
    return reserve + lent - size;
}

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (memory)
        return memory;
    was_short = true;
    return lend(size);
}

static void release(void *memory) {
    uintptr_t at = (uintptr_t)memory, from = (uintptr_t)reserve;
    if (at < from || at >= from + RESERVE)
        free(memory);
}

void json_watch_memory(void) {
    json_set_alloc_funcs(allocate, release);
    is_watched = true;
}

/* jansson leaves the code at `unknown` where it cannot store what it has read. */
bool json_lacked_memory(const json_error_t *fault) {
    enum json_error_code code = json_error_code(fault);
    return code == json_error_unknown || code == json_error_out_of_memory;
}

/* When jansson's reader has no room for a letter it leaves the letter out; when it has no room for
 * a name it blames the text. Nobody watches the allocations of a library, so a library reads the
 * text again: memory is hardly short twice at the same letter. */
static bool is_faithful(const json_t *value, const char *text, size_t length, size_t flags) {
    if (is_watched)
        return !was_short;
    json_t *again = json_loadb(text, length, flags, NULL);
    bool same = value ? json_equal(value, again) : !again;
    json_decref(again);
    return same;
}

/* A library has no reserve, so it asks for room first. `volatile`, or compilers remove the
 * question.
 */
static bool has_room(size_t length) {
    void *volatile room = is_watched ? NULL : malloc(2 * length + RESERVE);
    bool enough = is_watched || room;
    free(room);
    return enough;
}

json_t *json_read(const char *text, size_t length, size_t flags, json_error_t *fault) {
    bool enough = has_room(length);
    is_reading = true;
    json_t *value = enough ? json_loadb(text, length, flags, fault) : NULL;
    if (!enough || !is_faithful(value, text, length, flags)) {
        json_decref(value);
        value = NULL;
        *fault = (json_error_t){.line = -1}; /* of unknown kind */
        lent = 0;
    }
    is_reading = false;
    return value;
}

json_t *json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_numbers(const double *values, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(array, json_number(values[i]))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

void json_add(json_t **list, json_t *value) {
    if (json_array_append_new(*list, value)) {
        json_decref(*list);
        *list = NULL;
    }
}

void json_put(json_t **object, const char *name, json_t *value) {
    if (json_object_set_new(*object, name, value)) {
        json_decref(*object);
        *object = NULL;
    }
}

json_t *json_joined(json_t *first, json_t *second) {
    bool joined = first && second && !json_object_update(first, second);
    json_decref(second);
    if (joined)
        return first;
    json_decref(first);
    return NULL;
}

/* Fewer digits than this are the shortest already: %.15g of them is the same number. */
enum { FEWEST_DIGITS = 16, LONGEST_NUMBER = JSON_LONGEST_NUMBER };

/* The letters of a number that jansson printed, written again with fewer digits where that reads
 * back as the same number. Returns the new length, which is never greater. */
static size_t shorten_number(char *number, size_t length) {
    char was[LONGEST_NUMBER], is[LONGEST_NUMBER], *end;
    if (length >= sizeof was)
        return length;
    memcpy(was, number, length);
    was[length] = 0;
    double value = strtod(was, &end);
    if (*end) /* a locale in which numbers have no point */
        return length;
    for (int digits = FEWEST_DIGITS - 1; digits <= FEWEST_DIGITS; digits++) {
        snprintf(is, sizeof is, "%.*g", digits, value);
        char *exponent = strchr(is, 'e');
        if (!exponent && !strchr(is, '.'))
            strcat(is, ".0"); /* a real stays a real */
        if (exponent) {       /* 1e+22 is 1e22, and 1e-05 is 1e-5, as jansson writes them */
            char *to = exponent + 1 + (exponent[1] == '-'), *from = exponent + 2;
            from += strspn(from, "0");
            memmove(to, from, strlen(from) + 1);
        }
        if (strlen(is) < length && strtod(is, NULL) == value) {
            memcpy(number, is, strlen(is));
            return strlen(is);
        }
    }
    return length;
}

size_t json_real_text(double value, char text[LONGEST_NUMBER]) {
    size_t length = (size_t)snprintf(text, LONGEST_NUMBER, "%.17g", value);
    char *exponent = strchr(text, 'e');
    if (!exponent && !strchr(text, '.')) {
        memcpy(text + length, ".0", 3);
        length += 2;
    } else if (exponent) { /* 1e+22 is 1e22, as jansson writes it */
        char *to = exponent + 1 + (exponent[1] == '-'), *from = exponent + 2;
        from += strspn(from, "0");
        memmove(to, from, strlen(from) + 1);
        length = strlen(text);
    }
    return shorten_number(text, length);
}

/* The number that begins at `text`: its length; `digits` counts its digits, `*is_real` tells it
 * from a whole number. */
static size_t measure_number(const char *text, size_t *digits, bool *is_real) {
    size_t length = strspn(text, "+-0123456789.eE");
    *digits = 0;
    *is_real = false;
    for (size_t i = 0; i < length; i++) {
        *digits += text[i] >= '0' && text[i] <= '9';
        *is_real |= strchr(".eE", text[i]) != NULL;
    }
    return length;
}

/* The string that begins at `text`, with both of its quotes. */
static size_t measure_string(const char *text) {
    size_t length = 1;
    while (text[length] && text[length] != '"')
        length += text[length] == '\\' && text[length + 1] ? 2 : 1;
    return text[length] ? length + 1 : length;
}

/* true, false and null have letters of numbers, an e, but do not begin with one. */
static bool begins_number(char letter) {
    return letter == '-' || (letter >= '0' && letter <= '9');
}

size_t json_shorten(char *text) {
    char *to = text;
    for (const char *from = text; *from;) {
        size_t length = 1, kept, digits = 0;
        bool is_real = false;
        if (*from == '"')
            length = measure_string(from);
        else if (begins_number(*from))
            length = measure_number(from, &digits, &is_real);
        memmove(to, from, length);
        kept = is_real && digits >= FEWEST_DIGITS ? shorten_number(to, length) : length;
        from += length;
        to += kept;
    }
    *to = 0;
    return (size_t)(to - text);
}

char *json_text(const json_t *value, size_t flags, size_t *size) {
    *size = json_dumpb(value, NULL, 0, flags);
    char *text = *size ? malloc(*size + 1) : NULL;
    if (text && json_dumpb(value, text, *size, flags) != *size) {
        free(text);
        text = NULL;
    }
    if (text) {
        text[*size] = 0;
        *size = json_shorten(text);
    }
    return text;
}

int json_print(FILE *out, const json_t *value, size_t flags) {
    size_t size;
    char *text = json_text(value, flags, &size);
    if (!text || was_short) {
        free(text);
        return -1;
    }
    text_put_json(out, text, size);
    free(text);
    return ferror(out) ? -1 : 0;
}
