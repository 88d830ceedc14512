/* What the verbs of a study print alike. */
#include "bridge/answer_legs.h"
#include "cli/common.h"
#include "core/error.h"
#include "core/print.h"
#include "core/text.h"
#include "study/choose_initial.h"
#include "study/method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int open_study_file(const verb *v, const char *path, besd_study **s) {
    besd_error error;
    return besd_study_open(s, path, NULL, &error) == BESD_OK ? 0 : refuse(v, &error);
}

void note_arithmetic(besd_study *s) {
    char begun[80];
    besd_error ignored;
    if (besd_study_arithmetic(s, begun, sizeof begun, &ignored) != BESD_OK || !begun[0])
        return;
    const char *here = besd_arithmetic();
    if (!here[0] || !strcmp(begun, here))
        return;
    text_clean(begun);
    print_clean(
        stderr,
        "note: the study was begun with the arithmetic of %s, this machine has that of %s; it "
        "goes on as well, but not with the very trials it would have had there\n",
        begun, here);
}

void print_theta(const besd_study *s, const double *theta) {
    const besd_study_options *o = besd_study_get_options(s);
    for (size_t i = 0; i < o->dimension; i++)
        print_clean(stdout, "%s%s = %.6g%s%s", i ? ", " : "", o->names[i], theta[i],
                    o->units[i][0] ? " " : "", o->units[i]);
}

void describe_expected(double value, double low, double high, char *text, size_t size) {
    if (isinf(low) || isinf(high))
        snprintf(text, size, "%.4g, too few trials to say how sure that is", value);
    else if (low < high)
        snprintf(text, size, "%.4g, with 90 %% probability between %.4g and %.4g", value, low,
                 high);
    else
        snprintf(text, size, "%.4g", value);
}

void describe_progress(const besd_recommendation *r, const char *what, char *text, size_t size) {
    if (isinf(r->low) || isinf(r->high))
        snprintf(text, size, ", best expected %s %.4g", what, r->value);
    else
        snprintf(text, size, ", best expected %s %.4g [%.4g, %.4g]", what, r->value, r->low,
                 r->high);
}

void print_promise(const besd_study *s, const besd_recommendation *r, const char *what) {
    const besd_study_options *o = besd_study_get_options(s);
    char text[120];
    describe_expected(r->value, r->low, r->high, text, sizeof text);
    print_clean(stdout, "  expected %s at the largest tau: %s (model scale %.4f, sd %.4f)\n", what,
                text, r->mean, r->sd);
    if (!r->tried)
        print_clean(
            stdout,
            "  note: not tried at tau %lld, this is what the model makes of the trials around "
            "it\n",
            (long long)o->taus[o->tau_count - 1]);
    if (r->better < 0.5)
        print_clean(
            stdout,
            "  but no design is the better choice: %.4g without any, and the probability that "
            "this one beats it is %.2g\n",
            o->baseline, r->better);
    else if (!isnan(r->better))
        print_clean(stdout,
                    "  which beats the %.4g without any design with a probability of %.2g\n",
                    o->baseline, r->better);
}

/* A smooth model rises to the end of an interval that it has not seen the other side of. */
void print_bounds_note(const besd_study *s, const double *theta) {
    const besd_study_options *o = besd_study_get_options(s);
    int count = 0;
    for (size_t i = 0; i < o->dimension; i++) {
        double margin = 0.001 * (o->high[i] - o->low[i]);
        if (theta[i] < o->low[i] + margin || theta[i] > o->high[i] - margin)
            print_clean(stdout, "%s%s",
                        count++ ? ", " : "  note: at the end of its interval: ", o->names[i]);
    }
    if (count)
        puts("; 'besd predict' and a few trials inside tell whether it belongs there");
}

