#include "pages/study_settings.h"

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

/* A number with as many digits as anybody reads. */
static void print_option(const study_option *option, const besd_study_options *o, char *text) {
    char *end;
    study_option_print(option, o, text, TEXT);
    double number = strtod(text, &end);
    if (option->kind == STUDY_OPTION_NUMBER && end != text && !*end)
        snprintf(text, TEXT, fabs(number) < 1e6 ? "%.6g" : "%.12g", number);
}

/* What is left automatic is settled when a study is begun, and was not changed by anybody. */
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
