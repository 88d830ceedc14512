/* The rows are never moved before the end. All steps work on `order`, a list of row numbers: sorted
 * by place to find equal rows, then cut into the cells of the tree, which are pieces of it. */
#include "study/subset.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row and what it is sorted by. */
typedef struct ranked {
    double key;
    size_t row;
} ranked;

typedef struct cell {
    double merit;
    size_t first, count; /* in the order */
} cell;

typedef struct chooser {
    observations *o;
    const subset_rule *rule;
    size_t told;
    ranked *order; /* the rows that are still there */
    size_t count;
    double *merit; /* of every told row */
    cell *cells;
    size_t cell_count;
    bool *stays;    /* of every row */
    size_t *joined; /* with which row every told row became one: itself, as a rule */
    void *memory;
} chooser;

static int by_key(const void *x, const void *y) {
    const ranked *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static int by_merit(const void *x, const void *y) {
    const cell *a = x, *b = y;
    if (a->merit != b->merit)
        return a->merit > b->merit ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static const double *place(const chooser *c, size_t row) {
    return c->o->theta + row * c->o->dimension;
}

static bool are_equal(const chooser *c, size_t row, size_t other) {
    return c->o->level[row] == c->o->level[other] && c->o->task[row] == c->o->task[other] &&
           !memcmp(place(c, row), place(c, other), c->o->dimension * sizeof(double));
}

/* Equal rows have the same key. Rows that differ may have it as well, so equality is looked up. */
static double fingerprint(const chooser *c, size_t row) {
    uint64_t hash = hash_bytes(HASH_START, place(c, row), c->o->dimension * sizeof(double));
    hash = hash_bytes(hash, &c->o->level[row], sizeof *c->o->level);
    if (c->o->tasks)
        hash = hash_bytes(hash, &c->o->task[row], sizeof *c->o->task);
    return (double)(hash >> 12);
}

/* Pools the scores of two rows: number, mean, and sum of squares about the mean. */
static void pool(observations *o, size_t into, size_t row) {
    double n = o->reps[into], m = o->reps[row], apart = o->mean[row] - o->mean[into];
    o->within[into] += o->within[row] + apart * apart * n * m / (n + m);
    o->mean[into] += apart * m / (n + m);
    o->reps[into] = n + m;
}

/* Settles the rows of one fingerprint, oldest first in the order. */
static void settle_equals(chooser *c, size_t first, size_t last) {
    for (size_t i = first; i < last; i++) {
        size_t row = c->order[i].row, newer = 0;
        if (!c->stays[row])
            continue;
        for (size_t k = i + 1; k < last; k++) {
            size_t other = c->order[k].row;
            if (!c->stays[other] || !are_equal(c, row, other))
                continue;
            newer++;
            if (c->rule->independent) {
                pool(c->o, row, other);
                c->joined[other] = row;
                c->stays[other] = false;
            } else if (newer == SUBSET_ALIKE) {
                c->stays[row] = false;
                break;
            }
        }
    }
}

/* Step 1. */
static void join_equals(chooser *c) {
    for (size_t row = 0; row < c->told; row++)
        c->order[row] = (ranked){fingerprint(c, row), row};
    qsort(c->order, c->told, sizeof *c->order, by_key);
    for (size_t first = 0, last; first < c->told; first = last) {
        for (last = first + 1; last < c->told && c->order[last].key == c->order[first].key;)
            last++;
        settle_equals(c, first, last);
    }
    c->count = 0;
    for (size_t row = 0; row < c->told; row++)
        if (c->stays[row])
            c->order[c->count++] = (ranked){0, row};
}

/* Merits, by the mean and the standard deviation of the rows of each tau. */
static void judge_rows(chooser *c) {
    const observations *o = c->o;
    enum { LEVELS = 64 };
    double count[LEVELS] = {0}, mean[LEVELS] = {0}, squares[LEVELS] = {0};
    for (size_t i = 0; i < c->count; i++) {
        size_t row = c->order[i].row;
        int level = o->level[row] % LEVELS;
        double away = o->mean[row] - mean[level];
        mean[level] += away / ++count[level];
        squares[level] += away * (o->mean[row] - mean[level]);
    }
    for (size_t i = 0; i < c->count; i++) {
        size_t row = c->order[i].row;
        int level = o->level[row] % LEVELS;
        double sd = sqrt(squares[level] / count[level]);
        c->merit[row] = sd > 0 ? (o->mean[row] - mean[level]) / sd : 0;
    }
}

static void add_cell(chooser *c, size_t first, size_t count) {
    double sum = 0, weights = 0;
    for (size_t i = first; i < first + count; i++) {
        size_t row = c->order[i].row;
        sum += c->o->reps[row] * c->merit[row];
        weights += c->o->reps[row];
    }
    c->cells[c->cell_count++] = (cell){sum / weights, first, count};
}

/* The coordinate along which these rows reach farthest. */
static size_t longest_side(const chooser *c, size_t first, size_t count) {
    size_t longest = 0;
    double most = -1;
    for (size_t k = 0; k < c->o->dimension; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = first; i < first + count; i++) {
            double x = place(c, c->order[i].row)[k];
            low = fmin(low, x);
            high = fmax(high, x);
        }
        if (high - low > most) {
            most = high - low;
            longest = k;
        }
    }
    return longest;
}

/* Halves until the pieces are cells. Rows at one place are told apart by their numbers, so halves
 * are halves. */
static void cut(chooser *c, size_t first, size_t count) {
    if (count <= c->rule->rows / SUBSET_CELLS) {
        add_cell(c, first, count);
        return;
    }
    size_t side = longest_side(c, first, count);
    for (size_t i = first; i < first + count; i++)
        c->order[i].key = place(c, c->order[i].row)[side];
    qsort(c->order + first, count, sizeof *c->order, by_key);
    cut(c, first, count / 2);
    cut(c, first + count / 2, count - count / 2);
}

/* Step 2; returns how many stay. */
static size_t keep_best(chooser *c, size_t most) {
    size_t kept = 0;
    qsort(c->cells, c->cell_count, sizeof *c->cells, by_merit);
    for (size_t k = 0; k < c->cell_count && kept + c->cells[k].count <= most; k++) {
        const cell *one = &c->cells[k];
        for (size_t i = one->first; i < one->first + one->count; i++)
            c->stays[c->order[i].row] = true;
        kept += one->count;
    }
    return kept;
}

/* Step 3: `wanted` of the `rest` others. */
static void keep_spread(chooser *c, size_t rest, size_t wanted) {
    for (size_t i = 0, passed = 0; i < c->count; i++) {
        size_t row = c->order[i].row;
        if (c->stays[row])
            continue;
        c->stays[row] = passed * wanted / rest != (passed + 1) * wanted / rest;
        passed++;
    }
}

static void choose(chooser *c) {
    size_t most = c->rule->rows;
    judge_rows(c);
    cut(c, 0, c->count);
    for (size_t i = 0; i < c->count; i++)
        c->stays[c->order[i].row] = false;
    size_t kept = keep_best(c, most / 2);
    keep_spread(c, c->count - kept, most - kept);
}

static void move(observations *o, size_t from, size_t to) {
    size_t d = o->dimension;
    memmove(o->theta + to * d, o->theta + from * d, d * sizeof *o->theta);
    o->share[to] = o->share[from];
    o->level[to] = o->level[from];
    o->reps[to] = o->reps[from];
    o->mean[to] = o->mean[from];
    o->within[to] = o->within[from];
    o->task[to] = o->task[from];
}

/* Leaves the rows that stay. */
static void close_ranks(chooser *c, size_t *told) {
    size_t kept = 0, rows = 0;
    for (size_t row = 0; row < c->o->count; row++) {
        if (!c->stays[row])
            continue;
        move(c->o, row, kept++);
        rows += row < c->told;
    }
    c->o->count = kept;
    *told = rows;
}

/* What counts for whoever goes over trials: those of rows that stay, and at most as many as rows,
 * evenly spread, because a joined row may be of many trials. */
static void choose_looks(const chooser *c, bool *looked_at) {
    size_t all = 0, most = c->rule->rows;
    for (size_t row = 0; row < c->told; row++) {
        looked_at[row] = c->stays[c->joined[row]];
        all += looked_at[row];
    }
    for (size_t row = 0, passed = 0; all > most && row < c->told; row++)
        if (looked_at[row]) {
            looked_at[row] = passed * most / all != (passed + 1) * most / all;
            passed++;
        }
}

static bool begin(chooser *c) {
    size_t told = c->told, rows = c->o->count;
    const memory_array arrays[] = {{&c->order, told * sizeof *c->order},
                                   {&c->merit, told * sizeof *c->merit},
                                   {&c->cells, told * sizeof *c->cells},
                                   {&c->stays, rows * sizeof *c->stays},
                                   {&c->joined, told * sizeof *c->joined}};
    c->memory = memory_allocate(arrays, sizeof arrays / sizeof *arrays);
    for (size_t row = 0; c->memory && row < told; row++) {
        c->joined[row] = row;
        c->stays[row] = true;
    }
    for (size_t row = told; c->memory && row < rows; row++)
        c->stays[row] = rows - row <= c->rule->pending;
    return c->memory != NULL;
}

besd_status subset_take(observations *o, size_t *told, const subset_rule *rule, bool *looked_at,
                        besd_error *error) {
    chooser c = {.o = o, .rule = rule, .told = *told};
    for (size_t row = 0; row < *told; row++)
        looked_at[row] = true;
    if (o->count <= rule->rows)
        return BESD_OK;
    if (!begin(&c))
        return besd_fail_memory(error, "the rows of the model");
    if (c.told > rule->rows)
        join_equals(&c);
    if (c.count > rule->rows)
        choose(&c);
    choose_looks(&c, looked_at);
    close_ranks(&c, told);
    free(c.memory);
    return BESD_OK;
}
