#include "pages/study_legs.h"

#include <math.h>
#include <string.h>

enum { PLACE = 200 };

/* "the start (0.5, 0.5)", "(8.5, 2.5)", "the goal". */
static const char *name_place(const double *place, size_t coordinates, const char *called,
                              char *text) {
    size_t length = (size_t)snprintf(text, PLACE, "%s", called);
    if (isnan(place[0]))
        return text;
    length += (size_t)snprintf(text + length, PLACE - length, "%s(", *called ? " " : "");
    for (size_t i = 0; i < coordinates && length < PLACE; i++)
        length +=
            (size_t)snprintf(text + length, PLACE - length, "%s%.4g", i ? ", " : "", place[i]);
    if (length < PLACE)
        snprintf(text + length, PLACE - length, ")");
    return text;
}

static const char *name_from(const leg_known *leg, size_t coordinates, char *text) {
    return name_place(leg->from, coordinates, leg->is_first ? "the start" : "", text);
}

static const char *name_to(const leg_known *leg, size_t coordinates, char *text) {
    return name_place(leg->to, coordinates, leg->is_last ? "the goal" : "", text);
}

static bool counts_time(const besd_study *study) {
    return besd_study_get_options(study)->direction == BESD_MINIMIZE;
}

static const char *say_doubt(const leg_known *leg) {
    if (!leg->tried)
        return "not tried";
    return !leg->worked ? "never worked" : leg->is_doubtful ? "doubtful" : "";
}

static void put_legs(page *p, const besd_study *study, const leg_survey *s, const char *caption) {
    besd_path path;
    char from[PLACE], to[PLACE];
    besd_study_get_path(study, &path);
    page_table_begin(p, caption, "leg|from|to");
    page_head(p, "%s", counts_time(study) ? "expected time" : "expected to earn");
    page_head(p, "give or take");
    page_head(p, "tried");
    page_head(p, "worked");
    page_head(p, "at the largest tau");
    page_head(p, "doubt");
    for (size_t i = 0; i < s->design_count; i++) {
        const leg_known *leg = &s->of_design[i];
        page_row(p, "");
        page_cell(p, "%zu", i + 1);
        page_cell(p, "%s", name_from(leg, path.coordinates, from));
        page_cell(p, "%s", name_to(leg, path.coordinates, to));
        page_cell(p, "%.3g", leg->value);
        page_cell(p, "%.3g to %.3g", leg->low, leg->high);
        page_cell(p, "%zu×", leg->tried);
        page_cell(p, "%zu×", leg->worked);
        page_cell(p, "%zu×", leg->seen);
        page_cell(p, "%s", say_doubt(leg));
    }
    page_table_end(p);
}

static bool same_legs(const leg_survey *a, const leg_survey *b, size_t coordinates) {
    bool same = a->design_count == b->design_count;
    for (size_t i = 0; same && i + 1 < a->design_count; i++)
        same = !memcmp(a->of_design[i].to, b->of_design[i].to, coordinates * sizeof(double));
    return same;
}

/* The path of the best legs, when it is another one. */
static besd_status tell_composed(page *p, besd_study *study, const leg_survey *recommended,
                                 besd_error *error) {
    besd_path path;
    leg_survey composed;
    besd_study_get_path(study, &path);
    if (isnan(recommended->composed_promise))
        return BESD_OK;
    besd_status status = leg_survey_init(&composed, study, recommended->composed, 0, 0, error);
    if (status != BESD_OK)
        return status;
    bool is_better = counts_time(study) ? composed.promise < recommended->promise
                                        : composed.promise > recommended->promise;
    if (same_legs(recommended, &composed, path.coordinates)) {
        page_text(p, "It is also the path that the best legs make, whatever was tried together.");
    } else if (is_better) {
        page_text(p,
                  "The legs that are best by themselves, doubt deducted, make another path, with "
                  "<b>%.3g</b> in all. It is recommended only when whole trials speak for it.",
                  composed.promise);
        put_legs(p, study, &composed, "The path of the best legs");
    }
    leg_survey_free(&composed);
    return BESD_OK;
}

besd_status study_legs_tell(page *p, besd_study *study, const leg_survey *survey,
                            besd_error *error) {
    page_text(p,
              "Leg by leg, the recommended path should %s <b>%.3g</b> in all. Of a leg that at "
              "least %d replications of the largest tau have set out on that is their mean, give "
              "or take its standard error; of others it is what the model of legs makes of their "
              "neighbours, give or take a standard deviation. The expected score above comes from "
              "whole trials, and the two need not agree.",
              counts_time(study) ? "take" : "earn", survey->promise, (int)LEG_SEEN);
    put_legs(p, study, survey, "The recommended path");
    return tell_composed(p, study, survey, error);
}

