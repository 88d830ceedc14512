/* A comparison's folder, read and summarised: what exports, figures and pages start from. */
#ifndef BESD_CONTEST_FINDINGS_H
#define BESD_CONTEST_FINDINGS_H

#include "contest/table1.h"

typedef struct findings {
    results_table table;
    summary summary;
    table1 table1;
} findings;

/* Reads FOLDER/results.besd. BESD_INVALID when it holds no finished job. */
besd_status findings_load(const char *folder, findings *f, besd_error *error);
void findings_free(findings *f);

#endif
