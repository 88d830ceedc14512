/* A study of a thousand asks and tells, with a failure now and then, reopened on the way: the work
 * for scripts/memcheck.sh.
 *
 *     long_study FILE TRIALS besd|random
 */
#include <besd/besd.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int give_up(const besd_error *error) {
    fprintf(stderr, "long_study: %s\n", error->message);
    return 1;
}

static besd_status one_trial(besd_study *study, besd_error *error) {
    besd_trial t;
    double scores[BESD_MAX_REPS];
    besd_status status = besd_study_ask(study, NULL, &t, error);
    if (status)
        return status;
    if (t.id % 17 == 0)
        return besd_study_fail(study, t.id, NULL, "now and then", error);
    for (int i = 0; i < t.reps; i++)
        scores[i] = sin(3 * t.theta[0]) - t.theta[1] * t.theta[1] + 0.01 * i;
    return besd_study_tell(study, t.id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                           error);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    double low[] = {0, -1}, high[] = {1, 1};
    int64_t taus[] = {10, 40};
    int reps[] = {2, 4};
    besd_method method = strcmp(argv[3], "besd") ? BESD_METHOD_RANDOM : BESD_METHOD_BESD;
    besd_study_options options = besd_study_options_default();
    options.dimension = 2;
    options.low = low;
    options.high = high;
    options.taus = taus;
    options.tau_count = 2;
    options.reps = reps;
    options.reps_count = 2;
    options.method = method;
    options.targets = 50;
    options.seed = 1;
    besd_study *study;
    besd_error error;
    besd_recommendation best;
    double mean, sd;
    if (besd_study_open(&study, argv[1], &options, &error))
        return give_up(&error);
    for (long i = 0, trials = atol(argv[2]); i < trials; i++) {
        if (one_trial(study, &error))
            return give_up(&error);
        if (i % 100 == 50) {
            besd_study_close(study);
            if (besd_study_open(&study, argv[1], NULL, &error))
                return give_up(&error);
        }
    }
    if (besd_study_recommend(study, &best, &error) ||
        (method == BESD_METHOD_BESD &&
         besd_study_predict(study, best.theta, 40, &mean, &sd, &error)))
        return give_up(&error);
    printf("%lld told, best at (%.3f, %.3f)\n", (long long)best.trials, best.theta[0],
           best.theta[1]);
    besd_study_close(study);
    return 0;
}
