/* besd options: the options of a study, as the library has them. The manual, docs/study.md and
 * Python's keywords are made from what it prints (scripts/options.py). */
#include "cli/common.h"
#include "core/print.h"
#include "study/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *list_methods(const study_option *o) {
    json_t *list = json_array();
    for (size_t i = 0; besd_method_name(i); i++)
        if (study_option_matters(o, (besd_method)i))
            json_array_append_new(list, json_string(besd_method_name(i)));
    return list;
}

static json_t *list_choices(const study_option *o) {
    json_t *list = json_array();
    for (size_t i = 0; o->names && o->names(i); i++)
        json_array_append_new(list, json_string(o->names(i)));
    return list;
}

static json_t *describe_option(const study_option *o, const besd_study_options *initially) {
    static const char *const kinds[] = {[STUDY_OPTION_CHOICE] = "choice",
                                        [STUDY_OPTION_NUMBER] = "number",
                                        [STUDY_OPTION_COUNT] = "count",
                                        [STUDY_OPTION_SEED] = "seed",
                                        [STUDY_OPTION_SWITCH] = "switch"};
    char text[64];
    study_option_print(o, initially, text, sizeof text);
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:s}", "name", o->name, "kind",
                     kinds[o->kind], "unit", o->unit, "default", study_option_to_json(o, initially),
                     "default_text", text, "low", json_number(o->low), "high", json_number(o->high),
                     "choices", list_choices(o), "methods", list_methods(o), "help", o->help);
}

static void print_option(const study_option *o, const besd_study_options *initially) {
    char text[64];
    size_t used = 0, methods = 0;
    study_option_print(o, initially, text, sizeof text);
    print_clean(stdout, "%s: %s%s%s", o->name, text, *o->unit ? " " : "", o->unit);
    if (o->kind == STUDY_OPTION_NUMBER || o->kind == STUDY_OPTION_COUNT)
        print_clean(stdout, ", from %g to %g", o->low, o->high);
    for (size_t i = 0, told = 0; o->names && o->names(i); i++)
        if (strcmp(o->names(i), text) != 0)
            print_clean(stdout, "%s%s", told++ ? ", " : " or ", o->names(i));
    print_clean(stdout, "\n    %s\n", o->help);
    for (; besd_method_name(methods); methods++)
        used += study_option_matters(o, (besd_method)methods);
    for (size_t i = 0, told = 0; used < methods && i < methods; i++)
        if (study_option_matters(o, (besd_method)i))
            print_clean(stdout, "%s%s", told++ ? ", " : "    methods: ", besd_method_name(i));
    if (used < methods)
        putchar('\n');
}

int run_options(const verb *v, int argc, char **argv) {
    bool as_json = false;
    const option rows[] = {{"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"}, {0}};
    int code;
    if (!options_parse(v, rows, argc, argv, NULL, 0, 0, &code))
        return code;
    besd_study_options initially = besd_study_options_default();
    json_t *list = json_array();
    for (size_t i = 0; i < STUDY_OPTIONS; i++)
        if (as_json)
            json_array_append_new(list, describe_option(&study_options[i], &initially));
        else
            print_option(&study_options[i], &initially);
    if (as_json)
        return print_json(v, json_pack("{s:o}", "options", list));
    json_decref(list);
    return finish_output(v);
}
