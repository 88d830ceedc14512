/* What rank 0 and the other ranks say to each other when they share the trials of a study. Texts
 * stand behind the struct. */
#ifndef BESD_CLUSTER_RANKS_MESSAGES_H
#define BESD_CLUSTER_RANKS_MESSAGES_H

#include "run/command.h"

/* Of rank 0. */
typedef struct worker_order {
    enum { ORDER_ALIVE, ORDER_TRAIN, ORDER_AFRESH, ORDER_HOME } kind;
    bool incomplete; /* ORDER_HOME: some ranks are lost */
    int64_t trial;
    double timeout;
    size_t command, folder, request; /* sizes of the texts behind it, with their ends; 0: none */
} worker_order;

/* Of another. */
typedef struct worker_report {
    enum { REPORT_ALIVE, REPORT_ENDED, REPORT_LEAVING } kind;
    size_t places;
    int64_t trial;
    command_end end; /* REPORT_ENDED; its output stands behind it */
} worker_report;

/* Seconds: how often each says that it is there; how long rank 0 waits for a rank that does not,
 * and a rank for rank 0, which may be thinking; between looks for messages. */
static const double WORKER_BEAT = 0.5, WORKER_PATIENCE = 5, MASTER_PATIENCE = 600,
                    WORKER_LOOK = 0.003;

#endif
