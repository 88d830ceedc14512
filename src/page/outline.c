#include "page/outline.h"

#include "core/error.h"
#include "core/json.h"
#include "core/yaml.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The note of a study, with room for the largest picture as text. */
static const char note_key[] = "outline";
enum { NOTE_SIZE = PICTURE_LARGEST / 3 * 4 + (4 << 20), FIELD = BESD_MAX_NAME - 1 };

static const cyaml_schema_value_t number_value = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_value_t corner_value = {
    CYAML_VALUE_SEQUENCE_FIXED(CYAML_FLAG_DEFAULT, double, &number_value, 2)};
static const cyaml_schema_field_t polygon_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, outline_polygon, name,
                           0, FIELD),
    CYAML_FIELD_SEQUENCE("polygon", CYAML_FLAG_POINTER, outline_polygon, corners, &corner_value, 3,
                         OUTLINE_MOST_CORNERS),
    CYAML_FIELD_END};
const cyaml_schema_value_t outline_polygon_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, outline_polygon, polygon_fields)};
const cyaml_schema_field_t outline_picture_fields[] = {
    CYAML_FIELD_STRING_PTR("file", CYAML_FLAG_POINTER, outline_picture, file, 1, 1000),
    CYAML_FIELD_SEQUENCE("extent", CYAML_FLAG_POINTER, outline_picture, extent, &number_value, 4,
                         4),
    CYAML_FIELD_END};

static const cyaml_schema_field_t fields[] = {
    CYAML_FIELD_SEQUENCE_COUNT("outline", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, outline,
                               polygons, polygons_count, &outline_polygon_value, 1,
                               OUTLINE_MOST_POLYGONS),
    CYAML_FIELD_MAPPING_PTR("picture", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, outline, picture,
                            outline_picture_fields),
    CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, outline, fields)};

besd_status outline_load(const char *path, outline **loaded, besd_error *error) {
    void *read;
    besd_status status = yaml_load(path, &schema, fields, &read, error);
    *loaded = status == BESD_OK ? read : NULL;
    return status;
}

void outline_free(outline *o) {
    yaml_free(&schema, o);
}

/* The type of a picture by its first bytes; NULL: it is none that browsers show. */
static const char *type_of(const unsigned char *bytes, size_t size) {
    static const struct {
        const char *type, *begin;
        size_t length;
    } known[] = {{"image/png", "\x89PNG\r\n\x1a\n", 8}, {"image/jpeg", "\xff\xd8\xff", 3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (size > known[i].length && !memcmp(bytes, known[i].begin, known[i].length))
            return known[i].type;
    bool is_webp = size > 12 && !memcmp(bytes, "RIFF", 4) && !memcmp(bytes + 8, "WEBP", 4);
    return is_webp ? "image/webp" : NULL;
}

static besd_status read_bytes(const char *path, unsigned char **bytes, size_t *size,
                              besd_error *error) {
    struct stat info;
    FILE *in = NULL;
    besd_status status = BESD_OK;
    *bytes = NULL;
    if (stat(path, &info) != 0)
        return besd_fail(error, BESD_IO, "picture: %s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return besd_fail(error, BESD_INVALID, "picture: %s: expected a file with a picture", path);
    if (info.st_size > PICTURE_LARGEST)
        return besd_fail(error, BESD_INVALID,
                         "picture: %s has %.1f MB, expected at most %d MB, because the study keeps "
                         "it and every page has it inside; make it smaller",
                         path, (double)info.st_size / (1 << 20), PICTURE_LARGEST >> 20);
    *size = (size_t)info.st_size;
    *bytes = malloc(*size + 1);
    if (!*bytes)
        return besd_fail_memory(error, "a picture");
    in = fopen(path, "r");
    if (!in || fread(*bytes, 1, *size, in) != *size)
        status = besd_fail(error, BESD_IO, "picture: %s: %s", path,
                           in ? "could not be read whole" : strerror(errno));
    if (in)
        fclose(in);
    return status;
}

besd_status picture_load(const char *path, const char *type, char **address, besd_error *error) {
    unsigned char *bytes;
    size_t size = 0;
    gnutls_datum_t coded = {0};
    *address = NULL;
    besd_status status = read_bytes(path, &bytes, &size, error);
    if (status == BESD_OK && !type && !(type = type_of(bytes, size)))
        status = besd_fail(error, BESD_INVALID, "picture: %s: expected PNG, JPEG or WebP", path);
    if (status == BESD_OK) {
        gnutls_datum_t raw = {.data = bytes, .size = (unsigned)size};
        size_t room;
        if (gnutls_base64_encode2(&raw, &coded) == 0 && (room = strlen(type) + coded.size + 20) &&
            (*address = malloc(room)))
            snprintf(*address, room, "data:%s;base64,%s", type, (const char *)coded.data);
        else
            status = besd_fail_memory(error, "a picture");
    }
    gnutls_free(coded.data);
    free(bytes);
    return status;
}

/* Is any corner of it in the box of the first two coordinates? */
static bool is_seen(const outline_polygon *p, const besd_study_options *o) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (unsigned i = 0; i < p->corners_count; i++)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], p->corners[i][k]);
            high[k] = fmax(high[k], p->corners[i][k]);
        }
    return low[0] <= o->high[0] && high[0] >= o->low[0] && low[1] <= o->high[1] &&
           high[1] >= o->low[1];
}