/* Says so when all told trials have scored the same. */
besd_status print_flat_note(besd_study *s, besd_error *error) {
    besd_trial first = {0}, t;
    int64_t count = 0, told = 0;
    besd_status status = besd_study_trial_count(s, &count, error);
    for (int64_t id = 1; status == BESD_OK && id <= count; id++) {
        status = besd_study_trial(s, id, &t, error);
        if (status != BESD_OK || t.state != BESD_TRIAL_TOLD)
            continue;
        if (told++ == 0)
            first = t;
        if (t.mean != first.mean)
            return BESD_OK;
    }
    if (status == BESD_OK && told > 1)
        print_clean(
            stdout,
            "  note: all %lld trials have scored %.5g, so nothing is known of where designs "
            "help; a longer training (tau), more coordinates or a larger budget may show a "
            "difference\n",
            (long long)told, first.mean);
    return status;
}

/* The best mean among told trials of the largest tau that was tried. */
besd_status print_best_trial(besd_study *s, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_trial best = {0}, t;
    int64_t count = 0;
    besd_status status = besd_study_trial_count(s, &count, error);
    for (int64_t id = 1; status == BESD_OK && id <= count; id++) {
        status = besd_study_trial(s, id, &t, error);
        if (status != BESD_OK || t.state != BESD_TRIAL_TOLD || t.tau < best.tau)
            continue;
        bool better = o->direction == BESD_MINIMIZE ? t.mean < best.mean : t.mean > best.mean;
        if (!best.id || t.tau > best.tau || better)
            best = t;
    }
    if (status == BESD_OK && best.id)
        print_clean(
            stdout,
            "  best single trial: %lld with a mean score of %.5g at tau %lld, luck included\n",
            (long long)best.id, best.mean, (long long)best.tau);
    return status;
}

void note_initial_design(FILE *out, const besd_study_options *o) {
    double cost = initial_cost(o);
    if (cost <= o->budget / 3)
        return;
    print_clean(out, "note: the initial design costs %.12g; ", cost);
    if (cost < o->budget)
        print_clean(
            out,
            "that is over a third of the budget of %.12g, fewer initial designs or a larger "
            "budget leave more room to learn\n",
            o->budget);
    else
        print_clean(out,
                    "the budget of %.12g ends before it does, and no trial will be chosen by the "
                    "model\n",
                    o->budget);
}

/* Of the methods that have no model nothing can be said. */
static bool number_varies(const besd_study *s, besd_path *p) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_study_get_path(s, p);
    return p->fewest > 0 && p->points > 1 && method_describe(o->method)->has_model;
}

/* The best path of so many points, which is the recommended one when it has as many; false: none
 * was tried, and none can be composed. */
static besd_status expect_points(besd_study *s, const besd_recommendation *r, size_t points,
                                 besd_forecast *f, bool *known, besd_error *error) {
    double theta[BESD_MAX_DIMENSION];
    *known = besd_study_visited(s, r->theta, NULL) == points;
    *f = (besd_forecast){.value = r->value, .low = r->low, .high = r->high};
    if (*known)
        return BESD_OK;
    besd_status status = besd_study_path_forecast(s, points, theta, f, error);
    *known = status == BESD_OK;
    if (!*known)
        f->value = f->low = f->high = NAN;
    return status == BESD_UNKNOWN ? BESD_OK : status;
}

besd_status print_points(besd_study *s, const besd_recommendation *r, const char *what,
                         besd_error *error) {
    besd_path p;
    besd_status status = BESD_OK;
    if (!number_varies(s, &p))
        return BESD_OK;
    size_t visits = besd_study_visited(s, r->theta, NULL);
    size_t first = visits < p.fewest ? visits : p.fewest;
    print_clean(stdout, "  %zu of up to %zu subgoals %s worth it; expected %s by their number%s:\n",
                visits, p.points, visits == 1 ? "is" : "are", what,
                p.price > 0 ? ", their price included" : "");
    for (size_t k = first; status == BESD_OK && k <= p.points; k++) {
        besd_forecast f;
        bool known;
        char text[120] = "none has been tried";
        status = expect_points(s, r, k, &f, &known, error);
        if (status == BESD_OK && known)
            describe_expected(f.value, f.low, f.high, text, sizeof text);
        if (status == BESD_OK)
            print_clean(stdout, "  %4zu  %s\n", k, text);
    }
    return status;
}

