#include "world/reach_options.h"

#include "core/error.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAID_REACH = 1, SAID_CELL_SIZE = 2, SAID_ORIGIN = 4, SAID_RADIUS = 8 };

static const char *const words[] = {
    [BESD_REACH_CELL] = "cell", [BESD_REACH_CROSS] = "cross", [BESD_REACH_RADIUS] = "radius"};
static const char *const names[] = {"reach", "cell_size", "origin", "radius"};

enum { WORDS = sizeof words / sizeof *words, NAMES = sizeof names / sizeof *names };

const char *reach_options_name(size_t index) {
    return index < NAMES ? names[index] : NULL;
}

const char *reach_options_word(besd_env_reach reach) {
    return words[reach];
}

static const char *known_word(size_t index, const void *context) {
    (void)context;
    return index < WORDS ? words[index] : NULL;
}

/* The defaults of this reach. */
static void begin(reach_options *r, besd_env_reach reach) {
    r->how = (besd_env_reaching){.reach = reach, .cell_size = reach == BESD_REACH_CELL};
    r->origin_count = 0;
}

void reach_options_init(reach_options *r, besd_env_reach reach) {
    *r = (reach_options){.plain = reach};
    begin(r, reach);
}

void reach_options_listen(reach_options *r) {
    r->said = 0;
}

/* Changes to another reach, unless that contradicts what was set. */
static besd_status turn_to(reach_options *r, besd_env_reach reach, const char *name,
                           besd_error *error) {
    const unsigned cells = SAID_CELL_SIZE | SAID_ORIGIN;
    if (reach != BESD_REACH_CELL && (r->said & cells))
        return besd_fail(error, BESD_INVALID,
                         "%s: %s goes with reach=cell, and this with reach=%s; say one of the two",
                         name, r->said & SAID_CELL_SIZE ? "cell_size" : "origin", words[reach]);
    if (reach != BESD_REACH_RADIUS && (r->said & SAID_RADIUS))
        return besd_fail(error, BESD_INVALID,
                         "%s: radius goes with reach=radius, and this with reach=%s; say one of "
                         "the two",
                         name, words[reach]);
    if ((r->said & SAID_REACH) && r->how.reach != reach)
        return besd_fail(error, BESD_INVALID, "%s: it goes with reach=%s, but reach is %s", name,
                         words[reach], words[r->how.reach]);
    if (r->how.reach != reach)
        begin(r, reach);
    return BESD_OK;
}

static besd_status set_reach(reach_options *r, const char *text, besd_error *error) {
    for (int i = 0; i < WORDS; i++)
        if (names_equal(text, words[i])) {
            r->said &= ~(unsigned)SAID_REACH; /* a second reach=... may differ */
            besd_status status = turn_to(r, (besd_env_reach)i, "reach", error);
            r->said |= SAID_REACH;
            return status;
        }
    const char *nearest = names_nearest(text, known_word, NULL);
    return besd_fail(error, BESD_INVALID, "reach: expected cell, cross or radius, got '%s'%s%s%s",
                     text, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

/* A number above 0. */
static besd_status set_length(const char *name, const char *text, double *length,
                              besd_error *error) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value > 0) || isinf(value))
        return besd_fail(error, BESD_INVALID,
                         "%s: expected a number above 0, in the units of positions, got '%s'", name,
                         text);
    *length = value;
    return BESD_OK;
}

static besd_status set_origin(reach_options *r, const char *text, besd_error *error) {
    double origin[BESD_ENV_MAX_OBSERVATION] = {0};
    int count = 0;
    const char *p = text;
    for (bool more = true; more; count++) {
        char *end;
        double value = strtod(p, &end);
        if (end == p || (*end && *end != ',') || !isfinite(value) ||
            count == BESD_ENV_MAX_OBSERVATION)
            return besd_fail(error, BESD_INVALID,
                             "origin: expected a number for every coordinate of a position, such "
                             "as 0.4,0, got '%s'",
                             text);
        origin[count] = value;
        more = *end == ',';
        p = end + 1;
    }
    for (int i = 1; count == 1 && i < BESD_ENV_MAX_OBSERVATION; i++)
        origin[i] = origin[0];
    memcpy(r->how.origin, origin, sizeof origin);
    r->origin_count = count;
    return BESD_OK;
}

besd_status reach_options_set(reach_options *r, const char *name, const char *text,
                              besd_error *error) {
    reach_options changed = *r;
    besd_status status;
    double length = 0;
    if (names_equal(name, "reach")) {
        status = set_reach(&changed, text, error);
    } else if (names_equal(name, "cell_size")) {
        status = set_length("cell_size", text, &length, error);
        if (status == BESD_OK)
            status = turn_to(&changed, BESD_REACH_CELL, "cell_size", error);
        changed.how.cell_size = length;
        changed.said |= SAID_CELL_SIZE;
    } else if (names_equal(name, "origin")) {
        status = turn_to(&changed, BESD_REACH_CELL, "origin", error);
        if (status == BESD_OK)
            status = set_origin(&changed, text, error);
        changed.said |= SAID_ORIGIN;
    } else if (names_equal(name, "radius")) {
        status = set_length("radius", text, &length, error);
        if (status == BESD_OK)
            status = turn_to(&changed, BESD_REACH_RADIUS, "radius", error);
        changed.how.radius = length;
        changed.said |= SAID_RADIUS;
    } else {
        return BESD_UNKNOWN;
    }
    if (status == BESD_OK)
        *r = changed;
    return status;
}