static besd_status check_polygon(const outline_polygon *p, size_t number,
                                 const besd_study_options *o, besd_error *error) {
    for (unsigned i = 0; i < p->corners_count; i++)
        if (!isfinite(p->corners[i][0]) || !isfinite(p->corners[i][1]))
            return besd_fail(error, BESD_INVALID, "outline: %zu: expected finite corners", number);
    if (is_seen(p, o))
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "outline: %zu: all of it lies outside of the box, %s %g to %g and %s %g to "
                     "%g, so no map would show it",
                     number, o->names[0], o->low[0], o->high[0], o->names[1], o->low[1],
                     o->high[1]);
}

static besd_status check(const outline *o, const besd_study *study, besd_error *error) {
    const besd_study_options *space = besd_study_get_options(study);
    besd_status status = BESD_OK;
    if (space->dimension % 2)
        return besd_fail(error, BESD_INVALID,
                         "outline: a map has points of two coordinates, the study has %zu in all",
                         space->dimension);
    for (unsigned i = 0; status == BESD_OK && i < o->polygons_count; i++)
        status = check_polygon(&o->polygons[i], i + 1, space, error);
    const double *e = o->picture ? o->picture->extent : NULL;
    if (status == BESD_OK && e && !(e[0] < e[2] && e[1] < e[3]))
        status = besd_fail(error, BESD_INVALID,
                           "picture: extent: expected left, bottom, right, top with left < right "
                           "and bottom < top, got %g, %g, %g, %g",
                           e[0], e[1], e[2], e[3]);
    return status;
}

static json_t *polygons_json(const outline *o) {
    json_t *list = json_array();
    for (unsigned i = 0; i < o->polygons_count; i++) {
        json_t *corners = json_array();
        for (unsigned k = 0; k < o->polygons[i].corners_count; k++)
            json_add(&corners, json_numbers(o->polygons[i].corners[k], 2));
        json_add(&list, json_pack("{s:s?, s:o}", "name", o->polygons[i].name, "polygon", corners));
    }
    return list;
}

static besd_status picture_json(const outline_picture *p, const char *beside, json_t **picture,
                                besd_error *error) {
    char path[2100], *address;
    const char *slash = beside && *p->file != '/' ? strrchr(beside, '/') : NULL;
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - beside) + 1 : 0,
             slash ? beside : "", p->file);
    besd_status status = picture_load(path, NULL, &address, error);
    if (status == BESD_OK)
        *picture = json_pack("{s:s, s:o}", "data", address, "extent", json_numbers(p->extent, 4));
    free(address);
    return status;
}

besd_status outline_keep(const outline *o, const char *path, besd_study *study, besd_error *error) {
    json_t *picture = NULL;
    besd_status status = check(o, study, error);
    if (status == BESD_OK && o->picture)
        status = picture_json(o->picture, path, &picture, error);
    if (status != BESD_OK)
        return status;
    json_t *object = json_pack("{s:o, s:o}", "outline", polygons_json(o), "picture",
                               picture ? picture : json_null());
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
    status = text ? besd_study_set_note(study, note_key, text, error)
                  : besd_fail_memory(error, "the outline");
    free(text);
    json_decref(object);
    return status;
}

/* The note of a study as an object; NULL: there is none that can be read. */
static json_t *read_note(besd_study *study) {
    char *note = malloc(NOTE_SIZE);
    json_error_t fault;
    besd_error ignored;
    json_t *object = NULL;
    if (note && besd_study_get_note(study, note_key, note, NOTE_SIZE, &ignored) == BESD_OK && *note)
        object = json_read(note, strlen(note), 0, &fault);
    free(note);
    return object;
}

bool outline_is_kept(besd_study *study) {
    char first[2] = "";
    besd_error ignored;
    return besd_study_get_note(study, note_key, first, sizeof first, &ignored) == BESD_OK &&
           *first == '{';
}

static bool are_numbers(const json_t *list, size_t count) {
    bool all = json_array_size(list) == count;
    for (size_t i = 0; all && i < count; i++)
        all = json_is_number(json_array_get(list, i));
    return all;
}

/* Files of others are data: an address that would load something is none of ours. */
static bool is_picture(const json_t *picture) {
    const char *data = json_string_value(json_object_get(picture, "data"));
    return data && !strncmp(data, "data:image/", 11) &&
           are_numbers(json_object_get(picture, "extent"), 4);
}

static bool is_polygon(const json_t *polygon) {
    const json_t *corners = json_object_get(polygon, "polygon");
    bool is = json_array_size(corners) >= 3;
    for (size_t i = 0; is && i < json_array_size(corners); i++)
        is = are_numbers(json_array_get(corners, i), 2);
    return is;
}

besd_status outline_add(json_t *ground, besd_study *study, besd_error *error) {
    json_t *note = read_note(study), *picture = json_object_get(note, "picture");
    json_t *polygons = json_object_get(note, "outline"), *list = json_array();
    for (size_t i = 0; i < json_array_size(polygons); i++)
        if (is_polygon(json_array_get(polygons, i)))
            json_add(&list, json_incref(json_array_get(polygons, i)));
    bool failed = !list || json_object_set_new(ground, "outline", list) ||
                  json_object_set_new(ground, "picture",
                                      is_picture(picture) ? json_incref(picture) : json_null());
    json_decref(note);
    return failed ? besd_fail_memory(error, "the outline") : BESD_OK;
}
