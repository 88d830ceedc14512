/* Texts of others: cleaned they are UTF-8 without control characters, and clean for good. */
#include "fuzz.h"

#include "core/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size), *cleaned = fuzz_text(data, size);
    text_clean(cleaned);
    char *again = strdup(cleaned);
    if (!again)
        abort();
    text_clean(again);
    if (!text_is_utf8(cleaned) || strcmp(cleaned, again) != 0 || strlen(cleaned) > strlen(text))
        abort();
    for (const char *at = cleaned; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            abort();
    char *printed = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&printed, &length);
    if (!out)
        abort();
    size_t said = text_put_clean(out, text, strlen(text));
    fclose(out);
    if (said != length || text_put_clean(NULL, text, strlen(text)) != said)
        abort();
    text_put_markup(NULL, text, strlen(text));
    text_put_json(NULL, text, strlen(text));
    free(printed);
    free(again);
    free(cleaned);
    free(text);
    return 0;
}
