/* Mountain car (Sutton and Barto, example 10.1; paper section 5.4): an underpowered car between
 * two slopes. Sparse reward: goal_reward at x >= goal, 0 elsewhere. Only the start varies between
 * instances. The observation is (x, v), the position is x.
 */
#ifndef BESD_WORLD_MOUNTAIN_CAR_H
#define BESD_WORLD_MOUNTAIN_CAR_H

#include "besd/env.h"

enum { MOUNTAIN_CAR_ACTIONS = 3 }; /* 0 back, 1 coast, 2 forward */

typedef struct mountain_car_config {
    double start_low, start_high; /* x of the start, uniform */
    double goal;                  /* the episode terminates at x >= goal */
    double force, gravity, max_speed;
    double goal_reward;
    int64_t cap;
} mountain_car_config;

typedef struct mountain_car_state {
    double x, v;
} mountain_car_state;

#define MOUNTAIN_CAR_LEFT (-1.2)
#define MOUNTAIN_CAR_RIGHT 0.6
#define MOUNTAIN_CAR_SUBGOAL_RIGHT 0.5

/* The method table; its `create` is NULL: use mountain_car_create. */
extern const besd_env_methods mountain_car_methods;

besd_status mountain_car_create(const mountain_car_config *config, besd_env **env,
                                besd_error *error);

/* The dynamics alone. */
mountain_car_state mountain_car_move(const mountain_car_config *config, mountain_car_state state,
                                     int action);

/* Where the current instance starts. */
double mountain_car_start(const besd_env *env);

#endif
