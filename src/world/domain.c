/* The six domains of the paper (section 5). Where the paper is silent the figures of the authors'
 * research code are used, with these differences, all measured: wind in GW20 as in the paper
 * (U[0, 0.02], the code has U[0.02, 0.04]); moves into walls are offered and bump; mountain car
 * keeps the paper's sparse reward (+1 at the goal, nothing elsewhere) instead of -1 a step, under
 * which subgoals do not help at all.
 */
#include "world/domain.h"

#include "core/error.h"
#include "core/names.h"
#include "world/grid.h"
#include "world/hash.h"
#include "world/mountain_car.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const domain_parameter_info domain_parameter_infos[PARAMETER_COUNT] = {
#define INFO(id, parameter_name, lowest, highest, is_integer, description)                         \
    {.name = parameter_name,                                                                       \
     .text = description,                                                                          \
     .low = lowest,                                                                                \
     .high = highest,                                                                              \
     .integer = is_integer},
    DOMAIN_PARAMETERS(INFO)
#undef INFO
};

/* One name that sets two parameters. */
static const struct {
    const char *name;
    domain_parameter first, second;
} aliases[] = {{"wind", PARAMETER_WIND_LOW, PARAMETER_WIND_HIGH},
               {"epsilon", PARAMETER_EPSILON, PARAMETER_EPSILON_END},
               {"start", PARAMETER_START_LOW, PARAMETER_START_HIGH}};

enum { ALIAS_COUNT = sizeof aliases / sizeof *aliases };

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
} builtin;

static const parameter_value shared_values[] = {
    {PARAMETER_SUBGOALS, 2},      {PARAMETER_GAMMA, 1},         {PARAMETER_CAP, 500},
    {PARAMETER_HEIGHT, 0.2},      {PARAMETER_WIDTH, 10},        {PARAMETER_EPSILON, 0.2},
    {PARAMETER_EPSILON_END, 0.2}, {PARAMETER_ALPHA, 0.11},      {PARAMETER_ALPHA_DECAY, 100},
    {PARAMETER_ALPHA_POWER, 1.1}, {PARAMETER_INITIAL_VALUE, 0}, {PARAMETER_INITIAL_NOISE, 0},
    {PARAMETER_GOAL_REWARD, 1},
};

static const parameter_value grid_values[] = {
    {PARAMETER_WIND_LOW, 0},
    {PARAMETER_WIND_HIGH, 0},
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
     .values = {{PARAMETER_WIND_HIGH, 0.02}}},
    {.name = "gw20",
     .title = "20x20, three rooms, two walls with varying rows and doors, wind",
     .map = gw20_map,
     .tau = {4000, 7000, 10000},
     .reps = {20},
     .initial_designs = 10,
     .value_count = 2,
     .values = {{PARAMETER_WIND_HIGH, 0.02}, {PARAMETER_CAP, 1000}}},
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
                {PARAMETER_TREASURE_REWARD, 10}}},
    {.name = "key2",
     .title = "10x10, a key far left or far right opens the door; two subgoals",
     .map = key_map,
     .tau = {400, 700, 1000},
     .reps = {5, 20},
     .initial_designs = 10,
     .value_count = 1,
     .values = {{PARAMETER_GAMMA, 0.999}}},
    {.name = "key3",
     .title = "the same with three subgoals",
     .map = key_map,
     .tau = {400, 700, 1000},
     .reps = {5, 20},
     .initial_designs = 15,
     .value_count = 2,
     .values = {{PARAMETER_GAMMA, 0.999}, {PARAMETER_SUBGOALS, 3}}},
    {.name = "mc",
     .title = "mountain car with a varying start, sparse reward, tile coding",
     .tau = {4000, 7000, 10000},
     .reps = {10, 50},
     .initial_designs = 10,
     .value_count = 13,
     .values = {{PARAMETER_GAMMA, 0.99},
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
                {PARAMETER_MAX_SPEED, 0.07}}},
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
    }
    d->built_in = true;
    d->objective = found->objective;
    memcpy(d->tau, found->tau, sizeof d->tau);
    memcpy(d->reps, found->reps, sizeof d->reps);
    d->initial_designs = found->initial_designs;
    apply(d, found->values, (size_t)found->value_count);
    return found->map ? grid_map_parse(found->map, &d->map, error) : BESD_OK;
}

