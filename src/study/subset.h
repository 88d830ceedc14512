/* What the model of a large study looks at. A model of n rows takes n^2 of memory and n^3 of time,
 * so above SUBSET_ROWS told rows it looks at as many of them and no more. Smaller studies are left
 * alone, bit for bit. The rule, in this order:
 *
 *   1. Equal rows. Where replications are independent of each other (instances: fresh, with the
 *      averaged model), told rows of the same task, theta and tau become one row. That is exact:
 * number, mean and sum of squares say all that independent scores say of f and of their noise.
 * Where replications share an instance it would not be, because the noise of every trial has a part
 *      that its replications share; then the newest SUBSET_ALIKE of equal rows stay.
 *   2. The best, and what is near them: half of the places. A k-d tree cuts the unit cube into
 *      cells, until none has more than an eighth (SUBSET_CELLS) of the rows that stay. A row's
 * merit is its mean in standard deviations above the average of its tau, and a cell's merit is the
 *      average of its rows. The best cells stay as a whole, lucky rows beside unlucky ones: a
 * choice by single outcomes would leave a model of luck, which expects too much of every place that
 *      was tried often.
 *   3. The spread: the other half. Every so many-th of the other rows in the order of the tree,
 *      which goes from neighbour to neighbour, whatever their outcomes.
 *
 * The newest SUBSET_PENDING of the pending rows stay. The rule has no random numbers, so the same
 * trials always give the same rows. It takes n log^2 n operations.
 *
 * Measured on 24 studies of 5000 noisy trials of a known hill, with 500 rows (test_subset.c): what
 * is recommended is worse than the best by 0.0013, and by 0.0022 with 500 rows that are evenly
 * spread alone. The model promises 1.9 of its standard deviations too much there. With cells of a
 * 64th of the rows, which are chosen by luck, that is 6.7; with cells of a quarter a part of the
 * hill is left out. */
#ifndef BESD_STUDY_SUBSET_H
#define BESD_STUDY_SUBSET_H

#include "model/observations.h"

#include <stdbool.h>

enum { SUBSET_ROWS = 2000, SUBSET_ALIKE = 16, SUBSET_CELLS = 8, SUBSET_PENDING = 500 };

/* How rows are chosen. */
typedef struct subset_rule {
    size_t rows, pending; /* the most of each that stay */
    bool independent;     /* are the replications? */
} subset_rule;

/* Reduces observations, *told told ones and then pending ones, in place. Sets `looked_at` [*told]:
 * the told ones that count for whoever goes over trials instead of rows, at most rule->rows of
 * them, and *told to the told rows that are left. */
besd_status subset_take(observations *o, size_t *told, const subset_rule *rule, bool *looked_at,
                        besd_error *error);

#endif
