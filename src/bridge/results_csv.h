/* Earlier results as a table: a line of names, and one for each. */
#ifndef BESD_BRIDGE_RESULTS_CSV_H
#define BESD_BRIDGE_RESULTS_CSV_H

#include "bridge/result_list.h"

/* The columns are those of `besd trials --csv`, in any order: the coordinates, tau and scores (with
 * blanks between them), and if you like cost, note and state; the others are not looked at. The
 * text is changed. Sentences begin with the file's name and the line. */
besd_status results_read_csv(result_list *list, const besd_study_options *study, char *text,
                             const char *name, besd_error *error);

#endif
