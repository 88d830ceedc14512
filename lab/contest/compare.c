/* The jobs of a comparison over threads, and over the ranks of MPI: rank 0 gives out numbers of
 * jobs and collects results, the other ranks compute. */
#include "contest/compare.h"

#include "cluster/ranks.h"
#include "core/clock.h"
#include "core/error.h"
#include "study/fitting.h"
#include "world/solve.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What rank 0 does for the ranks that come to it. */
typedef struct desk {
    void *context;
    int64_t (*take)(void *context); /* the next job, -1: no more */
    void (*deliver)(void *context, int64_t job, besd_status status, const job_result *result,
                    const besd_error *error);
} desk;

/* A report is this, and after it the trials. */
typedef struct report {
    int64_t job;
    besd_status status;
    job_result result; /* its pointer means nothing elsewhere */
    besd_error error;
} report;

/* Memory without which the exchange cannot go on: a rank that ends takes the job with it. */
static void *need(size_t size) {
    void *memory = malloc(size + 1);
    if (!memory)
        abort();
    return memory;
}

static void desk_receive(const desk *d, const rank_message *m) {
    report r;
    memcpy(&r, m->bytes, sizeof r);
    size_t size = r.result.trial_count * sizeof *r.result.trials;
    r.result.trials = need(size);
    memcpy(r.result.trials, m->bytes + sizeof r, size);
    if (r.job >= 0)
        d->deliver(d->context, r.job, r.status, &r.result, &r.error);
    free(r.result.trials);
}

/* Rank 0: serves one rank that waits, and counts it as dismissed when there is no more job for it.
 * False when no rank waits. */
static bool desk_attend(const desk *d, int *dismissed) {
    rank_message m;
    if (!ranks_receive(&m))
        return false;
    desk_receive(d, &m);
    free(m.bytes);
    int64_t next = d->take(d->context);
    ranks_send(m.from, &next, sizeof next);
    *dismissed += next < 0;
    return true;
}

/* Another rank: hands in a job (job < 0: none yet) and gets the number of the next; -1: no more. */
static int64_t desk_exchange(int64_t job, besd_status status, const job_result *result,
                             const besd_error *error) {
    report r = {.job = job, .status = status};
    if (job >= 0 && status == BESD_OK)
        r.result = *result;
    if (job >= 0 && status != BESD_OK)
        r.error = *error;
    size_t size = r.result.trial_count * sizeof *r.result.trials;
    char *bytes = need(sizeof r + size);
    memcpy(bytes, &r, sizeof r);
    if (size)
        memcpy(bytes + sizeof r, r.result.trials, size);
    ranks_send(0, bytes, sizeof r + size);
    free(bytes);
    rank_message answer;
    int64_t next;
    ranks_await(&answer);
    memcpy(&next, answer.bytes, sizeof next);
    free(answer.bytes);
    return next;
}

/* Jobs are numbered replication after replication, so that an early stop leaves every contender
 * with about as many; within a replication domain after domain. */
static int64_t job_count(const comparison *c) {
    return (int64_t)c->replications * c->contest_count * c->contender_count;
}

typedef struct job_name {
    const contest *contest;
    const contender *contender;
    int replication;
} job_name;

static job_name name_of(const comparison *c, int64_t number) {
    int64_t rest = number / c->contender_count;
    return (job_name){.contest = &c->contests[rest % c->contest_count],
                      .contender = &c->contenders[number % c->contender_count],
                      .replication = (int)(rest / c->contest_count)};
}

/* A learner without subgoals gives the same in every replication. */
static bool is_needless(const job_name *name) {
    return name->contender->kind == CONTENDER_PLAIN && name->replication > 0;
}

typedef struct state {
    const comparison *comparison;
    results *results;
    compare_watch *watch;
    void *context;
    int64_t *todo, todo_count, taken, done;
    double noted; /* until when time is on record */
    bool stopped;
    besd_status status;
    besd_error *error;
} state;

/* NaN for an environment without a table, whose optimum is not known. */
static besd_status find_optimum(const contest *c, int64_t instances, double *optimum,
                                besd_error *error) {
    solution_summary best;
    besd_status status = solve_domain(&c->domain, contest_test_seed(c), instances, &best, error);
    *optimum = status == BESD_OK ? best.mean : NAN;
    return status == BESD_UNSUPPORTED ? BESD_OK : status;
}

void compare_identify(const domain *d, char *text, size_t size) {
    domain usual;
    domain_identity(d, text, size);
    if (!d->built_in || domain_find(d->name, &usual, NULL) != BESD_OK)
        domain_init(&usual, d->name, "");
    size_t length = strlen(text);
    if (d->initial_designs != usual.initial_designs)
        snprintf(text + length, size - length, " initial_designs=%d", d->initial_designs);
}

static besd_status settle(const contest *c, results *r, besd_error *error) {
    results_contest row = {.maximise = c->domain.objective == OBJECTIVE_RETURN,
                           .budget = c->budget,
                           .instances = c->instances,
                           .checkpoint = c->checkpoint,
                           .seed = c->seed};
    bool found = false;
    strncpy(row.domain, c->domain.name, sizeof row.domain - 1);
    compare_identify(&c->domain, row.identity, sizeof row.identity);
    besd_status status = results_settle(r, &row, &found, error);
    if (status != BESD_OK || found)
        return status;
    status = find_optimum(c, c->instances, &row.optimum, error);
    if (status == BESD_OK)
        status = find_optimum(c, contest_curve_instances(c), &row.curve_optimum, error);
    if (status == BESD_OK)
        status = job_plain_score(c, &row.plain_score, error);
    if (status == BESD_OK)
        status = job_learning_curve(c, NULL, 0, row.plain, error);
    if (status == BESD_OK)
        status = results_add_contest(r, &row, error);
    /* another process may have been first, with other settings */
    return status == BESD_OK ? results_settle(r, &row, &found, error) : status;
}

