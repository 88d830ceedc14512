/* Work is cut into batches of CREW_LANES agents. Threads take batches and write to separate places
 * of the result.
 */
#include "learn/trial.h"

#include "core/error.h"
#include "core/rng.h"
#include "learn/crew.h"
#include "learn/tile_crew.h"
#include "world/grid.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const int64_t MAX_TAU = INT64_C(1) << 40, MAX_AGENTS = INT64_C(1) << 28;

double trial_score(const domain *d, int64_t cap, const agent_episode *episode) {
    if (d->objective == OBJECTIVE_RETURN)
        return episode->reached_goal ? episode->discounted_return : 0;
    return (double)(episode->reached_goal ? episode->steps : cap);
}

agent_seeds trial_training_seeds(uint64_t seed, uint64_t instance, uint64_t replication) {
    return (agent_seeds){.choices = rng_open(seed, RNG_AGENT, instance, replication, 0),
                         .dynamics = rng_seed(seed, RNG_DYNAMICS, instance, replication, 0),
                         .initial = rng_open(seed, RNG_INITIAL_VALUES, instance, replication, 0)};
}

agent_seeds trial_evaluation_seeds(uint64_t seed, uint64_t instance, uint64_t replication,
                                   int64_t interactions) {
    uint64_t c = (uint64_t)interactions;
    return (agent_seeds){.choices = rng_open(seed, RNG_TEST_AGENT, instance, replication, c),
                         .dynamics = rng_seed(seed, RNG_TEST_DYNAMICS, instance, replication, c)};
}

/* What threads share. They only read it, except their places in the result. */
typedef struct plan {
    const trial_request *request;
    const domain *domain;
    besd_env_methods methods; /* without `table` when moves are made by calls */
    besd_env_spec spec;
    subgoals goals;
    learning learning;
    enum { BY_AGENT, BY_CREW, BY_TILE_CREW } team;
    trial_result *result;
} plan;

/* What one thread works with. */
typedef struct worker {
    const plan *plan;
    crew *crew; /* the plan's team: one of these three */
    tile_crew *tile_crew;
    agent *agent;
    besd_env *env[CREW_LANES], *evaluation_env[CREW_LANES];
} worker;

static uint64_t instance_of(const trial_request *r, size_t index) {
    return (uint64_t)index / (r->fresh_instances ? 1 : (uint64_t)r->reps);
}

/* The first instance of the layout that is wanted. */
static uint64_t instance_seed(const trial_request *r, uint64_t instance) {
    uint64_t seed = rng_seed(r->seed, RNG_INSTANCE, instance, 0, 0);
    for (uint64_t k = 1; r->layout && grid_layout_of(&r->domain->map, seed) != *r->layout; k++)
        seed = rng_seed(r->seed, RNG_INSTANCE, instance, k, 0);
    return seed;
}

static uint64_t replication_of(const trial_request *r, size_t index) {
    return r->fresh_instances ? 0 : (uint64_t)index % (uint64_t)r->reps;
}

static void worker_close(worker *w) {
    for (int i = 0; i < CREW_LANES; i++) {
        w->plan->methods.destroy(w->env[i]);
        w->plan->methods.destroy(w->evaluation_env[i]);
    }
    crew_destroy(w->crew);
    tile_crew_destroy(w->tile_crew);
    agent_destroy(w->agent);
}

static besd_status worker_open(worker *w, const plan *p, besd_error *error) {
    *w = (worker){.plan = p};
    bool one_env = p->team == BY_AGENT || p->methods.table;
    besd_status status = BESD_OK;
    for (int i = 0; status == BESD_OK && i < (one_env ? 1 : CREW_LANES); i++) {
        status = domain_open(p->domain, &w->env[i], error);
        if (status == BESD_OK)
            status = domain_open(p->domain, &w->evaluation_env[i], error);
    }
    if (status != BESD_OK)
        return status;
    if (p->team == BY_CREW)
        return crew_create(&p->spec, &p->goals, &p->learning, &w->crew, error);
    if (p->team == BY_TILE_CREW)
        return tile_crew_create(&p->spec, &p->goals, &p->learning, &w->tile_crew, error);
    return agent_create(&p->spec, &p->goals, &p->learning, &w->agent, error);
}

static void record(const plan *p, size_t checkpoint, size_t index, const agent_episode *episode) {
    trial_result *r = p->result;
    r->scores[checkpoint * r->agents + index] = trial_score(p->domain, p->spec.cap, episode);
    if (checkpoint + 1 < r->checkpoints)
        return;
    r->reached_goal[index] = episode->reached_goal;
    for (int leg = 0; leg < p->goals.points; leg++) { /* a point that is no subgoal takes no time */
        int stage = p->goals.stage[leg];
        bool own = leg == 0 || p->goals.stage[leg - 1] != stage;
        r->reached[index * r->legs + (size_t)leg] =
            stage < episode->stage ? episode->reached[stage] : 0;
        r->earned[index * r->legs + (size_t)leg] = own ? episode->earned[stage] : 0;
    }
    r->reached[index * r->legs + r->legs - 1] = 0;
    r->earned[index * r->legs + r->legs - 1] = episode->earned[p->goals.count];
    if (episode->reached_goal) /* on whatever leg the agent was: the rest was not needed */
        r->reached[index * r->legs + r->legs - 1] = episode->steps;
}

