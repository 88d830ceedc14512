/* How long agents have to train in a sketch, and with how many subgoals. Agents are trained in it
 * for longer and longer, without subgoals and with some that lie along the way from the start to
 * the goal, until the best of these designs are learnt. Shorter trainings teach nothing about
 * designs, longer ones cost more and make all designs alike. */
#ifndef BESD_SKETCH_SCHOOLING_H
#define BESD_SKETCH_SCHOOLING_H

#include "world/domain.h"

enum { SCHOOLING_MOST_SUBGOALS = 4 };

typedef struct schooling {
    bool learnt;     /* were the best designs learnt at all? */
    int64_t tau;     /* the longest training of a study */
    double way;      /* moves of the shortest way, the mean over instances */
    double plain;    /* share of agents without subgoals that find the goal after tau */
    double best;     /* the same of the best design */
    int64_t longest; /* training that was tried */
    double share[SCHOOLING_MOST_SUBGOALS + 1]; /* of the best design with so many subgoals */
    double steps[SCHOOLING_MOST_SUBGOALS + 1]; /* to the goal, on average; 0 subgoals: plain */
    int suggested;                             /* as many subgoals as pay */
} schooling;

/* Sets cap, tau and subgoals of a grid domain whose map, moves and wind are set. Subgoals are as
 * many as the domain has, or 0: to be found. The same domain gets the same answer. BESD_UNREACHABLE
 * where no way leads to the goal. */
besd_status schooling_find(domain *d, schooling *s, besd_error *error);

#endif
