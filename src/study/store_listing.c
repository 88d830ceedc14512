/* Trials with all that is known of them, in one pass: a few statements for any number of trials, a
 * row of each table at a time. Looking every trial up by itself takes forty times as long. */
#include "study/store_state.h"

#include "core/error.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows of a table by trial, and how far it has been read. */
typedef struct cursor {
    sqlite3_stmt *rows;
    int code; /* of the last step */
} cursor;

typedef struct reader {
    store *store;
    cursor scores, legs, tags;
    listed_trial *now;
    bool labelled;
} reader;

static besd_status open_cursor(store *s, cursor *c, const char *sql, int64_t after,
                               besd_error *error) {
    besd_status status = database_prepare(&s->file, sql, &c->rows, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(c->rows, 1, after);
    c->code = sqlite3_step(c->rows);
    return BESD_OK;
}

/* Is the cursor at a row of this trial? Rows of trials before it belong to none. */
static bool is_at(cursor *c, int64_t id) {
    while (c->rows && c->code == SQLITE_ROW && sqlite3_column_int64(c->rows, 0) < id)
        c->code = sqlite3_step(c->rows);
    return c->rows && c->code == SQLITE_ROW && sqlite3_column_int64(c->rows, 0) == id;
}

static void step(cursor *c) {
    c->code = sqlite3_step(c->rows);
}

static besd_status read_scores(reader *r, besd_error *error) {
    listed_trial *t = r->now;
    size_t expected = t->record.trial.score_count;
    for (cursor *c = &r->scores; is_at(c, t->record.trial.id); step(c)) {
        if (sqlite3_column_type(c->rows, 2) != SQLITE_FLOAT || t->score_count >= BESD_MAX_REPS ||
            sqlite3_column_int64(c->rows, 1) != (int64_t)t->score_count ||
            !isfinite(t->scores[t->score_count++] = sqlite3_column_double(c->rows, 2)))
            return store_fail_damaged(r->store, t->record.trial.id, error);
    }
    if (t->score_count && record_has_scores(&t->record) && t->score_count != expected)
        return besd_fail(error, BESD_IO, "%s: scores of trial %lld are missing",
                         r->store->file.path, (long long)t->record.trial.id);
    return BESD_OK;
}

static besd_status keep_legs(void *context, int64_t id, const besd_leg *legs, size_t count,
                             besd_error *error) {
    listed_trial *t = context;
    (void)id;
    besd_leg *copy = malloc(count * sizeof *copy);
    if (!copy)
        return besd_fail_memory(error, "the legs");
    memcpy(copy, legs, count * sizeof *copy);
    t->legs = copy;
    t->leg_count = count;
    return BESD_OK;
}

static besd_status read_legs(reader *r, besd_error *error) {
    besd_status status = BESD_OK;
    if (is_at(&r->legs, r->now->record.trial.id)) {
        status =
            store_visit_legs_row(r->store, r->legs.rows, r->labelled, keep_legs, r->now, error);
        step(&r->legs);
    }
    return status;
}

/* Names with commas between them. A trial has few tags, and their length is limited. */
static besd_status read_tags(reader *r, besd_error *error) {
    listed_trial *t = r->now;
    size_t used = 0;
    for (cursor *c = &r->tags; is_at(c, t->record.trial.id); step(c)) {
        const char *name = (const char *)sqlite3_column_text(c->rows, 1);
        size_t length = name ? strlen(name) : 0;
        if (!name || !text_is_utf8(name) || used + length + 2 > sizeof t->tags)
            return store_fail_damaged(r->store, t->record.trial.id, error);
        if (used)
            t->tags[used++] = ',';
        memcpy(t->tags + used, name, length + 1);
        used += length;
    }
    return BESD_OK;
}

/* Seconds since 1970 from Julian days, as store_get_times has them. */
static double read_date(sqlite3_stmt *row, int column) {
    return round((sqlite3_column_double(row, column) - 2440587.5) * 86400e3) / 1e3;
}

enum { AT_ASKED = STORE_TRIAL_COLUMN_COUNT, AT_ENDED, AT_HAS_ENDED, AT_NOTE, AT_HAS_WORK, AT_WORK };

static besd_status read_times(reader *r, sqlite3_stmt *row, besd_error *error) {
    besd_work *work = &r->now->work;
    bool has_ended = sqlite3_column_int(row, AT_HAS_ENDED);
    if (sqlite3_column_type(row, AT_ASKED) == SQLITE_NULL ||
        (has_ended && sqlite3_column_type(row, AT_ENDED) == SQLITE_NULL)) /* they are no dates */
        return store_fail_damaged(r->store, r->now->record.trial.id, error);
    work->asked = read_date(row, AT_ASKED);
    work->ended = has_ended ? read_date(row, AT_ENDED) : 0;
    return BESD_OK;
}

static besd_status read_row(reader *r, sqlite3_stmt *row, size_t dimension, besd_error *error) {
    listed_trial *t = r->now;
    besd_status status = store_read_trial(r->store, row, dimension, &t->record, error);
    t->work = (besd_work){.until = INFINITY};
    t->score_count = t->leg_count = 0;
    t->tags[0] = 0;
    t->note = (const char *)sqlite3_column_text(row, AT_NOTE);
    if (status == BESD_OK && sqlite3_column_int(row, AT_HAS_WORK))
        status = store_read_work(r->store, row, AT_WORK, t->record.trial.id, &t->work, error);
    if (status == BESD_OK)
        status = read_times(r, row, error);
    if (status == BESD_OK)
        status = read_scores(r, error);
    if (status == BESD_OK)
        status = read_legs(r, error);
    return status == BESD_OK ? read_tags(r, error) : status;
}

static besd_status visit_rows(reader *r, size_t dimension, int64_t after,
                              store_listing_visitor *visit, void *context, besd_error *error) {
    sqlite3_stmt *row;
    bool go_on = true;
    int result = SQLITE_DONE;
    besd_status status = database_prepare(
        &r->store->file,
        "SELECT " STORE_TRIAL_COLUMNS ", julianday(asked_at), julianday(ended_at),"
        " ended_at IS NOT NULL, note, work.trial IS NOT NULL, worker, since, lease, why,"
        " CASE WHEN work.trial IS NULL THEN 0 ELSE (SELECT count(*) FROM event WHERE"
        " event.trial = trial.id AND what = 'replaced' AND event.id NOT IN"
        " (SELECT undoes FROM event AS later WHERE later.trial = trial.id)) END"
        " FROM trial LEFT JOIN work ON work.trial = trial.id WHERE id > ? ORDER BY id",
        &row, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(row, 1, after);
    while (status == BESD_OK && go_on && (result = sqlite3_step(row)) == SQLITE_ROW) {
        status = read_row(r, row, dimension, error);
        if (status == BESD_OK)
            status = visit(context, r->now, &go_on, error);
        free(r->now->legs);
        r->now->legs = NULL;
    }
    if (status == BESD_OK && go_on && result != SQLITE_DONE)
        status = database_fail(&r->store->file, error);
    sqlite3_finalize(row);
    return status;
}

besd_status store_visit_listing(store *s, size_t dimension, bool legs, bool labelled, int64_t after,
                                store_listing_visitor *visit, void *context, besd_error *error) {
    reader r = {.store = s, .labelled = labelled, .now = calloc(1, sizeof *r.now)};
    besd_status status = r.now ? BESD_OK : besd_fail_memory(error, "the trials");
    if (status == BESD_OK)
        status = open_cursor(s, &r.scores,
                             "SELECT trial, replication, value FROM score WHERE trial > ?"
                             " ORDER BY trial, replication",
                             after, error);
    if (status == BESD_OK && legs)
        status =
            open_cursor(s, &r.legs, "SELECT trial, value FROM legs WHERE trial > ? ORDER BY trial",
                        after, error);
    if (status == BESD_OK)
        status = open_cursor(s, &r.tags,
                             "SELECT trial, name FROM tag WHERE trial > ? ORDER BY trial, name",
                             after, error);
    if (status == BESD_OK)
        status = visit_rows(&r, dimension, after, visit, context, error);
    const cursor *all[] = {&r.scores, &r.legs, &r.tags};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (status == BESD_OK && all[i]->rows && all[i]->code != SQLITE_ROW &&
            all[i]->code != SQLITE_DONE)
            status = database_fail(&s->file, error);
        sqlite3_finalize(all[i]->rows);
    }
    free(r.now);
    return status;
}
