/* What was recommended when so many trials were told: recommendations that somebody asked for since
 * the server started. They are not in the file, because looking at a study must not change it. */
#ifndef BESD_SERVE_MEMORY_H
#define BESD_SERVE_MEMORY_H

#include "besd/besd.h"

enum { MEMORY_MOST = 256 };

typedef struct remembered {
    int64_t trials; /* told by then */
    double value, low, high;
} remembered;

/* By trials, increasing; all zero: nothing is remembered. Whoever holds it guards it. */
typedef struct recommendations {
    size_t count;
    remembered of[MEMORY_MOST];
} recommendations;

/* The newest of one number of trials counts; when there is no room every second one is forgotten.
 */
void memory_keep(recommendations *m, const besd_recommendation *r);

/* NULL: nobody asked then. */
const remembered *memory_at(const recommendations *m, int64_t trials);

#endif
