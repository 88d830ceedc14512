/* The folder of a comparison, read and summarised. Exports, figures and pages start from it. */
#ifndef BESD_CONTEST_FINDINGS_H
#define BESD_CONTEST_FINDINGS_H

#include "contest/table1.h"
#include "world/domain.h"

typedef struct findings {
    results_table table;
    summary summary;
    table1 table1;
} findings;

/* Reads FOLDER/results.besd. BESD_INVALID when it holds no finished job. */
besd_status findings_load(const char *folder, findings *f, besd_error *error);
void findings_free(findings *f);

/* A comparison keeps the maps of domains that are not built in in its folder, as texts that
 * grid_map.h reads: figures need them, and the results do not have them.
 *
 * Keeps the map of a grid under the identity that the results have for it. A built-in domain and a
 * domain that is no grid need none. */
besd_status own_map_keep(const char *folder, const char *identity, const domain *d,
                         besd_error *error);

/* The map that is kept for an identity; NULL: there is none, or it is damaged. free() it. */
grid_map *own_map_read(const char *folder, const char *identity);

#endif
