/* besd tell, fail: what came of a trial. */
#include "cli/common.h"
#include "core/error.h"
#include "core/print.h"
#include "json/trainer_answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What was understood; a summary is told after the transform, so the score that it means is shown.
 */
static int print_told(const verb *v, besd_study *s, int64_t id, bool scores, bool replaced,
                      besd_status status, const besd_error *error) {
    besd_trial t;
    besd_error ignored;
    if (status == BESD_REPEATED)
        print_clean(stdout, "%s\n", error->message);
    else if (scores || besd_study_trial(s, id, &t, &ignored) != BESD_OK)
        print_clean(stdout, "told%s\n", replaced ? " anew; 'besd restore' undoes it" : "");
    else
        print_clean(stdout, "told: a mean score of %.6g in the units of the scores\n", t.mean);
    return finish_output(v);
}

static besd_status tell_scores(besd_study *s, int64_t id, const number_list *scores,
                               const answer_texts *told, const double *cost, bool replace,
                               const char *why, besd_error *error) {
    besd_trial t;
    answer_route route;
    besd_leg *legs = NULL;
    bool given = answer_texts_given(told);
    besd_status status = given ? besd_study_trial(s, id, &t, error) : BESD_OK;
    if (status == BESD_OK && given)
        status =
            answer_parse_legs(told, answer_route_of(s, t.theta, &route) ? &route : NULL,
                              besd_study_get_options(s)->direction, scores->count, &legs, error);
    const besd_outcome outcome = {
        .scores = scores->items, .count = scores->count, .legs = legs, .cost = cost};
    if (status == BESD_OK)
        status = replace ? besd_study_replace(s, id, &outcome, why, error)
                         : besd_study_tell(s, id, &outcome, error);
    free(legs);
    return status;
}

int run_tell(const verb *v, int argc, char **argv) {
    const char *arguments[2] = {0}, *why = NULL;
    answer_texts told = {0};
    bool as_json = false, replace = false;
    number_list *scores = calloc(1, sizeof *scores);
    given_number cost = {0}, mean = {0}, variance = {0};
    given_integer count = {0};
    int64_t id;
    option options[] = {
        {"scores", OPTION_NUMBERS, scores, "Y,Y,...", "one score for every replication"},
        {"mean", OPTION_GIVEN_NUMBER, &mean, "M", "when only a summary is known: mean of the"},
        {"variance", OPTION_GIVEN_NUMBER, &variance, "V", "scores after the transform (of their"},
        {"count", OPTION_GIVEN_INTEGER, &count, "N",
         "logarithms, not negated), unbiased variance, number"},
        {"cost", OPTION_GIVEN_NUMBER, &cost, "C", "what was really paid (default: as planned)"},
        {"legs", OPTION_TEXT, &told.legs, "JSON",
         "of a path: when each point and the end was reached, [[4, 17], [5, null], null]"},
        {"earned", OPTION_TEXT, &told.earned, "JSON",
         "what was earned on each leg, of the same shape"},
        {"labels", OPTION_TEXT, &told.labels, "JSON",
         "where the path has labels: that of every replication, [0, 1, 0]"},
        {"replace", OPTION_FLAG, &replace, NULL, "of a told trial: in the place of its scores"},
        {"why", OPTION_TEXT, &why, "TEXT", "the reason for that"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code = EXIT_REFUSED;
    besd_study *s = NULL;
    if (!scores)
        return refuse_memory(v);
    if (!options_parse(v, options, argc, argv, arguments, 2, 2, &code) ||
        !parse_trial(v, arguments[1], &id, &code))
        ; /* said already */
    else if (scores->given == mean.given)
        code = usage_error(v, "give either --scores or --mean, --variance and --count");
    else if (scores->given && (variance.given || count.given))
        code = usage_error(v, "--variance and --count belong to --mean");
    else if (!scores->given && cost.given)
        code = usage_error(v, "--cost belongs to --scores");
    else if (!scores->given && replace)
        code = usage_error(v, "--replace takes --scores");
    else if (why && !replace)
        code = usage_error(v, "--why belongs to --replace");
    else if (!scores->given && answer_texts_given(&told))
        code = usage_error(v, "--legs, --earned and --labels belong to --scores");
    else if (!(code = open_study_file(v, arguments[0], &s))) {
        besd_error error = {0};
        const besd_summary summary = {mean.value, variance.given ? variance.value : NAN};
        const besd_outcome summed = {.count = count.value > 0 ? (size_t)count.value : 0,
                                     .summary = &summary};
        besd_status status = scores->given
                                 ? tell_scores(s, id, scores, &told, given_number_or_null(&cost),
                                               replace, why, &error)
                                 : besd_study_tell(s, id, &summed, &error);
        code = status < 0 ? refuse(v, &error)
               : as_json  ? print_trial_json(v, s, id,
                                             json_pack("{s:b}", "repeated", status == BESD_REPEATED))
                          : print_told(v, s, id, scores->given, replace, status, &error);
    }
    besd_study_close(s);
    free(scores);
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
