/* What the author of an environment implements.
 *
 * An environment stands for a *domain*: a distribution of instances. `create` makes a handle from
 * parameters, `instance` draws one instance from a seed, `reset` begins an episode in it and
 * `step` moves it on. A method table collects these; its members are marked REQUIRED or OPTIONAL,
 * and an OPTIONAL one that is NULL means "not offered".
 *
 * Rules that `besd` relies on and checks:
 *  - No global state: two handles never disturb each other, and a handle is used by one thread at
 *    a time. Randomness comes only from the seeds that are passed in, so the same seeds give the
 *    same bytes.
 *  - The first calls of a fresh handle are `instance`, `seed`, `reset` and `step`, in this order.
 *  - A state id stands for one position, in every instance.
 *  - `terminated` (the task ended) and `truncated` (time ran out) are apart: a learner bootstraps
 *    through truncation, never through termination. After either, `reset` comes next.
 *  - The reward is the task's own. Subgoal shaping is added by the learner, never here.
 *
 * A complete environment:
 *
 *     static void coin_step(besd_env *env, int action, besd_env_outcome *out) {
 *         ...
 *     }
 *     static const besd_env_methods coin = {
 *         .version = BESD_ENV_VERSION, .size = sizeof(besd_env_methods), .name = "coin",
 *         .create = coin_create, .destroy = coin_destroy, .spec = coin_spec,
 *         .instance = coin_instance, .seed = coin_seed, .reset = coin_reset, .step = coin_step,
 *     };
 *
 * As a plugin it is a shared object that exports one function, and `besd train ./coin.so` trains
 * on it; `besd check ./coin.so` tests that it keeps the rules:
 *
 *     BESD_API const besd_env_methods *besd_env_plugin(void) {
 *         return &coin;
 *     }
 *
 * examples/delivery.c is a whole one.
 */
#ifndef BESD_ENV_H
#define BESD_ENV_H

#include "besd/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BESD_ENV_VERSION 1u
#define BESD_ENV_MAX_ACTIONS 64
#define BESD_ENV_MAX_OBSERVATION 8

/* Yours to define; besd only passes the pointer round. */
typedef struct besd_env besd_env;

/* When a move completes a subgoal. */
typedef enum besd_env_reach {
    BESD_REACH_CELL = 0,  /* it ends in the cell that contains the subgoal: of side 1, unless
                             `reaching` says another */
    BESD_REACH_CROSS = 1, /* it passes over the subgoal (one-dimensional positions) */
    BESD_REACH_RADIUS = 2 /* it ends at most a radius away from the subgoal; `reaching` says it */
} besd_env_reach;

/* The same with its numbers, in the units of positions: a robot in metres says
 * {.reach = BESD_REACH_CELL, .cell_size = 0.08} or {.reach = BESD_REACH_RADIUS, .radius = 0.04}.
 * Zero means default, what does not belong to the reach is zero. */
typedef struct besd_env_reaching {
    besd_env_reach reach;
    double cell_size;                        /* of BESD_REACH_CELL: the side of a cell; 0: 1 */
    double origin[BESD_ENV_MAX_OBSERVATION]; /* of BESD_REACH_CELL: a corner of one of the cells */
    double radius;                           /* of BESD_REACH_RADIUS: above 0 */
    uint64_t reserved[6];                    /* 0 */
} besd_env_reaching;

/* One number of a user's parametrisation: `--set wind=0.05` becomes {"wind", 0.05}. */
typedef struct besd_env_parameter {
    const char *name;
    double value;
} besd_env_parameter;

/* The fixed shape of an environment; the same for all its instances. */
typedef struct besd_env_spec {
    int actions;     /* 2 to BESD_ENV_MAX_ACTIONS; an action is 0, ..., actions - 1 */
    int64_t states;  /* number of discrete states, or 0 when the observation is the state */
    int observation; /* length of the observation, 1 to BESD_ENV_MAX_OBSERVATION */
    int position;    /* its first `position` entries are where the agent is; subgoals live there */
    double low[BESD_ENV_MAX_OBSERVATION], high[BESD_ENV_MAX_OBSERVATION]; /* its bounds */
    double subgoal_low[BESD_ENV_MAX_OBSERVATION];  /* the box in which a subgoal may lie; only */
    double subgoal_high[BESD_ENV_MAX_OBSERVATION]; /* the first `position` entries count */
    besd_env_reach reach;
    int64_t cap; /* an episode is truncated after this many steps; at least 1 */
} besd_env_spec;

