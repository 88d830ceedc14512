/* besd solve */
#include "cli/common.h"
#include "core/print.h"
#include "core/stats.h"

#include "world/solve.h"

#include <stdio.h>

static int solve_one(const verb *v, const domain *d, uint64_t seed, bool as_json) {
    besd_env *env = NULL;
    besd_error error;
    solution s = {0};
    besd_status status = domain_open(d, &env, &error);
    if (status == BESD_OK)
        status = d->methods->instance(env, seed, &error);
    if (status == BESD_OK)
        status = solve_instance(d, env, &s, &error);
    json_t *fingerprint = status == BESD_OK ? json_fingerprint(d, env) : NULL;
    d->methods->destroy(env);
    if (status != BESD_OK)
        return refuse(v, &error);
    if (as_json)
        return print_json(v, json_pack("{s:s, s:I, s:o, s:s, s:o, s:o}", "domain", d->name,
                                       "instance", (json_int_t)seed, "fingerprint", fingerprint,
                                       "objective", objective_name(d->objective), "optimal",
                                       json_number(s.optimal), "error", json_number(s.error)));
    json_decref(fingerprint);
    print_clean(stdout, "%s, instance %llu: optimal %s %.6g (error at most %.2g)\n", d->name,
                (unsigned long long)seed, objective_name(d->objective), s.optimal, s.error);
    return finish_output(v);
}

static int solve_many(const verb *v, const domain *d, uint64_t seed, int64_t instances,
                      bool as_json) {
    solution_summary s;
    besd_error error;
    if (solve_domain(d, seed, instances, &s, &error) != BESD_OK)
        return refuse(v, &error);
    if (as_json)
        return print_json(v, json_pack("{s:s, s:I, s:b, s:s, s:o, s:o, s:o, s:o, s:o}", "domain",
                                       d->name, "instances", (json_int_t)s.instances, "enumerated",
                                       s.enumerated, "objective", objective_name(d->objective),
                                       "optimal", json_number(s.mean), "se", json_number(s.se),
                                       "smallest", json_number(s.smallest), "largest",
                                       json_number(s.largest), "error", json_number(s.error)));
    char mean[80];
    if (s.enumerated)
        snprintf(mean, sizeof mean, "%.6g", s.mean);
    else
        stats_print((sample_summary){.mean = s.mean, .se = s.se}, 0, mean, sizeof mean);
    print_clean(stdout, "%s, %s%lld instance%s: optimal %s %s", d->name, s.enumerated ? "all " : "",
                (long long)s.instances, s.instances == 1 ? "" : "s", objective_name(d->objective),
                mean);
    print_clean(stdout, " on average, from %.6g to %.6g (error of each at most %.2g)\n", s.smallest,
                s.largest, s.error);
    return finish_output(v);
}

int run_solve(const verb *v, int argc, char **argv) {
    const char *name = NULL;
    bool as_json = false;
    uint64_t seed = 1, instance = UINT64_MAX;
    given_integer instances = {0};
    domain_options chosen = {0};
    option options[] = {
        {"instance", OPTION_SEED, &instance, "S", "the instance of this seed (default: many)"},
        {"instances", OPTION_GIVEN_INTEGER, &instances, "N",
         "how many to draw (default: all when finite, else 1000)"},
        {"seed", OPTION_SEED, &seed, "S", "names the drawn instances (default 1)"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        DOMAIN_OPTIONS(chosen),
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &name, 1, 1, &code))
        return code;
    if (instance != UINT64_MAX && instances.given)
        return usage_error(v, "give either --instance or --instances");
    if (instances.given && (instances.value < 1 || instances.value > 10000000)) {
        print_clean(stderr, "besd solve: instances: expected 1 to 10000000, got %lld\n",
                    (long long)instances.value);
        return EXIT_REFUSED;
    }
    domain d;
    besd_error error;
    if (choose_domain(name, &chosen, &d, &error) != BESD_OK)
        return refuse(v, &error);
    code = instance != UINT64_MAX ? solve_one(v, &d, instance, as_json)
                                  : solve_many(v, &d, seed, instances.value, as_json);
    domain_release(&d);
    return code;
}
