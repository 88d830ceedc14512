/* Which handler a request goes to, and who runs it. The description in openapi.json has the same
 * routes; tests/test_route.c compares the two. */
#ifndef BESD_SERVE_ROUTE_H
#define BESD_SERVE_ROUTE_H

#include "serve/call.h"

/* Who runs a handler, with which handle of the study. Writers of one study take turns, and so do
 * its askers; nobody else waits for them. */
typedef enum route_work {
    WORK_AT_ONCE, /* the loop itself: no study, no file */
    WORK_FOLDER,  /* a quick worker, no study */
    WORK_READ,    /* a quick worker */
    WORK_WRITE,   /* a quick worker, one at a time for a study */
    WORK_THINK,   /* a thinking worker: what needs the model */
    WORK_ASK      /* a thinking worker, one at a time for a study */
} route_work;

typedef struct route {
    const char *method, *pattern; /* "/v1/studies/{study}/trials/{trial}/tell" */
    handler *handle;
    route_work work;
    bool open; /* needs no token */
} route;

extern const route routes[]; /* a method of NULL ends it */
size_t route_count(void);

/* Finds the route and fills in route, name and trial of the call. HEAD goes where GET goes. False:
 * 404 or 405, and in the second case `allowed` has the methods that there are. */
bool route_find(call *c, reply *r, const char *method, const char *path, char *allowed,
                size_t size);

/* What a name of a study may be: letters, digits and . _ - (not a dot at the beginning), at most 64
 * of them. So no name leads out of a folder. */
bool route_is_name(const char *name);

#endif
