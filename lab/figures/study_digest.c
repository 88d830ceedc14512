#include "figures/study_digest.h"

#include "core/error.h"
#include "core/text.h"
#include "study/method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool study_digest_is_better(const study_digest *d, double mean, double than) {
    return d->spec.options.direction == BESD_MINIMIZE ? mean < than : mean > than;
}

double study_digest_best_mean(const study_digest *d) {
    return d->step_count ? d->steps[d->step_count - 1].mean : NAN;
}

bool study_digest_has_model(const study_digest *d) {
    return method_describe(d->spec.options.method)->has_model;
}

static bool share(const study_digest *all, size_t count, bool units_too) {
    const besd_study_options *first = &all[0].spec.options;
    for (size_t i = 1; i < count; i++) {
        const besd_study_options *o = &all[i].spec.options;
        if (o->dimension != first->dimension)
            return false;
        for (size_t c = 0; c < o->dimension; c++)
            if (strcmp(o->names[c], first->names[c]) != 0 ||
                (units_too && strcmp(o->units[c], first->units[c]) != 0))
                return false;
    }
    return true;
}

bool study_digests_share_names(const study_digest *all, size_t count) {
    return share(all, count, false);
}

bool study_digests_share_units(const study_digest *all, size_t count) {
    return share(all, count, true);
}

int64_t study_digests_common_tau(const study_digest *all, size_t count) {
    int64_t tau = 0;
    for (size_t i = 0; i < count; i++) {
        if (tau && all[i].tau && all[i].tau != tau)
            return 0;
        if (all[i].tau)
            tau = all[i].tau;
    }
    return tau;
}

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool file_names_differ(const char *const *paths, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (!strcmp(file_name(paths[i]), file_name(paths[j])))
                return false;
    return true;
}

/* The bytes of the folders that all paths begin with. */
static size_t shared_folders(const char *const *paths, size_t count) {
    size_t shared = (size_t)(file_name(paths[0]) - paths[0]);
    for (size_t i = 1; i < count; i++) {
        size_t same = 0, folder = 0;
        for (; same < shared && paths[i][same] == paths[0][same]; same++)
            if (paths[0][same] == '/')
                folder = same + 1;
        shared = folder;
    }
    return shared;
}

static void name_all(study_digest *all, const char *const *paths, size_t count) {
    bool short_names = file_names_differ(paths, count);
    size_t shared = shared_folders(paths, count);
    for (size_t i = 0; i < count; i++) {
        snprintf(all[i].name, sizeof all[i].name, "%s",
                 short_names ? file_name(paths[i]) : paths[i] + shared);
        text_clean(all[i].name);
    }
}

/* Summaries are told in logarithms, which may be those of no number. */
static bool can_be_drawn(const study_digest *d, double mean) {
    return isfinite(mean) && (mean > 0 || d->spec.options.transform == BESD_TRANSFORM_NONE);
}

/* Trials at a larger tau than before make those before irrelevant. */
static void take_told(study_digest *d, const besd_trial *t) {
    d->told++;
    if (t->tau > d->tau) {
        d->tau = t->tau;
        d->step_count = 0;
    }
    if (t->tau == d->tau && can_be_drawn(d, t->mean) &&
        (!d->step_count || study_digest_is_better(d, t->mean, study_digest_best_mean(d))))
        d->steps[d->step_count++] = (digest_step){d->spent, t->mean};
}

static void take_trial(study_digest *d, const besd_trial *t) {
    d->spent += t->cost;
    d->failed += t->state == BESD_TRIAL_FAILED;
    if (t->state == BESD_TRIAL_TOLD)
        take_told(d, t);
}

static besd_status read_trials(study_digest *d, besd_study *study, besd_error *error) {
    study_trials all;
    besd_status status = study_trials_read(&all, study, error);
    if (status != BESD_OK)
        return status;
    d->steps = malloc((all.count + 1) * sizeof *d->steps);
    if (!d->steps)
        status = besd_fail_memory(error, "the trials");
    d->spent = besd_study_get_options(study)->baseline_cost; /* which was paid before the first */
    for (size_t i = 0; status == BESD_OK && i < all.count; i++)
        take_trial(d, &all.of[i]);
    study_trials_free(&all);
    return status;
}

static besd_status read_note(besd_study *study, const char *key, char *text, besd_error *error) {
    besd_status status = besd_study_get_note(study, key, text, DIGEST_NOTE, error);
    if (status == BESD_OK)
        text_clean(text);
    return status;
}

static besd_status digest(study_digest *d, besd_study *study, besd_error *error) {
    besd_status status = spec_init(&d->spec, besd_study_get_options(study), error);
    if (status == BESD_OK)
        status = read_note(study, "domain", d->domain, error);
    if (status == BESD_OK)
        status = read_note(study, "command", d->command, error);
    if (status == BESD_OK)
        status = read_trials(d, study, error);
    return status == BESD_OK && d->told ? besd_study_recommend(study, &d->best, error) : status;
}

static besd_status read_one(study_digest *d, const char *path, besd_error *error) {
    besd_study *study = NULL;
    besd_error own;
    besd_status status = besd_study_open(&study, path, NULL, error);
    if (status != BESD_OK)
        return status;
    status = digest(d, study, &own);
    besd_study_close(study);
    return status == BESD_OK ? status : besd_fail(error, status, "%s: %.400s", path, own.message);
}

besd_status study_digests_read(const char *const *paths, size_t count, study_digest **digests,
                               besd_error *error) {
    study_digest *all = calloc(count, sizeof *all);
    besd_status status = all ? BESD_OK : besd_fail_memory(error, "the studies");
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = read_one(&all[i], paths[i], error);
    if (status == BESD_OK) {
        name_all(all, paths, count);
    } else {
        study_digests_free(all, count);
        all = NULL;
    }
    *digests = all;
    return status;
}

void study_digests_free(study_digest *digests, size_t count) {
    for (size_t i = 0; digests && i < count; i++)
        free(digests[i].steps);
    free(digests);
}

typedef struct trial_list {
    study_trials *trials;
    size_t capacity;
    bool lacks_memory;
} trial_list;

static bool append_trial(void *context, const besd_trial *trial) {
    trial_list *list = context;
    study_trials *t = list->trials;
    if (t->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 64;
        besd_trial *grown = realloc(t->of, capacity * sizeof *grown);
        list->lacks_memory = !grown;
        if (!grown)
            return false;
        t->of = grown;
        list->capacity = capacity;
    }
    t->of[t->count++] = *trial;
    return true;
}

besd_status study_trials_read(study_trials *t, besd_study *study, besd_error *error) {
    trial_list list = {.trials = t};
    *t = (study_trials){0};
    besd_status status = besd_study_trials(study, 0, append_trial, &list, error);
    if (status == BESD_OK && list.lacks_memory)
        status = besd_fail_memory(error, "the trials");
    if (status != BESD_OK)
        study_trials_free(t);
    return status;
}

void study_trials_free(study_trials *t) {
    free(t->of);
    *t = (study_trials){0};
}
