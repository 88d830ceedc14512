#include "figures/comparison_figures.h"

#include "core/error.h"
#include "run/domain_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static besd_status spend_budget(besd_study *s, const domain_study *b, besd_error *error) {
    domain_trainer own;
    besd_trainer trainer = domain_trainer_open(&own, b, s);
    besd_run_result result;
    besd_status status = besd_study_run(s, &trainer, NULL, &result, error);
    domain_trainer_close(&own);
    return status;
}

/* A small study for figures of its model: what `besd run gw10 --budget 300000 --seed SEED` does, in
 * memory; a second or two. */
static besd_status run_example_study(uint64_t seed, besd_study **study, besd_error *error) {
    domain d;
    domain_study b;
    *study = NULL;
    besd_status status = domain_find("gw10", &d, error);
    if (status == BESD_OK)
        status = domain_study_init(&b, &d, error);
    if (status != BESD_OK)
        return status;
    b.options.seed = seed;
    b.options.budget = 300000;
    status = baseline_measure(&b, error);
    if (status == BESD_OK)
        status = domain_study_open(&b, NULL, study, error);
    if (status == BESD_OK)
        status = spend_budget(*study, &b, error);
    if (status != BESD_OK) {
        besd_study_close(*study);
        *study = NULL;
    }
    return status;
}

/* Which domain the example figures are about, the first that is there. */
static const char *const surface_examples[] = {"gw20", "gw10", "key3", "tr", "key2"};
static const char *const value_examples[] = {"gw10", "tr", "key2", "key3", "gw20"};

enum { EXAMPLES = 5 };

static const summary_domain *find_domain(const summary *s, const char *name, domain *d) {
    for (int i = 0; i < s->domain_count; i++)
        if (!strcmp(s->domains[i].contest->domain, name) && s->domains[i].besd >= 0 &&
            domain_from_identity(s->domains[i].contest->identity, d))
            return &s->domains[i];
    return NULL;
}

/* The run of besd that ended best. */
static const job_result *best_run(const summary_domain *d) {
    const results_entry *e = d->methods[d->besd].entry;
    const job_result *best = &e->result[0];
    for (int i = 1; i < e->count; i++)
        if (summary_regret(d, &e->result[i].points[JOB_POINTS - 1]) <
            summary_regret(d, &best->points[JOB_POINTS - 1]))
            best = &e->result[i];
    return best;
}

static besd_status draw_kind(const char *kind, const figure_source *source, const char *folder,
                             besd_error *error) {
    const figure_kind *found;
    besd_status status = figure_find(kind, &found, error);
    return status == BESD_OK ? figure_make(found, source, folder, kind, PLOT_EVERY_FORMAT, error)
                             : status;
}

/* A figure about a domain, with besd's best design for it. */
static besd_status draw_example(const char *kind, const summary *s, const char *const *examples,
                                const char *folder, besd_error *error) {
    const summary_domain *chosen = NULL;
    domain d;
    for (int i = 0; i < EXAMPLES && !chosen; i++)
        chosen = find_domain(s, examples[i], &d);
    if (!chosen)
        return BESD_INVALID;
    const job_result *run = best_run(chosen);
    figure_source source = {.domain = &d,
                            .theta = run->points[JOB_POINTS - 1].theta,
                            .theta_length = run->dimension,
                            .instance = 1,
                            .seed = 1};
    return draw_kind(kind, &source, folder, error);
}

/* A figure about a study, with one that is run for it: of those that there are, what a model looks
 * like. */
static besd_status draw_study(const char *kind, uint64_t seed, const char *folder,
                              besd_error *error) {
    besd_study *study = NULL;
    if (strcmp(kind, "slices") != 0)
        return BESD_INVALID;
    besd_status status = run_example_study(seed, &study, error);
    if (status == BESD_OK)
        status = draw_kind(kind, &(figure_source){.study = study}, folder, error);
    besd_study_close(study);
    return status;
}

static besd_status draw(const figure_kind *kind, const findings *f, const char *folder,
                        besd_error *error) {
    if (kind->needs == NEEDS_COMPARISON)
        return draw_kind(kind->name, &(figure_source){.findings = f}, folder, error);
    if (kind->needs == NEEDS_DOMAIN)
        return draw_example(kind->name, &f->summary,
                            !strcmp(kind->name, "values") ? value_examples : surface_examples,
                            folder, error);
    return draw_study(kind->name, f->summary.domains[0].contest->seed, folder, error);
}

/* A folder may hold figures that besd did not draw; the page would include them. */
static void remove_file(const char *folder, const char *kind, const char *ending) {
    char path[1100];
    snprintf(path, sizeof path, "%s/%s.%s", folder, kind, ending);
    remove(path);
}

besd_status comparison_figures_draw(const findings *f, const char *folder, besd_error *error) {
    besd_status worst = BESD_OK;
    for (size_t i = 0; figure_kind_at(i); i++) {
        const figure_kind *kind = figure_kind_at(i);
        besd_error own = {0};
        besd_status status = draw(kind, f, folder, &own);
        /* a figure that cannot be drawn (of one run, of a domain that is not built in) is left out
         */
        bool left_out = status == BESD_INVALID || status == BESD_UNKNOWN;
        if (left_out)
            remove_file(folder, kind->name, "gp");
        if (status != BESD_OK)
            remove_file(folder, kind->name, "svg");
        if (status != BESD_OK && !left_out && worst == BESD_OK)
            worst = besd_fail(error, status, "%s", own.message);
    }
    return worst;
}
