#define _GNU_SOURCE /* mkdtemp */
#include "pages/page.h"

#include "core/error.h"
#include "core/print.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char style[] =
    ":root{--ink:#1c1c1c;--soft:#5c5c5c;--line:#dcdcdc;--ours:#c25200;--ground:#fff;--code:#f4f4f4;"
    "--worse:#a30000;"
    "--sans:'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif;"
    "--serif:Charter,'Bitstream Charter','Source Serif 4',Georgia,'DejaVu Serif',serif}"
    "html{color-scheme:light dark;background:var(--ground)}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8e6e3;--soft:#aaa6a0;--line:#3c3c3c;"
    "--ours:#ff9d5c;--ground:#17181a;--code:#26282b;--worse:#ff8a80}}"
    "body{margin:0 auto;padding:3rem 1.25rem 5rem;max-width:73.5rem;color:var(--ink);"
    "font:1.0625rem/1.6 var(--serif)}"
    "h1,h2,h3,th,td,figcaption,caption,.standfirst,code{font-family:var(--sans)}"
    "h1{font-size:2.1rem;line-height:1.15;letter-spacing:-.02em;margin:0 0 .75rem;max-width:44rem}"
    ".standfirst{font-size:1.15rem;line-height:1.5;color:var(--soft);margin:0 0 2rem;"
    "max-width:44rem}"
    "h2{font-size:1.4rem;letter-spacing:-.01em;margin:3.2rem 0 .6rem;padding-top:1rem;"
    "border-top:2px solid var(--ink)}"
    "h3{font-size:1.05rem;margin:2rem 0 .4rem}"
    "p,ul{max-width:44rem;margin:.7rem 0}li{margin:.35rem 0}"
    "code{font-size:.86em;background:var(--code);padding:.1em .3em;border-radius:3px;"
    "font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}"
    "figure{margin:1.8rem 0 2.2rem}figure svg{display:block;width:100%;height:auto}"
    ".drawing{overflow-x:auto}.drawing>div{background:#fff;border-radius:4px}"
    "figure svg *{font-family:var(--sans)}"
    "figcaption{font-size:.86rem;line-height:1.45;color:var(--soft);max-width:50rem;margin-top:."
    "5rem}"
    "figcaption b{color:var(--ink)}"
    ".scroll{overflow-x:auto;margin:1.2rem 0 1.8rem}"
    "table{border-collapse:collapse;font-size:.88rem;line-height:1.35;"
    "font-variant-numeric:tabular-nums}"
    "caption{text-align:left;font-weight:600;padding-bottom:.45rem}"
    "th{font-weight:600;color:var(--soft);text-align:right;vertical-align:bottom;"
    "border-bottom:1px solid var(--ink);padding:.25rem .9rem .3rem 0}"
    "td{text-align:right;border-bottom:1px solid var(--line);padding:.25rem .9rem .25rem 0;"
    "white-space:nowrap}"
    "td:last-child{white-space:normal;max-width:36rem}"
    "th,td{min-width:4.6rem}th:first-child,td:first-child{text-align:left}"
    "tr.ours td{font-weight:600}tr.ours td:first-child{color:var(--ours)}"
    ".worse{color:var(--worse)}"
    ".warning{border-left:3px solid var(--ours);padding-left:.8rem}"
    "details{margin:1rem 0 1.8rem}summary{cursor:pointer;font-family:var(--sans);font-size:.95rem;"
    "padding:.3rem 0}summary:focus-visible{outline:2px solid var(--ours)}"
    "@media(max-width:34rem){body{padding:1.5rem 1rem 3rem}h1{font-size:1.6rem}"
    ".standfirst{font-size:1.02rem}th,td{min-width:3.4rem;padding-right:.6rem}}"
    ".missing{padding:1rem;border:1px dashed var(--line);color:var(--soft)}"
    "@media print{body{max-width:none;padding:0}h2{break-after:avoid}figure,table{break-inside:"
    "avoid}}";

/* Should a name find a hole in the escaping, the browser still runs and loads nothing: styles are
 * all that a page needs, its own and those in its figures. */
#define POLICY "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

