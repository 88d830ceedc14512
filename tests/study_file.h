/* What stands in a study's file, seen and changed behind the library's back. */
#ifndef BESD_TESTS_STUDY_FILE_H
#define BESD_TESTS_STUDY_FILE_H

#include "testing.h"

#include <sqlite3.h>

static inline void sql(const char *path, const char *statements) {
    sqlite3 *db = NULL;
    char *message = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, statements, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", statements, message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

#endif
