/* What the model expects far from everything that was tried: the mean of the initial trials, as in
 * the paper. They are spread over the space, while the chosen ones crowd where it is best; their
 * mean would promise that everywhere. The averaged model expects more of longer trainings, by a
 * straight line through the initial trials. */
#include "study/evidence.h"

/* Sums over trials of x = 1 - tau / tau_max and y, the outcome. */
typedef struct line_sums {
    double count, x, y, xx, xy;
} line_sums;

static void add(line_sums *s, const study_spec *spec, const trial_record *r) {
    double x = 1 - (double)r->trial.tau / (double)spec_tau_max(spec);
    s->count++;
    s->x += x;
    s->y += r->model_mean;
    s->xx += x * x;
    s->xy += x * r->model_mean;
}

static line_sums sum_all(const study_spec *spec, const evidence *e) {
    line_sums s = {0};
    for (size_t i = 0; i < e->count; i++)
        if (record_is_told(&e->trials[i]) && !evidence_confirms(e, &e->trials[i].trial))
            add(&s, spec, &e->trials[i]);
    return s;
}

/* Earlier results stand in for the initial design, so they count here as well: a single initial
 * trial beside many of them would say little. */
static line_sums sum_initial(const study_spec *spec, const evidence *e) {
    line_sums s = {0};
    for (size_t i = 0; e->added && i < e->count; i++)
        if (record_is_told(&e->trials[i]) && e->trials[i].trial.reason == BESD_REASON_ADDED)
            add(&s, spec, &e->trials[i]);
    for (size_t i = 0; i < e->place_count; i++) {
        const evidence_place *place = &e->places[i];
        if (record_is_told(place->record) && place->reason == BESD_REASON_INITIAL)
            add(&s, spec, place->record);
    }
    return s;
}

void prior_mean(const study_spec *spec, const evidence *e, double *mean, double *slope) {
    line_sums s = sum_initial(spec, e);
    if (s.count == 0 || spec->options.mean_of_all)
        s = sum_all(spec, e);
    double apart = s.xx - s.x * s.x / s.count;
    bool tilted = spec->options.model == BESD_MODEL_AVERAGED && s.count > 2 && apart > 1e-9;
    *slope = tilted ? (s.xy - s.x * s.y / s.count) / apart : 0;
    *mean = s.count > 0 ? (s.y - *slope * s.x) / s.count : 0;
}
