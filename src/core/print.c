#include "core/print.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Arguments that several functions take from in turn. */
typedef struct given {
    va_list list;
} given;

/* "%-12.3s" and the like. */
typedef struct conversion {
    char flags[8];
    int width, precision; /* -1: no precision */
    int longs;            /* how many l */
    bool is_size;         /* z */
    char kind;
} conversion;

static int read_number(const char **at, given *from) {
    if (**at == '*') {
        ++*at;
        return va_arg(from->list, int);
    }
    char *end;
    long number = strtol(*at, &end, 10);
    *at = end;
    return (int)number;
}

/* Reads what follows a percent sign; returns where it ends. */
static const char *read_conversion(const char *at, conversion *c, given *from) {
    size_t flags = strspn(at, "-+ #0");
    *c = (conversion){.precision = -1};
    snprintf(c->flags, sizeof c->flags, "%.*s", (int)flags, at);
    at += flags;
    if (strchr("*123456789", *at))
        c->width = read_number(&at, from);
    if (*at == '.') {
        at++;
        c->precision = read_number(&at, from);
    }
    for (; *at == 'l' || *at == 'z'; at++) {
        c->longs += *at == 'l';
        c->is_size |= *at == 'z';
    }
    c->kind = *at;
    return *at ? at + 1 : at;
}

static long long take_signed(const conversion *c, given *from) {
    if (c->is_size)
        return (long long)va_arg(from->list, size_t);
    return c->longs > 1   ? va_arg(from->list, long long)
           : c->longs > 0 ? va_arg(from->list, long)
                          : va_arg(from->list, int);
}

static unsigned long long take_unsigned(const conversion *c, given *from) {
    if (c->is_size)
        return va_arg(from->list, size_t);
    return c->longs > 1   ? va_arg(from->list, unsigned long long)
           : c->longs > 0 ? va_arg(from->list, unsigned long)
                          : va_arg(from->list, unsigned);
}

static void pad(FILE *out, size_t used, int width) {
    for (size_t i = used; i < (size_t)width; i++)
        fputc(' ', out);
}

static void put_text(FILE *out, text_put *put, const conversion *c, const char *text, size_t size) {
    bool left = c->width < 0 || strchr(c->flags, '-');
    int width = abs(c->width);
    if (!left)
        pad(out, put(NULL, text, size), width);
    size_t used = put(out, text, size);
    if (left)
        pad(out, used, width);
}

static void put_string(FILE *out, text_put *put, const conversion *c, const char *text) {
    if (!text)
        text = "(null)";
    put_text(out, put, c, text,
             c->precision < 0 ? strlen(text) : strnlen(text, (size_t)c->precision));
}

/* The C library writes numbers. A width of 0 or a negative precision means that none was given. */
static void put_argument(FILE *out, text_put *put, const conversion *c, given *from) {
    char number[24], letter;
    bool is_real = strchr("efg", c->kind) != NULL;
    snprintf(number, sizeof number, "%%%s*.*%s%c", c->flags, is_real ? "" : "ll", c->kind);
    switch (c->kind) {
    case 'd':
    case 'i':
        fprintf(out, number, c->width, c->precision, take_signed(c, from));
        break;
    case 'u':
    case 'x':
    case 'X':
        fprintf(out, number, c->width, c->precision, take_unsigned(c, from));
        break;
    case 'e':
    case 'f':
    case 'g':
        fprintf(out, number, c->width, c->precision, va_arg(from->list, double));
        break;
    case 'c':
        letter = (char)va_arg(from->list, int);
        put_text(out, put, c, &letter, 1);
        break;
    case 's':
        put_string(out, put, c, va_arg(from->list, const char *));
        break;
    default: /* "%%" */
        fputc('%', out);
    }
}

void print_texts(FILE *out, text_put *put, const char *format, va_list arguments) {
    given from;
    va_copy(from.list, arguments);
    while (*format) {
        size_t plain = strcspn(format, "%");
        fwrite(format, 1, plain, out);
        format += plain;
        if (*format) {
            conversion c;
            format = read_conversion(format + 1, &c, &from);
            put_argument(out, put, &c, &from);
        }
    }
    va_end(from.list);
}

void print_clean(FILE *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_texts(out, text_put_clean, format, arguments);
    va_end(arguments);
}

void print_markup(FILE *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_texts(out, text_put_markup, format, arguments);
    va_end(arguments);
}
