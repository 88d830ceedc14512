/* What the user's terminal can show, as its own words say: the environment and its window. */
#ifndef BESD_CLI_TERMINAL_H
#define BESD_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Can a line be drawn over and over? Not where there is no terminal, and not with TERM=dumb. */
bool terminal_is_live(FILE *stream);

/* The same with colours, which NO_COLOR forbids (no-color.org). */
bool terminal_has_colour(FILE *stream);

/* Columns of its window now; 80 when that is not known. */
int terminal_width(FILE *stream);

/* Does the locale have the letters of UTF-8? LC_ALL=C has not. Where no locale is said, as in most
 * containers, it is taken to have them. */
bool terminal_speaks_utf8(void);

/* Has the window got another size since this was asked last? terminal_watch_size begins to look. */
void terminal_watch_size(void);
bool terminal_was_resized(void);

#endif
