#include "study/advice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool advice_fill_levers(const study_spec *spec, double affordable, bool only_tau_max,
                        kg_levers *levers) {
    const besd_study_options *o = &spec->options;
    bool any = false;
    levers->tau_count = (int)o->tau_count;
    levers->reps_count = (int)o->reps_count;
    for (int t = 0; t < levers->tau_count; t++) {
        levers->share[t] = (double)spec->taus[t] / (double)spec_tau_max(spec);
        for (int r = 0; r < levers->reps_count; r++) {
            double cost = spec_cost(spec, t, r);
            bool allowed = cost <= affordable && (!only_tau_max || t + 1 == levers->tau_count);
            levers->reps[r] = spec->reps[r];
            levers->cost[t][r] = allowed ? cost : INFINITY;
            any = any || allowed;
        }
    }
    return any;
}

void advice_pick_levers(const kg_levers *levers, advice *a) {
    for (int tau = 0; tau < levers->tau_count; tau++)
        for (int reps = 0; reps < levers->reps_count; reps++) {
            double log_kg = a->log_kg[tau * levers->reps_count + reps];
            double log_score = log_kg - log(levers->cost[tau][reps]);
            if (!(log_score > a->choice.log_score))
                continue;
            a->choice.tau = tau;
            a->choice.reps = reps;
            a->choice.log_kg = log_kg;
            a->choice.log_score = log_score;
        }
}

static void explain_levers(const turn *t, const advice *a, besd_explanation *x) {
    const study_spec *spec = t->spec;
    const double *theta = a->choice.theta;
    double final_variance;
    mixture_predict(t->model, theta, 1, &final_variance, NULL);
    x->lever_count = spec->options.tau_count * spec->options.reps_count;
    for (size_t i = 0; i < x->lever_count; i++) {
        int tau = (int)(i / spec->options.reps_count), reps = (int)(i % spec->options.reps_count);
        double share = (double)spec->taus[tau] / (double)spec_tau_max(spec), variance;
        besd_lever_value *v = &x->levers[i];
        v->tau = spec->taus[tau];
        v->reps = spec->reps[reps];
        v->cost = spec_cost(spec, tau, reps);
        v->log_kg = a->log_kg[i];
        v->kg = exp(v->log_kg);
        v->mean = mixture_predict(t->model, theta, share, &variance, NULL);
        v->sd = sqrt(variance);
        double scale = sqrt(variance * final_variance);
        v->correlation =
            scale > 0 ? fmin(1, mixture_covariance(t->model, theta, share, theta, 1) / scale) : 1;
    }
}

static void explain_candidates(const turn *t, const advice *a, besd_explanation *x) {
    const study_spec *spec = t->spec;
    x->candidate_count = a->candidate_count;
    for (size_t i = 0; i < a->candidate_count; i++) {
        const kg_choice *c = &a->candidates[i];
        spec_to_user(spec, c->theta, x->candidates[i].theta);
        x->candidates[i].tau = spec->taus[c->tau];
        x->candidates[i].reps = spec->reps[c->reps];
        x->candidates[i].log_kg = c->log_kg;
        x->candidates[i].kg = exp(c->log_kg);
        x->candidates[i].cost = spec_cost(spec, c->tau, c->reps);
    }
}

void advice_explain(const turn *t, const advice *a) {
    static const char *const reasons[] = {
        [BESD_REASON_KG] = "largest knowledge gradient per cost",
        [BESD_REASON_EXPLOIT] = "no trial promises to change the recommendation, so it is tested "
                                "again",
        [BESD_REASON_EXPLORE] =
            "the share of trials spread over the space is due; levers by knowledge "
            "gradient per cost",
        [BESD_REASON_SHARE] = "largest knowledge gradient per cost at the largest tau, whose "
                              "minimum share is due"};
    besd_explanation *x = t->explanation;
    if (!x)
        return;
    memset(x, 0, sizeof *x);
    snprintf(x->why, sizeof x->why, "%s", a->why ? a->why : reasons[a->reason]);
    explain_levers(t, a, x);
    explain_candidates(t, a, x);
    x->targets = t->targets->count;
    x->kept = a->kept;
    x->evaluated = a->evaluated;
    x->missed = a->missed;
}
