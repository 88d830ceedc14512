/* How domains come in: by name, file, plugin or command; the checks of environments that others
 * wrote; and the public handle. */
#include "world/domain_load.h"

#include "besd/domain.h"
#include "core/error.h"
#include "world/domain.h"
#include "world/domain_yaml.h"
#include "world/grid.h"
#include "world/plugin.h"
#include "world/process_env.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)BESD_DOMAIN_MAX_LEVELS == (int)DOMAIN_MAX_LEVELS, "the levels of a domain fit");

static bool ends_in(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && !strcmp(text + length - tail, ending);
}

besd_status domain_load(const char *argument, double start_timeout, domain *d, besd_error *error) {
    if (!strncmp(argument, PROCESS_PREFIX, strlen(PROCESS_PREFIX)))
        return process_load(argument + strlen(PROCESS_PREFIX), start_timeout, d, error);
    if (ends_in(argument, ".yaml") || ends_in(argument, ".yml"))
        return domain_yaml_load(argument, d, error);
    if (ends_in(argument, ".besd"))
        return besd_fail(error, BESD_INVALID,
                         "%s is a study and no domain; 'besd run %s' goes on with it", argument,
                         argument);
    if (ends_in(argument, ".so") || strchr(argument, '/'))
        return plugin_load(argument, d, error);
    return domain_find(argument, d, error);
}

static besd_status check_box(const char *name, const char *low_name, const double *low,
                             const char *high_name, const double *high, int count,
                             besd_error *error) {
    for (int i = 0; i < count; i++)
        if (!isfinite(low[i]) || !isfinite(high[i]) || !(low[i] < high[i]))
            return besd_fail(error, BESD_ENVIRONMENT,
                             "environment %s: expected %s[%d] < %s[%d], got %g and %g", name,
                             low_name, i, high_name, i, low[i], high[i]);
    return BESD_OK;
}

besd_status env_spec_check(const char *name, const besd_env_spec *s, besd_error *error) {
    const struct {
        const char *what;
        int64_t value, low, high;
    } bounds[] = {{"actions", s->actions, 2, BESD_ENV_MAX_ACTIONS},
                  {"states", s->states, 0, INT64_C(1) << 30},
                  {"observation", s->observation, 1, BESD_ENV_MAX_OBSERVATION},
                  {"position", s->position, 1, s->observation},
                  {"cap", s->cap, 1, 1000000000},
                  {"reach", s->reach, BESD_REACH_CELL, BESD_REACH_RADIUS}};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (bounds[i].value < bounds[i].low || bounds[i].value > bounds[i].high)
            return besd_fail(error, BESD_ENVIRONMENT,
                             "environment %s: its spec has %s = %lld, expected %lld to %lld", name,
                             bounds[i].what, (long long)bounds[i].value, (long long)bounds[i].low,
                             (long long)bounds[i].high);
    if (s->reach == BESD_REACH_CROSS && s->position != 1)
        return besd_fail(
            error, BESD_ENVIRONMENT,
            "environment %s: subgoals are crossed on positions of one number, its spec "
            "has position = %d; use reach = cell",
            name, s->position);
    besd_status status = check_box(name, "low", s->low, "high", s->high, s->observation, error);
    if (status == BESD_OK)
        status = check_box(name, "subgoal_low", s->subgoal_low, "subgoal_high", s->subgoal_high,
                           s->position, error);
    return status;
}

static besd_status check_table_shape(const char *name, const besd_env_table *t,
                                     const besd_env_spec *spec, besd_error *error) {
    if (!t || !t->next || !t->reward || !t->terminal || !t->position)
        return besd_fail(error, BESD_ENVIRONMENT, "environment %s: its table%s is NULL", name,
                         !t             ? ""
                         : !t->next     ? "'s next"
                         : !t->reward   ? "'s reward"
                         : !t->terminal ? "'s terminal"
                                        : "'s position");
    if (t->states != spec->states || t->actions != spec->actions)
        return besd_fail(error, BESD_ENVIRONMENT,
                         "environment %s: its table has %lld states and %d actions, its spec %lld "
                         "and %d",
                         name, (long long)t->states, t->actions, (long long)spec->states,
                         spec->actions);
    return BESD_OK;
}

static besd_status check_table_moves(const char *name, const besd_env_table *t, besd_error *error) {
    const int64_t moves = t->states * t->actions;
    int64_t i = 0;
    while (i < moves && t->next[i] >= 0 && t->next[i] < t->states && isfinite(t->reward[i]))
        i++;
    if (i == moves)
        return BESD_OK;
    long long state = (long long)(i / t->actions);
    int action = (int)(i % t->actions);
    if (!isfinite(t->reward[i]))
        return besd_fail(error, BESD_ENVIRONMENT,
                         "environment %s: the reward of its table is %g in state %lld for action "
                         "%d",
                         name, t->reward[i], state, action);
    return besd_fail(error, BESD_ENVIRONMENT,
                     "environment %s: its table leads from state %lld by action %d to a state out "
                     "of range, %d of %lld",
                     name, state, action, (int)t->next[i], (long long)t->states);
}

