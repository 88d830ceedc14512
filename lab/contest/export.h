/* A comparison as files that other programs read: curves.csv, trials.csv (everything that was
 * measured), summary.csv, comparisons.csv, reach.csv, profile.csv (what follows from it),
 * table1.csv, table1.md and summary.json with all but the measurements. Numbers have ten digits; an
 * unknown one is an empty field or null. Equal results give equal bytes. */
#ifndef BESD_CONTEST_EXPORT_H
#define BESD_CONTEST_EXPORT_H

#include "contest/table1.h"

#include <stdio.h>

besd_status export_all(const summary *s, const table1 *t, const char *folder, besd_error *error);

/* Opens FOLDER/NAME for writing; NULL with a sentence. export_close says whether all of it could
 * be written. */
typedef struct export_file {
    FILE *out;
    char path[1024];
} export_file;
besd_status export_open(export_file *f, const char *folder, const char *name, besd_error *error);
besd_status export_close(export_file *f, besd_error *error);

/* ",%.10g", or "," for what is not finite. */
void export_number(const export_file *f, double value);

#endif
