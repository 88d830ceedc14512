#include "serve/route.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STUDY "/v1/studies/{study}"
#define TRIAL "/v1/studies/{study}/trials/{trial}"

const route routes[] = {
    {"GET", "/healthz", handle_health, WORK_AT_ONCE, ROLE_NONE},
    {"GET", "/readyz", handle_ready, WORK_AT_ONCE, ROLE_NONE},
    {"GET", "/metrics", handle_metrics, WORK_FOLDER, ROLE_READ},
    {"GET", "/v1/openapi.json", handle_openapi, WORK_AT_ONCE, ROLE_NONE},
    {"GET", "/v1/schema.json", handle_schema, WORK_AT_ONCE, ROLE_NONE},
    {"GET", "/v1/studies", handle_studies, WORK_FOLDER, ROLE_READ},
    {"POST", "/v1/studies", handle_create, WORK_FOLDER, ROLE_MANAGE},
    {"GET", STUDY, handle_study, WORK_READ, ROLE_READ},
    {"POST", STUDY "/ask", handle_ask, WORK_ASK, ROLE_WORK},
    {"GET", STUDY "/trials", handle_trials, WORK_READ, ROLE_READ},
    {"GET", TRIAL, handle_trial, WORK_READ, ROLE_READ},
    {"POST", TRIAL "/tell", handle_tell, WORK_WRITE, ROLE_WORK},
    {"POST", TRIAL "/fail", handle_fail, WORK_WRITE, ROLE_WORK},
    {"POST", TRIAL "/again", handle_again, WORK_WRITE, ROLE_WORK},
    {"POST", TRIAL "/renew", handle_renew, WORK_WRITE, ROLE_WORK},
    {"POST", TRIAL "/void", handle_void, WORK_WRITE, ROLE_MANAGE},
    {"POST", TRIAL "/restore", handle_restore, WORK_WRITE, ROLE_MANAGE},
    {"POST", TRIAL "/note", handle_note, WORK_WRITE, ROLE_WORK},
    {"POST", STUDY "/add", handle_add, WORK_WRITE, ROLE_MANAGE},
    {"POST", STUDY "/enqueue", handle_enqueue, WORK_WRITE, ROLE_MANAGE},
    {"POST", STUDY "/set", handle_set, WORK_WRITE, ROLE_MANAGE},
    {"GET", STUDY "/events", handle_events, WORK_READ, ROLE_READ},
    {"GET", STUDY "/recommend", handle_recommend, WORK_THINK, ROLE_READ},
    {"POST", STUDY "/predict", handle_predict, WORK_THINK, ROLE_READ},
    {"GET", STUDY "/explain", handle_explain, WORK_READ, ROLE_READ},
    {"GET", STUDY "/curve", handle_curve, WORK_READ, ROLE_READ},
    {"GET", STUDY "/hindsight", handle_hindsight, WORK_THINK, ROLE_READ},
    {"GET", STUDY "/slices", handle_slices, WORK_THINK, ROLE_READ},
    {"GET", STUDY "/legs", handle_legs, WORK_THINK, ROLE_READ},
    {"GET", STUDY "/map", handle_map, WORK_READ, ROLE_READ},
    {"GET", STUDY "/backup", handle_backup, WORK_READ, ROLE_READ},
    {"GET", "/v1/comparisons", handle_comparisons, WORK_FOLDER, ROLE_READ},
    {"GET", "/v1/comparisons/{comparison}", handle_comparison, WORK_FOLDER, ROLE_READ},
    {"GET", "/", handle_page, WORK_AT_ONCE, ROLE_NONE},
    {"GET", "/study/{study}", handle_page, WORK_AT_ONCE, ROLE_NONE},
    {"GET", "/comparison/{comparison}", handle_page, WORK_AT_ONCE, ROLE_NONE},
    {"GET", "/assets/{file}", handle_asset, WORK_AT_ONCE, ROLE_NONE},
    {0},
};

size_t route_count(void) {
    return sizeof routes / sizeof *routes - 1;
}

bool route_is_name(const char *name) {
    size_t length = strlen(name);
    if (!length || length >= CALL_NAME_SIZE || name[0] == '.')
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("._-", *name))
            return false;
    return true;
}

/* Takes the part of a path up to the next slash; false: the part is too long. */
static bool take_part(const char **path, char *part, size_t size) {
    size_t length = strcspn(*path, "/");
    if (length >= size)
        return false;
    memcpy(part, *path, length);
    part[length] = 0;
    *path += length;
    return true;
}

static bool is_number(const char *text, int64_t *number) {
    char *end;
    if (!isdigit((unsigned char)text[0]) || strlen(text) > 18)
        return false;
    *number = strtoll(text, &end, 10);
    return !*end;
}

/* Does the path follow the pattern? Fills in name and trial from the places in braces. */
static bool follows(const char *pattern, const char *path, call *c) {
    char expected[CALL_NAME_SIZE], got[CALL_NAME_SIZE];
    c->name[0] = 0;
    c->trial = 0;
    while (*pattern == '/' && *path == '/') {
        pattern++, path++;
        if (!take_part(&pattern, expected, sizeof expected) || !take_part(&path, got, sizeof got))
            return false;
        bool fits = !strcmp(expected, "{trial}") ? is_number(got, &c->trial)
                    : expected[0] == '{'         ? route_is_name(got)
                                                 : !strcmp(expected, got);
        if (!fits)
            return false;
        if (expected[0] == '{' && strcmp(expected, "{trial}") != 0)
            snprintf(c->name, sizeof c->name, "%s", got);
    }
    return !*pattern && !*path;
}

static bool serves(const char *method, const char *wanted) {
    return !strcmp(method, wanted) || (!strcmp(wanted, "HEAD") && !strcmp(method, "GET"));
}

bool route_find(call *c, reply *r, const char *method, const char *path, char *allowed,
                size_t size) {
    size_t used = 0;
    allowed[0] = 0;
    for (const route *one = routes; one->method; one++) {
        if (!follows(one->pattern, path, c))
            continue;
        c->route = one;
        if (serves(one->method, method))
            return true;
        used += (size_t)snprintf(allowed + used, size - used, "%s%s", used ? ", " : "",
                                 !strcmp(one->method, "GET") ? "GET, HEAD" : one->method);
    }
    if (used) {
        reply_refuse(r, 405, "method", "there is no %.20s here, only %s", method, allowed);
        return false;
    }
    c->route = NULL;
    c->name[0] = 0;
    reply_refuse(r, 404, "unknown",
                 "there is nothing at this path; GET /v1/openapi.json lists what there is");
    return false;
}
