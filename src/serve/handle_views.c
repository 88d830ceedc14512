/* What the live page draws, over HTTP. */
#include "serve/handlers.h"
#include "serve/hindsight.h"
#include "serve/studies.h"
#include "serve/views.h"

#include <stdlib.h>

void remember_recommendation(call *c, const besd_recommendation *recommended) {
    pthread_mutex_lock(&c->served->lock);
    memory_keep(&c->served->recommended, recommended);
    pthread_mutex_unlock(&c->served->lock);
}

void handle_curve(call *c, reply *r) {
    besd_error error = {0};
    recommendations *copy = malloc(sizeof *copy);
    if (!copy) {
        reply_json(r, 200, NULL);
        return;
    }
    pthread_mutex_lock(&c->served->lock);
    *copy = c->served->recommended;
    pthread_mutex_unlock(&c->served->lock);
    json_t *object = view_curve(c->study, copy, &error);
    if (object)
        reply_json(r, 200, object);
    else
        reply_error(c, r, &error);
    free(copy);
}

/* One gap at a time, because each costs a fit; the caller asks again while there are more. */
void handle_hindsight(call *c, reply *r) {
    besd_error error = {0};
    besd_recommendation recommended = {0};
    besd_status status = besd_study_recommend(c->study, &recommended, &error);
    int64_t told = recommended.trials, next = 0;
    if (status == BESD_OK) {
        remember_recommendation(c, &recommended);
        pthread_mutex_lock(&c->served->lock);
        next = hindsight_next(&c->served->recommended, told);
        pthread_mutex_unlock(&c->served->lock);
    }
    if (next && (status = hindsight_recommend(c->study, next, &recommended, &error)) == BESD_OK)
        remember_recommendation(c, &recommended);
    if (status == BESD_OK)
        reply_json(r, 200, json_pack("{s:b}", "more", next != 0));
    else
        reply_conflict(c, r, &error);
}

void handle_slices(call *c, reply *r) {
    besd_error error = {0};
    besd_recommendation recommended;
    json_t *object = NULL;
    if (besd_study_recommend(c->study, &recommended, &error) == BESD_OK) {
        remember_recommendation(c, &recommended);
        object = view_slices(c->study, &recommended, &error);
    }
    if (object)
        reply_json(r, 200, object);
    else
        reply_conflict(c, r, &error); /* nothing is told yet, or there is no model */
}

void handle_map(call *c, reply *r) {
    besd_error error = {0};
    json_t *object = view_map(c->study, &error);
    if (object)
        reply_json(r, 200, object);
    else
        reply_error(c, r, &error);
}
