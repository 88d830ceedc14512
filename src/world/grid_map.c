/* Parsing and resolving grid maps; see the header for the format. */
#include "world/grid_map.h"

#include "core/error.h"
#include "core/memory.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    char cell;
} kinds[] = {{"wall", GRID_WALL},
             {"door", GRID_DOOR},
             {"key", GRID_KEY},
             {"treasure", GRID_TREASURE},
             {"goal", GRID_GOAL}};

/* Scales beyond these are slips: a metre in millimetres is a thousandth. A double tells a cell's
 * centre from its border up to this many cells from the origin. */
static const double LEAST_CELL = 1e-6, LARGEST_CELL = 1e6, FARTHEST = 1e9;

static bool is_letter(char c) {
    return islower((unsigned char)c) || isdigit((unsigned char)c);
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

typedef struct line {
    const char *text;
    int length; /* without trailing blanks */
    int number;
} line;

/* Takes the next line off *text; false at the end. */
static bool next_line(const char **text, line *l) {
    if (!**text)
        return false;
    const char *end = strchr(*text, '\n');
    size_t length = end ? (size_t)(end - *text) : strlen(*text);
    l->text = *text;
    l->number++;
    *text += length + (end ? 1 : 0);
    while (length && is_space(l->text[length - 1]))
        length--;
    l->length = length < 4096 ? (int)length : 4096;
    return true;
}

static bool letter_on_map(const grid_map *map, char letter) {
    return memchr(map->cells, letter, (size_t)grid_map_cells(map)) != NULL;
}

/* `choose KIND: X | Y | ...` */
static besd_status parse_choice(grid_map *map, const line *l, besd_error *error) {
    if (map->choice_count == GRID_MAX_CHOICES)
        return besd_fail(error, BESD_INVALID, "map line %d: more than %d choose lines", l->number,
                         GRID_MAX_CHOICES);
    grid_choice *choice = &map->choices[map->choice_count];
    memset(choice, 0, sizeof *choice);
    const char *p = l->text + strlen("choose"), *end = l->text + l->length;
    while (p < end && is_space(*p))
        p++;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].word);
        if ((size_t)(end - p) > length && !strncmp(p, kinds[i].word, length) && p[length] == ':') {
            choice->becomes = kinds[i].cell;
            p += length + 1;
            break;
        }
    }
    if (!choice->becomes)
        return besd_fail(error, BESD_INVALID,
                         "map line %d: expected 'choose wall:', 'door:', 'key:', 'treasure:' or "
                         "'goal:', got '%.*s'",
                         l->number, l->length, l->text);
    size_t letters = 0;
    bool none = false; /* "-" */
    for (;; p++) {
        if (p < end && is_space(*p))
            continue;
        if (p < end && *p == '-' && !letters && !none) {
            none = true;
            continue;
        }
        if (p == end || *p == '|') {
            if (!letters && !none)
                return besd_fail(error, BESD_INVALID, "map line %d: an alternative is empty",
                                 l->number);
            choice->count++;
            letters = 0;
            none = false;
            if (p == end)
                break;
            if (choice->count == GRID_MAX_ALTERNATIVES)
                return besd_fail(error, BESD_INVALID, "map line %d: more than %d alternatives",
                                 l->number, GRID_MAX_ALTERNATIVES);
            continue;
        }
        if (none || !is_letter(*p) || !letter_on_map(map, *p))
            return besd_fail(error, BESD_INVALID,
                             "map line %d: '%c' is not a lower-case letter or digit on the map",
                             l->number, *p);
        if (letters + 1 == sizeof choice->alternatives[0])
            return besd_fail(error, BESD_INVALID,
                             "map line %d: an alternative has over %zu letters", l->number,
                             sizeof choice->alternatives[0] - 1);
        choice->alternatives[choice->count][letters++] = *p;
    }
    map->choice_count++;
    return BESD_OK;
}

static bool choice_names(const grid_choice *choice, char letter) {
    for (int i = 0; i < choice->count; i++)
        if (strchr(choice->alternatives[i], letter))
            return true;
    return false;
}

/* An alternative without a letter among these cells; NULL when there is none. */
static const char *absent_alternative(const grid_choice *choice, const char *cells, int count) {
    for (int i = 0; i < choice->count; i++) {
        bool there = false;
        for (const char *letter = choice->alternatives[i]; *letter; letter++)
            there = there || memchr(cells, *letter, (size_t)count);
        if (!there)
            return choice->alternatives[i];
    }
    return NULL;
}

/* Whatever is drawn, there is a goal: a 'G', or a choice of which every alternative is on the map.
 */
