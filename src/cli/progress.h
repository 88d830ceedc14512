/* How far a run has come: a bar with rate and remaining time on a terminal, a plain line now and
 * then otherwise. Always on stderr. */
#ifndef BESD_CLI_PROGRESS_H
#define BESD_CLI_PROGRESS_H

#include "core/clock.h"

#include <stdbool.h>

typedef struct progress {
    bool silent, terminal;
    double last_shown, first_done;
    int last_tenth;
    pace pace;
} progress;

/* `together`: so many steps are made at once. */
void progress_begin(progress *p, bool silent, size_t together, double done);

/* A step is over. Time to show something? At most a few times a second on a terminal, at every
 * tenth elsewhere. */
bool progress_due(progress *p, double done, double total);

/* Shows the state; `text` says what is special about it. The remaining time follows from what was
 * done lately (core/pace), and is not told before that is a few steps or a tenth of the rest: the
 * first step of a run that goes on also reads the file and fits a model, and is no measure. */
void progress_show(progress *p, double done, double total, const char *text);

/* Makes room for a line of something else. */
void progress_clear(const progress *p);

void progress_end(progress *p);

#endif
