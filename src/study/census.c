#include "study/census.h"

#include "study/store_state.h"
#include "study/study_state.h"

#include <string.h>

besd_status study_census(besd_study *s, int64_t counts[CENSUS_STATES], besd_error *error) {
    sqlite3_stmt *statement;
    database *file = &s->store->file;
    memset(counts, 0, CENSUS_STATES * sizeof *counts);
    besd_status status = database_prepare(file, "SELECT state, count(*) FROM trial GROUP BY state",
                                          &statement, error);
    if (status != BESD_OK)
        return status;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        int64_t state = sqlite3_column_int64(statement, 0);
        if (state >= 0 && state < CENSUS_STATES)
            counts[state] = sqlite3_column_int64(statement, 1);
    }
    return database_end_reading(file, statement, code, error);
}
