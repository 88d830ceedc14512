#include "contest/export.h"

#include "contest/summary_json.h"
#include "core/error.h"
#include "core/json.h"
#include "study/spec.h"

#include <errno.h>
#include <math.h>
#include <string.h>

besd_status export_open(export_file *f, const char *folder, const char *name, besd_error *error) {
    int length = snprintf(f->path, sizeof f->path, "%s/%s", folder, name);
    if (length < 0 || length >= (int)sizeof f->path)
        return besd_fail(error, BESD_INVALID, "%s: the name of the folder is too long", name);
    f->out = fopen(f->path, "w");
    return f->out ? BESD_OK : besd_fail(error, BESD_IO, "%s: %s", f->path, strerror(errno));
}

besd_status export_close(export_file *f, besd_error *error) {
    bool failed = ferror(f->out);
    if (fclose(f->out) || failed)
        return besd_fail(error, BESD_IO, "%s: could not be written: %s", f->path, strerror(errno));
    return BESD_OK;
}

void export_number(const export_file *f, double value) {
    if (isfinite(value))
        fprintf(f->out, ",%.10g", value);
    else
        fputc(',', f->out);
}

static void put_interval(const export_file *f, interval i) {
    export_number(f, i.value);
    export_number(f, i.low);
    export_number(f, i.high);
}

/* Names hold commas: "besd:tau=max,reps=max". */
static void put_name(const export_file *f, const char *name) {
    if (!strpbrk(name, ",\"\n\r")) {
        fputs(name, f->out);
        return;
    }
    fputc('"', f->out);
    for (const char *c = name; *c; c++)
        fprintf(f->out, *c == '"' ? "\"\"" : "%c", *c);
    fputc('"', f->out);
}

static void put_names(const export_file *f, const char *on, const char *method) {
    put_name(f, on);
    fputc(',', f->out);
    put_name(f, method);
}

static size_t largest_dimension(const summary *s) {
    size_t most = 0;
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++) {
            size_t own = s->domains[i].methods[m].entry->result[0].dimension;
            most = own > most ? own : most;
        }
    return most;
}

static void put_theta_names(const export_file *f, size_t dimension) {
    for (size_t i = 1; i <= dimension; i++)
        fprintf(f->out, ",theta_%zu", i);
    fputc('\n', f->out);
}

static void put_theta(const export_file *f, const double *theta, size_t own, size_t dimension) {
    for (size_t i = 0; i < dimension; i++)
        export_number(f, theta && i < own ? theta[i] : NAN);
    fputc('\n', f->out);
}

#define POINT_COLUMNS "domain,method,replication,cost,mean,se,regret,log_regret"

/* Learners without subgoals have points without a design. */
static const double *theta_of(const job_result *job, const job_point *p) {
    return p->known && job->trial_count ? p->theta : NULL;
}

static void put_point(const export_file *f, const summary_domain *d, const results_entry *e, int r,
                      const job_point *p, size_t dimension) {
    const job_result *job = &e->result[r];
    double regret = p->known && isfinite(d->contest->optimum) ? summary_regret(d, p) : NAN;
    put_names(f, d->contest->domain, e->method);
    fprintf(f->out, ",%d", e->replication[r]);
    export_number(f, p->cost);
    export_number(f, p->known ? p->mean : NAN);
    export_number(f, p->known ? p->se : NAN);
    export_number(f, regret);
    export_number(f, isnan(regret) ? NAN : log(fmax(regret, SUMMARY_SMALLEST_REGRET)));
    put_theta(f, theta_of(job, p), job->dimension, dimension);
}

static void put_curve(const export_file *f, const summary_domain *d, const results_entry *e,
                      size_t dimension) {
    for (int r = 0; r < e->count; r++)
        for (int k = 0; k < JOB_POINTS; k++)
            put_point(f, d, e, r, &e->result[r].points[k], dimension);
}

