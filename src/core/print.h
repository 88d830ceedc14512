/* printf for texts that besd did not write (core/text.h). The format is besd's own and is printed
 * as it is; what comes in through %s or %c is cleaned or escaped. So the caller need not think of
 * it, and tests/test_foreign_texts.sh checks that the tool and the pages print in no other way. */
#ifndef BESD_CORE_PRINT_H
#define BESD_CORE_PRINT_H

#include "core/text.h"

#include <stdarg.h>

/* For terminals. */
void print_clean(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For HTML and SVG, attributes included. */
void print_markup(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For any text_put. Knows the conversions d i u x X e f g c s and %, with flags, widths,
 * precisions, and the lengths l, ll and z. */
void print_texts(FILE *out, text_put *put, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

#endif
