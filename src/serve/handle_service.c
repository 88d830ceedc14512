/* The service itself: its health, its metrics, its description, the files of its page. */
#include "core/print.h"
#include "serve/route.h"
#include "serve/service.h"

#include <stdlib.h>
#include <string.h>

void handle_health(call *c, reply *r) {
    bool ending = c->service->draining;
    reply_json(r, ending ? 503 : 200, json_pack("{s:s}", "status", ending ? "ending" : "ok"));
}

/* Says nothing about studies, so it needs no token. */
void handle_ready(call *c, reply *r) {
    const service *s = c->service;
    if (s->draining)
        reply_refuse(r, 503, "ending", "the server is being stopped");
    else if (s->crowded)
        reply_refuse(r, 503, "busy", "many requests wait already");
    else if (!studies_are_there(&s->studies))
        reply_refuse(r, 503, "io", "the folder of the studies cannot be read");
    else
        reply_json(r, 200, json_pack("{s:s}", "status", "ok"));
}

static void reply_file(reply *r, const char *path) {
    for (const asset *a = assets; a->path && !r->file; a++)
        if (!strcmp(a->path, path))
            r->file = a;
    r->code = 200;
    if (!r->file)
        reply_refuse(r, 404, "unknown", "there is no file '%s'", path);
}

void handle_openapi(call *c, reply *r) {
    (void)c;
    reply_file(r, "openapi.json");
}

void handle_schema(call *c, reply *r) {
    (void)c;
    reply_file(r, "schema.json");
}

void handle_page(call *c, reply *r) {
    (void)c;
    reply_file(r, "index.html");
}

void handle_asset(call *c, reply *r) {
    reply_file(r, c->name);
}

typedef struct totals {
    FILE *out;
    size_t studies, unreadable;
} totals;

static void print_trials(void *context, served *one) {
    totals *t = context;
    besd_error error;
    json_t *summary = summary_of(one, &error), *count;
    const char *state;
    t->studies++;
    if (!summary) {
        t->unreadable++;
        return;
    }
    json_object_foreach(json_object_get(summary, "trials"), state, count) {
        print_clean(t->out, "besd_trials{study=\"%s\",state=\"%s\"} %lld\n", one->name, state,
                    (long long)json_integer_value(count));
    }
    json_decref(summary);
}

void handle_metrics(call *c, reply *r) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    totals t = {.out = out};
    if (!out) {
        reply_refuse(r, 500, "memory", "out of memory while counting");
        return;
    }
    metrics_print(&c->service->metrics, out);
    fputs("# HELP besd_trials Trials by study and state.\n# TYPE besd_trials gauge\n", out);
    studies_visit(&c->service->studies, print_trials, &t);
    print_clean(out,
                "# HELP besd_studies Studies that are served.\n# TYPE besd_studies gauge\n"
                "besd_studies %zu\n"
                "# HELP besd_studies_unreadable Studies whose file cannot be read.\n"
                "# TYPE besd_studies_unreadable gauge\nbesd_studies_unreadable %zu\n",
                t.studies, t.unreadable);
    if (fclose(out)) {
        free(text);
        reply_refuse(r, 500, "memory", "out of memory while counting");
        return;
    }
    r->code = 200;
    r->type = "text/plain; version=0.0.4; charset=utf-8";
    r->text = text;
    r->size = size;
}
