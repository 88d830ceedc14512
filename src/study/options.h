/* The options of besd/options.h as a table: one entry for each option, which says where its member
 * is, how it is written and what it may be. Everything that reads or shows options (spec,
 * study.yaml, command line, compare, pages, manual) walks this table by number. */
#ifndef BESD_STUDY_OPTIONS_H
#define BESD_STUDY_OPTIONS_H

#include "besd/besd.h"

#include <jansson.h>

typedef enum study_option_kind {
    STUDY_OPTION_CHOICE,
    STUDY_OPTION_NUMBER,
    STUDY_OPTION_COUNT,
    STUDY_OPTION_SEED,
    STUDY_OPTION_SWITCH
} study_option_kind;

/* Which methods use it. */
typedef enum study_option_user {
    STUDY_OPTION_FOR_ALL,
    STUDY_OPTION_FOR_STARTS,
    STUDY_OPTION_FOR_MODELS,
    STUDY_OPTION_FOR_KG
} study_option_user;

/* The numbers of the options, in the order of the list. */
enum {
#define STUDY_OPTION_NUMBER_OF(kind, type, name, ...) STUDY_OPTION_##name,
    BESD_STUDY_OPTION_LIST(STUDY_OPTION_NUMBER_OF)
#undef STUDY_OPTION_NUMBER_OF
        STUDY_OPTIONS
};

typedef struct study_option {
    const char *name, *unit, *help;
    size_t offset; /* of the member */
    study_option_kind kind;
    study_option_user used_by;
    double low, high, initially;
    const char *(*names)(size_t); /* of a choice */
} study_option;

extern const study_option study_options[STUDY_OPTIONS];

/* Options that have another name than in an older version: X(old, now). Study files, study.yaml and
 * the command line may have the old name; nothing writes it. */
#define STUDY_OPTION_RENAMED_LIST(X) X(explore_until, search_until)

enum {
    STUDY_OPTIONS_RENAMED = 0
#define STUDY_OPTION_COUNT_RENAMED(old, now) +1
    STUDY_OPTION_RENAMED_LIST(STUDY_OPTION_COUNT_RENAMED)
#undef STUDY_OPTION_COUNT_RENAMED
};

/* By its name or its old name; NULL when there is no such option. */
const study_option *study_option_find(const char *name);

/* NULL when it always had the name that it has. */
const char *study_option_old_name(const study_option *option);

/* Does a study of this method use the option? */
bool study_option_matters(const study_option *option, besd_method method);

/* BESD_INVALID with field, value and range. */
besd_status study_option_check(const study_option *option, const besd_study_options *o,
                               besd_error *error);

/* Did besd 0.2.0 have a model of this name that is gone? Files and programs may still name it. */
bool study_model_is_gone(const char *name);

/* Reads a word of YAML or of the command line. BESD_INVALID when it is no value of this kind;
 * study_option_check says whether the value is in range. */
besd_status study_option_parse(const study_option *option, const char *text, besd_study_options *o,
                               besd_error *error);

/* Copies one member. */
void study_option_copy(const study_option *option, const besd_study_options *from,
                       besd_study_options *to);

/* To JSON and back; infinity is null. NULL without memory; false when the JSON has another type. */
json_t *study_option_to_json(const study_option *option, const besd_study_options *o);
bool study_option_from_json(const study_option *option, const json_t *json, besd_study_options *o);

/* For people: "0.25", "none" for infinity, "automatic", "true", "log". */
void study_option_print(const study_option *option, const besd_study_options *o, char *text,
                        size_t size);

#endif
