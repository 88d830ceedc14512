/* besd create, ask, tell, fail, trials, recommend, predict: a study step by step. */
#include "cli/common.h"
#include "cli/study_yaml.h"
#include "core/error.h"
#include "core/text.h"
#include "study/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void print_theta(const besd_study *s, const double *theta) {
    const besd_study_options *o = besd_study_get_options(s);
    for (size_t i = 0; i < o->dimension; i++)
        printf("%s%s = %.6g%s%s", i ? ", " : "", o->names[i], theta[i], o->units[i][0] ? " " : "",
               o->units[i]);
}

/* A smooth model rises to the end of an interval that it has not seen the other side of. */
void print_bounds_note(const besd_study *s, const double *theta) {
    const besd_study_options *o = besd_study_get_options(s);
    int count = 0;
    for (size_t i = 0; i < o->dimension; i++) {
        double margin = 0.001 * (o->high[i] - o->low[i]);
        if (theta[i] < o->low[i] + margin || theta[i] > o->high[i] - margin)
            printf("%s%s", count++ ? ", " : "  note: at the end of its interval: ", o->names[i]);
    }
    if (count)
        puts("; 'besd predict' and a few trials inside tell whether it belongs there");
}

/* The best mean among told trials of the largest tau that was tried. */
void print_best_trial(besd_study *s) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_trial best = {0}, t;
    besd_error error;
    int64_t count = 0;
    besd_status status = besd_study_trial_count(s, &count, &error);
    for (int64_t id = 1; status == BESD_OK && id <= count; id++) {
        status = besd_study_trial(s, id, &t, &error);
        if (status != BESD_OK || t.state != BESD_TRIAL_TOLD || t.tau < best.tau)
            continue;
        bool better = o->direction == BESD_MINIMIZE ? t.mean < best.mean : t.mean > best.mean;
        if (!best.id || t.tau > best.tau || better)
            best = t;
    }
    if (best.id)
        printf("  best single trial: %lld with a mean score of %.5g at tau %lld, luck included\n",
               (long long)best.id, best.mean, (long long)best.tau);
}

void note_initial_design(FILE *out, const besd_study_options *o) {
    double cost = method_initial_cost(o);
    if (!(o->budget > 0) || cost <= o->budget / 3)
        return;
    fprintf(out, "note: the initial design costs %.12g; ", cost);
    if (cost < o->budget)
        fprintf(out,
                "that is over a third of the budget of %.12g, fewer initial designs or a larger "
                "budget leave more room to learn\n",
                o->budget);
    else
        fprintf(out,
                "the budget of %.12g ends before it does, and no trial will be chosen by the "
                "model\n",
                o->budget);
}

json_t *describe_trial(besd_study *s, const besd_trial *t, bool with_scores, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    json_t *object =
        json_pack("{s:I, s:o, s:I, s:i, s:I, s:s, s:s, s:o}", "id", (json_int_t)t->id, "theta",
                  json_numbers(t->theta, o->dimension), "tau", (json_int_t)t->tau, "reps", t->reps,
                  "seed", (json_int_t)t->seed, "state", besd_trial_state_name(t->state), "reason",
                  besd_reason_name(t->reason), "cost", json_number(t->cost));
    char note[1024];
    if (with_scores && besd_study_get_trial_note(s, t->id, note, sizeof note, error) != BESD_OK) {
        json_decref(object);
        return NULL;
    }
    if (with_scores && t->state == BESD_TRIAL_ASKED) {
        int64_t asked, ended;
        if (besd_study_trial_times(s, t->id, &asked, &ended, error) != BESD_OK) {
            json_decref(object);
            return NULL;
        }
        json_object_set_new(object, "asked_at", json_integer(asked));
    }
    if (with_scores && note[0]) {
        text_clean(note);
        json_object_set_new(object, "note", json_string(note));
    }
    if (with_scores && t->state == BESD_TRIAL_TOLD) {
        double scores[BESD_MAX_REPS];
        size_t count;
        if (besd_study_scores(s, t->id, scores, BESD_MAX_REPS, &count, error) != BESD_OK) {
            json_decref(object);
            return NULL;
        }
        json_object_set_new(object, "scores", json_numbers(scores, count));
        json_object_set_new(object, "mean", json_number(t->mean));
    }
    return object;
}

static int with_study(const verb *v, const char *path, besd_study **s) {
    besd_error error;
    return besd_study_open(s, path, NULL, &error) == BESD_OK ? 0 : refuse(v, &error);
}

