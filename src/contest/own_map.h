/* Maps of domains that are not built in: a comparison keeps them in its folder, as texts that
 * grid_map.h reads, because neither its results nor anything else knows them when figures are
 * drawn. */
#ifndef BESD_CONTEST_OWN_MAP_H
#define BESD_CONTEST_OWN_MAP_H

#include "world/domain.h"

/* Keeps the map of a grid under the identity that the results have for it; a built-in one, or no
 * grid, needs none. */
besd_status own_map_keep(const char *folder, const char *identity, const domain *d,
                         besd_error *error);

/* The map that is kept for an identity; NULL: there is none, or it is damaged. free() it. */
grid_map *own_map_read(const char *folder, const char *identity);

#endif
