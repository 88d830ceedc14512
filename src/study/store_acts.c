/* Events, workers with their leases, and tags: the part of the file that explains the rest. */
#include "study/store_state.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest detail of an event: everything that the longest trial was told, and more. */
enum { LONGEST_DETAIL = 1 << 24 };

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

/* Is the text UTF-8 without zeros, and shorter than `size`? */
static bool read_text(sqlite3_stmt *row, int column, size_t size, const char **text) {
    *text = (const char *)sqlite3_column_text(row, column);
    size_t bytes = (size_t)sqlite3_column_bytes(row, column);
    return *text && bytes < size && strlen(*text) == bytes && text_is_utf8(*text);
}

/* A text that cannot be read is damaged, or there was no memory for it. */
static besd_status fail_damaged(const store *s, const char *what, int64_t id, besd_error *error) {
    if (sqlite3_errcode(s->file.db) == SQLITE_NOMEM)
        return besd_fail_memory(error, what);
    return besd_fail(error, BESD_IO, "%s: the %s %lld is damaged", s->file.path, what,
                     (long long)id);
}

static bool read_event(sqlite3_stmt *row, besd_event *e) {
    *e = (besd_event){.id = sqlite3_column_int64(row, 0),
                      .at = sqlite3_column_double(row, 1),
                      .trial = sqlite3_column_int64(row, 4)};
    return e->id >= 1 && e->trial >= 0 && isfinite(e->at) &&
           read_text(row, 2, BESD_MAX_NAME, &e->who) &&
           read_text(row, 3, BESD_MAX_NAME, &e->what) &&
           read_text(row, 5, LONGEST_DETAIL, &e->detail);
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
    while (status == BESD_OK && more && (result = sqlite3_step(row)) == SQLITE_ROW) {
        besd_event event;
        if (read_event(row, &event))
            more = visit(context, &event);
        else
            status = fail_damaged(s, "event", event.id, error);
    }
    besd_status ending =
        database_end_reading(&s->file, row, result, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? ending : status;
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
        const char *text;
        *event = sqlite3_column_int64(row, 0);
        if (!read_text(row, 1, LONGEST_DETAIL, &text))
            status = fail_damaged(s, "event", *event, error);
        else if (!(*detail = strdup(text)))
            status = besd_fail_memory(error, "an event");
    }
    besd_status ending =
        database_end_reading(&s->file, row, result, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? ending : status;
}

besd_status store_newest_event(store *s, int64_t *id, besd_error *error) {
    return database_read_integer(&s->file, "SELECT coalesce(max(id), 0) FROM event", id, error);
}

besd_status store_find_undoing(store *s, int64_t event, int64_t *trial, bool *is_undone,
                               besd_error *error) {
    sqlite3_stmt *row;
    *trial = 0;
    *is_undone = false;
    besd_status status = database_prepare(&s->file,
                                          "SELECT trial, EXISTS(SELECT 1 FROM event AS later WHERE"
                                          " later.trial = event.trial AND later.undoes = event.id)"
                                          " FROM event WHERE id = ?",
                                          &row, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(row, 1, event);
    int result = sqlite3_step(row);
    if (result == SQLITE_ROW) {
        *trial = sqlite3_column_int64(row, 0);
        *is_undone = sqlite3_column_int(row, 1);
    }
    return database_end_reading(&s->file, row, result, error);
}

besd_status store_count_changes(store *s, int64_t *count, besd_error *error) {
    return database_read_integer(
        &s->file,
        "SELECT count(*) FROM event WHERE what IN ('added', 'voided', 'replaced', 'restored')",
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

besd_status store_clear_work(store *s, int64_t id, besd_error *error) {
    return store_change_trial(s, "DELETE FROM work WHERE trial = ?1", id, 0, error);
}

besd_status store_read_work(const store *s, sqlite3_stmt *row, int column, int64_t id,
                            besd_work *work, besd_error *error) {
    double since = sqlite3_column_double(row, column + 1), lease = INFINITY;
    const char *worker, *why;
    if (sqlite3_column_type(row, column + 2) != SQLITE_NULL)
        lease = sqlite3_column_double(row, column + 2);
    if (!isfinite(since) || !(lease > 0) || !read_text(row, column, sizeof work->worker, &worker) ||
        !read_text(row, column + 3, sizeof work->why, &why))
        return fail_damaged(s, "lease of trial", id, error);
    snprintf(work->worker, sizeof work->worker, "%s", worker);
    snprintf(work->why, sizeof work->why, "%s", why);
    work->replaced = sqlite3_column_int64(row, column + 4);
    work->until = since + lease;
    return BESD_OK;
}

besd_status store_get_work(store *s, int64_t id, besd_work *work, besd_error *error) {
    sqlite3_stmt *row;
    *work = (besd_work){.until = INFINITY};
    besd_status status = database_prepare(
        &s->file,
        "SELECT worker, since, lease, why, (SELECT count(*) FROM event WHERE trial = ?1 AND"
        " what = 'replaced' AND id NOT IN (SELECT undoes FROM event WHERE trial = ?1))"
        " FROM work WHERE trial = ?1",
        &row, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(row, 1, id);
    int result = sqlite3_step(row);
    if (result == SQLITE_ROW)
        status = store_read_work(s, row, 0, id, work, error);
    besd_status ending =
        database_end_reading(&s->file, row, result, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? ending : status;
}

/* The result of a query that depends on the date. */
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

besd_status store_move_leases(store *s, double seconds, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(
        &s->file, "UPDATE work SET since = since + ?1 WHERE lease IS NOT NULL", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_double(statement, 1, seconds);
    return database_finish(&s->file, statement, error);
}

besd_status store_waiting_trial(store *s, const int64_t *task, int64_t *id, besd_error *error) {
    if (task)
        return read_at(s,
                       "SELECT coalesce(min(id), 0) FROM trial WHERE state = 4 AND task IN (?, -1)",
                       (double)*task, id, error);
    return database_read_integer(&s->file, "SELECT coalesce(min(id), 0) FROM trial WHERE state = 4",
                                 id, error);
}

_Static_assert(BESD_ALL_TASKS == -1 && BESD_TRIAL_ASKED == 0 && BESD_TRIAL_WAITING == 4,
               "the statements above say so");

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
    if (result == SQLITE_ROW && sqlite3_column_type(row, 0) != SQLITE_NULL) {
        const char *text;
        if (!read_text(row, 0, BESD_MAX_TAGS, &text))
            status = fail_damaged(s, "list of tags of trial", id, error);
        else if (!(*tags = strdup(text)))
            status = besd_fail_memory(error, "the tags");
    }
    besd_status ending =
        database_end_reading(&s->file, row, result, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? ending : status;
}
