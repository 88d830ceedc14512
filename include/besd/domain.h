/* Domains as environments, the built-in ones and others: the method table of besd/env.h and a
 * handle to call it with.
 *
 *     besd_domain *domain;  besd_env *env;  besd_error error;  besd_env_outcome out;
 *     besd_env_parameter calm = {"wind", 0};
 *     besd_domain_open(&domain, "gw10", &calm, 1, &error);
 *     const besd_env_methods *world = besd_domain_env(domain, &env);
 *     world->instance(env, 7, &error);        // one of the maps
 *     world->seed(env, 1);
 *     world->reset(env, &out);
 *     while (!out.terminated && !out.truncated)
 *         world->step(env, my_policy(out.state), &out);
 *     besd_domain_close(domain);              // and with it the environment
 *
 * The rules of besd/env.h hold: no global state, one thread at a time for a handle, the same seeds
 * give the same bytes. Actions are not checked by `step`: they are yours to keep in 0, ...,
 * spec.actions - 1.
 */
#ifndef BESD_DOMAIN_H
#define BESD_DOMAIN_H

#include "besd/env.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BESD_DOMAIN_MAX_LEVELS 8

/* What the score of one replication is: that of a greedy episode after training. */
typedef enum besd_domain_score {
    BESD_SCORE_STEPS = 0, /* steps to the goal, the cap if it is not reached; less is better */
    BESD_SCORE_RETURN = 1 /* discounted return, 0 if the goal is not reached; more is better */
} besd_domain_score;

/* What the paper gives a domain besides its dynamics. */
typedef struct besd_domain_info {
    const char *name, *title;
    int subgoals;         /* K; a design holds K positions, one after the other */
    double gamma;         /* discount of learner, shaping and return */
    double height, width; /* of a potential: height * exp(-distance^2 / (2 width)) */
    besd_domain_score score;
    int64_t taus[BESD_DOMAIN_MAX_LEVELS]; /* increasing */
    size_t tau_count;
    int reps[BESD_DOMAIN_MAX_LEVELS]; /* increasing */
    size_t reps_count;
    int initial_designs; /* tried at every tau */
    uint64_t reserved[8];
} besd_domain_info;

typedef struct besd_domain besd_domain;

/* The names of the built-in domains; NULL past the last. */
BESD_API const char *besd_domain_name(size_t index);

/* Opens a built-in domain. `parameters` override its constants ('besd domains NAME' lists them); an
 * unknown name is BESD_UNKNOWN with the nearest known one. *domain is NULL after a failure. */
BESD_API besd_status besd_domain_open(besd_domain **domain, const char *name,
                                      const besd_env_parameter *parameters, size_t count,
                                      besd_error *error);
BESD_API void besd_domain_close(besd_domain *domain);

/* The same for whatever the command line takes for a domain: a built-in name, "./delivery.so" (a
 * plugin), "rooms.yaml" (a grid), "cmd:python3 my_env.py" (a process). Plugins and commands are
 * run: load only what you trust. An environment that fails in reset or step tells a reward of NaN,
 * and its `failure`, when it has one, says why. */
BESD_API besd_status besd_domain_load(besd_domain **domain, const char *argument,
                                      const besd_env_parameter *parameters, size_t count,
                                      besd_error *error);

/* The environment; both live until the domain is closed. The table's `create` and `destroy` are not
 * for you: open and close the domain instead. */
BESD_API const besd_env_methods *besd_domain_env(const besd_domain *domain, besd_env **env);

/* With the parameters it was opened with; texts live until it is closed. */
BESD_API void besd_domain_describe(const besd_domain *domain, besd_domain_info *info);

/* When a move completes a subgoal, with all numbers: what the environment says, changed by the
 * parameters cell_size, origin (one for all coordinates) and radius where the domain was opened
 * with them. With BESD_REACH_CELL, cell_size is never 0. */
BESD_API void besd_domain_reaching(const besd_domain *domain, besd_env_reaching *how);

/* What a grid looks like in its current instance: width * height characters, the lowest row first;
 * '.' free, '#' wall, 'S' start, 'G' goal, 'D' door, 'K' key, 'T' treasure; '^', '>', 'V' and '<'
 * are entered in their direction only. Borrowed until the next instance is drawn. NULL for other
 * domains. */
BESD_API const char *besd_domain_cells(const besd_domain *domain, int *width, int *height);

#ifdef __cplusplus
}
#endif
#endif
