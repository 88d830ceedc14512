#include "contest/desk.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* A report is this, and after it the trials. */
typedef struct report {
    int64_t job;
    besd_status status;
    job_result result; /* its pointer means nothing elsewhere */
    besd_error error;
} report;

/* Memory without which the exchange cannot go on: a rank that ends takes the job with it. */
static void *need(size_t size) {
    void *memory = malloc(size + 1);
    if (!memory)
        abort();
    return memory;
}

static void deliver(const desk *d, const rank_message *m) {
    report r;
    memcpy(&r, m->bytes, sizeof r);
    size_t size = r.result.trial_count * sizeof *r.result.trials;
    r.result.trials = need(size);
    memcpy(r.result.trials, m->bytes + sizeof r, size);
    if (r.job >= 0)
        d->deliver(d->context, r.job, r.status, &r.result, &r.error);
    free(r.result.trials);
}

bool desk_attend(const desk *d, int *dismissed) {
    rank_message m;
    if (!ranks_receive(&m))
        return false;
    deliver(d, &m);
    free(m.bytes);
    int64_t next = d->take(d->context);
    ranks_send(m.from, &next, sizeof next);
    *dismissed += next < 0;
    return true;
}

int64_t desk_exchange(int64_t job, besd_status status, const job_result *result,
                      const besd_error *error) {
    report r = {.job = job, .status = status};
    if (job >= 0 && status == BESD_OK)
        r.result = *result;
    if (job >= 0 && status != BESD_OK)
        r.error = *error;
    size_t size = r.result.trial_count * sizeof *r.result.trials;
    char *bytes = need(sizeof r + size);
    memcpy(bytes, &r, sizeof r);
    if (size)
        memcpy(bytes + sizeof r, r.result.trials, size);
    ranks_send(0, bytes, sizeof r + size);
    free(bytes);
    rank_message answer;
    int64_t next;
    ranks_await(&answer);
    memcpy(&next, answer.bytes, sizeof next);
    free(answer.bytes);
    return next;
}
