#include "serve/call.h"

#include "core/text.h"
#include "serve/studies.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reply_clear(reply *r) {
    free(r->text);
    *r = (reply){0};
}

void reply_json(reply *r, int code, json_t *object) {
    /* only ASCII, because answers are also read in terminals */
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
    json_decref(object);
    besd_status status = r->status;
    reply_clear(r);
    r->status = status;
    r->type = "application/json";
    r->code = text ? code : 500;
    r->text = text ? text : strdup("{\"error\":\"out of memory\",\"status\":\"memory\"}");
    r->size = r->text ? strlen(r->text) : 0;
}

void reply_refuse(reply *r, int code, const char *status, const char *format, ...) {
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    text_clean(sentence);
    reply_json(r, code, json_pack("{s:s, s:s}", "error", sentence, "status", status));
}

static int code_of(besd_status status) {
    switch (status) {
    case BESD_UNKNOWN:
        return 404;
    case BESD_INVALID:
    case BESD_UNSUPPORTED:
    case BESD_ENVIRONMENT: /* an answer that breaks the rules for answers */
        return 400;
    case BESD_IO:
        return 503;
    default:
        return 500;
    }
}

/* What the library said, as clients hear it. */
typedef struct refusal {
    char sentence[BESD_ERROR_MESSAGE_SIZE], word[32];
} refusal;

static refusal describe(const struct served *one, const besd_error *error) {
    refusal f;
    snprintf(f.word, sizeof f.word, "%s", besd_status_name(error->status) + strlen("BESD_"));
    for (char *letter = f.word; *letter; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    snprintf(f.sentence, sizeof f.sentence, "%s", error->message);
    if (one)
        served_hide_path(one, f.sentence, sizeof f.sentence);
    text_clean(f.sentence);
    return f;
}

json_t *refusal_json(const struct served *one, const besd_error *error) {
    refusal f = describe(one, error);
    return json_pack("{s:s, s:s}", "error", f.sentence, "status", f.word);
}

static void refuse_with(const call *c, reply *r, int code, const besd_error *error) {
    refusal f = describe(c->served, error);
    reply_refuse(r, code, code == 409 ? "conflict" : f.word, "%s", f.sentence);
    r->status = error->status;
}

void reply_error(const call *c, reply *r, const besd_error *error) {
    refuse_with(c, r, code_of(error->status), error);
}

void reply_conflict(const call *c, reply *r, const besd_error *error) {
    refuse_with(c, r, error->status == BESD_INVALID ? 409 : code_of(error->status), error);
}
