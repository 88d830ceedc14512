#include "contest/findings.h"

#include "contest/own_map.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Domains that were settled but of which no job is finished yet say nothing. */
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
