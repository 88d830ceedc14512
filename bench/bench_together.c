/* Eight processes on one study of 600 told trials: each asks, tells, asks again. A tell must not
 * wait for somebody's ask. */
#include "bench.h"

#include "run/domain_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 8, BEFORE = 600, MOST = 4096 };

static const double SECONDS = 12;

/* What the workers leave for their parent. */
typedef struct shared {
    double asks[WORKERS][MOST], tells[WORKERS][MOST]; /* seconds each took */
    int count[WORKERS];
} shared;

static void check(besd_status status, const besd_error *error) {
    if (status != BESD_OK)
        bench_fail(error->message);
}

static void score(const besd_trial *t, double *scores) {
    for (int k = 0; k < t->reps; k++)
        scores[k] = 20 + 10 * hypot(t->theta[0] - 7, t->theta[3] - 9) + (double)((t->id + k) % 7);
}

static void prepare(const domain_study *b, const char *path) {
    besd_study_options o = b->options;
    besd_study *s;
    besd_error error;
    double scores[BESD_MAX_REPS];
    o.seed = 1;
    o.initial_designs = BEFORE / (int)o.tau_count;
    check(besd_study_open(&s, path, &o, &error), &error);
    for (int i = 0; i < BEFORE; i++) {
        besd_trial t;
        check(besd_study_ask(s, NULL, &t, &error), &error);
        score(&t, scores);
        check(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                              &error),
              &error);
    }
    besd_study_close(s);
}

static void work(const char *path, shared *all, int worker) {
    besd_study *s;
    besd_error error;
    double scores[BESD_MAX_REPS], end = bench_now() + SECONDS;
    check(besd_study_open(&s, path, NULL, &error), &error);
    while (bench_now() < end && all->count[worker] < MOST) {
        besd_trial t;
        double begin = bench_now();
        check(besd_study_ask(s, NULL, &t, &error), &error);
        double asked = bench_now();
        score(&t, scores);
        check(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                              &error),
              &error);
        all->tells[worker][all->count[worker]] = bench_now() - asked;
        all->asks[worker][all->count[worker]++] = asked - begin;
    }
    besd_study_close(s);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void report(const shared *all) {
    static double tells[WORKERS * MOST], asks[WORKERS * MOST];
    size_t count = 0;
    for (int w = 0; w < WORKERS; w++)
        for (int i = 0; i < all->count[w]; i++, count++) {
            tells[count] = all->tells[w][i];
            asks[count] = all->asks[w][i];
        }
    if (!count)
        bench_fail("no worker got a trial");
    qsort(tells, count, sizeof *tells, ascending);
    qsort(asks, count, sizeof *asks, ascending);
    char note[120];
    snprintf(note, sizeof note, "%zu tells of %d processes; p99 %.3g ms, median %.3g ms", count,
             WORKERS, 1e3 * tells[count * 99 / 100], 1e3 * tells[count / 2]);
    bench_report("tell_together_worst_ms", 1e3 * tells[count - 1], "ms", note);
    snprintf(note, sizeof note, "their asks at %d told trials; median %.3g ms, worst %.3g ms",
             BEFORE, 1e3 * asks[count / 2], 1e3 * asks[count - 1]);
    bench_report("asks_together_per_s", (double)count / SECONDS, "1/s", note);
}

void bench_together(void) {
    char path[] = "/tmp/besd-bench-XXXXXX", name[64];
    domain gw10;
    domain_study b;
    besd_error error;
    int file = mkstemp(path);
    shared *all =
        mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (file < 0 || all == MAP_FAILED)
        bench_fail("no temporary file, or no memory");
    close(file);
    check(domain_find("gw10", &gw10, &error), &error);
    check(domain_study_init(&b, &gw10, &error), &error);
    prepare(&b, path);
    for (int w = 0; w < WORKERS; w++)
        if (fork() == 0) {
            work(path, all, w);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    report(all);
    munmap(all, sizeof *all);
    for (int i = 0; i < 3; i++) {
        static const char *const ends[] = {"", "-wal", "-shm"};
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
}
