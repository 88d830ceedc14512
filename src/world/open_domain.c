/* The public face of domains: besd/domain.h. A handle keeps the domain, whose map the
 * environment borrows, and the environment together. */
#include "besd/domain.h"

#include "core/error.h"
#include "world/domain.h"
#include "world/door.h"
#include "world/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)BESD_DOMAIN_MAX_LEVELS == (int)DOMAIN_MAX_LEVELS, "the levels of a domain fit");

struct besd_domain {
    domain domain;
    besd_env *env;
};

const char *besd_domain_name(size_t index) {
    return domain_name(index);
}

static besd_status set_parameter(domain *d, const besd_env_parameter *parameter,
                                 besd_error *error) {
    char assignment[128]; /* longer names are of no parameter, cut or not */
    if (!parameter->name)
        return besd_fail(error, BESD_INVALID, "parameter: expected a name, got none");
    snprintf(assignment, sizeof assignment, "%.63s=%.17g", parameter->name, parameter->value);
    return domain_set(d, assignment, error);
}

typedef besd_status find_domain(const char *argument, domain *d, besd_error *error);

static besd_status load_domain(const char *argument, domain *d, besd_error *error) {
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
    return open_found(opened, load_domain, argument, parameters, count, error);
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