static const char *say_reason(besd_reason reason) {
    switch (reason) {
    case BESD_REASON_INITIAL:
        return "it belongs to the initial design, which is spread over the space";
    case BESD_REASON_KG:
        return "it promised the largest gain of the recommendation per cost";
    case BESD_REASON_EXPLOIT:
        return "no trial promised to change the recommendation, so that was tested again";
    case BESD_REASON_SHARE:
        return "a share of the trials is kept for the largest tau";
    case BESD_REASON_RANDOM:
        return "designs are drawn at random";
    case BESD_REASON_RETRY:
        return "a failed trial was asked again";
    case BESD_REASON_IMPROVEMENT:
        return "it had the largest expected improvement";
    case BESD_REASON_BOUND:
        return "it had the largest confidence bound";
    case BESD_REASON_BRACKET:
        return "it is a new design of a bracket";
    case BESD_REASON_PROMOTED:
        return "it survived a rung of its bracket";
    case BESD_REASON_EXPLORE:
        return "a share of the trials explores where little is known";
    case BESD_REASON_CONFIRM:
        return "one of the best designs was trained again before the end";
    case BESD_REASON_LEGS:
        return "it is a path of the most hopeful legs, and teaches more of them";
    case BESD_REASON_ADDED:
        return "an earlier result, told without being asked";
    case BESD_REASON_ENQUEUED:
        return "somebody wanted it";
    case BESD_REASON_SOURCE:
        return "one of the best designs of an earlier study";
    }
    return "of a reason that is not known here";
}

static const leg_known *most_doubtful(const leg_survey *s) {
    const leg_known *most = &s->of_design[0];
    for (size_t i = 1; i < s->design_count; i++)
        if (s->of_design[i].sd > most->sd)
            most = &s->of_design[i];
    return most;
}

static void tell_taught(page *p, const besd_study *study, const besd_trial *t,
                        const leg_survey *s) {
    besd_path path;
    char from[PLACE], to[PLACE], before[60] = "it had not been tried before", caption[80];
    const leg_known *leg = most_doubtful(s);
    bool told = t->state != BESD_TRIAL_ASKED;
    besd_study_get_path(study, &path);
    if (leg->tried)
        snprintf(before, sizeof before, "replications had set out on it %zu time%s", leg->tried,
                 leg->tried == 1 ? "" : "s");
    page_text(p,
              "Of its legs it %s most of leg %zu of %zu, from %s to %s, which should %s %.3g to "
              "%.3g by what was known then; %s.",
              told ? "could teach" : "teaches", leg->number + 1, s->design_count,
              name_from(leg, path.coordinates, from), name_to(leg, path.coordinates, to),
              counts_time(study) ? "take" : "earn", leg->low, leg->high, before);
    snprintf(caption, sizeof caption, "The legs of trial %lld as they were known before it",
             (long long)t->id);
    put_legs(p, study, s, caption);
}

static besd_status tell_trial(page *p, besd_study *study, const besd_trial *t, besd_error *error) {
    leg_survey s;
    page_text(p, "Trial %lld (%s): %s.", (long long)t->id,
              t->state == BESD_TRIAL_ASKED ? "under way" : besd_trial_state_name((size_t)t->state),
              say_reason(t->reason));
    if (t->reason == BESD_REASON_CONFIRM || t->reason == BESD_REASON_ADDED ||
        t->state == BESD_TRIAL_VOIDED) /* they were not to teach anything, or did not */
        return BESD_OK;
    besd_status status = leg_survey_init(&s, study, t->theta, 0, t->id, error);
    if (status != BESD_OK) /* no path, or nothing was known of legs then */
        return status == BESD_UNSUPPORTED ? BESD_OK : status;
    if (s.design_count)
        tell_taught(p, study, t, &s);
    leg_survey_free(&s);
    return BESD_OK;
}

besd_status study_legs_tell_newest(page *p, besd_study *study, const besd_trial *trials,
                                   size_t count, besd_error *error) {
    const besd_trial *newest = &trials[count - 1], *for_legs = NULL;
    page_heading(p, "Why the newest trial");
    besd_status status = tell_trial(p, study, newest, error);
    for (size_t i = 0; i < count; i++)
        if (trials[i].reason == BESD_REASON_LEGS)
            for_legs = &trials[i];
    if (status == BESD_OK && for_legs && for_legs != newest) {
        page_text(p, "The newest one that was chosen for its legs:");
        status = tell_trial(p, study, for_legs, error);
    }
    return status;
}
