/* What acts were answered whose sender has named them by a key, so that an act that is sent twice
 * is done once. The table is made when the first key comes: files without keys have no such table.
 * Answers older than a day are removed when the next one is kept. */
#include "study/store_state.h"

#include "core/clock.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

static const double kept_seconds = 24 * 3600;

static besd_status has_table(store *s, bool *has, besd_error *error) {
    int64_t count = 0;
    besd_status status = database_read_integer(
        &s->file, "SELECT count(*) FROM sqlite_schema WHERE name = 'answer'", &count, error);
    *has = count > 0;
    return status;
}

static besd_status read_answer(const store *s, sqlite3_stmt *row, const char *digest,
                               kept_answer *a, besd_error *error) {
    const char *text = (const char *)sqlite3_column_text(row, 3);
    const char *of = (const char *)sqlite3_column_text(row, 0);
    a->is_known = true;
    a->is_another = !of || strcmp(of, digest) != 0;
    a->code = sqlite3_column_int(row, 1);
    a->trial = sqlite3_column_int64(row, 2);
    if (!of || !text || a->code < 200 || a->code > 299 || a->trial < 0)
        return besd_fail(error, BESD_IO, "%s: the answer to an act is damaged", s->file.path);
    a->text = strdup(text);
    return a->text ? BESD_OK : besd_fail_memory(error, "an answer");
}

besd_status store_find_answer(store *s, const char *key, const char *digest, kept_answer *a,
                              besd_error *error) {
    sqlite3_stmt *row;
    bool has;
    *a = (kept_answer){0};
    besd_status status = has_table(s, &has, error);
    if (status != BESD_OK || !has)
        return status;
    status = database_prepare(&s->file,
                              "SELECT digest, code, trial, text FROM answer WHERE key = ?1"
                              " AND abs(?2 - at) <= ?3",
                              &row, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_double(row, 2, clock_date());
    sqlite3_bind_double(row, 3, kept_seconds);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        status = read_answer(s, row, digest, a, error);
    besd_status ending =
        database_end_reading(&s->file, row, code, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? ending : status;
}

static besd_status forget_old(store *s, double now, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(&s->file, "DELETE FROM answer WHERE at < ?1 OR at > ?2",
                                          &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_double(statement, 1, now - kept_seconds);
    sqlite3_bind_double(statement, 2, now + kept_seconds); /* the clock was set back */
    return database_finish(&s->file, statement, error);
}

besd_status store_keep_answer(store *s, const char *key, const char *digest, const kept_answer *a,
                              besd_error *error) {
    sqlite3_stmt *statement;
    bool has;
    double now = clock_date();
    besd_status status = has_table(s, &has, error);
    if (status == BESD_OK && !has)
        status = database_run(&s->file, STORE_ANSWER_TABLE, error);
    if (status == BESD_OK)
        status = forget_old(s, now, error);
    if (status == BESD_OK)
        status = database_prepare(&s->file, "INSERT INTO answer VALUES(?, ?, ?, ?, ?, ?)",
                                  &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_double(statement, 2, now);
    sqlite3_bind_text(statement, 3, digest, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 4, a->code);
    sqlite3_bind_int64(statement, 5, a->trial);
    sqlite3_bind_text(statement, 6, a->text ? a->text : "", -1, SQLITE_STATIC);
    return database_finish(&s->file, statement, error);
}