/* What reset and step tell. The caller owns it; an environment fills in every field it has. */
typedef struct besd_env_outcome {
    double reward;   /* of this step; 0 from reset */
    int64_t state;   /* 0, ..., states - 1; ignored when the spec says states = 0 */
    bool terminated; /* the task ended with this step */
    bool truncated;  /* the cap was reached with this step, and it did not terminate */
    double observation[BESD_ENV_MAX_OBSERVATION];
} besd_env_outcome;

/* A whole instance as a finite Markov decision process. With probability `wind` the chosen action
 * is replaced by a uniformly random one; the move itself is deterministic. An environment that
 * can tell its table is trained without calls and solved exactly. All arrays are borrowed until
 * the next call of `instance` or `destroy`. */
typedef struct besd_env_table {
    int64_t states;
    int actions;
    int64_t start;
    double wind;
    const int32_t *next;     /* [state * actions + action] */
    const double *reward;    /* [state * actions + action] */
    const uint8_t *terminal; /* [state]: entering it ends the episode */
    const double *position;  /* [state * spec.position + i] */
} besd_env_table;

typedef struct besd_env_methods {
    uint32_t version; /* REQUIRED: BESD_ENV_VERSION */
    uint32_t size;    /* REQUIRED: sizeof(besd_env_methods), so that the table can grow */
    const char *name; /* REQUIRED: lower case, no spaces */

    /* REQUIRED of a plugin (a built-in table leaves it NULL: a grid is made from a map). Makes a
     * handle. `parameters` are the user's overrides; an unknown name or a value out of range is
     * BESD_UNKNOWN or BESD_INVALID with a sentence in error. */
    besd_status (*create)(const besd_env_parameter *parameters, size_t count, besd_env **env,
                          besd_error *error);

    /* REQUIRED. Frees a handle; NULL is fine. */
    void (*destroy)(besd_env *env);

    /* REQUIRED. The shape; the same at any time in the handle's life. */
    void (*spec)(const besd_env *env, besd_env_spec *spec);

    /* REQUIRED. Draws the instance of this seed; the handle then stays in it. */
    besd_status (*instance)(besd_env *env, uint64_t seed, besd_error *error);

    /* REQUIRED. Restarts the environment's own randomness; episodes that follow draw from it. */
    void (*seed)(besd_env *env, uint64_t seed);

    /* REQUIRED. Begins an episode. */
    void (*reset)(besd_env *env, besd_env_outcome *out);

    /* REQUIRED. One interaction. */
    void (*step)(besd_env *env, int action, besd_env_outcome *out);

    /* OPTIONAL. A number that is equal for equal instances. */
    uint64_t (*fingerprint)(const besd_env *env);

    /* OPTIONAL. The current instance as a table. */
    const besd_env_table *(*table)(const besd_env *env);

    /* OPTIONAL. What the domain recommends to a study, as a user would write it after --set:
     * {"subgoals=2", "tau=400,1200", "reps=5,20", "gamma=0.99", NULL}. The user's --set wins. */
    const char *const *settings;

    /* OPTIONAL. One interaction of several handles at once, for environments in which a call is
     * expensive; the same as `count` calls of `step`, in any order. */
    void (*step_many)(besd_env *const *envs, const int *actions, besd_env_outcome *const *outs,
                      int count);

    /* OPTIONAL. Why the environment cannot go on, as one sentence that lasts as long as the handle;
     * NULL while all is well. An environment that fails in reset or step reports a reward of NaN
     * and state -1, which stops every learner, and is then asked for its reason here. */
    const char *(*failure)(const besd_env *env);

    /* OPTIONAL. When a subgoal is reached, where spec.reach alone does not say it all: for cells
     * whose side is not 1, or a radius. *how comes with the reach of the spec and is zero
     * otherwise; the same at any time in the handle's life. The user's --set wins. */
    void (*reaching)(const besd_env *env, besd_env_reaching *how);
} besd_env_methods;

/* The members up to `table` are in every version; a plugin may leave out the later ones by giving
 * a smaller size. */
#define BESD_ENV_LEAST_SIZE offsetof(besd_env_methods, settings)

/* What a plugin exports under the name besd_env_plugin. The table lasts as long as the program. */
BESD_API const besd_env_methods *besd_env_plugin(void);

#ifdef __cplusplus
}
#endif
#endif
