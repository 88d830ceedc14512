/* How fast something goes lately: the later half of its steps, at most the last PACE_MOST. The mean
 * since the beginning is no measure of what is to come where every step takes longer than the one
 * before it, as those of a model with more and more trials. */
#ifndef BESD_CORE_PACE_H
#define BESD_CORE_PACE_H

#include <stddef.h>

enum { PACE_MOST = 32 };

typedef struct pace {
    double at[PACE_MOST + 1], done[PACE_MOST + 1]; /* a ring */
    size_t steps, together;
} pace;

/* Steps that are made together, `together` at a time, end in bursts, of which it takes two to see
 * how long one lasts; 0 is 1. */
void pace_begin(pace *p, size_t together, double at, double done);

/* One step is over: so much is done at this second. */
void pace_step(pace *p, double at, double done);

/* Done in a second; 0: not known yet. */
double pace_rate(const pace *p);

#endif
