/* What besd compare shares with besd paper. */
#ifndef BESD_CLI_COMPARE_H
#define BESD_CLI_COMPARE_H

#include "contest/compare.h"

/* Adds the methods of a list, "besd,ei,besd:tau=max,reps=max". */
besd_status add_contenders(comparison *c, const char *list, besd_error *error);

/* What --budget says for each domain, "gw10=100000,tr=200000"; NULL: nothing. */
besd_status compare_set_budgets(comparison *c, const char *list, besd_error *error);

/* Runs what is missing in FOLDER/results.besd, on threads or, under mpirun, over the ranks, with
 * progress on stderr. *is_first: this process has the results. BESD_DONE when the user stopped it.
 */
besd_status compare_anywhere(const comparison *c, const char *folder, bool quiet, bool *is_first,
                             besd_error *error);

#endif
