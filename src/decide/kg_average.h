/* The knowledge gradient averaged over draws of the hyperparameters: nu = mean of nu_s. So a draw
 * that allows cliffs shows value where a smooth draw shows none. With one draw it is the nu of that
 * draw. */
#ifndef BESD_DECIDE_KG_AVERAGE_H
#define BESD_DECIDE_KG_AVERAGE_H

#include "decide/kg.h"
#include "model/mixture.h"

typedef struct kg_average {
    size_t count;
    kg *of[DRAWS_MOST];
    kg_levers levers;
    const double *targets;
    size_t target_count, dimension;
    size_t evaluated; /* candidates whose exact value was computed */
} kg_average;

/* As kg_create, for every model of the mixture, which are borrowed like the targets. */
besd_status kg_average_init(kg_average *a, const mixture *m, const kg_levers *levers,
                            const double *targets, size_t count, besd_error *error);
void kg_average_free(kg_average *a);

/* As those of kg.h. */
void kg_average_evaluate(kg_average *a, const double *theta, double *log_kg);
besd_status kg_average_search(kg_average *a, kg_choice *choices, size_t wanted, size_t *found,
                              besd_error *error);

/* With one draw as kg_refine. With several it does nothing: to climb the average leads to places
 * that a single draw overrates. On the develop half of the suite three of eight runs of the problem
 * `big` were lost by climbing, and none without. */
besd_status kg_average_refine(kg_average *a, kg_choice *choice, besd_error *error);

/* The score of the best target as a candidate, all of them evaluated exactly: seconds. */
double kg_average_best_score(kg_average *a);

/* The number of targets that can become the recommendation under a draw, the largest of all draws.
 */
size_t kg_average_kept(const kg_average *a);

#endif
