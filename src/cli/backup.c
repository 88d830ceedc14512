/* besd backup: a copy of a study that others may be writing to, and whether a copy is whole. */
#include "cli/common.h"
#include "core/error.h"
#include "core/print.h"
#include "study/study.h"

#include <stdio.h>

static besd_status count_trial(void *context, const trial_facts *f, bool *go_on,
                               besd_error *error) {
    (void)f;
    (void)go_on;
    (void)error;
    ++*(int64_t *)context;
    return BESD_OK;
}

static besd_status verify(const char *path, int64_t *trials, besd_error *error) {
    besd_study *s;
    besd_status status = besd_study_open(&s, path, NULL, error);
    if (status != BESD_OK)
        return status;
    status = study_verify(s, error);
    if (status == BESD_OK)
        status = study_list(s, 0, count_trial, trials, error);
    besd_study_close(s);
    return status;
}

static besd_status copy(const char *path, const char *out, besd_error *error) {
    besd_study *s;
    besd_status status = besd_study_open(&s, path, NULL, error);
    if (status != BESD_OK)
        return status;
    status = study_backup(s, out, error);
    besd_study_close(s);
    return status;
}

int run_backup(const verb *v, int argc, char **argv) {
    const char *paths[2] = {0};
    bool only_verify = false, as_json = false;
    int64_t trials = 0;
    option options[] = {{"verify", OPTION_FLAG, &only_verify, NULL,
                         "copy nothing: is FILE whole, to the last score?"},
                        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
                        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, paths, 1, 2, &code))
        return code;
    if (only_verify == (paths[1] != NULL))
        return usage_error(v, only_verify ? "--verify takes one file" : "OUT is missing");
    const char *made = only_verify ? paths[0] : paths[1];
    besd_error error = {0};
    besd_status status = only_verify ? BESD_OK : copy(paths[0], paths[1], &error);
    if (status == BESD_OK)
        status = verify(made, &trials, &error);
    if (status != BESD_OK)
        return refuse(v, &error);
    if (as_json)
        return print_json(v, json_pack("{s:s, s:I}", "study", made, "trials", (json_int_t)trials));
    print_clean(stdout, "%s: %s, %lld trial%s\n", made, only_verify ? "whole" : "a whole copy",
                (long long)trials, trials == 1 ? "" : "s");
    return finish_output(v);
}
