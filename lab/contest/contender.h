/* A contender: a method of a study with the options it is run with, or a learner without subgoals.
 * Written "besd", "ei", "besd:model=paper,tau=max", "ql", "tql". */
#ifndef BESD_CONTEST_CONTENDER_H
#define BESD_CONTEST_CONTENDER_H

#include "run/domain_study.h"
#include "study/options.h"

enum { CONTENDER_MAX_NAME = 160 };

typedef enum contender_kind {
    CONTENDER_STUDY,   /* optimises subgoals */
    CONTENDER_PLAIN,   /* ql: no subgoals */
    CONTENDER_TRANSFER /* tql: no subgoals, values of a stored instance */
} contender_kind;

typedef enum lever_choice { LEVER_FREE, LEVER_LEAST, LEVER_MOST } lever_choice;

typedef struct contender {
    char name[CONTENDER_MAX_NAME]; /* as written */
    contender_kind kind;
    lever_choice tau, reps; /* one level only: ablations */
    lever_choice initial_reps;
    besd_study_options options; /* of them its method, and what was given: */
    bool given[STUDY_OPTIONS];  /* options of methods, without those of the domain */
    bool latest; /* random: the latest design counts, not the best (the paper's figure) */
} contender;

/* A wrong name or option is BESD_UNKNOWN or BESD_INVALID with the nearest right one. */
besd_status contender_parse(contender *c, const char *text, besd_error *error);

/* The settings of the paper, unless the name says otherwise: its model, and replications that
 * share an instance. */
void contender_as_paper(contender *c);

/* Turns the setting's options into those of this contender; seed and budget are the caller's. */
void contender_apply(const contender *c, domain_study *b);

/* Names that compare takes, for help and completion; NULL past the last. */
const char *contender_name(size_t index);

#endif
