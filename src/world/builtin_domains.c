/* The six domains of the paper (section 5): maps, levers, constants, the paper's budgets. Where the
 * paper gives no number, the number of the authors' research code is used, with these differences,
 * all measured: wind in GW20 as in the paper (U[0, 0.02], the code has U[0.02, 0.04]); moves into
 * walls are offered and bump; mountain car keeps the paper's sparse reward (+1 at the goal, nothing
 * elsewhere) instead of -1 a step, under which subgoals do not help at all. Its discount of 0.98
 * learns faster than 0.99 (with subgoals at (-0.95, 0.48) 306 +- 12 against 393 +- 14 steps after
 * 10000 interactions), and a potential of width 2 keeps the best pair on both sides of the start;
 * with 10 a first subgoal just before the goal is better than any pair.
 */
#include "core/error.h"
#include "core/text.h"
#include "world/domain.h"
#include "world/grid.h"
#include "world/mountain_car.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char gw10_map[] = "GG........\n"
                               "G.........\n"
                               "..........\n"
                               "eeeeee....\n"
                               "dddddd....\n"
                               "cccccc....\n"
                               "bbbbbb....\n"
                               "aaaaaa....\n"
                               "..........\n"
                               "S.........\n"
                               "choose wall: a | b | c | d | e\n";

static const char gw20_map[] = "..................GG\n"
                               "...................G\n"
                               "....................\n"
                               "llllllll........llll\n"
                               "....................\n"
                               "kkkkkkkk........kkkk\n"
                               "....................\n"
                               "jjjjjjjj........jjjj\n"
                               "....................\n"
                               "....................\n"
                               "gggggggghhhh....iiii\n"
                               "....................\n"
                               "ddddddddeeee....ffff\n"
                               "....................\n"
                               "aaaaaaaabbbb....cccc\n"
                               "....................\n"
                               "....................\n"
                               "....................\n"
                               "....................\n"
                               "S...................\n"
                               "choose wall: ab | ac | de | df | gh | gi\n"
                               "choose wall: j | k | l\n";

static const char treasure_map[] = "........GG\n"
                                   ".........G\n"
                                   "#######...\n"
                                   "..........\n"
                                   "..........\n"
                                   "....####..\n"
                                   "....#.....\n"
                                   "....#..ghi\n"
                                   ".......def\n"
                                   "S......abc\n"
                                   "choose treasure: a | b | c | d | e | f | g | h | i\n";

static const char key_map[] = "GG........\n"
                              "G.........\n"
                              "..........\n"
                              "..........\n"
                              "..........\n"
                              "######DDDD\n"
                              "ll......rr\n"
                              "ll......rr\n"
                              "..........\n"
                              "S.........\n"
                              "choose key: l | r\n";

typedef struct parameter_value {
    domain_parameter parameter;
    double value;
} parameter_value;

enum { MAX_OWN_VALUES = 16 };

typedef struct builtin {
    const char *name, *title, *map; /* map NULL: mountain car */
    domain_objective objective;
    int64_t tau[DOMAIN_MAX_LEVELS];
    int reps[DOMAIN_MAX_LEVELS];
    int initial_designs, value_count;
    parameter_value values[MAX_OWN_VALUES]; /* what differs from the shared values */
    double paper_budget;
    int64_t paper_checkpoint;
    double example[DOMAIN_MAX_EXAMPLE];
    size_t example_length;
} builtin;

static const parameter_value shared_values[] = {
    {PARAMETER_SUBGOALS, 2},      {PARAMETER_GAMMA, 1},           {PARAMETER_CAP, 500},
    {PARAMETER_HEIGHT, 0.2},      {PARAMETER_WIDTH, 10},          {PARAMETER_EPSILON, 0.2},
    {PARAMETER_EPSILON_END, 0.2}, {PARAMETER_ALPHA, 0.11},        {PARAMETER_ALPHA_DECAY, 100},
    {PARAMETER_ALPHA_POWER, 1.1}, {PARAMETER_INITIAL_VALUE, 0},   {PARAMETER_INITIAL_NOISE, 0},
    {PARAMETER_GOAL_REWARD, 1},   {PARAMETER_FEWEST_SUBGOALS, 0}, {PARAMETER_SUBGOAL_PRICE, 0},
};

static const parameter_value grid_values[] = {
    {PARAMETER_WIND_LOW, 0},
    {PARAMETER_WIND_HIGH, 0},
    {PARAMETER_LABELS, 0},
    {PARAMETER_TASKS, 0},
    {PARAMETER_MOVES, 4},
    {PARAMETER_TREASURE_REWARD, 0},
};

