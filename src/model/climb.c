#include "model/climb.h"

#include "core/error.h"

#include <errno.h>
#include <math.h>
#include <nlopt.h>
#include <stdbool.h>

static double ask_height(unsigned count, const double *x, double *gradient, void *context) {
    (void)count;
    const climb *c = context;
    int said = errno;
    double height = c->objective(x, gradient, c->context);
    errno = said; /* exp sets it when a result is tiny */
    return height;
}

/* When L-BFGS cannot allocate room for the gradients that it remembers, it silently goes on without
 * them, on another path. But malloc has left ENOMEM in errno. */
static nlopt_result optimise(nlopt_opt search, double *x, double *value) {
    errno = 0;
    nlopt_result result = nlopt_optimize(search, x, value);
    return errno == ENOMEM ? NLOPT_OUT_OF_MEMORY : result;
}

static bool set_up(nlopt_opt search, const climb *c) {
    bool by_value = c->kind == CLIMB_BY_VALUE;
    return nlopt_set_max_objective(search, ask_height, (void *)c) > 0 &&
           (c->low ? nlopt_set_lower_bounds(search, c->low) : nlopt_set_lower_bounds1(search, 0)) >
               0 &&
           (c->high ? nlopt_set_upper_bounds(search, c->high)
                    : nlopt_set_upper_bounds1(search, 1)) > 0 &&
           nlopt_set_ftol_abs(search, c->least_gain) > 0 &&
           nlopt_set_ftol_rel(search, c->least_gain_share) > 0 &&
           (!(c->least_move > 0) || nlopt_set_xtol_abs1(search, c->least_move) > 0) &&
           nlopt_set_maxeval(search, c->evaluations) > 0 &&
           (by_value ? nlopt_set_initial_step1(search, c->first_step)
                     : nlopt_set_vector_storage(search, (unsigned)c->evaluations)) > 0;
}

besd_status climb_run(const climb *c, double *x, double *value, besd_error *error) {
    for (size_t i = 0; i < c->dimension; i++)
        x[i] = fmin(fmax(x[i], c->low ? c->low[i] : 0), c->high ? c->high[i] : 1);
    nlopt_opt search = nlopt_create(c->kind == CLIMB_BY_VALUE ? NLOPT_LN_SBPLX : NLOPT_LD_LBFGS,
                                    (unsigned)c->dimension);
    nlopt_result result = NLOPT_OUT_OF_MEMORY;
    if (search && set_up(search, c))
        result = optimise(search, x, value);
    nlopt_destroy(search);
    /* Other failures only say that there is no way up from the last point, which is kept. */
    return result == NLOPT_OUT_OF_MEMORY ? besd_fail_memory(error, "the search uphill") : BESD_OK;
}
