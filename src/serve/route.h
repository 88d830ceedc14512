/* Which handler answers a request, and who runs the handler. The description in openapi.json has
 * the same routes; tests/test_route.c compares the two. */
#ifndef BESD_SERVE_ROUTE_H
#define BESD_SERVE_ROUTE_H

#include "serve/auth.h"
#include "serve/request.h"

/* Who runs a handler, with which handle of the study. The writers of one study take turns, and so
 * do its askers; no other request waits for them. */
typedef enum route_work {
    WORK_AT_ONCE, /* the loop itself: no study, no file */
    WORK_FOLDER,  /* a reading worker, no study */
    WORK_READ,    /* a reading worker */
    WORK_WRITE,   /* a writing worker, one at a time for a study */
    WORK_THINK,   /* a thinking worker: what needs the model */
    WORK_ASK      /* a thinking worker, one at a time for a study */
} route_work;

typedef struct route {
    const char *method, *pattern; /* "/v1/studies/{study}/trials/{trial}/tell" */
    handler *handle;
    route_work work;
    auth_role right; /* that a token needs; ROLE_NONE: no token is needed */
} route;

extern const route routes[]; /* a method of NULL ends the table */
size_t route_count(void);

/* Finds the route and fills in route, name and trial of the call. HEAD goes where GET goes. False:
 * the reply is a 404, or a 405 and `allowed` has the methods that the path knows. */
bool route_find(call *c, reply *r, const char *method, const char *path, char *allowed,
                size_t size);

/* The name of a study: 1 to 64 letters, digits and . _ - without a dot at the beginning. So no name
 * leads out of a folder. */
bool route_is_name(const char *name);

/* handle_service.c */
handler handle_health, handle_ready, handle_metrics, handle_openapi, handle_schema, handle_page,
    handle_asset;

/* handle_study.c */
handler handle_studies, handle_create, handle_study, handle_set, handle_events;
handler handle_recommend, handle_predict;
handler handle_backup;
handler handle_curve, handle_hindsight, handle_slices, handle_legs, handle_map;

/* handle_comparison.c */
handler handle_comparisons, handle_comparison;

/* handle_trial.c */
/* Answers with a trial as it is now. */
void reply_trial(call *c, reply *r, int code, int64_t id);

/* Answers a tell, and says whether these scores were told before. */
void reply_told(call *c, reply *r, bool repeated);

handler handle_trials, handle_trial;
handler handle_more_trials; /* the next piece of a list, from reply.rest on */
handler handle_ask, handle_explain, handle_tell, handle_fail, handle_again, handle_renew;
handler handle_void, handle_restore, handle_note, handle_add, handle_enqueue;

#endif
