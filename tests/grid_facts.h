/* The grid domains written down a second time, from the facts and not from the sources: cells as
 * characters, moves as a plain function. The tests compare everything with this. */
#ifndef BESD_TESTS_GRID_FACTS_H
#define BESD_TESTS_GRID_FACTS_H

#include <stdbool.h>
#include <string.h>

enum { FACTS_SIDE = 20, FACTS_WORLDS = 18 };

typedef struct facts_world {
    int side;
    bool has_key, has_treasure;
    double goal_reward, treasure_reward;
    char cell[FACTS_SIDE][FACTS_SIDE]; /* [y][x]: . # S G D K T ^ > V < */
} facts_world;

typedef struct facts_place {
    int x, y;
    bool key, treasure;
} facts_place;

typedef struct facts_move {
    facts_place to;
    double reward;
    bool terminated;
} facts_move;

static inline void facts_fill(facts_world *w, int x0, int x1, int y0, int y1, char kind) {
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++)
            w->cell[y][x] = kind;
}

static inline facts_world facts_empty(int side, double goal_reward) {
    facts_world w = {.side = side, .goal_reward = goal_reward};
    facts_fill(&w, 0, side - 1, 0, side - 1, '.');
    w.cell[0][0] = 'S';
    return w;
}

static inline void facts_goal_left(facts_world *w) {
    w->cell[8][0] = w->cell[9][0] = w->cell[9][1] = 'G';
}

static inline void facts_goal_right(facts_world *w) {
    int last = w->side - 1;
    w->cell[last - 1][last] = w->cell[last][last - 1] = w->cell[last][last] = 'G';
}

static inline facts_world facts_gw10(int row) {
    facts_world w = facts_empty(10, 1);
    facts_goal_left(&w);
    facts_fill(&w, 0, 5, row, row, '#');
    return w;
}

static inline facts_world facts_gw20(int first_row, int first_door, int second_row) {
    facts_world w = facts_empty(20, 1);
    facts_goal_right(&w);
    facts_fill(&w, 0, 19, first_row, first_row, '#');
    facts_fill(&w, first_door, first_door + 7, first_row, first_row, '.');
    facts_fill(&w, 0, 19, second_row, second_row, '#');
    facts_fill(&w, 8, 15, second_row, second_row, '.');
    return w;
}

static inline facts_world facts_tr(int treasure_x, int treasure_y) {
    facts_world w = facts_empty(10, 10);
    facts_goal_right(&w);
    w.has_treasure = true;
    w.treasure_reward = 10;
    facts_fill(&w, 4, 4, 2, 4, '#');
    facts_fill(&w, 5, 7, 4, 4, '#');
    facts_fill(&w, 0, 6, 7, 7, '#');
    w.cell[treasure_y][treasure_x] = 'T';
    return w;
}

static inline facts_world facts_key(int key_x) {
    facts_world w = facts_empty(10, 1);
    facts_goal_left(&w);
    w.has_key = true;
    facts_fill(&w, 0, 5, 4, 4, '#');
    facts_fill(&w, 6, 9, 4, 4, 'D');
    facts_fill(&w, key_x, key_x + 1, 2, 3, 'K');
    return w;
}

/* All instances of a domain but for the wind; returns their number. */
static inline int facts_worlds(const char *domain, facts_world worlds[FACTS_WORLDS]) {
    int count = 0;
    if (!strcmp(domain, "gw10"))
        for (int row = 2; row <= 6; row++)
            worlds[count++] = facts_gw10(row);
    if (!strcmp(domain, "gw20"))
        for (int first = 5; first <= 9; first += 2)
            for (int door = 8; door <= 12; door += 4)
                for (int second = 12; second <= 16; second += 2)
                    worlds[count++] = facts_gw20(first, door, second);
    if (!strcmp(domain, "tr"))
        for (int x = 7; x <= 9; x++)
            for (int y = 0; y <= 2; y++)
                worlds[count++] = facts_tr(x, y);
    if (!strcmp(domain, "key2") || !strcmp(domain, "key3"))
        for (int x = 0; x <= 8; x += 8)
            worlds[count++] = facts_key(x);
    return count;
}

/* 0 up, 1 right, 2 down, 3 left. Border, wall, closed door and arrows of other directions leave the
 * agent where it is. */
static inline facts_move facts_step(const facts_world *w, facts_place p, int action) {
    facts_place to = p;
    if (action == 0)
        to.y = p.y + 1;
    else if (action == 1)
        to.x = p.x + 1;
    else if (action == 2)
        to.y = p.y - 1;
    else
        to.x = p.x - 1;
    if (to.x < 0 || to.y < 0 || to.x == w->side || to.y == w->side)
        return (facts_move){.to = p};
    char kind = w->cell[to.y][to.x];
    if (kind == '#' || (kind == 'D' && !p.key))
        return (facts_move){.to = p};
    if ((kind == '^' && to.y != p.y + 1) || (kind == 'V' && to.y != p.y - 1) ||
        (kind == '>' && to.x != p.x + 1) || (kind == '<' && to.x != p.x - 1))
        return (facts_move){.to = p};
    double reward = kind == 'G' ? w->goal_reward : 0;
    if (kind == 'T' && !p.treasure) {
        reward = w->treasure_reward;
        to.treasure = true;
    }
    if (kind == 'K')
        to.key = true;
    return (facts_move){.to = to, .reward = reward, .terminated = kind == 'G'};
}

/* The number of a state: the cell, then the key, then the treasure, where there are such. */
static inline int facts_state(const facts_world *w, facts_place p) {
    int cells = w->side * w->side, sets = w->has_key ? 2 : 1;
    return p.x + w->side * p.y + cells * (p.key ? 1 : 0) + cells * sets * (p.treasure ? 1 : 0);
}

static inline int facts_states(const facts_world *w) {
    return w->side * w->side * (w->has_key ? 2 : 1) * (w->has_treasure ? 2 : 1);
}

#endif
