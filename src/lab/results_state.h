/* What the files of the results share: the open file, and how it is read. */
#ifndef BESD_LAB_RESULTS_STATE_H
#define BESD_LAB_RESULTS_STATE_H

#include "lab/results.h"

#include <sqlite3.h>

struct results {
    sqlite3 *db;
    char *path;
};

/* BESD_IO with the file's name and what SQLite says. */
besd_status results_fail(const results *r, besd_error *error);

besd_status results_prepare(results *r, sqlite3_stmt **statement, besd_error *error,
                            const char *sql);

/* Ends a reading; anything but a row or the end of the rows is an error. */
besd_status results_finish(results *r, sqlite3_stmt *statement, int code, besd_error *error);

/* The settings of a domain as they were written, with its learning curve without subgoals. */
besd_status results_find_contest(results *r, const char *on, results_contest *c, bool *found,
                                 besd_error *error);

#endif
