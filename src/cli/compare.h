/* What besd compare shares with besd paper. */
#ifndef BESD_CLI_COMPARE_H
#define BESD_CLI_COMPARE_H

#include "lab/compare.h"
#include "lab/findings.h"

/* Adds the methods of a list, "besd,ei,besd:tau=max,reps=max". */
besd_status add_contenders(comparison *c, const char *list, besd_error *error);

/* Runs what is missing in FOLDER/results.besd, with progress on stderr; BESD_DONE when the user
 * stopped it. */
besd_status compare_folder(const comparison *c, const char *folder, bool quiet, besd_error *error);

/* The table at the end of a comparison, on stdout. */
void print_findings(const findings *f, const char *folder);

#endif
