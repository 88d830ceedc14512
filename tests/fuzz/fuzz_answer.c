/* What a trainer prints: scores that are finite and as many as there are replications, or a
 * sentence. */
#include "fuzz.h"

#include "study/legs.h"
#include "json/trainer_answer.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static trainer_answer answer;
    besd_error error = {0};
    if (!size)
        return 0;
    int reps = 1 + data[0] % 4;
    besd_transform transform = data[0] & 4 ? BESD_TRANSFORM_LOG : BESD_TRANSFORM_NONE;
    answer_route route = {.path = {.points = 3, .coordinates = 1, .cap = 100, .fewest = 1},
                          .visits = 2,
                          .visited = {0, 2}};
    answer_terms terms = {reps, transform, data[0] & 8 ? BESD_MINIMIZE : BESD_MAXIMIZE,
                          data[0] & 16 ? &route : NULL};
    besd_status status = answer_judge((const char *)data + 1, size - 1, &terms, &answer, &error);
    if (status != BESD_OK && (status != BESD_ENVIRONMENT || !error.message[0]))
        abort();
    for (int i = 0; status == BESD_OK && i < reps; i++)
        if (!isfinite(answer.scores[i]) ||
            (transform == BESD_TRANSFORM_LOG && !(answer.scores[i] > 0)))
            abort();
    if (status == BESD_OK && answer.legs &&
        (!terms.route || legs_check(&route.path, answer.legs, (size_t)reps, &error) != BESD_OK))
        abort();
    answer_free(&answer);
    return 0;
}
