/* A robot in metres: an arena of 80 cm by 80 cm with a wall across it. Where the wall stands and on
 * which side its gap is differs from instance to instance; the robot starts below the wall and its
 * dock is above it. It drives 4 cm a step, north, east, south or west, and slips a little.
 *
 *     cc -shared -fPIC -O2 -Iinclude -o rover.so examples/rover.c
 *     besd check ./rover.so
 *     besd run ./rover.so --budget 300000 --study rover.besd
 *
 * A subgoal is reached within 6 cm of it: `reaching` says so. Without that it would be reached in
 * its cell of side 1, which is larger than the arena: wherever the robot goes it has completed its
 * subgoals after as many moves, and they teach nothing.
 *
 * --set units=12.5 tells the same robot in other units, 12.5 to the metre: an arena of 10 by 10.
 */
#include <besd/env.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SIDE = 0.8, STEP = 0.04, SLIP = 0.004, DOCK = 0.05, NEAR = 0.06;

enum { CAP = 300 };

struct besd_env {
    double units; /* to the metre, in what is told */
    double x, y, wall, gap_low, gap_high;
    uint64_t chance;
    int64_t steps;
};

/* A number in [0, 1). */
static double draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static besd_status create(const besd_env_parameter *parameters, size_t count, besd_env **created,
                          besd_error *error) {
    double units = 1;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(parameters[i].name, "units") != 0) {
            snprintf(error->message, sizeof error->message, "it has no parameter '%s', but units",
                     parameters[i].name);
            return BESD_UNKNOWN;
        }
        units = parameters[i].value;
    }
    if (!(units >= 1e-3 && units <= 1e3)) {
        snprintf(error->message, sizeof error->message,
                 "units: expected 0.001 to 1000 to the metre, got %g", units);
        return BESD_INVALID;
    }
    besd_env *env = calloc(1, sizeof *env);
    if (!env)
        return BESD_MEMORY;
    env->units = units;
    *created = env;
    return BESD_OK;
}

static void destroy(besd_env *env) {
    free(env);
}

static void spec(const besd_env *env, besd_env_spec *s) {
    double side = SIDE * env->units;
    *s = (besd_env_spec){.actions = 4,
                         .observation = 2,
                         .position = 2,
                         .high = {side, side},
                         .subgoal_high = {side, side},
                         .cap = CAP};
}

static void reaching(const besd_env *env, besd_env_reaching *how) {
    how->reach = BESD_REACH_RADIUS;
    how->radius = NEAR * env->units;
}

static besd_status instance(besd_env *env, uint64_t seed, besd_error *error) {
    (void)error;
    uint64_t state = seed;
    env->wall = 0.35 + 0.1 * draw(&state);
    env->gap_low = 0.52 + 0.08 * draw(&state);
    env->gap_high = SIDE;
    return BESD_OK;
}

static void seed(besd_env *env, uint64_t value) {
    env->chance = value;
}

static void tell(const besd_env *env, besd_env_outcome *out) {
    out->observation[0] = env->x * env->units;
    out->observation[1] = env->y * env->units;
}

static void reset(besd_env *env, besd_env_outcome *out) {
    *out = (besd_env_outcome){0};
    env->x = env->y = 0.1;
    env->steps = 0;
    tell(env, out);
}

static double clip(double x) {
    return x < 0 ? 0 : x > SIDE ? SIDE : x;
}

static void step(besd_env *env, int action, besd_env_outcome *out) {
    static const double east[] = {0, 1, 0, -1}, north[] = {1, 0, -1, 0};
    double x = clip(env->x + STEP * east[action] + SLIP * (2 * draw(&env->chance) - 1));
    double y = clip(env->y + STEP * north[action] + SLIP * (2 * draw(&env->chance) - 1));
    int crosses = (y > env->wall) != (env->y > env->wall);
    if (!crosses || (x > env->gap_low && x < env->gap_high)) {
        env->x = x;
        env->y = y;
    }
    env->steps++;
    out->terminated = hypot(env->x - 0.1, env->y - 0.7) < DOCK;
    out->truncated = !out->terminated && env->steps >= CAP;
    out->reward = out->terminated;
    tell(env, out);
}

static const char *const settings[] = {"tau=600,1200,2400", "reps=5,20", NULL};

static const besd_env_methods rover = {.version = BESD_ENV_VERSION,
                                       .size = sizeof(besd_env_methods),
                                       .name = "rover",
                                       .create = create,
                                       .destroy = destroy,
                                       .spec = spec,
                                       .instance = instance,
                                       .seed = seed,
                                       .reset = reset,
                                       .step = step,
                                       .settings = settings,
                                       .reaching = reaching};

BESD_API const besd_env_methods *besd_env_plugin(void) {
    return &rover;
}
