#include "world/mountain_car.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/rng.h"

#include <math.h>
#include <stdlib.h>

struct besd_env {
    mountain_car_config config;
    double start;
    mountain_car_state state;
    int64_t steps;
};

static double clip(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

mountain_car_state mountain_car_move(const mountain_car_config *config, mountain_car_state state,
                                     int action) {
    double push = config->force * (action - 1), pull = config->gravity * cos(3 * state.x);
    double v = clip(state.v + push - pull, -config->max_speed, config->max_speed);
    double x = clip(state.x + v, MOUNTAIN_CAR_LEFT, MOUNTAIN_CAR_RIGHT);
    if (x <= MOUNTAIN_CAR_LEFT && v < 0)
        v = 0;
    return (mountain_car_state){x, v};
}

besd_status mountain_car_create(const mountain_car_config *config, besd_env **env,
                                besd_error *error) {
    *env = calloc(1, sizeof **env);
    if (!*env)
        return besd_fail_memory(error, "a mountain car");
    (*env)->config = *config;
    (*env)->start = config->start_low;
    return BESD_OK;
}

static void mountain_car_destroy(besd_env *env) {
    free(env);
}

static void mountain_car_spec(const besd_env *env, besd_env_spec *spec) {
    double speed = env->config.max_speed;
    *spec = (besd_env_spec){.actions = MOUNTAIN_CAR_ACTIONS,
                            .observation = 2,
                            .position = 1,
                            .low = {MOUNTAIN_CAR_LEFT, -speed},
                            .high = {MOUNTAIN_CAR_RIGHT, speed},
                            .subgoal_low = {MOUNTAIN_CAR_LEFT},
                            .subgoal_high = {MOUNTAIN_CAR_SUBGOAL_RIGHT},
                            .reach = BESD_REACH_CROSS,
                            .cap = env->config.cap};
}

static besd_status mountain_car_instance(besd_env *env, uint64_t seed, besd_error *error) {
    (void)error;
    rng stream = rng_open(seed, RNG_FEATURES, 0, 0, 0);
    env->start = rng_between(&stream, env->config.start_low, env->config.start_high);
    return BESD_OK;
}

static void mountain_car_seed(besd_env *env, uint64_t seed) {
    (void)env; /* the dynamics are deterministic */
    (void)seed;
}

static inline void observe(const besd_env *env, besd_env_outcome *out) {
    out->state = 0;
    out->observation[0] = env->state.x;
    out->observation[1] = env->state.v;
}

static void mountain_car_reset(besd_env *env, besd_env_outcome *out) {
    env->state = (mountain_car_state){env->start, 0};
    env->steps = 0;
    out->reward = 0;
    out->terminated = out->truncated = false;
    observe(env, out);
}

static void mountain_car_step(besd_env *env, int action, besd_env_outcome *out) {
    env->state = mountain_car_move(&env->config, env->state, action);
    env->steps++;
    out->terminated = env->state.x >= env->config.goal;
    out->reward = out->terminated ? env->config.goal_reward : 0;
    out->truncated = !out->terminated && env->steps >= env->config.cap;
    observe(env, out);
}

static uint64_t mountain_car_fingerprint(const besd_env *env) {
    return hash_bytes(HASH_START, &env->start, sizeof env->start);
}

double mountain_car_start(const besd_env *env) {
    return env->start;
}

const besd_env_methods mountain_car_methods = {
    .version = BESD_ENV_VERSION,
    .size = sizeof(besd_env_methods),
    .name = "mountain-car",
    .destroy = mountain_car_destroy,
    .spec = mountain_car_spec,
    .instance = mountain_car_instance,
    .seed = mountain_car_seed,
    .reset = mountain_car_reset,
    .step = mountain_car_step,
    .fingerprint = mountain_car_fingerprint,
};
