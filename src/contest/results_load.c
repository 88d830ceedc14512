/* Reading the results back. Whoever damages a file gets a sentence or fewer points, never a
 * number out of its array. */
#include "contest/results_state.h"
#include "core/error.h"
#include "study/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy_text(char *to, size_t size, sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    snprintf(to, size, "%s", text ? text : "");
}

/* Rows (k, mean) of a bound statement, which ends with it. */
static besd_status read_curve(results *r, sqlite3_stmt *s, double curve[JOB_CHECKPOINTS],
                              besd_error *error) {
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        int k = sqlite3_column_int(s, 0);
        if (k >= 0 && k < JOB_CHECKPOINTS)
            curve[k] = sqlite3_column_double(s, 1);
    }
    return database_end_reading(&r->file, s, code, error);
}

static besd_status load_plain(results *r, results_contest *c, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = database_prepare(
        &r->file, "SELECT k, mean FROM plain WHERE domain = ? ORDER BY k", &s, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(s, 1, c->domain, -1, SQLITE_STATIC);
    return read_curve(r, s, c->plain, error);
}

static double number_or_nan(sqlite3_stmt *s, int column) {
    return sqlite3_column_type(s, column) == SQLITE_NULL ? NAN : sqlite3_column_double(s, column);
}

static const char contest_columns[] =
    "SELECT domain, identity, maximise, budget, instances, checkpoint, seed, optimum,"
    " curve_optimum, plain_score FROM contest";

static void read_contest(sqlite3_stmt *s, results_contest *c) {
    copy_text(c->domain, sizeof c->domain, s, 0);
    copy_text(c->identity, sizeof c->identity, s, 1);
    c->maximise = sqlite3_column_int(s, 2) != 0;
    c->budget = sqlite3_column_double(s, 3);
    c->instances = sqlite3_column_int64(s, 4);
    c->checkpoint = sqlite3_column_int64(s, 5);
    c->seed = (uint64_t)sqlite3_column_int64(s, 6);
    c->optimum = number_or_nan(s, 7);
    c->curve_optimum = number_or_nan(s, 8);
    c->plain_score = number_or_nan(s, 9);
}

besd_status results_find_contest(results *r, const char *on, results_contest *c, bool *found,
                                 besd_error *error) {
    sqlite3_stmt *s;
    char sql[256];
    snprintf(sql, sizeof sql, "%s WHERE domain = ?", contest_columns);
    besd_status status = database_prepare(&r->file, sql, &s, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(s, 1, on, -1, SQLITE_STATIC);
    int code = sqlite3_step(s);
    *found = code == SQLITE_ROW;
    if (*found)
        read_contest(s, c);
    status = database_end_reading(&r->file, s, code, error);
    return status == BESD_OK && *found ? load_plain(r, c, error) : status;
}

static void scan_theta(const char *text, double *theta) {
    char *end;
    for (size_t i = 0; i < BESD_MAX_DIMENSION && text && (*text == '[' || *text == ','); i++) {
        theta[i] = strtod(text + 1, &end);
        text = end;
    }
}

static besd_status load_points(results *r, int64_t id, job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = database_prepare(
        &r->file, "SELECT k, cost, mean, se, theta FROM point WHERE job = ?", &s, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(s, 1, id);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        int k = sqlite3_column_int(s, 0);
        if (k < 0 || k >= JOB_POINTS)
            continue;
        job_point *p = &job->points[k];
        p->cost = sqlite3_column_double(s, 1);
        p->known = sqlite3_column_type(s, 2) != SQLITE_NULL;
        p->mean = sqlite3_column_double(s, 2);
        p->se = sqlite3_column_double(s, 3);
        scan_theta((const char *)sqlite3_column_text(s, 4), p->theta);
    }
    return database_end_reading(&r->file, s, code, error);
}

static besd_status load_curve(results *r, int64_t id, job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status =
        database_prepare(&r->file, "SELECT k, mean FROM curve WHERE job = ?", &s, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(s, 1, id);
    return read_curve(r, s, job->curve, error);
}

static besd_status load_trials(results *r, int64_t id, job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = database_prepare(&r->file,
                                          "SELECT theta, tau, reps, reason, cost, mean FROM trial"
                                          " WHERE job = ? ORDER BY k",
                                          &s, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(s, 1, id);
    int code = SQLITE_DONE;
    while (status == BESD_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        if (job->trial_count == job->trial_capacity) {
            size_t capacity = job->trial_capacity ? 2 * job->trial_capacity : 64;
            job_trial *grown = realloc(job->trials, capacity * sizeof *grown);
            if (!grown) {
                status = besd_fail_memory(error, "the trials");
                break;
            }
            job->trials = grown;
            job->trial_capacity = capacity;
        }
        job_trial *t = &job->trials[job->trial_count++];
        memset(t, 0, sizeof *t);
        scan_theta((const char *)sqlite3_column_text(s, 0), t->theta);
        t->tau = sqlite3_column_int64(s, 1);
        t->reps = sqlite3_column_int(s, 2);
        t->reason = sqlite3_column_int(s, 3);
        if (!besd_reason_name((size_t)t->reason))
            t->reason = BESD_REASON_KG;
        t->cost = sqlite3_column_double(s, 4);
        t->mean = sqlite3_column_double(s, 5);
    }
    besd_status ended = database_end_reading(&r->file, s, code, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? ended : status;
}

/* The array with room for one more, zeroed, or NULL and the array as it was. */
static void *grow(void *array, int count, size_t size) {
    char *grown = realloc(array, (size_t)(count + 1) * size);
    if (grown)
        memset(grown + (size_t)count * size, 0, size);
    return grown;
}

static results_entry *entry_of(results_domain *d, const char *method) {
    for (int i = 0; i < d->entry_count; i++)
        if (!strcmp(d->entries[i].method, method))
            return &d->entries[i];
    results_entry *grown = grow(d->entries, d->entry_count, sizeof *grown);
    if (!grown)
        return NULL;
    d->entries = grown;
    results_entry *entry = &grown[d->entry_count++];
    snprintf(entry->method, sizeof entry->method, "%s", method);
    return entry;
}

static job_result *add_replication(results_entry *e, int replication) {
    int *numbers = grow(e->replication, e->count, sizeof *numbers);
    if (!numbers)
        return NULL;
    e->replication = numbers;
    job_result *jobs = grow(e->result, e->count, sizeof *jobs);
    if (!jobs)
        return NULL;
    e->result = jobs;
    numbers[e->count] = replication;
    return &jobs[e->count++];
}

static besd_status load_changes(results *r, int64_t id, job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    int64_t tables = 0;
    besd_status status = database_read_integer(
        &r->file, "SELECT count(*) FROM sqlite_master WHERE name = 'change'", &tables, error);
    if (status == BESD_OK && tables)
        status = database_prepare(&r->file, "SELECT k, mean, se, theta FROM change WHERE job = ?",
                                  &s, error);
    if (status != BESD_OK || !tables)
        return status;
    sqlite3_bind_int64(s, 1, id);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        int64_t k = sqlite3_column_int64(s, 0);
        if (k < 0 || k >= (int64_t)job->trial_count)
            continue;
        job_point *p = &job->trials[k].change;
        p->cost = job->trials[k].cost;
        p->mean = sqlite3_column_double(s, 1);
        p->se = sqlite3_column_double(s, 2);
        p->known = true;
        scan_theta((const char *)sqlite3_column_text(s, 3), p->theta);
    }
    return database_end_reading(&r->file, s, code, error);
}

static besd_status load_job(results *r, sqlite3_stmt *s, results_domain *d, besd_error *error) {
    char method[CONTENDER_MAX_NAME];
    copy_text(method, sizeof method, s, 1);
    results_entry *e = entry_of(d, method);
    job_result *job = e ? add_replication(e, sqlite3_column_int(s, 2)) : NULL;
    if (!job)
        return besd_fail_memory(error, "the results");
    int64_t id = sqlite3_column_int64(s, 0), dimension = sqlite3_column_int64(s, 3);
    if (dimension < 0 || dimension > BESD_MAX_DIMENSION)
        return besd_fail(error, BESD_IO, "%s: job %lld is damaged", r->file.path, (long long)id);
    job->dimension = (size_t)dimension;
    for (int k = 0; k < JOB_CHECKPOINTS; k++)
        job->curve[k] = NAN;
    besd_status status = load_points(r, id, job, error);
    if (status == BESD_OK)
        status = load_curve(r, id, job, error);
    if (status == BESD_OK)
        status = load_trials(r, id, job, error);
    return status == BESD_OK ? load_changes(r, id, job, error) : status;
}

static besd_status load_jobs(results *r, results_domain *d, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = database_prepare(&r->file,
                                          "SELECT id, method, replication, dimension FROM job"
                                          " WHERE domain = ? ORDER BY method, replication",
                                          &s, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(s, 1, d->contest.domain, -1, SQLITE_STATIC);
    int code = SQLITE_DONE;
    while (status == BESD_OK && (code = sqlite3_step(s)) == SQLITE_ROW)
        status = load_job(r, s, d, error);
    besd_status ended = database_end_reading(&r->file, s, code, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? ended : status;
}

static besd_status load_seconds(results *r, double *seconds, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = database_prepare(&r->file, "SELECT seconds FROM effort", &s, error);
    if (status != BESD_OK)
        return status;
    int code = sqlite3_step(s);
    *seconds = code == SQLITE_ROW ? sqlite3_column_double(s, 0) : 0;
    return database_end_reading(&r->file, s, code, error);
}

besd_status results_load(results *r, results_table *table, besd_error *error) {
    sqlite3_stmt *s;
    char sql[256];
    memset(table, 0, sizeof *table);
    snprintf(sql, sizeof sql, "%s ORDER BY rowid", contest_columns);
    besd_status status = database_prepare(&r->file, sql, &s, error);
    if (status != BESD_OK)
        return status;
    int code = SQLITE_DONE;
    while (status == BESD_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        results_domain *grown = grow(table->domains, table->domain_count, sizeof *grown);
        if (!grown) {
            status = besd_fail_memory(error, "the results");
            break;
        }
        table->domains = grown;
        results_domain *d = &grown[table->domain_count++];
        read_contest(s, &d->contest);
        status = load_plain(r, &d->contest, error);
        if (status == BESD_OK)
            status = load_jobs(r, d, error);
    }
    besd_status ended = database_end_reading(&r->file, s, code, status == BESD_OK ? error : NULL);
    status = status == BESD_OK ? ended : status;
    if (status == BESD_OK)
        status = load_seconds(r, &table->seconds, error);
    if (status != BESD_OK)
        results_table_free(table);
    return status;
}

void results_table_free(results_table *table) {
    for (int i = 0; i < table->domain_count; i++) {
        results_domain *d = &table->domains[i];
        for (int j = 0; j < d->entry_count; j++) {
            for (int k = 0; k < d->entries[j].count; k++)
                job_result_free(&d->entries[j].result[k]);
            free(d->entries[j].replication);
            free(d->entries[j].result);
        }
        free(d->entries);
    }
    free(table->domains);
    memset(table, 0, sizeof *table);
}
