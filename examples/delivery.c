/* Pick up and deliver, as a plugin: the agent fetches a parcel from one of four shelves (another
 * one in every instance) and brings it to the door. Only the delivery is rewarded.
 *
 *     cc -shared -fPIC -O2 -Iinclude -o delivery.so examples/delivery.c
 *     besd check ./delivery.so
 *     besd run ./delivery.so --budget 300000
 */
#include <besd/env.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 9, CELLS = SIDE * SIDE, ACTIONS = 4, DEFAULT_CAP = 300 };

static const int shelves[4][2] = {{1, 7}, {7, 7}, {7, 1}, {4, 8}}; /* x, y of the parcel */
static const int door_x = 8, door_y = 4, start_x = 0, start_y = 0;

struct besd_env {
    int64_t cap, steps;
    double slip; /* chance that a move goes a random way */
    uint64_t random;
    int shelf, state;             /* state: cell, + CELLS with the parcel in hand */
    int next[2 * CELLS][ACTIONS]; /* where a move leads */
};

/* splitmix64: small, good enough, and all of its state is in the handle. */
static uint64_t draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A wall crosses the hall at x = 4, with gaps at y = 0 and y = 8. */
static int blocked(int x, int y) {
    return x < 0 || x >= SIDE || y < 0 || y >= SIDE || (x == 4 && y > 0 && y < 8);
}

static void lay_out(besd_env *env) {
    static const int dx[ACTIONS] = {0, 1, 0, -1}, dy[ACTIONS] = {1, 0, -1, 0};
    int parcel = shelves[env->shelf][0] + SIDE * shelves[env->shelf][1];
    for (int state = 0; state < 2 * CELLS; state++)
        for (int action = 0; action < ACTIONS; action++) {
            int cell = state % CELLS, x = cell % SIDE + dx[action], y = cell / SIDE + dy[action];
            int target = blocked(x, y) ? cell : x + SIDE * y;
            int carries = state >= CELLS || target == parcel;
            env->next[state][action] = target + (carries ? CELLS : 0);
        }
}

static besd_status delivery_create(const besd_env_parameter *parameters, size_t count,
                                   besd_env **created, besd_error *error) {
    besd_env *env = calloc(1, sizeof *env);
    if (!env)
        return BESD_MEMORY;
    env->cap = DEFAULT_CAP;
    for (size_t i = 0; i < count; i++) {
        double value = parameters[i].value;
        if (!strcmp(parameters[i].name, "slip") && value >= 0 && value <= 1) {
            env->slip = value;
        } else if (!strcmp(parameters[i].name, "cap") && value >= 1 && value <= 1e6) {
            env->cap = (int64_t)value;
        } else {
            snprintf(error->message, sizeof error->message,
                     "expected slip in [0, 1] or cap in [1, 1e6], got %s = %g", parameters[i].name,
                     value);
            free(env);
            return BESD_INVALID;
        }
    }
    lay_out(env);
    *created = env;
    return BESD_OK;
}

static void delivery_destroy(besd_env *env) {
    free(env);
}

static void delivery_spec(const besd_env *env, besd_env_spec *spec) {
    *spec = (besd_env_spec){.actions = ACTIONS,
                            .states = 2 * CELLS,
                            .observation = 2,
                            .position = 2,
                            .high = {SIDE, SIDE},
                            .subgoal_high = {SIDE, SIDE},
                            .reach = BESD_REACH_CELL,
                            .cap = env->cap};
}

static besd_status delivery_instance(besd_env *env, uint64_t seed, besd_error *error) {
    (void)error;
    env->shelf = (int)(draw(&seed) % 4);
    lay_out(env);
    return BESD_OK;
}

static void delivery_seed(besd_env *env, uint64_t seed) {
    env->random = seed;
}

static void tell(const besd_env *env, besd_env_outcome *out) {
    int cell = env->state >= CELLS ? env->state - CELLS : env->state;
    out->state = env->state;
    out->observation[0] = cell % SIDE + 0.5;
    out->observation[1] = cell / SIDE + 0.5;
}

static void delivery_reset(besd_env *env, besd_env_outcome *out) {
    *out = (besd_env_outcome){0};
    env->state = start_x + SIDE * start_y;
    env->steps = 0;
    tell(env, out);
}

static void delivery_step(besd_env *env, int action, besd_env_outcome *out) {
    if (env->slip > 0 && (double)(draw(&env->random) >> 11) * 0x1p-53 < env->slip)
        action = (int)(draw(&env->random) % ACTIONS);
    env->state = env->next[env->state][action];
    env->steps++;
    out->terminated = env->state == CELLS + door_x + SIDE * door_y;
    out->truncated = !out->terminated && env->steps >= env->cap;
    out->reward = out->terminated ? 1 : 0;
    tell(env, out);
}

static const char *const settings[] = {"subgoals=2", "tau=300,900,1500",  "reps=5,20",
                                       "gamma=1",    "potential_width=8", NULL};

static const besd_env_methods delivery = {
    .version = BESD_ENV_VERSION,
    .size = sizeof(besd_env_methods),
    .name = "delivery",
    .create = delivery_create,
    .destroy = delivery_destroy,
    .spec = delivery_spec,
    .instance = delivery_instance,
    .seed = delivery_seed,
    .reset = delivery_reset,
    .step = delivery_step,
    .settings = settings,
};

BESD_API const besd_env_methods *besd_env_plugin(void) {
    return &delivery;
}
