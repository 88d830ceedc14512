/* Small studies for tests: a folder that disappears, a cheap trainer, options that make an ask take
 * milliseconds. */
#ifndef BESD_TESTS_STUDY_FIXTURE_H
#define BESD_TESTS_STUDY_FIXTURE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "testing.h"

#include "besd/besd.h"
#include "core/rng.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATH_SIZE = 256 };

/* The folder of this program's files: cmocka's group fixtures. */
static char folder[PATH_SIZE / 2];

static inline int make_folder(void **state) {
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/besd-test-XXXXXX", parent ? parent : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_one(const char *path, const struct stat *status, int type,
                             struct FTW *place) {
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

static inline int remove_folder(void **state) {
    (void)state;
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A file name that was not used before. */
static inline const char *new_path(char path[PATH_SIZE]) {
    static int files;
    snprintf(path, PATH_SIZE, "%s/%d.db", folder, files++);
    return path;
}

typedef struct bytes {
    unsigned char *data; /* the caller's to free */
    size_t size;
} bytes;

static inline bytes read_bytes(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    bytes b = {NULL, (size_t)ftell(file)};
    b.data = malloc(b.size + 1);
    assert_non_null(b.data);
    rewind(file);
    assert_int_equal(fread(b.data, 1, b.size, file), b.size);
    fclose(file);
    return b;
}

/* The file has the bytes of before, which are freed. */
static inline void assert_unchanged(const char *path, bytes before) {
    bytes after = read_bytes(path);
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.data, before.data, before.size);
    free(before.data);
    free(after.data);
}

/* The file and what SQLite keeps beside it. */
static inline void remove_study(const char *path) {
    const char *const endings[] = {"", "-wal", "-shm", "-journal", "-ask"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char name[PATH_SIZE + 16];
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

/* The file has these bytes, and there is nothing beside it. */
static inline void write_bytes(const char *path, const void *data, size_t size) {
    remove_study(path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* The box [0, 10]^dimension, two training lengths, two numbers of replications. */
static inline besd_study_options small_options(size_t dimension, uint64_t seed) {
    static double low[BESD_MAX_DIMENSION], high[BESD_MAX_DIMENSION];
    static const int64_t taus[] = {10, 30};
    static const int reps[] = {2, 4};
    for (size_t i = 0; i < BESD_MAX_DIMENSION; i++)
        high[i] = 10;
    besd_study_options o = besd_study_options_default();
    o.model = BESD_MODEL_PAPER; /* fast, and its bytes have been known for long */
    o.dimension = dimension;
    o.low = low;
    o.high = high;
    o.taus = taus;
    o.tau_count = 2;
    o.reps = reps;
    o.reps_count = 2;
    o.seed = seed;
    o.targets = 60;
    return o;
}

/* Where the trainer below does best. */
static inline double best_coordinate(size_t i) {
    return i % 2 ? 7 : 3;
}

/* A quadratic with its maximum 1, less what 30 - tau interactions would still have taught, and
 * noise of standard deviation 0.05 that only the trial's seed decides. */
static inline void train(const besd_trial *t, size_t dimension, double *scores) {
    double level = 1 - 0.01 * (30 - (double)t->tau);
    for (size_t i = 0; i < dimension; i++) {
        double away = (t->theta[i] - best_coordinate(i)) / 10;
        level -= 4 * away * away / (double)dimension;
    }
    for (int r = 0; r < t->reps; r++) {
        rng stream = rng_open(t->seed, RNG_TEST, (uint64_t)r, 0, 0);
        scores[r] = level + 0.05 * rng_normal(&stream);
    }
}

static inline bool same_numbers(const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* All that a decision consists of is equal to the last bit. */
static inline bool same_trial(const besd_trial *a, const besd_trial *b) {
    return a->id == b->id && same_numbers(a->theta, b->theta, BESD_MAX_DIMENSION) &&
           a->tau == b->tau && a->reps == b->reps && a->seed == b->seed && a->reason == b->reason &&
           a->cost == b->cost && a->repeats == b->repeats;
}

#define assert_same_trial(a, b)                                                                    \
    do {                                                                                           \
        const besd_trial *a_ = (a), *b_ = (b);                                                     \
        if (!same_trial(a_, b_))                                                                   \
            fail_msg("trials %lld (%.17g, %.17g; tau %lld, reps %d, seed %llu, reason %d) and "    \
                     "%lld (%.17g, %.17g; tau %lld, reps %d, seed %llu, reason %d) differ",        \
                     (long long)a_->id, a_->theta[0], a_->theta[1], (long long)a_->tau, a_->reps,  \
                     (unsigned long long)a_->seed, (int)a_->reason, (long long)b_->id,             \
                     b_->theta[0], b_->theta[1], (long long)b_->tau, b_->reps,                     \
                     (unsigned long long)b_->seed, (int)b_->reason);                               \
    } while (0)

static inline besd_study *open_study(const char *path, const besd_study_options *options) {
    besd_study *s = NULL;
    besd_error error = {BESD_OK, ""};
    assert_ok(besd_study_open(&s, path, options, &error), &error);
    return s;
}

static inline besd_study *new_study(const besd_study_options *options) {
    char path[PATH_SIZE];
    return open_study(new_path(path), options);
}

static inline besd_trial ask(besd_study *s) {
    besd_trial t;
    besd_error error = {BESD_OK, ""};
    assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
    return t;
}

/* Trains a trial and tells its scores. */
static inline void answer(besd_study *s, const besd_trial *t) {
    double scores[BESD_MAX_REPS];
    besd_error error = {BESD_OK, ""};
    train(t, besd_study_get_options(s)->dimension, scores);
    assert_ok(besd_study_tell(s, t->id, &(besd_outcome){.scores = scores, .count = (size_t)t->reps},
                              &error),
              &error);
}

/* Asks and answers `count` times; the trials go to `trials` unless it is NULL. */
static inline void run_trials(besd_study *s, int count, besd_trial *trials) {
    for (int i = 0; i < count; i++) {
        besd_trial t = ask(s);
        answer(s, &t);
        if (trials)
            trials[i] = t;
    }
}

static inline besd_trial get_trial(besd_study *s, int64_t id) {
    besd_trial t;
    besd_error error = {BESD_OK, ""};
    assert_ok(besd_study_trial(s, id, &t, &error), &error);
    return t;
}

static inline int64_t trial_count(besd_study *s) {
    int64_t count = -1;
    besd_error error = {BESD_OK, ""};
    assert_ok(besd_study_trial_count(s, &count, &error), &error);
    return count;
}

static inline double spent(besd_study *s) {
    double cost = -1;
    besd_error error = {BESD_OK, ""};
    assert_ok(besd_study_spent(s, &cost, &error), &error);
    return cost;
}

/* Small, and past its initial design after four trials. */
static inline besd_study_options short_options(size_t dimension, uint64_t seed) {
    besd_study_options o = small_options(dimension, seed);
    o.initial_designs = 2;
    return o;
}

static inline besd_recommendation recommend(besd_study *s) {
    besd_error error = {BESD_OK, ""};
    besd_recommendation best;
    assert_ok(besd_study_recommend(s, &best, &error), &error);
    return best;
}

static inline double predict_at(besd_study *s, double first, double second, int64_t tau,
                                double *sd) {
    besd_error error = {BESD_OK, ""};
    double theta[BESD_MAX_DIMENSION] = {first, second}, mean, own_sd;
    assert_ok(besd_study_predict(s, theta, tau, &mean, sd ? sd : &own_sd, &error), &error);
    return mean;
}

/* What the trainer would give at the largest tau without noise; at most 1. */
static inline double quality(const double *theta, size_t dimension) {
    double level = 1;
    for (size_t i = 0; i < dimension; i++)
        level -= 4 * pow((theta[i] - best_coordinate(i)) / 10, 2) / (double)dimension;
    return level;
}

#endif
