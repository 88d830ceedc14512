/* besd recommend, predict: what a study knows. */
#include "cli/common.h"
#include "core/error.h"
#include "core/json.h"
#include "core/print.h"
#include "json/answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DESIGNS = 1000 };

static json_t *describe_designs(const besd_study_options *o, const double *thetas,
                                const besd_forecast *forecasts, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, forecast_json(o, thetas + i * o->dimension,
                                                  o->taus[o->tau_count - 1], &forecasts[i]));
    return json_pack("{s:o}", "designs", list);
}

static int print_designs(const verb *v, const besd_study *s, const double *thetas,
                         const besd_forecast *forecasts, size_t count) {
    const besd_study_options *o = besd_study_get_options(s);
    for (size_t i = 0; i < count; i++) {
        print_theta(s, thetas + i * o->dimension);
        print_clean(stdout, "  score %.4g, between %.4g and %.4g\n", forecasts[i].value,
                    forecasts[i].low, forecasts[i].high);
    }
    return finish_output(v);
}

/* Several designs instead of one. */
static int recommend_several(const verb *v, besd_study *s, int64_t count, double apart,
                             bool as_json) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_error error;
    size_t found = 0;
    double *thetas = NULL;
    besd_forecast *forecasts = NULL;
    besd_status status = BESD_OK;
    if (count < 1 || count > MOST_DESIGNS)
        status = besd_fail(&error, BESD_INVALID, "count: expected 1 to %d designs, got %lld",
                           MOST_DESIGNS, (long long)count);
    if (status == BESD_OK) {
        thetas = malloc((size_t)count * o->dimension * sizeof *thetas);
        forecasts = malloc((size_t)count * sizeof *forecasts);
        if (!thetas || !forecasts)
            status = besd_fail_memory(&error, "the designs");
    }
    if (status == BESD_OK)
        status =
            besd_study_best_designs(s, (size_t)count, apart, thetas, forecasts, &found, &error);
    int code = status != BESD_OK ? refuse(v, &error)
               : as_json         ? print_json(v, describe_designs(o, thetas, forecasts, found))
                                 : print_designs(v, s, thetas, forecasts, found);
    free(thetas);
    free(forecasts);
    return code;
}