static besd_status draw_instance(const worker *w, besd_env *env, uint64_t instance,
                                 besd_error *error) {
    return w->plan->methods.instance(env, instance_seed(w->plan->request, instance), error);
}

/* Puts agent `index` of the batch that starts at `first` on its lane. */
static besd_status place(worker *w, size_t first, size_t index, int *ground, besd_error *error) {
    const trial_request *r = w->plan->request;
    const besd_env_methods *methods = &w->plan->methods;
    uint64_t instance = instance_of(r, index);
    agent_seeds seeds = trial_training_seeds(r->seed, instance, replication_of(r, index));
    int lane = (int)(index - first);
    besd_status status = BESD_OK;
    if (!methods->table) {
        besd_env *env = w->env[lane], *evaluation_env = w->evaluation_env[lane];
        status = draw_instance(w, env, instance, error);
        if (status == BESD_OK)
            status = draw_instance(w, evaluation_env, instance, error);
        if (status != BESD_OK)
            return status;
        return w->tile_crew
                   ? tile_crew_place(w->tile_crew, lane, methods, env, evaluation_env, &seeds,
                                     error)
                   : crew_place_caller(w->crew, lane, methods, env, evaluation_env, &seeds, error);
    }
    if (index == first || instance != instance_of(r, index - 1)) {
        status = draw_instance(w, w->env[0], instance, error);
        if (status == BESD_OK)
            status = crew_compile(w->crew, ++*ground, methods, w->env[0], error);
    }
    if (status == BESD_OK)
        crew_place(w->crew, lane, *ground, &seeds);
    return status;
}

static besd_status train_lanes(worker *w, int lanes, int64_t from, int64_t to, besd_error *error) {
    int64_t total = w->plan->request->tau;
    return w->tile_crew ? tile_crew_train(w->tile_crew, lanes, from, to, total, error)
                        : crew_train(w->crew, lanes, from, to, total, error);
}

static besd_status evaluate_lanes(worker *w, int lanes, const agent_seeds *seeds,
                                  agent_episode *episodes, besd_error *error) {
    return w->tile_crew ? tile_crew_evaluate(w->tile_crew, lanes, seeds, episodes, error)
                        : crew_evaluate(w->crew, lanes, seeds, episodes, error);
}

static besd_status run_crew(worker *w, size_t first, size_t last, besd_error *error) {
    const plan *p = w->plan;
    const trial_request *r = p->request;
    int ground = -1, lanes = (int)(last - first);
    for (size_t index = first; index < last; index++) {
        besd_status status = place(w, first, index, &ground, error);
        if (status != BESD_OK)
            return status;
    }
    int64_t done = 0;
    for (size_t checkpoint = 0; checkpoint < p->result->checkpoints; checkpoint++) {
        int64_t until = p->result->interactions[checkpoint];
        agent_seeds seeds[CREW_LANES];
        agent_episode episodes[CREW_LANES];
        besd_status status = train_lanes(w, lanes, done, until, error);
        for (size_t i = first; i < last; i++)
            seeds[i - first] =
                trial_evaluation_seeds(r->seed, instance_of(r, i), replication_of(r, i), until);
        if (status == BESD_OK)
            status = evaluate_lanes(w, lanes, seeds, episodes, error);
        if (status != BESD_OK)
            return status;
        for (size_t i = first; i < last; i++)
            record(p, checkpoint, i, &episodes[i - first]);
        done = until;
    }
    return BESD_OK;
}

static besd_status run_agent(worker *w, size_t index, besd_error *error) {
    const plan *p = w->plan;
    const trial_request *r = p->request;
    uint64_t instance = instance_of(r, index), replication = replication_of(r, index);
    agent_seeds seeds = trial_training_seeds(r->seed, instance, replication);
    besd_status status = draw_instance(w, w->env[0], instance, error);
    if (status == BESD_OK)
        status = draw_instance(w, w->evaluation_env[0], instance, error);
    if (status != BESD_OK)
        return status;
    agent_place(w->agent, &p->methods, w->env[0], &seeds);
    int64_t done = 0;
    for (size_t checkpoint = 0; checkpoint < p->result->checkpoints; checkpoint++) {
        int64_t until = p->result->interactions[checkpoint];
        agent_episode episode;
        status = agent_train(w->agent, done, until, r->tau, NULL, NULL, error);
        seeds = trial_evaluation_seeds(r->seed, instance, replication, until);
        if (status == BESD_OK)
            status =
                agent_evaluate(w->agent, w->evaluation_env[0], &seeds, NULL, NULL, &episode, error);
        if (status != BESD_OK)
            return status;
        record(p, checkpoint, index, &episode);
        done = until;
    }
    return BESD_OK;
}

