/* Numbers that a command line or a request may leave out. */
#ifndef BESD_CORE_GIVEN_H
#define BESD_CORE_GIVEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct given_number {
    double value;
    bool given;
} given_number;

typedef struct given_integer {
    int64_t value;
    bool given;
} given_integer;

/* As the library takes them: NULL when they are left out. */
static inline const double *given_number_or_null(const given_number *number) {
    return number->given ? &number->value : NULL;
}

static inline const int64_t *given_integer_or_null(const given_integer *integer) {
    return integer->given ? &integer->value : NULL;
}

static inline int64_t given_integer_or(given_integer integer, int64_t otherwise) {
    return integer.given ? integer.value : otherwise;
}

#endif