static besd_status check_goal(const grid_map *map, const char *cells, const char *which,
                              besd_error *error) {
    int count = map->width * map->height;
    const char *absent = NULL;
    if (memchr(cells, GRID_GOAL, (size_t)count))
        return BESD_OK;
    for (int k = 0; k < map->choice_count; k++) {
        if (map->choices[k].becomes != GRID_GOAL)
            continue;
        absent = absent_alternative(&map->choices[k], cells, count);
        if (!absent)
            return BESD_OK;
    }
    if (absent)
        return besd_fail(error, BESD_INVALID,
                         "map: expected a goal%s whatever is drawn, but '%s' of 'choose goal' has "
                         "no letter there",
                         which, *absent ? absent : "-");
    return besd_fail(error, BESD_INVALID, "map: expected at least one goal 'G'%s, found none",
                     which);
}

/* Letters belong to exactly one choice; there is one start and, whatever is drawn, a goal. */
static besd_status check_map(grid_map *map, int number, besd_error *error) {
    int starts = 0, cells = map->width * map->height;
    const char *own = map->cells + number * cells;
    for (int i = 0; i < cells; i++) {
        char c = own[i];
        int x = i % map->width, y = i / map->width, owners = 0;
        if (c == GRID_START) {
            starts++;
            map->start[number] = i;
        }
        for (int k = 0; is_letter(c) && k < map->choice_count; k++)
            owners += choice_names(&map->choices[k], c);
        if (is_letter(c) && owners != 1)
            return besd_fail(
                error, BESD_INVALID,
                "map: letter '%c' at x=%d, y=%d is named by %d choose lines, expected 1", c, x, y,
                owners);
    }
    char which[24] = "";
    if (map->count > 1)
        snprintf(which, sizeof which, " in map %d", number + 1);
    if (starts != 1)
        return besd_fail(error, BESD_INVALID, "map: expected one start 'S'%s, found %d", which,
                         starts);
    return check_goal(map, own, which, error);
}

/* The file has the top row first; cells have y = 0 at the bottom. */
static void turn_upside_down(const grid_map *map, char *cells) {
    char row[GRID_MAX_SIDE];
    size_t width = (size_t)map->width;
    for (int y = 0; y < map->height / 2; y++) {
        char *low = cells + y * map->width;
        char *high = cells + (map->height - 1 - y) * map->width;
        memcpy(row, low, width);
        memcpy(low, high, width);
        memcpy(high, row, width);
    }
}

/* `row` counts the rows of the map that is being read, number map->count. */
static besd_status parse_row(grid_map *map, int *row, const line *l, besd_error *error) {
    if (map->choice_count)
        return besd_fail(error, BESD_INVALID, "map line %d: a row after a choose line", l->number);
    if (*row == GRID_MAX_SIDE || l->length > GRID_MAX_SIDE)
        return besd_fail(error, BESD_INVALID, "map line %d: the map is larger than %d x %d",
                         l->number, GRID_MAX_SIDE, GRID_MAX_SIDE);
    if (!map->count && !*row)
        map->width = l->length;
    if (l->length != map->width)
        return besd_fail(error, BESD_INVALID, "map line %d: expected %d cells as above, got %d",
                         l->number, map->width, l->length);
    for (int x = 0; x < l->length; x++)
        if (!strchr(GRID_CELLS, l->text[x]) && !is_letter(l->text[x]))
            return besd_fail(
                error, BESD_INVALID,
                "map line %d, column %d: '%c' is none of . # S G D K T ^ > V <, a-z, 0-9",
                l->number, x + 1, l->text[x]);
    size_t used = (size_t)(grid_map_cells(map) + *row * map->width);
    if (used + (size_t)map->width > sizeof map->cells)
        return besd_fail(error, BESD_INVALID, "map line %d: the maps together have over %zu cells",
                         l->number, sizeof map->cells);
    memcpy(map->cells + used, l->text, (size_t)l->length);
    ++*row;
    return BESD_OK;
}

/* The rows of a map are complete. */
static besd_status end_map(grid_map *map, int *row, besd_error *error) {
    if (!*row)
        return besd_fail(error, BESD_INVALID, "map: it has no rows");
    if (map->count == GRID_MAX_MAPS)
        return besd_fail(error, BESD_INVALID, "map: more than %d maps", GRID_MAX_MAPS);
    if (map->count && *row != map->height)
        return besd_fail(error, BESD_INVALID, "map: map %d has %d rows, expected %d as the first",
                         map->count + 1, *row, map->height);
    map->height = *row;
    turn_upside_down(map, map->cells + grid_map_cells(map));
    map->count++;
    *row = 0;
    return BESD_OK;
}

static bool is_separator(const line *l) {
    return l->length >= 3 && strspn(l->text, "-") >= (size_t)l->length;
}

