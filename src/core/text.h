/* Texts that besd did not write: names, notes, paths, the output of commands. Such a text must not
 * steer a terminal, a page or a reader's eye, so it is cleaned or escaped here wherever it is
 * printed (core/print.h does so). And names that people type: the nearest known one. */
#ifndef BESD_CORE_TEXT_H
#define BESD_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool text_is_utf8(const char *text);

/* How many bytes of the text, at most `most` of its first, end with a whole letter. */
size_t text_cut(const char *text, size_t most);

/* Makes the text one line of UTF-8. Control characters (escape, DEL and ends of lines among them)
 * become blanks. Control characters from U+0080 to U+009F, marks that turn the direction of
 * writing, and bytes that form no letter become question marks. A letter that is cut off at the end
 * is removed. */
void text_clean(char *text);

/* Writes the first `length` bytes of a text in the form that its reader needs; writes nothing when
 * `out` is NULL. Returns the number of bytes of that form. */
typedef size_t text_put(FILE *out, const char *text, size_t length);

/* As text_clean leaves it. */
text_put text_put_clean;

/* For HTML and SVG, attributes included: clean, with & < > and both quotes as entities. */
text_put text_put_markup;

/* For text that is JSON, whose meaning stays: a letter that text_clean would replace becomes \\u
 * and four digits; blanks and ends of lines between the parts stay. */
text_put text_put_json;

/* The text that stands for `sign`, a letter of one byte; NULL: the sign itself. `before` is the
 * byte before it, 0 for the first. */
typedef const char *text_escape(char sign, char before);

/* Clean, and with the caller's escapes. */
size_t text_put_escaped(FILE *out, const char *text, size_t length, text_escape *escape);

/* Are two names equal up to case? */
bool names_equal(const char *a, const char *b);

/* The known name with the smallest edit distance to `typed`, or NULL when none is near enough to
 * be a plausible slip (more than three letters or more than half of the longer name would have to
 * change). `known` yields the i-th name and NULL past the last. */
const char *names_nearest(const char *typed,
                          const char *(*known)(size_t index, const void *context),
                          const void *context);

#endif
