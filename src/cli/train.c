/* besd train */
#include "cli/common.h"

#include "core/print.h"
#include "core/stats.h"
#include "core/text.h"
#include "learn/trial.h"
#include "run/domain_study.h"
#include "json/trainer_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sample_summary summarise(const trial_request *r, const double *scores) {
    size_t groups = (size_t)r->instances, size = (size_t)r->reps;
    return r->fresh_instances ? stats_summarise_groups(scores, groups * size, 1)
                              : stats_summarise_groups(scores, groups, size);
}

static json_t *describe_curve(const trial_request *r, const trial_result *result) {
    json_t *curve = json_array();
    for (size_t i = 0; i < result->checkpoints; i++) {
        sample_summary s = summarise(r, result->scores + i * result->agents);
        json_array_append_new(curve, json_pack("{s:I, s:o, s:o}", "interactions",
                                               (json_int_t)result->interactions[i], "mean",
                                               json_number(s.mean), "se", json_number(s.se)));
    }
    return curve;
}

static double success_rate(const trial_result *result) {
    size_t successes = 0;
    for (size_t i = 0; i < result->agents; i++)
        successes += result->reached_goal[i];
    return (double)successes / (double)result->agents;
}

/* Of every agent's test: the step with which each subgoal, and at last the goal, was reached, and
 * where scores are returns what was earned on the way; as a trial has them. */
static json_t *describe_legs(const trial_request *r, const trial_result *result) {
    size_t count = result->agents * result->legs, points = result->legs - 1;
    besd_leg *legs = malloc((count + 1) * sizeof *legs);
    if (!legs)
        return NULL;
    domain_legs(result, legs);
    json_t *object = json_pack("{s:o}", "legs", answer_show_legs(legs, count, points));
    if (r->domain->objective == OBJECTIVE_RETURN)
        object = json_joined(object,
                             json_pack("{s:o}", "earned", answer_show_earned(legs, count, points)));
    free(legs);
    return object;
}

/* How many came to each subgoal, and when. */
static void print_legs(const trial_result *result) {
    for (size_t k = 0; k + 1 < result->legs; k++) {
        double steps = 0, count = 0;
        for (size_t i = 0; i < result->agents; i++) {
            int64_t step = result->reached[i * result->legs + k];
            steps += (double)step;
            count += step > 0;
        }
        print_clean(stdout, "  subgoal %zu reached by %.1f %%", k + 1,
                    100 * count / (double)result->agents);
        if (count > 0)
            print_clean(stdout, ", after %.4g steps on average", steps / count);
        putchar('\n');
    }
}

static int print_result_json(const verb *v, const trial_request *r, const trial_result *result) {
    sample_summary s = summarise(r, result->final);
    json_t *object = json_joined(json_pack("{s:s}", "domain", r->domain->name),
                                 json_domain_theta(r->domain, r->theta, r->theta_length));
    object = json_joined(
        object,
        json_pack("{s:I, s:I, s:I, s:I, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "tau",
                  (json_int_t)r->tau, "reps", (json_int_t)r->reps, "instances",
                  (json_int_t)r->instances, "seed", (json_int_t)r->seed, "instance_mode",
                  r->fresh_instances ? "fresh" : "shared", "learner",
                  learning_method_name(r->method), "objective",
                  objective_name(r->domain->objective), "mean", json_number(s.mean), "se",
                  json_number(s.se), "success_rate", json_number(success_rate(result)), "cost",
                  json_number((double)r->instances * (double)r->reps * (double)r->tau), "scores",
                  json_numbers(result->final, result->agents)));
    if (object && r->every)
        json_object_set_new(object, "curve", describe_curve(r, result));
    if (object && r->theta)
        object = json_joined(object, describe_legs(r, result));
    return print_json(v, object);
}