/* Tested whenever they changed, where that was asked for. */
static void put_changes_of(const export_file *f, const summary_domain *d, const results_entry *e,
                           size_t dimension) {
    for (int r = 0; r < e->count; r++)
        for (size_t t = 0; t < e->result[r].trial_count; t++)
            if (e->result[r].trials[t].change.known)
                put_point(f, d, e, r, &e->result[r].trials[t].change, dimension);
}

/* Was any recommendation tested whenever it changed? */
static bool has_changes(const summary *s) {
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++) {
            const results_entry *e = s->domains[i].methods[m].entry;
            for (int r = 0; r < e->count; r++)
                if (e->result[r].trial_count && e->result[r].trials[0].change.known)
                    return true; /* the first recommendation is a change as well */
        }
    return false;
}

static void put_changes(const summary *s, const export_file *f) {
    size_t dimension = largest_dimension(s);
    fputs(POINT_COLUMNS, f->out);
    put_theta_names(f, dimension);
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++)
            put_changes_of(f, &s->domains[i], s->domains[i].methods[m].entry, dimension);
}

static void put_curves(const summary *s, const export_file *f) {
    size_t dimension = largest_dimension(s);
    fputs(POINT_COLUMNS, f->out);
    put_theta_names(f, dimension);
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++)
            put_curve(f, &s->domains[i], s->domains[i].methods[m].entry, dimension);
}

/* Learning with each replication's last recommendation. */
static void put_learning(const summary *s, const export_file *f) {
    fputs("domain,method,replication,interactions,mean\n", f->out);
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++) {
            const results_contest *c = s->domains[i].contest;
            const results_entry *e = s->domains[i].methods[m].entry;
            for (int r = 0; r < e->count; r++)
                for (int k = 0; k < JOB_CHECKPOINTS; k++) {
                    put_names(f, c->domain, e->method);
                    fprintf(f->out, ",%d,%lld", e->replication[r],
                            (long long)(c->checkpoint * (k + 1)));
                    export_number(f, e->result[r].curve[k]);
                    fputc('\n', f->out);
                }
        }
}

static void put_trials(const summary *s, const export_file *f) {
    size_t dimension = largest_dimension(s);
    fputs("domain,method,replication,trial,tau,reps,reason,cost,mean", f->out);
    put_theta_names(f, dimension);
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++) {
            const results_entry *e = s->domains[i].methods[m].entry;
            for (int r = 0; r < e->count; r++)
                for (size_t t = 0; t < e->result[r].trial_count; t++) {
                    const job_trial *trial = &e->result[r].trials[t];
                    put_names(f, s->domains[i].contest->domain, e->method);
                    fprintf(f->out, ",%d,%zu,%lld,%d,%s", e->replication[r], t + 1,
                            (long long)trial->tau, (int)trial->reps,
                            besd_reason_name((size_t)trial->reason));
                    export_number(f, trial->cost);
                    export_number(f, trial->mean);
                    put_theta(f, trial->theta, e->result[r].dimension, dimension);
                }
        }
}

static void put_summary(const summary *s, const export_file *f) {
    fputs("domain,method,cost,replications,mean,two_se,iqm,iqm_low,iqm_high,log_regret,"
          "log_regret_two_se\n",
          f->out);
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++) {
            const summary_method *method = &s->domains[i].methods[m];
            for (int k = 0; k < JOB_POINTS; k++) {
                const summary_point *p = &method->points[k];
                put_names(f, s->domains[i].contest->domain, method->entry->method);
                export_number(f, p->cost);
                fprintf(f->out, ",%d", p->known);
                export_number(f, p->mean);
                export_number(f, p->two_se);
                put_interval(f, p->iqm);
                export_number(f, p->log_regret);
                export_number(f, p->log_regret_two_se);
                fputc('\n', f->out);
            }
        }
}

