/* What stands around a study's designs, for pictures alone: polygons, and a picture with the place
 * that it shows. A trainer's study.yaml has them, or a file of their own that `besd set --outline`
 * reads:
 *
 *     outline:                                   # walls, tables, ... in the units of theta
 *       - {name: wall, polygon: [[0, 3], [6, 3], [6, 3.4], [0, 3.4]]}
 *     picture: {file: floor.png, extent: [0, 0, 12, 8]}   # left, bottom, right, top
 *
 * The study keeps both in a note, the picture's bytes included, so that a page of the study needs
 * no other file. The optimiser never sees them. */
#ifndef BESD_PAGE_OUTLINE_H
#define BESD_PAGE_OUTLINE_H

#include "besd/besd.h"

#include <cyaml/cyaml.h>
#include <jansson.h>
#include <stdbool.h>

enum { OUTLINE_MOST_POLYGONS = 500, OUTLINE_MOST_CORNERS = 200, PICTURE_LARGEST = 2 << 20 };

typedef struct outline_polygon {
    char *name; /* NULL: none */
    double (*corners)[2];
    unsigned corners_count;
} outline_polygon;

typedef struct outline_picture {
    char *file;
    double *extent; /* left, bottom, right, top */
    unsigned extent_count;
} outline_picture;

/* As a file says it, for cyaml: a description has these members, and fields with these values. */
extern const cyaml_schema_value_t outline_polygon_value;
extern const cyaml_schema_field_t outline_picture_fields[];

typedef struct outline {
    outline_polygon *polygons;
    unsigned polygons_count;
    outline_picture *picture; /* NULL: none */
} outline;

/* A file with these two alone; the caller frees what it has with outline_free. */
besd_status outline_load(const char *path, outline **loaded, besd_error *error);
void outline_free(outline *o);

/* Keeps it with the study, instead of what was kept before. `path`: the file that says so, where
 * the picture is sought beside it. Refused is a polygon that no map of the study would show. */
besd_status outline_keep(const outline *o, const char *path, besd_study *study, besd_error *error);

/* Adds "outline" and "picture" to a ground, null where there is none. What does not look like
 * besd's own is left out. */
besd_status outline_add(json_t *ground, besd_study *study, besd_error *error);
bool outline_is_kept(besd_study *study);

/* A file as an address that has it inside, "data:image/png;base64,...". `type` NULL: a picture,
 * whose type its first bytes say. The caller frees it. */
besd_status picture_load(const char *path, const char *type, char **address, besd_error *error);

#endif
