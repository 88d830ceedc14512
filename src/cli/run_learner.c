/* besd run --method ql|tql: learners without subgoals have nothing to optimise; they are tested. */
#include "cli/run.h"

#include "contest/job.h"
#include "core/error.h"
#include "core/print.h"
#include "core/stats.h"
#include "core/text.h"
#include "run/domain_study.h"

#include <stdio.h>
#include <stdlib.h>

bool run_is_learner(const char *method) {
    return method && (names_equal(method, "ql") || names_equal(method, "tql"));
}

/* On the instances that a comparison of this seed has, and `run` tests its recommendations on. */
static besd_status test(const run_learner_request *r, bool transfers, sample_summary *s,
                        besd_error *error) {
    contest c;
    contest_init(&c, r->domain);
    c.seed = r->seed;
    if (!transfers) {
        domain_study b;
        trial_result result;
        besd_status status = domain_study_init(&b, r->domain, error);
        b.threads = r->threads;
        if (status == BESD_OK)
            status =
                domain_study_test(&b, NULL, r->instances, contest_test_seed(&c), &result, error);
        if (status != BESD_OK)
            return status;
        *s = stats_summarise(result.final, result.agents);
        trial_result_free(&result);
        return BESD_OK;
    }
    double *scores = malloc((size_t)r->instances * sizeof *scores);
    if (!scores)
        return besd_fail_memory(error, "the scores");
    besd_status status = transfer_test(r->domain, JOB_STORED_INSTANCES, job_transfer_seed(&c, 0),
                                       r->instances, contest_test_seed(&c), scores, error);
    if (status == BESD_OK)
        *s = stats_summarise(scores, (size_t)r->instances);
    free(scores);
    return status;
}

int run_learner(const verb *v, const run_learner_request *r) {
    bool transfers = names_equal(r->method, "tql");
    const char *method = transfers ? "tql" : "ql";
    int64_t tau = domain_tau_max(r->domain);
    double cost = transfers ? JOB_STORED_INSTANCES * (double)tau : 0;
    sample_summary s;
    besd_error error;
    if (test(r, transfers, &s, &error) != BESD_OK)
        return refuse(v, &error);
    if (r->as_json)
        return print_json(v, json_pack("{s:s, s:s, s:I, s:o, s:{s:I, s:o, s:o}}", "domain",
                                       r->domain->name, "method", method, "seed",
                                       (json_int_t)r->seed, "cost", json_number(cost), "test",
                                       "instances", (json_int_t)r->instances, "mean",
                                       json_number(s.mean), "se", json_number(s.se)));
    print_clean(
        stdout, "%s, seed %llu: %s\n", r->domain->name, (unsigned long long)r->seed,
        transfers
            ? "Q-learning without subgoals that starts from what it learnt in another instance"
            : "Q-learning without subgoals; there is nothing to optimise");
    if (transfers)
        print_clean(stdout, "training in %d instances has cost %.12g\n", JOB_STORED_INSTANCES,
                    cost);
    char text[80];
    print_clean(stdout,
                "\ntested on %lld fresh instance%s, %lld interactions each (+- standard error):\n"
                "  %-20s %s %s\n",
                (long long)r->instances, r->instances == 1 ? "" : "s", (long long)tau, method,
                stats_print(s, 9, text, sizeof text), objective_name(r->domain->objective));
    return finish_output(v);
}
