/* Which hyperparameters a decision is made with: kept ones as long as they serve, new ones when the
 * study has grown too much for the kept ones. A fit begins at the previous fit, so it depends on
 * that. Therefore the study file keeps fits, each with the number of told trials that it belongs
 * to: a resumed study goes on with the same fits. Nothing here reads or writes files; the caller
 * passes kept fits in and keeps new ones. */
#ifndef BESD_STUDY_FITTING_H
#define BESD_STUDY_FITTING_H

#include "model/mixture.h"
#include "study/evidence.h"

/* The newest fit that the file has. */
typedef struct kept_fit {
    int64_t told;      /* the number of trials that it was made of; 0: there is none */
    int64_t last_full; /* the same number of the newest fit from several starts */
    draws drawn;
} kept_fit;

typedef struct fitting {
    draws drawn;
    int64_t told;
    bool is_new, is_full; /* made just now; made from several starts */
} fitting;

/* The newest fit that was made and not kept, so that the next look need not make it again. */
typedef struct fit_memory {
    int64_t told, kept; /* told trials, and told trials of the kept fit that it started from */
    int64_t changes;    /* evidence.changes when it was made */
    fitting fit;
} fit_memory;

/* The fit to use now: the kept one, the remembered one, or a new one. BESD_INVALID when nothing is
 * told. */
besd_status fitting_settle(const study_spec *spec, const evidence *e, const kept_fit *kept,
                           fit_memory *memory, fitting *settled, besd_error *error);

/* A new fit to the told trials: draws for the averaged model, else the maximum from one or several
 * starts. warm may be NULL. */
besd_status fitting_run(const study_spec *spec, const evidence *e, const draws *warm, int starts,
                        draws *drawn, besd_error *error);

/* The posterior. With pending trials, these shrink its covariances. */
besd_status fitting_condition(const evidence *e, const draws *drawn, bool with_pending,
                              mixture *model, besd_error *error);

/* To text for the file, named numbers with a format version, and back; the caller frees the text. A
 * text that is damaged, of another format or of no use to a model of this study is not usable. That
 * is no error: it costs a new fit. */
besd_status fitting_write(const study_spec *spec, const draws *drawn, char **text,
                          besd_error *error);
besd_status fitting_read(const study_spec *spec, const char *text, draws *drawn, bool *usable,
                         besd_error *error);

/* Prepares for models in this many threads at once. BESD_MEMORY when there is no room for them. */
besd_status fitting_begin(size_t threads, besd_error *error);

#endif