static json_t *describe_points(besd_study *s, const besd_recommendation *r, besd_error *error) {
    besd_path p;
    if (!number_varies(s, &p)) {
        json_t *nothing = json_object();
        if (!nothing)
            besd_fail_memory(error, "the recommendation");
        return nothing;
    }
    json_t *list = json_array();
    size_t visits = besd_study_visited(s, r->theta, NULL);
    for (size_t k = visits < p.fewest ? visits : p.fewest; k <= p.points; k++) {
        besd_forecast f;
        bool known;
        if (expect_points(s, r, k, &f, &known, error) != BESD_OK) {
            json_decref(list);
            return NULL;
        }
        json_array_append_new(list, json_pack("{s:I, s:o, s:o, s:o}", "points", (json_int_t)k,
                                              "value", json_number(f.value), "low",
                                              json_number(f.low), "high", json_number(f.high)));
    }
    json_t *object = json_pack("{s:I, s:o}", "visits", (json_int_t)visits, "by_points", list);
    if (!object)
        besd_fail_memory(error, "the recommendation");
    return object;
}

json_t *describe_recommendation(besd_study *s, const besd_recommendation *r, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    json_t *json =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o}", "theta",
                  json_numbers(r->theta, o->dimension), "mean", json_number(r->mean), "sd",
                  json_number(r->sd), "value", json_number(r->value), "low", json_number(r->low),
                  "high", json_number(r->high), "tried", (json_int_t)r->tried, "trials",
                  (json_int_t)r->trials, "cost", json_number(r->cost));
    if (json && !isnan(r->better) &&
        (json_object_set_new(json, "baseline", json_number(o->baseline)) ||
         json_object_set_new(json, "better", json_number(r->better)))) {
        json_decref(json);
        json = NULL;
    }
    json_t *points = json ? describe_points(s, r, error) : NULL;
    if (json && !points) {
        json_decref(json);
        return NULL;
    }
    json = json_joined(json, points);
    if (!json)
        besd_fail_memory(error, "the recommendation");
    return json;
}

/* What was told of its legs, if anything. */
static besd_status describe_legs(besd_study *s, const besd_trial *t, json_t *object,
                                 besd_error *error) {
    besd_path p;
    besd_study_get_path(s, &p);
    size_t capacity = t->score_count * (p.points + 1), count = 0;
    besd_leg *legs = p.points ? malloc((capacity + 1) * sizeof *legs) : NULL;
    if (!legs)
        return p.points ? besd_fail_memory(error, "the legs") : BESD_OK;
    besd_status status = besd_study_legs(s, t->id, legs, capacity, &count, error);
    if (status == BESD_OK && count)
        json_object_set_new(object, "legs", answer_show_legs(legs, count, p.points));
    if (status == BESD_OK && count && besd_study_get_options(s)->direction == BESD_MAXIMIZE)
        json_object_set_new(object, "earned", answer_show_earned(legs, count, p.points));
    free(legs);
    return status;
}

json_t *describe_trial(besd_study *s, const besd_trial *t, bool with_scores, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    json_t *object =
        json_pack("{s:I, s:o, s:I, s:i, s:I, s:s, s:s, s:o}", "id", (json_int_t)t->id, "theta",
                  json_numbers(t->theta, o->dimension), "tau", (json_int_t)t->tau, "reps", t->reps,
                  "seed", (json_int_t)t->seed, "state", besd_trial_state_name(t->state), "reason",
                  besd_reason_name(t->reason), "cost", json_number(t->cost));
    if (t->repeats)
        json_object_set_new(object, "repeats", json_integer(t->repeats));
    if (!object) {
        besd_fail_memory(error, "a trial");
        return NULL;
    }
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
        if (describe_legs(s, t, object, error) != BESD_OK) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}
