/* Legs of trials in the study file: a blob for every trial that was told with some. */
#include "study/store_state.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(besd_leg) == 2 * sizeof(double), "a leg is two numbers");

besd_status store_add_legs(store *s, int64_t id, const besd_leg *legs, size_t count,
                           besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file, "INSERT INTO legs VALUES(?, ?)", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_blob64(statement, 2, legs, count * sizeof *legs, SQLITE_STATIC);
    return database_finish(&s->file, statement, error);
}

/* One row; a blob is not aligned. */
static besd_status visit_row(store *s, sqlite3_stmt *row, store_visit_legs *visit, void *context,
                             besd_error *error) {
    int64_t id = sqlite3_column_int64(row, 0);
    size_t bytes = (size_t)sqlite3_column_bytes(row, 1);
    const void *blob = sqlite3_column_blob(row, 1);
    if (!bytes || bytes % sizeof(besd_leg))
        return besd_fail(error, BESD_IO, "%s: the legs of trial %lld are damaged", s->file.path,
                         (long long)id);
    besd_leg *legs = blob ? malloc(bytes) : NULL;
    if (!legs)
        return besd_fail_memory(error, "the legs");
    memcpy(legs, blob, bytes);
    besd_status status = visit(context, id, legs, bytes / sizeof *legs, error);
    free(legs);
    return status;
}

besd_status store_list_legs(store *s, int64_t id, store_visit_legs *visit, void *context,
                            besd_error *error) {
    sqlite3_stmt *statement;
    int result = SQLITE_DONE;
    besd_status status = database_prepare(
        &s->file, "SELECT trial, value FROM legs WHERE trial = ?1 OR ?1 = 0 ORDER BY trial",
        &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    while (status == BESD_OK && (result = sqlite3_step(statement)) == SQLITE_ROW)
        status = visit_row(s, statement, visit, context, error);
    if (status == BESD_OK && result != SQLITE_DONE)
        status = database_fail(&s->file, error);
    sqlite3_finalize(statement);
    return status;
}
