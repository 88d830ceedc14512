#include "run/domain_notes.h"

#include "core/error.h"
#include "core/text.h"
#include "world/domain_load.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char FRESH[] = " fresh instances";

/* The largest map, a line for every row of it, and all of its choices. */
enum { LARGEST_MAP = 1 << 16, LONGEST_IDENTITY = 1024, LONGEST_NOTE = 4096 };

bool domain_notes_cut_fresh(char *identity) {
    size_t length = strlen(identity), cut = strlen(FRESH);
    if (length < cut || strcmp(identity + length - cut, FRESH) != 0)
        return false;
    identity[length - cut] = 0;
    return true;
}

besd_status domain_notes_keep_map(besd_study *study, const domain *d, besd_error *error) {
    char identity[LONGEST_IDENTITY];
    domain found;
    domain_identity(d, identity, sizeof identity);
    if (d->kind != DOMAIN_GRID || domain_from_identity(identity, &found))
        return BESD_OK;
    size_t size = grid_map_print(&d->map, NULL, 0);
    char *text = malloc(size);
    if (!text)
        return besd_fail_memory(error, "the map");
    grid_map_print(&d->map, text, size);
    besd_status status = besd_study_set_note(study, "map", text, error);
    free(text);
    return status;
}

/* A grid; only its name and its map matter. */
static bool read_map(const char *identity, const char *text, domain *d) {
    char name[DOMAIN_NAME_SIZE];
    size_t length = strcspn(identity, " ");
    snprintf(name, sizeof name, "%.*s", (int)length, identity);
    text_clean(name);
    domain_init(d, name, "");
    domain_init_grid(d);
    return grid_map_parse(text, &d->map, NULL) == BESD_OK;
}

besd_status domain_notes_find(besd_study *study, domain *d, bool *known, besd_error *error) {
    char identity[LONGEST_IDENTITY];
    *known = false;
    besd_status status = besd_study_get_note(study, "domain", identity, sizeof identity, error);
    if (status != BESD_OK || !identity[0])
        return status;
    domain_notes_cut_fresh(identity);
    *known = domain_from_identity(identity, d);
    char *text = *known ? NULL : malloc(LARGEST_MAP);
    if (!*known && !text)
        return besd_fail_memory(error, "the map");
    if (!*known)
        status = besd_study_get_note(study, "map", text, LARGEST_MAP, error);
    if (!*known && status == BESD_OK && text[0])
        *known = read_map(identity, text, d);
    free(text);
    return status;
}

enum { LARGEST_MAP_FILE = 1 << 16 };

static besd_status read_text_file(const char *path, char *text, size_t size, besd_error *error) {
    FILE *file = fopen(path, "r");
    if (!file)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    size_t length = fread(text, 1, size - 1, file);
    bool failed = ferror(file), whole = feof(file);
    fclose(file);
    text[length] = 0;
    if (failed || !whole)
        return besd_fail(error, BESD_IO, "%s: %s", path,
                         failed ? "it could not be read" : "it is too large for a map");
    if (strlen(text) != length)
        return besd_fail(error, BESD_INVALID, "%s: it is not a text file", path);
    return BESD_OK;
}

/* A process has to be started before it can be asked what its settings are; this one counts from
 * the first moment. NaN: not set, or nothing that the domain will accept. */
static double start_timeout(const domain_origin *o) {
    static const char name[] = "reset_timeout=";
    double seconds = NAN;
    for (size_t i = 0; i < o->set_count; i++)
        if (!strncmp(o->set[i], name, sizeof name - 1))
            seconds = strtod(o->set[i] + sizeof name - 1, NULL);
    return seconds > 0 && seconds < 1e9 ? seconds : NAN;
}

besd_status domain_origin_load(const domain_origin *o, domain *d, besd_error *error) {
    besd_status status = domain_load(o->name, start_timeout(o), d, error);
    if (status != BESD_OK)
        return status;
    if (o->map) {
        char *text = malloc(LARGEST_MAP_FILE);
        status = text ? read_text_file(o->map, text, LARGEST_MAP_FILE, error)
                      : besd_fail_memory(error, "the map");
        if (status == BESD_OK)
            status = domain_set_map(d, text, error);
        free(text);
    }
    for (size_t i = 0; status == BESD_OK && i < o->set_count; i++)
        status = domain_set(d, o->set[i], error);
    if (status == BESD_OK)
        status = domain_settle(d, error);
    if (status != BESD_OK)
        domain_release(d);
    return status;
}

static bool has_fresh_instances(const domain_study *b) {
    return b->options.instances == BESD_INSTANCES_FRESH;
}

