/* Grid domains: refused with a sentence, or a domain whose first instance can be drawn. */
#include "fuzz.h"

#include "world/domain_yaml.h"

static void look(const char *path) {
    domain *d = calloc(1, sizeof *d);
    besd_error error = {0};
    if (!d)
        abort();
    (void)domain_yaml_is(path);
    if (domain_yaml_load(path, d, &error) == BESD_OK)
        domain_release(d);
    else if (!error.message[0])
        abort();
    free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_file(data, size, look);
    return 0;
}
