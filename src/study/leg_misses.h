/* Places that nobody has come to. The model of legs hopes for a place from wherever it has not been
 * tried from, so one inside a wall would be tried from everywhere in turn. A place that n trials,
 * however short, have set out to in vain counts with 1 / (n + 1) of its chance (legs_chance), until
 * one gets there. Tried and left: the rule of succession, by which places that nobody has tried are
 * half as likely as those that were come to: nobody looked for new ones. */
#ifndef BESD_STUDY_LEG_MISSES_H
#define BESD_STUDY_LEG_MISSES_H

#include "study/evidence.h"
#include "study/path.h"

/* How many trials set out to each place of the lattice, none of whose replications came there; 0
 * for places that one of them came to, or to another place of the same cell. Confirming trials do
 * not count, as for the model. Replications that came to the end of the path instead say
 * nothing. */
void leg_misses_count(const study_spec *spec, const evidence *e, const path_lattice *lattice,
                      double *misses);

#endif