int run_recommend(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    const char *task_name = NULL;
    bool as_json = false;
    given_integer count = {0};
    given_number apart = {.value = 0.1};
    option options[] = {{"task", OPTION_TEXT, &task_name, "NAME", "the design for this task alone"},
                        {"count", OPTION_GIVEN_INTEGER, &count, "N",
                         "the N best designs instead, apart from each other"},
                        {"apart", OPTION_GIVEN_NUMBER, &apart, "S",
                         "how far at least, as a share of the box (default 0.1)"},
                        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
                        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        return code;
    if (apart.given && !count.given)
        return usage_error(v, "--apart goes with --count");
    besd_study *s;
    besd_error error;
    besd_recommendation r;
    if (open_study_file(v, path, &s))
        return EXIT_REFUSED;
    if (count.given) {
        code = recommend_several(v, s, count.value, apart.value, as_json);
        besd_study_close(s);
        return code;
    }
    int64_t task = BESD_ALL_TASKS;
    besd_status found = task_name ? besd_study_find_task(s, task_name, &task, &error) : BESD_OK;
    if (found == BESD_OK)
        found = task_name ? besd_study_recommend_task(s, task, &r, &error)
                          : besd_study_recommend(s, &r, &error);
    if (found != BESD_OK) {
        code = refuse(v, &error);
    } else if (as_json) {
        json_t *described = recommendation_json(s, &r, &error);
        code = described ? print_json(v, described) : refuse(v, &error);
    } else {
        print_theta(s, r.theta);
        print_clean(stdout, "\n  after %lld trial%s at cost %.12g\n", (long long)r.trials,
                    r.trials == 1 ? "" : "s", r.cost);
        print_promise(s, &r, "score");
        besd_status status = task_name ? BESD_OK : print_tasks(s, "score", &error);
        if (status == BESD_OK)
            status = print_sources(s, &error);
        if (status == BESD_OK)
            status = print_points(s, &r, "score", &error);
        print_warning(&r, stdout, "  ");
        if (status == BESD_OK)
            status = print_best_trial(s, &error);
        print_bounds_note(s, r.theta);
        code = status == BESD_OK ? finish_output(v) : refuse(v, &error);
    }
    besd_study_close(s);
    return code;
}

static json_t *describe_hyperparameters(const besd_study *s, const besd_hyperparameters *h) {
    const besd_study_options *o = besd_study_get_options(s);
    bool paper = o->model == BESD_MODEL_PAPER;
    json_t *object = json_pack(
        "{s:o, s:o, s:[[o, o], [o, o]], s:o, s:o}", "prior_mean", json_number(h->prior_mean),
        "lengthscales", json_numbers(h->lengthscales, o->dimension), "sigma_phi",
        json_number(h->sigma_phi[0][0]), json_number(h->sigma_phi[0][1]),
        json_number(h->sigma_phi[1][0]), json_number(h->sigma_phi[1][1]), "env_sd",
        paper ? json_number(h->env_sd[0]) : json_numbers(h->env_sd, h->level_count), "rep_sd",
        paper ? json_number(h->rep_sd[0]) : json_numbers(h->rep_sd, h->level_count));
    if (o->reps_count == 1 && o->reps[0] == 1 && o->instances == BESD_INSTANCES_SHARED) {
        json_object_set_new(object, "noise_sd", json_number(hypot(h->env_sd[0], h->rep_sd[0])));
        json_object_set_new(object, "env_sd", json_null()); /* one score a trial cannot tell */
        json_object_set_new(object, "rep_sd", json_null()); /* the two apart */
    }
    return object;
}

/* Prints what the model expects at a place. */
static int predict(const verb *v, besd_study *s, const number_list *theta, given_integer given,
                   bool as_json) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_error error;
    besd_hyperparameters h;
    besd_forecast f;
    char text[120];
    besd_status status = BESD_OK;
    int64_t tau = given_integer_or(given, o->taus[o->tau_count - 1]);
    if (theta->count != o->dimension)
        status = besd_fail(&error, BESD_INVALID, "theta: expected %zu numbers, got %zu",
                           o->dimension, theta->count);
    if (status == BESD_OK)
        status = besd_study_forecast(s, theta->items, tau, &f, &error);
    if (status == BESD_OK)
        status = besd_study_hyperparameters(s, &h, &error);
    if (status != BESD_OK)
        return refuse(v, &error);
    if (as_json) {
        json_t *object = json_joined(forecast_json(o, theta->items, tau, &f),
                                     json_pack("{s:s, s:o}", "model", besd_model_name(o->model),
                                               "hyperparameters", describe_hyperparameters(s, &h)));
        return object ? print_json(v, object) : refuse_memory(v);
    }
    describe_expected(f.value, f.low, f.high, text, sizeof text);
    print_clean(stdout,
                "expected score %s (latent performance on the model's scale: mean %.6g, sd %.3g)\n",
                text, f.mean, f.sd);
    return finish_output(v);
}

int run_predict(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false;
    given_integer tau = {0};
    besd_study *s = NULL;
    number_list *theta = calloc(1, sizeof *theta);
    if (!theta)
        return refuse_memory(v);
    option options[] = {
        {"theta", OPTION_NUMBERS, theta, "X,Y,...", "the design"},
        {"tau", OPTION_GIVEN_INTEGER, &tau, "T", "training length (default: largest)"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code;
    if (options_parse(v, options, argc, argv, &path, 1, 1, &code))
        code = theta->given ? open_study_file(v, path, &s) : usage_error(v, "--theta is missing");
    if (s)
        code = predict(v, s, theta, tau, as_json);
    besd_study_close(s);
    free(theta);
    return code;
}
