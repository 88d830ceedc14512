/* Legs of trials in the study file: a blob for every trial that was told with some. */
#include "study/store_state.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A leg is two numbers, and its label where there are labels. */
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

/* A number that is no label is one that nobody has: who looks at it says so. */
static besd_leg read_leg(const double *numbers, bool labelled) {
    besd_leg leg = {.reached = numbers[0], .earned = numbers[1]};
    bool whole = numbers[2] >= 0 && numbers[2] < BESD_MAX_LABELS && floor(numbers[2]) == numbers[2];
    if (labelled)
        leg.label = whole ? (int64_t)numbers[2] : -1;
    return leg;
}

/* One row; a blob is not aligned. */
static besd_status visit_row(store *s, sqlite3_stmt *row, bool labelled, store_visit_legs *visit,
                             void *context, besd_error *error) {
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
        status = visit_row(s, statement, labelled, visit, context, error);
    if (status == BESD_OK && result != SQLITE_DONE)
        status = database_fail(&s->file, error);
    sqlite3_finalize(statement);
    return status;
}
