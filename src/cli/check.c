/* besd check: does an environment or a trainer keep the rules, and does a study of it make sense?
 */
#include "check/check.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/study_yaml.h"
#include "core/error.h"
#include "core/print.h"

#include <stdio.h>

static const char *const verdicts[] = {[CHECK_PASSED] = "ok",
                                       [CHECK_FAILED] = "failed",
                                       [CHECK_TOLD] = "told",
                                       [CHECK_WARNED] = "warning"};

static json_t *describe(const check_finding *f) {
    json_t *object = json_pack("{s:s, s:s, s:s}", "name", f->name, "verdict", verdicts[f->verdict],
                               "got", f->got);
    if (f->expected[0])
        json_object_set_new(object, "expected", json_string(f->expected));
    if (f->fix[0])
        json_object_set_new(object, "fix", json_string(f->fix));
    return object;
}

static void print_finding(const check_finding *f) {
    print_clean(stdout, "%-7s %-12s ", verdicts[f->verdict], f->name);
    if (f->verdict == CHECK_TOLD)
        print_clean(stdout, "%s\n", f->got);
    else
        print_clean(stdout, "expected: %s\n%21sgot: %s\n", f->expected, "", f->got);
    if (f->fix[0])
        print_clean(stdout, "%21sfix: %s\n", "", f->fix);
}

/* What was checked: `kind` is "domain" or "command". */
typedef struct subject {
    const char *kind, *name, *title;
} subject;

static int print_findings(const verb *v, const subject *about, const check_finding *findings,
                          size_t count, bool as_json) {
    size_t failures = 0, warnings = 0;
    json_t *list = json_array();
    if (!as_json)
        print_clean(stdout, "%s: %s\n", about->name, about->title);
    for (size_t i = 0; i < count; i++) {
        failures += findings[i].verdict == CHECK_FAILED;
        warnings += findings[i].verdict == CHECK_WARNED;
        json_array_append_new(list, describe(&findings[i]));
        if (!as_json)
            print_finding(&findings[i]);
    }
    int code;
    if (as_json) {
        code = print_json(v, json_pack("{s:s, s:b, s:o}", about->kind, about->name, "passed",
                                       !failures, "checks", list));
    } else {
        json_decref(list);
        print_clean(stdout, "%zu checks, %zu failed, %zu warning%s\n", count, failures, warnings,
                    warnings == 1 ? "" : "s");
        code = finish_output(v);
    }
    return failures ? EXIT_REFUSED : code;
}

static void hear(void *listener, int64_t trial, const char *line) {
    (void)listener;
    (void)trial;
    print_clean(stderr, "[check] %s\n", line);
}

/* The trainer of a study. */
static int check_study(const verb *v, const char *path, uint64_t seed, int probe, bool as_json) {
    study_yaml *y = NULL;
    besd_error error;
    check_finding findings[TRAINER_CHECK_MAX];
    size_t count;
    sigset_t mask;
    int code;
    besd_status status = study_yaml_load(path, &y, &error);
    if (status == BESD_OK && !study_yaml_command(y))
        status =
            besd_fail(&error, BESD_INVALID, "%s: it has no command: that could be checked", path);
    if (status != BESD_OK) {
        study_yaml_free(y);
        return refuse(v, &error);
    }
    besd_study_options o = *study_yaml_options(y);
    besd_command command = {.text = study_yaml_command(y),
                            .folder = study_yaml_folder(y),
                            .timeout = study_yaml_timeout(y),
                            .hear = hear};
    o.seed = seed;
    interrupt_hold(&mask);
    status = trainer_check(&command, &o, study_yaml_path(y), study_yaml_tasks(y), probe, &mask,
                           findings, &count, &error);
    if (status == BESD_OK) {
        subject about = {"command", command.text, "the trainer of a study"};
        code = print_findings(v, &about, findings, count, as_json);
    } else if (status == BESD_DONE) {
        fputs("besd check: interrupted\n", stderr);
        code = EXIT_REFUSED;
    } else {
        code = refuse(v, &error);
    }
    study_yaml_free(y);
    return code;
}

int run_check(const verb *v, int argc, char **argv) {
    const char *name = NULL;
    bool as_json = false;
    uint64_t seed = 1;
    given_integer probe = {0};
    domain_options chosen = {0};
    option options[] = {{"seed", OPTION_SEED, &seed, "S", "names all randomness (default 1)"},
                        {"probe", OPTION_GIVEN_INTEGER, &probe, "N",
                         "random designs to try out (default 100, of a trainer 4), fewer when "
                         "they are slow; 0: none"},
                        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
                        DOMAIN_OPTIONS(chosen),
                        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &name, 1, 1, &code))
        return code;
    if (probe.value < 0 || probe.value > ENV_CHECK_MOST_PROBE) {
        print_clean(stderr, "besd check: probe: expected 0 to %d random designs, got %lld\n",
                    ENV_CHECK_MOST_PROBE, (long long)probe.value);
        return EXIT_REFUSED;
    }
    if (study_yaml_is(name)) {
        if (chosen.set.count || chosen.map)
            return usage_error(v, "--set and --map belong to a domain; the trainer of a study has "
                                  "neither");
        return check_study(v, name, seed, (int)given_integer_or(probe, TRAINER_CHECK_DESIGNS),
                           as_json);
    }
    domain d;
    besd_error error;
    check_finding findings[ENV_CHECK_MAX];
    size_t count;
    if (choose_domain(name, &chosen, &d, &error) != BESD_OK)
        return refuse(v, &error);
    besd_status status = env_check(&d, seed, (int)given_integer_or(probe, ENV_CHECK_PROBE),
                                   findings, &count, &error);
    subject about = {"domain", d.name, d.title};
    code =
        status == BESD_OK ? print_findings(v, &about, findings, count, as_json) : refuse(v, &error);
    domain_release(&d);
    return code;
}