static double longest_side(const besd_env_spec *s) {
    double longest = 0;
    for (int i = 0; i < s->position; i++)
        longest = fmax(longest, s->subgoal_high[i] - s->subgoal_low[i]);
    return longest;
}

besd_status reach_options_check(const reach_options *r, const besd_env_spec *spec,
                                besd_error *error) {
    const besd_env_reaching *how = &r->how;
    const double longest = longest_side(spec);
    if (how->reach == BESD_REACH_CROSS && spec->position != 1)
        return besd_fail(error, BESD_INVALID,
                         "reach: subgoals are crossed on positions of one number, and these have "
                         "%d; use reach=cell or reach=radius",
                         spec->position);
    if (how->reach == BESD_REACH_RADIUS && !(how->radius > 0))
        return besd_fail(error, BESD_INVALID,
                         "radius: expected a number above 0 with reach=radius, got none");
    if (how->reach == BESD_REACH_RADIUS && how->radius > longest)
        return besd_fail(
            error, BESD_INVALID,
            "radius: expected at most the longest side of the box of subgoals, %g, got "
            "%g: subgoals would be reached everywhere",
            longest, how->radius);
    if (how->reach == BESD_REACH_CELL && how->cell_size != 1 && how->cell_size > longest)
        return besd_fail(error, BESD_INVALID,
                         "cell_size: expected at most the longest side of the box of subgoals, %g, "
                         "got %g: subgoals would be reached everywhere",
                         longest, how->cell_size);
    if (r->origin_count > 1 && r->origin_count != spec->position)
        return besd_fail(error, BESD_INVALID,
                         "origin: expected %d numbers, as a position has, or one for all, got %d",
                         spec->position, r->origin_count);
    return BESD_OK;
}

/* A number that does not belong to the reach and is not zero; NULL when there is none. */
static const char *foreign_number(const besd_env_reaching *told) {
    if (told->reach != BESD_REACH_CELL && told->cell_size != 0)
        return "cell_size";
    for (int i = 0; told->reach != BESD_REACH_CELL && i < BESD_ENV_MAX_OBSERVATION; i++)
        if (told->origin[i] != 0)
            return "origin";
    return told->reach != BESD_REACH_RADIUS && told->radius != 0 ? "radius" : NULL;
}

besd_status reach_options_take(reach_options *r, const besd_env_reaching *told,
                               const besd_env_spec *spec, besd_error *error) {
    if ((int)told->reach < 0 || (int)told->reach >= WORDS)
        return besd_fail(error, BESD_INVALID, "reach: expected 0 to %d, got %d", WORDS - 1,
                         (int)told->reach);
    const char *foreign = foreign_number(told);
    if (foreign)
        return besd_fail(error, BESD_INVALID, "%s: expected 0, for its reach is %s", foreign,
                         words[told->reach]);
    if (!(told->cell_size >= 0) || isinf(told->cell_size))
        return besd_fail(error, BESD_INVALID, "cell_size: expected a number above 0, got %g",
                         told->cell_size);
    if (told->reach == BESD_REACH_RADIUS && (!(told->radius > 0) || isinf(told->radius)))
        return besd_fail(error, BESD_INVALID, "radius: expected a number above 0, got %g",
                         told->radius);
    for (int i = 0; i < spec->position; i++)
        if (!isfinite(told->origin[i]))
            return besd_fail(error, BESD_INVALID, "origin[%d]: expected a finite number, got %g", i,
                             told->origin[i]);
    begin(r, told->reach);
    r->how.radius = told->radius;
    if (told->cell_size > 0)
        r->how.cell_size = told->cell_size;
    for (int i = 0; i < spec->position; i++) {
        r->how.origin[i] = told->origin[i];
        if (told->origin[i] != 0)
            r->origin_count = spec->position;
    }
    return reach_options_check(r, spec, error);
}

bool reach_options_is_plain(const reach_options *r) {
    const besd_env_reaching *how = &r->how;
    bool plain = how->reach == r->plain && how->radius == 0 &&
                 how->cell_size == (how->reach == BESD_REACH_CELL);
    for (int i = 0; i < BESD_ENV_MAX_OBSERVATION; i++)
        plain = plain && how->origin[i] == 0;
    return plain;
}

void reach_options_text(const reach_options *r, char *text, size_t size) {
    const besd_env_reaching *how = &r->how;
    int length = snprintf(text, size, "reach=%s", words[how->reach]);
    if (how->reach == BESD_REACH_RADIUS)
        snprintf(text + length, size - (size_t)length, " radius=%.17g", how->radius);
    if (how->reach != BESD_REACH_CELL)
        return;
    length += snprintf(text + length, size - (size_t)length, " cell_size=%.17g", how->cell_size);
    for (int i = 0; i < r->origin_count && (size_t)length < size; i++)
        length += snprintf(text + length, size - (size_t)length, "%s%.17g",
                           i ? "," : " origin=", how->origin[i]);
}

double reach_options_cell(const besd_env_reaching *how, int dimension) {
    switch (how->reach) {
    case BESD_REACH_CELL:
        return how->cell_size;
    case BESD_REACH_RADIUS:
        return 2 * how->radius / sqrt(dimension);
    case BESD_REACH_CROSS:
        break;
    }
    return 0;
}
