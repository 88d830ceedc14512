/* What the files of the public calls share: a handle, and how it reads its trials. Every call reads
 * the file, so that several processes can work on one study; a handle keeps only what never
 * changes, and a fit together with what it follows from. */
#ifndef BESD_STUDY_STUDY_STATE_H
#define BESD_STUDY_STUDY_STATE_H

#include "study/advisor.h"

_Static_assert(BESD_MAX_DIMENSION == MODEL_MAX_DIMENSION, "a study's theta is a model's theta");
_Static_assert(BESD_MAX_LEVELS == MODEL_MAX_LEVELS, "the model has a noise for every tau");
_Static_assert(BESD_MAX_LEVELS == KG_MAX_LEVELS, "every tau and reps is a lever");
_Static_assert(BESD_MAX_CANDIDATES >= ADVISOR_RUNNERS_UP, "every runner-up is told");

struct besd_study {
    store *store;
    study_spec spec;
    targets targets;
    double *user_targets; /* what besd_study_targets shows, or NULL */
    size_t user_target_count;
    besd_stop stopped;
    struct { /* the newest fit that was not kept: looking again would only repeat it */
        int64_t told, fitted; /* told trials, and those of the kept fit that it started from */
        hyperparameters h;
    } looked;
};

besd_status study_get_trial(besd_study *s, int64_t id, stored_trial *t, besd_error *error);

/* All trials as the model sees them; evidence_free after. */
besd_status study_load(besd_study *s, evidence *e, besd_error *error);

/* The hyperparameters that belong to the told trials: kept ones, or fitted from the newest kept,
 * and with `keep` written down. */
besd_status study_fit(besd_study *s, evidence *e, bool keep, hyperparameters *h, besd_error *error);

/* The model of the told trials, with or without pending ones. */
besd_status study_model(besd_study *s, evidence *e, bool with_pending, bool keep, gp **model,
                        besd_error *error);

/* Ends a transaction one way or the other. */
besd_status study_end(besd_study *s, besd_status status, besd_error *error);

#endif
