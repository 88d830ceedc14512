#include "contest/table1.h"

#include "contest/export.h"
#include "core/json.h"

#include <math.h>
#include <string.h>

/* The authors' agent starts from small random weights. Their size hardly matters: any difference
 * between action values replaces the random choice among equals by an arbitrary fixed one. */
#define SMALL_RANDOM 1e-6

/* Few such agents ever reach the goal; a mean over the usual number would mostly be zero. */
enum { MORE_INSTANCES = 4 };

const char *const table1_domains[TABLE1_DOMAINS] = {"gw10", "gw20", "tr", "mc", "key2", "key3"};

const double table1_paper[JOB_CHECKPOINTS][TABLE1_DOMAINS] = {
    {0.458, 0.779, 0.436, 0.980, 1.456, 1.025},   {0.218, 0.492, 2.823, 1.048, 0.736, 0.940},
    {0.086, 0.234, 2.823, 0.949, 1.277, 0.698},   {0.080, 0.224, 0.917, 0.896, 0.704, 0.788},
    {0.070, 0.108, 6.723, 0.987, 1.355, 0.531},   {0.086, 0.088, 8.939, 0.878, 0.856, 0.503},
    {0.080, 0.068, 9.908, 1.077, 0.920, 0.623},   {0.087, 0.075, 10.216, 0.877, 0.883, 0.532},
    {0.069, 0.059, 23.2936, 0.512, 0.232, 0.566}, {0.069, 0.058, 18.011, 0.354, 0.332, 0.361}};

static double mean_curve(const results_entry *e, int k) {
    double sum = 0;
    for (int i = 0; i < e->count; i++)
        sum += e->result[i].curve[k];
    return sum / e->count;
}

/* The learning curve without subgoals of agents that start from small random values. */
static besd_status small_random_curve(const results_contest *row, double *curve,
                                      besd_error *error) {
    domain d;
    contest c;
    besd_status status = domain_find(row->domain, &d, error);
    if (status != BESD_OK)
        return status;
    contest_init(&c, &d);
    c.seed = row->seed;
    c.instances = row->instances * MORE_INSTANCES;
    c.checkpoint = row->checkpoint;
    c.domain.value[PARAMETER_INITIAL_NOISE] = SMALL_RANDOM;
    return job_learning_curve(&c, NULL, 0, curve, error);
}

static besd_status fill_returns(const results_contest *row, const results_entry *e, table1 *t,
                                besd_error *error) {
    double curve[JOB_CHECKPOINTS];
    besd_status status = small_random_curve(row, curve, error);
    for (int k = 0; status == BESD_OK && k < JOB_CHECKPOINTS; k++) {
        t->tr_return[k] = mean_curve(e, k);
        t->tr_small_random[k] = curve[k] > 0 ? t->tr_return[k] / curve[k] : NAN;
    }
    return status;
}

/* Only a domain with the constants of the paper stands in its table. */
static int column_of(const results_contest *c) {
    for (int i = 0; i < TABLE1_DOMAINS; i++)
        if (!strcmp(c->identity, table1_domains[i]))
            return i;
    return -1;
}

static void count_cells(table1 *t) {
    for (int k = 0; k < JOB_CHECKPOINTS; k++)
        for (int i = 0; i < TABLE1_DOMAINS; i++)
            if (i != TABLE1_TR && isfinite(t->ratio[k][i])) {
                t->cells++;
                t->at_least_as_good += t->ratio[k][i] <= table1_paper[k][i];
            }
}

besd_status table1_make(const summary *s, table1 *t, besd_error *error) {
    besd_status status = BESD_OK;
    memset(t, 0, sizeof *t);
    for (int k = 0; k < JOB_CHECKPOINTS; k++) {
        t->tr_return[k] = t->tr_small_random[k] = NAN;
        for (int i = 0; i < TABLE1_DOMAINS; i++)
            t->ratio[k][i] = NAN;
    }
    for (int i = 0; status == BESD_OK && i < s->domain_count; i++) {
        const summary_domain *d = &s->domains[i];
        int column = column_of(d->contest);
        if (column < 0 || d->besd < 0)
            continue;
        const results_entry *e = d->methods[d->besd].entry;
        for (int k = 0; k < JOB_CHECKPOINTS; k++)
            t->ratio[k][column] =
                d->contest->plain[k] > 0 ? mean_curve(e, k) / d->contest->plain[k] : NAN;
        if (column == TABLE1_TR)
            status = fill_returns(d->contest, e, t, error);
    }
    count_cells(t);
    return status;
}

