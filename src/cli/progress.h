/* How far a run has come: a line that is drawn again and again on a terminal, as wide as its window
 * is, and plain lines now and then elsewhere. Always on stderr. */
#ifndef BESD_CLI_PROGRESS_H
#define BESD_CLI_PROGRESS_H

#include "core/clock.h"

#include <stdbool.h>

/* What there is to say. What is said only where there is room may be "" as well. */
typedef struct progress_news {
    const char *unit;   /* of what is done: "interactions", for the speed */
    const char *at;     /* "trial 12" */
    const char *amount; /* "3400 of 30000 interactions" */
    const char *more;   /* "2 trials still run" */
    const char *best;   /* "best expected steps 20.5 [20.1, 21]" */
    const char *brief;  /* the same in fewer letters */
} progress_news;

enum { PROGRESS_PARTS = 7, PROGRESS_PART_SIZE = 128 };

typedef struct progress {
    bool silent, terminal;
    double last_shown, first_done, share;
    int last_tenth;
    int drawn; /* columns of the line on the terminal; 0: there is none */
    char part[PROGRESS_PARTS][PROGRESS_PART_SIZE];
    pace pace;
} progress;

/* `together`: so many steps are made at once. */
void progress_begin(progress *p, bool silent, size_t together, double done);

/* A step is over. Time to show something? At most a few times a second on a terminal, at every
 * tenth elsewhere. */
bool progress_due(progress *p, double done, double total);

/* Shows the state. The remaining time follows from what was done lately (core/pace), and is not
 * told before that is a few steps or a tenth of the rest: the first step of a run that goes on also
 * reads the file and fits a model, and is no measure. */
void progress_show(progress *p, double done, double total, const progress_news *news);

/* Draws the line anew when the window has another size. */
void progress_follow(progress *p);

/* Makes room for a line of something else. */
void progress_clear(progress *p);

void progress_end(progress *p);

#endif
