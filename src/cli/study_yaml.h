/* study.yaml: the description of a study for people. */
#ifndef BESD_CLI_STUDY_YAML_H
#define BESD_CLI_STUDY_YAML_H

#include "besd/besd.h"

enum { STUDY_YAML_LONGEST_COMMAND = 4000 };

typedef struct study_yaml study_yaml;

/* Reads a file; a mistake is told with file, line and field. */
besd_status study_yaml_load(const char *path, study_yaml **loaded, besd_error *error);
void study_yaml_free(study_yaml *y);

/* Is this the name of a file with the description of a study, as opposed to a grid domain? */
bool study_yaml_is(const char *path);

/* The options it stands for; pointers live as long as y. */
const besd_study_options *study_yaml_options(const study_yaml *y);

/* The path that theta is; 0 points: none. */
const besd_path *study_yaml_path(const study_yaml *y);

/* Does it name a file with a picture? Whoever sends a description over a network must not. */
bool study_yaml_has_picture(const study_yaml *y);

/* The tasks; count 0: none. */
const besd_tasks *study_yaml_tasks(const study_yaml *y);

/* Declares it in a study that was opened with the options; one that has trials must have had the
 * same path from the beginning, or none as well. An outline is kept for pictures. */
besd_status study_yaml_declare(const study_yaml *y, besd_study *study, besd_error *error);

/* The trainer: its command (NULL: none), the folder it runs in, which is that of the file (NULL:
 * the current one), seconds for a trial (0: as many as it takes), and how often a trial that failed
 * is run again before it counts as failed. */
const char *study_yaml_command(const study_yaml *y);
const char *study_yaml_folder(const study_yaml *y);
double study_yaml_timeout(const study_yaml *y);
int study_yaml_retries(const study_yaml *y);

#endif
