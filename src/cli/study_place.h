/* Where the study of a description lies when --study is not given: beside it, under its name and
 * the seed.
 */
#ifndef BESD_CLI_STUDY_PLACE_H
#define BESD_CLI_STUDY_PLACE_H

#include "besd/besd.h"
#include "cli/options.h"

enum { STUDY_PLACE_SIZE = 512 };

/* "FOLDER OF beside/NAME-SEED.besd"; or without the folder where such a study lies in the current
 * one and none beside, as besd once put it, and *is_old says so. */
besd_status study_place(const char *beside, const char *name, uint64_t seed,
                        char path[STUDY_PLACE_SIZE], bool *is_old, besd_error *error);

/* The name of the study of a description: that of its file without the ending. */
const char *study_place_stem(const char *yaml, char name[STUDY_PLACE_SIZE]);

/* Was the study begun by a trainer of its own? Then the YAML beside it that names the trainer:
 * "NAME.yaml" of NAME-SEED.besd or NAME.besd. It is refused when it is missing, or belongs to
 * somebody else: its command is run. */
besd_status study_place_description(const char *study, bool *has_trainer,
                                    char yaml[STUDY_PLACE_SIZE], besd_error *error);

/* Opens a study that exists, to be read. A description is refused with the name of its
 * study and what to say instead. */
besd_status study_place_open(const char *asked, const char *path, besd_study **study,
                             besd_error *error);

/* Are these files studies, with different names? To be asked before a new study is made. */
besd_status study_place_check_sources(const text_list *from, besd_error *error);

/* Adds the studies in these files as sources of a new study, named by their files. Those that it
 * has already are passed over, so that a command can be given again. */
besd_status study_place_add_sources(besd_study *study, const text_list *from, besd_error *error);

/* Refuses a description of a study where a domain is meant. */
besd_status study_place_refuse(const char *yaml, besd_error *error);

#endif
