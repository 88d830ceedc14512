/* What the files of the public calls share: a handle, and how it looks at its file. Every call
 * reads the file, so that several processes can work on one study. A handle keeps only what never
 * changes, and fits together with what they follow from. */
#ifndef BESD_STUDY_STUDY_STATE_H
#define BESD_STUDY_STUDY_STATE_H

#include "decide/kg.h"
#include "study/fitting.h"
#include "study/sources.h"
#include "study/store.h"
#include "study/study.h"
#include "study/task_list.h"
#include "study/turn.h"

/* Limits of the model and of the public header that must agree. */
_Static_assert(BESD_MAX_DIMENSION == MODEL_MAX_DIMENSION, "a study's theta is a model's theta");
_Static_assert(BESD_MAX_LEVELS == MODEL_MAX_LEVELS, "the model has a noise for every tau");
_Static_assert(BESD_MAX_LEVELS == KG_MAX_LEVELS, "every tau and reps is a lever");

struct besd_study {
    store *store;
    study_spec spec; /* its budget is that of the last look */
    targets targets;
    double *user_targets; /* what besd_study_targets shows, or NULL */
    size_t user_target_count;
    besd_stop stopped;
    source_list sources;
    task_list tasks;    /* count 0: none */
    bool sources_final; /* no more of them can be added, because there are trials */
    fit_memory looked;
    leg_memory legs;
    char who[BESD_MAX_NAME]; /* the name in which the handle acts */
    char ask_key[STUDY_KEY_SIZE], ask_digest[STUDY_DIGEST_SIZE]; /* of its asks; "": none */
    claimed_trials claimed;                                      /* of a study in memory */
};

/* Reads the tasks, which may be declared until there is a trial (study.c). */
besd_status study_read_tasks(besd_study *s, besd_error *error);

/* All that a decision is made from, as of one moment. */
typedef struct view {
    evidence evidence;
    kept_fit kept;
} view;

/* Reads a view, and the budget into the spec, inside a transaction; view_free after success. */
besd_status study_look(besd_study *s, view *v, besd_error *error);

/* The same in a reading transaction of its own, which no other process waits for. */
besd_status study_glance(besd_study *s, view *v, besd_error *error);
void view_free(view *v);

/* The fit and the model for a view; the caller frees the model. */
besd_status study_model(besd_study *s, const view *v, bool with_pending, fitting *fit,
                        mixture *model, besd_error *error);

besd_status study_get_trial(besd_study *s, int64_t id, trial_record *t, besd_error *error);

/* The seed of trial `id`: 53 bits, because JSON knows no more. */
uint64_t study_trial_seed(const besd_study *s, int64_t id);

/* Writes an event in the name of this handle, inside a transaction; trial 0: about the study,
 * detail NULL: nothing to add. */
besd_status study_record(besd_study *s, const char *what, int64_t trial, const char *detail,
                         besd_error *error);

/* Writes the budget in force, inside a transaction. study_change_budget also records an event. */
besd_status study_write_budget(besd_study *s, double budget, besd_error *error);
besd_status study_change_budget(besd_study *s, double budget, besd_error *error);

#endif
