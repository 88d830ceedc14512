#include "contest/job.h"

#include "contest/transfer.h"
#include "core/error.h"
#include "core/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void contest_init(contest *c, const domain *d) {
    static const struct {
        const char *name;
        double budget;
        int64_t checkpoint; /* m of the paper's table 1 */
    } known[] = {{"gw10", 1.6e6, 100}, {"gw20", 1.6e7, 1000}, {"tr", 1.2e6, 200},
                 {"key2", 8e5, 500},   {"key3", 8e5, 500},    {"mc", 2.5e7, 1000}};
    int64_t tenth = domain_tau_max(d) / JOB_CHECKPOINTS;
    *c = (contest){.domain = *d, .seed = 1, .instances = 200, .checkpoint = tenth ? tenth : 1};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (d->built_in && !strcmp(d->name, known[i].name)) {
            c->budget = known[i].budget;
            c->checkpoint = known[i].checkpoint;
        }
}

uint64_t contest_test_seed(const contest *c) {
    return rng_seed(c->seed, RNG_TEST, 0, 0, 0) >> 1;
}

uint64_t job_transfer_seed(const contest *c, int replication) {
    return rng_seed(c->seed, RNG_CONTEST, (uint64_t)replication, 1, 0);
}

int64_t contest_curve_instances(const contest *c) {
    return 5 * c->instances;
}

/* What a job works with. */
typedef struct job {
    const contest *contest;
    const contender *contender;
    bridge bridge;
    besd_study *study;
    job_result *result;
    size_t next;      /* point */
    job_point tested; /* the newest design that was tested */
} job;

static besd_status test(const contest *c, const bridge *b, const double *theta, double *mean,
                        double *se, besd_error *error) {
    trial_result result;
    besd_status status = bridge_test(b, theta, c->instances, contest_test_seed(c), &result, error);
    if (status != BESD_OK)
        return status;
    sample_summary s = stats_summarise(result.final, result.agents);
    *mean = s.mean;
    *se = s.se;
    trial_result_free(&result);
    return BESD_OK;
}

static double point_cost(const contest *c, size_t k) {
    return c->budget * (double)(k + 1) / JOB_POINTS;
}

/* What would be used now: the recommendation, or the newest design. */
static besd_status current_design(job *j, double *theta, besd_error *error) {
    const job_result *r = j->result;
    if (j->contender->latest && r->trial_count) {
        memcpy(theta, r->trials[r->trial_count - 1].theta, sizeof r->trials->theta);
        return BESD_OK;
    }
    besd_recommendation recommendation;
    besd_status status = besd_study_recommend(j->study, &recommendation, error);
    memcpy(theta, recommendation.theta, sizeof recommendation.theta);
    return status;
}

/* Tests what would be used now, unless that is what was tested last. */
static besd_status test_current(job *j, double cost, job_point *p, besd_error *error) {
    job_point now = {.cost = cost, .known = true};
    besd_status status = current_design(j, now.theta, error);
    if (status == BESD_OK &&
        (!j->tested.known || memcmp(j->tested.theta, now.theta, sizeof now.theta) != 0)) {
        status = test(j->contest, &j->bridge, now.theta, &now.mean, &now.se, error);
        j->tested = now;
    }
    *p = j->tested;
    p->cost = cost;
    return status;
}

/* Fills in the points up to (not including) a cost: what is known now was in force there. */
static besd_status fill_points(job *j, double until, besd_error *error) {
    job_point now = {0};
    besd_status status = BESD_OK;
    for (; status == BESD_OK && j->next < JOB_POINTS && point_cost(j->contest, j->next) < until;
         j->next++) {
        now.cost = point_cost(j->contest, j->next);
        if (j->result->trial_count && !now.known)
            status = test_current(j, now.cost, &now, error);
        j->result->points[j->next] = now;
    }
    return status;
}

/* The recommendation after the newest trial, when it is not that of before. */
static besd_status note_change(job *j, besd_error *error) {
    job_trial *newest = &j->result->trials[j->result->trial_count - 1];
    job_point before = j->tested, now;
    besd_status status = test_current(j, newest->cost, &now, error);
    if (!before.known || memcmp(before.theta, now.theta, sizeof now.theta) != 0)
        newest->change = now;
    return status;
}

static besd_status note_trial(job *j, const besd_trial *t, const double *scores, double spent,
                              besd_error *error) {
    job_result *r = j->result;
    if (r->trial_count == r->trial_capacity) {
        size_t capacity = r->trial_capacity ? 2 * r->trial_capacity : 64;
        job_trial *grown = realloc(r->trials, capacity * sizeof *grown);
        if (!grown)
            return besd_fail_memory(error, "the trials");
        r->trials = grown;
        r->trial_capacity = capacity;
    }
    job_trial *note = &r->trials[r->trial_count++];
    *note =
        (job_trial){.tau = t->tau, .reps = t->reps, .reason = (int32_t)t->reason, .cost = spent};
    memcpy(note->theta, t->theta, sizeof note->theta);
    note->mean = stats_summarise(scores, (size_t)t->reps).mean;
    return BESD_OK;
}

