/* Trials, their scores and their legs in the study file. Reading checks types only; whether a trial
 * makes sense in its study is checked in look.c. */
#include "study/store_state.h"

#include "core/error.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

besd_status store_add_trial(store *s, size_t dimension, const besd_trial *t, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(
        &s->file,
        "INSERT INTO trial(id, theta, tau, reps, seed, state, reason, cost, repeats, task,"
        " asked_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " STORE_NOW ")",
        &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, t->id);
    sqlite3_bind_blob(statement, 2, t->theta, (int)(dimension * sizeof *t->theta), SQLITE_STATIC);
    sqlite3_bind_int64(statement, 3, t->tau);
    sqlite3_bind_int(statement, 4, t->reps);
    sqlite3_bind_int64(statement, 5, (int64_t)t->seed);
    sqlite3_bind_int(statement, 6, (int)t->state);
    sqlite3_bind_int(statement, 7, (int)t->reason);
    sqlite3_bind_double(statement, 8, t->cost);
    sqlite3_bind_int64(statement, 9, t->repeats);
    sqlite3_bind_int64(statement, 10, t->task);
    return database_finish(&s->file, statement, error);
}

#define TRIAL_COLUMNS "SELECT " STORE_TRIAL_COLUMNS " FROM trial "

/* Does every column have its type? Only the columns of told trials may be empty. */
static bool has_types(sqlite3_stmt *row) {
    static const struct {
        int type;
        bool may_lack;
    } columns[] = {{SQLITE_INTEGER, false}, {SQLITE_BLOB, false},    {SQLITE_INTEGER, false},
                   {SQLITE_INTEGER, false}, {SQLITE_INTEGER, false}, {SQLITE_INTEGER, false},
                   {SQLITE_INTEGER, false}, {SQLITE_FLOAT, false},   {SQLITE_INTEGER, false},
                   {SQLITE_FLOAT, true},    {SQLITE_FLOAT, true},    {SQLITE_FLOAT, true},
                   {SQLITE_INTEGER, false}, {SQLITE_INTEGER, false}};
    _Static_assert(sizeof columns / sizeof *columns == STORE_TRIAL_COLUMN_COUNT, "all of them");
    for (int i = 0; i < (int)(sizeof columns / sizeof *columns); i++) {
        int type = sqlite3_column_type(row, i);
        if (type != columns[i].type && !(columns[i].may_lack && type == SQLITE_NULL))
            return false;
    }
    return true;
}

static double number_or_nan(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? NAN
                                                           : sqlite3_column_double(row, column);
}

/* A number that an int holds; others become -1, which no column may have. */
static int small_number(sqlite3_stmt *row, int column) {
    int64_t value = sqlite3_column_int64(row, column);
    return value >= 0 && value <= INT_MAX ? (int)value : -1;
}

besd_status store_fail_damaged(const store *s, int64_t id, besd_error *error) {
    return besd_fail(error, BESD_IO, "%s: trial %lld is damaged", s->file.path, (long long)id);
}

besd_status store_read_trial(const store *s, sqlite3_stmt *row, size_t dimension, trial_record *t,
                             besd_error *error) {
    memset(t, 0, sizeof *t);
    t->trial.id = sqlite3_column_int64(row, 0);
    if (!has_types(row) || (size_t)sqlite3_column_bytes(row, 1) != dimension * sizeof(double) ||
        !sqlite3_column_blob(row, 1))
        return store_fail_damaged(s, t->trial.id, error);
    memcpy(t->trial.theta, sqlite3_column_blob(row, 1), dimension * sizeof(double));
    t->trial.tau = sqlite3_column_int64(row, 2);
    t->trial.reps = small_number(row, 3);
    t->trial.seed = (uint64_t)sqlite3_column_int64(row, 4);
    int state = small_number(row, 5), reason = small_number(row, 6), scores = small_number(row, 8);
    if (state < 0 || reason < 0 || scores < 0)
        return store_fail_damaged(s, t->trial.id, error);
    t->trial.state = (besd_trial_state)state;
    t->trial.reason = (besd_reason)reason;
    t->trial.cost = sqlite3_column_double(row, 7);
    t->trial.score_count = (size_t)scores;
    t->trial.mean = record_has_scores(t) ? number_or_nan(row, 9) : 0;
    t->model_mean = number_or_nan(row, 10);
    t->within = number_or_nan(row, 11);
    t->trial.repeats = sqlite3_column_int64(row, 12);
    t->trial.task = sqlite3_column_int64(row, 13);
    return BESD_OK;
}

