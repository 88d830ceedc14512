#define _GNU_SOURCE /* strcasestr */
#include "cli/terminal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80, NARROWEST = 10 };

static volatile sig_atomic_t resized;

static void note(int number) {
    (void)number;
    resized = 1;
}

bool terminal_is_live(FILE *stream) {
    const char *kind = getenv("TERM");
    return isatty(fileno(stream)) && kind && *kind && strcmp(kind, "dumb") != 0;
}

bool terminal_has_colour(FILE *stream) {
    const char *no_colour = getenv("NO_COLOR");
    return terminal_is_live(stream) && !(no_colour && *no_colour);
}

int terminal_width(FILE *stream) {
    struct winsize window = {0};
    if (ioctl(fileno(stream), TIOCGWINSZ, &window) || !window.ws_col)
        return USUAL_WIDTH;
    return window.ws_col < NARROWEST ? NARROWEST : window.ws_col;
}

bool terminal_speaks_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale) /* the first that is said counts */
            return strcasestr(locale, "UTF-8") || strcasestr(locale, "utf8");
    }
    return true;
}

void terminal_watch_size(void) {
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGWINCH, &action, NULL);
}

bool terminal_was_resized(void) {
    bool was = resized;
    resized = 0;
    return was;
}
