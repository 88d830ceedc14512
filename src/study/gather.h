/* Several acts on a study with one commit, for those who have many at hand: what makes an act slow
 * is waiting for the disk. Each succeeds or fails on its own; none is durable before study_settle.
 */
#ifndef BESD_STUDY_GATHER_H
#define BESD_STUDY_GATHER_H

#include "besd/besd.h"

besd_status study_gather(besd_study *study, besd_error *error);

/* When it fails, nothing of what was gathered has happened, and the handle should be closed: it may
 * remember what it has not kept. */
besd_status study_settle(besd_study *study, besd_error *error);

/* Instead of settling; the handle should be closed for the same reason. */
void study_scatter(besd_study *study);

#endif
