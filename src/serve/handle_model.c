/* What the model is asked for: the next trial, why it was chosen, the design to use today, what is
 * to be expected of one. */
#include "bridge/recommendation_json.h"
#include "bridge/trial_json.h"
#include "core/error.h"
#include "core/json.h"
#include "serve/acting.h"
#include "serve/handlers.h"
#include "serve/input.h"
#include "study/explanation_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *describe_asked(call *c, const besd_trial *t, const besd_explanation *x,
                              besd_error *error) {
    json_t *object = trial_describe(c->study, t, error);
    if (object && x && x->why[0])
        json_object_set_new(object, "explanation",
                            explanation_json(besd_study_get_options(c->study), x));
    return object;
}

static void ask(call *c, reply *r, const char *worker, double lease, besd_explanation *x) {
    besd_error error = {0};
    besd_trial t;
    json_t *object = NULL;
    besd_status status = besd_study_ask_for(c->study, worker, lease, &t, x, &error);
    if (status == BESD_DONE) {
        reply_json(r, 200,
                   json_pack("{s:b, s:s, s:s}", "done", 1, "reason", error.message, "stopped",
                             besd_stop_name(besd_study_stopped(c->study))));
        return;
    }
    if (status == BESD_OK)
        object = describe_asked(c, &t, x, &error);
    if (object)
        reply_json(r, 200, object);
    else
        reply_error(c, r, &error);
}

void handle_ask(call *c, reply *r) {
    const char *worker = NULL;
    double lease = INFINITY;
    bool explain = false;
    if (!input_expect(r, c->input, "the body", "worker lease explain") ||
        !input_text(r, c->input, "worker", &worker) ||
        !input_number(r, c->input, "lease", &lease) ||
        !input_flag(r, c->input, "explain", &explain) || !act_as(c, r, worker))
        return;
    besd_explanation *x = explain ? calloc(1, sizeof *x) : NULL;
    if (explain && !x)
        reply_refuse(r, 500, "memory", "out of memory while asking");
    else
        ask(c, r, worker, lease, x);
    free(x);
}

/* The newest ask that was explained, whoever asked. */
typedef struct explained {
    int64_t trial;
    double at;
    char *detail;
} explained;

static bool keep_explained(void *context, const besd_event *e) {
    explained *x = context;
    if (strcmp(e->what, "asked") != 0 || !e->detail || !e->detail[0])
        return true;
    free(x->detail);
    x->detail = strdup(e->detail);
    x->trial = e->trial;
    x->at = e->at;
    return true;
}

void handle_explain(call *c, reply *r) {
    besd_error error = {0};
    explained x = {0};
    besd_status status = besd_study_events(c->study, 0, keep_explained, &x, &error);
    json_t *detail = x.detail ? json_loads(x.detail, 0, NULL) : NULL;
    if (status != BESD_OK)
        reply_error(c, r, &error);
    else if (!detail)
        reply_refuse(r, 404, "unknown",
                     "no ask of this study was explained yet; ask with {\"explain\": true}");
    else
        reply_json(r, 200,
                   json_pack("{s:I, s:f, s:O}", "trial", (json_int_t)x.trial, "at", x.at,
                             "explanation", detail));
    json_decref(detail);
    free(x.detail);
}

void handle_recommend(call *c, reply *r) {
    besd_error error = {0};
    besd_recommendation recommended;
    json_t *object = NULL;
    if (besd_study_recommend(c->study, &recommended, &error) == BESD_OK) {
        remember_recommendation(c, &recommended);
        object = recommendation_json(c->study, &recommended, &error);
    }
    if (object)
        reply_json(r, 200, object);
    else
        reply_conflict(c, r, &error); /* nothing is told yet */
}

void handle_predict(call *c, reply *r) {
    besd_error error = {0};
    double theta[BESD_MAX_DIMENSION];
    const besd_study_options *o = besd_study_get_options(c->study);
    int64_t tau = o->taus[o->tau_count - 1];
    besd_forecast f;
    if (!input_expect(r, c->input, "the body", "theta tau") || !input_theta(c, r, theta) ||
        !input_integer(r, c->input, "tau", &tau))
        return;
    if (besd_study_forecast(c->study, theta, tau, &f, &error) != BESD_OK) {
        reply_error(c, r, &error);
        return;
    }
    reply_json(r, 200,
               json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:o}", "theta",
                         trial_theta(o, theta), "theta_array", json_numbers(theta, o->dimension),
                         "tau", (json_int_t)tau, "mean", json_number(f.mean), "sd",
                         json_number(f.sd), "value", json_number(f.value), "low",
                         json_number(f.low), "high", json_number(f.high), "tried",
                         (json_int_t)f.tried, "better", json_number(f.better)));
}
