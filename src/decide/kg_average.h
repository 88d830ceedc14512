/* The knowledge gradient averaged over draws of the hyperparameters: nu = mean of nu_s. So a draw
 * that allows cliffs shows value where a smooth draw shows none. With one draw it is the nu of that
 * draw. With several tasks nu is also the weighted sum over tasks (kg.h, point 6). */
#ifndef BESD_DECIDE_KG_AVERAGE_H
#define BESD_DECIDE_KG_AVERAGE_H

#include "decide/kg.h"
#include "model/mixture.h"

/* Every draw and task has tables of three numbers for every target and observation. So with many
 * tasks fewer draws are looked at, about this many tables in all. */
enum { KG_MOST_PARTS = 24 };

/* Trials of at most this many tasks are looked at for one choice. */
enum { KG_MOST_FACED = 4 };

typedef struct kg_average {
    size_t count; /* draws times tasks */
    size_t draws, tasks;
    kg *of[DRAWS_MOST * TASKS_MOST]; /* [draw][task of the targets] */
    double log_weight[TASKS_MOST];
    kg_levers levers;
    const double *targets;
    size_t target_count, dimension;
    size_t evaluated; /* candidates whose exact value was computed */
} kg_average;

/* As kg_create, for every model of the mixture, which are borrowed like the targets. */
besd_status kg_average_init(kg_average *a, const mixture *m, const kg_levers *levers,
                            const double *targets, size_t count, besd_error *error);
void kg_average_free(kg_average *a);

/* Candidates are trials of this task from now on; at first of task 0. */
void kg_average_face(kg_average *a, size_t task);

/* As those of kg.h. The search looks at trials of one task, or of KG_MOST_FACED tasks from `first`
 * on, and says in the choices which. */
void kg_average_evaluate(kg_average *a, const double *theta, double *log_kg);
besd_status kg_average_search(kg_average *a, kg_choice *choices, size_t wanted, size_t *found,
                              besd_error *error);
besd_status kg_average_search_tasks(kg_average *a, size_t first, size_t faced, kg_choice *choices,
                                    size_t wanted, size_t *found, besd_error *error);

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
