/* Who runs which trial: several runs of one study, side by side on one machine, keep off each
 * other's trials, and take over those of a run that has died.
 *
 * The claim to a trial is a lock on the byte of its number in a file beside the study, study-run,
 * and goes with the process that holds it. Byte 0 is shared by all who are at work; the last of
 * them removes the file. A claim comes after the asking, so whoever has got one looks again whether
 * the trial is still to be run. Where locks cannot be had every claim is granted, as if there were
 * no other run. */
#ifndef BESD_BRIDGE_CLAIMS_H
#define BESD_BRIDGE_CLAIMS_H

#include "besd/besd.h"

#include <stdbool.h>

typedef struct claims {
    char *path;
    int descriptor; /* -1: no locks to be had */
} claims;

/* study: the path of its file. */
besd_status claims_open(claims *c, const char *study, besd_error *error);
void claims_close(claims *c);

/* Takes the trial unless another run has it; what we have, we get again. */
bool claims_take(const claims *c, int64_t trial);
void claims_leave(const claims *c, int64_t trial);

#endif
