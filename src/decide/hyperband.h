/* Hyperband (Li, Jamieson, DeSalvo, Rostamizadeh and Talwalkar 2018): brackets of successive
 * halving.
 *
 * With eta = 3 and at most R = 81 units of resource a pass has the brackets s = 4, ..., 0. Bracket
 * s begins with ceil(5 / (s + 1) * 3^s) new designs (81, 34, 15, 8, 5) at 3^(4 - s) units each;
 * each following rung keeps the best third at three times the resource. Trials come in a fixed
 * order, so the place of the n-th trial of a run follows from n alone.
 */
#ifndef BESD_DECIDE_HYPERBAND_H
#define BESD_DECIDE_HYPERBAND_H

#include <stddef.h>
#include <stdint.h>

typedef struct hyperband_place {
    uint64_t pass;
    int bracket, rung;      /* bracket 4 to 0, rung from 0 */
    size_t index;           /* within the rung */
    size_t designs;         /* new designs of the bracket */
    size_t previous, count; /* first trial of the rung before, counted from 0, and its length */
    int64_t resource;       /* units */
} hyperband_place;

/* Where trial n, counted from 0, stands. */
hyperband_place hyperband_at(size_t n);

/* The best of `count` scores, larger is better; NaN is worst, earlier first among equals. */
size_t hyperband_survivor(const double *scores, size_t count);

#endif
