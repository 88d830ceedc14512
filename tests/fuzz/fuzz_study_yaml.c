/* Descriptions of studies: refused with a sentence, or options that a study takes or refuses. */
#include "fuzz.h"

#include "cli/study_yaml.h"

static void look(const char *path) {
    study_yaml *yaml = NULL;
    besd_error error = {0};
    (void)study_yaml_is(path);
    besd_status status = study_yaml_load(path, &yaml, &error);
    if (status == BESD_OK ? !yaml : !error.message[0])
        abort();
    study_yaml_free(yaml);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_file(data, size, look);
    return 0;
}
