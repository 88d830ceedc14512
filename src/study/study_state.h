/* What the files of the public calls share: a handle, and how it looks at its file. Every call
 * reads the file, so that several processes can work on one study; a handle keeps only what never
 * changes, and a fit together with what it follows from. */
#ifndef BESD_STUDY_STUDY_STATE_H
#define BESD_STUDY_STUDY_STATE_H

#include "decide/kg.h"
#include "study/fitting.h"
#include "study/store.h"
#include "study/turn.h"

/* Limits of the model and of the public header that must agree. */
_Static_assert(BESD_MAX_DIMENSION == MODEL_MAX_DIMENSION, "a study's theta is a model's theta");
_Static_assert(BESD_MAX_LEVELS == MODEL_MAX_LEVELS, "the model has a noise for every tau");
_Static_assert(BESD_MAX_LEVELS == KG_MAX_LEVELS, "every tau and reps is a lever");

struct besd_study {
    store *store;
    study_spec spec; /* the budget as it was when last looked at */
    targets targets;
    double *user_targets; /* what besd_study_targets shows, or NULL */
    size_t user_target_count;
    besd_stop stopped;
    fit_memory looked;
    leg_memory legs;
    char who[BESD_MAX_NAME]; /* acts with it */
};

/* All that a decision is made from, as of one moment. */
typedef struct view {
    evidence evidence;
    kept_fit kept;
} view;

/* Reads it, and the budget into the spec, inside a transaction; view_free after success. */
besd_status study_look(besd_study *s, view *v, besd_error *error);

/* The same in a transaction of its own, which nobody waits for. */
besd_status study_glance(besd_study *s, view *v, besd_error *error);
void view_free(view *v);

/* The fit and the model for what was seen; the model is freed by the caller. */
besd_status study_model(besd_study *s, const view *v, bool with_pending, fitting *fit,
                        mixture *model, besd_error *error);

/* The budget alone; other processes may have raised it. */
besd_status study_read_budget(besd_study *s, besd_error *error);

besd_status study_get_trial(besd_study *s, int64_t id, trial_record *t, besd_error *error);

/* An event of this handle's, inside a transaction; trial 0: about the study, detail NULL: nothing
 * to add. */
besd_status study_record(besd_study *s, const char *what, int64_t trial, const char *detail,
                         besd_error *error);

/* In whose name a trial is asked for, and for how long. */
typedef struct asker {
    const char *worker; /* NULL: nobody's in particular */
    double lease;       /* seconds; INFINITY: for good */
} asker;

besd_status asker_check(const asker *by, besd_error *error);

/* Inside a transaction: the trial is theirs from now on, and that is an event. The explanation may
 * be NULL. */
besd_status study_give(besd_study *s, const asker *by, int64_t id,
                       const besd_explanation *explanation, besd_error *error);

/* The first trial that waits, or whose lease has ended, given to them; *found is false when there
 * is none. In a transaction of its own when there may be one. */
besd_status study_give_waiting(besd_study *s, const asker *by, besd_trial *trial, bool *found,
                               besd_error *error);

/* A note (NULL: as it was) and tags of a trial, all or none. */
typedef struct tag_change {
    const char *tag;
    bool on;
} tag_change;

besd_status study_annotate(besd_study *s, int64_t id, const char *note, const tag_change *tags,
                           size_t count, besd_error *error);

/* Writes the budget in force, inside a transaction; a change of it is an event. */
besd_status study_write_budget(besd_study *s, double budget, besd_error *error);
besd_status study_change_budget(besd_study *s, double budget, besd_error *error);

/* Under which keys the store has the description, and the budget apart from it. */
#define STUDY_SPEC_KEY "spec"
#define STUDY_BUDGET_KEY "budget"
#define STUDY_GIVEN_BUDGET_KEY "budget given" /* by whoever opened it last with one */
#define STUDY_PATH_KEY "path"

#endif
