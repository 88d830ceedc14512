/* Plans from pictures. A picture that is finer than a plan is read by blocks of pixels: a block is
 * a wall when any of its pixels is, and free when any is known to be free.
 *
 * map_server (ROS 1 and 2) reads a pixel of brightness c as occupied with probability
 * (255 - c) / 255, or c / 255 with `negate`: above occupied_thresh a wall, below free_thresh free,
 * between them unknown. In mode scale a transparent pixel is unknown. In mode raw the brightness
 * is the probability in per cent, above 100 unknown. Row 0 of the picture is the top one, the
 * origin is the lower left corner of the map. */
#include "sketch/plan_sources.h"

#include "core/error.h"
#include "core/yaml.h"
#include "sketch/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum map_mode { MODE_TRINARY, MODE_SCALE, MODE_RAW } map_mode;

typedef struct reading {
    plan *plan;
    double scale, origin[2], occupied, free;
    bool negate, see_through; /* transparent pixels are free */
    map_mode mode;
    int block, height;       /* pixels of the picture per pixel of the plan; rows of the picture */
    enum plan_pixel of[256]; /* by brightness */
} reading;

static enum plan_pixel judge(const reading *r, int brightness) {
    double occupied = (r->negate ? brightness : 255 - brightness) / 255.0;
    if (r->mode == MODE_RAW) {
        occupied = brightness / 100.0;
        if (brightness > 100)
            return PLAN_UNKNOWN;
    }
    return occupied > r->occupied ? PLAN_WALL : occupied < r->free ? PLAN_FREE : PLAN_UNKNOWN;
}

static besd_status begin(void *context, int width, int height, besd_error *error) {
    reading *r = context;
    const int longest = width > height ? width : height;
    r->block = (longest + PLAN_FINEST - 1) / PLAN_FINEST;
    r->height = height;
    for (int i = 0; i < 256; i++)
        r->of[i] = judge(r, i);
    return plan_create(r->plan, (width + r->block - 1) / r->block,
                       (height + r->block - 1) / r->block, r->scale * r->block, r->origin,
                       PLAN_UNKNOWN, error);
}

static void take_row(void *context, int y, const picture_pixel *pixels) {
    const reading *r = context;
    const plan *p = r->plan;
    uint8_t *row = p->ground + (size_t)p->width * (size_t)((r->height - 1 - y) / r->block);
    for (int x = 0, rest = r->block, width = p->width; width > 0; x++) {
        enum plan_pixel here = r->of[pixels[x].grey];
        if (pixels[x].opacity == 0 && r->see_through)
            here = PLAN_FREE;
        else if (pixels[x].opacity == 0 && r->mode == MODE_SCALE)
            here = PLAN_UNKNOWN;
        if (*row < here)
            *row = (uint8_t)here;
        if (--rest == 0) {
            rest = r->block;
            row++;
            width--;
        }
    }
}

static besd_status read_picture(const char *path, reading *r, besd_error *error) {
    const picture_taker taker = {r, begin, take_row};
    besd_status status = picture_read(path, &taker, error);
    return status == BESD_OK ? plan_refine(r->plan, error) : status;
}

/* Metres per pixel, within reason. */
static besd_status check_scale(const char *path, const char *name, double scale,
                               besd_error *error) {
    if (scale >= 1e-6 && scale <= 1e6)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "%s: %s: expected the side of a pixel, 1e-06 to 1e+06, got %g", path, name,
                     scale);
}

besd_status plan_of_picture(const char *path, double scale, const double *origin, plan *p,
                            besd_error *error) {
    reading r = {.plan = p,
                 .scale = scale,
                 .origin = {origin[0], origin[1]},
                 .occupied = 0.5,
                 .free = 0.5000001,
                 .see_through = true};
    besd_status status = check_scale(path, "scale", scale, error);
    return status == BESD_OK ? read_picture(path, &r, error) : status;
}

typedef struct ros_map {
    char *image;
    double resolution, *origin, *occupied, *free;
    unsigned origin_count;
    char *negate;
    int mode;
} ros_map;

