#include "contest/job.h"

#include "core/error.h"
#include "core/rng.h"
#include "core/stats.h"
#include "learn/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static besd_status enter(pupil *p, uint64_t seed, uint64_t instance, besd_error *error) {
    return pupil_enter(p, rng_seed(seed, RNG_INSTANCE, instance, 0, 0), error);
}

/* Learns from nothing in a stored instance. That is done again for every test instance that starts
 * from it; the same seeds give the same action values. */
static besd_status train_source(pupil *p, uint64_t seed, uint64_t source, besd_error *error) {
    besd_status status = enter(p, seed, source, error);
    if (status != BESD_OK)
        return status;
    return pupil_train(p, seed, source, domain_tau_max(p->domain), error);
}

static besd_status test_instance(pupil *p, uint64_t seed, uint64_t instance, double *score,
                                 besd_error *error) {
    int64_t tau = domain_tau_max(p->domain);
    agent_episode episode;
    besd_status status = enter(p, seed, instance, error);
    if (status == BESD_OK)
        status = pupil_train_on(p, seed, instance, tau, error);
    if (status == BESD_OK)
        status = pupil_test(p, seed, instance, tau, NULL, NULL, &episode, error);
    if (status == BESD_OK)
        *score = trial_score(p->domain, p->spec.cap, &episode);
    return status;
}

besd_status transfer_test(const domain *d, int stored, uint64_t source_seed, int64_t instances,
                          uint64_t test_seed, double *scores, besd_error *error) {
    pupil p;
    besd_status status = pupil_open(&p, d, NULL, 0, error);
    for (int64_t i = 0; status == BESD_OK && i < instances; i++) {
        rng stream = rng_open(source_seed, RNG_TRANSFER, (uint64_t)i, 0, 0);
        status = train_source(&p, source_seed, rng_below(&stream, (uint64_t)stored), error);
        if (status == BESD_OK)
            status = test_instance(&p, test_seed, (uint64_t)i, &scores[i], error);
    }
    pupil_close(&p);
    return status;
}

void contest_init(contest *c, const domain *d) {
    int64_t tenth = domain_tau_max(d) / JOB_CHECKPOINTS;
    *c = (contest){.domain = *d,
                   .seed = 1,
                   .instances = 200,
                   .budget = d->paper_budget,
                   .checkpoint = d->paper_checkpoint ? d->paper_checkpoint
                                 : tenth             ? tenth
                                                     : 1};
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
typedef struct job_work {
    const contest *contest;
    const contender *contender;
    domain_study setting;
    besd_study *study;
    job_result *result;
    size_t next;      /* point */
    job_point tested; /* the newest design that was tested */
    double spent;
} job_work;

static besd_status test(const contest *c, const domain_study *b, const double *theta, double *mean,
                        double *se, besd_error *error) {
    trial_result result;
    besd_status status =
        domain_study_test(b, theta, c->instances, contest_test_seed(c), &result, error);
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
static besd_status current_design(job_work *j, double *theta, besd_error *error) {
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
static besd_status test_current(job_work *j, double cost, job_point *p, besd_error *error) {
    job_point now = {.cost = cost, .known = true};
    besd_status status = current_design(j, now.theta, error);
    if (status == BESD_OK &&
        (!j->tested.known || memcmp(j->tested.theta, now.theta, sizeof now.theta) != 0)) {
        status = test(j->contest, &j->setting, now.theta, &now.mean, &now.se, error);
        j->tested = now;
    }
    *p = j->tested;
    p->cost = cost;
    return status;
}

/* Fills in the points up to (not including) a cost: what is known now was in force there. */
static besd_status fill_points(job_work *j, double until, besd_error *error) {
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
static besd_status note_change(job_work *j, besd_error *error) {
    job_trial *newest = &j->result->trials[j->result->trial_count - 1];
    job_point before = j->tested, now;
    besd_status status = test_current(j, newest->cost, &now, error);
    if (!before.known || memcmp(before.theta, now.theta, sizeof now.theta) != 0)
        newest->change = now;
    return status;
}

static besd_status note_trial(job_work *j, const besd_run_event *e, besd_error *error) {
    job_result *r = j->result;
    const besd_trial *t = e->trial;
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
        (job_trial){.tau = t->tau, .reps = t->reps, .reason = (int32_t)t->reason, .cost = j->spent};
    memcpy(note->theta, t->theta, sizeof note->theta);
    note->mean = stats_summarise(e->training->outcome.scores, e->training->outcome.count).mean;
    return BESD_OK;
}

/* Asking has fitted the model for the recommendation, so the points before a trial are filled in
 * when it begins. */
static besd_status hear(void *context, const besd_run_event *e, besd_error *error) {
    job_work *j = context;
    if (e->kind == BESD_RUN_BEGINS)
        return fill_points(j, j->spent + e->trial->cost, error);
    if (e->kind != BESD_RUN_TELLS)
        return BESD_OK;
    j->spent += e->trial->cost;
    besd_status status = note_trial(j, e, error);
    return status == BESD_OK && j->contest->every_change ? note_change(j, error) : status;
}

static besd_status run_trials(job_work *j, besd_error *error) {
    domain_trainer own;
    besd_trainer trainer = domain_trainer_open(&own, &j->setting, j->study);
    besd_run_options options = besd_run_options_default();
    besd_run_result result;
    options.hear = hear;
    options.context = j;
    besd_status status = besd_study_run(j->study, &trainer, &options, &result, error);
    domain_trainer_close(&own);
    return status == BESD_OK ? fill_points(j, INFINITY, error) : status;
}

static besd_status run_study(job_work *j, int replication, besd_error *error) {
    const contest *c = j->contest;
    contender_apply(j->contender, &j->setting);
    besd_study_options *o = &j->setting.options;
    o->seed = rng_seed(c->seed, RNG_CONTEST, (uint64_t)replication, 0, 0) >> 1;
    o->budget = c->budget;
    besd_status status = domain_study_open(&j->setting, NULL, &j->study, error);
    if (status == BESD_OK)
        status = run_trials(j, error);
    besd_study_close(j->study);
    const job_point *last = &j->result->points[JOB_POINTS - 1];
    if (status == BESD_OK && last->known)
        status = job_learning_curve(c, last->theta, o->dimension, j->result->curve, error);
    return status;
}

/* A learner without subgoals has one result, known from a cost on. */
static void fill_constant(job_work *j, double from, const sample_summary *s) {
    for (size_t k = 0; k < JOB_POINTS; k++)
        j->result->points[k] = (job_point){.cost = point_cost(j->contest, k),
                                           .mean = s->mean,
                                           .se = s->se,
                                           .known = point_cost(j->contest, k) >= from};
}

static besd_status run_learner(job_work *j, int replication, besd_error *error) {
    const contest *c = j->contest;
    sample_summary s = {0};
    if (j->contender->kind == CONTENDER_PLAIN) {
        besd_status status = test(c, &j->setting, NULL, &s.mean, &s.se, error);
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
    domain_study b;
    double se;
    besd_status status = domain_study_init(&b, &c->domain, error);
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
    job_work j = {.contest = c, .contender = who, .result = result};
    memset(result, 0, sizeof *result);
    for (size_t i = 0; i < JOB_CHECKPOINTS; i++)
        result->curve[i] = NAN;
    besd_status status = domain_study_init(&j.setting, &c->domain, error);
    j.setting.threads = 1;
    result->dimension = j.setting.options.dimension;
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
