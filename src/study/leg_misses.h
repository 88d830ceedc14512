/* Places that nobody has ever come to. The model of legs hopes for a place from wherever it has not
 * been tried from, so one inside a wall would be tried from everywhere in turn. By the rule of
 * succession a place that n trials have set out to in vain is come to with a chance of 1 / (n + 1)
 * of what it was, until one gets there. */
#ifndef BESD_STUDY_LEG_MISSES_H
#define BESD_STUDY_LEG_MISSES_H

#include "study/evidence.h"
#include "study/path.h"

/* How many trials set out to each place of the lattice, none of whose replications came there; 0
 * for places that were ever come to. Replications that came to the end of the path instead say
 * nothing. */
void leg_misses_count(const study_spec *spec, const evidence *e, const path_lattice *lattice,
                      double *misses);

#endif
