/* Sources: earlier studies that a study learns from. What a source knows is copied into the file of
 * the new study, once, before its first trial: rows of its trials, centred and scaled to a standard
 * deviation of about 1, and its best designs. Where both studies are of paths, rows of their legs
 * are copied as well, whatever the number of points of either. So a study never depends on the file
 * of another, and sources cannot go round in a circle: only trials that a source has trained itself
 * are copied.
 *
 * The model has the rows as those of another task (model/tasks.h). It learns from the study's own
 * trials how much the source has to say, and may learn that it has nothing to say. */
#ifndef BESD_STUDY_SOURCES_H
#define BESD_STUDY_SOURCES_H

#include "model/mixture.h"
#include "study/spec.h"

/* Rows cost asks the cube of their number. */
enum { SOURCE_ROWS_MOST = 96, SOURCE_DESIGNS_MOST = 12 };

typedef struct source {
    char name[BESD_MAX_NAME];
    char matched[256]; /* what of the source is of use here, in words */
    int64_t trials;    /* told trials that the source had */
    observations rows; /* theta in this study's unit cube; none when coordinates do not match */
    observations legs; /* rows of legs (legs.h) in this study's frame; none without paths */
    size_t design_count;
    double designs[SOURCE_DESIGNS_MOST * BESD_MAX_DIMENSION]; /* the same; the best ones, spread
                                                                 apart, the best of all first */
} source;

typedef struct source_list {
    size_t count;
    source of[TASK_SOURCES_MOST];
} source_list;

/* What a study of this description can learn from another one. BESD_INVALID when that is nothing:
 * nothing was told, or coordinates do not match. */
besd_status source_gather(const study_spec *spec, besd_study *from, const char *name, source *s,
                          besd_error *error);
void source_free(source *s);
void sources_free(source_list *list);

/* To JSON for the file and back; the caller frees the text. */
besd_status source_write(const source *s, char **text, besd_error *error);
besd_status source_read(const study_spec *spec, const char *text, source *s, besd_error *error);

/* Design number `number` of all sources, which take turns; false: there are not so many. */
bool sources_design(const source_list *list, size_t number, double *unit);

/* Appends all rows, or those of legs, each with its task of to->tasks. */
besd_status sources_lend(const source_list *list, observations *to, besd_error *error);
besd_status sources_lend_legs(const source_list *list, observations *to, besd_error *error);

#endif
