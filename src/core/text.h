/* Texts of others: what commands print and people note. */
#ifndef BESD_CORE_TEXT_H
#define BESD_CORE_TEXT_H

#include <stdbool.h>

bool text_is_utf8(const char *text);

/* Makes it one line of UTF-8: control characters become blanks, bytes that are no letter question
 * marks; a letter that was cut off at the end goes. */
void text_clean(char *text);

#endif