besd_status env_table_check(const char *name, const besd_env_table *t, const besd_env_spec *spec,
                            besd_error *error) {
    besd_status status = check_table_shape(name, t, spec, error);
    if (status != BESD_OK)
        return status;
    if (t->start < 0 || t->start >= t->states)
        return besd_fail(error, BESD_ENVIRONMENT,
                         "environment %s: its table starts in a state out of range, %lld of %lld",
                         name, (long long)t->start, (long long)t->states);
    if (!(t->wind >= 0 && t->wind <= 1))
        return besd_fail(error, BESD_ENVIRONMENT,
                         "environment %s: expected a table with wind in [0, 1], got %g", name,
                         t->wind);
    for (int64_t i = 0; i < t->states * spec->position; i++)
        if (!isfinite(t->position[i]))
            return besd_fail(error, BESD_ENVIRONMENT,
                             "environment %s: the position of its table is %g in state %lld", name,
                             t->position[i], (long long)(i / spec->position));
    return check_table_moves(name, t, error);
}

/* The potential is as wide, in comparison with the box of subgoals, as the paper's is on a 10 x 10
 * grid. */
static void take_width(domain *d, const besd_env_spec *spec) {
    double squares = 0;
    for (int i = 0; i < spec->position; i++) {
        double side = spec->subgoal_high[i] - spec->subgoal_low[i];
        squares += side * side;
    }
    d->value[PARAMETER_WIDTH] = 0.1 * squares / spec->position;
}

/* Defaults for what an environment does not say; training lasts as long as one, two or four
 * episodes up to the cap. */
static void take_defaults(domain *d, const besd_env_spec *spec) {
    d->value[PARAMETER_GAMMA] = 0.99;
    take_width(d, spec);
    d->value[PARAMETER_CAP] = NAN; /* these two are the environment's */
    d->value[PARAMETER_GOAL_REWARD] = NAN;
    if (!spec->states) {
        d->value[PARAMETER_TILINGS] = d->value[PARAMETER_TILES] = 8;
        d->value[PARAMETER_ALPHA] = 0.5 / 8;
        d->value[PARAMETER_ALPHA_DECAY] = 0;
    }
    if (d->source->timed) {
        d->value[PARAMETER_RESET_TIMEOUT] = 30;
        d->value[PARAMETER_STEP_TIMEOUT] = 10;
    }
    for (int i = 0; i < 3; i++)
        d->tau[i] = spec->cap << i;
    d->reps[0] = 5;
    d->reps[1] = 20;
}

/* Takes from the environment when a subgoal is reached. */
static besd_status take_reaching(domain *d, const besd_env *env, const besd_env_spec *spec,
                                 besd_error *error) {
    besd_error own = {BESD_OK, ""};
    besd_env_reaching told = {.reach = spec->reach};
    reach_options_init(&d->reach, spec->reach);
    if (!d->methods->reaching)
        return BESD_OK;
    d->methods->reaching(env, &told);
    if (reach_options_take(&d->reach, &told, spec, &own) == BESD_OK)
        return BESD_OK;
    return besd_fail(error, BESD_ENVIRONMENT, "environment %s: its reaching: %.380s", d->name,
                     own.message);
}

/* The settings of an environment may have changed that. */
static besd_status check_reaching(domain *d, const besd_env_spec *spec, besd_error *error) {
    besd_error own = {BESD_OK, ""};
    reach_options_listen(&d->reach);
    if (reach_options_check(&d->reach, spec, &own) == BESD_OK)
        return BESD_OK;
    return besd_fail(error, BESD_ENVIRONMENT, "environment %s: %.400s", d->name, own.message);
}

besd_status domain_adopt(domain *d, const char *name, const char *title, domain_source *source,
                         const besd_env_methods *methods, const char *const *settings,
                         besd_error *error) {
    besd_env *env = NULL;
    besd_env_spec spec;
    domain_init(d, name, title);
    d->kind = DOMAIN_FOREIGN;
    d->methods = methods;
    d->source = source;
    memset(&spec, 0, sizeof spec);
    besd_status status = domain_open(d, &env, error);
    if (status == BESD_OK) {
        methods->spec(env, &spec);
        status = env_spec_check(name, &spec, error);
        if (status == BESD_OK)
            status = take_reaching(d, env, &spec, error);
        methods->destroy(env);
    }
    if (status == BESD_OK)
        take_defaults(d, &spec);
    for (int i = 0; status == BESD_OK && settings && settings[i]; i++)
        status = domain_set(d, settings[i], error);
    if (status == BESD_OK)
        status = check_reaching(d, &spec, error);
    if (status != BESD_OK)
        domain_release(d);
    return status;
}

