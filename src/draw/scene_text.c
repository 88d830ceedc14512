/* Scenes for a terminal. A character cell is about twice as high as wide, so a grid cell takes two
 * characters and looks square. The two are filled in the order of importance: subgoals, what
 * stands in the cell, the way taken. So "12" are two subgoals in one cell, "1█" one in a wall and
 * "S↑" a start that was left upwards.
 *
 * The mountain is a silhouette of eighth blocks. The strip below it has the same x axis and time
 * running downwards, in Braille dots, 2 x 4 to a character.
 */
#include "draw/scene.h"

#include <stdint.h>

typedef struct mark {
    const char *symbol, *style; /* style: the parameters of an ANSI escape, "" for plain */
} mark;

typedef struct look {
    char kind; /* a grid_cell */
    mark mark;
    const char *name;
} look;

static const look looks[] = {
    {GRID_START, {"S", "1;34"}, "start"},
    {GRID_GOAL, {"G", "1;31"}, "goal"},
    {GRID_WALL, {"█", "90"}, "wall"},
    {GRID_DOOR, {"▒", "33"}, "closed door"},
    {GRID_KEY, {"K", "1;93"}, "key"},
    {GRID_TREASURE, {"T", "1;92"}, "treasure"},
    {GRID_UP, {"^", "1;33"}, "entered upwards only"},
    {GRID_RIGHT, {">", "1;33"}, "entered to the right only"},
    {GRID_DOWN, {"V", "1;33"}, "entered downwards only"},
    {GRID_LEFT, {"<", "1;33"}, "entered to the left only"},
};

enum { LOOK_COUNT = sizeof looks / sizeof *looks };

static const mark free_mark = {"·", "2"}, more_mark = {"+", "1;35"}, end_mark = {"●", "36"};
static const mark arrow_marks[GRID_MAX_ACTIONS] = {{"↑", "36"}, {"→", "36"}, {"↓", "36"},
                                                   {"←", "36"}, {"↗", "36"}, {"↘", "36"},
                                                   {"↙", "36"}, {"↖", "36"}};
static const mark digit_marks[] = {{"1", "1;35"}, {"2", "1;35"}, {"3", "1;35"},
                                   {"4", "1;35"}, {"5", "1;35"}, {"6", "1;35"},
                                   {"7", "1;35"}, {"8", "1;35"}, {"9", "1;35"}};

enum { DIGIT_COUNT = sizeof digit_marks / sizeof *digit_marks };

typedef struct pen {
    FILE *out;
    bool colour, utf8;
} pen;

/* What stands for a symbol where there is ASCII alone. Ways are the letters of up, right, down and
 * left: ^ and > are cells that are entered in one direction only. */
static const char *ascii_of(const char *symbol) {
    static const char *const pairs[][2] = {
        {"█", "#"}, {"▒", "%"}, {"·", "."}, {"●", "o"}, {"↑", "u"}, {"→", "r"}, {"↓", "d"},
        {"←", "l"}, {"─", "-"}, {"│", "|"}, {"┌", "+"}, {"┐", "+"}, {"└", "+"}, {"┘", "+"},
        {"▁", "."}, {"▂", "."}, {"▃", ":"}, {"▄", ":"}, {"▅", ":"}, {"▆", "#"}, {"▇", "#"}};
    if (!((unsigned char)*symbol & 0x80))
        return symbol;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strcmp(symbol, pairs[i][0]))
            return pairs[i][1];
    return "*"; /* dots of Braille */
}

static void put(const pen *p, mark m) {
    const char *symbol = p->utf8 ? m.symbol : ascii_of(m.symbol);
    if (p->colour && *m.style)
        fprintf(p->out, "\033[%sm%s\033[0m", m.style, symbol);
    else
        fputs(symbol, p->out);
}

static void put_plain(const pen *p, const char *symbol) {
    put(p, (mark){symbol, ""});
}

static mark digit(int subgoal) {
    return subgoal < DIGIT_COUNT ? digit_marks[subgoal] : more_mark;
}

/* One item of a legend; each begins with the gap to the one before. */
static void put_item(const pen *p, mark m, const char *name) {
    fputs("  ", p->out);
    put(p, m);
    fprintf(p->out, " %s", name);
}

static void put_subgoal_items(const pen *p, const scene *s) {
    bool plane = s->domain->kind == DOMAIN_GRID;
    for (int k = 0; k < scene_subgoals(s); k++) {
        fputs(k ? "  " : "  subgoals ", p->out);
        put(p, digit(k));
        if (plane)
            fprintf(p->out, " (%.4g, %.4g)", s->theta[2 * k], s->theta[2 * k + 1]);
        else
            fprintf(p->out, " (%.3g)", s->theta[k]);
    }
}

/* The way as one byte a cell: 0 unvisited, 1 + direction of the last move out of it, or ENDS. */
enum { ENDS = GRID_MAX_ACTIONS + 1 };

