/* Setting the constants and levers of a domain by name, and writing them as text. */
#include "world/domain.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "world/grid.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One name that sets two parameters. */
static const struct {
    const char *name;
    domain_parameter first, second;
} aliases[] = {{"wind", PARAMETER_WIND_LOW, PARAMETER_WIND_HIGH},
               {"epsilon", PARAMETER_EPSILON, PARAMETER_EPSILON_END},
               {"start", PARAMETER_START_LOW, PARAMETER_START_HIGH}};

enum { ALIAS_COUNT = sizeof aliases / sizeof *aliases };

/* The levers that --set takes besides the parameters. */
static const char *const levers[] = {"tau", "reps", "initial_designs", "objective"};

enum { LEVER_COUNT = sizeof levers / sizeof *levers };

/* The i-th settable name of a domain: its parameters, then its aliases, then the levers, then the
 * options of reach_options.h. */
static const char *known_parameter(size_t index, const void *context) {
    const domain *d = context;
    for (size_t i = 0; i < PARAMETER_COUNT; i++)
        if (!isnan(d->value[i]) && index-- == 0)
            return domain_parameter_infos[i].name;
    for (size_t i = 0; i < ALIAS_COUNT; i++)
        if (!isnan(d->value[aliases[i].first]) && index-- == 0)
            return aliases[i].name;
    return index < LEVER_COUNT ? levers[index] : reach_options_name(index - LEVER_COUNT);
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

/* Sets a lever; BESD_UNKNOWN, without a message, when there is no lever of this name. */
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

/* Moves the parameters from `at` on by one place. */
static void make_room(domain_source *source, size_t at) {
    for (size_t i = source->own_count++; i > at; i--) {
        memcpy(source->own_names[i], source->own_names[i - 1], sizeof source->own_names[i]);
        source->own[i] = (besd_env_parameter){source->own_names[i], source->own[i - 1].value};
    }
}

/* Sets a parameter of the environment's own. The environment itself says whether it knows it. */
static besd_status set_own(domain_source *source, const char *name, const char *text,
                           besd_error *error) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value))
        return besd_fail(error, BESD_INVALID, "%s: expected a number, got '%s'", name, text);
    size_t at = 0;
    while (at < source->own_count && strcmp(source->own_names[at], name) < 0)
        at++;
    bool known = at < source->own_count && !strcmp(source->own_names[at], name);
    if (!known && source->own_count == DOMAIN_MAX_OWN)
        return besd_fail(error, BESD_INVALID,
                         "set: more than %d parameters of the environment's "
                         "own",
                         DOMAIN_MAX_OWN);
    if (!known)
        make_room(source, at);
    snprintf(source->own_names[at], sizeof source->own_names[at], "%s", name);
    source->own[at] = (besd_env_parameter){source->own_names[at], value};
    return BESD_OK;
}

/* "1..4": from and to. */
static bool read_range(const char *text, double *low, double *high) {
    char *end;
    *low = (double)strtol(text, &end, 10);
    if (end == text || strncmp(end, "..", 2) != 0)
        return false;
    const char *second = end + 2;
    *high = strtod(second, &end);
    return end != second && !*end;
}

/* "subgoals=1..4": the study chooses their number; "subgoals=4": the number is fixed. */
static besd_status set_subgoals(domain *d, const char *text, besd_error *error) {
    const domain_parameter_info *info = &domain_parameter_infos[PARAMETER_SUBGOALS];
    double low = 0, high;
    char *end;
    bool is_range = read_range(text, &low, &high);
    if (!is_range) {
        low = 0;
        high = strtod(text, &end);
        high = end == text || *end ? NAN : high;
    }
    besd_status status = check_value("subgoals", info, high, text, error);
    if (is_range && (status != BESD_OK || !(low >= info->low && low < high)))
        status = besd_fail(error, BESD_INVALID,
                           "subgoals: expected a range within %g..%g that rises, such as 1..4, or "
                           "one number, got '%s'",
                           info->low, info->high, text);
    if (status != BESD_OK)
        return status;
    d->value[PARAMETER_SUBGOALS] = high;
    d->value[PARAMETER_FEWEST_SUBGOALS] = low;
    return BESD_OK;
}

static besd_status set_reaching(domain *d, const char *name, const char *text, besd_error *error) {
    besd_status status = reach_options_set(&d->reach, name, text, error);
    d->reach_said = d->reach_said || status == BESD_OK;
    return status;
}

