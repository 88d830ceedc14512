#include "core/text.h"

#include <stddef.h>

static bool continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The bytes that a letter has by its first one; 0 when no letter begins so. */
static int letter_size(unsigned char first) {
    return first < 0x80   ? 1
           : first < 0xc2 ? 0
           : first < 0xe0 ? 2
           : first < 0xf0 ? 3
           : first < 0xf5 ? 4
                          : 0;
}

/* Neither an overlong form, nor a surrogate, nor beyond the last letter. */
static bool is_letter(const unsigned char *c, int size) {
    for (int i = 1; i < size; i++)
        if (!continues((char)c[i]))
            return false;
    return !(c[0] == 0xe0 && c[1] < 0xa0) && !(c[0] == 0xed && c[1] > 0x9f) &&
           !(c[0] == 0xf0 && c[1] < 0x90) && !(c[0] == 0xf4 && c[1] > 0x8f);
}

static bool is_cut_off(const char *text, int size) {
    int i = 1;
    while (i < size && continues(text[i]))
        i++;
    return i < size && !text[i];
}

bool text_is_utf8(const char *text) {
    while (*text) {
        int size = letter_size((unsigned char)*text);
        if (!size || (size > 1 && !is_letter((const unsigned char *)text, size)))
            return false;
        text += size;
    }
    return true;
}

void text_clean(char *text) {
    for (char *c = text; *c;) {
        int size = letter_size((unsigned char)*c);
        if (size > 1 && is_cut_off(c, size)) {
            *c = 0;
        } else if (size > 1 && is_letter((const unsigned char *)c, size)) {
            c += size;
        } else {
            if ((unsigned char)*c < ' ' || *c == 127)
                *c = ' ';
            else if (size != 1)
                *c = '?';
            c++;
        }
    }
}
