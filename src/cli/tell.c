/* besd tell, fail: what came of a trial. */
#include "cli/common.h"
#include "core/error.h"
#include "core/print.h"
#include "json/trainer_answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The scores or a summary that `besd tell` was given, and what goes with them. */
typedef struct tell_words {
    number_list *scores;
    given_number mean, variance, cost;
    given_integer count;
    answer_texts told;
    const char *why;
    bool replace;
} tell_words;

/* Which of the words do not go together; NULL: all do. */
static const char *contradiction(const tell_words *w) {
    if (w->scores->given == w->mean.given)
        return "give either --scores or --mean, --variance and --count";
    if (w->scores->given && (w->variance.given || w->count.given))
        return "--variance and --count belong to --mean";
    if (!w->scores->given && w->cost.given)
        return "--cost belongs to --scores";
    if (!w->scores->given && w->replace)
        return "--replace takes --scores";
    if (w->why && !w->replace)
        return "--why belongs to --replace";
    if (!w->scores->given && answer_texts_given(&w->told))
        return "--legs, --earned and --labels belong to --scores";
    return NULL;
}

/* What was understood; a summary is told after the transform, so the score that it means is shown.
 */
static int print_told(const verb *v, besd_study *s, int64_t id, const tell_words *w,
                      besd_status status, const besd_error *error) {
    besd_trial t;
    besd_error ignored;
    if (status == BESD_REPEATED)
        print_clean(stdout, "%s\n", error->message);
    else if (w->scores->given || besd_study_trial(s, id, &t, &ignored) != BESD_OK)
        print_clean(stdout, "told%s\n", w->replace ? " anew; 'besd restore' undoes it" : "");
    else
        print_clean(stdout, "told: a mean score of %.6g in the units of the scores\n", t.mean);
    return finish_output(v);
}

static besd_status tell_scores(besd_study *s, int64_t id, const tell_words *w, besd_error *error) {
    besd_trial t;
    answer_route route;
    besd_leg *legs = NULL;
    bool given = answer_texts_given(&w->told);
    besd_status status = given ? besd_study_trial(s, id, &t, error) : BESD_OK;
    if (status == BESD_OK && given)
        status =
            answer_parse_legs(&w->told, answer_route_of(s, t.theta, &route) ? &route : NULL,
                              besd_study_get_options(s)->direction, w->scores->count, &legs, error);
    const besd_outcome outcome = {.scores = w->scores->items,
                                  .count = w->scores->count,
                                  .legs = legs,
                                  .cost = given_number_or_null(&w->cost)};
    if (status == BESD_OK)
        status = w->replace ? besd_study_replace(s, id, &outcome, w->why, error)
                            : besd_study_tell(s, id, &outcome, error);
    free(legs);
    return status;
}

static besd_status tell_outcome(besd_study *s, int64_t id, const tell_words *w, besd_error *error) {
    if (w->scores->given)
        return tell_scores(s, id, w, error);
    const besd_summary summary = {w->mean.value, w->variance.given ? w->variance.value : NAN};
    const besd_outcome summed = {.count = w->count.value > 0 ? (size_t)w->count.value : 0,
                                 .summary = &summary};
    return besd_study_tell(s, id, &summed, error);
}

int run_tell(const verb *v, int argc, char **argv) {
    const char *arguments[2] = {0}, *wrong;
    bool as_json = false;
    tell_words w = {.scores = calloc(1, sizeof *w.scores)};
    int64_t id;
    option options[] = {
        {"scores", OPTION_NUMBERS, w.scores, "Y,Y,...", "one score for every replication"},
        {"mean", OPTION_GIVEN_NUMBER, &w.mean, "M", "when only a summary is known: mean of the"},
        {"variance", OPTION_GIVEN_NUMBER, &w.variance, "V", "scores after the transform (of their"},
        {"count", OPTION_GIVEN_INTEGER, &w.count, "N",
         "logarithms, not negated), unbiased variance, number"},
        {"cost", OPTION_GIVEN_NUMBER, &w.cost, "C", "what was really paid (default: as planned)"},
        {"legs", OPTION_TEXT, &w.told.legs, "JSON",
         "of a path: when each point and the end was reached, [[4, 17], [5, null], null]"},
        {"earned", OPTION_TEXT, &w.told.earned, "JSON",
         "what was earned on each leg, of the same shape"},
        {"labels", OPTION_TEXT, &w.told.labels, "JSON",
         "where the path has labels: that of every replication, [0, 1, 0]"},
        {"replace", OPTION_FLAG, &w.replace, NULL, "of a told trial: in the place of its scores"},
        {"why", OPTION_TEXT, &w.why, "TEXT", "the reason for that"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code = EXIT_REFUSED;
    besd_study *s = NULL;
    if (!w.scores)
        return refuse_memory(v);
    if (!options_parse(v, options, argc, argv, arguments, 2, 2, &code) ||
        !parse_trial(v, arguments[1], &id, &code))
        ; /* said already */
    else if ((wrong = contradiction(&w)))
        code = usage_error(v, "%s", wrong);
    else if (!(code = open_study_file(v, arguments[0], &s))) {
        besd_error error = {0};
        besd_status status = tell_outcome(s, id, &w, &error);
        code = status < 0 ? refuse(v, &error)
               : as_json  ? print_trial_json(v, s, id,
                                             json_pack("{s:b}", "repeated", status == BESD_REPEATED))
                          : print_told(v, s, id, &w, status, &error);
    }
    besd_study_close(s);
    free(w.scores);
    return code;
}

int run_fail(const verb *v, int argc, char **argv) {
    const char *arguments[2] = {0}, *note = NULL;
    bool as_json = false;
    given_number cost = {0};
    int64_t id;
    option options[] = {
        {"cost", OPTION_GIVEN_NUMBER, &cost, "C", "what it cost (default: as planned)"},
        {"note", OPTION_TEXT, &note, "TEXT", "why, to be kept"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, arguments, 2, 2, &code))
        return code;
    if (!parse_trial(v, arguments[1], &id, &code))
        return code;
    besd_study *s;
    besd_error error;
    if (open_study_file(v, arguments[0], &s))
        return EXIT_REFUSED;
    besd_status status = besd_study_fail(s, id, given_number_or_null(&cost), note, &error);
    if (status != BESD_OK) {
        code = refuse(v, &error);
    } else if (as_json) {
        code = print_trial_json(v, s, id, NULL);
    } else {
        puts("recorded as failed; the study goes on");
        code = finish_output(v);
    }
    besd_study_close(s);
    return code;
}
