/* besd create, ask, tell, fail: a study step by step. */
#include "study/study.h"
#include "cli/common.h"
#include "cli/study_yaml.h"
#include "core/error.h"
#include "core/print.h"
#include "study/choose.h"
#include "json/explanation.h"
#include "json/trainer_answer.h"
#include "json/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The discretisation behind the last ask. */
static json_t *describe_targets(const besd_study *s) {
    size_t count, dimension = besd_study_get_options(s)->dimension;
    const double *points = besd_study_targets(s, &count);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_numbers(points + i * dimension, dimension));
    return list;
}

static json_t *describe_explanation(const besd_study *s, const besd_explanation *x,
                                    bool dump_targets) {
    json_t *object = explanation_json(besd_study_get_options(s), x);
    if (dump_targets)
        json_object_set_new(object, "target_points", describe_targets(s));
    return object;
}

static void print_explanation(const besd_study *s, const besd_trial *t, const besd_explanation *x) {
    if (!x->lever_count) {
        print_clean(stdout, "why: %s\n", x->why[0] ? x->why : besd_reason_name((size_t)t->reason));
        return;
    }
    print_clean(stdout, "why: %s\n\n%8s %6s %12s %12s %14s %9s %8s %6s\n", x->why, "tau", "reps",
                "cost", "kg", "kg/cost", "mean", "sd", "corr");
    for (size_t i = 0; i < x->lever_count; i++) {
        const besd_lever_value *l = &x->levers[i];
        print_clean(stdout, "%8lld %6d %12g %12.4g %14.4g %9.4f %8.4f %6.3f%s\n", (long long)l->tau,
                    l->reps, l->cost, l->kg, l->kg / l->cost, l->mean, l->sd, l->correlation,
                    l->tau == t->tau && l->reps == t->reps ? "  <- chosen" : "");
    }
    puts("\nbest of the discretisation before refinement:");
    for (size_t i = 0; i < x->candidate_count; i++) {
        const besd_candidate *c = &x->candidates[i];
        print_clean(stdout, "  kg/cost %.4g at tau %lld, reps %d: ", c->kg / c->cost,
                    (long long)c->tau, c->reps);
        print_theta(s, c->theta);
        putchar('\n');
    }
    print_clean(stdout,
                "%zu targets, %zu of them can still become the recommendation; %zu candidates "
                "evaluated\n",
                x->targets, x->kept, x->evaluated);
    if (x->missed > 1 + 1e-9)
        print_clean(
            stdout,
            "a search over all targets finds one that is worth %.3g times as much per cost\n",
            x->missed);
    else if (x->missed > 0)
        print_clean(stdout, "a search over all targets finds none that is worth more per cost\n");
}

static int print_done(const verb *v, const besd_study *s, const besd_error *error, bool as_json) {
    if (as_json)
        return print_json(v, done_json(s, error->message));
    print_clean(stdout, "done: %s\n", error->message);
    return finish_output(v);
}

