#include "pages/study_settings.h"

#include "core/error.h"
#include "core/print.h"
#include "study/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 300 };

static void write_levels(char *text, const besd_study_options *o, bool of_tau) {
    size_t length = 0;
    for (size_t i = 0; i < (of_tau ? o->tau_count : o->reps_count) && length < TEXT; i++)
        length += (size_t)snprintf(text + length, TEXT - length, "%s%lld", i ? ", " : "",
                                   of_tau ? (long long)o->taus[i] : (long long)o->reps[i]);
}

static void put_row(page *p, const char *name, const char *value, const char *initially,
                    bool changed) {
    page_row(p, changed ? "ours" : "");
    page_cell(p, "%s", name);
    page_cell(p, "%s", value);
    page_cell(p, "%s", initially);
    page_cell(p, "%s", changed ? "changed" : "");
}

static void put_path(page *p, const besd_path *path) {
    char text[TEXT];
    if (!path->points)
        return;
    if (path->fewest)
        snprintf(text, sizeof text, "%zu to %zu points", path->fewest, path->points);
    else
        snprintf(text, sizeof text, "%zu point%s", path->points, path->points == 1 ? "" : "s");
    put_row(p, "path", text, "", false);
    snprintf(text, sizeof text, "%g", path->cap);
    put_row(p, "path: cap", text, "", false);
    if (path->cell > 0)
        snprintf(text, sizeof text, "%g", path->cell);
    put_row(p, "path: cell", path->cell > 0 ? text : "none", "", false);
    if (path->price > 0) {
        snprintf(text, sizeof text, "%g", path->price);
        put_row(p, "path: price of a point", text, "0", true);
    }
    if (path->labels) {
        snprintf(text, sizeof text, "%zu", path->labels);
        put_row(p, "path: labels", text, "none", true);
    }
}

/* A number with a readable number of digits. */
static void print_option(const study_option *option, const besd_study_options *o, char *text) {
    char *end;
    study_option_print(option, o, text, TEXT);
    double number = strtod(text, &end);
    if (option->kind == STUDY_OPTION_NUMBER && end != text && !*end)
        snprintf(text, TEXT, fabs(number) < 1e6 ? "%.6g" : "%.12g", number);
}

/* An automatic option is settled when the study is made; that is no change by the user. */
static void put_options(page *p, const besd_study_options *o) {
    besd_study_options initial = besd_study_options_default();
    for (size_t i = 0; i < STUDY_OPTIONS; i++) {
        const study_option *option = &study_options[i];
        char is[TEXT], was[TEXT];
        if (!study_option_matters(option, o->method))
            continue;
        print_option(option, o, is);
        print_option(option, &initial, was);
        put_row(p, option->name, is, was, strcmp(is, was) != 0 && strcmp(was, "automatic") != 0);
    }
}

void study_settings_tell(page *p, const besd_study *study) {
    const besd_study_options *o = besd_study_get_options(study);
    char text[TEXT];
    besd_path path;
    besd_study_get_path(study, &path);
    page_heading(p, "The settings");
    page_table_begin(p, "", "setting|here|initially|");
    write_levels(text, o, true);
    put_row(p, "tau", text, "", false);
    write_levels(text, o, false);
    put_row(p, "reps", text, "", false);
    put_path(p, &path);
    put_options(p, o);
    page_table_end(p);
}

enum { DIFFERENCE_TEXT = 2 * DIGEST_NOTE, MOST_NAMED = 4 };

typedef struct difference {
    page *p;
    const study_digest *all;
    size_t count;
    char (*texts)[DIFFERENCE_TEXT]; /* of every study; "": it does not matter there */
    int told;
} difference;

static bool is_first_with_its_text(const difference *d, size_t study) {
    for (size_t i = 0; i < study; i++)
        if (!strcmp(d->texts[i], d->texts[study]))
            return false;
    return d->texts[study][0] != 0;
}

/* "a, b and c", or "a, b, c, d and 5 more". */
static void tell_names(const difference *d, size_t first) {
    size_t with = 0, told = 0;
    for (size_t i = first; i < d->count; i++)
        with += !strcmp(d->texts[i], d->texts[first]);
    for (size_t i = first; i < d->count && told < MOST_NAMED; i++)
        if (!strcmp(d->texts[i], d->texts[first])) {
            told++;
            print_markup(d->p->out, "%s%s",
                         told == 1      ? ""
                         : told == with ? " and "
                                        : ", ",
                         d->all[i].name);
        }
    if (with > told)
        print_markup(d->p->out, " and %zu more", with - told);
}

