/* study.yaml: the description of a study for people. */
#ifndef BESD_CLI_STUDY_YAML_H
#define BESD_CLI_STUDY_YAML_H

#include "besd/besd.h"

typedef struct study_yaml study_yaml;

/* Reads a file; a mistake is told with file, line and field. */
besd_status study_yaml_load(const char *path, study_yaml **loaded, besd_error *error);
void study_yaml_free(study_yaml *y);

/* The options it stands for; pointers live as long as y. */
const besd_study_options *study_yaml_options(const study_yaml *y);

#endif
