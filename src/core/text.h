/* Texts of others: names, notes, paths, what commands print. Nobody may steer a terminal, a page or
 * a reader's eye with them, so wherever one is printed it goes through here; core/print is how. */
#ifndef BESD_CORE_TEXT_H
#define BESD_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool text_is_utf8(const char *text);

/* Makes it one line of UTF-8: control characters (escape, DEL and the ends of lines among them)
 * become blanks; those of the upper half (U+0080 to U+009F), marks that turn the direction of
 * writing, and bytes that are no letter become question marks; a letter that was cut off at the end
 * goes. */
void text_clean(char *text);

/* Writes so many bytes of a text the way its reader needs it, or nothing when `out` is NULL;
 * returns how many bytes that makes. */
typedef size_t text_put(FILE *out, const char *text, size_t length);

/* As text_clean leaves it. */
text_put text_put_clean;

/* The same between tags and in the attributes of HTML and SVG: & < > and both quotes as entities.
 */
text_put text_put_markup;

/* JSON, which says the same when it is read again: what text_clean would replace, but for the
 * blanks between its parts, as \\u and four digits. */
text_put text_put_json;

/* What stands for a sign of one byte that comes after another (0: it is the first), NULL: itself.
 */
typedef const char *text_escape(char sign, char before);

/* Clean, and with escapes of one's own. */
size_t text_put_escaped(FILE *out, const char *text, size_t length, text_escape *escape);

#endif
