#include "study/explanation_json.h"

static json_t *describe_lever(const besd_lever_value *l) {
    return json_pack("{s:I, s:i, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "tau", (json_int_t)l->tau,
                     "reps", l->reps, "cost", l->cost, "kg", json_number(l->kg), "log_kg",
                     json_number(l->log_kg), "kg_per_cost", json_number(l->kg / l->cost), "mean",
                     json_number(l->mean), "sd", json_number(l->sd), "correlation",
                     json_number(l->correlation));
}

static json_t *describe_candidate(const besd_study_options *o, const besd_candidate *c) {
    return json_pack("{s:o, s:I, s:i, s:f, s:o, s:o}", "theta",
                     json_numbers(c->theta, o->dimension), "tau", (json_int_t)c->tau, "reps",
                     c->reps, "cost", c->cost, "kg", json_number(c->kg), "log_kg",
                     json_number(c->log_kg));
}

json_t *explanation_json(const besd_study_options *o, const besd_explanation *x) {
    json_t *levers = json_array(), *candidates = json_array();
    int failed = !levers || !candidates;
    for (size_t i = 0; i < x->lever_count; i++)
        failed |= json_array_append_new(levers, describe_lever(&x->levers[i]));
    for (size_t i = 0; i < x->candidate_count; i++)
        failed |= json_array_append_new(candidates, describe_candidate(o, &x->candidates[i]));
    json_t *object = json_pack("{s:s, s:o, s:o, s:I, s:I, s:I, s:o}", "why", x->why, "levers",
                               levers, "candidates", candidates, "targets", (json_int_t)x->targets,
                               "kept", (json_int_t)x->kept, "evaluated", (json_int_t)x->evaluated,
                               "missed", json_number(x->missed));
    if (object && failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

char *explanation_text(const besd_study_options *o, const besd_explanation *x) {
    json_t *object = explanation_json(o, x);
    if (!object)
        return NULL;
    json_object_del(object, "candidates");
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}