static void trace(const scene *s, uint8_t *way) {
    int width = s->domain->map.width;
    memset(way, 0, (size_t)GRID_MAX_SIDE * GRID_MAX_SIDE);
    if (!scene_steps(s))
        return;
    for (size_t i = 0; i < scene_steps(s); i++) {
        int from = scene_cell(s, s->path + 2 * i), to = scene_cell(s, s->path + 2 * i + 2);
        if (from != to) /* a bump has no direction */
            way[from] = (uint8_t)(1 + scene_direction(from, to, width));
    }
    int last = scene_cell(s, s->path + 2 * scene_steps(s));
    way[last] = grid_cells(s->env)[last] == GRID_GOAL ? 0 : ENDS;
}

static const look *look_of(char kind) {
    for (int i = 0; i < LOOK_COUNT; i++)
        if (looks[i].kind == kind)
            return &looks[i];
    return NULL;
}

static void print_cell(const pen *p, const scene *s, int cell, uint8_t way) {
    mark marks[2] = {free_mark, {" ", ""}};
    const look *thing = look_of(grid_cells(s->env)[cell]);
    int used = 0;
    for (int k = 0; k < scene_subgoals(s); k++)
        if (scene_cell(s, s->theta + 2 * k) == cell) {
            marks[used < 2 ? used : 1] = used < 2 ? digit(k) : more_mark;
            used++;
        }
    if (thing && used < 2)
        marks[used++] = thing->mark;
    if (thing && used < 2 && (thing->kind == GRID_WALL || (thing->kind == GRID_DOOR && !way)))
        marks[used++] = thing->mark;
    if (way && used < 2)
        marks[used++] = way == ENDS ? end_mark : arrow_marks[way - 1];
    put(p, marks[0]);
    put(p, marks[1]);
}

/* Characters for the number of a row: where its cells begin, in the units of the map. */
static int margin_of(const grid_map *map) {
    return grid_map_is_plain(map) ? 3 : 7;
}

/* Numbers below the columns; wide maps have room for every fifth. */
static void print_column_numbers(const pen *p, const grid_map *map) {
    const bool plain = grid_map_is_plain(map);
    int every = plain && map->width <= 10 ? 1 : 5, printed = 0;
    fprintf(p->out, "%*s", margin_of(map) + 2, "");
    for (int x = 0; x < map->width; x += every) {
        if (x && printed >= 2 * x)
            continue;
        fprintf(p->out, "%*s", 2 * x - printed, "");
        printed = 2 * x + fprintf(p->out, "%.6g", grid_map_unit(map, 0, x));
    }
    fputc('\n', p->out);
}

static void print_frame(const pen *p, const grid_map *map, const char *left, const char *right) {
    const int width = map->width;
    fprintf(p->out, "%*s", margin_of(map) + 1, "");
    put_plain(p, left);
    for (int i = 0; i < 2 * width; i++)
        put_plain(p, "─");
    put_plain(p, right);
    fputc('\n', p->out);
}

static bool crowded(const scene *s) {
    for (int a = 0; a < scene_subgoals(s); a++) {
        int here = 0;
        for (int b = 0; b < scene_subgoals(s); b++)
            here += scene_cell(s, s->theta + 2 * a) == scene_cell(s, s->theta + 2 * b);
        if (here > 2)
            return true;
    }
    return false;
}

static void print_grid_legend(const pen *p, const scene *s, const uint8_t *way) {
    fputs("  ", p->out);
    for (int i = 0; i < LOOK_COUNT; i++)
        if (scene_has(s, looks[i].kind))
            put_item(p, looks[i].mark, looks[i].name);
    put_subgoal_items(p, s);
    if (crowded(s))
        put_item(p, more_mark, "more in this cell");
    if (scene_steps(s))
        put_item(p, arrow_marks[1], "path");
    if (memchr(way, ENDS, (size_t)GRID_MAX_SIDE * GRID_MAX_SIDE))
        put_item(p, end_mark, "its end");
    fputc('\n', p->out);
}

static void print_grid(const pen *p, const scene *s) {
    const grid_map *map = &s->domain->map;
    uint8_t way[GRID_MAX_SIDE * GRID_MAX_SIDE];
    trace(s, way);
    print_frame(p, map, "┌", "┐");
    for (int y = map->height - 1; y >= 0; y--) {
        fprintf(p->out, "%*.6g ", margin_of(map), grid_map_unit(map, 1, y));
        put_plain(p, "│");
        for (int x = 0; x < map->width; x++)
            print_cell(p, s, x + y * map->width, way[x + y * map->width]);
        put_plain(p, "│");
        fputc('\n', p->out);
    }
    print_frame(p, map, "└", "┘");
    print_column_numbers(p, map);
    print_grid_legend(p, s, way);
}

/* The mountain: GROUND rows reach from the valley to the peaks, above them is air for marks. */
enum { COLUMNS = 70, GROUND = 11, ROWS = 14, STRIP_ROWS = 10, INDENT = 6 };