static const builtin builtins[] = {
    {.name = "gw10",
     .title = "10x10 rooms, a wall in one of five rows with its door on the right, wind",
     .map = gw10_map,
     .tau = {200, 600, 1000},
     .reps = {5, 20},
     .initial_designs = 10,
     .value_count = 1,
     .values = {{PARAMETER_WIND_HIGH, 0.02}},
     .paper_budget = 1.6e6,
     .paper_checkpoint = 100,
     .example = {7.5, 3.5, 1.5, 8.5},
     .example_length = 4},
    {.name = "gw20",
     .title = "20x20, three rooms, two walls with varying rows and doors, wind",
     .map = gw20_map,
     .tau = {4000, 7000, 10000},
     .reps = {20},
     .initial_designs = 10,
     .value_count = 2,
     .values = {{PARAMETER_WIND_HIGH, 0.02}, {PARAMETER_CAP, 1000}},
     .paper_budget = 1.6e7,
     .paper_checkpoint = 1000,
     .example = {14.5, 4.5, 11.5, 13.5},
     .example_length = 4},
    {.name = "tr",
     .title = "10x10, a treasure hidden in a small room, then the goal; discounted return",
     .map = treasure_map,
     .objective = OBJECTIVE_RETURN,
     .tau = {400, 1200, 2000},
     .reps = {5, 20},
     .initial_designs = 10,
     .value_count = 3,
     .values = {{PARAMETER_GAMMA, 0.98},
                {PARAMETER_GOAL_REWARD, 10},
                {PARAMETER_TREASURE_REWARD, 10}},
     .paper_budget = 1.2e6,
     .paper_checkpoint = 200,
     .example = {8.5, 2.5, 8.5, 8.5},
     .example_length = 4},
    {.name = "key2",
     .title = "10x10, a key far left or far right opens the door; two subgoals",
     .map = key_map,
     .tau = {400, 700, 1000},
     .reps = {5, 20},
     .initial_designs = 10,
     .value_count = 1,
     .values = {{PARAMETER_GAMMA, 0.999}},
     .paper_budget = 8e5,
     .paper_checkpoint = 500,
     .example = {1.5, 2.5, 8.5, 3.5},
     .example_length = 4},
    {.name = "key3",
     .title = "the same with three subgoals",
     .map = key_map,
     .tau = {400, 700, 1000},
     .reps = {5, 20},
     .initial_designs = 15,
     .value_count = 2,
     .values = {{PARAMETER_GAMMA, 0.999}, {PARAMETER_SUBGOALS, 3}},
     .paper_budget = 8e5,
     .paper_checkpoint = 500,
     .example = {1.5, 2.5, 8.5, 3.5, 1.5, 8.5},
     .example_length = 6},
    {.name = "mc",
     .title = "mountain car with a varying start, sparse reward, tile coding",
     .tau = {4000, 7000, 10000},
     .reps = {10, 50},
     .initial_designs = 10,
     .value_count = 13,
     .values = {{PARAMETER_GAMMA, 0.98},
                {PARAMETER_CAP, 1000},
                {PARAMETER_WIDTH, 2},
                {PARAMETER_ALPHA, 0.5 / 8},
                {PARAMETER_ALPHA_DECAY, 0},
                {PARAMETER_TILINGS, 8},
                {PARAMETER_TILES, 8},
                {PARAMETER_START_LOW, -0.6},
                {PARAMETER_START_HIGH, -0.4},
                {PARAMETER_GOAL_POSITION, 0.5},
                {PARAMETER_FORCE, 0.001},
                {PARAMETER_GRAVITY, 0.0025},
                {PARAMETER_MAX_SPEED, 0.07}},
     .paper_budget = 2.5e7,
     .paper_checkpoint = 1000,
     .example = {-0.82, 0.47},
     .example_length = 2},
};

enum { BUILTIN_COUNT = sizeof builtins / sizeof *builtins };

const char *domain_name(size_t index) {
    return index < BUILTIN_COUNT ? builtins[index].name : NULL;
}

static const char *known_domain(size_t index, const void *context) {
    (void)context;
    return domain_name(index);
}

static void apply(domain *d, const parameter_value *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        d->value[values[i].parameter] = values[i].value;
}

void domain_init(domain *d, const char *name, const char *title) {
    memset(d, 0, sizeof *d);
    snprintf(d->name, sizeof d->name, "%s", name);
    snprintf(d->title, sizeof d->title, "%s", title);
    d->initial_designs = 10;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        d->value[i] = NAN;
    reach_options_init(&d->reach, BESD_REACH_CELL);
    apply(d, shared_values, sizeof shared_values / sizeof *shared_values);
}

void domain_init_grid(domain *d) {
    d->kind = DOMAIN_GRID;
    d->methods = &grid_methods;
    apply(d, grid_values, sizeof grid_values / sizeof *grid_values);
}

besd_status domain_find(const char *name, domain *d, besd_error *error) {
    const builtin *found = NULL;
    for (size_t i = 0; i < BUILTIN_COUNT && !found; i++)
        if (names_equal(name, builtins[i].name))
            found = &builtins[i];
    if (!found) {
        const char *nearest = names_nearest(name, known_domain, NULL);
        return besd_fail(error, BESD_UNKNOWN,
                         "domain: there is no '%s'%s%s%s; known are gw10, gw20, tr, key2, key3, mc",
                         name, nearest ? ", did you mean '" : "", nearest ? nearest : "",
                         nearest ? "'" : "");
    }
    domain_init(d, found->name, found->title);
    if (found->map) {
        domain_init_grid(d);
    } else {
        d->kind = DOMAIN_MOUNTAIN_CAR;
        d->methods = &mountain_car_methods;
        reach_options_init(&d->reach, BESD_REACH_CROSS);
    }
    d->built_in = true;
    d->objective = found->objective;
    memcpy(d->tau, found->tau, sizeof d->tau);
    memcpy(d->reps, found->reps, sizeof d->reps);
    d->initial_designs = found->initial_designs;
    d->paper_budget = found->paper_budget;
    d->paper_checkpoint = found->paper_checkpoint;
    memcpy(d->example, found->example, sizeof d->example);
    d->example_length = found->example_length;
    apply(d, found->values, (size_t)found->value_count);
    return found->map ? grid_map_parse(found->map, &d->map, error) : BESD_OK;
}
