/* Files of earlier results, CSV and JSON lines: results that a study can look at, each with its
 * line, or a sentence. */
#include "fuzz.h"

#include "json/results.h"

#include <math.h>

static besd_study *make_study(bool is_path) {
    static const double low[4] = {0}, high[4] = {10, 10, 10, 10};
    static const int64_t taus[] = {10, 30};
    static const int reps[] = {2};
    static const char *const names[] = {"x", "y", "x2", "a \"b\", c"};
    besd_study_options o = besd_study_options_default();
    o.dimension = 4;
    o.low = low;
    o.high = high;
    o.names = names;
    o.taus = taus;
    o.tau_count = 2;
    o.reps = reps;
    o.reps_count = 1;
    o.direction = BESD_MINIMIZE;
    besd_study *s = NULL;
    if (besd_study_open(&s, NULL, &o, NULL) != BESD_OK)
        abort();
    besd_path p = {.points = 2, .coordinates = 2, .cap = 100, .cell = 1, .fewest = 1};
    for (int i = 0; i < BESD_MAX_COORDINATES; i++)
        p.from[i] = p.to[i] = NAN;
    if (is_path && besd_study_set_path(s, &p, NULL) != BESD_OK)
        abort();
    return s;
}

/* What nobody has checked must not stop a study from saying no. */
static void add(besd_study *s, const result_list *list) {
    besd_error error = {0};
    besd_status status = besd_study_add(s, list->items, list->count, NULL, &error);
    if (status != BESD_OK && (status != BESD_INVALID || !error.message[0]))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static besd_study *studies[2];
    static int added;
    if (size < 2)
        return 0;
    if (!studies[0] || ++added > 2000) { /* they grow */
        for (int i = 0; i < 2; i++) {
            besd_study_close(studies[i]);
            studies[i] = make_study(i);
        }
        added = 0;
    }
    besd_study *s = studies[data[0] & 1];
    besd_error error = {0};
    result_list list = {0};
    FILE *in = fmemopen((void *)(data + 1), size - 1, "r");
    if (!in)
        abort();
    besd_status status = results_read(&list, s, in, "fuzz", &error);
    fclose(in);
    if (status != BESD_OK && (status != BESD_INVALID || strncmp(error.message, "fuzz", 4) != 0))
        abort();
    for (size_t i = 0; i < list.count; i++)
        if (!list.lines[i] || !list.items[i].count || (i && list.lines[i] <= list.lines[i - 1]))
            abort();
    if (status == BESD_OK && list.count)
        add(s, &list);
    results_free(&list);
    return 0;
}