static void put_csv(const table1 *t, const export_file *f) {
    fputs("interactions_in_m", f->out);
    for (int i = 0; i < TABLE1_DOMAINS; i++)
        fprintf(f->out, ",%s", table1_domains[i]);
    fputs(",tr_return,tr_small_random\n", f->out);
    for (int k = 0; k < JOB_CHECKPOINTS; k++) {
        fprintf(f->out, "%d", k + 1);
        for (int i = 0; i < TABLE1_DOMAINS; i++)
            export_number(f, t->ratio[k][i]);
        export_number(f, t->tr_return[k]);
        export_number(f, t->tr_small_random[k]);
        fputc('\n', f->out);
    }
}

static void put_cell(FILE *out, double ours, double paper, bool more_is_better) {
    if (!isfinite(ours))
        fprintf(out, " | – (%.3g)", paper);
    else if (more_is_better ? ours >= paper : ours <= paper)
        fprintf(out, " | **%.3f** (%.3g)", ours, paper);
    else
        fprintf(out, " | %.3f (%.3g)", ours, paper);
}

static void put_markdown(const table1 *t, const export_file *f) {
    fputs("# Table 1: performance with subgoals divided by performance without\n\n"
          "Ours, and in brackets the paper's; bold where ours is at least as good. Less is better, "
          "more for TR.\nThe subgoals are besd's final recommendations, the mean over all "
          "replications, on five times the instances of a test; m = 100, 1000, 200, 1000, 500, 500 "
          "interactions.\n\n"
          "| interactions | GW10 | GW20 | TR | MC | KEY2 | KEY3 | TR: return | TR: ratio, small "
          "random start |\n|---|---|---|---|---|---|---|---|---|\n",
          f->out);
    for (int k = 0; k < JOB_CHECKPOINTS; k++) {
        fprintf(f->out, "| %d m", k + 1);
        for (int i = 0; i < TABLE1_DOMAINS; i++)
            put_cell(f->out, t->ratio[k][i], table1_paper[k][i], i == TABLE1_TR);
        isfinite(t->tr_return[k]) ? fprintf(f->out, " | %.2f", t->tr_return[k])
                                  : fputs(" | –", f->out);
        isfinite(t->tr_small_random[k]) ? fprintf(f->out, " | %.3g |\n", t->tr_small_random[k])
                                        : fputs(" | – |\n", f->out);
    }
    fprintf(
        f->out,
        "\nOutside TR ours is at least as good in %d of %d cells. TR's ratio depends on how "
        "plain Q-learning starts: with zeros it sometimes finds the treasure, with small random "
        "values hardly ever; the return itself (optimum 15.75) is the fair figure.\n",
        t->at_least_as_good, t->cells);
}

static besd_status write_file(const table1 *t, const char *folder, const char *name,
                              void (*put)(const table1 *, const export_file *), besd_error *error) {
    export_file f = {0};
    besd_status status = export_open(&f, folder, name, error);
    if (status != BESD_OK)
        return status;
    put(t, &f);
    return export_close(&f, error);
}

besd_status table1_write(const table1 *t, const char *folder, besd_error *error) {
    besd_status status = write_file(t, folder, "table1.csv", put_csv, error);
    return status == BESD_OK ? write_file(t, folder, "table1.md", put_markdown, error) : status;
}

json_t *table1_json(const table1 *t) {
    json_t *rows = json_array();
    for (int k = 0; k < JOB_CHECKPOINTS; k++) {
        json_t *row = json_pack("{s:i}", "interactions_in_m", k + 1), *paper = json_object();
        for (int i = 0; i < TABLE1_DOMAINS; i++) {
            json_object_set_new(row, table1_domains[i], json_number(t->ratio[k][i]));
            json_object_set_new(paper, table1_domains[i], json_number(table1_paper[k][i]));
        }
        json_object_set_new(row, "paper", paper);
        json_object_set_new(row, "tr_return", json_number(t->tr_return[k]));
        json_object_set_new(row, "tr_small_random", json_number(t->tr_small_random[k]));
        json_array_append_new(rows, row);
    }
    return json_pack("{s:o, s:i, s:i}", "rows", rows, "cells", t->cells, "at_least_as_good",
                     t->at_least_as_good);
}