static besd_status list_jobs(state *s, besd_error *error) {
    int64_t count = job_count(s->comparison);
    s->todo = malloc((size_t)(count + 1) * sizeof *s->todo);
    if (!s->todo)
        return besd_fail_memory(error, "the list of jobs");
    for (int64_t i = 0; i < count; i++) {
        job_name name = name_of(s->comparison, i);
        bool has = is_needless(&name);
        besd_status status = has ? BESD_OK
                                 : results_has(s->results, name.contest->domain.name,
                                               name.contender->name, name.replication, &has, error);
        if (status != BESD_OK)
            return status;
        if (!has)
            s->todo[s->todo_count++] = i;
    }
    return BESD_OK;
}

/* The number of the next job, -1 when there is none or the comparison stops. */
static int64_t take(void *context) {
    state *s = context;
    int64_t job = -1;
#pragma omp critical(besd_compare)
    if (!s->stopped && s->status == BESD_OK && s->taken < s->todo_count)
        job = s->todo[s->taken++];
    return job;
}

/* Seconds since this was asked last. */
static double take_time(state *s) {
    double before = s->noted;
    s->noted = clock_seconds();
    return s->noted - before;
}

static void deliver(void *context, int64_t job, besd_status status, const job_result *result,
                    const besd_error *error) {
    state *s = context;
    job_name name = name_of(s->comparison, job);
#pragma omp critical(besd_compare)
    {
        besd_error own;
        const char *advice = "";
        if (status == BESD_OK) {
            advice = "; finished jobs are kept, and the same command goes on from there";
            status = results_add(s->results, name.contest->domain.name, name.contender->name,
                                 name.replication, result, take_time(s), &own);
            error = &own;
        }
        if (status != BESD_OK && s->status == BESD_OK) {
            s->status = besd_fail(s->error, status, "%s, %s, replication %d: %.300s%s",
                                  name.contest->domain.name, name.contender->name,
                                  name.replication + 1, error->message, advice);
        }
        s->done++;
        if (status == BESD_OK && s->watch &&
            !s->watch(s->context, s->done, s->todo_count, name.contest->domain.name,
                      name.contender->name, name.replication))
            s->stopped = true;
    }
}

static void work(state *s) {
    for (int64_t job = take(s); job >= 0; job = take(s)) {
        job_name name = name_of(s->comparison, job);
        job_result result;
        besd_error error;
        besd_status status =
            job_run(name.contest, name.contender, name.replication, &result, &error);
        deliver(s, job, status, &result, &error);
        if (status == BESD_OK)
            job_result_free(&result);
    }
}

/* Rank 0 answers the others until each of them has been sent home. */
static void attend(state *s) {
    desk at_rank_0 = {.context = s, .take = take, .deliver = deliver};
    int dismissed = 1;
    while (dismissed < ranks_count())
        if (!desk_attend(&at_rank_0, &dismissed))
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

besd_status compare_run(const comparison *c, results *r, compare_watch *watch, void *context,
                        besd_error *error) {
    besd_error own_error = {0};
    state s = {.comparison = c,
               .results = r,
               .watch = watch,
               .context = context,
               .noted = clock_seconds(),
               .error = error ? error : &own_error};
    for (int i = 0; s.status == BESD_OK && i < c->contest_count; i++)
        s.status = settle(&c->contests[i], r, s.error);
    if (s.status == BESD_OK)
        s.status = list_jobs(&s, s.error);
    bool ranks = ranks_count() > 1;
    /* the analyser does not see that the pragma reads it; NOLINTNEXTLINE(*-deadcode.DeadStores) */
    int threads = c->threads ? c->threads : ranks ? 1 : omp_get_num_procs();
    if (s.status == BESD_OK)
        s.status = fitting_begin((size_t)threads, s.error);
#pragma omp parallel num_threads(threads + ranks)
    {
        if (ranks && omp_get_thread_num() == 0)
            attend(&s);
        else
            work(&s);
    }
    free(s.todo);
    if (s.status == BESD_OK && s.stopped)
        return besd_fail(s.error, BESD_DONE, "stopped");
    return s.status;
}

static int64_t take_nothing(void *context) {
    (void)context;
    return -1;
}

void compare_dismiss(void) {
    desk at_rank_0 = {.take = take_nothing};
    for (int dismissed = 1; dismissed < ranks_count();)
        if (!desk_attend(&at_rank_0, &dismissed))
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

besd_status compare_serve(const comparison *c, besd_error *error) {
    job_result result = {0};
    besd_status status = BESD_OK;
    for (int64_t job = desk_exchange(-1, BESD_OK, NULL, NULL); job >= 0;
         job = desk_exchange(job, status, &result, error)) {
        job_result_free(&result);
        job_name name = name_of(c, job);
        status = job_run(name.contest, name.contender, name.replication, &result, error);
    }
    job_result_free(&result);
    return BESD_OK;
}
