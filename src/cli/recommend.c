/* besd recommend, predict: what a study knows. */
#include "cli/common.h"
#include "core/error.h"
#include "core/json.h"
#include "core/print.h"
#include "json/answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int run_recommend(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false;
    option options[] = {{"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"}, {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        return code;
    besd_study *s;
    besd_error error;
    besd_recommendation r;
    if (open_study_file(v, path, &s))
        return EXIT_REFUSED;
    if (besd_study_recommend(s, &r, &error) != BESD_OK) {
        code = refuse(v, &error);
    } else if (as_json) {
        json_t *described = recommendation_json(s, &r, &error);
        code = described ? print_json(v, described) : refuse(v, &error);
    } else {
        print_theta(s, r.theta);
        print_clean(stdout, "\n  after %lld trials at cost %.12g\n", (long long)r.trials, r.cost);
        print_promise(s, &r, "score");
        besd_status status = print_points(s, &r, "score", &error);
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
