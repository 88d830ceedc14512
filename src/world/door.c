#include "world/door.h"

#include "core/error.h"
#include "world/domain_yaml.h"
#include "world/plugin.h"
#include "world/process_env.h"

#include <math.h>
#include <string.h>

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

/* The potential is as wide, against the box of the subgoals, as the paper's is on a 10 x 10 grid.
 */
static void take_width(domain *d, const besd_env_spec *spec) {
    double squares = 0;
    for (int i = 0; i < spec->position; i++) {
        double side = spec->subgoal_high[i] - spec->subgoal_low[i];
        squares += side * side;
    }
    d->value[PARAMETER_WIDTH] = 0.1 * squares / spec->position;
}

/* What an environment leaves unsaid; training lasts one, two or four episodes that are cut off. */
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

/* When a subgoal is reached, as the environment says. */
static besd_status take_reaching(domain *d, const besd_env *env, const besd_env_spec *spec,
                                 besd_error *error) {
    besd_error own = {BESD_OK, ""};
    besd_env_reaching told = {.reach = spec->reach};
    reaching_init(&d->reach, spec->reach);
    if (!d->methods->reaching)
        return BESD_OK;
    d->methods->reaching(env, &told);
    if (reaching_take(&d->reach, &told, spec, &own) == BESD_OK)
        return BESD_OK;
    return besd_fail(error, BESD_ENVIRONMENT, "environment %s: its reaching: %.380s", d->name,
                     own.message);
}

/* By its settings an environment may have said it otherwise. */
static besd_status check_reaching(domain *d, const besd_env_spec *spec, besd_error *error) {
    besd_error own = {BESD_OK, ""};
    reaching_listen(&d->reach);
    if (reaching_check(&d->reach, spec, &own) == BESD_OK)
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
    return status == BESD_OK ? reaching_check(&d->reach, &spec, error) : status;
}
