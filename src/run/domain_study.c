#include "run/domain_study.h"

#include "core/error.h"
#include "core/rng.h"
#include "world/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void coordinate_names_fill(coordinate_names *names, size_t count, size_t per_subgoal) {
    static const char letters[] = "xyzuvwst";
    for (size_t i = 0; i < count; i++) {
        snprintf(names->texts[i], sizeof names->texts[i], "%c%zu", letters[i % per_subgoal],
                 i / per_subgoal + 1);
        names->of[i] = names->texts[i];
    }
}

static void add_place(double *sum, const double *place, int length) {
    for (int i = 0; i < length; i++)
        sum[i] = isnan(sum[i]) ? place[i] : sum[i] + place[i];
}

/* Adds the mean place of the states that end an instance's task. */
static void add_ends(const besd_env_table *t, int length, double *sum) {
    double place[BESD_ENV_MAX_OBSERVATION] = {0}, ends = 0;
    for (int64_t state = 0; state < t->states; state++)
        if (t->terminal[state]) {
            for (int i = 0; i < length; i++)
                place[i] += t->position[state * length + i];
            ends++;
        }
    for (int i = 0; ends > 0 && i < length; i++)
        place[i] /= ends;
    if (ends > 0)
        add_place(sum, place, length);
}

/* Instances that are looked at for where they start, and where they end. */
enum { LOOKED_AT = 16 };

/* The kinds of instances that legs are told apart by: the layouts of a map. */
static besd_status count_labels(const domain *d, size_t *labels, besd_error *error) {
    *labels = 0;
    if (d->kind != DOMAIN_GRID || d->value[PARAMETER_LABELS] == 0)
        return BESD_OK;
    int64_t layouts = grid_map_layouts(&d->map);
    if (layouts < 2 || layouts > BESD_MAX_LABELS)
        return besd_fail(error, BESD_INVALID,
                         "labels: expected a map with 2 to %d layouts, this one has %lld",
                         BESD_MAX_LABELS, (long long)layouts);
    *labels = (size_t)layouts;
    return BESD_OK;
}

/* The layouts of a map as tasks. */
static besd_status name_tasks(domain_study *b, besd_error *error) {
    const domain *d = b->domain;
    if (d->kind != DOMAIN_GRID || d->value[PARAMETER_TASKS] == 0)
        return BESD_OK;
    int64_t layouts = grid_map_layouts(&d->map);
    if (layouts < 2 || layouts > BESD_MAX_TASKS)
        return besd_fail(error, BESD_INVALID,
                         "tasks: expected a map with 2 to %d layouts, this one has %lld",
                         BESD_MAX_TASKS, (long long)layouts);
    if (d->value[PARAMETER_LABELS] != 0)
        return besd_fail(error, BESD_INVALID,
                         "tasks: legs of a study with tasks are told apart by their tasks; leave "
                         "labels out");
    b->tasks = (size_t)layouts;
    for (size_t i = 0; i < b->tasks; i++)
        grid_map_layout_name(&d->map, (int64_t)i, b->task_text[i], sizeof b->task_text[i]);
    return BESD_OK;
}

static besd_status declare_tasks(const domain_study *b, besd_study *study, besd_error *error) {
    const char *names[BESD_MAX_TASKS];
    for (size_t i = 0; i < b->tasks; i++)
        names[i] = b->task_text[i];
    besd_tasks tasks = {.count = b->tasks, .names = names};
    return b->tasks ? besd_study_set_tasks(study, &tasks, error) : BESD_OK;
}

/* The subgoals as a path; its start and, where a table tells, its end are means over instances. */
static besd_status describe_path(domain_study *b, besd_env *env, const besd_env_spec *spec,
                                 int count, besd_error *error) {
    const besd_env_methods *methods = b->domain->methods;
    const besd_env_reaching *how = &b->domain->reach.how;
    besd_path *p = &b->path;
    besd_path_fill(p);
    besd_status status = count_labels(b->domain, &p->labels, error);
    p->points = (size_t)count;
    p->coordinates = (size_t)spec->position;
    p->cell = reach_options_cell(how, spec->position);
    memcpy(p->origin, how->origin, (size_t)spec->position * sizeof *p->origin);
    p->cap = (double)spec->cap;
    p->fewest = (size_t)b->domain->value[PARAMETER_FEWEST_SUBGOALS];
    p->price = p->fewest ? b->domain->value[PARAMETER_SUBGOAL_PRICE] : 0;
    for (uint64_t i = 0; status == BESD_OK && i < LOOKED_AT; i++) {
        besd_env_outcome out = {0};
        status = methods->instance(env, rng_seed(0, RNG_INSTANCE, i, 0, 0), error);
        if (status != BESD_OK)
            break;
        methods->seed(env, i);
        methods->reset(env, &out);
        add_place(p->from, out.observation, spec->position);
        if (methods->table)
            add_ends(methods->table(env), spec->position, p->to);
    }
    for (int i = 0; i < spec->position; i++) {
        p->from[i] /= LOOKED_AT;
        p->to[i] /= LOOKED_AT;
    }
    return status;
}

