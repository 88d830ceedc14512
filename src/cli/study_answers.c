/* besd trials, recommend, predict: what a study holds and knows. */
#include "cli/common.h"
#include "core/error.h"
#include "core/print.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void print_waiting(int64_t asked) {
    double seconds = fmax(0, difftime(time(NULL), (time_t)asked)); /* clocks are set back */
    const char *unit = seconds < 120 ? "seconds" : seconds < 7200 ? "minutes" : "hours";
    print_clean(stdout, "%5s asked %.0f %s ago and neither told nor failed\n", "",
                seconds < 120    ? seconds
                : seconds < 7200 ? seconds / 60
                                 : seconds / 3600,
                unit);
}

static besd_status print_trial(besd_study *s, const besd_trial *t, besd_error *error) {
    char note[1024] = "";
    int64_t asked, ended;
    print_clean(stdout, "%5lld %-7s %-8s %8lld %5d %12g ", (long long)t->id,
                besd_trial_state_name(t->state), besd_reason_name(t->reason), (long long)t->tau,
                t->reps, t->cost);
    if (t->state == BESD_TRIAL_TOLD)
        print_clean(stdout, "%12.5g  ", t->mean);
    else
        print_clean(stdout, "%12s  ", "-");
    print_theta(s, t->theta);
    putchar('\n');
    besd_status status = besd_study_get_trial_note(s, t->id, note, sizeof note, error);
    text_clean(note);
    if (note[0])
        print_clean(stdout, "%5s %s\n", "", note);
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
    int code;
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        return code;
    besd_study *s;
    besd_error error;
    int64_t count = 0;
    if (open_study_file(v, path, &s))
        return EXIT_REFUSED;
    json_t *list = json_array();
    besd_status status = besd_study_trial_count(s, &count, &error);
    if (status == BESD_OK && !as_json)
        print_clean(stdout, "%5s %-7s %-8s %8s %5s %12s %12s  theta\n", "trial", "state", "reason",
                    "tau", "reps", "cost", "mean");
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
        json_t *described = describe_recommendation(s, &r, &error);
        code = described ? print_json(v, described) : refuse(v, &error);
    } else {
        print_theta(s, r.theta);
        print_clean(stdout, "\n  after %lld trials at cost %.12g\n", (long long)r.trials, r.cost);
        print_promise(s, &r, "score");
        besd_status status = print_points(s, &r, "score", &error);
        if (status == BESD_OK)
            status = print_flat_note(s, &error);
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
        "{s:f, s:o, s:[[f, f], [f, f]], s:o, s:o}", "prior_mean", h->prior_mean, "lengthscales",
        json_numbers(h->lengthscales, o->dimension), "sigma_phi", h->sigma_phi[0][0],
        h->sigma_phi[0][1], h->sigma_phi[1][0], h->sigma_phi[1][1], "env_sd",
        paper ? json_real(h->env_sd[0]) : json_numbers(h->env_sd, h->level_count), "rep_sd",
        paper ? json_real(h->rep_sd[0]) : json_numbers(h->rep_sd, h->level_count));
    if (o->reps_count == 1 && o->reps[0] == 1 && o->instances == BESD_INSTANCES_SHARED) {
        json_object_set_new(object, "noise_sd", json_real(hypot(h->env_sd[0], h->rep_sd[0])));
        json_object_set_new(object, "env_sd", json_null()); /* one score a trial cannot tell */
        json_object_set_new(object, "rep_sd", json_null()); /* the two apart */
    }
    if (o->model == BESD_MODEL_EXTENDED) {
        json_object_set_new(object, "discrepancy_sd", json_real(h->discrepancy_sd));
        json_object_set_new(object, "discrepancy_lengthscale",
                            json_real(h->discrepancy_lengthscale));
    }
    return object;
}

/* Prints what the model expects at a place. */
static int predict(const verb *v, besd_study *s, const number_list *theta, int64_t tau,
                   bool as_json) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_error error;
    besd_hyperparameters h;
    besd_forecast f;
    char text[120];
    besd_status status = BESD_OK;
    if (theta->count != o->dimension)
        status = besd_fail(&error, BESD_INVALID, "theta: expected %zu numbers, got %zu",
                           o->dimension, theta->count);
    if (status == BESD_OK)
        status = besd_study_forecast(s, theta->items, tau == -1 ? o->taus[o->tau_count - 1] : tau,
                                     &f, &error);
    if (status == BESD_OK)
        status = besd_study_hyperparameters(s, &h, &error);
    if (status != BESD_OK)
        return refuse(v, &error);
    if (as_json) {
        json_t *object = json_pack(
            "{s:o, s:o, s:o, s:o, s:o, s:I, s:s, s:o}", "mean", json_number(f.mean), "sd",
            json_number(f.sd), "value", json_number(f.value), "low", json_number(f.low), "high",
            json_number(f.high), "tried", (json_int_t)f.tried, "model", besd_model_name(o->model),
            "hyperparameters", describe_hyperparameters(s, &h));
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
    int64_t tau = -1;
    besd_study *s = NULL;
    number_list *theta = calloc(1, sizeof *theta);
    if (!theta)
        return refuse_memory(v);
    option options[] = {{"theta", OPTION_NUMBERS, theta, "X,Y,...", "the design"},
                        {"tau", OPTION_INTEGER, &tau, "T", "training length (default: largest)"},
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
