#include "pages/option_differences.h"

#include "core/error.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 2 * DIGEST_NOTE, MOST_NAMED = 4 };

typedef struct difference {
    page *p;
    const study_digest *all;
    size_t count;
    char (*texts)[TEXT]; /* of every study; "": it does not matter there */
    json_t **options;
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
    char escaped[2 * DIGEST_NAME];
    size_t with = 0, told = 0;
    for (size_t i = first; i < d->count; i++)
        with += !strcmp(d->texts[i], d->texts[first]);
    for (size_t i = first; i < d->count && told < MOST_NAMED; i++)
        if (!strcmp(d->texts[i], d->texts[first])) {
            told++;
            fprintf(d->p->out, "%s%s",
                    told == 1      ? ""
                    : told == with ? " and "
                                   : ", ",
                    page_escape(d->all[i].name, escaped, sizeof escaped));
        }
    if (with > told)
        fprintf(d->p->out, " and %zu more", with - told);
}

/* An item when the texts are not all the same. */
static void tell(difference *d, const char *title) {
    char escaped[2 * TEXT];
    size_t kinds = 0, told = 0;
    for (size_t i = 0; i < d->count; i++)
        kinds += is_first_with_its_text(d, i);
    if (kinds < 2)
        return;
    if (!d->told++)
        page_list_begin(d->p);
    fprintf(d->p->out, "<li>%s: ", page_escape(title, escaped, sizeof escaped));
    for (size_t i = 0; i < d->count; i++)
        if (is_first_with_its_text(d, i)) {
            fprintf(d->p->out, "%s<b>%s</b> in ", told++ ? ", " : "",
                    page_escape(d->texts[i], escaped, sizeof escaped));
            tell_names(d, i);
        }
    fputs("</li>\n", d->p->out);
}

static void write_list(char *text, const json_t *list) {
    size_t length = (size_t)snprintf(text, TEXT, "[");
    for (size_t i = 0; i < json_array_size(list) && length < TEXT; i++)
        length += (size_t)snprintf(text + length, TEXT - length, "%s%lld", i ? ", " : "",
                                   (long long)json_integer_value(json_array_get(list, i)));
    if (length < TEXT)
        snprintf(text + length, TEXT - length, "]");
}

static void write_value(char *text, const char *key, const json_t *value) {
    double number = json_number_value(value);
    bool off = number < 0 || (number == 0 && !strcmp(key, "budget"));
    if (json_is_string(value))
        snprintf(text, TEXT, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(text, TEXT, "%s", json_is_true(value) ? "true" : "false");
    else if (json_is_array(value))
        write_list(text, value);
    else if (off)
        snprintf(text, TEXT, "none");
    else
        snprintf(text, TEXT, "%.12g", number);
}

static bool is_one_of(const char *key, const char *const *keys) {
    for (; *keys; keys++)
        if (!strcmp(key, *keys))
            return true;
    return false;
}

/* Does the method of a study look at the option? */
static bool matters(const study_digest *d, const char *key) {
    static const char *const of_models[] = {"model",       "caution",  "target_count",
                                            "mean_of_all", "discrete", NULL};
    static const char *const of_starts[] = {"initial_designs", "initial_reps", NULL};
    static const char *const of_besd[] = {"explore", "stop_below", "tau_max_share",
                                          "initial_crossed", NULL};
    besd_method method = d->spec.options.method;
    if (is_one_of(key, of_models))
        return study_digest_has_model(d);
    if (is_one_of(key, of_starts))
        return method_describe(method)->start != START_AT_ONCE;
    return method == BESD_METHOD_BESD || !is_one_of(key, of_besd);
}

static void tell_option(difference *d, const char *key) {
    for (size_t i = 0; i < d->count; i++) {
        d->texts[i][0] = 0;
        if (matters(&d->all[i], key))
            write_value(d->texts[i], key, json_object_get(d->options[i], key));
    }
    tell(d, !strcmp(key, "target_count") ? "targets" : key);
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

static void tell_all(difference *d) {
    static const char *const first[] = {"method", "model", "budget", NULL};
    static const char *const elsewhere[] = {"theta", "seed", NULL};
    const char *key;
    const json_t *value;
    tell_notes(d);
    for (const char *const *one = first; *one; one++)
        tell_option(d, *one);
    tell_space(d);
    json_object_foreach(d->options[0], key, value) {
        if (!is_one_of(key, first) && !is_one_of(key, elsewhere))
            tell_option(d, key);
    }
    if (d->told)
        page_list_end(d->p);
    else
        page_text(d->p, seeds_differ(d) ? "The studies have the same options but for their seeds."
                                        : "The studies have the same options.");
}

static besd_status read_options(difference *d, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < d->count; i++) {
        char *text = NULL;
        status = spec_write(&d->all[i].spec, &text, error);
        d->options[i] = text ? json_loads(text, 0, NULL) : NULL;
        free(text);
        if (status == BESD_OK && !d->options[i])
            status = besd_fail_memory(error, "the options of a study");
    }
    return status;
}

besd_status option_differences_tell(page *p, const study_digest *all, size_t count,
                                    besd_error *error) {
    difference d = {.p = p,
                    .all = all,
                    .count = count,
                    .texts = calloc(count, sizeof *d.texts),
                    .options = calloc(count, sizeof(json_t *))};
    besd_status status = d.texts && d.options ? read_options(&d, error)
                                              : besd_fail_memory(error, "the options of studies");
    if (status == BESD_OK)
        tell_all(&d);
    for (size_t i = 0; d.options && i < count; i++)
        json_decref(d.options[i]);
    free(d.options);
    free(d.texts);
    return status;
}
