#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* CLOCK_BOOTTIME */
#endif
#include "core/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double read_clock(clockid_t which) {
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_seconds(void) {
    return read_clock(CLOCK_MONOTONIC);
}

double clock_date(void) {
    return read_clock(CLOCK_REALTIME);
}

double clock_since_start(char start[CLOCK_START_SIZE]) {
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (!f || !fgets(start, CLOCK_START_SIZE, f))
        start[0] = 0;
    start[strcspn(start, " \n")] = 0;
    if (f)
        fclose(f);
    return read_clock(CLOCK_BOOTTIME);
}

enum { RING = PACE_MOST + 1 };

void pace_begin(pace *p, size_t together, double at, double done) {
    p->steps = 0;
    p->together = together ? together : 1;
    p->at[0] = at;
    p->done[0] = done;
}

void pace_step(pace *p, double at, double done) {
    p->steps++;
    p->at[p->steps % RING] = at;
    p->done[p->steps % RING] = done;
}

double pace_rate(const pace *p) {
    size_t fewest = 2 * p->together, window = p->steps - p->steps / 2;
    if (p->steps < fewest)
        return 0;
    if (window < fewest)
        window = fewest;
    if (window > PACE_MOST)
        window = PACE_MOST;
    size_t last = p->steps % RING, first = (p->steps - window) % RING;
    double seconds = p->at[last] - p->at[first], done = p->done[last] - p->done[first];
    return seconds > 0 && done > 0 ? done / seconds : 0;
}
