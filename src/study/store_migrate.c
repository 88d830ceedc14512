/* Studies of older schemas, brought up to date.
 *
 * Schema 1 to 2: fits become named numbers (they were the bytes of a struct); a retry knows the
 * trial that it repeats; the budget has a row of its own; an option of 0 means 0 (it meant the
 * default, and -1 meant none); target_count is called targets.
 *
 * Schema 2 to 3: trials may have legs.
 *
 * Schema 3 to 4: events, workers and leases, tags.
 *
 * Schema 4 to 5: trials may have a task; views for people (store_views.c). */
#include "study/store_state.h"

#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "study/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A named text; NULL when there is none. The caller frees it. */
static besd_status read_text(database *d, const char *key, char **text, besd_error *error) {
    sqlite3_stmt *row;
    *text = NULL;
    besd_status status = database_prepare(d, "SELECT value FROM text WHERE key = ?", &row, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC);
    int result = sqlite3_step(row);
    const char *stored = result == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    if (stored && !(*text = strdup(stored)))
        status = besd_fail_memory(error, "a text of the study");
    besd_status ending = database_end_reading(d, row, result, error);
    return status == BESD_OK ? ending : status;
}

static besd_status write_text(database *d, const char *key, const char *text, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(d, "INSERT OR REPLACE INTO text VALUES(?, ?)", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, text, -1, SQLITE_STATIC);
    return database_finish(d, statement, error);
}

/* -1 meant none, which is 0 now. */
static int say_zero(json_t *json, const char *key) {
    const json_t *value = json_object_get(json, key);
    return json_number_value(value) < 0 ? json_object_set_new(json, key, json_real(0)) : 0;
}

/* The description of schema 1 as one of schema 2, and its budget apart. NULL without memory. */
static char *renew_description(json_t *json, double *budget) {
    json_t *targets = json_object_get(json, "target_count");
    *budget = json_number_value(json_object_get(json, "budget"));
    int failed = targets ? json_object_set(json, "targets", targets) : 0;
    failed |= say_zero(json, "caution");
    failed |= say_zero(json, "explore");
    json_object_del(json, "target_count");
    json_object_del(json, "budget");
    return failed ? NULL : json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
}

static besd_status migrate_description(database *d, study_spec *spec, bool *described,
                                       besd_error *error) {
    char *old = NULL, *new = NULL, *budget_text = NULL;
    double budget = 0;
    besd_status status = read_text(d, "spec", &old, error);
    *described = old != NULL;
    if (status != BESD_OK || !old) {
        free(old);
        return status;
    }
    json_error_t fault;
    json_t *json = json_read(old, strlen(old), 0, &fault);
    free(old);
    if (!json && json_lacked_memory(&fault))
        return besd_fail_memory(error, "the study's description");
    if (!json_is_object(json)) {
        json_decref(json);
        return besd_fail(error, BESD_IO, "%s: its description is damaged", d->path);
    }
    new = renew_description(json, &budget);
    json_decref(json);
    if (!new)
        return besd_fail_memory(error, "the study's description");
    besd_error detail;
    status = spec_read(spec, new, &detail);
    if (status != BESD_OK) {
        text_clean(detail.message); /* it may quote the file */
        besd_error_set(error, status, "%s: %s", d->path, detail.message);
    }
    if (status == BESD_OK)
        status = write_text(d, "spec", new, error);
    if (status == BESD_OK && budget > 0)
        status = spec_write_budget(budget, &budget_text, error);
    if (status == BESD_OK && budget > 0)
        status = write_text(d, "budget", budget_text, error);
    free(budget_text);
    free(new);
    return status;
}

/* The struct whose bytes a file of schema 1 has. */
typedef struct first_fit {
    double prior_mean, lengthscale[64], sigma_root[3];
    double discrepancy_variance, discrepancy_lengthscale; /* 0 and 0: of a model that is gone */
    double env_variance[16], rep_variance[16];
} first_fit;

static hyperparameters read_first_fit(const first_fit *f) {
    hyperparameters h = {.prior_mean = f->prior_mean};
    memcpy(h.lengthscale, f->lengthscale, sizeof f->lengthscale);
    memcpy(h.sigma_root, f->sigma_root, sizeof f->sigma_root);
    memcpy(h.env_variance, f->env_variance, sizeof f->env_variance);
    memcpy(h.rep_variance, f->rep_variance, sizeof f->rep_variance);
    return h;
}

