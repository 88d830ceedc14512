#include "bridge/study_domain.h"

#include "core/error.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest map, a line for every row of it, and all of its choices. */
enum { LARGEST_MAP = 1 << 16, LONGEST_IDENTITY = 1024 };

bool study_domain_cut_fresh(char *identity) {
    size_t length = strlen(identity), cut = strlen(STUDY_DOMAIN_FRESH);
    if (length < cut || strcmp(identity + length - cut, STUDY_DOMAIN_FRESH) != 0)
        return false;
    identity[length - cut] = 0;
    return true;
}

besd_status study_domain_keep_map(besd_study *study, const domain *d, besd_error *error) {
    char identity[LONGEST_IDENTITY];
    domain found;
    domain_identity(d, identity, sizeof identity);
    if (d->kind != DOMAIN_GRID || domain_from_identity(identity, &found))
        return BESD_OK;
    size_t size = grid_map_print(&d->map, NULL, 0);
    char *text = malloc(size);
    if (!text)
        return besd_fail_memory(error, "the map");
    grid_map_print(&d->map, text, size);
    besd_status status = besd_study_set_note(study, "map", text, error);
    free(text);
    return status;
}

/* A grid of which nothing but name and map matters. */
static bool read_map(const char *identity, const char *text, domain *d) {
    char name[DOMAIN_NAME_SIZE];
    size_t length = strcspn(identity, " ");
    snprintf(name, sizeof name, "%.*s", (int)length, identity);
    text_clean(name);
    domain_init(d, name, "");
    domain_init_grid(d);
    return grid_map_parse(text, &d->map, NULL) == BESD_OK;
}

besd_status study_domain_find(besd_study *study, domain *d, bool *known, besd_error *error) {
    char identity[LONGEST_IDENTITY];
    *known = false;
    besd_status status = besd_study_get_note(study, "domain", identity, sizeof identity, error);
    if (status != BESD_OK || !identity[0])
        return status;
    study_domain_cut_fresh(identity);
    *known = domain_from_identity(identity, d);
    char *text = *known ? NULL : malloc(LARGEST_MAP);
    if (!*known && !text)
        return besd_fail_memory(error, "the map");
    if (!*known)
        status = besd_study_get_note(study, "map", text, LARGEST_MAP, error);
    if (!*known && status == BESD_OK && text[0])
        *known = read_map(identity, text, d);
    free(text);
    return status;
}
