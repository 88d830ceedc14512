/* The description in a study file: what is read is written and read again as the same. */
#include "fuzz.h"

#include "study/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    study_spec *first = calloc(1, sizeof *first), *again = calloc(1, sizeof *again);
    char *text = fuzz_text(data, size), *written = NULL;
    besd_error error = {0};
    double budget;
    if (!first || !again)
        abort();
    (void)spec_read_budget(text, &budget, &error);
    besd_status status = spec_read(first, text, &error);
    if (status == BESD_MEMORY || (status != BESD_OK && !error.message[0]))
        abort();
    if (status == BESD_OK && (spec_write(first, &written, &error) != BESD_OK ||
                              spec_read(again, written, &error) != BESD_OK ||
                              spec_compare(first, again, &error) != BESD_OK))
        abort();
    free(written);
    free(text);
    free(first);
    free(again);
    return 0;
}
