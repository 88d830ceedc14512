#include "study/store_acts.h"

#include "core/clock.h"
#include "core/error.h"
#include "study/store_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

besd_status store_add_event(store *s, const store_event *event, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(
        &s->file,
        "INSERT INTO event(at, who, what, trial, detail, undoes) VALUES(?, ?, ?, ?, ?, ?)",
        &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_double(statement, 1, clock_date());
    sqlite3_bind_text(statement, 2, event->who, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, event->what, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 4, event->trial);
    sqlite3_bind_text(statement, 5, event->detail ? event->detail : "", -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 6, event->undoes);
    return database_finish(&s->file, statement, error);
}

static const char *text_of(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "";
}

besd_status store_list_events(store *s, int64_t after, besd_event_visitor *visit, void *context,
                              besd_error *error) {
    sqlite3_stmt *row;
    int result = SQLITE_DONE;
    bool more = true;
    besd_status status = database_prepare(
        &s->file, "SELECT id, at, who, what, trial, detail FROM event WHERE id > ? ORDER BY id",
        &row, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(row, 1, after);
    while (more && (result = sqlite3_step(row)) == SQLITE_ROW) {
        besd_event event = {.id = sqlite3_column_int64(row, 0),
                            .at = sqlite3_column_double(row, 1),
                            .who = text_of(row, 2),
                            .what = text_of(row, 3),
                            .trial = sqlite3_column_int64(row, 4),
                            .detail = text_of(row, 5)};
        more = visit(context, &event);
    }
    return database_end_reading(&s->file, row, result, error);
}

besd_status store_last_event(store *s, int64_t trial, const char *what, int64_t *event,
                             char **detail, besd_error *error) {
    sqlite3_stmt *row;
    *event = 0;
    *detail = NULL;
    besd_status status =
        database_prepare(&s->file,
                         "SELECT id, detail FROM event WHERE trial = ?1 AND what = ?2 AND id NOT IN"
                         " (SELECT undoes FROM event WHERE trial = ?1) ORDER BY id DESC LIMIT 1",
                         &row, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(row, 1, trial);
    sqlite3_bind_text(row, 2, what, -1, SQLITE_STATIC);
    int result = sqlite3_step(row);
    if (result == SQLITE_ROW) {
        *event = sqlite3_column_int64(row, 0);
        *detail = strdup(text_of(row, 1));
        if (!*detail)
            status = besd_fail_memory(error, "an event");
    }
    besd_status ending = database_end_reading(&s->file, row, result, error);
    return status == BESD_OK ? ending : status;
}

besd_status store_count_changes(store *s, int64_t *count, besd_error *error) {
    return database_read_integer(
        &s->file, "SELECT count(*) FROM event WHERE what IN ('voided', 'replaced', 'restored')",
        count, error);
}

besd_status store_set_work(store *s, int64_t id, const char *worker, double since, double lease,
                           besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(
        &s->file, "INSERT OR REPLACE INTO work VALUES(?, ?, ?, ?, '')", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_text(statement, 2, worker, -1, SQLITE_STATIC);
    sqlite3_bind_double(statement, 3, since);
    if (isfinite(lease))
        sqlite3_bind_double(statement, 4, lease);
    return database_finish(&s->file, statement, error);
}

besd_status store_set_why(store *s, int64_t id, const char *why, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(&s->file,
                                          "INSERT INTO work VALUES(?1, '', 0, NULL, ?2)"
                                          " ON CONFLICT(trial) DO UPDATE SET why = ?2",
                                          &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_text(statement, 2, why, -1, SQLITE_STATIC);
    return database_finish(&s->file, statement, error);
}

static besd_status read_work(const store *s, sqlite3_stmt *row, int64_t id, besd_work *work,
                             besd_error *error) {
    double since = sqlite3_column_double(row, 1), lease = INFINITY;
    if (sqlite3_column_type(row, 2) != SQLITE_NULL)
        lease = sqlite3_column_double(row, 2);
    if (!isfinite(since) || !(lease > 0))
        return besd_fail(error, BESD_IO, "%s: the lease of trial %lld is damaged", s->file.path,
                         (long long)id);
    snprintf(work->worker, sizeof work->worker, "%s", text_of(row, 0));
    snprintf(work->why, sizeof work->why, "%s", text_of(row, 3));
    work->until = since + lease;
    return BESD_OK;
}

besd_status store_get_work(store *s, int64_t id, besd_work *work, besd_error *error) {
    sqlite3_stmt *row;
    *work = (besd_work){.until = INFINITY};
    besd_status status = database_prepare(
        &s->file, "SELECT worker, since, lease, why FROM work WHERE trial = ?", &row, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(row, 1, id);
    int result = sqlite3_step(row);
    if (result == SQLITE_ROW)
        status = read_work(s, row, id, work, error);
    besd_status ending = database_end_reading(&s->file, row, result, error);
    return status == BESD_OK ? ending : status;
}

/* A number that depends on the date. */
static besd_status read_at(store *s, const char *sql, double now, int64_t *number,
                           besd_error *error) {
    sqlite3_stmt *row;
    *number = 0;
    besd_status status = database_prepare(&s->file, sql, &row, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_double(row, 1, now);
    int result = sqlite3_step(row);
    if (result == SQLITE_ROW)
        *number = sqlite3_column_int64(row, 0);
    return database_end_reading(&s->file, row, result, error);
}

besd_status store_any_to_give(store *s, double now, bool *any, besd_error *error) {
    int64_t found = 0;
    besd_status status = read_at(
        s,
        "SELECT EXISTS(SELECT 1 FROM trial WHERE state = 4) OR EXISTS(SELECT 1 FROM work"
        " JOIN trial ON trial.id = work.trial WHERE trial.state = 0 AND work.lease IS NOT NULL"
        " AND (work.since + work.lease <= ?1 OR work.since > ?1))",
        now, &found, error);
    *any = found != 0;
    return status;
}

besd_status store_overdue_trial(store *s, double now, int64_t *id, besd_error *error) {
    return read_at(
        s,
        "SELECT coalesce(min(work.trial), 0) FROM work JOIN trial ON trial.id = work.trial"
        " WHERE trial.state = 0 AND work.lease IS NOT NULL AND work.since + work.lease <= ?",
        now, id, error);
}

besd_status store_mend_leases(store *s, double now, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(
        &s->file, "UPDATE work SET since = ?1 WHERE since > ?1 AND lease IS NOT NULL", &statement,
        error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_double(statement, 1, now);
    return database_finish(&s->file, statement, error);
}

besd_status store_waiting_trial(store *s, int64_t *id, besd_error *error) {
    return database_read_integer(&s->file, "SELECT coalesce(min(id), 0) FROM trial WHERE state = 4",
                                 id, error);
}

_Static_assert(BESD_TRIAL_ASKED == 0 && BESD_TRIAL_WAITING == 4, "the statements above say so");

besd_status store_hand_out(store *s, int64_t id, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(
        &s->file, "UPDATE trial SET state = 0, asked_at = datetime('now') WHERE id = ?", &statement,
        error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    return database_finish(&s->file, statement, error);
}

besd_status store_set_tag(store *s, int64_t id, const char *tag, bool on, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(&s->file,
                                          on ? "INSERT OR IGNORE INTO tag VALUES(?, ?)"
                                             : "DELETE FROM tag WHERE trial = ? AND name = ?",
                                          &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_text(statement, 2, tag, -1, SQLITE_STATIC);
    return database_finish(&s->file, statement, error);
}

besd_status store_get_tags(store *s, int64_t id, char **tags, besd_error *error) {
    sqlite3_stmt *row;
    *tags = NULL;
    besd_status status = database_prepare(
        &s->file,
        "SELECT group_concat(name, ',') FROM (SELECT name FROM tag WHERE trial = ? ORDER BY name)",
        &row, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(row, 1, id);
    int result = sqlite3_step(row);
    const char *text = result == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    if (text && !(*tags = strdup(text)))
        status = besd_fail_memory(error, "the tags");
    besd_status ending = database_end_reading(&s->file, row, result, error);
    return status == BESD_OK ? ending : status;
}