/* The ids of trials are 1, 2, 3, ...: a missing trial before the newest one has been lost. */
static besd_status fail_unknown(store *s, int64_t id, besd_error *error) {
    int64_t newest = 0;
    besd_status status = store_newest_trial(s, &newest, error);
    if (status != BESD_OK)
        return status;
    if (id >= 1 && id < newest)
        return besd_fail(error, BESD_IO, "%s: it is damaged: trial %lld is missing", s->file.path,
                         (long long)id);
    return besd_fail(error, BESD_UNKNOWN, "trial: %s has no trial %lld", s->file.path,
                     (long long)id);
}

besd_status store_get_trial(store *s, size_t dimension, int64_t id, trial_record *t,
                            besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file, TRIAL_COLUMNS "WHERE id = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW)
        status = store_read_trial(s, statement, dimension, t, error);
    else if (result == SQLITE_DONE)
        status = fail_unknown(s, id, error);
    else
        status = database_fail(&s->file, error);
    sqlite3_finalize(statement);
    return status;
}

besd_status store_count_trials(store *s, int64_t *count, besd_error *error) {
    static const char query[] = "SELECT CASE WHEN count(*) = coalesce(max(id), 0)"
                                " AND coalesce(min(id), 1) = 1 THEN count(*) ELSE -1 END"
                                " FROM trial";
    besd_status status = database_read_integer(&s->file, query, count, error);
    if (status == BESD_OK && *count < 0)
        return besd_fail(error, BESD_IO, "%s: it is damaged: some of its trials are missing",
                         s->file.path);
    return status;
}

besd_status store_count_states(store *s, int64_t *counts, size_t states, besd_error *error) {
    sqlite3_stmt *statement;
    memset(counts, 0, states * sizeof *counts);
    besd_status status = database_prepare(
        &s->file, "SELECT state, count(*) FROM trial GROUP BY state", &statement, error);
    if (status != BESD_OK)
        return status;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        int64_t state = sqlite3_column_int64(statement, 0);
        if (state >= 0 && state < (int64_t)states)
            counts[state] = sqlite3_column_int64(statement, 1);
    }
    return database_end_reading(&s->file, statement, code, error);
}

besd_status store_newest_trial(store *s, int64_t *id, besd_error *error) {
    return database_read_integer(&s->file, "SELECT coalesce(max(id), 0) FROM trial", id, error);
}

besd_status store_visit_trials(store *s, size_t dimension, int64_t after,
                               store_trial_visitor *visit, void *context, besd_error *error) {
    sqlite3_stmt *statement;
    trial_record t;
    bool go_on = true;
    int result = SQLITE_DONE;
    besd_status status =
        database_prepare(&s->file, TRIAL_COLUMNS "WHERE id > ? ORDER BY id", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, after);
    while (status == BESD_OK && go_on && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        status = store_read_trial(s, statement, dimension, &t, error);
        if (status == BESD_OK)
            status = visit(context, &t, &go_on, error);
    }
    if (status == BESD_OK && go_on && result != SQLITE_DONE)
        status = database_fail(&s->file, error);
    sqlite3_finalize(statement);
    return status;
}

typedef struct trial_list {
    trial_record *trials;
    size_t count, capacity;
} trial_list;

static besd_status append_trial(void *context, const trial_record *t, bool *go_on,
                                besd_error *error) {
    trial_list *list = context;
    (void)go_on;
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 64;
        trial_record *grown = realloc(list->trials, capacity * sizeof *grown);
        if (!grown)
            return besd_fail_memory(error, "the trials");
        list->trials = grown;
        list->capacity = capacity;
    }
    list->trials[list->count++] = *t;
    return BESD_OK;
}

besd_status store_list_trials(store *s, size_t dimension, trial_record **trials, size_t *count,
                              besd_error *error) {
    trial_list list = {0};
    besd_status status = store_visit_trials(s, dimension, 0, append_trial, &list, error);
    if (status != BESD_OK) {
        free(list.trials);
        list = (trial_list){0};
    }
    *trials = list.trials;
    *count = list.count;
    return status;
}

static besd_status add_score(store *s, int64_t id, size_t replication, double value,
                             besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file, "INSERT INTO score VALUES(?, ?, ?)", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int64(statement, 2, (int64_t)replication);
    sqlite3_bind_double(statement, 3, value);
    return database_finish(&s->file, statement, error);
}

