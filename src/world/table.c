#include "world/table.h"

#include "core/error.h"

#include <math.h>

static besd_status check_shape(const char *name, const besd_env_table *t, const besd_env_spec *spec,
                               besd_error *error) {
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

static besd_status check_moves(const char *name, const besd_env_table *t, besd_error *error) {
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

besd_status table_check(const char *name, const besd_env_table *t, const besd_env_spec *spec,
                        besd_error *error) {
    besd_status status = check_shape(name, t, spec, error);
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
    return check_moves(name, t, error);
}
