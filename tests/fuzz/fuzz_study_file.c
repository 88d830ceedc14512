/* A whole study file: opened and looked at from all sides, or refused with a sentence. */
#include "fuzz.h"

#include "besd/besd.h"

static bool count_event(void *context, const besd_event *event) {
    int *left = context;
    if (!event->who || !event->what || !event->detail)
        abort();
    return --*left > 0;
}

static void look_at_trial(besd_study *s, int64_t id) {
    static double scores[BESD_MAX_REPS];
    static besd_leg legs[1024];
    besd_error error = {0};
    besd_trial t;
    besd_work work;
    char text[256];
    size_t count;
    if (besd_study_trial(s, id, &t, &error) != BESD_OK)
        return;
    besd_study_scores(s, id, scores, BESD_MAX_REPS, &count, &error);
    besd_study_legs(s, id, legs, 1024, &count, &error);
    besd_study_work(s, id, &work, &error);
    besd_study_tags(s, id, text, sizeof text, &error);
    besd_study_get_trial_note(s, id, text, sizeof text, &error);
}

static void look(const char *path) {
    besd_study *s = NULL;
    besd_error error = {0};
    double spent;
    int64_t count = 0;
    int most = 100;
    if (besd_study_open(&s, path, NULL, &error) != BESD_OK) {
        if (!error.message[0] || s)
            abort();
        return;
    }
    if (besd_study_trial_count(s, &count, &error) == BESD_OK)
        for (int64_t id = 1; id <= count && id <= 50; id++)
            look_at_trial(s, id);
    besd_study_spent(s, &spent, &error);
    besd_study_events(s, 0, count_event, &most, &error);
    besd_study_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "/tmp/besd-fuzz-XXXXXX"; /* SQLite wants a file that can be locked and stays */
    int file = mkstemp(path);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    close(file);
    look(path);
    unlink(path);
    char beside[64];
    static const char *const ends[] = {"-wal", "-shm", "-journal", "-ask"};
    for (int i = 0; i < 4; i++) {
        snprintf(beside, sizeof beside, "%s%s", path, ends[i]);
        unlink(beside);
    }
    return 0;
}
