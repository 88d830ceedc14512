/* A module is a file that begins with lines `import { a, b as c } from "./other.js";` and marks
 * what others may import by `export` at the beginning of a line. Each becomes a function that is
 * called once, after the modules that it imports, and returns what it exports. Modules that import
 * each other in a circle would not work, and nothing here looks for them: the browser test would.
 */
#include "page/bundle.h"

#include "core/error.h"

#include <errno.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MODULES = 100 };

static const asset *find_asset(const char *name, size_t length) {
    for (const asset *a = assets; a->path; a++)
        if (strlen(a->path) == length && !strncmp(a->path, name, length))
            return a;
    return NULL;
}

static bool begins_with(const char *text, const char *word) {
    return !strncmp(text, word, strlen(word));
}

/* The modules that are written already, by their places in the table. */
typedef struct bundler {
    FILE *out;
    bool written[MOST_MODULES];
    const char *missing; /* a module that is not there; NULL: none */
} bundler;

static void write_module(bundler *b, const asset *module);

/* `import { a, b as c } from "./x.js";` becomes `const { a, b: c } = module_7;`. Returns what
 * follows. */
static const char *write_import(bundler *b, const char *line) {
    const char *names = strchr(line, '{'), *end = strchr(names, '}');
    const char *file = strstr(end, "\"./") + 3, *after = strchr(file, '"');
    const asset *from = find_asset(file, (size_t)(after - file));
    if (!from) {
        b->missing = file;
        return after;
    }
    fputs("const ", b->out);
    for (const char *c = names; c <= end; c++)
        if (begins_with(c, " as ")) {
            fputs(": ", b->out);
            c += 3;
        } else {
            fputc(*c, b->out);
        }
    fprintf(b->out, " = module_%d;", (int)(from - assets));
    return strchr(after, ';') + 1;
}

/* The modules of a text's imports come before it. */
static void write_needed(bundler *b, const char *text) {
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!begins_with(line, "import {"))
            continue;
        const char *file = strstr(line, "\"./") + 3;
        const asset *from = find_asset(file, strcspn(file, "\""));
        if (from)
            write_module(b, from);
    }
}

/* The name behind `export function`, `export async function`, `export const`, `export class`. */
static void note_name(FILE *names, const char *declaration) {
    static const char *const words[] = {"async ", "function ", "const ", "let ", "class "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins_with(declaration, words[i]))
            declaration += strlen(words[i]);
    fprintf(names, "%.*s, ", (int)strcspn(declaration, " (=;\n"), declaration);
}

static void write_body(bundler *b, const char *text, FILE *names) {
    for (const char *line = text; *line;) {
        if (begins_with(line, "import {"))
            line = write_import(b, line);
        else if (begins_with(line, "export "))
            note_name(names, line += strlen("export "));
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        fwrite(line, 1, length, b->out);
        line += length;
    }
}

static void write_module(bundler *b, const asset *module) {
    size_t place = (size_t)(module - assets), size = 0;
    char *exported = NULL, *text = NULL;
    if (place >= MOST_MODULES || b->written[place])
        return;
    b->written[place] = true;
    FILE *names = open_memstream(&exported, &size);
    text = strndup((const char *)module->bytes, module->size);
    if (names && text) {
        write_needed(b, text);
        fprintf(b->out, "const module_%zu = (() => {\n", place);
        write_body(b, text, names);
    } else {
        b->missing = module->path;
    }
    if (names && fclose(names) == 0)
        fprintf(b->out, "return { %s};\n})();\n", exported);
    free(exported);
    free(text);
}

/* All modules as one script; NULL without memory. */
static char *make_script(size_t *size) {
    char *script = NULL;
    bundler b = {.out = open_memstream(&script, size)};
    const asset *app = find_asset("app.js", strlen("app.js"));
    if (!b.out)
        return NULL;
    fputs("\"use strict\";\n(() => {\n", b.out);
    if (app)
        write_module(&b, app);
    fputs("})();\n", b.out);
    if (fclose(b.out) || b.missing) {
        free(script);
        return NULL;
    }
    return script;
}

