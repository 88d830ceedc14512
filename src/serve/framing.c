#include "serve/framing.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* libmicrohttpd hands out places in the text that it has read, where each end of a line was
 * overwritten. How far they are apart says how long the end was; nothing else is read of that text.
 */
typedef struct header_walk {
    uintptr_t begin, end; /* of the head of the request */
    uintptr_t last;       /* the end of the line before */
    int hosts, lengths, encodings;
    const char *wrong; /* NULL: nothing yet */
} header_walk;

static bool is_token(const char *name, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (!isalnum((unsigned char)name[i]) && !strchr("!#$%&'*+-.^_`|~", name[i]))
            return false;
    return size > 0;
}

static bool has_control(const char *value, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (((unsigned char)value[i] < ' ' && value[i] != '\t') || value[i] == 0x7f)
            return true;
    return false;
}

static bool is_named(const char *name, size_t size, const char *wanted) {
    return size == strlen(wanted) && !strncasecmp(name, wanted, size);
}

static enum MHD_Result visit(void *context, enum MHD_ValueKind kind, const char *name, size_t size,
                             const char *value, size_t length) {
    header_walk *w = context;
    uintptr_t at = (uintptr_t)name, after = (uintptr_t)value;
    (void)kind;
    if (!is_token(name, size))
        w->wrong = "a name of a header has a blank or another letter that no name has";
    else if (!value || has_control(value, length))
        w->wrong = "a header has a control character";
    else if (after < at || after + length > w->end || at < w->last)
        w->wrong = "a header goes on in the next line";
    else if (at - w->last < 2)
        w->wrong = "a line does not end with CR LF";
    if (w->wrong)
        return MHD_NO;
    w->hosts += is_named(name, size, "Host");
    w->lengths += is_named(name, size, "Content-Length");
    w->encodings += is_named(name, size, "Transfer-Encoding");
    w->last = after + length;
    return MHD_YES;
}

static const char *judge(const header_walk *w, const char *version) {
    if (w->wrong)
        return w->wrong;
    if (w->end - w->last < 4) /* CR LF of the last header, and of the empty line */
        return "a line does not end with CR LF";
    if (w->hosts > 1 || (!w->hosts && !strcmp(version, MHD_HTTP_VERSION_1_1)))
        return w->hosts ? "there are two headers Host" : "the header Host is missing";
    return w->lengths > 1 ? "there are two headers Content-Length" : NULL;
}

bool framing_check(struct MHD_Connection *connection, const char *method, const char *version,
                   reply *r) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    header_walk w = {.begin = (uintptr_t)method, .last = (uintptr_t)version + strlen(version)};
    w.end = info ? w.begin + info->header_size : w.last;
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, visit, &w);
    const char *wrong = judge(&w, version);
    if (!wrong && !w.encodings)
        return true;
    if (wrong)
        reply_refuse(r, 400, "invalid", "the head of the request: %s", wrong);
    else
        reply_refuse(r, 411, "length_required",
                     "Transfer-Encoding: expected a body with a Content-Length instead");
    return false;
}
