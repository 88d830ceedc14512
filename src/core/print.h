/* printf for texts of others. The format is ours and is printed as it is; what comes in through %s
 * (or %c) goes through a text_put. So nothing has to be remembered where a name is printed, and
 * tests/test_foreign_texts.sh sees to it that the tool and the pages print in no other way. */
#ifndef BESD_CORE_PRINT_H
#define BESD_CORE_PRINT_H

#include "core/text.h"

#include <stdarg.h>

/* For terminals. */
void print_clean(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For HTML and SVG, attributes included. */
void print_markup(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Either, or a way of one's own. Knows the conversions d i u x X e f g c s and %, with flags,
 * widths, precisions, and the lengths l, ll and z. */
void print_texts(FILE *out, text_put *put, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

#endif