/* 'sha256-...': how a policy names a text that may be used. */
enum { HASH_SIZE = 64 };
static void hash_text(const void *text, size_t size, char hash[HASH_SIZE]) {
    unsigned char digest[32];
    gnutls_datum_t raw = {.data = digest, .size = sizeof digest}, coded = {0};
    hash[0] = 0;
    if (gnutls_hash_fast(GNUTLS_DIG_SHA256, text, size, digest) == 0 &&
        gnutls_base64_encode2(&raw, &coded) == 0)
        snprintf(hash, HASH_SIZE, "'sha256-%s'", (const char *)coded.data);
    gnutls_free(coded.data);
}

/* What the page is put together from. */
typedef struct parts {
    const asset *style, *charts; /* charts: d3, or NULL */
    char *script;
    size_t script_size;
    const char *json;
    size_t json_size;
} parts;

static void write_policy(FILE *out, const parts *p) {
    char style[HASH_SIZE], script[HASH_SIZE], charts[HASH_SIZE] = "";
    hash_text(p->style->bytes, p->style->size, style);
    hash_text(p->script, p->script_size, script);
    if (p->charts)
        hash_text(p->charts->bytes, p->charts->size, charts);
    fprintf(out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "script-src %s %s; style-src %s; img-src data:; base-uri 'none'; form-action "
            "'none'\">\n",
            script, charts, style);
}

/* No letter of the JSON may end the element that it is in; all of these stand in strings. */
static void write_data(FILE *out, const parts *p) {
    fputs("<script id=\"data\" type=\"application/json\">", out);
    for (size_t i = 0; i < p->json_size; i++)
        switch (p->json[i]) {
        case '<':
        case '>':
        case '&':
        case 0x7f: /* JSON allows it, and it steers a terminal */
            fprintf(out, "\\u%04x", (unsigned)p->json[i]);
            break;
        default:
            fputc(p->json[i], out);
        }
    fputs("</script>\n", out);
}

static void write_scripts(FILE *out, const parts *p) {
    write_data(out, p);
    if (p->charts) {
        fputs("<script>", out);
        fwrite(p->charts->bytes, 1, p->charts->size, out);
        fputs("</script>\n", out);
    }
    fputs("<script>", out);
    fwrite(p->script, 1, p->script_size, out);
    fputs("</script>\n", out);
}

/* The live page's own document, with what it loads in it. */
static void write_document(FILE *out, const asset *document, const parts *p) {
    const char *line = (const char *)document->bytes, *end = line + document->size;
    while (line < end) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        size_t length = next ? (size_t)(next - line) + 1 : (size_t)(end - line);
        if (begins_with(line, "<link rel=\"stylesheet\"")) {
            fputs("<style>", out);
            fwrite(p->style->bytes, 1, p->style->size, out);
            fputs("</style>\n", out);
        } else if (begins_with(line, "</body>")) {
            write_scripts(out, p);
            fwrite(line, 1, length, out);
        } else if (!begins_with(line, "<script src=")) {
            fwrite(line, 1, length, out);
        }
        if (begins_with(line, "<meta charset"))
            write_policy(out, p);
        line += length;
    }
}

static besd_status write_file(const char *path, const asset *document, const parts *p,
                              besd_error *error) {
    char draft[1100];
    snprintf(draft, sizeof draft, "%s.new", path);
    FILE *out = fopen(draft, "w");
    if (!out)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    write_document(out, document, p);
    bool failed = ferror(out);
    if (fclose(out) || failed || rename(draft, path)) {
        besd_error_set(error, BESD_IO, "%s: could not be written: %s", path, strerror(errno));
        unlink(draft);
        return BESD_IO;
    }
    return BESD_OK;
}

besd_status bundle_write(const char *path, const char *json, size_t size, besd_error *error) {
    const asset *document = find_asset("index.html", strlen("index.html"));
    parts p = {.style = find_asset("style.css", strlen("style.css")),
               .charts = find_asset("d3.min.js", strlen("d3.min.js")),
               .json = json,
               .json_size = size};
    p.script = make_script(&p.script_size);
    if (!p.script || !document || !p.style)
        return besd_fail_memory(error, "the page's script");
    besd_status status = write_file(path, document, &p, error);
    free(p.script);
    return status;
}
