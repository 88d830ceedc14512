/* The few largest of many values, best first, earlier first among equals: where a climb begins. */
#ifndef BESD_DECIDE_BEST_FEW_H
#define BESD_DECIDE_BEST_FEW_H

#include <stddef.h>

enum { BEST_FEW_MOST = 8 };

typedef struct best_few {
    size_t wanted, found; /* wanted: 1 to BEST_FEW_MOST */
    size_t place[BEST_FEW_MOST];
    double value[BEST_FEW_MOST];
} best_few;

static inline void best_few_offer(best_few *b, size_t place, double value) {
    if (b->found == b->wanted && !(value > b->value[b->found - 1]))
        return;
    size_t at = b->found < b->wanted ? b->found++ : b->wanted - 1;
    for (; at > 0 && b->value[at - 1] < value; at--) {
        b->value[at] = b->value[at - 1];
        b->place[at] = b->place[at - 1];
    }
    b->value[at] = value;
    b->place[at] = place;
}

#endif
