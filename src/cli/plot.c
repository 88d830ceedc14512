/* besd plot: one figure of a comparison, a domain or a study. */
#include "cli/common.h"
#include "cli/study_place.h"
#include "core/error.h"
#include "core/print.h"
#include "figures/figure.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* What the command line asked for. */
typedef struct request {
    const char *kind, *object, *out, *format;
    number_list theta;
    uint64_t instance, seed;
    domain_options chosen;
} request;

typedef struct material {
    findings findings;
    domain domain;
    besd_study *study;
    figure_source source;
} material;

static besd_status open_material(const request *r, const figure_kind *kind, material *m,
                                 besd_error *error) {
    besd_status status = BESD_OK;
    m->source = (figure_source){.theta = r->theta.given ? r->theta.items : NULL,
                                .theta_length = r->theta.count,
                                .instance = r->instance,
                                .seed = r->seed};
    if (kind->needs == NEEDS_DOMAIN) {
        status = choose_domain(r->object, &r->chosen, &m->domain, error);
        m->source.domain = &m->domain;
    } else if (kind->needs == NEEDS_STUDY) {
        struct stat info;
        if (stat(r->object, &info) != 0)
            return besd_fail(error, BESD_IO, "%s: %s", r->object, strerror(errno));
        if (S_ISDIR(info.st_mode))
            return besd_fail(error, BESD_INVALID,
                             "%s: '%s' takes the file of a study, this is a "
                             "folder",
                             r->object, kind->name);
        status = study_place_open("plot", r->object, &m->study, error);
        m->source.study = m->study;
    } else if (!is_folder(r->object)) {
        status = besd_fail(error, BESD_INVALID,
                           "%s: '%s' takes the folder of a comparison (besd compare --out DIR)",
                           r->object, kind->name);
    } else {
        status = findings_load(r->object, &m->findings, error);
        m->source.findings = &m->findings;
    }
    return status;
}

static void close_material(material *m) {
    findings_free(&m->findings);
    domain_release(&m->domain);
    besd_study_close(m->study);
}

/* legs.svg means legs, when that is the format. */
static void drop_format(char *base, const char *format) {
    size_t length = strlen(base), ending = strlen(format);
    if (length > ending + 1 && base[length - ending - 1] == '.' &&
        base[length - ending - 2] != '/' && !strcmp(base + length - ending, format))
        base[length - ending - 1] = 0;
}

/* Draws to the base name --out, or to the kind's name: in the folder of a comparison, or here. */
static int draw(const verb *v, const request *r, const figure_kind *kind,
                const figure_source *source, unsigned format) {
    char base[1024], folder_of[1024], name_of[1024];
    besd_error error;
    if (r->out) {
        snprintf(base, sizeof base, "%s", r->out);
        drop_format(base, r->format);
    } else if (kind->needs == NEEDS_COMPARISON) {
        snprintf(base, sizeof base, "%s/%s", r->object, kind->name);
    } else {
        snprintf(base, sizeof base, "%s", kind->name);
    }
    snprintf(folder_of, sizeof folder_of, "%s", base);
    snprintf(name_of, sizeof name_of, "%s", base);
    const char *folder = dirname(folder_of), *name = basename(name_of);
    besd_status status = figure_make(kind, source, folder, name, format, &error);
    if (status != BESD_OK)
        return refuse(v, &error);
    print_clean(stdout, "%s.%s\n", base, r->format);
    return finish_output(v);
}

static void print_kinds(void) {
    static const char *const takes[] = {"DIR", "DOMAIN", "STUDY"};
    puts("\nkinds:");
    for (size_t i = 0; figure_kind_at(i); i++)
        print_clean(stdout, "  %-9s %-7s %s\n", figure_kind_at(i)->name,
                    takes[figure_kind_at(i)->needs], figure_kind_at(i)->title);
}

int run_plot(const verb *v, int argc, char **argv) {
    const char *positional[2] = {NULL, NULL};
    request r = {.format = "svg", .instance = 1, .seed = 1};
    option options[] = {
        {"out", OPTION_TEXT, &r.out, "NAME",
         "base name of the files, or the figure's (default: the kind)"},
        {"format", OPTION_TEXT, &r.format, "FORMAT", "svg (default), pdf or png"},
        {"theta", OPTION_NUMBERS, &r.theta, "X,Y,...", "a design, for surface and values"},
        {"instance", OPTION_SEED, &r.instance, "S", "which instance, for these two (default 1)"},
        {"seed", OPTION_SEED, &r.seed, "S", "names the randomness of values (default 1)"},
        DOMAIN_OPTIONS(r.chosen),
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, positional, 2, 2, &code)) {
        if (code)
            return code;
        print_kinds(); /* the end of the help */
        return finish_output(v);
    }
    r.kind = positional[0];
    r.object = positional[1];
    const figure_kind *kind;
    besd_error error;
    int format;
    besd_status status = figure_find(r.kind, &kind, &error);
    if (status != BESD_OK)
        return refuse(v, &error);
    if (!choose_name(v, "format", r.format, plot_format_name, &format))
        return EXIT_REFUSED;
    material *m = calloc(1, sizeof *m);
    if (!m)
        return refuse_memory(v);
    status = open_material(&r, kind, m, &error);
    code = status == BESD_OK ? draw(v, &r, kind, &m->source, 1U << format) : refuse(v, &error);
    close_material(m);
    free(m);
    return code;
}