static void write_identity(const domain_study *b, char *text, size_t size) {
    domain_identity(b->domain, text, size);
    if (has_fresh_instances(b))
        snprintf(text + strlen(text), size - strlen(text), "%s", FRESH);
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

besd_status domain_notes_write(besd_study *study, const domain_origin *o, const domain_study *b,
                               besd_error *error) {
    const domain *d = b->domain;
    char identity[LONGEST_IDENTITY], constants[LONGEST_NOTE];
    json_t *set = json_array();
    for (size_t i = 0; i < o->set_count; i++)
        json_array_append_new(set, json_string(o->set[i]));
    json_t *origin = json_pack("{s:o, s:o, s:o}", "name",
                               is_yaml(o->name) ? full_name(o->name) : json_string(o->name), "set",
                               set, "map", full_name(o->map));
    char *text = origin ? json_dumps(origin, JSON_COMPACT) : NULL;
    json_decref(origin);
    if (!text)
        return besd_fail_memory(error, "the domain's origin");
    write_identity(b, identity, sizeof identity);
    domain_constants(d, constants, sizeof constants);
    besd_status status = besd_study_set_note(study, "domain", identity, error);
    if (status == BESD_OK)
        status = besd_study_set_note(study, "domain_constants", constants, error);
    if (status == BESD_OK)
        status = besd_study_set_note(study, "domain_origin", text, error);
    if (status == BESD_OK)
        status = domain_notes_keep_map(study, d, error);
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

besd_status domain_notes_check(besd_study *study, const char *path, const domain_study *b,
                               besd_error *error) {
    char is[1024], was[1024], had[LONGEST_NOTE], has[LONGEST_NOTE], differences[600];
    write_identity(b, is, sizeof is);
    besd_status status = besd_study_get_note(study, "domain", was, sizeof was, error);
    if (status != BESD_OK)
        return status;
    if (!was[0])
        return besd_fail(error, BESD_INVALID,
                         "study: %s was not begun by 'besd run'; it belongs to ask and tell", path);
    if (!strcmp(is, was))
        return BESD_OK;
    bool was_fresh = domain_notes_cut_fresh(was);
    domain_notes_cut_fresh(is);
    if (!strcmp(is, was))
        return besd_fail(error, BESD_INVALID,
                         "instance-mode: the study in %s was begun with %s instances, got %s", path,
                         was_fresh ? "fresh" : "shared",
                         has_fresh_instances(b) ? "fresh" : "shared");
    status = read_constants(study, was, had, sizeof had, error);
    if (status != BESD_OK)
        return status;
    domain_constants(b->domain, has, sizeof has);
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
                   "%s: its domain '%.150s' is a program; besd does not start programs that a file "
                   "names; say: besd run %s --study %.150s",
                   path, name, command, path);
    if (error)
        text_clean(error->message);
    return BESD_INVALID;
}

enum { MOST_SETS = 64 };

/* What an origin says, as texts of the JSON. */
static domain_origin read_origin(const json_t *origin, const char *texts[MOST_SETS]) {
    const json_t *set = json_object_get(origin, "set");
    domain_origin o = {.name = json_string_value(json_object_get(origin, "name")),
                       .map = json_string_value(json_object_get(origin, "map")),
                       .set = texts};
    for (size_t i = 0; i < json_array_size(set) && o.set_count < MOST_SETS; i++)
        if (json_string_value(json_array_get(set, i)))
            texts[o.set_count++] = json_string_value(json_array_get(set, i));
    return o;
}

static besd_status load_origin(const char *path, const char *identity, const char *text, domain *d,
                               besd_error *error) {
    json_t *origin = json_loads(text, 0, NULL);
    const char *texts[MOST_SETS];
    domain_origin o = read_origin(origin, texts);
    besd_error own;
    besd_status status;
    if (!o.name)
        status = besd_fail(error, BESD_INVALID,
                           "%s: its domain '%.200s' is not built in; say 'besd run DOMAIN --study "
                           "%s'",
                           path, identity, path);
    else if (!is_yaml(o.name) && domain_find(o.name, d, NULL) != BESD_OK)
        status = refuse_origin(path, o.name, json_object_get(origin, "set"), error);
    else if ((status = domain_origin_load(&o, d, &own)) != BESD_OK)
        besd_error_set(
            error, status,
            "%s: its domain cannot be loaded any more: %.250s; say 'besd run DOMAIN --study "
            "%.100s'",
            path, own.message, path);
    json_decref(origin);
    return status;
}

besd_status domain_notes_load(const char *path, domain *d, besd_error *error) {
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
    domain_notes_cut_fresh(identity);
    return domain_from_identity(identity, d) ? BESD_OK
                                             : load_origin(path, identity, origin, d, error);
}
