/* besd create: a study from its description. */
#include "cli/common.h"
#include "cli/study_place.h"
#include "cli/study_yaml.h"
#include "core/json.h"
#include "core/print.h"
#include "study/method.h"
#include "json/answers.h"

#include <stdio.h>
#include <unistd.h>

/* A study in memory tries them first: what is refused leaves no file behind. */
static besd_status try_sources(const study_yaml *y, const text_list *from, besd_error *error) {
    besd_study *s = NULL;
    besd_status status = study_place_check_sources(from, error);
    if (status == BESD_OK)
        status = besd_study_open(&s, NULL, study_yaml_options(y), error);
    if (status == BESD_OK)
        status = study_yaml_declare(y, s, error);
    if (status == BESD_OK)
        status = study_place_add_sources(s, from, error);
    besd_study_close(s);
    return status;
}

static json_t *describe(besd_study *s, const char *path, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    json_t *json = json_pack("{s:s, s:i, s:o}", "study", path, "dimension", (int)o->dimension,
                             "budget", json_number(o->budget));
    return besd_study_source_count(s) ? json_joined(json, sources_json(s, error)) : json;
}

static void print_created(besd_study *s, const char *path, bool existed) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_source source;
    print_clean(stdout, "%s: %s of %zu coordinate%s; its initial design costs %.12g\n", path,
                existed ? "exists already and stays as it was, a study" : "a study", o->dimension,
                o->dimension == 1 ? "" : "s", initial_cost(o));
    for (size_t i = 0; i < besd_study_source_count(s); i++)
        if (besd_study_source(s, i, &source, NULL) == BESD_OK)
            print_clean(stdout, "  source %s: %s\n", source.name, source.matched);
    note_initial_design(stdout, o);
    if ((size_t)o->initial_designs < 2 * o->dimension - 1)
        print_clean(stdout,
                    "note: %d initial designs are fewer than the 2 d - 1 = %zu that are advised\n",
                    o->initial_designs, 2 * o->dimension - 1);
}

int run_create(const verb *v, int argc, char **argv) {
    const char *path = NULL, *spec = NULL;
    bool as_json = false;
    text_list from = {0};
    option options[] = {
        {"spec", OPTION_TEXT, &spec, "FILE", "the description, see docs/study.md"},
        {"from", OPTION_TEXTS, &from, "FILE", "an earlier study to learn from; may be repeated"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        return code;
    if (!spec)
        return usage_error(v, "--spec FILE is missing");
    study_yaml *y = NULL;
    besd_study *s = NULL;
    besd_error error;
    bool existed = access(path, F_OK) == 0;
    besd_status status = study_yaml_load(spec, &y, &error);
    if (status == BESD_OK && from.count && !existed)
        status = try_sources(y, &from, &error);
    if (status == BESD_OK)
        status = besd_study_open(&s, path, study_yaml_options(y), &error);
    if (status == BESD_OK)
        status = study_yaml_declare(y, s, &error);
    if (status == BESD_OK)
        status = study_place_add_sources(s, &from, &error);
    study_yaml_free(y);
    if (status != BESD_OK) {
        besd_study_close(s);
        return refuse(v, &error);
    }
    warn_of_network(v, path);
    if (as_json) {
        code = print_json(v, describe(s, path, &error));
    } else {
        print_created(s, path, existed);
        code = finish_output(v);
    }
    besd_study_close(s);
    return code;
}