/* An item when the texts are not all the same. */
static void tell(difference *d, const char *title) {
    size_t kinds = 0, told = 0;
    for (size_t i = 0; i < d->count; i++)
        kinds += is_first_with_its_text(d, i);
    if (kinds < 2)
        return;
    if (!d->told++)
        page_list_begin(d->p);
    print_markup(d->p->out, "<li>%s: ", title);
    for (size_t i = 0; i < d->count; i++)
        if (is_first_with_its_text(d, i)) {
            print_markup(d->p->out, "%s<b>%s</b> in ", told++ ? ", " : "", d->texts[i]);
            tell_names(d, i);
        }
    fputs("</li>\n", d->p->out);
}

static void tell_option(difference *d, const study_option *option) {
    for (size_t i = 0; i < d->count; i++) {
        const besd_study_options *o = &d->all[i].spec.options;
        d->texts[i][0] = 0;
        if (study_option_matters(option, o->method))
            study_option_print(option, o, d->texts[i], DIFFERENCE_TEXT);
    }
    tell(d, option->name);
}

/* "[200, 600, 1000]": the levels of tau or of reps. */
static void tell_levels(difference *d, bool of_tau) {
    for (size_t i = 0; i < d->count; i++) {
        char levels[TEXT] = "";
        write_levels(levels, &d->all[i].spec.options, of_tau);
        snprintf(d->texts[i], DIFFERENCE_TEXT, "[%s]", levels);
    }
    tell(d, of_tau ? "tau" : "reps");
}

static void write_names(char *text, const besd_study_options *o) {
    size_t length = (size_t)snprintf(text, DIFFERENCE_TEXT, "[");
    for (size_t i = 0; i < o->dimension && length < DIFFERENCE_TEXT; i++)
        length += (size_t)snprintf(text + length, DIFFERENCE_TEXT - length, "%s%s", i ? ", " : "",
                                   o->names[i]);
    if (length < DIFFERENCE_TEXT)
        snprintf(text + length, DIFFERENCE_TEXT - length, "]");
}

static void tell_coordinate(difference *d, size_t c) {
    char title[BESD_MAX_NAME + 20];
    for (size_t i = 0; i < d->count; i++) {
        const study_spec *s = &d->all[i].spec;
        snprintf(d->texts[i], DIFFERENCE_TEXT, "[%.10g, %.10g]%s%s", s->low[c], s->high[c],
                 *s->units[c] ? " " : "", s->units[c]);
    }
    snprintf(title, sizeof title, "theta, %s", d->all[0].spec.names[c]);
    tell(d, title);
}

/* The names; when they are the same, box and unit of every coordinate. */
static void tell_space(difference *d) {
    if (study_digests_share_names(d->all, d->count)) {
        for (size_t c = 0; c < d->all[0].spec.options.dimension; c++)
            tell_coordinate(d, c);
        return;
    }
    for (size_t i = 0; i < d->count; i++)
        write_names(d->texts[i], &d->all[i].spec.options);
    tell(d, "theta");
}

static void tell_notes(difference *d) {
    for (size_t i = 0; i < d->count; i++)
        snprintf(d->texts[i], DIFFERENCE_TEXT, "%s", d->all[i].domain);
    tell(d, "domain");
    for (size_t i = 0; i < d->count; i++)
        snprintf(d->texts[i], DIFFERENCE_TEXT, "%s", d->all[i].command);
    tell(d, "command");
}

static bool seeds_differ(const difference *d) {
    for (size_t i = 1; i < d->count; i++)
        if (d->all[i].spec.options.seed != d->all[0].spec.options.seed)
            return true;
    return false;
}

/* What decides most comes first, seeds come by themselves. */
static void tell_all(difference *d) {
    static const size_t first[] = {STUDY_OPTION_method, STUDY_OPTION_model, STUDY_OPTION_budget};
    enum { FIRST = sizeof first / sizeof *first };
    tell_notes(d);
    for (size_t i = 0; i < FIRST; i++)
        tell_option(d, &study_options[first[i]]);
    tell_space(d);
    tell_levels(d, true);
    tell_levels(d, false);
    for (size_t i = 0; i < STUDY_OPTIONS; i++) {
        bool told = i == STUDY_OPTION_seed;
        for (size_t j = 0; j < FIRST; j++)
            told = told || i == first[j];
        if (!told)
            tell_option(d, &study_options[i]);
    }
    if (d->told)
        page_list_end(d->p);
    else
        page_text(d->p, seeds_differ(d) ? "The studies have the same options but for their seeds."
                                        : "The studies have the same options.");
}

besd_status option_differences_tell(page *p, const study_digest *all, size_t count,
                                    besd_error *error) {
    difference d = {.p = p, .all = all, .count = count, .texts = calloc(count, sizeof *d.texts)};
    if (!d.texts)
        return besd_fail_memory(error, "the options of studies");
    tell_all(&d);
    free(d.texts);
    return BESD_OK;
}
