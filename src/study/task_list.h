/* The tasks of a study as they were declared (besd/besd.h), and trials of one task apart from the
 * others. */
#ifndef BESD_STUDY_TASK_LIST_H
#define BESD_STUDY_TASK_LIST_H

#include "study/evidence.h"

/* A copy of a declaration; `tasks` points into the arrays. */
typedef struct task_list {
    besd_tasks tasks;
    char name_text[BESD_MAX_TASKS][BESD_MAX_NAME];
    char feature_text[BESD_MAX_FEATURES][BESD_MAX_NAME],
        unit_text[BESD_MAX_FEATURES][BESD_MAX_NAME];
    const char *names[BESD_MAX_TASKS], *feature_names[BESD_MAX_FEATURES],
        *feature_units[BESD_MAX_FEATURES];
    double weights[BESD_MAX_TASKS], features[BESD_MAX_TASKS * BESD_MAX_FEATURES];
} task_list;

/* Checks and copies; weights become shares of 1. */
besd_status task_list_init(task_list *list, const besd_tasks *tasks, besd_error *error);

/* The name of a member in which two lists differ; NULL: they are the same. */
const char *task_list_difference(const task_list *a, const task_list *b);

/* To JSON for the file and back; the caller frees the text. */
besd_status task_list_write(const task_list *list, char **text, besd_error *error);
besd_status task_list_read(const char *text, task_list *list, besd_error *error);

/* The tasks as models want them: features between 0 and 1. */
void task_list_describe(const task_list *list, task_set *set);

/* The number of the task of this name. */
besd_status task_list_find(const task_list *list, const char *name, int64_t *task,
                           besd_error *error);

/* What is known of one task: its trials as they are, and those of the others as if they had failed.
 * So costs and counts of all trials stay, and only the task's own scores teach. */
besd_status evidence_of_task(const evidence *all, const study_spec *spec, int64_t task,
                             evidence *own, besd_error *error);

#endif
