#include "contest/findings.h"

#include "core/error.h"
#include "core/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 17, LONGEST_PATH = 1024 };

/* By a number, because a domain may have any name. */
static bool find_path(const char *folder, const char *identity, char path[LONGEST_PATH]) {
    return snprintf(path, LONGEST_PATH, "%s/map-%016llx.txt", folder,
                    (unsigned long long)hash_bytes(HASH_START, identity, strlen(identity))) <
           LONGEST_PATH;
}

besd_status own_map_keep(const char *folder, const char *identity, const domain *d,
                         besd_error *error) {
    char path[LONGEST_PATH];
    domain known;
    if (d->kind != DOMAIN_GRID || domain_from_identity(identity, &known) ||
        !find_path(folder, identity, path))
        return BESD_OK;
    char *text = malloc(LARGEST);
    if (!text)
        return besd_fail_memory(error, "a map");
    FILE *file = grid_map_print(&d->map, text, LARGEST) <= LARGEST ? fopen(path, "w") : NULL;
    bool written = file && fputs(text, file) >= 0;
    if (file && fclose(file))
        written = false;
    free(text);
    return written
               ? BESD_OK
               : besd_fail(error, BESD_IO, "%s: could not be written: %s", path, strerror(errno));
}

grid_map *own_map_read(const char *folder, const char *identity) {
    char path[LONGEST_PATH];
    FILE *file = find_path(folder, identity, path) ? fopen(path, "r") : NULL;
    char *text = file ? calloc(1, LARGEST) : NULL;
    grid_map *map = text ? malloc(sizeof *map) : NULL;
    if (map) {
        text[fread(text, 1, LARGEST - 1, file)] = 0;
        if (grid_map_parse(text, map, NULL) != BESD_OK) {
            free(map);
            map = NULL;
        }
    }
    free(text);
    if (file)
        fclose(file);
    return map;
}

/* A domain without a finished job has nothing to say. */
static void drop_empty_domains(results_table *table) {
    int kept = 0;
    for (int i = 0; i < table->domain_count; i++)
        if (table->domains[i].entry_count)
            table->domains[kept++] = table->domains[i];
    table->domain_count = kept;
}

besd_status findings_load(const char *folder, findings *f, besd_error *error) {
    char path[4096];
    results *r = NULL;
    memset(f, 0, sizeof *f);
    if (snprintf(path, sizeof path, "%s/results.besd", folder) >= (int)sizeof path)
        return besd_fail(error, BESD_INVALID, "%s: the name of the folder is too long", folder);
    besd_status status = results_open(path, false, &r, error);
    if (status != BESD_OK)
        return status;
    status = results_load(r, &f->table, error);
    results_close(r);
    if (status == BESD_OK) {
        drop_empty_domains(&f->table);
        if (!f->table.domain_count)
            status = besd_fail(error, BESD_INVALID, "%s: no job of the comparison is finished yet",
                               path);
    }
    for (int i = 0; status == BESD_OK && i < f->table.domain_count; i++) {
        results_contest *c = &f->table.domains[i].contest;
        c->map = own_map_read(folder, c->identity);
    }
    if (status == BESD_OK)
        status = summary_make(&f->table, &f->summary, error);
    if (status == BESD_OK)
        status = table1_make(&f->summary, &f->table1, error);
    if (status != BESD_OK)
        findings_free(f);
    return status;
}

void findings_free(findings *f) {
    if (f->summary.table)
        summary_free(&f->summary);
    for (int i = 0; i < f->table.domain_count; i++)
        free(f->table.domains[i].contest.map);
    results_table_free(&f->table);
}
