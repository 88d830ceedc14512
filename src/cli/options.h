/* Command-line options as tables: parsing, help and suggestions from one description. */
#ifndef BESD_CLI_OPTIONS_H
#define BESD_CLI_OPTIONS_H

#include "core/given.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXIT_REFUSED = 1, EXIT_USAGE = 2 }; /* what main returns besides 0 */

enum { OPTIONS_MAX_TEXTS = 64, OPTIONS_MAX_NUMBERS = 4096 };

typedef struct text_list {
    const char *items[OPTIONS_MAX_TEXTS];
    size_t count;
} text_list;

typedef struct number_list {
    double items[OPTIONS_MAX_NUMBERS];
    size_t count;
    bool given;
} number_list;

typedef enum option_kind {
    OPTION_FLAG,          /* bool */
    OPTION_TEXT,          /* const char * */
    OPTION_TEXTS,         /* text_list; may be repeated */
    OPTION_INTEGER,       /* int64_t */
    OPTION_SEED,          /* uint64_t up to 2^63 - 1, which JSON can hold */
    OPTION_NUMBER,        /* double */
    OPTION_NUMBERS,       /* number_list, "1.5,2,3" */
    OPTION_GIVEN_INTEGER, /* given_integer: what is left out is not given */
    OPTION_GIVEN_NUMBER   /* given_number */
} option_kind;

typedef struct option {
    const char *name; /* without the dashes; NULL ends a table */
    option_kind kind;
    void *target;
    const char *value; /* placeholder in the help, NULL for a flag */
    const char *help;  /* NULL: the help does not show the option (an old name) */
} option;

typedef struct verb {
    const char *name;
    const char *arguments; /* "DOMAIN", or "" */
    const char *summary;
    const char *example;
    int (*run)(const struct verb *self, int argc, char **argv);
} verb;

/* Parses what follows the verb. Options may stand anywhere; the rest goes to positional, at least
 * `least` and at most `most`. False when there is nothing left to do, with the exit code in *code:
 * 0 when the help was asked for and printed, EXIT_USAGE after a sentence on stderr. */
bool options_parse(const verb *v, const option *options, int argc, char **argv,
                   const char **positional, int least, int most, int *code);

/* One sentence on stderr about wrong usage; returns EXIT_USAGE. */
int usage_error(const verb *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
