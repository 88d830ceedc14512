/* Parsing and resolving grid maps; see the header for the format. */
#include "world/grid_map.h"

#include "core/error.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const struct {
    const char *word;
    char cell;
} kinds[] = {{"wall", GRID_WALL},
             {"door", GRID_DOOR},
             {"key", GRID_KEY},
             {"treasure", GRID_TREASURE},
             {"goal", GRID_GOAL}};

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
    return memchr(map->cells, letter, (size_t)(map->width * map->height)) != NULL;
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
    for (;; p++) {
        if (p < end && is_space(*p))
            continue;
        if (p == end || *p == '|') {
            if (!letters)
                return besd_fail(error, BESD_INVALID, "map line %d: an alternative is empty",
                                 l->number);
            choice->count++;
            letters = 0;
            if (p == end)
                break;
            if (choice->count == GRID_MAX_ALTERNATIVES)
                return besd_fail(error, BESD_INVALID, "map line %d: more than %d alternatives",
                                 l->number, GRID_MAX_ALTERNATIVES);
            continue;
        }
        if (!is_letter(*p) || !letter_on_map(map, *p))
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

/* Letters belong to exactly one choice; there is one start and, whatever is drawn, a goal. */
static besd_status check_map(grid_map *map, besd_error *error) {
    int starts = 0, cells = map->width * map->height;
    bool goal = false;
    for (int i = 0; i < cells; i++) {
        char c = map->cells[i];
        int x = i % map->width, y = i / map->width, owners = 0;
        if (c == GRID_START) {
            starts++;
            map->start = i;
        }
        goal = goal || c == GRID_GOAL;
        for (int k = 0; is_letter(c) && k < map->choice_count; k++)
            owners += choice_names(&map->choices[k], c);
        if (is_letter(c) && owners != 1)
            return besd_fail(
                error, BESD_INVALID,
                "map: letter '%c' at x=%d, y=%d is named by %d choose lines, expected 1", c, x, y,
                owners);
    }
    for (int k = 0; k < map->choice_count; k++)
        goal = goal || map->choices[k].becomes == GRID_GOAL;
    if (starts != 1)
        return besd_fail(error, BESD_INVALID, "map: expected one start 'S', found %d", starts);
    if (!goal)
        return besd_fail(error, BESD_INVALID, "map: expected at least one goal 'G', found none");
    return BESD_OK;
}

/* The file has the top row first; cells have y = 0 at the bottom. */
static void turn_upside_down(grid_map *map) {
    char row[GRID_MAX_SIDE];
    size_t width = (size_t)map->width;
    for (int y = 0; y < map->height / 2; y++) {
        char *low = map->cells + y * map->width;
        char *high = map->cells + (map->height - 1 - y) * map->width;
        memcpy(row, low, width);
        memcpy(low, high, width);
        memcpy(high, row, width);
    }
}

static besd_status parse_row(grid_map *map, const line *l, besd_error *error) {
    if (map->choice_count)
        return besd_fail(error, BESD_INVALID, "map line %d: a row after a choose line", l->number);
    if (map->height == GRID_MAX_SIDE || l->length > GRID_MAX_SIDE)
        return besd_fail(error, BESD_INVALID, "map line %d: the map is larger than %d x %d",
                         l->number, GRID_MAX_SIDE, GRID_MAX_SIDE);
    if (!map->height)
        map->width = l->length;
    if (l->length != map->width)
        return besd_fail(error, BESD_INVALID, "map line %d: expected %d cells as above, got %d",
                         l->number, map->width, l->length);
    for (int x = 0; x < l->length; x++)
        if (!strchr(".#SGDKT", l->text[x]) && !is_letter(l->text[x]))
            return besd_fail(error, BESD_INVALID,
                             "map line %d, column %d: '%c' is none of . # S G D K T, a-z, 0-9",
                             l->number, x + 1, l->text[x]);
    memcpy(map->cells + map->height++ * map->width, l->text, (size_t)l->length);
    return BESD_OK;
}

besd_status grid_map_parse(const char *text, grid_map *map, besd_error *error) {
    line l = {0};
    memset(map, 0, sizeof *map);
    while (next_line(&text, &l)) {
        if (!l.length)
            continue;
        bool choice = l.length > 6 && !strncmp(l.text, "choose", 6) && is_space(l.text[6]);
        besd_status status = choice ? parse_choice(map, &l, error) : parse_row(map, &l, error);
        if (status)
            return status;
    }
    if (!map->height)
        return besd_fail(error, BESD_INVALID, "map: it has no rows");
    turn_upside_down(map);
    return check_map(map, error);
}

int64_t grid_map_layouts(const grid_map *map) {
    int64_t count = 1;
    for (int k = 0; k < map->choice_count; k++)
        count *= map->choices[k].count;
    return count;
}

void grid_map_layout(const grid_map *map, int64_t index, char *cells) {
    const char *drawn[GRID_MAX_CHOICES];
    for (int k = 0; k < map->choice_count; k++) {
        drawn[k] = map->choices[k].alternatives[index % map->choices[k].count];
        index /= map->choices[k].count;
    }
    for (int i = 0; i < map->width * map->height; i++) {
        cells[i] = map->cells[i];
        if (!is_letter(cells[i]))
            continue;
        char letter = cells[i];
        cells[i] = GRID_FREE;
        for (int k = 0; k < map->choice_count; k++)
            if (strchr(drawn[k], letter))
                cells[i] = map->choices[k].becomes;
    }
}

int64_t grid_map_draw(const grid_map *map, rng *stream) {
    int64_t index = 0, weight = 1;
    for (int k = 0; k < map->choice_count; k++) {
        index += weight * (int64_t)rng_below(stream, (uint64_t)map->choices[k].count);
        weight *= map->choices[k].count;
    }
    return index;
}