static const cyaml_strval_t modes[] = {
    {"trinary", MODE_TRINARY}, {"scale", MODE_SCALE}, {"raw", MODE_RAW}};
static const cyaml_schema_value_t number = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};

#define OPTIONAL (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)

static const cyaml_schema_field_t fields[] = {
    CYAML_FIELD_STRING_PTR("image", CYAML_FLAG_POINTER, ros_map, image, 1, 4000),
    CYAML_FIELD_FLOAT("resolution", CYAML_FLAG_DEFAULT, ros_map, resolution),
    CYAML_FIELD_SEQUENCE("origin", CYAML_FLAG_POINTER, ros_map, origin, &number, 2, 3),
    CYAML_FIELD_STRING_PTR("negate", OPTIONAL, ros_map, negate, 1, 16),
    CYAML_FIELD_FLOAT_PTR("occupied_thresh", OPTIONAL, ros_map, occupied),
    CYAML_FIELD_FLOAT_PTR("free_thresh", OPTIONAL, ros_map, free),
    CYAML_FIELD_ENUM("mode", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, ros_map, mode, modes,
                     CYAML_ARRAY_LEN(modes)),
    CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, ros_map, fields)};

bool plan_is_ros_map(const char *path) {
    return yaml_line_of_key(path, "image") > 0;
}

static besd_status check_ros_map(const char *path, const ros_map *m, double occupied, double free_,
                                 besd_error *error) {
    besd_status status = check_scale(path, "resolution", m->resolution, error);
    if (status != BESD_OK)
        return status;
    if (m->origin_count == 3 && !(fabs(remainder(m->origin[2], 2 * acos(-1))) <= 1e-6))
        return besd_fail(error, BESD_INVALID,
                         "%s: origin: the map is turned by %g, and sketches are upright; expected "
                         "a yaw of 0. Turn the picture, or give start and goal in the frame of "
                         "the picture and set the yaw to 0",
                         path, m->origin[2]);
    for (unsigned i = 0; i < 2; i++)
        if (!(fabs(m->origin[i]) <= 1e9))
            return besd_fail(error, BESD_INVALID, "%s: origin: expected a place, got %g", path,
                             m->origin[i]);
    if (!(free_ >= 0 && free_ <= occupied && occupied <= 1))
        return besd_fail(error, BESD_INVALID,
                         "%s: expected 0 <= free_thresh <= occupied_thresh <= 1, got %g and %g",
                         path, free_, occupied);
    if (m->negate && strcmp(m->negate, "0") != 0 && strcmp(m->negate, "1") != 0 &&
        strcmp(m->negate, "true") != 0 && strcmp(m->negate, "false") != 0)
        return besd_fail(error, BESD_INVALID, "%s: negate: expected 0 or 1, got '%s'", path,
                         m->negate);
    return BESD_OK;
}

/* The picture lies beside the .yaml, unless its name begins at the root. */
static void find_picture(const char *path, const char *image, char *found, size_t size) {
    const char *slash = strrchr(path, '/');
    int folder = slash && *image != '/' ? (int)(slash - path) + 1 : 0;
    snprintf(found, size, "%.*s%s", folder, path, image);
}

besd_status plan_of_ros_map(const char *path, plan *p, besd_error *error) {
    void *read = NULL;
    char picture[8192];
    besd_status status = yaml_load(path, &schema, fields, &read, error);
    if (status != BESD_OK)
        return status;
    const ros_map *m = read;
    reading r = {.plan = p,
                 .scale = m->resolution,
                 .origin = {m->origin[0], m->origin[1]},
                 .occupied = m->occupied ? *m->occupied : 0.65,
                 .free = m->free ? *m->free : 0.196,
                 .negate = m->negate && (*m->negate == '1' || *m->negate == 't'),
                 .mode = (map_mode)m->mode};
    status = check_ros_map(path, m, r.occupied, r.free, error);
    find_picture(path, m->image, picture, sizeof picture);
    yaml_free(&schema, read);
    return status == BESD_OK ? read_picture(picture, &r, error) : status;
}