/* A trial that is told anew keeps the date of its end. */
besd_status store_tell(store *s, const trial_record *t, const double *scores, size_t count,
                       besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(
        &s->file,
        "UPDATE trial SET state = ?, cost = ?, score_count = ?, mean = ?, model_mean = ?,"
        " within = ?, ended_at = CASE WHEN state = 1 THEN ended_at ELSE " STORE_NOW " END"
        " WHERE id = ?",
        &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int(statement, 1, BESD_TRIAL_TOLD);
    sqlite3_bind_double(statement, 2, t->trial.cost);
    sqlite3_bind_int64(statement, 3, (int64_t)t->trial.score_count);
    sqlite3_bind_double(statement, 4, t->trial.mean);
    sqlite3_bind_double(statement, 5, t->model_mean);
    sqlite3_bind_double(statement, 6, t->within);
    sqlite3_bind_int64(statement, 7, t->trial.id);
    status = database_finish(&s->file, statement, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = add_score(s, t->trial.id, i, scores[i], error);
    return status;
}

besd_status store_fail(store *s, int64_t id, double cost, const char *note, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file,
                         "UPDATE trial SET state = ?, cost = ?, note = coalesce(?, note),"
                         " ended_at = " STORE_NOW " WHERE id = ?",
                         &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int(statement, 1, BESD_TRIAL_FAILED);
    sqlite3_bind_double(statement, 2, cost);
    if (note)
        sqlite3_bind_text(statement, 3, note, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 4, id);
    return database_finish(&s->file, statement, error);
}

besd_status store_set_trial_note(store *s, int64_t id, const char *note, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file, "UPDATE trial SET note = ? WHERE id = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(statement, 1, note, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, id);
    return database_finish(&s->file, statement, error);
}

/* Seconds since 1970, computed from Julian days, which are exact to 0.04 ms. */
static const char TIMES[] =
    "SELECT round((julianday(asked_at) - 2440587.5) * 86400, 3),"
    " round((julianday(ended_at) - 2440587.5) * 86400, 3),"
    " julianday(asked_at) IS NULL OR (ended_at IS NOT NULL AND julianday(ended_at) IS NULL)"
    " FROM trial WHERE id = ?";

besd_status store_get_times(store *s, int64_t id, double *asked, double *ended, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(&s->file, TIMES, &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        *asked = sqlite3_column_double(statement, 0);
        *ended = sqlite3_column_double(statement, 1);
        if (sqlite3_column_int(statement, 2)) /* they are no dates */
            status = store_fail_damaged(s, id, error);
    } else if (result == SQLITE_DONE) {
        status = fail_unknown(s, id, error);
    }
    besd_status ending = database_end_reading(&s->file, statement, result, error);
    return status == BESD_OK ? ending : status;
}

besd_status store_get_trial_note(store *s, int64_t id, char **note, besd_error *error) {
    sqlite3_stmt *statement;
    *note = NULL;
    besd_status status =
        database_prepare(&s->file, "SELECT note FROM trial WHERE id = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    int result = sqlite3_step(statement);
    const char *text =
        result == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        status = database_fail(&s->file, error);
    else if (text && !(*note = strdup(text)))
        status = besd_fail_memory(error, "a note");
    sqlite3_finalize(statement);
    return status;
}

besd_status store_get_scores(store *s, int64_t id, double *scores, size_t capacity, size_t *count,
                             besd_error *error) {
    sqlite3_stmt *statement;
    int result = SQLITE_DONE;
    *count = 0;
    besd_status status = database_prepare(
        &s->file, "SELECT value, replication FROM score WHERE trial = ? ORDER BY replication",
        &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    while (status == BESD_OK && *count < capacity &&
           (result = sqlite3_step(statement)) == SQLITE_ROW) {
        scores[*count] = sqlite3_column_double(statement, 0);
        if (sqlite3_column_type(statement, 0) != SQLITE_FLOAT || !isfinite(scores[*count]) ||
            sqlite3_column_int64(statement, 1) != (int64_t)*count)
            status = store_fail_damaged(s, id, error);
        else
            (*count)++;
    }
    if (status == BESD_OK && result != SQLITE_DONE && result != SQLITE_ROW)
        status = database_fail(&s->file, error);
    sqlite3_finalize(statement);
    return status;
}

besd_status store_change_trial(store *s, const char *sql, int64_t id, int64_t value,
                               besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(&s->file, sql, &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int64(statement, 2, value);
    return database_finish(&s->file, statement, error);
}

besd_status store_remove_scores(store *s, int64_t id, besd_error *error) {
    besd_status status = store_change_trial(s, "DELETE FROM score WHERE trial = ?1", id, 0, error);
    return status == BESD_OK
               ? store_change_trial(s, "DELETE FROM legs WHERE trial = ?1", id, 0, error)
               : status;
}

besd_status store_set_state(store *s, int64_t id, besd_trial_state state, besd_error *error) {
    return store_change_trial(s, "UPDATE trial SET state = ?2 WHERE id = ?1", id, (int)state,
                              error);
}

_Static_assert(BESD_TRIAL_ASKED == 0, "the statement below says so");

besd_status store_hand_out(store *s, int64_t id, besd_error *error) {
    return store_change_trial(
        s, "UPDATE trial SET state = 0, asked_at = " STORE_NOW " WHERE id = ?1", id, 0, error);
}

/* A leg is stored as two numbers, and its label as a third where there are labels. */
static size_t leg_width(bool labelled) {
    return labelled ? 3 : 2;
}

besd_status store_add_legs(store *s, int64_t id, const besd_leg *legs, size_t count, bool labelled,
                           besd_error *error) {
    sqlite3_stmt *statement;
    size_t width = leg_width(labelled);
    double *numbers = malloc(count * width * sizeof *numbers);
    if (!numbers)
        return besd_fail_memory(error, "the legs");
    for (size_t i = 0; i < count; i++) {
        numbers[i * width] = legs[i].reached;
        numbers[i * width + 1] = legs[i].earned;
        if (labelled)
            numbers[i * width + 2] = (double)legs[i].label;
    }
    besd_status status =
        database_prepare(&s->file, "INSERT INTO legs VALUES(?, ?)", &statement, error);
    if (status == BESD_OK) {
        sqlite3_bind_int64(statement, 1, id);
        sqlite3_bind_blob64(statement, 2, numbers, count * width * sizeof *numbers, SQLITE_STATIC);
        status = database_finish(&s->file, statement, error);
    }
    free(numbers);
    return status;
}

/* A number that is no label becomes -1, which legs_check refuses. */
static besd_leg read_leg(const double *numbers, bool labelled) {
    besd_leg leg = {.reached = numbers[0], .earned = numbers[1]};
    bool whole = numbers[2] >= 0 && numbers[2] < BESD_MAX_LABELS && floor(numbers[2]) == numbers[2];
    if (labelled)
        leg.label = whole ? (int64_t)numbers[2] : -1;
    return leg;
}

/* A blob need not be aligned, so its numbers are copied. */
besd_status store_visit_legs_row(const store *s, sqlite3_stmt *row, bool labelled,
                                 store_visit_legs *visit, void *context, besd_error *error) {
    int64_t id = sqlite3_column_int64(row, 0);
    size_t bytes = (size_t)sqlite3_column_bytes(row, 1);
    const void *blob = sqlite3_column_blob(row, 1);
    size_t width = leg_width(labelled), count = bytes / (width * sizeof(double));
    if (!bytes || bytes % (width * sizeof(double)))
        return besd_fail(error, BESD_IO, "%s: the legs of trial %lld are damaged", s->file.path,
                         (long long)id);
    besd_leg *legs = blob ? malloc(count * sizeof *legs) : NULL;
    if (!legs)
        return besd_fail_memory(error, "the legs");
    for (size_t i = 0; i < count; i++) {
        double numbers[3] = {0};
        memcpy(numbers, (const char *)blob + i * width * sizeof *numbers, width * sizeof *numbers);
        legs[i] = read_leg(numbers, labelled);
    }
    besd_status status = visit(context, id, legs, count, error);
    free(legs);
    return status;
}

besd_status store_list_legs(store *s, int64_t id, bool labelled, store_visit_legs *visit,
                            void *context, besd_error *error) {
    sqlite3_stmt *statement;
    int result = SQLITE_DONE;
    besd_status status = database_prepare(
        &s->file, "SELECT trial, value FROM legs WHERE trial = ?1 OR ?1 = 0 ORDER BY trial",
        &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    while (status == BESD_OK && (result = sqlite3_step(statement)) == SQLITE_ROW)
        status = store_visit_legs_row(s, statement, labelled, visit, context, error);
    if (status == BESD_OK && result != SQLITE_DONE)
        status = database_fail(&s->file, error);
    sqlite3_finalize(statement);
    return status;
}
