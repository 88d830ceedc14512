/* besd create: a study from its description. */
#include "cli/common.h"
#include "cli/study_yaml.h"
#include "core/print.h"
#include "study/method.h"

#include <stdio.h>
#include <unistd.h>

int run_create(const verb *v, int argc, char **argv) {
    const char *path = NULL, *spec = NULL;
    bool as_json = false;
    option options[] = {{"spec", OPTION_TEXT, &spec, "FILE", "the description, see docs/study.md"},
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
    if (status == BESD_OK)
        status = besd_study_open(&s, path, study_yaml_options(y), &error);
    if (status == BESD_OK)
        status = study_yaml_declare(y, s, &error);
    study_yaml_free(y);
    if (status != BESD_OK) {
        besd_study_close(s);
        return refuse(v, &error);
    }
    warn_of_network(v, path);
    const besd_study_options *o = besd_study_get_options(s);
    if (as_json) {
        code = print_json(v, json_pack("{s:s, s:i, s:o}", "study", path, "dimension",
                                       (int)o->dimension, "budget", json_number(o->budget)));
    } else {
        print_clean(stdout, "%s: %s of %zu coordinate%s; its initial design costs %.12g\n", path,
                    existed ? "exists already and stays as it was, a study" : "a study",
                    o->dimension, o->dimension == 1 ? "" : "s", initial_cost(o));
        note_initial_design(stdout, o);
        if ((size_t)o->initial_designs < 2 * o->dimension - 1)
            print_clean(
                stdout,
                "note: %d initial designs are fewer than the 2 d - 1 = %zu that are advised\n",
                o->initial_designs, 2 * o->dimension - 1);
        code = finish_output(v);
    }
    besd_study_close(s);
    return code;
}
