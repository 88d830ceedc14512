/* Which task the next trial is of, in a study with tasks: the one that the caller has named; else
 * the tasks take turns, while there is nothing to compare them by, and the knowledge gradient
 * compares them afterwards. Choosers that look at one task alone are given that task's own trials
 * (evidence_of_task), and a model that speaks of it. */
#include "study/choose.h"

#include "study/task_list.h"

#include <math.h>

int64_t task_in_turn(const turn *t, size_t number) {
    return t->task ? *t->task : (int64_t)(number % t->spec->tasks.own);
}

/* The task with the least spent on confirming for its weight. */
int64_t task_to_confirm(const turn *t) {
    double spent[TASKS_MOST] = {0}, least = INFINITY;
    int64_t chosen = 0;
    const evidence *e = t->evidence;
    for (size_t i = 0; i < e->count; i++) {
        const besd_trial *trial = &e->trials[i].trial;
        if (trial->task >= 0 && evidence_confirms(e, trial))
            spent[trial->task] += trial->cost;
    }
    for (size_t c = 0; c < t->spec->tasks.own; c++) {
        double weight = t->spec->tasks.weight[c];
        if (weight > 0 && spent[c] / weight < least) {
            least = spent[c] / weight;
            chosen = (int64_t)c;
        }
    }
    return t->task ? *t->task : chosen;
}

besd_status turn_of_task(const turn *t, int64_t task, evidence *share, turn *own,
                         besd_error *error) {
    besd_status status = evidence_of_task(t->evidence, t->spec, task, share, error);
    if (status != BESD_OK)
        return status;
    *own = *t;
    own->evidence = share;
    own->all = t->evidence;
    own->trial->task = task;
    mixture_set_task(own->model, (int)task);
    return BESD_OK;
}