void domain_release(domain *d) {
    if (d->source)
        d->source->release(d->source);
    d->source = NULL;
}

int64_t domain_tau_max(const domain *d) {
    int64_t largest = d->tau[0];
    for (int i = 1; i < DOMAIN_MAX_LEVELS && d->tau[i]; i++)
        largest = d->tau[i];
    return largest;
}

/* The levers that --set takes besides the parameters. */
static const char *const levers[] = {"tau", "reps", "initial_designs", "objective"};

enum { LEVER_COUNT = sizeof levers / sizeof *levers };

/* The i-th settable name of a domain: its parameters, then its aliases, then the levers. */
static const char *known_parameter(size_t index, const void *context) {
    const domain *d = context;
    for (size_t i = 0; i < PARAMETER_COUNT; i++)
        if (!isnan(d->value[i]) && index-- == 0)
            return domain_parameter_infos[i].name;
    for (size_t i = 0; i < ALIAS_COUNT; i++)
        if (!isnan(d->value[aliases[i].first]) && index-- == 0)
            return aliases[i].name;
    return index < LEVER_COUNT ? levers[index] : NULL;
}

static besd_status check_value(const char *name, const domain_parameter_info *info, double value,
                               const char *text, besd_error *error) {
    if (!(value >= info->low && value <= info->high))
        return besd_fail(error, BESD_INVALID, "%s: expected a number in [%g, %g], got '%s'", name,
                         info->low, info->high, text);
    if (info->integer && value != floor(value))
        return besd_fail(error, BESD_INVALID, "%s: expected a whole number in [%g, %g], got '%s'",
                         name, info->low, info->high, text);
    return BESD_OK;
}

/* "200,600,1000": whole numbers that increase, `least` or more, 0 past the last. */
static besd_status read_levels(const char *name, const char *text, int64_t least, int64_t most,
                               int64_t *levels, besd_error *error) {
    int64_t read[DOMAIN_MAX_LEVELS] = {0};
    const char *p = text;
    for (int i = 0; i < DOMAIN_MAX_LEVELS; i++) {
        char *end;
        double value = strtod(p, &end);
        bool rises = value >= (double)least && value <= (double)most && value == floor(value) &&
                     (!i || (int64_t)value > read[i - 1]);
        if (end == p || !rises || (*end && *end != ','))
            break;
        read[i] = (int64_t)value;
        if (!*end) {
            memcpy(levels, read, sizeof read);
            return BESD_OK;
        }
        p = end + 1;
    }
    return besd_fail(error, BESD_INVALID,
                     "%s: expected up to %d whole numbers in [%lld, %lld] that increase, such as "
                     "%s, got '%s'",
                     name, DOMAIN_MAX_LEVELS, (long long)least, (long long)most,
                     least > 1 || most > 4096 ? "200,600,1000" : "5,20", text);
}

/* Sets one of the levers; BESD_UNKNOWN, without a message, when the name is none of them. */
static besd_status set_lever(domain *d, const char *name, const char *text, besd_error *error) {
    int64_t levels[DOMAIN_MAX_LEVELS];
    besd_status status = BESD_UNKNOWN;
    if (names_equal(name, "tau")) {
        status = read_levels("tau", text, 1, INT64_C(1) << 40, levels, error);
        if (status == BESD_OK)
            memcpy(d->tau, levels, sizeof d->tau);
    } else if (names_equal(name, "reps")) {
        status = read_levels("reps", text, 1, 4096, levels, error);
        for (int i = 0; status == BESD_OK && i < DOMAIN_MAX_LEVELS; i++)
            d->reps[i] = (int)levels[i];
    } else if (names_equal(name, "initial_designs")) {
        status = read_levels("initial_designs", text, 1, 4096, levels, error);
        if (status == BESD_OK && levels[1])
            return besd_fail(error, BESD_INVALID, "initial_designs: expected one number, got '%s'",
                             text);
        if (status == BESD_OK)
            d->initial_designs = (int)levels[0];
    } else if (names_equal(name, "objective")) {
        bool returns = names_equal(text, "return");
        if (!returns && !names_equal(text, "steps"))
            return besd_fail(error, BESD_INVALID, "objective: expected steps or return, got '%s'",
                             text);
        d->objective = returns ? OBJECTIVE_RETURN : OBJECTIVE_STEPS;
        status = BESD_OK;
    }
    return status;
}

