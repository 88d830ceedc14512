/* A plugin with one fault, chosen by FAULT when it is compiled; an honest corridor without it.
 * tests/test_cli_plugin.sh builds one for every fault. */
#include <besd/env.h>

#include <math.h>
#include <stdlib.h>

#define HONEST 0
#define OTHER_VERSION 1
#define SMALL_TABLE 2
#define LARGE_TABLE 3
#define NO_STEP 4
#define NULL_TABLE 5
#define NO_HANDLE 6
#define ODD_SPEC 7
#define CHANCE 8         /* randomness that is not from the seed */
#define SHARED 9         /* handles disturb each other */
#define STATE_OUT 10     /* a state out of range */
#define NAN_REWARD 11    /* at the goal */
#define MOVING_STATE 12  /* a state id with two positions */
#define NO_TRUNCATION 13 /* the cap is ignored */
#define EARLY_TRUNCATION 14
#define ONE_INSTANCE 15
#define NO_REWARD 16
#define FAR_BOX 17   /* subgoals where nobody goes */
#define OLD_TABLE 18 /* honest, but ends before the newest members */
#define STILL 19     /* the position never changes */
#define TOLD 20      /* honest, and tells its moves as a table */
#define MOVE_OUT 21  /* the same, but one move leads far out of range */
#define UNTOLD 22    /* the table of moves is NULL */

#ifndef FAULT
#define FAULT HONEST
#endif

enum { LENGTH = 20, CAP = 200 };

struct besd_env {
    int place, start, steps;
    uint64_t random;
    int32_t next[LENGTH * 4];
    double reward[LENGTH * 4], position[LENGTH * 2];
    uint8_t terminal[LENGTH];
    besd_env_table moves;
};

static int shared_place, luck;

static besd_status create(const besd_env_parameter *p, size_t count, besd_env **env,
                          besd_error *e) {
    (void)p, (void)count, (void)e;
    *env = FAULT == NO_HANDLE ? NULL : calloc(1, sizeof **env);
    return BESD_OK;
}

static void destroy(besd_env *env) {
    free(env);
}

static void spec(const besd_env *env, besd_env_spec *s) {
    (void)env;
    *s = (besd_env_spec){.actions = FAULT == ODD_SPEC ? 1 : 4,
                         .states = LENGTH,
                         .observation = 2,
                         .position = 2,
                         .high = {LENGTH, 1},
                         .subgoal_high = {LENGTH, 1},
                         .cap = CAP};
    if (FAULT == FAR_BOX)
        s->subgoal_low[1] = 5, s->subgoal_high[1] = 6;
}

static void write_moves(besd_env *env) {
    for (int i = 0; i < LENGTH * 4; i++) {
        int place = i / 4 + (i % 4 == 1) - (i % 4 == 3);
        env->next[i] = place < 0 ? 0 : place >= LENGTH ? LENGTH - 1 : place;
        env->reward[i] = env->next[i] == LENGTH - 1;
    }
    for (int i = 0; i < LENGTH; i++) {
        env->position[2 * i] = i + 0.5;
        env->position[2 * i + 1] = 0.5;
    }
    env->terminal[LENGTH - 1] = 1;
    if (FAULT == MOVE_OUT)
        env->next[4 * (LENGTH - 2) + 1] = 500000000;
    env->moves = (besd_env_table){.states = LENGTH,
                                  .actions = 4,
                                  .start = env->start,
                                  .next = env->next,
                                  .reward = env->reward,
                                  .terminal = env->terminal,
                                  .position = env->position};
}

static const besd_env_table *table(const besd_env *env) {
    return FAULT == UNTOLD ? NULL : &env->moves;
}

static besd_status instance(besd_env *env, uint64_t seed, besd_error *e) {
    (void)e;
    env->start = FAULT == ONE_INSTANCE ? 0 : (int)(seed >> 32) & 7;
    write_moves(env);
    return BESD_OK;
}

static void seed(besd_env *env, uint64_t value) {
    env->random = value;
}

static void tell(const besd_env *env, besd_env_outcome *out) {
    out->state = env->place;
    out->observation[0] = FAULT == STILL ? 0.5 : env->place + 0.5;
    out->observation[1] = 0.5;
    if (FAULT == MOVING_STATE)
        out->observation[1] = 0.5 + 0.05 * env->start;
}

static void reset(besd_env *env, besd_env_outcome *out) {
    *out = (besd_env_outcome){0};
    env->place = shared_place = env->start;
    env->steps = 0;
    tell(env, out);
}

static void step(besd_env *env, int action, besd_env_outcome *out) {
    int place = (FAULT == SHARED ? shared_place : env->place) + (action == 1) - (action == 3);
    if (FAULT == CHANCE && ++luck % 7 == 0)
        place++;
    env->place = shared_place = place < 0 ? 0 : place >= LENGTH ? LENGTH - 1 : place;
    env->steps++;
    *out = (besd_env_outcome){.terminated = env->place == LENGTH - 1};
    out->truncated = !out->terminated &&
                     env->steps >= (FAULT == EARLY_TRUNCATION ? CAP / 2 : CAP) &&
                     FAULT != NO_TRUNCATION;
    out->reward = FAULT == NO_REWARD                       ? 0
                  : FAULT == NAN_REWARD && out->terminated ? NAN
                                                           : out->terminated;
    tell(env, out);
    if (FAULT == STATE_OUT && env->place == LENGTH - 1)
        out->state = LENGTH;
}

static const besd_env_methods methods = {
    .version = FAULT == OTHER_VERSION ? BESD_ENV_VERSION + 1 : BESD_ENV_VERSION,
    .size = FAULT == SMALL_TABLE   ? 8
            : FAULT == LARGE_TABLE ? 4096
            : FAULT == OLD_TABLE   ? BESD_ENV_LEAST_SIZE
                                   : sizeof(besd_env_methods),
    .name = "corridor",
    .create = create,
    .destroy = destroy,
    .spec = spec,
    .instance = instance,
    .seed = seed,
    .reset = reset,
    .step = FAULT == NO_STEP ? NULL : step,
    .table = FAULT >= TOLD ? table : NULL,
    .settings = FAULT == OLD_TABLE ? (const char *const *)1 /* must not be looked at */ : NULL,
};

BESD_API const besd_env_methods *besd_env_plugin(void) {
    return FAULT == NULL_TABLE ? NULL : &methods;
}
