#include "json/explanation.h"

#include "core/json.h"
#include "study/study.h"
#include "json/trial.h"

static json_t *describe_candidate(const besd_study_options *o, const besd_candidate *c) {
    return json_joined(theta_json(o->names, c->theta, o->dimension),
                       json_pack("{s:I, s:i, s:o, s:o, s:o}", "tau", (json_int_t)c->tau, "reps",
                                 c->reps, "cost", json_number(c->cost), "kg", json_number(c->kg),
                                 "log_kg", json_number(c->log_kg)));
}

json_t *explanation_json(const besd_study_options *o, const besd_explanation *x) {
    json_t *list = json_array();
    int failed = 0;
    for (size_t i = 0; i < x->candidate_count; i++)
        failed |= json_array_append_new(list, describe_candidate(o, &x->candidates[i]));
    json_t *candidates = failed ? NULL : json_pack("{s:O}", "candidates", list);
    json_decref(list);
    return json_joined(explanation_kept(x), candidates);
}
