/* A small study to show what the model of one looks like. */
#ifndef BESD_FIGURES_EXAMPLE_STUDY_H
#define BESD_FIGURES_EXAMPLE_STUDY_H

#include "besd/besd.h"

/* What `besd run gw10 --budget 300000 --seed SEED` does, in memory; a second or two. */
besd_status example_study_run(uint64_t seed, besd_study **study, besd_error *error);

#endif