static int column_of(double x, int columns) {
    double t = (x - MOUNTAIN_CAR_LEFT) / (MOUNTAIN_CAR_RIGHT - MOUNTAIN_CAR_LEFT) * columns;
    return t >= columns ? columns - 1 : t >= 0 ? (int)t : 0;
}

static void raise_ground(mark canvas[ROWS][COLUMNS]) {
    static const mark blocks[9] = {{NULL, ""},  {"▁", "90"}, {"▂", "90"}, {"▃", "90"}, {"▄", "90"},
                                   {"▅", "90"}, {"▆", "90"}, {"▇", "90"}, {"█", "90"}};
    for (int column = 0; column < COLUMNS; column++) {
        double x =
            MOUNTAIN_CAR_LEFT + (column + 0.5) * (MOUNTAIN_CAR_RIGHT - MOUNTAIN_CAR_LEFT) / COLUMNS;
        int eighths = 1 + (int)lround((8 * GROUND - 1) * (scene_height(x) + 1) / 2);
        for (int row = 0; row < ROWS; row++, eighths -= 8)
            canvas[row][column] = blocks[eighths < 0 ? 0 : eighths > 8 ? 8 : eighths];
    }
}

/* Puts a mark on the ground at x, on top of what stands there; a full column pushes it aside. */
static void stand(mark canvas[ROWS][COLUMNS], double x, mark m) {
    int column = column_of(x, COLUMNS), aside = column < COLUMNS / 2 ? 1 : -1;
    for (; column >= 0 && column < COLUMNS; column += aside)
        for (int row = 0; row < ROWS; row++)
            if (!canvas[row][column].symbol) {
                canvas[row][column] = m;
                return;
            }
}

static void print_mountain_axis(const pen *p) {
    int printed = 0;
    for (int tenths = -12; tenths <= 6; tenths += 3) {
        int column = INDENT + (tenths + 12) * COLUMNS / 18 - 2;
        fprintf(p->out, "%*s", column - printed, "");
        printed = column + fprintf(p->out, "%4.1f", tenths / 10.0);
    }
    fputc('\n', p->out);
}

/* Positions against time. Every dot row spans what was passed in its share of the steps. */
static void print_strip(const pen *p, const scene *s) {
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    uint8_t dots[STRIP_ROWS][COLUMNS] = {{0}};
    size_t length = scene_steps(s) + 1;
    size_t lines = length < 4 * STRIP_ROWS ? length : 4 * STRIP_ROWS;
    int before = column_of(s->path[0], 2 * COLUMNS);
    for (size_t i = 0; i < length; i++) {
        size_t line = i * lines / length;
        int now = column_of(s->path[i], 2 * COLUMNS);
        for (int c = before < now ? before : now; c <= (before < now ? now : before); c++)
            dots[line / 4][c / 2] |= bits[line % 4][c % 2];
        before = now;
    }
    for (size_t row = 0; 4 * row < lines; row++) {
        fprintf(p->out, "%*zu ", INDENT - 1, (4 * row * length + lines - 1) / lines);
        for (int c = 0; c < COLUMNS; c++) {
            char braille[4] = {(char)0xe2, (char)(0xa0 | dots[row][c] >> 6),
                               (char)(0x80 | (dots[row][c] & 0x3f)), 0};
            put(p, dots[row][c] ? (mark){braille, "36"} : (mark){" ", ""});
        }
        fputc('\n', p->out);
    }
}

static void print_mountain(const pen *p, const scene *s) {
    mark canvas[ROWS][COLUMNS];
    double start = mountain_car_start(s->env), goal = s->domain->value[PARAMETER_GOAL_POSITION];
    const look *start_look = look_of(GRID_START), *goal_look = look_of(GRID_GOAL);
    raise_ground(canvas);
    stand(canvas, goal, (mark){"│", goal_look->mark.style});
    stand(canvas, goal, goal_look->mark);
    stand(canvas, start, start_look->mark);
    for (int k = 0; k < scene_subgoals(s); k++)
        stand(canvas, s->theta[k], digit(k));
    for (int row = ROWS - 1; row >= 0; row--) {
        fprintf(p->out, "%*s", INDENT, "");
        for (int column = 0; column < COLUMNS; column++)
            put(p, canvas[row][column].symbol ? canvas[row][column] : (mark){" ", ""});
        fputc('\n', p->out);
    }
    print_mountain_axis(p);
    if (scene_steps(s))
        print_strip(p, s);
    fprintf(p->out, "%*s", INDENT - 2, "");
    put_item(p, start_look->mark, start_look->name);
    fprintf(p->out, " (%.3g)", start);
    put_item(p, goal_look->mark, goal_look->name);
    fprintf(p->out, " (%.3g)", goal);
    put_subgoal_items(p, s);
    if (scene_steps(s))
        fprintf(p->out, "  path, %zu steps downwards", scene_steps(s));
    fputc('\n', p->out);
}

void scene_print(FILE *out, const scene *s, bool colour, bool utf8) {
    const pen p = {out, colour, utf8};
    if (s->domain->kind == DOMAIN_GRID)
        print_grid(&p, s);
    else
        print_mountain(&p, s);
}
