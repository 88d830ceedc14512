/* An answer with its headers. */
#include "serve/server_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Nothing of a study is ever run by a browser, and no other page may show ours. */
static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* FNV-1a: tells files apart, no more is needed. */
static void make_etag(const asset *file, char *text, size_t size) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < file->size; i++)
        hash = (hash ^ file->bytes[i]) * 1099511628211u;
    snprintf(text, size, "\"%016" PRIx64 "\"", hash);
}

static struct MHD_Response *make_file(const call *c, reply *r) {
    char etag[32];
    make_etag(r->file, etag, sizeof etag);
    bool known = c->known && strstr(c->known, etag);
    if (known)
        r->code = MHD_HTTP_NOT_MODIFIED;
    struct MHD_Response *made = MHD_create_response_from_buffer(
        known ? 0 : r->file->size, (void *)r->file->bytes, MHD_RESPMEM_PERSISTENT);
    if (made) {
        MHD_add_response_header(made, MHD_HTTP_HEADER_ETAG, etag);
        MHD_add_response_header(made, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
    }
    return made;
}

static struct MHD_Response *make_text(reply *r) {
    struct MHD_Response *made =
        MHD_create_response_from_buffer(r->size, r->text ? r->text : (void *)"",
                                        r->text ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (made) {
        r->text = NULL; /* it is the response's now */
        MHD_add_response_header(made, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    }
    return made;
}

static void add_headers(const server *s, struct MHD_Response *made, const reply *r,
                        const char *allowed) {
    const char *type = r->file ? r->file->type : r->type;
    if (type && r->code != MHD_HTTP_NOT_MODIFIED)
        MHD_add_response_header(made, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(made, "Content-Security-Policy", policy);
    MHD_add_response_header(made, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(made, "Referrer-Policy", "no-referrer");
    if (r->code == MHD_HTTP_UNAUTHORIZED)
        MHD_add_response_header(made, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer realm=\"besd\"");
    if (r->code == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(made, MHD_HTTP_HEADER_ALLOW, allowed);
    if (r->code == MHD_HTTP_SERVICE_UNAVAILABLE)
        MHD_add_response_header(made, "Retry-After", "1");
    if (s->service.draining || r->code == 413)
        MHD_add_response_header(made, MHD_HTTP_HEADER_CONNECTION, "close");
}

enum MHD_Result respond(server *s, struct MHD_Connection *connection, const call *c, reply *r,
                        const char *allowed) {
    struct MHD_Response *made = r->stream
                                    ? stream_open(&s->streams, connection, c->served, r->after)
                                : r->file ? make_file(c, r)
                                          : NULL;
    if (r->stream && !made)
        reply_refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE, "busy",
                     "too many clients follow studies already; ask without a stream");
    if (!made)
        made = make_text(r);
    if (!made)
        return MHD_NO;
    add_headers(s, made, r, allowed);
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)r->code, made);
    MHD_destroy_response(made);
    return result;
}
