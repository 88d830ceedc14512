/* A study from C: where should a lamp stand so that a nervous moth finds it?
 *
 * The trainer is yours; here it is a formula with noise. It gets a place (x, y), a training length
 * tau and a number of replications, and answers with one score per replication: the seconds the
 * moth takes, fewer after a longer training.
 *
 *     cc ask_tell.c $(pkg-config --cflags --libs besd) -lm && ./a.out moth.besd
 */
#include <besd/besd.h>

#include <math.h>
#include <stdio.h>

/* A small generator of our own, so that a trial gives the same scores whenever it is repeated. */
static double noise(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

static void train_moth(const besd_trial *t, double *scores) {
    uint64_t state = t->seed;
    double distance = hypot(t->theta[0] - 3, t->theta[1] - 7);
    double patience = 400.0 / (double)t->tau;
    for (int i = 0; i < t->reps; i++)
        scores[i] = exp(1 + 0.3 * distance + 0.2 * patience + 0.4 * noise(&state));
}

static int give_up(const besd_error *error) {
    fprintf(stderr, "ask_tell: %s\n", error->message);
    return 1;
}

int main(int argc, char **argv) {
    const char *names[] = {"x", "y"}, *units[] = {"m", "m"};
    double low[] = {0, 0}, high[] = {10, 10};
    int64_t taus[] = {100, 400};
    int reps[] = {2, 8};
    besd_study_options options = besd_study_options_default();
    options.dimension = 2;
    options.low = low;
    options.high = high;
    options.names = names;
    options.units = units;
    options.taus = taus;
    options.tau_count = 2;
    options.reps = reps;
    options.reps_count = 2;
    options.direction = BESD_MINIMIZE;
    options.transform = BESD_TRANSFORM_LOG;
    options.budget = 20000;
    options.targets = 500;
    options.seed = 7;
    besd_study *study;
    besd_trial trial;
    besd_recommendation best;
    besd_error error;
    besd_status status;
    if (besd_study_open(&study, argc > 1 ? argv[1] : "moth.besd", &options, &error))
        return give_up(&error);
    while ((status = besd_study_ask(study, NULL, &trial, &error)) == BESD_OK) {
        double scores[BESD_MAX_REPS];
        train_moth(&trial, scores);
        if (besd_study_tell(study, trial.id,
                            &(besd_outcome){.scores = scores, .count = (size_t)trial.reps}, &error))
            return give_up(&error);
    }
    if (status != BESD_DONE || besd_study_recommend(study, &best, &error))
        return give_up(&error);
    printf("put the lamp at (%.2f, %.2f): about %.1f seconds, after %lld trials\n", best.theta[0],
           best.theta[1], best.value, (long long)best.trials);
    besd_study_close(study);
    return 0;
}