static besd_status run_trials(job *j, besd_error *error) {
    double spent = 0;
    double *scores = malloc(BESD_MAX_REPS * sizeof *scores);
    besd_status status = scores ? BESD_OK : besd_fail_memory(error, "the scores");
    while (status == BESD_OK) {
        besd_trial t;
        status = besd_study_ask(j->study, &t, error);
        if (status == BESD_OK) /* asking first has fitted the model for the recommendation */
            status = fill_points(j, spent + t.cost, error);
        if (status == BESD_OK)
            status = bridge_train_and_tell(&j->bridge, j->study, &t, scores, error);
        spent += t.cost;
        if (status == BESD_OK)
            status = note_trial(j, &t, scores, spent, error);
        if (status == BESD_OK && j->contest->every_change)
            status = note_change(j, error);
    }
    free(scores);
    return status == BESD_DONE ? fill_points(j, INFINITY, error) : status;
}

static besd_status run_study(job *j, int replication, besd_error *error) {
    const contest *c = j->contest;
    contender_apply(j->contender, &j->bridge);
    besd_study_options *o = &j->bridge.options;
    o->seed = rng_seed(c->seed, RNG_CONTEST, (uint64_t)replication, 0, 0) >> 1;
    o->budget = c->budget;
    besd_status status = bridge_open(&j->bridge, NULL, &j->study, error);
    if (status == BESD_OK)
        status = run_trials(j, error);
    besd_study_close(j->study);
    const job_point *last = &j->result->points[JOB_POINTS - 1];
    if (status == BESD_OK && last->known)
        status = job_learning_curve(c, last->theta, o->dimension, j->result->curve, error);
    return status;
}

/* A learner without subgoals has one result, known from a cost on. */
static void fill_constant(job *j, double from, const sample_summary *s) {
    for (size_t k = 0; k < JOB_POINTS; k++)
        j->result->points[k] = (job_point){.cost = point_cost(j->contest, k),
                                           .mean = s->mean,
                                           .se = s->se,
                                           .known = point_cost(j->contest, k) >= from};
}

static besd_status run_learner(job *j, int replication, besd_error *error) {
    const contest *c = j->contest;
    sample_summary s = {0};
    if (j->contender->kind == CONTENDER_PLAIN) {
        besd_status status = test(c, &j->bridge, NULL, &s.mean, &s.se, error);
        fill_constant(j, 0, &s);
        return status ? status : job_learning_curve(c, NULL, 0, j->result->curve, error);
    }
    double *scores = malloc((size_t)c->instances * sizeof *scores);
    if (!scores)
        return besd_fail_memory(error, "the scores");
    besd_status status =
        transfer_test(&c->domain, JOB_STORED_INSTANCES, job_transfer_seed(c, replication),
                      c->instances, contest_test_seed(c), scores, error);
    if (status == BESD_OK)
        s = stats_summarise(scores, (size_t)c->instances);
    free(scores);
    fill_constant(j, JOB_STORED_INSTANCES * (double)domain_tau_max(&c->domain), &s);
    return status;
}

besd_status job_plain_score(const contest *c, double *score, besd_error *error) {
    bridge b;
    double se;
    besd_status status = bridge_init(&b, &c->domain, error);
    b.threads = 1;
    return status ? status : test(c, &b, NULL, score, &se, error);
}

besd_status job_learning_curve(const contest *c, const double *theta, size_t dimension,
                               double *means, besd_error *error) {
    trial_request r = {.domain = &c->domain,
                       .theta = theta,
                       .theta_length = dimension,
                       .tau = c->checkpoint * JOB_CHECKPOINTS,
                       .reps = 1,
                       .instances = contest_curve_instances(c),
                       .seed = contest_test_seed(c),
                       .every = c->checkpoint,
                       .threads = 1};
    trial_result result;
    besd_status status = trial_run(&r, &result, error);
    if (status != BESD_OK)
        return status;
    for (size_t i = 0; i < JOB_CHECKPOINTS; i++)
        means[i] = stats_summarise(result.scores + i * result.agents, result.agents).mean;
    trial_result_free(&result);
    return BESD_OK;
}

besd_status job_run(const contest *c, const contender *who, int replication, job_result *result,
                    besd_error *error) {
    job j = {.contest = c, .contender = who, .result = result};
    memset(result, 0, sizeof *result);
    for (size_t i = 0; i < JOB_CHECKPOINTS; i++)
        result->curve[i] = NAN;
    besd_status status = bridge_init(&j.bridge, &c->domain, error);
    j.bridge.threads = 1;
    result->dimension = j.bridge.options.dimension;
    if (status == BESD_OK)
        status = who->kind == CONTENDER_STUDY ? run_study(&j, replication, error)
                                              : run_learner(&j, replication, error);
    if (status != BESD_OK)
        job_result_free(result);
    return status;
}

void job_result_free(job_result *result) {
    free(result->trials);
    memset(result, 0, sizeof *result);
}
