#include "cli/progress.h"

#include "core/clock.h"
#include "core/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 24, LINE_EVERY_S = 60, LONGEST_S = 100 * 86400 };

void progress_begin(progress *p, bool silent, double done) {
    *p = (progress){.silent = silent,
                    .terminal = isatty(STDERR_FILENO),
                    .start = clock_seconds(),
                    .first_done = done,
                    .last_tenth = -1};
}

bool progress_due(progress *p, double done, double total) {
    if (p->silent)
        return false;
    if (p->terminal)
        return clock_seconds() - p->last_shown > 0.4;
    return (int)(10 * done / total) > p->last_tenth ||
           clock_seconds() - p->last_shown > LINE_EVERY_S;
}

void progress_show(progress *p, double done, double total, const char *text) {
    double now = clock_seconds(), share = done / total;
    double rate = (done - p->first_done) / (now - p->start + 1e-9);
    int remaining = rate > 0 ? (int)fmin((total - done) / rate, LONGEST_S) : 0;
    p->last_shown = now;
    p->last_tenth = (int)(10 * share);
    if (p->terminal) {
        char bar[BAR + 1];
        int filled = (int)(share * BAR);
        memset(bar, '.', BAR);
        memset(bar, '#', (size_t)(filled < BAR ? filled : BAR));
        bar[BAR] = 0;
        print_clean(stderr, "\r\033[K[%s] %3.0f %%  %s  %.3g/s, %d:%02d left", bar, 100 * share,
                    text, rate, remaining / 60, remaining % 60);
    } else {
        print_clean(stderr, "%3.0f %%  %s, %d:%02d left\n", 100 * share, text, remaining / 60,
                    remaining % 60);
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
