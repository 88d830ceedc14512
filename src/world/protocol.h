/* The messages of the protocol between besd and an environment in another process
 * (docs/protocol.md), and the checks of its answers. No process is needed for that. */
#ifndef BESD_WORLD_PROTOCOL_H
#define BESD_WORLD_PROTOCOL_H

#include "world/domain.h"

#include <jansson.h>

enum {
    PROTOCOL_VERSION = 1,
    PROTOCOL_MAX_LANES = 16,
    PROTOCOL_MAX_SETTINGS = 32,
    PROTOCOL_SETTING_SIZE = 128
};

/* "its answer to KEY: expected EXPECTED, got GOT"; got may be NULL. */
besd_status protocol_fail(besd_error *error, const char *key, const char *expected,
                          const json_t *got);

/* Reads {"key": value}, a text of `length` bytes and a zero; the caller releases the value. An
 * {"error": ...} is a failure with its sentence. */
besd_status protocol_read_answer(const char *answer, size_t length, const char *key, json_t **value,
                                 besd_error *error);

/* The first line, newline included, with the user's parameters; free() it. NULL: out of memory. */
char *protocol_hello_line(const besd_env_parameter *parameters, size_t count);

typedef struct protocol_hello {
    char name[DOMAIN_NAME_SIZE];
    int lanes;
} protocol_hello;

besd_status protocol_read_hello(const json_t *answer, protocol_hello *hello, besd_error *error);

/* What the environment recommends, in the words of --set; list ends with NULL. */
typedef struct protocol_settings {
    char text[PROTOCOL_MAX_SETTINGS][PROTOCOL_SETTING_SIZE];
    const char *list[PROTOCOL_MAX_SETTINGS + 1];
} protocol_settings;

/* `how` receives when a subgoal is reached. */
besd_status protocol_read_spec(const json_t *answer, besd_env_spec *spec, besd_env_reaching *how,
                               protocol_settings *settings, besd_error *error);

/* The part of the spec that says so: reach, cell_size, origin, radius. The words and the rules are
 * those of --set (reach_options.h). */
besd_status protocol_read_reaching(const json_t *answer, const besd_env_spec *spec,
                                   besd_env_reaching *how, besd_error *error);

/* [state, reward, end, observation...] against the spec. */
besd_status protocol_read_row(const besd_env_spec *spec, const char *key, const json_t *row,
                              besd_env_outcome *out, besd_error *error);

#endif
