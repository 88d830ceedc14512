/* A domain: a map, a mountain or somebody else's environment, the numbers that belong to it, and
 * the levers of a study. The built-in domains are the paper's; domain_load.h loads the others.
 * Opening a domain makes an environment (besd/env.h).
 */
#ifndef BESD_WORLD_DOMAIN_H
#define BESD_WORLD_DOMAIN_H

#include "besd/env.h"
#include "world/grid_map.h"
#include "world/mountain_car.h"
#include "world/reach_options.h"

/* X(id, name, lowest, highest, integer, text): every constant of a domain; each can be set. */
#define DOMAIN_PARAMETERS(X)                                                                       \
    X(SUBGOALS, "subgoals", 1, 8, 1, "number of subgoals K")                                       \
    X(GAMMA, "gamma", 0, 1, 0, "discount of learner, shaping and return")                          \
    X(CAP, "cap", 1, 1e9, 1, "steps after which an episode is truncated")                          \
    X(HEIGHT, "potential_height", 0, 1e6, 0, "w1: height of a subgoal's potential")                \
    X(WIDTH, "potential_width", 1e-6, 1e6, 0, "w2: divides the squared distance")                  \
    X(EPSILON, "epsilon_start", 0, 1, 0, "chance of a random action, at first")                    \
    X(EPSILON_END, "epsilon_end", 0, 1, 0, "the same at the end of training, linear between")      \
    X(ALPHA, "alpha", 1e-9, 1, 0, "step size, at first")                                           \
    X(ALPHA_DECAY, "alpha_decay", 0, 1e9, 0, "c in alpha*c/(c + n^power), n goals; 0: constant")   \
    X(ALPHA_POWER, "alpha_power", 0, 10, 0, "power of the number of goals reached so far")         \
    X(INITIAL_VALUE, "initial_value", -1e6, 1e6, 0, "action values at the start of training")      \
    X(INITIAL_NOISE, "initial_noise", 0, 1e6, 0, "sd of normal noise on them")                     \
    X(GOAL_REWARD, "goal_reward", -1e6, 1e6, 0, "reward on reaching the goal")                     \
    X(TREASURE_REWARD, "treasure_reward", -1e6, 1e6, 0, "reward on first reaching the treasure")   \
    X(WIND_LOW, "wind_low", 0, 1, 0, "wind of an instance is uniform between")                     \
    X(WIND_HIGH, "wind_high", 0, 1, 0, "these two")                                                \
    X(TILINGS, "tilings", 1, 32, 1, "tile coding: tilings")                                        \
    X(TILES, "tiles", 1, 64, 1, "tile coding: tiles per dimension")                                \
    X(START_LOW, "start_low", -1.2, 0.6, 0, "start of an instance is uniform between")             \
    X(START_HIGH, "start_high", -1.2, 0.6, 0, "these two")                                         \
    X(GOAL_POSITION, "goal_position", -1.2, 0.6, 0, "the goal is at or beyond")                    \
    X(FORCE, "force", 0, 1, 0, "acceleration of one push")                                         \
    X(GRAVITY, "gravity", 0, 1, 0, "pull of the slope")                                            \
    X(MAX_SPEED, "max_speed", 1e-6, 1, 0, "speed is clipped to this")                              \
    X(RESET_TIMEOUT, "reset_timeout", 1e-3, 1e6, 0, "seconds to start, draw an instance or reset") \
    X(STEP_TIMEOUT, "step_timeout", 1e-3, 1e6, 0, "seconds that a step may take")                  \
    X(FEWEST_SUBGOALS, "fewest_subgoals", 0, 8, 1, "K is chosen from this up; 0: it is fixed")     \
    X(SUBGOAL_PRICE, "subgoal_price", 0, 1e6, 0, "what each is worth less, when K is chosen")      \
    X(LABELS, "labels", 0, 1, 1, "1: legs are told apart by the layout of the map")                \
    X(MOVES, "moves", 4, 8, 1, "directions of a move: 4, or 8 with the diagonals")                 \
    X(TASKS, "tasks", 0, 1, 1, "1: every layout of the map is a task with subgoals of its own")

typedef enum domain_parameter {
#define DOMAIN_PARAMETER_ENUM(id, name, low, high, integer, text) PARAMETER_##id,
    DOMAIN_PARAMETERS(DOMAIN_PARAMETER_ENUM)
#undef DOMAIN_PARAMETER_ENUM
        PARAMETER_COUNT
} domain_parameter;

typedef struct domain_parameter_info {
    const char *name, *text;
    double low, high;
    bool integer;
} domain_parameter_info;

extern const domain_parameter_info domain_parameter_infos[PARAMETER_COUNT];

typedef enum domain_kind { DOMAIN_GRID, DOMAIN_MOUNTAIN_CAR, DOMAIN_FOREIGN } domain_kind;