besd_status page_open(page *p, const char *path, const char *title, const char *standfirst,
                      besd_error *error) {
    *p = (page){0};
    snprintf(p->path, sizeof p->path, "%s", path);
    p->out = fopen(path, "w");
    if (!p->out)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    print_markup(p->out,
                 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<title>%s</title>\n<style>",
                 title);
    fputs(style, p->out);
    print_markup(p->out,
                 "</style>\n</head>\n<body>\n<main>\n<h1>%s</h1>\n"
                 "<p class=\"standfirst\">%s</p>\n",
                 title, standfirst);
    return BESD_OK;
}

besd_status page_close(page *p, besd_error *error) {
    fputs("</main>\n</body>\n</html>\n", p->out);
    bool failed = ferror(p->out);
    if (fclose(p->out) || failed)
        return besd_fail(error, BESD_IO, "%s: could not be written: %s", p->path, strerror(errno));
    return BESD_OK;
}

void page_heading(page *p, const char *text) {
    print_markup(p->out, "<h2>%s</h2>\n", text);
}

void page_subheading(page *p, const char *text) {
    print_markup(p->out, "<h3>%s</h3>\n", text);
}

static void put_between(page *p, const char *before, const char *after, const char *format,
                        va_list arguments) {
    fputs(before, p->out);
    print_texts(p->out, text_put_markup, format, arguments);
    fputs(after, p->out);
}

void page_text(page *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put_between(p, "<p>", "</p>\n", format, arguments);
    va_end(arguments);
}

void page_warning(page *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put_between(p, "<p class=\"warning\">", "</p>\n", format, arguments);
    va_end(arguments);
}

void page_details_begin(page *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put_between(p, "<details>\n<summary>", "</summary>\n", format, arguments);
    va_end(arguments);
}

void page_details_end(page *p) {
    fputs("</details>\n", p->out);
}

void page_list_begin(page *p) {
    fputs("<ul>\n", p->out);
}

void page_item(page *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put_between(p, "<li>", "</li>\n", format, arguments);
    va_end(arguments);
}

void page_own_item(page *p, const char *markup) {
    fputs("<li>", p->out);
    fputs(markup, p->out);
    fputs("</li>\n", p->out);
}

void page_list_end(page *p) {
    fputs("</ul>\n", p->out);
}

void page_table_begin(page *p, const char *caption, const char *head) {
    print_markup(p->out, "<div class=\"scroll\"><table>\n<caption>%s</caption>\n<thead><tr>",
                 caption);
    p->in_head = true;
    p->in_row = false;
    for (const char *next = head; next; next = strchr(next, '|') ? strchr(next, '|') + 1 : NULL)
        page_head(p, "%.*s", (int)strcspn(next, "|"), next);
}

void page_head(page *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put_between(p, "<th>", "</th>", format, arguments);
    va_end(arguments);
}

static void end_row(page *p) {
    if (p->in_head)
        fputs("</tr></thead>\n<tbody>\n", p->out);
    else if (p->in_row)
        fputs("</tr>\n", p->out);
    p->in_head = p->in_row = false;
}

void page_row(page *p, const char *mark) {
    end_row(p);
    print_markup(p->out, *mark ? "<tr class=\"%s\">" : "<tr>", mark);
    p->in_row = true;
}

void page_cell(page *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put_between(p, "<td>", "</td>", format, arguments);
    va_end(arguments);
}

void page_number(page *p, int digits, double value) {
    if (isfinite(value))
        page_cell(p, "%.*g", digits, value);
    else
        page_cell(p, "–");
}

void page_table_end(page *p) {
    end_row(p);
    fputs("</tbody></table></div>\n", p->out);
}

/* On small screens a figure is moved sideways rather than made smaller than this share of it: its
 * words could not be read. */
static const double LEAST_SHARE = 0.75;

/* Copies what follows the prologue of an XML file into a figure no wider than it was drawn, so that
 * its words have the size that they were given. */
static bool copy_svg(FILE *svg, FILE *out) {
    char buffer[8192];
    size_t got = svg ? fread(buffer, 1, sizeof buffer - 1, svg) : 0;
    double width = 0;
    buffer[got] = 0;
    const char *begin = strstr(buffer, "<svg"), *box = strstr(buffer, "viewBox=\"0 0 ");
    if (!begin || !box || sscanf(box, "viewBox=\"0 0 %lf", &width) != 1)
        return false;
    print_markup(out,
                 "<figure>\n<div class=\"drawing\"><div style=\"min-width:%.0fpx;"
                 "max-width:%.0fpx\">",
                 LEAST_SHARE * width, width);
    fwrite(begin, 1, got - (size_t)(begin - buffer), out);
    while ((got = fread(buffer, 1, sizeof buffer, svg)) > 0)
        fwrite(buffer, 1, got, out);
    fputs("</div></div>\n", out);
    return true;
}

