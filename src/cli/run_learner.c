/* besd run --method ql|tql: learners without subgoals have nothing to optimise; they are tested. */
#include "cli/run.h"

#include "cli/common.h"
#include "core/error.h"
#include "lab/job.h"

#include <string.h>

bool run_is_learner(const char *method) {
    return method && (!strcmp(method, "ql") || !strcmp(method, "tql"));
}

int run_learner(const verb *v, const domain *d, const char *method, uint64_t seed,
                int64_t instances, bool as_json) {
    besd_error error;
    contest c;
    contender who;
    job_result result;
    contest_init(&c, d);
    c.seed = seed;
    c.instances = instances;
    besd_status status = contender_parse(&who, method, &error);
    if (status == BESD_OK)
        status = job_run(&c, &who, 0, &result, &error);
    if (status != BESD_OK)
        return refuse(v, &error);
    job_point end = result.points[JOB_POINTS - 1];
    job_result_free(&result);
    int64_t tau = domain_tau_max(d);
    double cost = who.kind == CONTENDER_TRANSFER ? JOB_STORED_INSTANCES * (double)tau : 0;
    if (as_json)
        return print_json(v, json_pack("{s:s, s:s, s:I, s:f, s:{s:I, s:f, s:f}}", "domain", d->name,
                                       "method", method, "seed", (json_int_t)seed, "cost", cost,
                                       "test", "instances", (json_int_t)instances, "mean", end.mean,
                                       "se", end.se));
    printf("%s, seed %llu: %s\n", d->name, (unsigned long long)seed,
           who.kind == CONTENDER_TRANSFER
               ? "Q-learning without subgoals that starts from what it learnt in another instance"
               : "Q-learning without subgoals; there is nothing to optimise");
    if (cost > 0)
        printf("training in %d instances has cost %g\n", JOB_STORED_INSTANCES, cost);
    printf("\ntested on %lld fresh instances, %lld interactions each:\n  %-20s %9.2f +- %.2f %s\n",
           (long long)instances, (long long)tau, method, end.mean, end.se,
           objective_name(d->objective));
    return finish_output(v);
}