int run_create(const verb *v, int argc, char **argv) {
    const char *path = NULL, *spec = NULL;
    bool as_json = false;
    option options[] = {{"spec", OPTION_TEXT, &spec, "FILE", "the description, see docs/study.md"},
                        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
                        {0}};
    parse_result parsed = options_parse(v, options, argc, argv, &path, 1, 1);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP ? 0 : EXIT_USAGE;
    if (!spec)
        return usage_error(v, "--spec FILE is missing");
    study_yaml *y = NULL;
    besd_study *s = NULL;
    besd_error error;
    bool existed = access(path, F_OK) == 0;
    besd_status status = study_yaml_load(spec, &y, &error);
    if (status == BESD_OK)
        status = besd_study_open(&s, path, study_yaml_options(y), &error);
    study_yaml_free(y);
    if (status != BESD_OK)
        return refuse(v, &error);
    const besd_study_options *o = besd_study_get_options(s);
    int code;
    if (as_json) {
        code = print_json(v, json_pack("{s:s, s:i, s:f}", "study", path, "dimension",
                                       (int)o->dimension, "budget", o->budget));
    } else {
        printf("%s: %s of %zu coordinate%s; its initial design costs %.12g\n", path,
               existed ? "exists already and stays as it was, a study" : "a study", o->dimension,
               o->dimension == 1 ? "" : "s", method_initial_cost(o));
        note_initial_design(stdout, o);
        if ((size_t)o->initial_designs < 2 * o->dimension - 1)
            printf("note: %d initial designs are fewer than the 2 d - 1 = %zu that are advised\n",
                   o->initial_designs, 2 * o->dimension - 1);
        code = finish_output(v);
    }
    besd_study_close(s);
    return code;
}

static json_t *describe_explanation(const besd_study *s, const besd_explanation *x,
                                    bool dump_targets) {
    const besd_study_options *o = besd_study_get_options(s);
    json_t *levers = json_array(), *candidates = json_array();
    for (size_t i = 0; i < x->lever_count; i++) {
        const besd_lever_value *l = &x->levers[i];
        json_array_append_new(levers,
                              json_pack("{s:I, s:i, s:f, s:o, s:o, s:o, s:f, s:f, s:f}", "tau",
                                        (json_int_t)l->tau, "reps", l->reps, "cost", l->cost, "kg",
                                        json_number(l->kg), "log_kg", json_number(l->log_kg),
                                        "kg_per_cost", json_number(l->kg / l->cost), "mean",
                                        l->mean, "sd", l->sd, "correlation", l->correlation));
    }
    for (size_t i = 0; i < x->candidate_count; i++) {
        const besd_candidate *c = &x->candidates[i];
        json_array_append_new(candidates,
                              json_pack("{s:o, s:I, s:i, s:f, s:o, s:o}", "theta",
                                        json_numbers(c->theta, o->dimension), "tau",
                                        (json_int_t)c->tau, "reps", c->reps, "cost", c->cost, "kg",
                                        json_number(c->kg), "log_kg", json_number(c->log_kg)));
    }
    json_t *object = json_pack("{s:s, s:o, s:o, s:I, s:I, s:I}", "why", x->why, "levers", levers,
                               "candidates", candidates, "targets", (json_int_t)x->targets, "kept",
                               (json_int_t)x->kept, "evaluated", (json_int_t)x->evaluated);
    if (dump_targets) {
        size_t count;
        const double *points = besd_study_targets(s, &count);
        json_t *list = json_array();
        for (size_t i = 0; i < count; i++)
            json_array_append_new(list, json_numbers(points + i * o->dimension, o->dimension));
        json_object_set_new(object, "target_points", list);
    }
    return object;
}

static void print_explanation(const besd_study *s, const besd_trial *t, const besd_explanation *x) {
    if (!x->lever_count) {
        printf("why: %s\n", besd_reason_name((size_t)t->reason));
        return;
    }
    printf("why: %s\n\n%8s %6s %12s %12s %14s %9s %8s %6s\n", x->why, "tau", "reps", "cost", "kg",
           "kg/cost", "mean", "sd", "corr");
    for (size_t i = 0; i < x->lever_count; i++) {
        const besd_lever_value *l = &x->levers[i];
        printf("%8lld %6d %12g %12.4g %14.4g %9.4f %8.4f %6.3f%s\n", (long long)l->tau, l->reps,
               l->cost, l->kg, l->kg / l->cost, l->mean, l->sd, l->correlation,
               l->tau == t->tau && l->reps == t->reps ? "  <- chosen" : "");
    }
    puts("\nbest of the discretisation before refinement:");
    for (size_t i = 0; i < x->candidate_count; i++) {
        const besd_candidate *c = &x->candidates[i];
        printf("  kg/cost %.4g at tau %lld, reps %d: ", c->kg / c->cost, (long long)c->tau,
               c->reps);
        print_theta(s, c->theta);
        putchar('\n');
    }
    printf("%zu targets, %zu of them can still become the recommendation; %zu candidates "
           "evaluated\n",
           x->targets, x->kept, x->evaluated);
}

