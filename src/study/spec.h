/* What is fixed when a study is created: checked once, with automatic options settled, and kept in
 * the study file as JSON. */
#ifndef BESD_STUDY_SPEC_H
#define BESD_STUDY_SPEC_H

#include "besd/besd.h"
#include "model/tasks.h"
#include "study/options.h"

typedef struct study_spec {
    besd_study_options options; /* its pointers lead into the arrays below */
    double low[BESD_MAX_DIMENSION], high[BESD_MAX_DIMENSION];
    char name_text[BESD_MAX_DIMENSION][BESD_MAX_NAME], unit_text[BESD_MAX_DIMENSION][BESD_MAX_NAME];
    const char *names[BESD_MAX_DIMENSION], *units[BESD_MAX_DIMENSION];
    int64_t taus[BESD_MAX_LEVELS]; /* increasing */
    int reps[BESD_MAX_LEVELS];     /* increasing */
    besd_path path;                /* without points: theta is no path */
    task_set tasks;                /* one, unless the study has tasks (task_list.h) */
} study_spec;

/* Checks options, also those of a program that was built against an older besd, and settles what
 * they leave automatic. */
besd_status spec_init(study_spec *s, const besd_study_options *options, besd_error *error);

/* To JSON and back: everything but the budget, which may change and has a row of its own in the
 * file. The caller frees the text. An option that the text does not have, because it is newer than
 * the text, gets its initial value. */
besd_status spec_write(const study_spec *s, char **text, besd_error *error);
besd_status spec_read(study_spec *s, const char *text, besd_error *error);

/* The budget to the text of its row, a JSON number in every locale, and back. BESD_IO when the text
 * is no budget. */
besd_status spec_write_budget(double budget, char **text, besd_error *error);
besd_status spec_read_budget(const char *text, double *budget, besd_error *error);

/* BESD_INVALID with the first difference in what may not change: everything but the budget. */
besd_status spec_compare(const study_spec *stored, const study_spec *given, besd_error *error);

/* Theta between the user's units and the unit cube. */
void spec_to_unit(const study_spec *s, const double *theta, double *unit);
void spec_to_user(const study_spec *s, const double *unit, double *theta);

/* Has the study tasks; the number of a trial's task as models count (model/tasks.h). */
bool spec_has_tasks(const study_spec *s);
int spec_task(const study_spec *s, const besd_trial *trial);

/* The tasks as models want them: NULL for one task without sources. */
const task_set *spec_tasks(const study_spec *s);

double spec_cost(const study_spec *s, int tau_level, int reps_level);
int64_t spec_tau_max(const study_spec *s);

/* tau / tau_max, as the model sees it. */
double spec_share(const study_spec *s, int64_t tau);

/* A score as the model sees it, to be maximised, and back. */
double spec_to_model(const study_spec *s, double score);
double spec_score(const besd_study_options *o, double value);

/* The number of the level; -1: it is not one of the study's levels. */
int spec_tau_level(const study_spec *s, int64_t tau);
int spec_reps_level(const study_spec *s, int reps);

#endif
