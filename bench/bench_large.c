/* Large studies: what the first draws cost, and a study of a hundred thousand trials, in processor
 * seconds of one thread, which other load on the machine does not lengthen. Every study is looked
 * at by a process of its own, so that its memory can be told. */
#include "bench.h"

#include "core/rng.h"

#include <besd/besd.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DIMENSION = 4, PIECE = 1000, PAGE = 500 };

static const int64_t TAUS[] = {100, 300, 1000};
static const int REPS[] = {1, 2};

static double processor_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(besd_status status, const besd_error *error) {
    if (status != BESD_OK)
        bench_fail(error->message);
}

/* A hill of which short trainings show a part; half of the designs anywhere, half near its top. */
static double worth(const double *theta, int64_t tau) {
    double squares = 0;
    for (int k = 0; k < DIMENSION; k++)
        squares += pow(theta[k] - 0.2 - 0.2 * k, 2);
    return (0.4 + 0.6 * (double)tau / 1000) * exp(-2 * squares);
}

static void make_result(size_t i, double *theta, besd_result *r, double *score) {
    rng stream = rng_open(11, RNG_TEST, i, 0, 0);
    r->tau = TAUS[i % 3];
    for (int k = 0; k < DIMENSION; k++) {
        double top = 0.2 + 0.2 * k, near = top + 0.1 * rng_normal(&stream);
        theta[k] = i % 2 ? rng_uniform(&stream) : fmin(1, fmax(0, near));
    }
    *score = worth(theta, r->tau) + 0.05 * rng_normal(&stream);
}

static void create(const char *path, besd_study **s) {
    double low[DIMENSION] = {0}, high[DIMENSION] = {1, 1, 1, 1};
    besd_study_options o = besd_study_options_default();
    besd_error error;
    o.direction = BESD_MAXIMIZE;
    o.transform = BESD_TRANSFORM_NONE;
    o.dimension = DIMENSION;
    o.low = low;
    o.high = high;
    o.taus = TAUS;
    o.tau_count = 3;
    o.reps = REPS;
    o.reps_count = 2;
    o.seed = 3;
    check(besd_study_open(s, path, &o, &error), &error);
}

static void fill(const char *path, size_t trials) {
    static besd_result results[PIECE];
    static double thetas[PIECE][DIMENSION], scores[PIECE];
    besd_study *s;
    besd_error error;
    create(path, &s);
    for (size_t first = 0; first < trials; first += PIECE) {
        size_t count = trials - first < PIECE ? trials - first : PIECE;
        for (size_t i = 0; i < count; i++) {
            results[i] = (besd_result){.theta = thetas[i], .scores = &scores[i], .count = 1};
            make_result(first + i, thetas[i], &results[i], &scores[i]);
        }
        check(besd_study_add(s, results, count, NULL, &error), &error);
    }
    besd_study_close(s);
}

typedef double act(besd_study *s); /* returns what the recommended design is worth, or 0 */

static double ask(besd_study *s) {
    besd_trial t;
    besd_error error;
    check(besd_study_ask(s, NULL, &t, &error), &error);
    return 0;
}

static double recommend(besd_study *s) {
    besd_recommendation r;
    besd_error error;
    check(besd_study_recommend(s, &r, &error), &error);
    return worth(r.theta, TAUS[2]);
}

static bool count_to_page(void *context, const besd_trial *t) {
    size_t *seen = context;
    (void)t;
    return ++*seen < PAGE;
}

/* The last page. */
static double list(besd_study *s) {
    size_t seen = 0;
    int64_t count;
    besd_error error;
    check(besd_study_trial_count(s, &count, &error), &error);
    check(besd_study_trials(s, count > PAGE ? count - PAGE : 0, count_to_page, &seen, &error),
          &error);
    return 0;
}

static double tell(besd_study *s) {
    besd_trial t;
    besd_error error;
    int64_t count;
    check(besd_study_trial_count(s, &count, &error), &error);
    check(besd_study_trial(s, count, &t, &error), &error);
    check(besd_study_tell(s, count,
                          &(besd_outcome){.scores = (double[]){0.5, 0.5}, .count = (size_t)t.reps},
                          &error),
          &error);
    return 0;
}

/* A slice of the page. */
static double forecast(besd_study *s) {
    enum { PLACES = 100 };
    double thetas[PLACES * DIMENSION];
    int64_t taus[PLACES];
    besd_forecast f[PLACES];
    besd_error error;
    for (int i = 0; i < PLACES; i++) {
        for (int k = 0; k < DIMENSION; k++)
            thetas[i * DIMENSION + k] = k ? 0.2 + 0.2 * k : (double)i / PLACES;
        taus[i] = TAUS[2];
    }
    check(besd_study_forecast_many(s, thetas, taus, PLACES, f, &error), &error);
    return 0;
}

/* What the act took in a process of its own, and that process's memory in MB. */
typedef struct price {
    double seconds, worth, megabytes;
} price;

static price measure(const char *path, act *one) {
    int ends[2];
    price p = {0};
    struct rusage used;
    if (pipe(ends))
        bench_fail("no pipe");
    if (fork() == 0) {
        besd_study *s;
        besd_error error;
        check(besd_study_open(&s, path, NULL, &error), &error);
        double start = processor_now();
        p.worth = one(s);
        p.seconds = processor_now() - start;
        _exit(write(ends[1], &p, sizeof p) != sizeof p);
    }
    close(ends[1]);
    if (read(ends[0], &p, sizeof p) != sizeof p)
        bench_fail("a process of the large study failed");
    close(ends[0]);
    wait4(-1, NULL, 0, &used);
    p.megabytes = (double)used.ru_maxrss / 1024;
    return p;
}

static void report(const char *path, size_t trials) {
    static const struct {
        const char *name;
        act *act;
    } acts[] = {{"recommend", recommend}, {"first_ask", ask}, {"tell", tell}, {"ask", ask},
                {"page", list},           {"slice", forecast}};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        char key[64], note[96];
        price p = measure(path, acts[i].act);
        snprintf(key, sizeof key, "large_%zu_%s_s", trials, acts[i].name);
        snprintf(note, sizeof note, "%.0f MB", p.megabytes);
        if (p.worth > 0)
            snprintf(note, sizeof note, "%.0f MB; what is recommended is worth %.4f of 1",
                     p.megabytes, p.worth);
        bench_report(key, p.seconds, "s", note);
    }
}

void bench_large(void) {
    static const size_t sizes[] = {500, 2000, 5000, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char folder[] = "/tmp/besd-large-XXXXXX", path[64];
        if (!mkdtemp(folder))
            bench_fail("no temporary folder");
        snprintf(path, sizeof path, "%s/s.besd", folder);
        fill(path, sizes[i]);
        report(path, sizes[i]);
        static const char *const ends[] = {"", "-wal", "-shm", "-turn"};
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            char name[80];
            snprintf(name, sizeof name, "%s%s", path, ends[k]);
            unlink(name);
        }
        rmdir(folder);
    }
}