/* What a score is, and how it is transformed for the surrogate model. */
typedef enum domain_objective {
    OBJECTIVE_STEPS, /* steps to the goal, the cap if it is not reached; less is better */
    OBJECTIVE_RETURN /* discounted return, 0 if the goal is not reached; more is better */
} domain_objective;

enum { DOMAIN_MAX_LEVELS = 8, DOMAIN_MAX_OWN = 16, DOMAIN_NAME_SIZE = 64, DOMAIN_MAX_EXAMPLE = 6 };

typedef struct domain domain;

/* Where the environments of a foreign domain come from: a plugin or a process. A parameter of
 * `--set` that besd does not know is the environment's own, and is passed on to it when a handle is
 * made. */
typedef struct domain_source {
    besd_status (*open)(struct domain_source *source, const domain *d, besd_env **env,
                        besd_error *error);
    void (*release)(struct domain_source *source);
    bool expensive_handles; /* a thread should hold no more than two */
    bool timed;             /* the time-outs are parameters of the domain */
    size_t own_count;
    char own_names[DOMAIN_MAX_OWN][DOMAIN_NAME_SIZE];
    besd_env_parameter own[DOMAIN_MAX_OWN]; /* sorted by name */
} domain_source;

struct domain {
    char name[DOMAIN_NAME_SIZE], title[128];
    domain_kind kind;
    domain_objective objective;
    int64_t tau[DOMAIN_MAX_LEVELS]; /* increasing, 0 past the last */
    int reps[DOMAIN_MAX_LEVELS];    /* increasing, 0 past the last */
    int initial_designs;            /* per tau level */
    double value[PARAMETER_COUNT];  /* NaN: not a parameter of this domain */
    reach_options reach;            /* when a subgoal is reached */
    bool reach_said, width_said; /* set, and not what follows from the shape of the environment */
    const besd_env_methods *methods;
    grid_map map;          /* grids only */
    domain_source *source; /* foreign domains only */
    bool built_in;
    double paper_budget;      /* interactions of a study in the paper's experiments; 0: none */
    int64_t paper_checkpoint; /* m of the paper's table 1: interactions from row to row; 0: none */
    double example[DOMAIN_MAX_EXAMPLE]; /* a sensible design, for figures */
    size_t example_length;              /* 0: there is none */
};

/* Names of the built-in domains; NULL past the last. */
const char *domain_name(size_t index);

/* Copies out a built-in domain. An unknown name is BESD_UNKNOWN with the nearest one. */
besd_status domain_find(const char *name, domain *d, besd_error *error);

/* Sets what all domains have in common: learner, levers, no parameter of a particular kind of
 * environment. */
void domain_init(domain *d, const char *name, const char *title);

/* Makes the domain a grid, as yet without a map. */
void domain_init_grid(domain *d);

/* Frees what a loaded domain holds, after its environments are destroyed. A built-in domain holds
 * nothing. */
void domain_release(domain *d);

/* Applies "name=value", for example "wind=0.05" (which sets wind_low and wind_high). The levers are
 * set in the same way: "tau=200,600,1000", "reps=5,20", "initial_designs=10" and
 * "objective=return". "subgoals=1..4" lets a study choose the number of subgoals; "reach=radius"
 * and the other options of reach_options.h say when a subgoal is reached. */
besd_status domain_set(domain *d, const char *assignment, besd_error *error);

/* Gives a grid domain another map. When its cells have another size, subgoals are reached in these
 * cells and potentials are as wide as before, counted in cells. */
void domain_take_map(domain *d, const grid_map *map);

/* The same for a map as text. */
besd_status domain_set_map(domain *d, const char *text, besd_error *error);

/* Makes an environment; call d->methods->destroy when done. The domain must outlive it. */
besd_status domain_open(const domain *d, besd_env **env, besd_error *error);

/* The shape of an environment of the domain, with the reach of the domain. */
void domain_spec(const domain *d, const besd_env *env, besd_env_spec *spec);

/* The mountain of a DOMAIN_MOUNTAIN_CAR domain. */
mountain_car_config domain_mountain_car(const domain *d);

/* Adds the environment's own parameters to a fingerprint (core/memory.h). */
uint64_t domain_hash_own(uint64_t hash, const domain_source *source);

/* The domain as one line: for a built-in domain its name and what differs from it, for others the
 * name and a fingerprint of the constants. Different domains have different lines, so a study can
 * tell whether it goes on with the domain that it was begun with. The initial design is no part of
 * the line, because a study keeps it itself. */
void domain_identity(const domain *d, char *text, size_t size);

/* All constants of the domain, "subgoals=2 gamma=0.98 ... tau=10,20", the environment's own
 * parameters included; the map as a fingerprint. */
void domain_constants(const domain *d, char *text, size_t size);

/* The domain of a line of domain_identity; false when the domain is not built in or has another
 * map, which the line does not tell. */
bool domain_from_identity(const char *identity, domain *d);

/* tau_max, the training length at which a design is judged. */
int64_t domain_tau_max(const domain *d);

#endif
