/* Table 1 of the paper: how much sooner an agent learns with besd's final recommendation. Every
 * cell is the mean performance with subgoals, over all replications of besd, divided by that
 * without, after 1, 2, ..., 10 times m interactions with an instance. Less is better, except
 * for tr, whose performance is a return. */
#ifndef BESD_CONTEST_TABLE1_H
#define BESD_CONTEST_TABLE1_H

#include "contest/summary.h"

#include <jansson.h>

enum { TABLE1_DOMAINS = 6, TABLE1_TR = 2 };

extern const char *const table1_domains[TABLE1_DOMAINS]; /* in the paper's order */
extern const double table1_paper[JOB_CHECKPOINTS][TABLE1_DOMAINS];

typedef struct table1 {
    double ratio[JOB_CHECKPOINTS][TABLE1_DOMAINS]; /* NaN: the domain was not run with besd */
    double tr_return[JOB_CHECKPOINTS];             /* with subgoals */
    double tr_small_random[JOB_CHECKPOINTS]; /* ratio to an agent whose initial values are small
                                                random numbers; NaN when it never earned anything */
    int cells, at_least_as_good;             /* outside tr: filled in; no worse than the paper */
} table1;

besd_status table1_make(const summary *s, table1 *t, besd_error *error);

/* table1.csv and table1.md in a folder. */
besd_status table1_write(const table1 *t, const char *folder, besd_error *error);
json_t *table1_json(const table1 *t);

#endif
