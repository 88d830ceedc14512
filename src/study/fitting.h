/* Which hyperparameters a decision is made with: kept ones as long as they serve, fitted ones when
 * the trials have outgrown them. A warm start makes a fit depend on the one before, so fits are
 * kept in the study file with the number of told trials they belong to: a resumed study goes on
 * with the same ones. No files here; whoever reads and writes them passes them in and out. */
#ifndef BESD_STUDY_FITTING_H
#define BESD_STUDY_FITTING_H

#include "model/mixture.h"
#include "study/evidence.h"

/* The newest fit that the file has. */
typedef struct kept_fit {
    int64_t told;      /* trials that it was made of; 0: there is none */
    int64_t last_full; /* the same of the newest fit from several starts */
    draws drawn;
} kept_fit;

typedef struct fitting {
    draws drawn;
    int64_t told;
    bool is_new, is_full; /* made just now; from several starts */
} fitting;

/* The newest fit that was made and not kept: looking again would only repeat it. */
typedef struct fit_memory {
    int64_t told, kept; /* told trials, and those of the kept fit that it started from */
    int64_t changes;    /* of what was told before */
    fitting fit;
} fit_memory;

/* BESD_INVALID when nothing is told. */
besd_status fitting_settle(const study_spec *spec, const evidence *e, const kept_fit *kept,
                           fit_memory *memory, fitting *settled, besd_error *error);

/* The maximum for the told trials from one or several starts, or draws; warm may be NULL. */
besd_status fitting_run(const study_spec *spec, const evidence *e, const draws *warm, int starts,
                        draws *drawn, besd_error *error);

/* The posterior; pending trials shrink its covariances, or are left out. */
besd_status fitting_condition(const evidence *e, const draws *drawn, bool with_pending,
                              mixture *model, besd_error *error);

/* As text for the file, named numbers with a format version, and back; the text is the caller's to
 * free. What is damaged, of another format or nothing that a model of this study can work with is
 * not usable, which costs a new fit and is no error. */
besd_status fitting_write(const study_spec *spec, const draws *drawn, char **text,
                          besd_error *error);
besd_status fitting_read(const study_spec *spec, const char *text, draws *drawn, bool *usable,
                         besd_error *error);

/* Is there room for models in so many threads at once? BESD_MEMORY when there is not. */
besd_status fitting_begin(size_t threads, besd_error *error);

#endif
