/* What an environment in another process answers: taken apart within the limits of the spec, or a
 * sentence. The first byte says which answer it is. */
#include "fuzz.h"

#include "world/protocol.h"

#include <math.h>

static void read_spec(const json_t *value, besd_error *error) {
    static besd_env_spec spec;
    static protocol_settings settings;
    besd_env_reaching how;
    if (protocol_read_spec(value, &spec, &how, &settings, error) != BESD_OK)
        return;
    if (how.reach == BESD_REACH_RADIUS ? !(how.radius > 0) || isinf(how.radius)
                                       : !(how.cell_size >= 0) || isinf(how.cell_size))
        abort();
    for (size_t i = 0; settings.list[i]; i++)
        if (i >= PROTOCOL_MAX_SETTINGS || strlen(settings.list[i]) >= PROTOCOL_SETTING_SIZE)
            abort();
}

static void read_row(const json_t *value, bool with_states, besd_error *error) {
    besd_env_spec spec = {.actions = 3,
                          .states = with_states ? 5 : 0,
                          .observation = 2,
                          .position = 2,
                          .high = {4, 4},
                          .cap = 10};
    besd_env_outcome out = {0};
    if (protocol_read_row(&spec, "step", value, &out, error) != BESD_OK)
        return;
    if (!isfinite(out.reward) || (with_states && (out.state < 0 || out.state >= spec.states)) ||
        !isfinite(out.observation[0] + out.observation[1]))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const keys[] = {"hello", "spec", "step", "reset"};
    besd_error error = {0};
    json_t *value = NULL;
    if (!size)
        return 0;
    const char *key = keys[data[0] % 4];
    char *answer = fuzz_text(data + 1, size - 1);
    besd_status status = protocol_read_answer(answer, size - 1, key, &value, &error);
    if (status == BESD_OK) {
        protocol_hello hello;
        if (!strcmp(key, "hello"))
            status = protocol_read_hello(value, &hello, &error);
        else if (!strcmp(key, "spec"))
            read_spec(value, &error);
        else
            read_row(value, data[0] & 4, &error);
        json_decref(value);
    }
    free(answer);
    if (status != BESD_OK && !error.message[0])
        abort();
    return 0;
}
