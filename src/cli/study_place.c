#include "cli/study_place.h"

#include "cli/study_yaml.h"
#include "core/error.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

besd_status study_place(const char *beside, const char *name, uint64_t seed,
                        char path[STUDY_PLACE_SIZE], bool *is_old, besd_error *error) {
    const char *slash = strrchr(beside, '/');
    int folder = slash ? (int)(slash - beside) + 1 : 0;
    int length = snprintf(path, STUDY_PLACE_SIZE, "%.*s%s-%llu.besd", folder, beside, name,
                          (unsigned long long)seed);
    *is_old = false;
    if (length >= STUDY_PLACE_SIZE)
        return besd_fail(error, BESD_INVALID, "study: its name is longer than %d bytes",
                         STUDY_PLACE_SIZE - 1);
    if (folder && access(path, F_OK) != 0 && access(path + folder, F_OK) == 0) {
        memmove(path, path + folder, strlen(path + folder) + 1);
        *is_old = true;
    }
    return BESD_OK;
}

const char *study_place_stem(const char *yaml, char name[STUDY_PLACE_SIZE]) {
    const char *slash = strrchr(yaml, '/'), *file = slash ? slash + 1 : yaml;
    const char *dot = strrchr(file, '.');
    snprintf(name, STUDY_PLACE_SIZE, "%.*s", (int)(dot ? dot - file : (long)strlen(file)), file);
    return name;
}

/* NAME.yaml of NAME.besd, or without a "-SEED" at its end; false: there is none. */
static bool find_beside(const char *study, bool with_seed, const char *ending,
                        char yaml[STUDY_PLACE_SIZE]) {
    size_t length = strlen(study) - strlen(".besd");
    if (with_seed) {
        size_t digits = length;
        while (digits && isdigit((unsigned char)study[digits - 1]))
            digits--;
        if (digits == length || !digits || study[digits - 1] != '-')
            return false;
        length = digits - 1;
    }
    int written = snprintf(yaml, STUDY_PLACE_SIZE, "%.*s.%s", (int)length, study, ending);
    return written < STUDY_PLACE_SIZE && access(yaml, F_OK) == 0 && study_yaml_is(yaml);
}

/* Whoever may change the description decides what is run. */
static besd_status check_owner(const char *yaml, besd_error *error) {
    struct stat file;
    if (stat(yaml, &file) == 0 && (file.st_uid == geteuid() || file.st_uid == 0) &&
        !(file.st_mode & S_IWOTH))
        return BESD_OK;
    return besd_fail(
        error, BESD_INVALID,
        "%.150s: it belongs to somebody else, or others may change it, and its command "
        "would be run; read it, and say: besd run %.150s",
        yaml, yaml);
}

besd_status study_place_description(const char *study, bool *has_trainer,
                                    char yaml[STUDY_PLACE_SIZE], besd_error *error) {
    besd_study *s = NULL;
    char command[8] = "", domain[8] = "";
    besd_status status = besd_study_open(&s, study, NULL, error);
    if (status == BESD_OK)
        status = besd_study_get_note(s, "command", command, sizeof command, error);
    if (status == BESD_OK)
        status = besd_study_get_note(s, "domain", domain, sizeof domain, error);
    besd_study_close(s);
    *has_trainer = status == BESD_OK && *command && !*domain;
    if (!*has_trainer)
        return status;
    static const char *const endings[] = {"yaml", "yml"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        for (int with_seed = 0; with_seed < 2; with_seed++)
            if (find_beside(study, with_seed, endings[i], yaml))
                return check_owner(yaml, error);
    return besd_fail(error, BESD_INVALID,
                     "%.150s: a study file starts no trainer by itself, and no description lies "
                     "beside it; say: besd run STUDY.yaml --study %.150s",
                     study, study);
}

/* The study of a description, if it can be found, and what to do about it. */
static void describe_place(const char *yaml, const char *asked, char *text, size_t size) {
    study_yaml *y = NULL;
    char path[STUDY_PLACE_SIZE], name[STUDY_PLACE_SIZE];
    bool is_old;
    besd_error ignored;
    if (study_yaml_load(yaml, &y, &ignored) != BESD_OK ||
        study_place(yaml, study_place_stem(yaml, name), study_yaml_options(y)->seed, path, &is_old,
                    &ignored) != BESD_OK ||
        access(path, F_OK) != 0)
        snprintf(text, size, "'besd run %.150s' makes one of it", yaml);
    else
        snprintf(text, size, "its study is in %.150s: besd %s %.150s", path, asked, path);
    study_yaml_free(y);
}

besd_status study_place_open(const char *asked, const char *path, besd_study **study,
                             besd_error *error) {
    char advice[BESD_ERROR_MESSAGE_SIZE];
    if (!study_yaml_is(path))
        return besd_study_open(study, path, NULL, error);
    describe_place(path, asked, advice, sizeof advice);
    return besd_fail(error, BESD_INVALID, "%.120s is a description of a study, not a study; %s",
                     path, advice);
}

static bool has_source(const besd_study *study, const char *name) {
    for (size_t i = 0; i < besd_study_source_count(study); i++)
        if (!strcmp(besd_study_source_name(study, i), name))
            return true;
    return false;
}

static besd_status add_source(besd_study *study, const char *path, besd_error *error) {
    char name[STUDY_PLACE_SIZE];
    besd_study *from;
    if (has_source(study, study_place_stem(path, name)))
        return BESD_OK;
    besd_status status = study_place_open("recommend", path, &from, error);
    if (status != BESD_OK)
        return status;
    status = besd_study_add_source(study, from, name, error);
    besd_study_close(from);
    return status;
}

/* Sources are told apart by their names. */
static besd_status check_names(const text_list *from, besd_error *error) {
    char one[STUDY_PLACE_SIZE], other[STUDY_PLACE_SIZE];
    for (size_t i = 0; i < from->count; i++)
        for (size_t j = 0; j < i; j++)
            if (!strcmp(study_place_stem(from->items[j], one),
                        study_place_stem(from->items[i], other)))
                return besd_fail(error, BESD_INVALID,
                                 "--from: expected files of different names, got %.150s and "
                                 "%.150s",
                                 from->items[j], from->items[i]);
    return BESD_OK;
}

besd_status study_place_check_sources(const text_list *from, besd_error *error) {
    besd_status status = check_names(from, error);
    for (size_t i = 0; status == BESD_OK && i < from->count; i++) {
        besd_study *study = NULL;
        status = study_place_open("recommend", from->items[i], &study, error);
        besd_study_close(study);
    }
    return status;
}

besd_status study_place_add_sources(besd_study *study, const text_list *from, besd_error *error) {
    besd_status status = check_names(from, error);
    for (size_t i = 0; status == BESD_OK && i < from->count; i++)
        status = add_source(study, from->items[i], error);
    return status;
}

besd_status study_place_refuse(const char *yaml, besd_error *error) {
    char advice[BESD_ERROR_MESSAGE_SIZE];
    describe_place(yaml, "recommend", advice, sizeof advice);
    return besd_fail(error, BESD_INVALID,
                     "%.120s describes a study with a trainer of its own, and no domain; %s", yaml,
                     advice);
}