static int print_result(const verb *v, const trial_request *r, const trial_result *result) {
    sample_summary s = summarise(r, result->final);
    const char *unit = r->domain->objective == OBJECTIVE_RETURN ? "return" : "steps";
    print_clean(stdout, "%s, ", r->domain->name);
    if (r->theta)
        for (size_t i = 0; i < r->theta_length; i++)
            print_clean(stdout, "%s%g", i ? ", " : "subgoals at ", r->theta[i]);
    else
        print_clean(stdout, "no subgoals");
    print_clean(
        stdout,
        "\n  trained for %lld interactions, %lld replication%s on %lld instance%s (%s), seed "
        "%llu\n",
        (long long)r->tau, (long long)r->reps, r->reps == 1 ? "" : "s", (long long)r->instances,
        r->instances == 1 ? "" : "s", r->fresh_instances ? "fresh for each" : "shared",
        (unsigned long long)r->seed);
    char text[80];
    for (size_t i = 0; r->every && i < result->checkpoints; i++) {
        sample_summary at = summarise(r, result->scores + i * result->agents);
        print_clean(stdout, "    after %8lld   %s %s\n", (long long)result->interactions[i],
                    stats_print(at, 10, text, sizeof text), unit);
    }
    if (r->theta)
        print_legs(result);
    print_clean(stdout, "  %s %s (mean, standard error), goal reached by %.1f %%, cost %lld\n",
                stats_print(s, 0, text, sizeof text), unit, 100 * success_rate(result),
                (long long)(r->instances * r->reps * r->tau));
    return finish_output(v);
}

int run_train(const verb *v, int argc, char **argv) {
    const char *name = NULL, *mode = "shared", *learner = "q";
    bool as_json = false, no_subgoals = false;
    number_list theta = {0};
    domain_options chosen = {0};
    int64_t threads = 0;
    given_integer tau = {0};
    trial_request r = {.reps = 1, .instances = 200, .seed = 1};
    option options[] = {
        {"theta", OPTION_NUMBERS, &theta, "X,Y,...", "coordinates of the subgoals, in order"},
        {"no-subgoals", OPTION_FLAG, &no_subgoals, NULL, "plain learning, no shaping"},
        {"tau", OPTION_GIVEN_INTEGER, &tau, "T",
         "training interactions (default: the domain's largest)"},
        {"reps", OPTION_INTEGER, &r.reps, "Q", "replications on each instance (default 1)"},
        {"instances", OPTION_INTEGER, &r.instances, "N", "instances (default 200)"},
        {"instance-mode", OPTION_TEXT, &mode, "MODE",
         "shared (default) or fresh: do replications share an instance?"},
        {"seed", OPTION_SEED, &r.seed, "S", "names all randomness (default 1)"},
        {"every", OPTION_INTEGER, &r.every, "M", "also test the policy every M interactions"},
        {"learner", OPTION_TEXT, &learner, "NAME", "q (default), sarsa or double-q"},
        {"threads", OPTION_INTEGER, &threads, "N", "threads (default: all processors)"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        DOMAIN_OPTIONS(chosen),
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &name, 1, 1, &code))
        return code;
    if (theta.given == no_subgoals)
        return usage_error(v, "give either --theta or --no-subgoals");
    if (!names_equal(mode, "shared") && !names_equal(mode, "fresh"))
        return usage_error(v, "--instance-mode: expected shared or fresh, got '%s'", mode);
    if (threads < 0 || threads > 1024)
        return usage_error(v, "--threads: expected up to 1024, or 0 for all processors, got %lld",
                           (long long)threads);
    int method;
    if (!choose_name(v, "learner", learner, learning_method_name, &method))
        return EXIT_REFUSED;
    domain d;
    besd_error error;
    if (choose_domain(name, &chosen, &d, &error) != BESD_OK)
        return refuse(v, &error);
    r.method = (learning_method)method;
    r.domain = &d;
    r.theta = no_subgoals ? NULL : theta.items;
    r.theta_length = theta.count;
    r.fresh_instances = names_equal(mode, "fresh");
    r.threads = (int)threads;
    r.tau = given_integer_or(tau, domain_tau_max(&d));
    trial_result result;
    if (trial_run(&r, &result, &error) != BESD_OK)
        code = refuse(v, &error);
    else
        code = as_json ? print_result_json(v, &r, &result) : print_result(v, &r, &result);
    trial_result_free(&result);
    domain_release(&d);
    return code;
}
