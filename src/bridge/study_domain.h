/* The domain that a study is about, found again from the notes in its file: the line of
 * domain_identity, and the map where that line has none in it. */
#ifndef BESD_BRIDGE_STUDY_DOMAIN_H
#define BESD_BRIDGE_STUDY_DOMAIN_H

#include "besd/besd.h"
#include "world/domain.h"

/* What stands behind a domain whose replications have instances of their own; cuts it off. */
#define STUDY_DOMAIN_FRESH " fresh instances"
bool study_domain_cut_fresh(char *identity);

/* Keeps the map of a grid that is not built in, for pictures. */
besd_status study_domain_keep_map(besd_study *study, const domain *d, besd_error *error);

/* The domain with its map or mountain, to be drawn. *known is false when the study is about none,
 * or about one of which no map was kept: a plugin's, a process', a trainer's. Of a domain that is
 * not built in only name and map are known. */
besd_status study_domain_find(besd_study *study, domain *d, bool *known, besd_error *error);

#endif
