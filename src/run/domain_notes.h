/* The notes by which a study file knows its domain:
 *
 *     domain            gw10 wind_low=0.1 fresh instances     (domain_identity)
 *     domain_constants  subgoals=2 gamma=0.98 ...             (domain_constants)
 *     domain_origin     {"name": "/home/me/rooms.yaml", "set": ["wind=0.1"], "map":
 * "/home/me/m.txt"} map               the map of a grid that is not built in
 *
 * A study is data, and anybody may have made it (docs/security.md): from its origin built-in
 * domains and those in YAML are loaded, but no plugin and no process is ever started. */
#ifndef BESD_RUN_DOMAIN_NOTES_H
#define BESD_RUN_DOMAIN_NOTES_H

#include "run/domain_study.h"

/* Where a domain came from. */
typedef struct domain_origin {
    const char *name;       /* the DOMAIN argument */
    const char *map;        /* the file of --map, or NULL */
    const char *const *set; /* of --set, [set_count] */
    size_t set_count;
} domain_origin;

/* Loads the domain; call domain_release when done with it. On failure there is nothing to
 * release. */
besd_status domain_origin_load(const domain_origin *origin, domain *d, besd_error *error);

/* Notes in a new study which domain it belongs to and where that came from. */
besd_status domain_notes_write(besd_study *study, const domain_origin *origin,
                               const domain_study *b, besd_error *error);

/* Refuses to go on with a study that was begun on another domain; changes nothing. path: its file,
 * for the sentence. */
besd_status domain_notes_check(besd_study *study, const char *path, const domain_study *b,
                               besd_error *error);

/* The domain of a study's file, loaded again to go on with it. */
besd_status domain_notes_load(const char *path, domain *d, besd_error *error);

/* Cuts off what stands behind an identity whose replications have instances of their own; was it
 * there? */
bool domain_notes_cut_fresh(char *identity);

/* Keeps the map of a grid that is not built in, for pictures. domain_notes_write does so. */
besd_status domain_notes_keep_map(besd_study *study, const domain *d, besd_error *error);

/* The domain with its map or mountain, to be drawn. *known is false when the study is about none,
 * or about one of which no map was kept: a plugin's, a process's, a trainer's. Of a domain that is
 * not built in only name and map are known. */
besd_status domain_notes_find(besd_study *study, domain *d, bool *known, besd_error *error);

#endif