/* A parameter of the environment's own; the environment itself says whether it knows it. */
static besd_status set_own(domain_source *source, const char *name, const char *text,
                           besd_error *error) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value))
        return besd_fail(error, BESD_INVALID, "%s: expected a number, got '%s'", name, text);
    size_t at = 0;
    while (at < source->own_count && strcmp(source->own_names[at], name) != 0)
        at++;
    if (at == DOMAIN_MAX_OWN)
        return besd_fail(error, BESD_INVALID,
                         "set: more than %d parameters of the environment's "
                         "own",
                         DOMAIN_MAX_OWN);
    snprintf(source->own_names[at], sizeof source->own_names[at], "%s", name);
    source->own[at] = (besd_env_parameter){source->own_names[at], value};
    source->own_count += at == source->own_count;
    return BESD_OK;
}

besd_status domain_set(domain *d, const char *assignment, besd_error *error) {
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        return besd_fail(error, BESD_INVALID, "set: expected name=value, got '%s'", assignment);
    char name[DOMAIN_NAME_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
    besd_status lever = set_lever(d, name, equals + 1, error);
    if (lever != BESD_UNKNOWN)
        return lever;
    domain_parameter targets[2];
    int count = 0;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (names_equal(name, domain_parameter_infos[i].name) && !isnan(d->value[i]))
            targets[count++] = (domain_parameter)i;
    for (int i = 0; i < ALIAS_COUNT; i++)
        if (names_equal(name, aliases[i].name) && !isnan(d->value[aliases[i].first])) {
            targets[count++] = aliases[i].first;
            targets[count++] = aliases[i].second;
        }
    if (!count && d->source)
        return set_own(d->source, name, equals + 1, error);
    if (!count) {
        const char *nearest = names_nearest(name, known_parameter, d);
        return besd_fail(error, BESD_UNKNOWN,
                         "set: domain %s has no parameter '%s'%s%s%s; 'besd domains %s' lists them",
                         d->name, name, nearest ? ", did you mean '" : "", nearest ? nearest : "",
                         nearest ? "'" : "", d->name);
    }
    char *end;
    double value = strtod(equals + 1, &end);
    if (end == equals + 1 || *end)
        value = NAN;
    for (int i = 0; i < count; i++) {
        besd_status status =
            check_value(name, &domain_parameter_infos[targets[i]], value, equals + 1, error);
        if (status)
            return status;
    }
    for (int i = 0; i < count; i++)
        d->value[targets[i]] = value;
    return BESD_OK;
}

besd_status domain_set_map(domain *d, const char *text, besd_error *error) {
    if (d->kind != DOMAIN_GRID)
        return besd_fail(error, BESD_INVALID, "map: domain %s is not a grid world", d->name);
    grid_map *map = malloc(sizeof *map);
    if (!map)
        return besd_fail_memory(error, "a map");
    besd_status status = grid_map_parse(text, map, error);
    if (status == BESD_OK)
        d->map = *map;
    free(map);
    return status;
}

static besd_status check_order(const domain *d, domain_parameter low, domain_parameter high,
                               besd_error *error) {
    if (d->value[low] > d->value[high])
        return besd_fail(error, BESD_INVALID, "%s: expected at most %s = %g, got %g",
                         domain_parameter_infos[low].name, domain_parameter_infos[high].name,
                         d->value[high], d->value[low]);
    return BESD_OK;
}

static besd_status open_grid(const domain *d, besd_env **env, besd_error *error) {
    besd_status status = check_order(d, PARAMETER_WIND_LOW, PARAMETER_WIND_HIGH, error);
    if (status)
        return status;
    grid_config config = {.map = &d->map,
                          .wind_low = d->value[PARAMETER_WIND_LOW],
                          .wind_high = d->value[PARAMETER_WIND_HIGH],
                          .goal_reward = d->value[PARAMETER_GOAL_REWARD],
                          .treasure_reward = d->value[PARAMETER_TREASURE_REWARD],
                          .cap = (int64_t)d->value[PARAMETER_CAP]};
    return grid_create(&config, env, error);
}

mountain_car_config domain_mountain_car(const domain *d) {
    return (mountain_car_config){.start_low = d->value[PARAMETER_START_LOW],
                                 .start_high = d->value[PARAMETER_START_HIGH],
                                 .goal = d->value[PARAMETER_GOAL_POSITION],
                                 .force = d->value[PARAMETER_FORCE],
                                 .gravity = d->value[PARAMETER_GRAVITY],
                                 .max_speed = d->value[PARAMETER_MAX_SPEED],
                                 .goal_reward = d->value[PARAMETER_GOAL_REWARD],
                                 .cap = (int64_t)d->value[PARAMETER_CAP]};
}

static besd_status open_mountain_car(const domain *d, besd_env **env, besd_error *error) {
    besd_status status = check_order(d, PARAMETER_START_LOW, PARAMETER_START_HIGH, error);
    if (!status)
        status = check_order(d, PARAMETER_START_HIGH, PARAMETER_GOAL_POSITION, error);
    if (status)
        return status;
    mountain_car_config config = domain_mountain_car(d);
    return mountain_car_create(&config, env, error);
}

besd_status domain_open(const domain *d, besd_env **env, besd_error *error) {
    switch (d->kind) {
    case DOMAIN_GRID:
        return open_grid(d, env, error);
    case DOMAIN_MOUNTAIN_CAR:
        return open_mountain_car(d, env, error);
    case DOMAIN_FOREIGN:
        break;
    }
    return d->source->open(d->source, d, env, error);
}

/* Adds to a text as far as there is room. */
static void append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static void append_levels(char *text, size_t size, const char *name, const int64_t *levels) {
    for (int i = 0; i < DOMAIN_MAX_LEVELS && levels[i]; i++)
        append(text, size, "%s%s%lld", i ? "," : name, i ? "" : "=", (long long)levels[i]);
}

static void widen(const int *levels, int64_t *wide) {
    for (int i = 0; i < DOMAIN_MAX_LEVELS; i++)
        wide[i] = levels[i];
}

static bool is_timeout(int parameter) {
    return parameter == PARAMETER_RESET_TIMEOUT || parameter == PARAMETER_STEP_TIMEOUT;
}

static uint64_t hash_domain(const domain *d) {
    uint64_t hash = hash_bytes(HASH_START, &d->objective, sizeof d->objective);
    hash = hash_bytes(hash, d->tau, sizeof d->tau);
    hash = hash_bytes(hash, d->reps, sizeof d->reps);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!is_timeout(i))
            hash = hash_bytes(hash, &d->value[i], sizeof d->value[i]);
    for (size_t i = 0; d->source && i < d->source->own_count; i++) {
        hash = hash_bytes(hash, d->source->own_names[i], strlen(d->source->own_names[i]));
        hash = hash_bytes(hash, &d->source->own[i].value, sizeof d->source->own[i].value);
    }
    return hash_bytes(hash, &d->map, sizeof d->map);
}

void domain_identity(const domain *d, char *text, size_t size) {
    domain plain;
    snprintf(text, size, "%s", d->name);
    if (!d->built_in || domain_find(d->name, &plain, NULL) != BESD_OK) {
        append(text, size, " constants=%016llx", (unsigned long long)hash_domain(d));
        return;
    }
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!isnan(plain.value[i]) && plain.value[i] != d->value[i])
            append(text, size, " %s=%.17g", domain_parameter_infos[i].name, d->value[i]);
    if (memcmp(&plain.map, &d->map, sizeof plain.map) != 0)
        append(text, size, " map=%016llx",
               (unsigned long long)hash_bytes(HASH_START, &d->map, sizeof d->map));
    int64_t reps[DOMAIN_MAX_LEVELS];
    widen(d->reps, reps);
    if (memcmp(plain.tau, d->tau, sizeof plain.tau) != 0)
        append_levels(text, size, " tau", d->tau);
    if (memcmp(plain.reps, d->reps, sizeof plain.reps) != 0)
        append_levels(text, size, " reps", reps);
    if (plain.objective != d->objective)
        append(text, size, " objective=%s", d->objective == OBJECTIVE_RETURN ? "return" : "steps");
}
