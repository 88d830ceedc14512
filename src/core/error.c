/* Names and texts of statuses, all from the list in besd/status.h. */
#include "core/error.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The longest path and a reason. */
enum { MOST_TEXT = PATH_MAX + 2 * BESD_ERROR_MESSAGE_SIZE };

const char *besd_status_name(besd_status status) {
    switch (status) {
#define CASE(name, value, text)                                                                    \
    case BESD_##name:                                                                              \
        return "BESD_" #name;
        BESD_STATUS_LIST(CASE)
#undef CASE
    }
    return "BESD_?";
}

const char *besd_status_text(besd_status status) {
    switch (status) {
#define CASE(name, value, text)                                                                    \
    case BESD_##name:                                                                              \
        return text;
        BESD_STATUS_LIST(CASE)
#undef CASE
    }
    return "unknown status";
}

static bool is_inside_a_letter(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Names stand in front and can be long, reasons stand behind them. A third of the room shows the
 * beginning of the text, the rest its end. */
static void shorten(const char *text, char *message, size_t size) {
    static const char gap[] = "...";
    size_t length = strlen(text), front = size / 3, back = size - 1 - front - (sizeof gap - 1);
    while (front && is_inside_a_letter(text[front]))
        front--;
    while (back && is_inside_a_letter(text[length - back]))
        back--;
    snprintf(message, size, "%.*s%s%s", (int)front, text, gap, text + length - back);
}

void besd_error_set(besd_error *error, besd_status status, const char *format, ...) {
    char text[MOST_TEXT];
    if (!error)
        return;
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (strlen(text) < sizeof error->message)
        memcpy(error->message, text, strlen(text) + 1);
    else
        shorten(text, error->message, sizeof error->message);
}
