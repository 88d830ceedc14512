#include "serve/service.h"

#include "serve/handles.h"
#include "study/gather.h"

static handle_use use_of(route_work work) {
    return work == WORK_WRITE ? HANDLE_WRITE : work == WORK_ASK ? HANDLE_ASK : HANDLE_READ;
}

/* With a handle of its own; true: the handle was an old one and its file is gone. */
static bool answer_once(call *c, reply *r) {
    besd_error error = {0};
    bool fresh;
    handle_use use = use_of(c->route->work);
    if (handle_borrow(c->served, use, &c->study, &fresh, &error) != BESD_OK) {
        reply_error(c, r, &error);
        return false;
    }
    c->route->handle(c, r);
    handle_return(c->served, use, c->study, r->status);
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
    else if (answer_once(c, r)) {
        reply_clear(r);
        answer_once(c, r);
    }
}

/* False: nothing has happened, and each has to be tried on its own. */
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
    if (one && handle_borrow(one, HANDLE_WRITE, &study, &fresh, &ignored) == BESD_OK) {
        works = answer_gathered(calls, replies, count, study);
        handle_return(one, HANDLE_WRITE, study, works ? BESD_OK : BESD_IO);
    }
    for (size_t i = 0; !works && i < count; i++) {
        reply_clear(&replies[i]);
        service_answer(calls[i], &replies[i]);
    }
}