besd_status grid_map_scale(grid_map *map, double cell_size, const double *origin,
                           besd_error *error) {
    if (!(cell_size >= LEAST_CELL && cell_size <= LARGEST_CELL))
        return besd_fail(error, BESD_INVALID,
                         "cell_size: expected the side of a cell between %g and %g, got %g",
                         LEAST_CELL, LARGEST_CELL, cell_size);
    for (int i = 0; i < 2; i++)
        if (!(fabs(origin[i]) <= FARTHEST * cell_size))
            return besd_fail(error, BESD_INVALID,
                             "origin: expected a place at most %g cells of side %g away, got %g",
                             FARTHEST, cell_size, origin[i]);
    map->cell_size = cell_size;
    memcpy(map->origin, origin, sizeof map->origin);
    return BESD_OK;
}

bool grid_map_is_plain(const grid_map *map) {
    return map->cell_size == 1 && map->origin[0] == 0 && map->origin[1] == 0;
}

bool grid_map_same_scale(const grid_map *a, const grid_map *b) {
    return a->cell_size == b->cell_size && a->origin[0] == b->origin[0] &&
           a->origin[1] == b->origin[1];
}

/* Studies that are older than the scale have the rest alone. */
uint64_t grid_map_hash(uint64_t hash, const grid_map *map) {
    hash = hash_bytes(hash, map, offsetof(grid_map, cells) + sizeof map->cells);
    return grid_map_is_plain(map) ? hash : hash_bytes(hash, &map->cell_size, sizeof(double[3]));
}

/* Is the line one of these numbers, such as "origin -1.5 2"? Reads `count` of them, parted by
 * blanks or commas. */
static bool is_numbers(const line *l, const char *name, double *numbers, int count, bool *right) {
    const size_t length = strlen(name);
    char text[128];
    if ((size_t)l->length <= length || strncmp(l->text, name, length) != 0 ||
        !strchr(" \t:", l->text[length]))
        return false;
    snprintf(text, sizeof text, "%.*s", l->length - (int)length, l->text + length);
    char *p = text + (*text == ':'), *end;
    for (int i = 0; i < count; i++, p = end) {
        p += i ? strspn(p, " \t,") : 0;
        numbers[i] = strtod(p, &end);
        if (end == p)
            return true;
    }
    *right = p[strspn(p, " \t")] == 0;
    return true;
}

/* `cell_size 0.25` or `origin -1.5 2`; *taken says whether the line is one. */
static besd_status parse_scale(grid_map *map, const line *l, bool *taken, besd_error *error) {
    double size = map->cell_size, origin[2] = {map->origin[0], map->origin[1]};
    bool right = false, is_size = is_numbers(l, "cell_size", &size, 1, &right);
    *taken = is_size || is_numbers(l, "origin", origin, 2, &right);
    if (!*taken)
        return BESD_OK;
    if (!right)
        return besd_fail(error, BESD_INVALID, "map line %d: expected %s, got '%.*s'", l->number,
                         is_size ? "one number, such as 'cell_size 0.25'"
                                 : "two numbers, such as 'origin -1.5 2'",
                         l->length, l->text);
    return grid_map_scale(map, size, origin, error);
}

besd_status grid_map_parse(const char *text, grid_map *map, besd_error *error) {
    line l = {0};
    int row = 0;
    besd_status status = BESD_OK;
    memset(map, 0, sizeof *map);
    map->cell_size = 1;
    while (status == BESD_OK && next_line(&text, &l)) {
        const bool comment = l.length > 1 && l.text[0] == GRID_WALL && is_space(l.text[1]);
        if (!l.length || comment)
            continue;
        bool choice = l.length > 6 && !strncmp(l.text, "choose", 6) && is_space(l.text[6]), scale;
        status = parse_scale(map, &l, &scale, error);
        if (status != BESD_OK || scale)
            continue;
        if ((choice && row) || is_separator(&l))
            status = end_map(map, &row, error);
        if (status == BESD_OK && choice)
            status = parse_choice(map, &l, error);
        else if (status == BESD_OK && !is_separator(&l))
            status = parse_row(map, &row, &l, error);
    }
    if (status == BESD_OK && (row || !map->count))
        status = end_map(map, &row, error);
    for (int i = 0; status == BESD_OK && i < map->count; i++)
        status = check_map(map, i, error);
    return status;
}

/* Adds to a text of `used` bytes; returns how many bytes it has then. */
__attribute__((format(printf, 4, 5))) static size_t put(char *text, size_t size, size_t used,
                                                        const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(used < size ? text + used : NULL, used < size ? size - used : 0, format,
                           arguments);
    va_end(arguments);
    return used + (size_t)length;
}

