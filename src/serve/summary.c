#include "serve/summary.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/json.h"
#include "serve/handles.h"
#include "study/census.h"
#include "study/study_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void stamp_file(const char *path, long long *when, long long *size) {
    struct stat found;
    bool is_there = stat(path, &found) == 0;
    *when = is_there ? found.st_mtim.tv_sec * 1000000000LL + found.st_mtim.tv_nsec : 0;
    *size = is_there ? found.st_size : -1;
}

file_stamp summary_stamp(const served *one) {
    file_stamp stamp;
    char log[SERVED_LONGEST_PATH + 8];
    snprintf(log, sizeof log, "%s-wal", one->path);
    stamp_file(one->path, &stamp.parts[0], &stamp.parts[1]);
    stamp_file(log, &stamp.parts[2], &stamp.parts[3]);
    return stamp;
}

bool stamp_is_settled(const file_stamp *stamp) {
    static const double seconds = 10; /* longer than a sync; after a clock was set back: for ever */
    return clock_date() - 1e-9 * fmax((double)stamp->parts[0], (double)stamp->parts[2]) > seconds;
}

json_t *summary_read(const served *one, besd_study *study, besd_error *error) {
    int64_t counts[CENSUS_STATES];
    double spent = 0;
    const besd_study_options *o = besd_study_get_options(study);
    besd_status status = study_read_budget(study, error); /* another handle may have set it */
    if (status == BESD_OK)
        status = study_census(study, counts, error);
    if (status == BESD_OK)
        status = besd_study_spent(study, &spent, error);
    if (status != BESD_OK)
        return NULL;
    json_t *states = json_object();
    for (size_t i = 0; i < CENSUS_STATES; i++)
        json_object_set_new(states, besd_trial_state_name(i), json_integer(counts[i]));
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:o, s:s, s:I}", "name", one->name, "trials", states, "budget",
                  json_number(o->budget), "spent", json_number(spent), "direction",
                  besd_direction_name(o->direction), "dimension", (json_int_t)o->dimension);
    if (!object)
        besd_fail_memory(error, "the summary");
    return object;
}

json_t *summary_of(served *one, besd_error *error) {
    file_stamp now = summary_stamp(one);
    bool is_sure = stamp_is_settled(&now);
    json_t *object = NULL;
    besd_study *study;
    bool fresh;
    pthread_mutex_lock(&one->lock);
    if (one->summary.object && !memcmp(one->summary.stamp, now.parts, sizeof now.parts))
        object = json_deep_copy(one->summary.object);
    pthread_mutex_unlock(&one->lock);
    if (object || handle_borrow(one, HANDLE_READ, &study, &fresh, error) != BESD_OK)
        return object;
    besd_error own = {0};
    object = summary_read(one, study, &own);
    handle_return(one, HANDLE_READ, study, object ? BESD_OK : own.status);
    if (!object) {
        if (error)
            *error = own;
        return NULL;
    }
    pthread_mutex_lock(&one->lock);
    json_decref(one->summary.object);
    one->summary.object = is_sure ? json_deep_copy(object) : NULL;
    memcpy(one->summary.stamp, now.parts, sizeof now.parts);
    pthread_mutex_unlock(&one->lock);
    return object;
}