static besd_status run_batch(worker *w, size_t first, size_t last, besd_error *error) {
    if (w->plan->team != BY_AGENT)
        return run_crew(w, first, last, error);
    besd_status status = BESD_OK;
    for (size_t index = first; status == BESD_OK && index < last; index++)
        status = run_agent(w, index, error);
    return status;
}

/* Runs all batches. Of several failures the error of the first batch is reported. */
static besd_status run_plan(const plan *p, besd_error *error) {
    size_t agents = p->result->agents, batches = (agents + CREW_LANES - 1) / CREW_LANES;
    size_t failed_batch = SIZE_MAX;
    besd_status failure = BESD_OK;
    size_t wished =
        p->request->threads > 0 ? (size_t)p->request->threads : (size_t)omp_get_num_procs();
    const int threads = (int)(wished < batches ? wished : batches); // NOLINT: the pragma reads it
#pragma omp parallel num_threads(threads)
    {
        worker w;
        besd_error own_error = {0};
        besd_status opened = worker_open(&w, p, &own_error);
#pragma omp for schedule(dynamic)
        for (size_t batch = 0; batch < batches; batch++) {
            size_t first = batch * CREW_LANES;
            size_t last = first + CREW_LANES < agents ? first + CREW_LANES : agents;
            size_t failed;
#pragma omp atomic read
            failed = failed_batch;
            if (batch > failed) /* its result would not be reported */
                continue;
            besd_status status = opened ? opened : run_batch(&w, first, last, &own_error);
            if (status != BESD_OK) {
#pragma omp critical(besd_trial_failure)
                if (batch < failed_batch) {
#pragma omp atomic write
                    failed_batch = batch;
                    failure = status;
                    if (error)
                        *error = own_error;
                }
            }
        }
        worker_close(&w);
    }
    return failure;
}

static besd_status check_request(const trial_request *r, besd_error *error) {
    int64_t layouts = r->domain->kind == DOMAIN_GRID ? grid_map_layouts(&r->domain->map) : 0;
    if (r->layout && !(*r->layout >= 0 && *r->layout < layouts))
        return besd_fail(error, BESD_INVALID, "layout: expected one of the map's %lld, got %lld",
                         (long long)layouts, (long long)*r->layout);
    if (r->tau < 1 || r->tau > MAX_TAU)
        return besd_fail(error, BESD_INVALID, "tau: expected 1 to %lld interactions, got %lld",
                         (long long)MAX_TAU, (long long)r->tau);
    if (r->reps < 1 || r->reps > MAX_AGENTS)
        return besd_fail(error, BESD_INVALID, "reps: expected 1 to %lld, got %lld",
                         (long long)MAX_AGENTS, (long long)r->reps);
    if (r->instances < 1 || r->instances > MAX_AGENTS / r->reps)
        return besd_fail(error, BESD_INVALID, "instances: expected 1 to %lld, got %lld",
                         (long long)(MAX_AGENTS / r->reps), (long long)r->instances);
    if (r->every < 0 || r->every > r->tau)
        return besd_fail(error, BESD_INVALID, "every: expected 1 to tau = %lld, got %lld",
                         (long long)r->tau, (long long)r->every);
    if (r->threads < 0 || r->threads > 1024)
        return besd_fail(error, BESD_INVALID, "threads: expected 1 to 1024, got %d", r->threads);
    return BESD_OK;
}

/* Checkpoints at every, 2 every, ..., and at tau. */
static besd_status result_init(trial_result *result, const trial_request *r, int points,
                               besd_error *error) {
    int64_t every = r->every ? r->every : r->tau;
    int64_t checkpoints = (r->tau + every - 1) / every;
    size_t agents = (size_t)(r->instances * r->reps), count = (size_t)checkpoints;
    memset(result, 0, sizeof *result);
    if (checkpoints > MAX_AGENTS / r->reps / r->instances)
        return besd_fail(error, BESD_INVALID,
                         "every: %lld checkpoints of %zu agents are too many; use a larger value",
                         (long long)checkpoints, agents);
    result->agents = agents;
    result->checkpoints = count;
    result->interactions = malloc(count * sizeof *result->interactions);
    result->scores = malloc(count * agents * sizeof *result->scores);
    result->reached_goal = malloc(agents);
    result->instance_seeds = malloc(agents * sizeof *result->instance_seeds);
    result->legs = (size_t)points + 1;
    result->reached = malloc(agents * result->legs * sizeof *result->reached);
    result->earned = malloc(agents * result->legs * sizeof *result->earned);
    if (!result->interactions || !result->scores || !result->reached_goal ||
        !result->instance_seeds || !result->reached || !result->earned)
        return besd_fail_memory(error, "the scores");
    for (int64_t i = 0; i < checkpoints; i++)
        result->interactions[i] = i + 1 < checkpoints ? (i + 1) * every : r->tau;
    for (size_t i = 0; i < agents; i++)
        result->instance_seeds[i] = instance_seed(r, instance_of(r, i));
    result->final = result->scores + (count - 1) * agents;
    return BESD_OK;
}

