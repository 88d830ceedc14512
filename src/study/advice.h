/* What the choosers of method besd agree on: the levers that may be taken, and the choice. */
#ifndef BESD_STUDY_ADVICE_H
#define BESD_STUDY_ADVICE_H

#include "decide/kg_average.h"
#include "study/turn.h"

typedef struct advice {
    besd_reason reason;
    const char *why;                           /* NULL: as always for this reason */
    bool worthless;                            /* no trial was found that has a value */
    kg_choice choice;                          /* unit cube */
    kg_choice candidates[BESD_MAX_CANDIDATES]; /* before refinement, best first */
    size_t candidate_count, evaluated, kept;
    double missed;                                /* as besd_explanation has it */
    double log_kg[KG_MAX_LEVELS * KG_MAX_LEVELS]; /* at the choice: [tau * reps_count + reps] */
} advice;

/* Levers with the costs of the study; what is out of reach or not wanted costs infinity. False when
 * none is left. */
bool advice_fill_levers(const study_spec *spec, double affordable, bool only_tau_max,
                        kg_levers *levers);

/* The levers with the most value per cost at the chosen theta, from a->log_kg; stays with what it
 * is unless better. */
void advice_pick_levers(const kg_levers *levers, advice *a);

/* Why the choice was made, for those who ask. */
void advice_explain(const turn *t, const advice *a);

#endif
