/* What a trainer prints: scores that are finite and as many as there are replications, or a
 * sentence. */
#include "fuzz.h"

#include "bridge/answer.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static trainer_answer answer;
    besd_error error = {0};
    if (!size)
        return 0;
    int reps = 1 + data[0] % 4;
    besd_transform transform = data[0] & 4 ? BESD_TRANSFORM_LOG : BESD_TRANSFORM_NONE;
    besd_status status =
        answer_judge((const char *)data + 1, size - 1, reps, transform, &answer, &error);
    if (status != BESD_OK && (status != BESD_ENVIRONMENT || !error.message[0]))
        abort();
    for (int i = 0; status == BESD_OK && i < reps; i++)
        if (!isfinite(answer.scores[i]) ||
            (transform == BESD_TRANSFORM_LOG && !(answer.scores[i] > 0)))
            abort();
    return 0;
}