besd_status domain_set(domain *d, const char *assignment, besd_error *error) {
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        return besd_fail(error, BESD_INVALID, "set: expected name=value, got '%s'", assignment);
    char name[DOMAIN_NAME_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
    if (names_equal(name, domain_parameter_infos[PARAMETER_SUBGOALS].name))
        return set_subgoals(d, equals + 1, error);
    besd_status lever = set_lever(d, name, equals + 1, error);
    if (lever == BESD_UNKNOWN)
        lever = set_reaching(d, name, equals + 1, error);
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
    for (int i = 0; i < count; i++) {
        d->value[targets[i]] = value;
        d->width_said = d->width_said || targets[i] == PARAMETER_WIDTH;
    }
    return BESD_OK;
}

/* Adds to a text as far as there is room. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
                                                         const char *format, ...) {
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

/* Parameters that older studies do not have; when they change nothing they must not change a
 * fingerprint. */
static bool is_silent(int parameter, double value) {
    if (parameter == PARAMETER_MOVES)
        return !(value > GRID_ACTIONS);
    return (parameter == PARAMETER_FEWEST_SUBGOALS || parameter == PARAMETER_SUBGOAL_PRICE ||
            parameter == PARAMETER_LABELS || parameter == PARAMETER_TASKS) &&
           !(value > 0);
}

/* The zero at the end of a name parts it from the value that follows. */
uint64_t domain_hash_own(uint64_t hash, const domain_source *source) {
    for (size_t i = 0; i < source->own_count; i++) {
        const besd_env_parameter *own = &source->own[i];
        hash = hash_bytes(hash, own->name, strlen(own->name) + 1);
        hash = hash_bytes(hash, &own->value, sizeof own->value);
    }
    return hash;
}

static uint64_t hash_domain(const domain *d) {
    uint64_t hash = hash_bytes(HASH_START, &d->objective, sizeof d->objective);
    hash = hash_bytes(hash, d->tau, sizeof d->tau);
    hash = hash_bytes(hash, d->reps, sizeof d->reps);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!is_timeout(i) && !is_silent(i, d->value[i]))
            hash = hash_bytes(hash, &d->value[i], sizeof d->value[i]);
    if (!reach_options_is_plain(&d->reach)) { /* older studies have nothing else */
        char text[REACH_OPTIONS_TEXT_SIZE];
        reach_options_text(&d->reach, text, sizeof text);
        hash = hash_bytes(hash, text, strlen(text));
    }
    if (d->source)
        hash = domain_hash_own(hash, d->source);
    return grid_map_hash(hash, &d->map);
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
        append(text, size, " map=%016llx", (unsigned long long)grid_map_hash(HASH_START, &d->map));
    int64_t reps[DOMAIN_MAX_LEVELS];
    widen(d->reps, reps);
    if (memcmp(plain.tau, d->tau, sizeof plain.tau) != 0)
        append_levels(text, size, " tau", d->tau);
    if (memcmp(plain.reps, d->reps, sizeof plain.reps) != 0)
        append_levels(text, size, " reps", reps);
    if (!reach_options_is_plain(&d->reach)) {
        char reach[REACH_OPTIONS_TEXT_SIZE];
        reach_options_text(&d->reach, reach, sizeof reach);
        append(text, size, " %s", reach);
    }
    if (plain.objective != d->objective)
        append(text, size, " objective=%s", d->objective == OBJECTIVE_RETURN ? "return" : "steps");
}

void domain_constants(const domain *d, char *text, size_t size) {
    int64_t reps[DOMAIN_MAX_LEVELS];
    text[0] = 0;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!isnan(d->value[i]) && !is_timeout(i))
            append(text, size, "%s=%.12g ", domain_parameter_infos[i].name, d->value[i]);
    for (size_t i = 0; d->source && i < d->source->own_count; i++)
        append(text, size, "%s=%.12g ", d->source->own[i].name, d->source->own[i].value);
    if (d->kind == DOMAIN_GRID)
        append(text, size, "map=%016llx ", (unsigned long long)grid_map_hash(HASH_START, &d->map));
    widen(d->reps, reps);
    append_levels(text, size, "tau", d->tau);
    append_levels(text, size, " reps", reps);
    append(text, size, " objective=%s", d->objective == OBJECTIVE_RETURN ? "return" : "steps");
}

bool domain_from_identity(const char *identity, domain *d) {
    char word[200];
    size_t length = strcspn(identity, " ");
    snprintf(word, sizeof word, "%.*s", (int)length, identity);
    bool known = domain_find(word, d, NULL) == BESD_OK;
    for (const char *at = identity + length; known && *at; at += length) {
        at += strspn(at, " ");
        length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        known = !*word || domain_set(d, word, NULL) == BESD_OK;
    }
    reach_options_listen(&d->reach);
    return known;
}
