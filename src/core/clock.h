/* Clocks, and how fast something goes by them. */
#ifndef BESD_CORE_CLOCK_H
#define BESD_CORE_CLOCK_H

#include <stddef.h>

/* Seconds that pass, whatever happens to the date. */
double clock_seconds(void);

/* The date: seconds since 1970. It may jump, because people and programs set the clock. */
double clock_date(void);

/* Seconds since this machine was started, sleep included, and the name of that start. They belong
 * together, go on between processes, and do not jump. Without a name: "". */
enum { CLOCK_START_SIZE = 48 };
double clock_since_start(char start[CLOCK_START_SIZE]);

/* The recent speed of something: over the later half of its steps, at most over the last PACE_MOST.
 * The mean since the beginning would mislead: a model with more trials takes longer for a step. */
enum { PACE_MOST = 32 };

typedef struct pace {
    double at[PACE_MOST + 1], done[PACE_MOST + 1]; /* a ring */
    size_t steps, together;
} pace;

/* `together` steps run at a time and so end in bursts; two bursts show how long one lasts. 0 counts
 * as 1. */
void pace_begin(pace *p, size_t together, double at, double done);

/* One step is over: at second `at`, `done` is the amount done so far. */
void pace_step(pace *p, double at, double done);

/* The amount done in a second; 0: not known yet. */
double pace_rate(const pace *p);

#endif