int run_ask(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false, explained = false, dump = false;
    int64_t failed = INT64_MIN;
    const char *worker = NULL;
    double lease = INFINITY;
    option options[] = {
        {"explain", OPTION_FLAG, &explained, NULL, "say why: kg and kg/cost for every (tau, reps)"},
        {"dump-targets", OPTION_FLAG, &dump, NULL, "with --explain --json: the discretisation"},
        {"again", OPTION_INTEGER, &failed, "TRIAL", "a failed trial once more, as a new one"},
        {"worker", OPTION_TEXT, &worker, "NAME", "who trains it"},
        {"lease", OPTION_NUMBER, &lease, "SECONDS",
         "for so long it is theirs; then the next who asks gets it (default: for good)"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        return code;
    if (failed != INT64_MIN && explained)
        return usage_error(v, "--again repeats a trial; there is nothing to explain");
    if (failed != INT64_MIN && (worker || !isinf(lease)))
        return usage_error(v, "--worker and --lease do not go with --again");
    besd_study *s;
    if (open_study_file(v, path, &s))
        return EXIT_REFUSED;
    besd_trial t;
    besd_explanation *x = calloc(1, sizeof *x);
    besd_error error;
    besd_ask how = {.worker = worker,
                    .lease = isinf(lease) ? NULL : &lease,
                    .again = failed == INT64_MIN ? NULL : &failed,
                    .explanation = explained ? x : NULL};
    besd_status status =
        x ? besd_study_ask(s, &how, &t, &error) : besd_fail_memory(&error, "the explanation");
    if (status == BESD_DONE) {
        code = print_done(v, s, &error, as_json);
    } else if (status != BESD_OK) {
        code = refuse(v, &error);
    } else if (as_json) {
        json_t *more = explained && x->why[0]
                           ? json_pack("{s:o}", "explanation", describe_explanation(s, x, dump))
                           : NULL;
        code = print_trial_json(v, s, t.id, more);
    } else {
        print_clean(stdout, "trial %lld: ", (long long)t.id);
        print_theta(s, t.theta);
        print_clean(
            stdout,
            "\n  train for tau = %lld interactions, reps = %d replication%s, seed %llu; cost "
            "%.12g\n",
            (long long)t.tau, t.reps, t.reps == 1 ? "" : "s", (unsigned long long)t.seed, t.cost);
        if (explained)
            print_explanation(s, &t, x);
        code = finish_output(v);
    }
    free(x);
    besd_study_close(s);
    return code;
}

/* What was understood; a summary is told after the transform, so the score that it means is shown.
 */
static int print_told(const verb *v, besd_study *s, int64_t id, bool scores, bool replaced,
                      besd_status status, const besd_error *error) {
    besd_trial t;
    besd_error ignored;
    if (status == BESD_REPEATED)
        print_clean(stdout, "%s\n", error->message);
    else if (scores || besd_study_trial(s, id, &t, &ignored) != BESD_OK)
        print_clean(stdout, "told%s\n", replaced ? " anew; 'besd restore' undoes it" : "");
    else
        print_clean(stdout, "told: a mean score of %.6g in the units of the scores\n", t.mean);
    return finish_output(v);
}

/* cost NaN: as planned. */
static besd_status tell_scores(besd_study *s, int64_t id, const number_list *scores,
                               const answer_texts *told, double cost, bool replace, const char *why,
                               besd_error *error) {
    besd_trial t;
    answer_route route;
    besd_leg *legs = NULL;
    if (cost < 0)
        return besd_fail(error, BESD_INVALID, "cost: expected a number from 0 to 1e300, got %g",
                         cost);
    bool given = answer_texts_given(told);
    besd_status status = given ? besd_study_trial(s, id, &t, error) : BESD_OK;
    if (status == BESD_OK && given)
        status =
            answer_parse_legs(told, answer_route_of(s, t.theta, &route) ? &route : NULL,
                              besd_study_get_options(s)->direction, scores->count, &legs, error);
    const besd_outcome outcome = {.scores = scores->items,
                                  .count = scores->count,
                                  .legs = legs,
                                  .cost = isnan(cost) ? NULL : &cost};
    if (status == BESD_OK)
        status = replace ? besd_study_replace(s, id, &outcome, why, error)
                         : besd_study_tell(s, id, &outcome, error);
    free(legs);
    return status;
}

int run_tell(const verb *v, int argc, char **argv) {
    const char *arguments[2] = {0}, *why = NULL;
    answer_texts told = {0};
    bool as_json = false, replace = false;
    number_list *scores = calloc(1, sizeof *scores);
    double cost = NAN, mean = NAN, variance = NAN;
    int64_t count = INT64_MIN, id;
    option options[] = {
        {"scores", OPTION_NUMBERS, scores, "Y,Y,...", "one score for every replication"},
        {"mean", OPTION_NUMBER, &mean, "M", "when only a summary is known: mean of the"},
        {"variance", OPTION_NUMBER, &variance, "V", "scores after the transform (of their"},
        {"count", OPTION_INTEGER, &count, "N",
         "logarithms, not negated), unbiased variance, number"},
        {"cost", OPTION_NUMBER, &cost, "C", "what was really paid (default: as planned)"},
        {"legs", OPTION_TEXT, &told.legs, "JSON",
         "of a path: when each point and the end was reached, [[4, 17], [5, null], null]"},
        {"earned", OPTION_TEXT, &told.earned, "JSON",
         "what was earned on each leg, of the same shape"},
        {"labels", OPTION_TEXT, &told.labels, "JSON",
         "where the path has labels: that of every replication, [0, 1, 0]"},
        {"replace", OPTION_FLAG, &replace, NULL, "of a told trial: in the place of its scores"},
        {"why", OPTION_TEXT, &why, "TEXT", "the reason for that"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code = EXIT_REFUSED;
    besd_study *s = NULL;
    if (!scores)
        return refuse_memory(v);
    if (!options_parse(v, options, argc, argv, arguments, 2, 2, &code) ||
        !parse_trial(v, arguments[1], &id, &code))
        ; /* said already */
    else if (scores->given == !isnan(mean))
        code = usage_error(v, "give either --scores or --mean, --variance and --count");
    else if (scores->given && (!isnan(variance) || count != INT64_MIN))
        code = usage_error(v, "--variance and --count belong to --mean");
    else if (!scores->given && !isnan(cost))
        code = usage_error(v, "--cost belongs to --scores");
    else if (!scores->given && replace)
        code = usage_error(v, "--replace takes --scores");
    else if (why && !replace)
        code = usage_error(v, "--why belongs to --replace");
    else if (!scores->given && answer_texts_given(&told))
        code = usage_error(v, "--legs, --earned and --labels belong to --scores");
    else if (!(code = open_study_file(v, arguments[0], &s))) {
        besd_error error = {0};
        const besd_summary summary = {mean, variance};
        const besd_outcome summed = {.count = count > 0 ? (size_t)count : 0, .summary = &summary};
        besd_status status = scores->given
                                 ? tell_scores(s, id, scores, &told, cost, replace, why, &error)
                                 : besd_study_tell(s, id, &summed, &error);
        code = status < 0 ? refuse(v, &error)
               : as_json  ? print_trial_json(v, s, id,
                                             json_pack("{s:b}", "repeated", status == BESD_REPEATED))
                          : print_told(v, s, id, scores->given, replace, status, &error);
    }
    besd_study_close(s);
    free(scores);
    return code;
}

int run_fail(const verb *v, int argc, char **argv) {
    const char *arguments[2] = {0}, *note = NULL;
    bool as_json = false;
    double cost = NAN;
    int64_t id;
    option options[] = {{"cost", OPTION_NUMBER, &cost, "C", "what it cost (default: as planned)"},
                        {"note", OPTION_TEXT, &note, "TEXT", "why, to be kept"},
                        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
                        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, arguments, 2, 2, &code))
        return code;
    if (!parse_trial(v, arguments[1], &id, &code))
        return code;
    if (cost < 0)
        return usage_error(v, "--cost: expected a number from 0, got %g", cost);
    besd_study *s;
    besd_error error;
    if (open_study_file(v, arguments[0], &s))
        return EXIT_REFUSED;
    besd_status status = besd_study_fail(s, id, isnan(cost) ? NULL : &cost, note, &error);
    if (status != BESD_OK) {
        code = refuse(v, &error);
    } else if (as_json) {
        code = print_trial_json(v, s, id, NULL);
    } else {
        puts("recorded as failed; the study goes on");
        code = finish_output(v);
    }
    besd_study_close(s);
    return code;
}
