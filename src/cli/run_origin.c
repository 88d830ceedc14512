/* The domain that a study belongs to: it keeps which one, with all its constants and where it came
 * from, goes on with no other, and says in which constants another one differs.
 *
 *     domain            gw10 wind_low=0.1 fresh instances     (domain_identity)
 *     domain_constants  subgoals=2 gamma=0.98 ...             (domain_constants)
 *     domain_origin     {"name": "/home/me/rooms.yaml", "set": ["wind=0.1"], "map":
 * "/home/me/m.txt"}
 *
 * A study is data, whoever made it (docs/security.md): from its origin built-in domains and those
 * in YAML are loaded, but no plugin and no process is ever started. */
#include "bridge/study_domain.h"
#include "cli/run.h"
#include "core/error.h"
#include "core/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NOTE = 4096 };

static void write_identity(const domain *d, bool is_fresh, char *text, size_t size) {
    domain_identity(d, text, size);
    if (is_fresh)
        snprintf(text + strlen(text), size - strlen(text), "%s", STUDY_DOMAIN_FRESH);
}

/* A file by its full name, so that the study may be gone on with from anywhere. */
static json_t *full_name(const char *name) {
    char *full = name ? realpath(name, NULL) : NULL;
    json_t *text = name ? json_string(full ? full : name) : json_null();
    free(full);
    return text;
}

static bool is_yaml(const char *name) {
    size_t length = strlen(name);
    return strncmp(name, "cmd:", 4) != 0 && ((length > 5 && !strcmp(name + length - 5, ".yaml")) ||
                                             (length > 4 && !strcmp(name + length - 4, ".yml")));
}

besd_status run_origin_note(besd_study *study, const run_request *r, const domain *d, bool is_fresh,
                            besd_error *error) {
    char identity[1024], constants[LONGEST_NOTE];
    json_t *set = json_array();
    for (size_t i = 0; i < r->chosen.set.count; i++)
        json_array_append_new(set, json_string(r->chosen.set.items[i]));
    json_t *origin = json_pack("{s:o, s:o, s:o}", "name",
                               is_yaml(r->name) ? full_name(r->name) : json_string(r->name), "set",
                               set, "map", full_name(r->chosen.map));
    char *text = origin ? json_dumps(origin, JSON_COMPACT) : NULL;
    json_decref(origin);
    if (!text)
        return besd_fail_memory(error, "the domain's origin");
    write_identity(d, is_fresh, identity, sizeof identity);
    domain_constants(d, constants, sizeof constants);
    besd_status status = besd_study_set_note(study, "domain", identity, error);
    if (status == BESD_OK)
        status = besd_study_set_note(study, "domain_constants", constants, error);
    if (status == BESD_OK)
        status = besd_study_set_note(study, "domain_origin", text, error);
    if (status == BESD_OK)
        status = study_domain_keep_map(study, d, error);
    free(text);
    return status;
}

/* The value of a constant in a list of them, and its length; NULL: it has none. */
static const char *find_constant(const char *list, const char *name, size_t length, size_t *size) {
    for (const char *at = list; *at; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        if (!strncmp(at, name, length) && at[length] == '=') {
            *size = strcspn(at + length + 1, " ");
            return at + length + 1;
        }
    }
    return NULL;
}

static void add_difference(char *text, size_t size, const char *name, size_t length,
                           const char *was, size_t was_size, const char *is, size_t is_size) {
    size_t used = strlen(text);
    bool shown = length != 3 || strncmp(name, "map", 3) != 0; /* a map is a number to no one */
    snprintf(text + used, size - used, "%s%.*s", used ? ", " : "", (int)length, name);
    used = strlen(text);
    if (shown)
        snprintf(text + used, size - used, " %.*s → %.*s", was ? (int)was_size : 7,
                 was ? was : "default", is ? (int)is_size : 7, is ? is : "default");
}

/* "noise 0 → 0.02, tau 10,20 → 10,40": what `was` says otherwise than `is`, and what only one has.
 */
static void compare_constants(const char *was, const char *is, char *text, size_t size) {
    const char *const lists[] = {is, was};
    text[0] = 0;
    for (int i = 0; i < 2; i++)
        for (const char *at = lists[i]; *at; at += strcspn(at, " ")) {
            size_t length, other_size = 0;
            at += strspn(at, " ");
            length = strcspn(at, "= ");
            if (at[length] != '=')
                continue;
            size_t own_size = strcspn(at + length + 1, " ");
            const char *own = at + length + 1,
                       *other = find_constant(lists[1 - i], at, length, &other_size);
            bool same = other && own_size == other_size && !strncmp(own, other, own_size);
            if (i == 0 && !same)
                add_difference(text, size, at, length, other, other_size, own, own_size);
            if (i == 1 && !other)
                add_difference(text, size, at, length, own, own_size, NULL, 0);
        }
}

/* What the study's domain had for constants: kept, or those of a built-in one; empty: not known. */
static besd_status read_constants(besd_study *study, const char *identity, char *text, size_t size,
                                  besd_error *error) {
    domain d;
    besd_status status = besd_study_get_note(study, "domain_constants", text, size, error);
    if (status == BESD_OK && !text[0] && domain_from_identity(identity, &d))
        domain_constants(&d, text, size);
    return status;
}

