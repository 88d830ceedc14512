/* Requests: "METHOD PATH?QUERY", the end of the line, a body. Whatever they say, there is an
 * answer: JSON, with a sentence when it is a refusal. The study is one in memory, new from time to
 * time. */
#include "fuzz.h"

#include "serve/route.h"
#include "serve/service.h"

enum { LONGEST_LIFE = 200 };

/* Has somebody written the name of the folder into the study, as a note perhaps? */
static bool folder_is_known;

static besd_study *renew(void) {
    static besd_study *study;
    static int age;
    static const double low[] = {0, -1}, high[] = {10, 1};
    static const char *const names[] = {"x", "y"};
    static const int64_t taus[] = {10, 40};
    static const int reps[] = {1, 2};
    if (study && age++ < LONGEST_LIFE)
        return study;
    besd_study_options o = besd_study_options_default();
    o.dimension = 2, o.low = low, o.high = high, o.names = names;
    o.taus = taus, o.tau_count = 2, o.reps = reps, o.reps_count = 2;
    o.method = BESD_METHOD_RANDOM, o.budget = 1e6;
    besd_error error;
    besd_trial t;
    besd_study_close(study);
    if (besd_study_open(&study, NULL, &o, &error) != BESD_OK)
        abort();
    for (int i = 0; i < 3; i++)
        if (besd_study_ask(study, NULL, &t, &error) != BESD_OK)
            abort();
    age = 0;
    folder_is_known = false;
    return study;
}

static void check(const reply *r) {
    if (r->file || r->stream || (r->type && strncmp(r->type, "application/json", 16) != 0))
        return; /* files, streams, metrics, copies of the study */
    if (r->code < 200 || r->code > 599 || r->code == 500 || !r->text)
        abort();
    json_t *answer = json_loadb(r->text, r->size, 0, NULL);
    if (!json_is_object(answer))
        abort();
    if (r->code >= 400 && !json_is_string(json_object_get(answer, "error")))
        abort();
    json_decref(answer);
}

/* NULL: it is not there. */
static char *cut(char *text, char sign) {
    char *at = strchr(text, sign);
    if (at)
        *at++ = 0;
    return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static service all;
    static served one = {.name = "arm", .path = "/nowhere/arm.besd", .folder = "/nowhere/"};
    char *text = fuzz_text(data, size), *body = cut(text, '\n'), *path = cut(text, ' '),
         allowed[64];
    char *query = path ? cut(path, '?') : NULL;
    call c = {
        .service = &all, .query = query ? query : "", .client = "127.0.0.1", .last_event = -1};
    reply r = {0};
    if (path && route_find(&c, &r, text, path, allowed, sizeof allowed) &&
        input_parse(&c, &r, body ? body : "", body ? size - (size_t)(body - text) : 0)) {
        if (c.route->work > WORK_FOLDER) {
            c.served = &one;
            c.study = renew();
        }
        c.route->handle(&c, &r);
    }
    if (path)
        check(&r);
    folder_is_known = folder_is_known || memmem(data, size, "nowhere", 7);
    if (r.text && memmem(r.text, r.size, "/nowhere", 8) && !folder_is_known)
        abort();
    reply_clear(&r);
    json_decref(c.input);
    free(text);
    return 0;
}
