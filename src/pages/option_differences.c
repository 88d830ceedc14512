#include "pages/option_differences.h"

#include "core/error.h"
#include "core/print.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 2 * DIGEST_NOTE, MOST_NAMED = 4 };

typedef struct difference {
    page *p;
    const study_digest *all;
    size_t count;
    char (*texts)[TEXT]; /* of every study; "": it does not matter there */
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
            study_option_print(option, o, d->texts[i], TEXT);
    }
    tell(d, option->name);
}

/* "[200, 600, 1000]": the levels of tau or of reps. */
static void write_levels(char *text, const besd_study_options *o, bool of_tau) {
    size_t length = (size_t)snprintf(text, TEXT, "[");
    for (size_t i = 0; i < (of_tau ? o->tau_count : o->reps_count) && length < TEXT; i++)
        length += (size_t)snprintf(text + length, TEXT - length, "%s%lld", i ? ", " : "",
                                   of_tau ? (long long)o->taus[i] : (long long)o->reps[i]);
    if (length < TEXT)
        snprintf(text + length, TEXT - length, "]");
}

static void tell_levels(difference *d, bool of_tau) {
    for (size_t i = 0; i < d->count; i++)
        write_levels(d->texts[i], &d->all[i].spec.options, of_tau);
    tell(d, of_tau ? "tau" : "reps");
}

static void write_names(char *text, const besd_study_options *o) {
    size_t length = (size_t)snprintf(text, TEXT, "[");
    for (size_t i = 0; i < o->dimension && length < TEXT; i++)
        length +=
            (size_t)snprintf(text + length, TEXT - length, "%s%s", i ? ", " : "", o->names[i]);
    if (length < TEXT)
        snprintf(text + length, TEXT - length, "]");
}

static void tell_coordinate(difference *d, size_t c) {
    char title[BESD_MAX_NAME + 20];
    for (size_t i = 0; i < d->count; i++) {
        const study_spec *s = &d->all[i].spec;
        snprintf(d->texts[i], TEXT, "[%.10g, %.10g]%s%s", s->low[c], s->high[c],
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
        snprintf(d->texts[i], TEXT, "%s", d->all[i].domain);
    tell(d, "domain");
    for (size_t i = 0; i < d->count; i++)
        snprintf(d->texts[i], TEXT, "%s", d->all[i].command);
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