static const char *name_kind(char becomes) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].cell == becomes)
            return kinds[i].word;
    return "";
}

size_t grid_map_print(const grid_map *map, char *text, size_t size) {
    size_t used = 0;
    for (int number = 0; number < map->count; number++) {
        const char *own = map->cells + number * map->width * map->height;
        if (number)
            used = put(text, size, used, "---\n");
        for (int y = map->height - 1; y >= 0; y--)
            used = put(text, size, used, "%.*s\n", map->width, own + y * map->width);
    }
    for (int k = 0; k < map->choice_count; k++) {
        const grid_choice *c = &map->choices[k];
        used = put(text, size, used, "choose %s:", name_kind(c->becomes));
        for (int a = 0; a < c->count; a++)
            used = put(text, size, used, "%s %s", a ? " |" : "",
                       *c->alternatives[a] ? c->alternatives[a] : "-");
        used = put(text, size, used, "\n");
    }
    if (!grid_map_is_plain(map))
        used = put(text, size, used, "cell_size %.17g\norigin %.17g %.17g\n", map->cell_size,
                   map->origin[0], map->origin[1]);
    return used + 1;
}

int64_t grid_map_layouts(const grid_map *map) {
    int64_t count = map->count;
    for (int k = 0; k < map->choice_count; k++)
        count *= map->choices[k].count;
    return count;
}

void grid_map_layout(const grid_map *map, int64_t index, char *cells) {
    const char *drawn[GRID_MAX_CHOICES];
    const char *own = map->cells + index % map->count * (map->width * map->height);
    index /= map->count;
    for (int k = 0; k < map->choice_count; k++) {
        drawn[k] = map->choices[k].alternatives[index % map->choices[k].count];
        index /= map->choices[k].count;
    }
    for (int i = 0; i < map->width * map->height; i++) {
        cells[i] = own[i];
        if (!is_letter(cells[i]))
            continue;
        char letter = cells[i];
        cells[i] = GRID_FREE;
        for (int k = 0; k < map->choice_count; k++)
            if (strchr(drawn[k], letter))
                cells[i] = map->choices[k].becomes;
    }
}

static const char *name_of_cell(char cell) {
    switch (cell) {
    case GRID_WALL:
        return "wall";
    case GRID_DOOR:
        return "door";
    case GRID_KEY:
        return "key";
    case GRID_TREASURE:
        return "treasure";
    default:
        return "goal";
    }
}

void grid_map_layout_name(const grid_map *map, int64_t index, char *text, size_t size) {
    int length = map->count > 1 || !map->choice_count
                     ? snprintf(text, size, "map %lld", (long long)(index % map->count) + 1)
                     : snprintf(text, size, "%s", "");
    index /= map->count;
    for (int k = 0; k < map->choice_count && (size_t)length < size; k++) {
        const grid_choice *c = &map->choices[k];
        const char *drawn = c->alternatives[index % c->count];
        length += snprintf(text + length, size - (size_t)length, "%s%s%s%s%s", length ? ", " : "",
                           *drawn ? "" : "no ", name_of_cell(c->becomes), *drawn ? " " : "", drawn);
        index /= c->count;
    }
}

int grid_map_start(const grid_map *map, int64_t index) {
    return map->start[index % map->count];
}

int64_t grid_map_draw(const grid_map *map, rng *stream) {
    int64_t weight = map->count;
    int64_t index = weight > 1 ? (int64_t)rng_below(stream, (uint64_t)weight) : 0;
    for (int k = 0; k < map->choice_count; k++) {
        index += weight * (int64_t)rng_below(stream, (uint64_t)map->choices[k].count);
        weight *= map->choices[k].count;
    }
    return index;
}

char grid_map_kind(const grid_map *map, char cell) {
    if (cell && cell != GRID_FREE && strchr(GRID_CELLS, cell))
        return cell;
    for (int c = 0; c < map->choice_count; c++) {
        int hits = 0;
        for (int a = 0; a < map->choices[c].count; a++)
            hits += strchr(map->choices[c].alternatives[a], cell) != NULL;
        if (hits == map->choices[c].count)
            return map->choices[c].becomes;
        if (hits)
            return map->choices[c].becomes == GRID_WALL ? 'w'
                                                        : (char)(map->choices[c].becomes | 32);
    }
    return 0;
}

void grid_map_picture(const grid_map *map, char *text) {
    for (int y = map->height - 1; y >= 0; y--) {
        for (int x = 0; x < map->width; x++) {
            char kind = grid_map_kind(map, map->cells[x + map->width * y]);
            *text++ = kind ? kind : GRID_FREE;
        }
        *text++ = '\n';
    }
    *text = 0;
}