static size_t count_levels(const domain *d, bool tau) {
    size_t count = 0;
    while (count < DOMAIN_MAX_LEVELS && (tau ? d->tau[count] : d->reps[count]))
        count++;
    return count;
}

/* The initial design of a domain is cut at this share of the budget, earlier than by default (the
 * option initial_share): legs teach more of a path than designs at random do. */
static const double DOMAIN_INITIAL_SHARE = 0.1;

besd_status domain_study_init(domain_study *b, const domain *d, besd_error *error) {
    besd_env *env = NULL;
    besd_env_spec spec;
    memset(b, 0, sizeof *b);
    b->domain = d;
    besd_status status = domain_open(d, &env, error);
    if (status != BESD_OK)
        return status;
    domain_spec(d, env, &spec);
    int count = (int)d->value[PARAMETER_SUBGOALS];
    status = reach_options_check(&d->reach, &spec, error);
    if (status == BESD_OK)
        status = describe_path(b, env, &spec, count, error);
    if (status == BESD_OK)
        status = name_tasks(b, error);
    d->methods->destroy(env);
    if (status != BESD_OK)
        return status;
    if (count * spec.position > BESD_MAX_DIMENSION)
        return besd_fail(error, BESD_INVALID, "subgoals: %d of %d coordinates are over %d numbers",
                         count, spec.position, BESD_MAX_DIMENSION);
    for (int i = 0; i < count * spec.position; i++) {
        b->low[i] = spec.subgoal_low[i % spec.position];
        b->high[i] = spec.subgoal_high[i % spec.position];
    }
    coordinate_names_fill(&b->names, (size_t)(count * spec.position), (size_t)spec.position);
    bool steps = d->objective == OBJECTIVE_STEPS;
    besd_study_options *o = &b->options;
    *o = besd_study_options_default();
    o->dimension = (size_t)(count * spec.position);
    o->low = b->low;
    o->high = b->high;
    o->names = b->names.of;
    o->taus = d->tau;
    o->tau_count = count_levels(d, true);
    o->reps = d->reps;
    o->reps_count = count_levels(d, false);
    o->direction = steps ? BESD_MINIMIZE : BESD_MAXIMIZE;
    o->transform = steps ? BESD_TRANSFORM_LOG : BESD_TRANSFORM_NONE;
    o->instances = BESD_INSTANCES_FRESH; /* drawing one is free */
    o->initial_share = DOMAIN_INITIAL_SHARE;
    if (d->initial_designs) /* 0: it does not say */
        o->initial_designs = d->initial_designs;
    return BESD_OK;
}

besd_status domain_study_open(const domain_study *b, const char *file, besd_study **study,
                              besd_error *error) {
    besd_status status = besd_study_open(study, file, &b->options, error);
    if (status == BESD_OK && b->path.points)
        status = besd_study_set_path(*study, &b->path, error);
    if (status == BESD_OK)
        status = declare_tasks(b, *study, error);
    if (status != BESD_OK) {
        besd_study_close(*study);
        *study = NULL;
    }
    return status;
}

void domain_legs(const trial_result *r, besd_leg *legs) {
    for (size_t i = 0; i < r->agents * r->legs; i++)
        legs[i] = (besd_leg){.reached = r->reached[i] ? (double)r->reached[i] : NAN,
                             .earned = r->earned[i]};
}

/* The legs of the trial, where theta is a path: one entry for every agent and leg. */
static besd_status note_legs(domain_trainer *t, besd_error *error) {
    const trial_result *r = &t->result;
    const domain_study *b = t->setting;
    t->legs = malloc(r->agents * r->legs * sizeof *t->legs);
    if (!t->legs)
        return besd_fail_memory(error, "the legs");
    domain_legs(r, t->legs);
    for (size_t i = 0; b->path.labels && i < r->agents * r->legs; i++)
        t->legs[i].label = grid_layout_of(&b->domain->map, r->instance_seeds[i / r->legs]);
    return BESD_OK;
}

static void forget_training(domain_trainer *t) {
    free(t->legs);
    trial_result_free(&t->result);
    t->legs = NULL;
    t->result = (trial_result){0};
}

besd_status domain_trainer_train(void *trainer, const besd_trial *trial, besd_training *training,
                                 besd_error *error) {
    domain_trainer *t = trainer;
    const domain_study *b = t->setting;
    trial_request r = {.domain = b->domain,
                       .theta = trial->theta,
                       .theta_length = b->options.dimension,
                       .tau = trial->tau,
                       .reps = trial->reps,
                       .instances = 1,
                       .seed = trial->seed,
                       .fresh_instances = b->options.instances == BESD_INSTANCES_FRESH,
                       .layout = b->tasks && trial->task >= 0 ? &trial->task : NULL,
                       .threads = b->threads};
    forget_training(t);
    besd_status status = trial_run(&r, &t->result, error);
    if (status != BESD_OK) {
        t->result = (trial_result){0};
        return status;
    }
    if (t->has_legs)
        status = note_legs(t, error);
    training->outcome =
        (besd_outcome){.scores = t->result.final, .count = t->result.agents, .legs = t->legs};
    return status;
}