besd_status domain_settle(domain *d, besd_error *error) {
    const bool changed = d->source && d->source->own_count > 0;
    besd_env *env = NULL;
    besd_env_spec spec = {0};
    if (!changed && !d->reach_said)
        return BESD_OK;
    besd_status status = domain_open(d, &env, error);
    if (status != BESD_OK)
        return status;
    d->methods->spec(env, &spec);
    if (changed)
        status = env_spec_check(d->name, &spec, error);
    if (status == BESD_OK && changed && !d->width_said)
        take_width(d, &spec);
    if (status == BESD_OK && changed && !d->reach_said)
        status = take_reaching(d, env, &spec, error);
    d->methods->destroy(env);
    return status == BESD_OK ? reach_options_check(&d->reach, &spec, error) : status;
}

/* The handle of besd/domain.h keeps a domain and its environment together, because the environment
 * borrows the map of the domain. */
struct besd_domain {
    domain domain;
    besd_env *env;
};

const char *besd_domain_name(size_t index) {
    return domain_name(index);
}

static besd_status set_parameter(domain *d, const besd_env_parameter *parameter,
                                 besd_error *error) {
    char assignment[128]; /* a longer name is no parameter, whether it is cut or not */
    if (!parameter->name)
        return besd_fail(error, BESD_INVALID, "parameter: expected a name, got none");
    snprintf(assignment, sizeof assignment, "%.63s=%.17g", parameter->name, parameter->value);
    return domain_set(d, assignment, error);
}

typedef besd_status find_domain(const char *argument, domain *d, besd_error *error);

static besd_status load(const char *argument, domain *d, besd_error *error) {
    return domain_load(argument, NAN, d, error);
}

static besd_status open_found(besd_domain **opened, find_domain *find, const char *argument,
                              const besd_env_parameter *parameters, size_t count,
                              besd_error *error) {
    *opened = NULL;
    if (!argument)
        return besd_fail(error, BESD_INVALID, "domain: expected a name, got none");
    besd_domain *d = calloc(1, sizeof *d);
    if (!d)
        return besd_fail_memory(error, "a domain");
    besd_status status = find(argument, &d->domain, error);
    if (status != BESD_OK) {
        free(d);
        return status;
    }
    for (size_t i = 0; i < count && status == BESD_OK; i++)
        status = set_parameter(&d->domain, &parameters[i], error);
    if (status == BESD_OK)
        status = domain_settle(&d->domain, error);
    if (status == BESD_OK)
        status = domain_open(&d->domain, &d->env, error);
    if (status != BESD_OK) {
        domain_release(&d->domain);
        free(d);
        return status;
    }
    *opened = d;
    return BESD_OK;
}

besd_status besd_domain_open(besd_domain **opened, const char *name,
                             const besd_env_parameter *parameters, size_t count,
                             besd_error *error) {
    return open_found(opened, domain_find, name, parameters, count, error);
}

besd_status besd_domain_load(besd_domain **opened, const char *argument,
                             const besd_env_parameter *parameters, size_t count,
                             besd_error *error) {
    return open_found(opened, load, argument, parameters, count, error);
}

void besd_domain_close(besd_domain *d) {
    if (!d)
        return;
    d->domain.methods->destroy(d->env);
    domain_release(&d->domain);
    free(d);
}

const char *besd_domain_cells(const besd_domain *d, int *width, int *height) {
    if (d->domain.kind != DOMAIN_GRID)
        return NULL;
    *width = d->domain.map.width;
    *height = d->domain.map.height;
    return grid_cells(d->env);
}

const besd_env_methods *besd_domain_env(const besd_domain *d, besd_env **env) {
    *env = d->env;
    return d->domain.methods;
}

void besd_domain_reaching(const besd_domain *d, besd_env_reaching *how) {
    *how = d->domain.reach.how;
}

void besd_domain_describe(const besd_domain *handle, besd_domain_info *info) {
    const domain *d = &handle->domain;
    *info = (besd_domain_info){.name = d->name,
                               .title = d->title,
                               .subgoals = (int)d->value[PARAMETER_SUBGOALS],
                               .gamma = d->value[PARAMETER_GAMMA],
                               .height = d->value[PARAMETER_HEIGHT],
                               .width = d->value[PARAMETER_WIDTH],
                               .score = d->objective == OBJECTIVE_STEPS ? BESD_SCORE_STEPS
                                                                        : BESD_SCORE_RETURN,
                               .initial_designs = d->initial_designs};
    for (; info->tau_count < DOMAIN_MAX_LEVELS && d->tau[info->tau_count]; info->tau_count++)
        info->taus[info->tau_count] = d->tau[info->tau_count];
    for (; info->reps_count < DOMAIN_MAX_LEVELS && d->reps[info->reps_count]; info->reps_count++)
        info->reps[info->reps_count] = d->reps[info->reps_count];
}