void page_figure(page *p, const char *svg_path, const char *caption) {
    FILE *svg = fopen(svg_path, "r");
    char script[1100];
    size_t length = strlen(svg_path);
    snprintf(script, sizeof script, "%.*s.gp", (int)(length > 4 ? length - 4 : length), svg_path);
    if (!copy_svg(svg, p->out))
        print_markup(p->out,
                     "<figure>\n<p class=\"missing\">This figure was not drawn: gnuplot is needed "
                     "for it.%s</p>\n",
                     access(script, R_OK) == 0 ? " Its script is in the folder." : "");
    if (svg)
        fclose(svg);
    print_markup(p->out, "<figcaption><b>Figure %d.</b> %s</figcaption>\n</figure>\n", ++p->figures,
                 caption);
}

const char *page_group(double number, char *text, size_t size) {
    char digits[32];
    size_t length = 0;
    int count = snprintf(digits, sizeof digits, "%.0f", number);
    text[0] = 0;
    for (int i = 0; i < count && i < (int)sizeof digits - 1 && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%c",
                                   i && (count - i) % 3 == 0 ? PAGE_NARROW_BLANK : "", digits[i]);
    return text;
}

besd_status page_figures_begin(page_figures *f, const char *base, bool kept, besd_error *error) {
    char folder[1000], name[1000];
    const char *place = getenv("TMPDIR");
    *f = (page_figures){.kept = kept};
    snprintf(folder, sizeof folder, "%s", base);
    snprintf(name, sizeof name, "%s", base);
    if (kept) {
        snprintf(f->folder, sizeof f->folder, "%s", dirname(folder));
        snprintf(f->prefix, sizeof f->prefix, "%s", basename(name));
        return BESD_OK;
    }
    snprintf(f->folder, sizeof f->folder, "%.900s/besd-page-XXXXXX",
             place && *place ? place : "/tmp");
    snprintf(f->prefix, sizeof f->prefix, "page");
    f->made = mkdtemp(f->folder) != NULL;
    return f->made ? BESD_OK
                   : besd_fail(error, BESD_IO, "%s: no folder for figures can be made: %s",
                               f->folder, strerror(errno));
}

void page_figures_name(const page_figures *f, const char *name, char *file, size_t size) {
    snprintf(file, size, "%s-%s", f->prefix, name);
}

const char *page_figures_svg(const page_figures *f, const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s-%s.svg", f->folder, f->prefix, name);
    return path;
}

besd_status page_figures_note(page_figures *f, const char *name, besd_status drawn) {
    char script[2100];
    snprintf(script, sizeof script, "%s/%s-%s.gp", f->folder, f->prefix, name);
    if (!f->kept)
        unlink(script);
    f->lacks_gnuplot |= drawn == BESD_UNSUPPORTED;
    return drawn == BESD_UNSUPPORTED ? BESD_OK : drawn;
}

besd_status page_figures_draw(page_figures *f, const char *kind_name, besd_study *study,
                              besd_error *error) {
    char file[1100], svg[2100];
    const figure_kind *kind;
    besd_status status = figure_find(kind_name, &kind, error);
    if (status != BESD_OK)
        return status;
    page_figures_name(f, kind_name, file, sizeof file);
    unlink(page_figures_svg(f, kind_name, svg, sizeof svg)); /* an older one is not of this study */
    status = figure_make(kind, &(figure_source){.study = study}, f->folder, file, PLOT_SVG, error);
    return page_figures_note(f, kind_name, status);
}

void page_figures_end(page_figures *f) {
    DIR *folder = f->made ? opendir(f->folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    if (f->made)
        rmdir(f->folder);
    f->made = false;
}

besd_status page_figures_judge(const page_figures *f, besd_error *error) {
    return f->lacks_gnuplot
               ? besd_fail(error, BESD_UNSUPPORTED,
                           "gnuplot was not found, so the page has no figures: install gnuplot (on "
                           "Debian: apt install gnuplot-nox) and report again%s",
                           f->kept ? "; their scripts are beside the page" : "")
               : BESD_OK;
}
