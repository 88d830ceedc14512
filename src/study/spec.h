/* What is fixed when a study is created: checked once, what was left automatic settled, kept in the
 * study file as JSON.
 */
#ifndef BESD_STUDY_SPEC_H
#define BESD_STUDY_SPEC_H

#include "besd/besd.h"
#include "study/options.h"

typedef struct study_spec {
    besd_study_options options; /* pointers lead into the arrays below */
    double low[BESD_MAX_DIMENSION], high[BESD_MAX_DIMENSION];
    char name_text[BESD_MAX_DIMENSION][BESD_MAX_NAME], unit_text[BESD_MAX_DIMENSION][BESD_MAX_NAME];
    const char *names[BESD_MAX_DIMENSION], *units[BESD_MAX_DIMENSION];
    int64_t taus[BESD_MAX_LEVELS]; /* increasing */
    int reps[BESD_MAX_LEVELS];     /* increasing */
    besd_path path;                /* no points: theta is none */
} study_spec;

/* Checks options, those of an older program included, and settles what they leave automatic. */
besd_status spec_init(study_spec *s, const besd_study_options *options, besd_error *error);

/* JSON and back (spec_json.c), all but the budget, which may change and has a place of its own in
 * the file; the text is the caller's to free. An option that the text lacks, because it is younger,
 * is as it is initially. */
besd_status spec_write(const study_spec *s, char **text, besd_error *error);
besd_status spec_read(study_spec *s, const char *text, besd_error *error);

/* The budget as the file has it, a JSON number whatever the locale, and back; BESD_IO when it is
 * none. */
besd_status spec_write_budget(double budget, char **text, besd_error *error);
besd_status spec_read_budget(const char *text, double *budget, besd_error *error);

/* BESD_INVALID with the first difference in what may not change (all but the budget). */
besd_status spec_compare(const study_spec *stored, const study_spec *given, besd_error *error);

/* Theta between the user's units and the unit cube. */
void spec_to_unit(const study_spec *s, const double *theta, double *unit);
void spec_to_user(const study_spec *s, const double *unit, double *theta);

double spec_cost(const study_spec *s, int tau_level, int reps_level);
int64_t spec_tau_max(const study_spec *s);

/* A score as the model sees it, to be maximised, and back. */
double spec_to_model(const study_spec *s, double score);
double spec_score(const besd_study_options *o, double value);

/* Number of the level, or -1. */
int spec_tau_level(const study_spec *s, int64_t tau);
int spec_reps_level(const study_spec *s, int reps);

#endif
