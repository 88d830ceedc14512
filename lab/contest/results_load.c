/* Reading the results back. What no comparison writes is damage, and told in a sentence that names
 * the file and the row; nothing of such a file is shown. */
#include "contest/results_state.h"
#include "core/error.h"
#include "core/text.h"
#include "study/spec.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static besd_status fail_damaged(const results *r, int64_t job, besd_error *error) {
    return besd_fail(error, BESD_IO, "%s: job %lld is damaged", r->file.path, (long long)job);
}

/* A text with letters that fits; what does not is damage. */
static bool copy_text(char *to, size_t size, sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    bool right = text && *text && strlen(text) < size && text_is_utf8(text);
    snprintf(to, size, "%s", right ? text : "");
    return right;
}

/* Statistics square and add them. */
static bool is_score(double value) {
    return fabs(value) < 1e150;
}

static bool is_cost(double value) {
    return value >= 0 && value <= 1e300;
}

/* A whole number of a row that is one from `least` to `most`. */
static bool read_integer(sqlite3_stmt *s, int column, int64_t least, int64_t most, int64_t *value) {
    *value = sqlite3_column_int64(s, column);
    return sqlite3_column_type(s, column) == SQLITE_INTEGER && *value >= least && *value <= most;
}

/* Rows (k, mean) of a bound statement, which ends with it. */
static besd_status read_curve(results *r, sqlite3_stmt *s, double curve[JOB_CHECKPOINTS],
                              besd_error *error) {
    int code;
    besd_status status = BESD_OK;
    while ((code = sqlite3_step(s)) == SQLITE_ROW && status == BESD_OK) {
        int64_t k;
        double mean = sqlite3_column_double(s, 1);
        if (read_integer(s, 0, 0, JOB_CHECKPOINTS - 1, &k) && is_score(mean))
            curve[k] = mean;
        else
            status = besd_fail(error, BESD_IO, "%s: a learning curve is damaged", r->file.path);
    }
    besd_status ended = database_end_reading(&r->file, s, code, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? ended : status;
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

static bool is_score_or_unknown(double value) {
    return isnan(value) || is_score(value);
}

/* Instances and interactions whose small multiples are still numbers. */
static const int64_t MOST_COUNT = INT64_MAX / 1000;

static besd_status read_contest(const results *r, sqlite3_stmt *s, results_contest *c,
                                besd_error *error) {
    int64_t maximise = 0;
    bool sound = copy_text(c->domain, sizeof c->domain, s, 0) &&
                 copy_text(c->identity, sizeof c->identity, s, 1) &&
                 read_integer(s, 2, 0, 1, &maximise) &&
                 read_integer(s, 4, 1, MOST_COUNT, &c->instances) &&
                 read_integer(s, 5, 1, MOST_COUNT, &c->checkpoint);
    c->maximise = maximise != 0;
    c->budget = sqlite3_column_double(s, 3);
    c->seed = (uint64_t)sqlite3_column_int64(s, 6);
    c->optimum = number_or_nan(s, 7);
    c->curve_optimum = number_or_nan(s, 8);
    c->plain_score = number_or_nan(s, 9);
    if (sound && c->budget > 0 && is_cost(c->budget) && is_score_or_unknown(c->optimum) &&
        is_score_or_unknown(c->curve_optimum) && is_score(c->plain_score))
        return BESD_OK;
    return besd_fail(error, BESD_IO, "%s: the settings of domain '%s' are damaged", r->file.path,
                     c->domain);
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
        status = read_contest(r, s, c, error);
    besd_status ended = database_end_reading(&r->file, s, code, status == BESD_OK ? error : NULL);
    status = status == BESD_OK ? ended : status;
    return status == BESD_OK && *found ? load_plain(r, c, error) : status;
}

/* A design as it was written: "[1,2.5]", as many numbers as there are coordinates. */
static bool scan_theta(sqlite3_stmt *s, int column, size_t dimension, double *theta) {
    const char *text = (const char *)sqlite3_column_text(s, column);
    if (!text || *text != '[')
        return false;
    text++;
    for (size_t i = 0; i < dimension; i++) {
        char *end;
        theta[i] = strtod(text, &end);
        if (end == text || !isfinite(theta[i]) || *end != (i + 1 < dimension ? ',' : ']'))
            return false;
        text = end + (i + 1 < dimension);
    }
    return !strcmp(text, "]");
}

/* Columns mean and se from `column` on: both, or neither. */
static bool scan_test(sqlite3_stmt *s, int column, job_point *p) {
    p->known = sqlite3_column_type(s, column) != SQLITE_NULL;
    p->mean = sqlite3_column_double(s, column);
    p->se = sqlite3_column_double(s, column + 1);
    return p->known == (sqlite3_column_type(s, column + 1) != SQLITE_NULL) && is_score(p->mean) &&
           p->se >= 0 && is_score(p->se);
}

static bool scan_point(sqlite3_stmt *s, job_result *job) {
    int64_t k;
    if (!read_integer(s, 0, 0, JOB_POINTS - 1, &k))
        return false;
    job_point *p = &job->points[k];
    p->cost = sqlite3_column_double(s, 1);
    return is_cost(p->cost) && scan_test(s, 2, p) && scan_theta(s, 4, job->dimension, p->theta);
}

static besd_status load_points(results *r, int64_t id, job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = database_prepare(
        &r->file, "SELECT k, cost, mean, se, theta FROM point WHERE job = ?", &s, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(s, 1, id);
    int code, count = 0;
    bool sound = true;
    while (sound && (code = sqlite3_step(s)) == SQLITE_ROW) {
        sound = scan_point(s, job);
        count++;
    }
    if (!sound || (code == SQLITE_DONE && count != JOB_POINTS))
        status = fail_damaged(r, id, error);
    besd_status ended = database_end_reading(&r->file, s, sound ? code : SQLITE_ROW,
                                             status == BESD_OK ? error : NULL);
    return status == BESD_OK ? ended : status;
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

/* Room for one more, zeroed; NULL without memory. */
static job_trial *add_trial(job_result *job) {
    if (job->trial_count == job->trial_capacity) {
        size_t capacity = job->trial_capacity ? 2 * job->trial_capacity : 64;
        job_trial *grown = realloc(job->trials, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        job->trials = grown;
        job->trial_capacity = capacity;
    }
    job_trial *t = &job->trials[job->trial_count++];
    memset(t, 0, sizeof *t);
    return t;
}

/* The k-th trial, from 0. */
static bool scan_trial(sqlite3_stmt *s, int64_t k, size_t dimension, job_trial *t) {
    int64_t number, reps = 0, reason = 0;
    bool sound =
        scan_theta(s, 0, dimension, t->theta) && read_integer(s, 1, 1, INT64_MAX, &t->tau) &&
        read_integer(s, 2, 1, BESD_MAX_REPS, &reps) && read_integer(s, 3, 0, INT_MAX, &reason) &&
        besd_reason_name((size_t)reason) && read_integer(s, 6, k, k, &number);
    t->reps = (int32_t)reps;
    t->reason = (int32_t)reason;
    t->cost = sqlite3_column_double(s, 4);
    t->mean = sqlite3_column_double(s, 5);
    return sound && is_cost(t->cost) && is_score(t->mean);
}

static besd_status load_trials(results *r, int64_t id, job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status =
        database_prepare(&r->file,
                         "SELECT theta, tau, reps, reason, cost, mean, k FROM trial"
                         " WHERE job = ? ORDER BY k",
                         &s, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(s, 1, id);
    int code = SQLITE_DONE;
    while (status == BESD_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        job_trial *t = add_trial(job);
        if (!t)
            status = besd_fail_memory(error, "the trials");
        else if (!scan_trial(s, (int64_t)job->trial_count - 1, job->dimension, t))
            status = fail_damaged(r, id, error);
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

static bool scan_change(sqlite3_stmt *s, job_result *job) {
    int64_t k;
    if (!read_integer(s, 0, 0, (int64_t)job->trial_count - 1, &k))
        return false;
    job_point *p = &job->trials[k].change;
    p->cost = job->trials[k].cost;
    return scan_test(s, 1, p) && p->known && scan_theta(s, 3, job->dimension, p->theta);
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
    int code = SQLITE_DONE;
    while (status == BESD_OK && (code = sqlite3_step(s)) == SQLITE_ROW)
        if (!scan_change(s, job))
            status = fail_damaged(r, id, error);
    besd_status ended = database_end_reading(&r->file, s, code, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? ended : status;
}

static besd_status load_job(results *r, sqlite3_stmt *s, results_domain *d, besd_error *error) {
    char method[CONTENDER_MAX_NAME];
    int64_t id = sqlite3_column_int64(s, 0), replication, dimension;
    if (!copy_text(method, sizeof method, s, 1) || !read_integer(s, 2, 0, INT_MAX, &replication) ||
        !read_integer(s, 3, 0, BESD_MAX_DIMENSION, &dimension))
        return fail_damaged(r, id, error);
    results_entry *e = entry_of(d, method);
    job_result *job = e ? add_replication(e, (int)replication) : NULL;
    if (!job)
        return besd_fail_memory(error, "the results");
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
    status = database_end_reading(&r->file, s, code, error);
    if (status == BESD_OK && !is_cost(*seconds))
        return besd_fail(error, BESD_IO, "%s: the time that it took is damaged", r->file.path);
    return status;
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
        status = read_contest(r, s, &d->contest, error);
        if (status == BESD_OK)
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
