#include "bridge/bridge.h"

#include "core/error.h"
#include "core/rng.h"
#include "world/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* x1, y1, x2, y2, ... */
static void name_coordinates(bridge *b, int count, int position) {
    static const char letters[] = "xyzuvwst";
    for (int k = 0; k < count; k++)
        for (int i = 0; i < position; i++) {
            int at = k * position + i;
            snprintf(b->name_text[at], sizeof b->name_text[at], "%c%d", letters[i], k + 1);
            b->names[at] = b->name_text[at];
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

/* The subgoals as a path; its start and, where a table tells, its end are means over instances. */
static besd_status describe_path(bridge *b, besd_env *env, const besd_env_spec *spec, int count,
                                 besd_error *error) {
    const besd_env_methods *methods = b->domain->methods;
    const besd_env_reaching *how = &b->domain->reach.how;
    besd_path *p = &b->path;
    besd_path_fill(p);
    besd_status status = count_labels(b->domain, &p->labels, error);
    p->points = (size_t)count;
    p->coordinates = (size_t)spec->position;
    p->cell = reaching_cell(how, spec->position);
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

/* Legs teach more of a path than designs at random do. */
static const double INITIAL_SHARE = 0.1;

besd_status bridge_init(bridge *b, const domain *d, besd_error *error) {
    besd_env *env = NULL;
    besd_env_spec spec;
    memset(b, 0, sizeof *b);
    b->domain = d;
    besd_status status = domain_open(d, &env, error);
    if (status != BESD_OK)
        return status;
    domain_spec(d, env, &spec);
    int count = (int)d->value[PARAMETER_SUBGOALS];
    status = reaching_check(&d->reach, &spec, error);
    if (status == BESD_OK)
        status = describe_path(b, env, &spec, count, error);
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
    name_coordinates(b, count, spec.position);
    bool steps = d->objective == OBJECTIVE_STEPS;
    besd_study_options *o = &b->options;
    *o = besd_study_options_default();
    o->dimension = (size_t)(count * spec.position);
    o->low = b->low;
    o->high = b->high;
    o->names = b->names;
    o->taus = d->tau;
    o->tau_count = count_levels(d, true);
    o->reps = d->reps;
    o->reps_count = count_levels(d, false);
    o->direction = steps ? BESD_MINIMIZE : BESD_MAXIMIZE;
    o->transform = steps ? BESD_TRANSFORM_LOG : BESD_TRANSFORM_NONE;
    o->instances = BESD_INSTANCES_FRESH; /* drawing one is free */
    o->initial_share = INITIAL_SHARE;
    if (d->initial_designs) /* 0: it does not say */
        o->initial_designs = d->initial_designs;
    return BESD_OK;
}

besd_status bridge_open(const bridge *b, const char *file, besd_study **study, besd_error *error) {
    besd_status status = besd_study_open(study, file, &b->options, error);
    if (status == BESD_OK && b->path.points)
        status = besd_study_set_path(*study, &b->path, error);
    if (status != BESD_OK) {
        besd_study_close(*study);
        *study = NULL;
    }
    return status;
}

static besd_status train(const bridge *b, const besd_trial *trial, trial_result *result,
                         besd_error *error) {
    trial_request r = {.domain = b->domain,
                       .theta = trial->theta,
                       .theta_length = b->options.dimension,
                       .tau = trial->tau,
                       .reps = trial->reps,
                       .instances = 1,
                       .seed = trial->seed,
                       .fresh_instances = b->options.instances == BESD_INSTANCES_FRESH,
                       .threads = b->threads};
    return trial_run(&r, result, error);
}

besd_status bridge_train(const bridge *b, const besd_trial *trial, double *scores,
                         besd_error *error) {
    trial_result result;
    besd_status status = train(b, trial, &result, error);
    if (status != BESD_OK)
        return status;
    memcpy(scores, result.final, result.agents * sizeof *scores);
    trial_result_free(&result);
    return BESD_OK;
}

/* Without memory *legs is NULL, as it is where theta is no path. */
static besd_status legs_of(const bridge *b, const besd_path *path, const trial_result *r,
                           besd_leg **legs, besd_error *error) {
    *legs = NULL;
    if (!path->points)
        return BESD_OK;
    *legs = malloc(r->agents * r->legs * sizeof **legs);
    if (!*legs)
        return besd_fail_memory(error, "the legs");
    for (size_t i = 0; i < r->agents * r->legs; i++)
        (*legs)[i] =
            (besd_leg){.reached = r->reached[i] ? (double)r->reached[i] : NAN,
                       .earned = r->earned[i],
                       .label = b->path.labels ? grid_layout_of(&b->domain->map,
                                                                r->instance_seeds[i / r->legs])
                                               : 0};
    return BESD_OK;
}

besd_status bridge_train_and_tell(const bridge *b, besd_study *study, const besd_trial *trial,
                                  double *scores, besd_error *error) {
    trial_result result;
    besd_path path;
    besd_leg *legs = NULL;
    besd_status status = train(b, trial, &result, error);
    if (status != BESD_OK)
        return status;
    besd_study_get_path(study, &path);
    status = legs_of(b, &path, &result, &legs, error);
    memcpy(scores, result.final, result.agents * sizeof *scores);
    if (status == BESD_OK)
        status = besd_study_tell_legs(study, trial->id, scores, legs, result.agents, -1, error);
    free(legs);
    trial_result_free(&result);
    return status;
}

besd_status bridge_test(const bridge *b, const double *theta, int64_t instances, uint64_t seed,
                        trial_result *result, besd_error *error) {
    trial_request r = {.domain = b->domain,
                       .theta = theta,
                       .theta_length = b->options.dimension,
                       .tau = domain_tau_max(b->domain),
                       .reps = 1,
                       .instances = instances,
                       .seed = seed,
                       .threads = b->threads};
    return trial_run(&r, result, error);
}
