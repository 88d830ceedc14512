#include "core/json.h"

#include "core/text.h"

#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of the whole program, as jansson's functions to allocate with are. */
static atomic_bool is_watched, was_short;

/* jansson's reader asserts that the letters of a number are where it has put them; when their
 * buffer cannot grow, they are not, and the process is aborted. It grows by doubling, so what is a
 * power of two is lent from here while something is read, and given back by what is made of it:
 * nothing. Other requests fail, which ends the reading. */
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

/* A letter that jansson's reader has no room for is left out without a word, and a name that it has
 * no room for is told as a fault of the text. Nobody watches a library's allocations, so it reads
 * again: no memory is short twice at the same letter. */
static bool is_faithful(const json_t *value, const char *text, size_t length, size_t flags) {
    if (is_watched)
        return !was_short;
    json_t *again = json_loadb(text, length, flags, NULL);
    bool same = value ? json_equal(value, again) : !again;
    json_decref(again);
    return same;
}

/* A library has no reserve, and asks for room first. `volatile`, or compilers take the question for
 * an idle one. */
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

json_t *json_joined(json_t *first, json_t *second) {
    bool joined = first && second && !json_object_update(first, second);
    json_decref(second);
    if (joined)
        return first;
    json_decref(first);
    return NULL;
}

int json_print(FILE *out, const json_t *value, size_t flags) {
    char *text = json_dumps(value, flags);
    if (!text || was_short) {
        free(text);
        return -1;
    }
    text_put_json(out, text, strlen(text));
    free(text);
    return ferror(out) ? -1 : 0;
}
