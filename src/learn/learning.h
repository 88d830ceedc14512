/* How an agent learns: the method and its schedules. Plain data, made from a domain's parameters.
 */
#ifndef BESD_LEARN_LEARNING_H
#define BESD_LEARN_LEARNING_H

#include "world/domain.h"

typedef enum learning_method { LEARNING_Q, LEARNING_SARSA, LEARNING_DOUBLE_Q } learning_method;

enum { LEARNING_STEP_SIZES = 1024 };

typedef struct learning {
    learning_method method;
    double gamma;
    double epsilon_start, epsilon_end;
    double alpha, alpha_decay, alpha_power;
    double initial_value, initial_noise;
    int tilings, tiles;                    /* tile coding, for environments without state ids */
    double step_size[LEARNING_STEP_SIZES]; /* alpha after n goals, because pow is slow */
} learning;

learning learning_of(const domain *d, learning_method method);

/* "q", "sarsa", "double-q"; NULL past the last. */
const char *learning_method_name(size_t index);

/* Exploration rate of interaction t of `total`. */
double learning_epsilon(const learning *l, int64_t t, int64_t total);

/* alpha * c / (c + n^power) after n episodes that reached the goal; c = 0: constant. */
double learning_alpha(const learning *l, int64_t goals);

#endif
