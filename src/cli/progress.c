#include "cli/progress.h"

#include "core/clock.h"
#include "core/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 24, FEWEST_STEPS = 8, LINE_EVERY_S = 60, LONGEST_S = 100 * 86400 };

void progress_begin(progress *p, bool silent, size_t together, double done) {
    *p = (progress){
        .silent = silent, .terminal = isatty(STDERR_FILENO), .first_done = done, .last_tenth = -1};
    pace_begin(&p->pace, together, clock_seconds(), done);
}

/* Enough to judge by: ", 1:23 left at this pace", or nothing. */
static const char *describe_rest(const progress *p, double done, double total, double rate,
                                 char *text, size_t size) {
    double own = (done - p->first_done) / (total - p->first_done + 1e-9);
    bool known = rate > 0 && done < total && (p->pace.steps >= FEWEST_STEPS || own >= 0.1);
    int rest = known ? (int)ceil(fmin((total - done) / rate, LONGEST_S)) : 0;
    text[0] = 0;
    if (known)
        snprintf(text, size, ", %d:%02d left at this pace", rest / 60, rest % 60);
    return text;
}

bool progress_due(progress *p, double done, double total) {
    pace_step(&p->pace, clock_seconds(), done);
    if (p->silent)
        return false;
    if (p->terminal)
        return clock_seconds() - p->last_shown > 0.4;
    return (int)(10 * done / total) > p->last_tenth ||
           clock_seconds() - p->last_shown > LINE_EVERY_S;
}

void progress_show(progress *p, double done, double total, const char *text) {
    double now = clock_seconds(), share = fmin(done / total, 1); /* a budget may be lowered */
    double rate = pace_rate(&p->pace);
    char rest[40], speed[24] = "";
    if (rate > 0)
        snprintf(speed, sizeof speed, "  %.3g/s", rate);
    describe_rest(p, done, total, rate, rest, sizeof rest);
    p->last_shown = now;
    p->last_tenth = (int)(10 * share);
    if (p->terminal) {
        char bar[BAR + 1];
        int filled = (int)(share * BAR);
        memset(bar, '.', BAR);
        memset(bar, '#', (size_t)(filled < BAR ? filled : BAR));
        bar[BAR] = 0;
        print_clean(stderr, "\r\033[K[%s] %3.0f %%  %s%s%s", bar, 100 * share, text, speed, rest);
    } else {
        print_clean(stderr, "%3.0f %%  %s%s\n", 100 * share, text, rest);
    }
    fflush(stderr);
}

void progress_clear(const progress *p) {
    if (p->terminal && !p->silent && p->last_shown > 0)
        fputs("\r\033[K", stderr);
}

void progress_end(progress *p) {
    progress_clear(p);
}
