#include "learn/learning.h"

#include <math.h>

static double step_size(const learning *l, int64_t goals) {
    if (l->alpha_decay <= 0)
        return l->alpha;
    return l->alpha * l->alpha_decay / (l->alpha_decay + pow((double)goals, l->alpha_power));
}

learning learning_of(const domain *d, learning_method method) {
    learning l = {.method = method,
                  .gamma = d->value[PARAMETER_GAMMA],
                  .epsilon_start = d->value[PARAMETER_EPSILON],
                  .epsilon_end = d->value[PARAMETER_EPSILON_END],
                  .alpha = d->value[PARAMETER_ALPHA],
                  .alpha_decay = d->value[PARAMETER_ALPHA_DECAY],
                  .alpha_power = d->value[PARAMETER_ALPHA_POWER],
                  .initial_value = d->value[PARAMETER_INITIAL_VALUE],
                  .initial_noise = d->value[PARAMETER_INITIAL_NOISE]};
    if (!isnan(d->value[PARAMETER_TILINGS])) {
        l.tilings = (int)d->value[PARAMETER_TILINGS];
        l.tiles = (int)d->value[PARAMETER_TILES];
    }
    for (int n = 0; n < LEARNING_STEP_SIZES; n++)
        l.step_size[n] = step_size(&l, n);
    return l;
}

const char *learning_method_name(size_t index) {
    static const char *const names[] = {"q", "sarsa", "double-q"};
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

double learning_epsilon(const learning *l, int64_t t, int64_t total) {
    if (l->epsilon_start == l->epsilon_end)
        return l->epsilon_start;
    double part = total > 1 ? (double)t / (double)(total - 1) : 0;
    return l->epsilon_start + (l->epsilon_end - l->epsilon_start) * part;
}

double learning_alpha(const learning *l, int64_t goals) {
    return goals < LEARNING_STEP_SIZES ? l->step_size[goals] : step_size(l, goals);
}
