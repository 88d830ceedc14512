#include "sketch/map_text.h"

#include "core/error.h"
#include "core/text.h"
#include "world/domain_yaml.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_FILE = 40000 }; /* the largest map, and its choices */

static besd_status read_file(const char *path, char **text, besd_error *error) {
    struct stat about;
    *text = NULL;
    if (stat(path, &about))
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode) || about.st_size > LARGEST_FILE)
        return besd_fail(error, BESD_INVALID, "%s: it is %s a map of characters", path,
                         S_ISREG(about.st_mode) ? "too large for" : "no file, and no");
    FILE *file = fopen(path, "rb");
    if (!file)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    *text = calloc(1, LARGEST_FILE + 1);
    size_t length = *text ? fread(*text, 1, LARGEST_FILE, file) : 0;
    fclose(file);
    if (!*text)
        return besd_fail_memory(error, "the map");
    return strlen(*text) == length
               ? BESD_OK
               : besd_fail(error, BESD_INVALID, "%s: it is not a text file", path);
}

/* Where the rows of the map are in the text. */
typedef struct row {
    char *at;
    size_t length;
} row;

enum { MOST_ROWS = LARGEST_FILE + 1 };

/* Is the line one of a map? Others are choices, scales and separators; an empty row parts maps. */
static bool is_row(const char *line, size_t length) {
    static const char *const others[] = {"choose", "cell_size", "origin"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const size_t word = strlen(others[i]);
        if (length > word && !strncmp(line, others[i], word) && strchr(" \t:", line[word]))
            return false;
    }
    const bool comment = length > 1 && *line == '#' && strchr(" \t", line[1]);
    return length > 0 && !comment && strspn(line, "-") < length;
}

static int find_rows(char *text, row *rows) {
    int count = 0;
    for (char *line = text; *line && count < MOST_ROWS;) {
        size_t length = strcspn(line, "\n");
        const bool last = !line[length];
        rows[count++] = (row){line, is_row(line, length) ? length : 0};
        line += length + !last;
    }
    return count;
}

/* Replaces the question marks that touch this one by a letter. The rows above and below are those
 * of the same map. */
static void name_place(const row *rows, int count, int y, size_t x, char letter) {
    if (y < 0 || y >= count || x >= rows[y].length || rows[y].at[x] != '?')
        return;
    size_t from = x, to = x;
    while (from > 0 && rows[y].at[from - 1] == '?')
        from--;
    while (to + 1 < rows[y].length && rows[y].at[to + 1] == '?')
        to++;
    memset(rows[y].at + from, letter, to - from + 1);
    for (size_t i = from; i <= to; i++) {
        name_place(rows, count, y - 1, i, letter);
        name_place(rows, count, y + 1, i, letter);
    }
}

/* A letter that the text does not have yet; 0: there is none. */
static char unused_letter(const char *text) {
    for (const char *l = "abcdefghijklmnopqrstuvwxyz0123456789"; *l; l++)
        if (!strchr(text, *l))
            return *l;
    return 0;
}

/* Letters of words in the text are used up as well, which leaves enough. */
static besd_status name_places(const char *path, char *text, char *lines, bool *doubtful,
                               besd_error *error) {
    row *rows = malloc(MOST_ROWS * sizeof *rows);
    int places = 0;
    if (!rows)
        return besd_fail_memory(error, "the map");
    const int count = find_rows(text, rows);
    for (int y = 0; y < count; y++)
        for (size_t x = 0; x < rows[y].length; x++) {
            if (rows[y].at[x] != '?')
                continue;
            const char letter = unused_letter(text);
            if (++places > GRID_MAX_CHOICES || !letter) {
                free(rows);
                return besd_fail(error, BESD_INVALID,
                                 "%s: expected at most %d places with question marks, which may be "
                                 "walls or not",
                                 path, GRID_MAX_CHOICES);
            }
            name_place(rows, count, y, x, letter);
            snprintf(lines + strlen(lines), 32, "choose wall: %c | -\n", letter);
        }
    free(rows);
    *doubtful = places > 0;
    return BESD_OK;
}

besd_status map_text_parse(const char *path, char *text, grid_map *map, bool *doubtful,
                           besd_error *error) {
    char lines[32 * (GRID_MAX_CHOICES + 1)] = "";
    besd_error own = {BESD_OK, ""};
    besd_status status = name_places(path, text, lines, doubtful, error);
    if (status != BESD_OK)
        return status;
    const size_t length = strlen(text), size = length + sizeof lines + 2;
    char *whole = malloc(size);
    if (!whole)
        return besd_fail_memory(error, "the map");
    snprintf(whole, size, "%s\n%s", text, lines);
    status = grid_map_parse(whole, map, &own);
    free(whole);
    return status == BESD_OK ? BESD_OK : besd_fail(error, status, "%s: %.400s", path, own.message);
}

static bool is_yaml(const char *path) {
    const size_t length = strlen(path);
    return (length > 5 && names_equal(path + length - 5, ".yaml")) ||
           (length > 4 && names_equal(path + length - 4, ".yml"));
}

besd_status map_text_read(const char *path, grid_map *map, bool *doubtful, besd_error *error) {
    char *text;
    besd_status status =
        is_yaml(path) ? domain_yaml_text(path, &text, error) : read_file(path, &text, error);
    if (status == BESD_OK)
        status = map_text_parse(path, text, map, doubtful, error);
    free(text);
    return status;
}

bool map_text_is_plain(const grid_map *map) {
    for (int i = 0; i < grid_map_cells(map); i++)
        if (map->cells[i] && strchr("DKT^>V<", map->cells[i]))
            return false;
    for (int k = 0; k < map->choice_count; k++)
        if (map->choices[k].becomes != GRID_WALL)
            return false;
    return true;
}