besd_trainer domain_trainer_open(domain_trainer *t, const domain_study *b,
                                 const besd_study *study) {
    besd_path path;
    besd_study_get_path(study, &path);
    *t = (domain_trainer){.setting = b,
                          .has_legs = path.points > 0,
                          .callback = {.train = domain_trainer_train, .context = t}};
    return besd_callback_trainer(&t->callback);
}

void domain_trainer_close(domain_trainer *t) {
    forget_training(t);
}

static besd_status test_on(const domain_study *b, const double *theta, const int64_t *layout,
                           int64_t instances, uint64_t seed, trial_result *result,
                           besd_error *error) {
    trial_request r = {.domain = b->domain,
                       .theta = theta,
                       .theta_length = b->options.dimension,
                       .tau = domain_tau_max(b->domain),
                       .reps = 1,
                       .instances = instances,
                       .seed = seed,
                       .layout = layout,
                       .threads = b->threads};
    return trial_run(&r, result, error);
}

besd_status domain_study_test(const domain_study *b, const double *theta, int64_t instances,
                              uint64_t seed, trial_result *result, besd_error *error) {
    return test_on(b, theta, NULL, instances, seed, result, error);
}

besd_status domain_study_test_task(const domain_study *b, const double *theta, int64_t task,
                                   int64_t instances, uint64_t seed, trial_result *result,
                                   besd_error *error) {
    return test_on(b, theta, &task, instances, seed, result, error);
}

/* How much better the subgoals do, instance by instance. */
static besd_status summarise_gain(const trial_result *with, const trial_result *without,
                                  domain_objective objective, sample_summary *gain,
                                  besd_error *error) {
    double sign = objective == OBJECTIVE_STEPS ? -1 : 1;
    double *gains = malloc(with->agents * sizeof *gains);
    if (!gains)
        return besd_fail_memory(error, "the test");
    for (size_t i = 0; i < with->agents; i++)
        gains[i] = sign * (with->final[i] - without->final[i]);
    *gain = stats_summarise(gains, with->agents);
    free(gains);
    return BESD_OK;
}

besd_status domain_study_test_recommendation(const domain_study *b, const besd_study *study,
                                             const double *theta, int64_t instances,
                                             recommendation_test *test, besd_error *error) {
    uint64_t seed = rng_seed(besd_study_get_options(study)->seed, RNG_TEST, 0, 0, 0) >> 1;
    trial_result with, without;
    besd_status status = domain_study_test(b, theta, instances, seed, &with, error);
    if (status != BESD_OK)
        return status;
    status = domain_study_test(b, NULL, instances, seed, &without, error);
    if (status == BESD_OK) {
        test->with = stats_summarise(with.final, with.agents);
        test->without = stats_summarise(without.final, without.agents);
        status = summarise_gain(&with, &without, b->domain->objective, &test->gain, error);
        trial_result_free(&without);
    }
    trial_result_free(&with);
    return status;
}

besd_status domain_study_test_tasks(const domain_study *b, const besd_study *study,
                                    const double *theta, int64_t instances,
                                    recommendation_test *test, besd_error *error) {
    uint64_t seed = rng_seed(besd_study_get_options(study)->seed, RNG_TEST, 0, 0, 0) >> 1;
    size_t d = b->options.dimension, done = 0;
    double *scores = malloc(3 * (size_t)instances * sizeof *scores);
    if (!scores)
        return besd_fail_memory(error, "the test");
    double sign = b->domain->objective == OBJECTIVE_STEPS ? -1 : 1;
    besd_status status = BESD_OK;
    for (size_t c = 0; status == BESD_OK && c < b->tasks; c++) {
        trial_result with = {0}, without = {0};
        int64_t some = instances * (int64_t)(c + 1) / (int64_t)b->tasks - (int64_t)done;
        if (some < 1)
            continue;
        status = domain_study_test_task(b, theta + c * d, (int64_t)c, some, seed, &with, error);
        if (status == BESD_OK)
            status = domain_study_test_task(b, NULL, (int64_t)c, some, seed, &without, error);
        for (size_t i = 0; status == BESD_OK && i < with.agents; i++, done++) {
            scores[done] = with.final[i];
            scores[(size_t)instances + done] = without.final[i];
            scores[2 * (size_t)instances + done] = sign * (with.final[i] - without.final[i]);
        }
        trial_result_free(&with);
        trial_result_free(&without);
    }
    if (status == BESD_OK) {
        test->with = stats_summarise(scores, done);
        test->without = stats_summarise(scores + instances, done);
        test->gain = stats_summarise(scores + 2 * instances, done);
    }
    free(scores);
    return status;
}