static void put_rivalry(const export_file *f, const summary_domain *d, const summary_rivalry *r,
                        summary_moment at) {
    const summary_method *besd = &d->methods[d->besd], *rival = &d->methods[r->rival];
    put_names(f, d->contest->domain, rival->entry->method);
    fprintf(f->out, ",%s", summary_moment_name(at));
    put_interval(f, r->at[at].difference);
    fprintf(f->out, ",%s", verdict_name(summary_verdict(d, r->at[at].difference)));
    put_interval(f, r->at[at].improvement);
    export_number(f, besd->area);
    export_number(f, rival->area);
    export_number(f, r->cost);
    export_number(f, r->rival_cost);
    export_number(f, r->ratio);
    fprintf(f->out, ",%d\n", r->rival == d->best_rival);
}

static void put_comparisons(const summary *s, const export_file *f) {
    fputs("domain,method,at,difference,difference_low,difference_high,favours,improvement,"
          "improvement_low,improvement_high,area_besd,area_method,cost_besd_to_reach,"
          "cost_method_to_reach,cost_ratio,best_baseline\n",
          f->out);
    for (int i = 0; i < s->domain_count; i++)
        for (int r = 0; r < s->domains[i].rivalry_count; r++)
            for (int at = 0; at < MOMENTS; at++)
                put_rivalry(f, &s->domains[i], &s->domains[i].rivalries[r], (summary_moment)at);
}

static void put_reach(const summary *s, const export_file *f) {
    fputs("domain,method,regret,cost\n", f->out);
    for (int i = 0; i < s->domain_count; i++) {
        const summary_domain *d = &s->domains[i];
        double regrets[SUMMARY_MAX_REGRETS];
        int count = summary_regrets(d, regrets);
        for (int m = 0; m < d->method_count; m++)
            for (int k = 0; k < count; k++) {
                put_names(f, d->contest->domain, d->methods[m].entry->method);
                export_number(f, regrets[k]);
                export_number(f, summary_cost_to_reach(d, &d->methods[m], regrets[k]));
                fputc('\n', f->out);
            }
    }
}

static void put_profile(const summary *s, const export_file *f) {
    fputs("method,threshold,share,share_low,share_high,iqm,iqm_low,iqm_high\n", f->out);
    for (int p = 0; p < s->profile_count; p++)
        for (int t = 0; t < SUMMARY_THRESHOLDS; t++) {
            const summary_profile *profile = &s->profiles[p];
            put_name(f, profile->method);
            export_number(f, summary_threshold(t));
            put_interval(f, profile->share[t]);
            put_interval(f, profile->iqm);
            fputc('\n', f->out);
        }
}

static besd_status write_json(const summary *s, const table1 *t, const char *folder,
                              besd_error *error) {
    export_file f = {0};
    json_t *object = summary_json(s, t);
    besd_status status = object ? export_open(&f, folder, "summary.json", error)
                                : besd_fail_memory(error, "summary.json");
    if (status == BESD_OK) {
        bool lost = json_print(f.out, object, JSON_INDENT(1) | JSON_REAL_PRECISION(10));
        fputc('\n', f.out);
        status = export_close(&f, error);
        if (status == BESD_OK && lost)
            status = besd_fail_memory(error, "summary.json");
    }
    json_decref(object);
    return status;
}

besd_status export_all(const summary *s, const table1 *t, const char *folder, besd_error *error) {
    static const struct {
        const char *name;
        void (*put)(const summary *, const export_file *);
    } files[] = {{"curves.csv", put_curves},           {"learning.csv", put_learning},
                 {"trials.csv", put_trials},           {"summary.csv", put_summary},
                 {"comparisons.csv", put_comparisons}, {"reach.csv", put_reach},
                 {"profile.csv", put_profile},         {"changes.csv", put_changes}};
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < sizeof files / sizeof *files; i++) {
        export_file f = {0};
        if (files[i].put == put_changes && !has_changes(s))
            continue;
        status = export_open(&f, folder, files[i].name, error);
        if (status == BESD_OK) {
            files[i].put(s, &f);
            status = export_close(&f, error);
        }
    }
    if (status == BESD_OK)
        status = table1_write(t, folder, error);
    return status == BESD_OK ? write_json(s, t, folder, error) : status;
}