static int print_done(const verb *v, const besd_study *s, const besd_error *error, bool as_json) {
    if (as_json)
        return print_json(v, json_pack("{s:b, s:s, s:s}", "done", 1, "reason", error->message,
                                       "stopped", besd_stop_name(besd_study_stopped(s))));
    printf("done: %s\n", error->message);
    return finish_output(v);
}

int run_ask(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false, explained = false, dump = false;
    int64_t failed = INT64_MIN;
    option options[] = {
        {"explain", OPTION_FLAG, &explained, NULL, "say why: kg and kg/cost for every (tau, reps)"},
        {"dump-targets", OPTION_FLAG, &dump, NULL, "with --explain --json: the discretisation"},
        {"again", OPTION_INTEGER, &failed, "TRIAL", "a failed trial once more, as a new one"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    parse_result parsed = options_parse(v, options, argc, argv, &path, 1, 1);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP ? 0 : EXIT_USAGE;
    if (failed != INT64_MIN && explained)
        return usage_error(v, "--again repeats a trial; there is nothing to explain");
    besd_study *s;
    if (with_study(v, path, &s))
        return EXIT_REFUSED;
    besd_trial t;
    besd_explanation *x = calloc(1, sizeof *x);
    besd_error error;
    int code;
    besd_status status = !x ? besd_fail_memory(&error, "the explanation")
                         : failed != INT64_MIN
                             ? besd_study_ask_again(s, failed, &t, &error)
                             : besd_study_ask_explained(s, &t, explained ? x : NULL, &error);
    if (status == BESD_DONE) {
        code = print_done(v, s, &error, as_json);
    } else if (status != BESD_OK) {
        code = refuse(v, &error);
    } else if (as_json) {
        json_t *object = describe_trial(s, &t, false, &error);
        if (object && explained)
            json_object_set_new(object, "explanation", describe_explanation(s, x, dump));
        code = print_json(v, object);
    } else {
        printf("trial %lld: ", (long long)t.id);
        print_theta(s, t.theta);
        printf("\n  train for tau = %lld interactions, reps = %d replication%s, seed %llu; cost "
               "%.12g\n",
               (long long)t.tau, t.reps, t.reps == 1 ? "" : "s", (unsigned long long)t.seed,
               t.cost);
        if (explained)
            print_explanation(s, &t, x);
        code = finish_output(v);
    }
    free(x);
    besd_study_close(s);
    return code;
}

static bool parse_trial(const char *text, int64_t *id) {
    char *end;
    *id = strtoll(text, &end, 10);
    return end != text && !*end;
}

/* What was understood; a summary is told after the transform, so the score that it means is shown.
 */
static int print_told(besd_study *s, int64_t id, bool scores, const besd_error *error) {
    besd_trial t;
    besd_error ignored;
    if (error->message[0])
        return printf("%s\n", error->message);
    if (scores || besd_study_trial(s, id, &t, &ignored) != BESD_OK)
        return printf("told\n");
    return printf("told: a mean score of %.6g in the units of the scores\n", t.mean);
}

int run_tell(const verb *v, int argc, char **argv) {
    const char *arguments[2] = {0};
    bool as_json = false;
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
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code = EXIT_REFUSED;
    besd_study *s = NULL;
    if (!scores) {
        fprintf(stderr, "besd tell: out of memory\n");
        return EXIT_REFUSED;
    }
    parse_result parsed = options_parse(v, options, argc, argv, arguments, 2, 2);
    if (parsed != PARSE_OK)
        code = parsed == PARSE_HELP ? 0 : EXIT_USAGE;
    else if (!parse_trial(arguments[1], &id))
        code = usage_error(v, "TRIAL: expected a whole number, got '%s'", arguments[1]);
    else if (scores->given == !isnan(mean))
        code = usage_error(v, "give either --scores or --mean, --variance and --count");
    else if (scores->given && (!isnan(variance) || count != INT64_MIN))
        code = usage_error(v, "--variance and --count belong to --mean");
    else if (!scores->given && !isnan(cost))
        code = usage_error(v, "--cost belongs to --scores");
    else if (!with_study(v, arguments[0], &s)) {
        besd_error error = {0};
        besd_status status =
            !scores->given ? besd_study_tell_summary(s, id, mean, variance,
                                                     count > 0 ? (size_t)count : 0, &error)
            : isnan(cost)  ? besd_study_tell(s, id, scores->items, scores->count, &error)
                          : besd_study_tell_cost(s, id, scores->items, scores->count, cost, &error);
        if (status != BESD_OK)
            code = refuse(v, &error);
        else if (as_json)
            code = print_json(v, json_pack("{s:I, s:s, s:b}", "trial", (json_int_t)id, "state",
                                           "told", "repeated", error.message[0] != 0));
        else
            code = print_told(s, id, scores->given, &error) < 0 ? EXIT_REFUSED : finish_output(v);
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
    parse_result parsed = options_parse(v, options, argc, argv, arguments, 2, 2);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP ? 0 : EXIT_USAGE;
    if (!parse_trial(arguments[1], &id))
        return usage_error(v, "TRIAL: expected a whole number, got '%s'", arguments[1]);
    if (cost < 0)
        return usage_error(v, "--cost: expected a number from 0, got %g", cost);
    besd_study *s;
    besd_error error;
    if (with_study(v, arguments[0], &s))
        return EXIT_REFUSED;
    besd_status status = besd_study_fail(s, id, isnan(cost) ? -1 : cost, note, &error);
    besd_study_close(s);
    if (status != BESD_OK)
        return refuse(v, &error);
    if (as_json)
        return print_json(v, json_pack("{s:I, s:s}", "trial", (json_int_t)id, "state", "failed"));
    puts("recorded as failed; the study goes on");
    return finish_output(v);
}

static void print_waiting(int64_t asked) {
    double seconds = difftime(time(NULL), (time_t)asked);
    const char *unit = seconds < 120 ? "seconds" : seconds < 7200 ? "minutes" : "hours";
    printf("%5s asked %.0f %s ago and neither told nor failed\n", "",
           seconds < 120    ? seconds
           : seconds < 7200 ? seconds / 60
                            : seconds / 3600,
           unit);
}

static besd_status print_trial(besd_study *s, const besd_trial *t, besd_error *error) {
    char note[1024] = "";
    int64_t asked, ended;
    printf("%5lld %-7s %-8s %8lld %5d %12g ", (long long)t->id, besd_trial_state_name(t->state),
           besd_reason_name(t->reason), (long long)t->tau, t->reps, t->cost);
    if (t->state == BESD_TRIAL_TOLD)
        printf("%12.5g  ", t->mean);
    else
        printf("%12s  ", "-");
    print_theta(s, t->theta);
    putchar('\n');
    besd_status status = besd_study_get_trial_note(s, t->id, note, sizeof note, error);
    text_clean(note);
    if (note[0])
        printf("%5s %s\n", "", note);
    if (status == BESD_OK && t->state == BESD_TRIAL_ASKED) {
        status = besd_study_trial_times(s, t->id, &asked, &ended, error);
        if (status == BESD_OK)
            print_waiting(asked);
    }
    return status;
}

int run_trials(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false;
    option options[] = {{"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"}, {0}};
    parse_result parsed = options_parse(v, options, argc, argv, &path, 1, 1);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP ? 0 : EXIT_USAGE;
    besd_study *s;
    besd_error error;
    int64_t count = 0;
    if (with_study(v, path, &s))
        return EXIT_REFUSED;
    json_t *list = json_array();
    besd_status status = besd_study_trial_count(s, &count, &error);
    if (status == BESD_OK && !as_json)
        printf("%5s %-7s %-8s %8s %5s %12s %12s  theta\n", "trial", "state", "reason", "tau",
               "reps", "cost", "mean");
    for (int64_t id = 1; status == BESD_OK && id <= count; id++) {
        besd_trial t;
        status = besd_study_trial(s, id, &t, &error);
        if (status == BESD_OK && as_json) {
            json_t *described = describe_trial(s, &t, true, &error);
            if (!described || json_array_append_new(list, described))
                status = described ? besd_fail_memory(&error, "the trials") : error.status;
        }
        if (status == BESD_OK && !as_json)
            status = print_trial(s, &t, &error);
    }
    besd_study_close(s);
    if (status != BESD_OK) {
        json_decref(list);
        return refuse(v, &error);
    }
    if (as_json)
        return print_json(v, json_pack("{s:o}", "trials", list));
    json_decref(list);
    return finish_output(v);
}

int run_recommend(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false;
    option options[] = {{"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"}, {0}};
    parse_result parsed = options_parse(v, options, argc, argv, &path, 1, 1);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP ? 0 : EXIT_USAGE;
    besd_study *s;
    besd_error error;
    besd_recommendation r;
    if (with_study(v, path, &s))
        return EXIT_REFUSED;
    int code;
    if (besd_study_recommend(s, &r, &error) != BESD_OK) {
        code = refuse(v, &error);
    } else if (as_json) {
        code = print_json(v, json_pack("{s:o, s:o, s:o, s:o, s:I, s:o}", "theta",
                                       json_numbers(r.theta, besd_study_get_options(s)->dimension),
                                       "mean", json_number(r.mean), "sd", json_number(r.sd),
                                       "value", json_number(r.value), "trials",
                                       (json_int_t)r.trials, "cost", json_number(r.cost)));
    } else {
        print_theta(s, r.theta);
        printf("\n  expected score at the largest tau %.5g (model scale %.4f, sd %.4f), from %lld "
               "trials at cost %.12g\n",
               r.value, r.mean, r.sd, (long long)r.trials, r.cost);
        print_best_trial(s);
        print_bounds_note(s, r.theta);
        code = finish_output(v);
    }
    besd_study_close(s);
    return code;
}

static json_t *describe_hyperparameters(const besd_study *s, const besd_hyperparameters *h) {
    const besd_study_options *o = besd_study_get_options(s);
    bool paper = o->model == BESD_MODEL_PAPER;
    json_t *object = json_pack(
        "{s:f, s:o, s:[[f, f], [f, f]], s:o, s:o}", "prior_mean", h->prior_mean, "lengthscales",
        json_numbers(h->lengthscales, o->dimension), "sigma_phi", h->sigma_phi[0][0],
        h->sigma_phi[0][1], h->sigma_phi[1][0], h->sigma_phi[1][1], "env_sd",
        paper ? json_real(h->env_sd[0]) : json_numbers(h->env_sd, h->level_count), "rep_sd",
        paper ? json_real(h->rep_sd[0]) : json_numbers(h->rep_sd, h->level_count));
    if (o->model == BESD_MODEL_EXTENDED) {
        json_object_set_new(object, "discrepancy_sd", json_real(h->discrepancy_sd));
        json_object_set_new(object, "discrepancy_lengthscale",
                            json_real(h->discrepancy_lengthscale));
    }
    return object;
}

int run_predict(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false;
    number_list *theta = calloc(1, sizeof *theta);
    int64_t tau = -1;
    option options[] = {{"theta", OPTION_NUMBERS, theta, "X,Y,...", "the design"},
                        {"tau", OPTION_INTEGER, &tau, "T", "training length (default: largest)"},
                        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
                        {0}};
    parse_result parsed = theta ? options_parse(v, options, argc, argv, &path, 1, 1) : PARSE_WRONG;
    besd_study *s = NULL;
    besd_error error;
    besd_hyperparameters h;
    double mean, sd;
    int code = parsed == PARSE_HELP ? 0 : EXIT_USAGE;
    if (parsed == PARSE_OK && !theta->given) {
        usage_error(v, "--theta is missing");
    } else if (parsed == PARSE_OK && with_study(v, path, &s)) {
        code = EXIT_REFUSED;
    } else if (parsed == PARSE_OK) {
        const besd_study_options *o = besd_study_get_options(s);
        besd_status status = BESD_OK;
        if (theta->count != o->dimension)
            status = besd_fail(&error, BESD_INVALID, "theta: expected %zu numbers, got %zu",
                               o->dimension, theta->count);
        if (status == BESD_OK)
            status = besd_study_predict(
                s, theta->items, tau == -1 ? o->taus[o->tau_count - 1] : tau, &mean, &sd, &error);
        if (status == BESD_OK)
            status = besd_study_hyperparameters(s, &h, &error);
        if (status != BESD_OK)
            code = refuse(v, &error);
        else if (as_json)
            code = print_json(v, json_pack("{s:o, s:o, s:o, s:s, s:o}", "mean", json_number(mean),
                                           "sd", json_number(sd), "value",
                                           json_number(spec_score(o, mean)), "model",
                                           besd_model_name(o->model), "hyperparameters",
                                           describe_hyperparameters(s, &h)));
        else
            code =
                printf("expected score %.6g (latent performance on the model's scale: mean %.6g, "
                       "sd %.3g)\n",
                       spec_score(o, mean), mean, sd) < 0
                    ? EXIT_REFUSED
                    : finish_output(v);
    }
    besd_study_close(s);
    free(theta);
    return code;
}
