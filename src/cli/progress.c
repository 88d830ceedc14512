/* On a terminal the line always fits into one row: of what there is to say, the least important is
 * left out first. A row that the terminal has broken, because its window became narrower, is taken
 * away whole. */
#include "cli/progress.h"

#include "cli/terminal.h"
#include "core/clock.h"
#include "core/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDE_BAR = 24, BAR = 10, FEWEST_STEPS = 8, LINE_EVERY_S = 60, LONGEST_S = 100 * 86400 };

enum { LONGEST_LINE = PROGRESS_PARTS * (PROGRESS_PART_SIZE + 2) + WIDE_BAR + 16 };

/* The parts in the order in which they stand. */
enum { AT, AMOUNT, MORE, BEST, BRIEF, SPEED, LEFT };

_Static_assert(LEFT + 1 == PROGRESS_PARTS, "every part has a place");

void progress_begin(progress *p, bool silent, size_t together, double done) {
    *p = (progress){.silent = silent,
                    .terminal = terminal_is_live(stderr),
                    .first_done = done,
                    .last_tenth = -1};
    pace_begin(&p->pace, together, clock_seconds(), done);
    if (p->terminal && !silent)
        terminal_watch_size();
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

/* Enough to judge by: "1:23 left at this pace", or "2:01:23 left", or nothing. */
static void describe_rest(const progress *p, double done, double total, double rate, char *text) {
    double own = (done - p->first_done) / (total - p->first_done + 1e-9);
    bool known = rate > 0 && done < total && (p->pace.steps >= FEWEST_STEPS || own >= 0.1);
    int rest = known ? (int)ceil(fmin((total - done) / rate, LONGEST_S)) : 0;
    text[0] = 0;
    if (rest >= 3600)
        snprintf(text, PROGRESS_PART_SIZE, "%d:%02d:%02d left at this pace", rest / 3600,
                 rest / 60 % 60, rest % 60);
    else if (known)
        snprintf(text, PROGRESS_PART_SIZE, "%d:%02d left at this pace", rest / 60, rest % 60);
}

static void describe_speed(double rate, const char *unit, char *text) {
    static const char letters[] = " kMGT";
    size_t letter = 0;
    text[0] = 0;
    if (!(rate > 0))
        return;
    for (; rate >= 999.5 && letters[letter + 1]; letter++)
        rate /= 1000;
    snprintf(text, PROGRESS_PART_SIZE, "%.3g%.*s %s/s", rate, letter > 0, &letters[letter], unit);
}

/* Columns that a text takes up: bytes that go on with a letter take none. */
static int columns_of(const char *text) {
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* A line of a bar of this length and the parts of a set. */
static void compose(const progress *p, int bar, unsigned parts, char *line) {
    int length = 0, filled = (int)(p->share * bar);
    if (bar)
        length = snprintf(line, LONGEST_LINE, "[%.*s%.*s] ", filled, "########################",
                          bar - filled, "........................");
    length += snprintf(line + length, (size_t)(LONGEST_LINE - length), "%3.0f %%", 100 * p->share);
    for (int i = 0; i < PROGRESS_PARTS; i++)
        if (parts >> i & 1 && p->part[i][0])
            length += snprintf(line + length, (size_t)(LONGEST_LINE - length), "%s%s",
                               i == AT ? "  " : ", ", p->part[i]);
}

/* The richest line that fits into so many columns. */
static void compose_fitting(const progress *p, int columns, char *line) {
    enum {
        ALL = 1U << AT | 1U << AMOUNT | 1U << MORE | 1U << BEST | 1U << SPEED | 1U << LEFT,
        QUIET = ALL & ~(1U << SPEED),
        SHORT = (QUIET & ~(1U << BEST)) | 1U << BRIEF,
        POOR = SHORT & ~(1U << AMOUNT),
        BARE = POOR & ~(1U << MORE)
    };
    static const struct {
        int bar;
        unsigned parts;
    } lines[] = {{WIDE_BAR, ALL}, {WIDE_BAR, QUIET}, {BAR, QUIET}, {BAR, SHORT},
                 {BAR, POOR},     {BAR, BARE},       {0, BARE},    {0, 1U << AT | 1U << BRIEF},
                 {0, 1U << AT}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        compose(p, lines[i].bar, lines[i].parts, line);
        if (columns_of(line) <= columns)
            return;
    }
    compose(p, 0, 0, line);
}

/* Takes away the line, which covers several rows if the window has become narrower. */
static void wipe(progress *p, int width) {
    int rows = p->drawn ? (p->drawn - 1) / width : 0;
    if (rows)
        print_clean(stderr, "\033[%dA\r\033[J", rows);
    else
        fputs("\r\033[K", stderr);
    p->drawn = 0;
}

static void draw(progress *p) {
    char line[LONGEST_LINE];
    int width = terminal_width(stderr);
    compose_fitting(p, width - 1, line);
    wipe(p, width);
    print_clean(stderr, "%s", line);
    fflush(stderr);
    p->drawn = columns_of(line);
}

void progress_show(progress *p, double done, double total, const progress_news *news) {
    const char *const said[] = {[AT] = news->at,
                                [AMOUNT] = news->amount,
                                [MORE] = news->more,
                                [BEST] = news->best,
                                [BRIEF] = news->brief};
    double rate = pace_rate(&p->pace);
    for (int i = AT; i <= BRIEF; i++)
        snprintf(p->part[i], sizeof p->part[i], "%s", said[i]);
    describe_speed(rate, news->unit, p->part[SPEED]);
    describe_rest(p, done, total, rate, p->part[LEFT]);
    p->share = fmin(done / total, 1); /* a budget may be lowered */
    p->last_shown = clock_seconds();
    p->last_tenth = (int)(10 * p->share);
    if (p->terminal) {
        draw(p);
        return;
    }
    char line[LONGEST_LINE];
    compose(p, 0, ~(1U << BRIEF | 1U << SPEED), line);
    print_clean(stderr, "%s\n", line);
    fflush(stderr);
}

void progress_follow(progress *p) {
    if (p->terminal && !p->silent && terminal_was_resized() && p->drawn)
        draw(p);
}

void progress_clear(progress *p) {
    if (!p->drawn)
        return;
    wipe(p, terminal_width(stderr));
    fflush(stderr);
}

void progress_end(progress *p) {
    progress_clear(p);
}
