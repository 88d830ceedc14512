#include "serve/handles.h"

#include "core/error.h"

static besd_study **find_place(served *one, handle_use use, bool full) {
    if (use == HANDLE_WRITE)
        return !one->writer == !full ? &one->writer : NULL;
    if (use == HANDLE_ASK)
        return !one->asker == !full ? &one->asker : NULL;
    for (size_t i = 0; i < SERVED_KEPT_READERS; i++)
        if (!one->readers[i] == !full)
            return &one->readers[i];
    return NULL;
}

besd_status handle_borrow(served *one, handle_use use, besd_study **study, bool *fresh,
                          besd_error *error) {
    *study = NULL;
    pthread_mutex_lock(&one->lock);
    besd_study **place = find_place(one, use, true);
    if (place) {
        *study = *place;
        *place = NULL;
    }
    pthread_mutex_unlock(&one->lock);
    *fresh = !*study;
    if (*study)
        return BESD_OK;
    if (!served_is_there(one))
        return besd_fail(error, BESD_IO,
                         "the file of study '%s' is not there any more; it is served again when it "
                         "is back",
                         one->name);
    return besd_study_open(study, one->path, NULL, error);
}

void handles_close(served *one) {
    besd_study *kept[SERVED_KEPT_READERS + 2];
    size_t count = 0;
    pthread_mutex_lock(&one->lock);
    kept[count++] = one->writer;
    kept[count++] = one->asker;
    one->writer = one->asker = NULL;
    for (size_t i = 0; i < SERVED_KEPT_READERS; i++) {
        kept[count++] = one->readers[i];
        one->readers[i] = NULL;
    }
    pthread_mutex_unlock(&one->lock);
    while (count)
        besd_study_close(kept[--count]);
}

void handle_return(served *one, handle_use use, besd_study *study, besd_status status) {
    if (status == BESD_IO) {
        besd_study_close(study);
        handles_close(one);
        return;
    }
    pthread_mutex_lock(&one->lock);
    besd_study **place = find_place(one, use, false);
    if (place)
        *place = study;
    pthread_mutex_unlock(&one->lock);
    if (!place)
        besd_study_close(study);
}
