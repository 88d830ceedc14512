/* Names and texts of statuses, all from the list in besd/status.h. */
#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>

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

void besd_error_set(besd_error *error, besd_status status, const char *format, ...) {
    if (!error)
        return;
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
}