besd_status run_origin_check(besd_study *study, const char *path, const domain *d, bool is_fresh,
                             besd_error *error) {
    char is[1024], was[1024], had[LONGEST_NOTE], has[LONGEST_NOTE], differences[600];
    write_identity(d, is_fresh, is, sizeof is);
    besd_status status = besd_study_get_note(study, "domain", was, sizeof was, error);
    if (status != BESD_OK)
        return status;
    if (!was[0])
        return besd_fail(error, BESD_INVALID,
                         "study: %s was not begun by 'besd run'; it belongs to ask and tell", path);
    if (!strcmp(is, was))
        return BESD_OK;
    bool was_fresh = study_domain_cut_fresh(was);
    study_domain_cut_fresh(is);
    if (!strcmp(is, was))
        return besd_fail(error, BESD_INVALID,
                         "instance-mode: the study in %s was begun with %s instances, got %s", path,
                         was_fresh ? "fresh" : "shared", is_fresh ? "fresh" : "shared");
    status = read_constants(study, was, had, sizeof had, error);
    if (status != BESD_OK)
        return status;
    domain_constants(d, has, sizeof has);
    compare_constants(had, has, differences, sizeof differences);
    size_t name = strcspn(is, " ");
    bool same_name = name == strcspn(was, " ") && !strncmp(is, was, name);
    if (same_name && had[0] && differences[0])
        besd_error_set(error, BESD_INVALID,
                       "domain: the constants differ from those that the study in %s was begun "
                       "with: %.300s; choose another --study for these",
                       path, differences);
    else
        besd_error_set(error, BESD_INVALID,
                       "domain: the study in %s is about '%.200s', got '%.200s'", path, was, is);
    if (error)
        text_clean(error->message);
    return BESD_INVALID;
}

/* Can it be typed between quotation marks as it is? It comes out of a file. */
static bool is_quotable(const char *text) {
    return text && !strchr(text, '\'') && text_is_utf8(text);
}

/* " --set 'tau=20'" for all of them, or false. */
static bool write_sets(const json_t *set, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < json_array_size(set) && used < size; i++) {
        const char *one = json_string_value(json_array_get(set, i));
        if (!is_quotable(one))
            return false;
        used += (size_t)snprintf(text + used, size - used, " --set '%s'", one);
    }
    return used < size;
}

/* What to type, for domains that are not loaded on a file's word alone. */
static besd_status refuse_origin(const char *path, const char *name, const json_t *set,
                                 besd_error *error) {
    char sets[200], command[400] = "DOMAIN";
    if (is_quotable(name) && strlen(name) <= 150 && write_sets(set, sets, sizeof sets))
        snprintf(command, sizeof command, "'%s'%s", name, sets);
    besd_error_set(error, BESD_INVALID,
                   "%s: its domain '%.150s' is a program, which is not started on the word of a "
                   "file; say: besd run %s --study %.150s",
                   path, name, command, path);
    if (error)
        text_clean(error->message);
    return BESD_INVALID;
}

/* The set strings of an origin as those of the command line. */
static void fill_options(const json_t *origin, domain_options *o) {
    const json_t *set = json_object_get(origin, "set");
    o->map = json_string_value(json_object_get(origin, "map"));
    o->set.count = 0;
    for (size_t i = 0; i < json_array_size(set) && i < sizeof o->set.items / sizeof *o->set.items;
         i++)
        if (json_string_value(json_array_get(set, i)))
            o->set.items[o->set.count++] = json_string_value(json_array_get(set, i));
}

static besd_status load_origin(const char *path, const char *identity, const char *text, domain *d,
                               besd_error *error) {
    json_t *origin = json_loads(text, 0, NULL);
    const char *name = json_string_value(json_object_get(origin, "name"));
    domain_options o = {0};
    besd_error own;
    besd_status status;
    fill_options(origin, &o);
    if (!name)
        status = besd_fail(error, BESD_INVALID,
                           "%s: its domain '%.200s' is not built in; say 'besd run DOMAIN --study "
                           "%s'",
                           path, identity, path);
    else if (!is_yaml(name) && domain_find(name, d, NULL) != BESD_OK)
        status = refuse_origin(path, name, json_object_get(origin, "set"), error);
    else if ((status = choose_domain(name, &o, d, &own)) != BESD_OK)
        besd_error_set(
            error, status,
            "%s: its domain cannot be loaded any more: %.250s; say 'besd run DOMAIN --study "
            "%.100s'",
            path, own.message, path);
    json_decref(origin);
    return status;
}

besd_status run_origin_load(const char *path, domain *d, besd_error *error) {
    char identity[1024] = "", command[256] = "", origin[LONGEST_NOTE] = "";
    besd_study *study = NULL;
    besd_status status = besd_study_open(&study, path, NULL, error);
    if (status == BESD_OK)
        status = besd_study_get_note(study, "domain", identity, sizeof identity, error);
    if (status == BESD_OK)
        status = besd_study_get_note(study, "command", command, sizeof command, error);
    if (status == BESD_OK)
        status = besd_study_get_note(study, "domain_origin", origin, sizeof origin, error);
    besd_study_close(study);
    if (status != BESD_OK)
        return status;
    if (!identity[0])
        return besd_fail(error, BESD_INVALID, "%s: it is about no domain; go on with %s", path,
                         command[0] ? "'besd run' and the STUDY.yaml it was begun with"
                                    : "'besd ask' and 'besd tell'");
    study_domain_cut_fresh(identity);
    return domain_from_identity(identity, d) ? BESD_OK
                                             : load_origin(path, identity, origin, d, error);
}
