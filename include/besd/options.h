/* What a study can be told when it is created, besides its space and levers: one list. From it are
 * made the members of besd_study_options, their checks, the names in study.yaml, in the study file
 * and on the command line (with dashes), the variants of besd compare, the manual and Python's
 * keywords. A new option is one line at the end of the list, and its use.
 *
 * X(kind, type, name, low, high, initially, used_by, unit, help)
 *   kind       CHOICE: one of the names of its type; NUMBER; COUNT: a whole number; SEED; SWITCH
 *   low, high  of its values; a COUNT may also be BESD_AUTO when that is its default
 *   initially  what besd_study_options_default fills in
 *   used_by    methods that look at it: ALL, STARTS (with an initial design), MODELS, KG (besd)
 *   unit       of its values, or ""
 *
 * The last option has eight bytes (a NUMBER or SEED, or the second of two COUNTs): the size of the
 * struct is what tells a program's options from ours, so it must grow with every one.
 */
#ifndef BESD_OPTIONS_H
#define BESD_OPTIONS_H

/* "Whatever suits the rest": the help of an option says what that is. No number that somebody
 * could mean. */
#define BESD_AUTO (-2147483647 - 1)

#define BESD_STUDY_OPTION_LIST(X)                                                                  \
    X(CHOICE, besd_direction, direction, 0, BESD_MINIMIZE, BESD_MAXIMIZE, ALL, "",                 \
      "is a larger score better? minimize for steps, times and costs")                             \
    X(CHOICE, besd_transform, transform, 0, BESD_TRANSFORM_LOG, BESD_TRANSFORM_NONE, ALL, "",      \
      "what the model sees: log for positive scores that differ by factors; replications are "     \
      "averaged after it")                                                                         \
    X(CHOICE, besd_method, method, 0, BESD_METHOD_HYPERBAND_PAPER, BESD_METHOD_BESD, ALL, "",      \
      "how trials are chosen after the initial design; all but besd are there to be compared "     \
      "with")                                                                                      \
    X(CHOICE, besd_model, model, 0, BESD_MODEL_AVERAGED, BESD_MODEL_AVERAGED, MODELS, "",          \
      "averaged over draws of its hyperparameters; or the paper's")                                \
    X(SEED, uint64_t, seed, 0, INT64_MAX, 0, ALL, "", "seed of all random numbers")                \
    X(NUMBER, double, budget, 0, INFINITY, INFINITY, ALL, "cost",                                  \
      "total cost, initial design included; it can be raised later")                               \
    X(NUMBER, double, setup_cost, 0, 1e300, 0, ALL, "cost",                                        \
      "cost of a trial on top of reps * tau * interaction_price")                                  \
    X(NUMBER, double, interaction_price, 0, 1e300, 1, ALL, "cost", "cost of one interaction")      \
    X(COUNT, int, initial_designs, 0, 10000, BESD_AUTO, STARTS, "trials",                          \
      "trials at every tau before the model chooses, a Latin hypercube; automatic: 2.5 per "       \
      "coordinate and at least 4")                                                                 \
    X(COUNT, int, initial_reps, 1, BESD_MAX_REPS, BESD_AUTO, STARTS, "replications",               \
      "replications of the initial trials, one of reps; automatic: the fewest, with other "        \
      "methods than besd the most")                                                                \
    X(COUNT, int, targets, 1, 20000, 1000, MODELS, "points",                                       \
      "size of the discretisation over which the knowledge gradient is exact")                     \
    X(SWITCH, bool, discrete, 0, 1, false, MODELS, "",                                             \
      "choose and recommend among the discretisation only, the setting of theorem 1")              \
    X(SWITCH, bool, initial_crossed, 0, 1, false, KG, "",                                          \
      "the same initial designs at every tau, as in the paper, instead of one for every trial")    \
    X(SWITCH, bool, mean_of_all, 0, 1, false, MODELS, "",                                          \
      "the prior mean is that of all told trials instead of the initial ones")                     \
    X(NUMBER, double, stop_below, 0, 1e300, 0, KG, "kg per cost",                                  \
      "stop when the best knowledge gradient per cost is below")                                   \
    X(NUMBER, double, tau_max_share, 0, 1, 0, KG, "share of trials",                               \
      "at least this share of the chosen trials at the largest tau")                               \
    X(NUMBER, double, explore, 0, 1, 0.25, KG, "share of trials",                                  \
      "this share of the chosen trials at designs spread over the space, whatever the "            \
      "model thinks of them; the share is smaller where legs are told, because legs go "           \
      "first")                                                                                     \
    X(NUMBER, double, caution, 0, 100, 1, MODELS, "sd",                                            \
      "recommend the design with the largest mean - caution * sd, which keeps it near what was "   \
      "tried; 0: the largest mean, as in the paper")                                               \
    X(NUMBER, double, search_until, 0, 1, 2.0 / 3, KG, "share of the budget",                      \
      "no exploring trials and no composed paths after this share of the budget: what they find "  \
      "could not be followed up")                                                                  \
    X(CHOICE, besd_instances, instances, 0, BESD_INSTANCES_FRESH, BESD_INSTANCES_SHARED, MODELS,   \
      "", "do the replications of a trial share one environment, or has each one of its own?")     \
    X(COUNT, int, draws, 1, 16, 6, MODELS, "draws",                                                \
      "sets of hyperparameters that the averaged model is averaged over")                          \
    X(NUMBER, double, confirm, 0, 1, 0.12, KG, "share of the budget",                              \
      "with the averaged model the last of the budget trains the few best designs again, before "  \
      "one is recommended")                                                                        \
    X(NUMBER, double, best_possible, -1e300, INFINITY, INFINITY, ALL, "score",                     \
      "no mean score can be better than this, so none better is expected; infinity: not known")    \
    X(NUMBER, double, baseline, -1e300, INFINITY, INFINITY, ALL, "score",                          \
      "the mean score without any design, which a recommendation should beat; infinity: not "      \
      "known")                                                                                     \
    X(NUMBER, double, baseline_cost, 0, 1e300, 0, ALL, "cost",                                     \
      "what it cost to measure the baseline; part of the budget")                                  \
    X(NUMBER, double, initial_share, 0, 1, 0.25, KG, "share of the budget",                        \
      "with the averaged model: largest share of the budget for the initial design; every "        \
      "tau is tried at least once")                                                                \
    X(NUMBER, double, legs, 0, 1, 0.5, KG, "share of the cost",                                    \
      "with the averaged model, and where theta is a path and trainers tell its legs: this share " \
      "of what chosen trials cost goes to paths composed of the best legs, until search_until; "   \
      "a larger one while most trials score as badly as can be; 0: none")                          \
    X(NUMBER, double, baseline_error, 0, 1e300, 0, ALL, "score",                                   \
      "the standard error of the baseline, which the probability to beat it allows for")           \
    X(NUMBER, double, worst_possible, -1e300, INFINITY, INFINITY, ALL, "score",                    \
      "no mean score can be worse than this, so none worse is expected, and a training of a test " \
      "that fails counts as this; infinity: not known")

#endif
