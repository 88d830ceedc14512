#include "serve/service.h"

#include "serve/route.h"
#include "study/study.h"

#include <stdlib.h>
#include <string.h>

static served_use use_of(route_work work) {
    return work == WORK_WRITE ? SERVED_WRITE : work == WORK_ASK ? SERVED_ASK : SERVED_READ;
}

static bool is_keyed(const call *c) {
    route_work work = c->route->work;
    return c->key && (work == WORK_WRITE || work == WORK_ASK);
}

/* Answers an act whose key is known; false: it is not, and the act is still to be done. */
static bool answer_known(call *c, reply *r) {
    kept_answer a;
    besd_error error = {0};
    if (study_find_answer(c->study, c->key, c->digest, &a, &error) != BESD_OK) {
        reply_error(c, r, &error);
    } else if (a.is_another) {
        reply_refuse(r, 409, "conflict",
                     "the Idempotency-Key belongs to another request; every act needs its own");
    } else if (a.is_known && c->route->handle == handle_tell) {
        reply_told(c, r, true);
    } else if (a.is_known && a.trial) {
        reply_trial(c, r, a.code, a.trial);
    } else if (a.is_known) {
        reply_text(r, a.code, a.text, strlen(a.text));
        a.text = NULL;
    }
    free(a.text);
    return r->code != 0;
}

/* Does the act unless its key is known. Whatever failed in a way that may pass is not kept. */
static void act_once(call *c, reply *r) {
    besd_error error = {0};
    if (answer_known(c, r))
        return;
    c->route->handle(c, r);
    if (r->code / 100 != 2)
        return;
    kept_answer a = {.code = r->code, .trial = r->trial, .text = r->trial ? NULL : r->text};
    if (study_keep_answer(c->study, c->key, c->digest, &a, &error) != BESD_OK)
        reply_error(c, r, &error);
}

/* The act and what is kept of it are one transaction. */
static void act_alone(call *c, reply *r) {
    besd_error error = {0};
    besd_status status = study_gather(c->study, &error);
    if (status == BESD_OK) {
        act_once(c, r);
        if (r->status != BESD_IO)
            status = study_settle(c->study, &error);
        else
            study_scatter(c->study);
    }
    if (status != BESD_OK)
        reply_error(c, r, &error);
}

/* The trial that an ask gives is kept with its key in the transaction that gives it. */
static void ask_once(call *c, reply *r) {
    if (answer_known(c, r))
        return;
    study_name_asks(c->study, c->key, c->digest);
    c->route->handle(c, r);
    study_name_asks(c->study, NULL, NULL);
}

static void handle(call *c, reply *r) {
    if (!is_keyed(c))
        c->route->handle(c, r);
    else if (c->route->work == WORK_ASK)
        ask_once(c, r);
    else
        act_alone(c, r);
}

/* True: a kept handle said BESD_IO, so a new one is worth a try. */
static bool answer_once(call *c, reply *r, handler *answer) {
    besd_error error = {0};
    bool fresh;
    served_use use = use_of(c->route->work);
    if (served_borrow(c->served, use, &c->study, &fresh, &error) != BESD_OK) {
        reply_error(c, r, &error);
        return false;
    }
    answer(c, r);
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
    else if (answer_once(c, r, handle)) {
        reply_clear(r);
        answer_once(c, r, handle);
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
        if (calls[i]->key)
            act_once(calls[i], &replies[i]);
        else
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