/* Makes a plan, and checks theta against the environment. */
static besd_status plan_init(plan *p, const trial_request *r, trial_result *result,
                             besd_error *error) {
    const domain *d = r->domain;
    besd_env *env = NULL;
    *p = (plan){.request = r, .domain = d, .methods = *d->methods, .result = result};
    besd_status status = domain_open(d, &env, error);
    if (status != BESD_OK)
        return status;
    domain_spec(d, env, &p->spec);
    d->methods->destroy(env);
    p->learning = learning_of(d, r->method);
    bool one_by_one = r->route == TRIAL_BY_AGENT || (d->source && d->source->expensive_handles);
    if (!one_by_one && crew_serves(&p->spec, &p->learning))
        p->team = BY_CREW;
    else if (!one_by_one && tile_crew_serves(&p->spec, &p->learning))
        p->team = BY_TILE_CREW;
    if (r->route != TRIAL_FASTEST || p->team != BY_CREW)
        p->methods.table = NULL;
    return subgoals_of(&p->goals, d, &p->spec, r->theta, r->theta_length, error);
}

besd_status trial_run(const trial_request *request, trial_result *result, besd_error *error) {
    plan p;
    memset(result, 0, sizeof *result);
    besd_status status = check_request(request, error);
    if (status == BESD_OK)
        status = plan_init(&p, request, result, error);
    if (status == BESD_OK)
        status = result_init(result, request, p.goals.points, error);
    if (status == BESD_OK)
        status = run_plan(&p, error);
    if (status != BESD_OK)
        trial_result_free(result);
    return status;
}

void trial_result_free(trial_result *result) {
    free(result->interactions);
    free(result->scores);
    free(result->reached_goal);
    free(result->instance_seeds);
    free(result->reached);
    free(result->earned);
    memset(result, 0, sizeof *result);
}

besd_status pupil_open(pupil *p, const domain *d, const double *theta, size_t length,
                       besd_error *error) {
    memset(p, 0, sizeof *p);
    p->domain = d;
    p->learning = learning_of(d, LEARNING_Q);
    besd_status status = domain_open(d, &p->env, error);
    if (status == BESD_OK)
        status = domain_open(d, &p->evaluation_env, error);
    if (status != BESD_OK)
        return status;
    domain_spec(d, p->env, &p->spec);
    status = subgoals_of(&p->goals, d, &p->spec, theta, length, error);
    if (status == BESD_OK)
        status = agent_create(&p->spec, &p->goals, &p->learning, &p->agent, error);
    return status;
}

void pupil_close(pupil *p) {
    if (!p->domain)
        return;
    agent_destroy(p->agent);
    p->domain->methods->destroy(p->env);
    p->domain->methods->destroy(p->evaluation_env);
    memset(p, 0, sizeof *p);
}

besd_status pupil_enter(pupil *p, uint64_t instance, besd_error *error) {
    besd_status status = p->domain->methods->instance(p->env, instance, error);
    if (status == BESD_OK)
        status = p->domain->methods->instance(p->evaluation_env, instance, error);
    return status;
}

besd_status pupil_train(pupil *p, uint64_t seed, uint64_t number, int64_t tau, besd_error *error) {
    agent_seeds seeds = trial_training_seeds(seed, number, 0);
    agent_place(p->agent, p->domain->methods, p->env, &seeds);
    return agent_train(p->agent, 0, tau, tau, NULL, NULL, error);
}

besd_status pupil_train_on(pupil *p, uint64_t seed, uint64_t number, int64_t tau,
                           besd_error *error) {
    agent_seeds seeds = trial_training_seeds(seed, number, 0);
    agent_move(p->agent, p->domain->methods, p->env, &seeds);
    return agent_train(p->agent, 0, tau, tau, NULL, NULL, error);
}

besd_status pupil_test(pupil *p, uint64_t seed, uint64_t number, int64_t tau,
                       agent_observer *observer, void *context, agent_episode *episode,
                       besd_error *error) {
    agent_seeds seeds = trial_evaluation_seeds(seed, number, 0, tau);
    return agent_evaluate(p->agent, p->evaluation_env, &seeds, observer, context, episode, error);
}