_Static_assert(sizeof(((hyperparameters *)0)->lengthscale) >= sizeof(double[64]) &&
                   sizeof(((hyperparameters *)0)->env_variance) >= sizeof(double[16]) &&
                   sizeof(((hyperparameters *)0)->rep_variance) >= sizeof(double[16]),
               "fits of schema 1 have room");

static bool is_finite(const first_fit *f) {
    double values[sizeof *f / sizeof(double)];
    memcpy(values, f, sizeof values);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* Copies one fit from the old table, `row`, into the new one. A damaged fit is left out: it costs a
 * new fit. */
static besd_status migrate_fit(const study_spec *spec, sqlite3_stmt *row, database *d,
                               sqlite3_stmt *insert, besd_error *error) {
    first_fit fit;
    if (sqlite3_column_bytes(row, 2) != (int)sizeof fit)
        return BESD_OK;
    memcpy(&fit, sqlite3_column_blob(row, 2), sizeof fit);
    if (!is_finite(&fit) || fit.discrepancy_variance != 0)
        return BESD_OK;
    draws kept = {.count = 1, .of = {read_first_fit(&fit)}}, again;
    char *text = NULL;
    bool usable = false;
    besd_status status = fitting_write(spec, &kept, &text, error);
    if (status == BESD_OK)
        status = fitting_read(spec, text, &again, &usable, error);
    if (status == BESD_OK && usable) {
        sqlite3_bind_int64(insert, 1, sqlite3_column_int64(row, 0));
        sqlite3_bind_int(insert, 2, sqlite3_column_int(row, 1));
        sqlite3_bind_text(insert, 3, text, -1, SQLITE_TRANSIENT);
        status = database_step(d, insert, error);
    }
    free(text);
    return status;
}

static besd_status migrate_fits(database *d, const study_spec *spec, besd_error *error) {
    sqlite3_stmt *rows = NULL, *insert = NULL;
    int result = SQLITE_DONE;
    besd_status status =
        database_run(d, "ALTER TABLE fit RENAME TO old_fit;" STORE_FIT_TABLE, error);
    if (status == BESD_OK)
        status = database_prepare(d, "SELECT told, is_full, bytes FROM old_fit", &rows, error);
    if (status == BESD_OK)
        status = database_prepare(d, "INSERT INTO fit VALUES(?, ?, ?)", &insert, error);
    while (status == BESD_OK && (result = sqlite3_step(rows)) == SQLITE_ROW)
        status = migrate_fit(spec, rows, d, insert, error);
    if (status == BESD_OK && result != SQLITE_DONE)
        status = database_fail(d, error);
    sqlite3_finalize(rows);
    sqlite3_finalize(insert);
    return status == BESD_OK ? database_run(d, "DROP TABLE old_fit", error) : status;
}

/* A retry is known by its reason, 5. It repeats the newest failed trial, state 2, with the same
 * theta, tau and reps that is not a retry itself. */
static const char name_retries[] =
    "ALTER TABLE trial ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;"
    "UPDATE trial SET repeats = coalesce((SELECT max(failed.id) FROM trial AS failed"
    " WHERE failed.id < trial.id AND failed.state = 2 AND failed.reason <> 5"
    " AND failed.theta = trial.theta AND failed.tau = trial.tau AND failed.reps = trial.reps), 0)"
    " WHERE reason = 5;";

static besd_status migrate_first(database *d, besd_error *error) {
    bool described;
    study_spec *spec = calloc(1, sizeof *spec);
    if (!spec)
        return besd_fail_memory(error, "the study's description");
    besd_status status = migrate_description(d, spec, &described, error);
    if (status == BESD_OK)
        status = described ? migrate_fits(d, spec, error)
                           : database_run(d, "DROP TABLE fit;" STORE_FIT_TABLE, error);
    if (status == BESD_OK)
        status = database_run(d, name_retries, error);
    free(spec);
    return status;
}

besd_status store_migrate(database *d, int64_t from, besd_error *error) {
    besd_status status = from == 1 ? migrate_first(d, error) : BESD_OK;
    if (status == BESD_OK && from < 3)
        status = database_run(d, STORE_LEGS_TABLE, error);
    if (status == BESD_OK && from < 4)
        status = database_run(d, STORE_ACT_TABLES, error);
    if (status == BESD_OK)
        status =
            database_run(d, "ALTER TABLE trial ADD COLUMN task INTEGER NOT NULL DEFAULT 0", error);
    return status == BESD_OK ? store_make_views(d, error) : status;
}
