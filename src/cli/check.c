/* besd check: does an environment keep the rules, and does a study of it make sense? */
#include "cli/common.h"
#include "lab/env_check.h"

#include <stdio.h>

static const char *const verdicts[] = {
    [CHECK_PASSED] = "ok", [CHECK_FAILED] = "failed", [CHECK_TOLD] = "told"};

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
    printf("%-7s %-12s ", verdicts[f->verdict], f->name);
    if (f->verdict == CHECK_TOLD)
        printf("%s\n", f->got);
    else
        printf("expected: %s\n%21sgot: %s\n", f->expected, "", f->got);
    if (f->fix[0])
        printf("%21sfix: %s\n", "", f->fix);
}

static int print_findings(const verb *v, const domain *d, const check_finding *findings,
                          size_t count, bool as_json) {
    size_t failures = 0;
    json_t *list = json_array();
    if (!as_json)
        printf("%s: %s\n", d->name, d->title);
    for (size_t i = 0; i < count; i++) {
        failures += findings[i].verdict == CHECK_FAILED;
        json_array_append_new(list, describe(&findings[i]));
        if (!as_json)
            print_finding(&findings[i]);
    }
    int code;
    if (as_json) {
        code = print_json(v, json_pack("{s:s, s:b, s:o}", "domain", d->name, "passed", !failures,
                                       "checks", list));
    } else {
        json_decref(list);
        printf("%zu checks, %zu failed\n", count, failures);
        code = finish_output(v);
    }
    return failures ? EXIT_REFUSED : code;
}

int run_check(const verb *v, int argc, char **argv) {
    const char *name = NULL;
    bool as_json = false;
    uint64_t seed = 1;
    domain_options chosen = {0};
    option options[] = {{"seed", OPTION_SEED, &seed, "S", "names all randomness (default 1)"},
                        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
                        DOMAIN_OPTIONS(chosen),
                        {0}};
    parse_result parsed = options_parse(v, options, argc, argv, &name, 1, 1);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP ? 0 : EXIT_USAGE;
    domain d;
    besd_error error;
    check_finding findings[ENV_CHECK_MAX];
    size_t count;
    if (choose_domain(name, &chosen, &d, &error) != BESD_OK)
        return refuse(v, &error);
    besd_status status = env_check(&d, seed, findings, &count, &error);
    int code =
        status == BESD_OK ? print_findings(v, &d, findings, count, as_json) : refuse(v, &error);
    domain_release(&d);
    return code;
}
