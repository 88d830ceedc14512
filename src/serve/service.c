#include "serve/service.h"

#include "serve/route.h"
#include "study/study.h"

static served_use use_of(route_work work) {
    return work == WORK_WRITE ? SERVED_WRITE : work == WORK_ASK ? SERVED_ASK : SERVED_READ;
}

/* True: a kept handle said BESD_IO, so a new one is worth a try. */
static bool answer_once(call *c, reply *r, handler *handle) {
    besd_error error = {0};
    bool fresh;
    served_use use = use_of(c->route->work);
    if (served_borrow(c->served, use, &c->study, &fresh, &error) != BESD_OK) {
        reply_error(c, r, &error);
        return false;
    }
    handle(c, r);
    served_return(c->served, use, c->study, r->status);
    c->study = NULL;
    return r->status == BESD_IO && !fresh;
}

void service_answer(call *c, reply *r) {
    if (c->route->work == WORK_AT_ONCE || c->route->work == WORK_FOLDER) {
        c->route->handle(c, r);
        return;
    }
    c->served = studies_find(&c->service->studies, c->name);
    if (!c->served)
        reply_refuse(r, 404, "unknown", "there is no study '%s'; GET /v1/studies lists them",
                     c->name);
    else if (answer_once(c, r, c->route->handle)) {
        reply_clear(r);
        answer_once(c, r, c->route->handle);
    }
}

void service_go_on(call *c, reply *r) {
    answer_once(c, r, handle_more_trials);
}

/* False: nothing was written, and each call has to be tried on its own. */
static bool answer_gathered(call *const *calls, reply *replies, size_t count, besd_study *study) {
    besd_error ignored;
    bool works = study_gather(study, &ignored) == BESD_OK;
    if (!works)
        return false;
    for (size_t i = 0; works && i < count; i++) {
        calls[i]->study = study;
        calls[i]->route->handle(calls[i], &replies[i]);
        calls[i]->study = NULL;
        works = replies[i].status != BESD_IO;
    }
    if (works)
        return study_settle(study, &ignored) == BESD_OK;
    study_scatter(study);
    return false;
}

void service_answer_together(call *const *calls, reply *replies, size_t count) {
    besd_error ignored;
    besd_study *study;
    bool fresh, works = false;
    served *one = count > 1 ? studies_find(&calls[0]->service->studies, calls[0]->name) : NULL;
    for (size_t i = 0; one && i < count; i++)
        calls[i]->served = one;
    if (one && served_borrow(one, SERVED_WRITE, &study, &fresh, &ignored) == BESD_OK) {
        works = answer_gathered(calls, replies, count, study);
        served_return(one, SERVED_WRITE, study, works ? BESD_OK : BESD_IO);
    }
    for (size_t i = 0; !works && i < count; i++) {
        reply_clear(&replies[i]);
        service_answer(calls[i], &replies[i]);
    }
}
