/* besd report and besd paper: the live page as a file, with what it shows inside. */
#define _GNU_SOURCE /* asprintf */
#include "cli/common.h"
#include "cli/compare.h"
#include "cli/progress.h"
#include "cli/study_place.h"
#include "contest/export.h"
#include "contest/findings.h"
#include "contest/summary_json.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/print.h"
#include "core/text.h"
#include "figures/comparison_figures.h"
#include "page/documents.h"
#include "page/outline.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* What is known of a comparison besides its results: how it was made, and on what machine. */
/* Figures that only gnuplot draws, as `besd paper` left them in DIR/figures. */
static const char *const drawings[] = {"surface", "values", "slices"};

/* A picture as an address that has it inside. It is shown as an image, so nothing in it can run. */
static void add_picture(json_t **pictures, const char *folder, const char *name) {
    char path[1100], *address;
    snprintf(path, sizeof path, "%s/figures/%s.svg", folder, name);
    if (picture_load(path, "image/svg+xml", &address, NULL) == BESD_OK) {
        json_put(pictures, name, json_string(address));
        free(address);
    }
}

static const char *read_processor(char *text, size_t size) {
    char line[300];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(text, size, "an unknown processor");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
            line[strcspn(line, "\n")] = 0;
            snprintf(text, size, "%.200s", strchr(line, ':') + 2);
            break;
        }
    if (file)
        fclose(file);
    text_clean(text);
    return text;
}

static json_t *describe_making(const findings *f, const char *command) {
    char processor[220];
    struct utsname machine = {0};
    uname(&machine);
    return json_pack("{s:s?, s:f, s:s, s:I, s:s}", "command", command, "seconds", f->table.seconds,
                     "processor", read_processor(processor, sizeof processor), "cores",
                     (json_int_t)sysconf(_SC_NPROCESSORS_ONLN), "system", machine.sysname);
}

static besd_status write_comparison(const findings *f, const char *folder, const char *command,
                                    const char *path, besd_error *error) {
    documents d;
    json_t *pictures = json_object();
    documents_begin(&d, clock_date());
    documents_add(&d, "comparison", summary_json(&f->summary, &f->table1));
    documents_add(&d, "making", describe_making(f, command));
    for (size_t i = 0; i < sizeof drawings / sizeof *drawings; i++)
        add_picture(&pictures, folder, drawings[i]);
    documents_add(&d, "pictures", pictures);
    besd_status status = documents_write(&d, path, error);
    documents_free(&d);
    return status;
}

/* The paper's figures in FOLDER/figures; nothing for other comparisons. */
static besd_status draw_figures(const findings *f, const char *folder, const char *command,
                                besd_error *error) {
    char figures[1100];
    snprintf(figures, sizeof figures, "%s/figures", folder);
    if (!command)
        return BESD_OK;
    if (mkdir(figures, 0777) != 0 && errno != EEXIST)
        return besd_fail(error, BESD_IO, "%s: %s", figures, strerror(errno));
    return comparison_figures_draw(f, figures, error);
}

/* Exports and page of a comparison's folder; `command`: of the paper's comparison, or NULL. Without
 * gnuplot there is a page, but the paper's figures are missed. */
static int report_comparison(const verb *v, const char *folder, const char *command) {
    besd_error error;
    char path[1100];
    besd_status drawn = BESD_OK;
    findings *f = calloc(1, sizeof *f);
    if (!f)
        return refuse_memory(v);
    snprintf(path, sizeof path, "%s/index.html", folder);
    besd_status status = findings_load(folder, f, &error);
    if (status == BESD_OK)
        status = export_all(&f->summary, &f->table1, folder, &error);
    if (status == BESD_OK)
        drawn = draw_figures(f, folder, command, &error);
    if (status == BESD_OK && (drawn == BESD_OK || drawn == BESD_UNSUPPORTED))
        status = write_comparison(f, folder, command, path, drawn == BESD_OK ? &error : NULL);
    findings_free(f);
    free(f);
    if (status != BESD_OK || drawn != BESD_OK)
        return refuse(v, &error);
    print_clean(stdout, "%s\n", path);
    return finish_output(v);
}

/* The path without the ending of its file name. */
static void drop_ending(char *path) {
    char *ending = strrchr(path, '.');
    if (ending && ending > strrchr(path, '/') && ending != path)
        *ending = 0;
}

/* What a page calls the study of a file: its name without the ending, with as many folders as tell
 * it from the others. */
enum { NAME_SIZE = 300 };
static const char *last_parts(const char *path, size_t parts) {
    const char *at = path + strlen(path);
    while (at > path && (at[-1] != '/' || --parts))
        at--;
    return at;
}

static const char *name_study(const char *const *paths, size_t count, size_t which,
                              char name[NAME_SIZE]) {
    size_t parts = 1;
    for (size_t i = 0; i < count; i++)
        while (i != which && last_parts(paths[which], parts) > paths[which] &&
               !strcmp(last_parts(paths[i], parts), last_parts(paths[which], parts)))
            parts++;
    snprintf(name, NAME_SIZE, "%s", last_parts(paths[which], parts));
    drop_ending(name);
    text_clean(name);
    return name;
}

/* What a page of studies is made of. */
typedef struct study_files {
    const char *const *paths;
    size_t count;
    bool named; /* one by one: a file that cannot be read is refused, and not shown as broken */
} study_files;

static besd_status add_study(const verb *v, documents *d, const study_files *files, size_t which,
                             besd_error *error) {
    char name[NAME_SIZE];
    besd_study *study = NULL;
    besd_error own = {0};
    name_study(files->paths, files->count, which, name);
    besd_status status = study_place_open(v->name, files->paths[which], &study, &own);
    if (status == BESD_OK) {
        status = documents_add_study(d, name, study, &own);
    } else if (!files->named && status != BESD_MEMORY) {
        text_clean(own.message);
        documents_add_broken(d, name, own.message);
        status = BESD_OK;
    }
    besd_study_close(study);
    return status == BESD_OK ? BESD_OK : besd_fail(error, status, "%s", own.message);
}

/* rover.besd becomes rover.html beside it; several become studies.html beside the first. */
static int report_studies(const verb *v, const study_files *files, const char *out) {
    const char *const *paths = files->paths;
    size_t count = files->count;
    char base[1000], page[1010];
    besd_error error;
    documents d;
    const char *slash = strrchr(paths[0], '/');
    if (out || count == 1)
        snprintf(base, sizeof base, "%s", out ? out : paths[0]);
    else
        snprintf(base, sizeof base, "%.*sstudies", slash ? (int)(slash - paths[0]) + 1 : 0,
                 paths[0]);
    if (out || count == 1)
        drop_ending(base);
    snprintf(page, sizeof page, "%s.html", base);
    documents_begin(&d, clock_date());
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = add_study(v, &d, files, i, &error);
    if (status == BESD_OK)
        status = documents_write(&d, page, &error);
    documents_free(&d);
    if (status != BESD_OK)
        return refuse(v, &error);
    print_clean(stdout, "%s\n", page);
    return finish_output(v);
}

static int is_study_file(const struct dirent *entry) {
    const char *ending = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && ending && !strcmp(ending, ".besd");
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* All studies of a folder. */
static int report_folder(const verb *v, const char *folder, const char *out) {
    struct dirent **entries = NULL;
    besd_error error;
    int code = EXIT_REFUSED, count = scandir(folder, &entries, is_study_file, by_name);
    char **paths = count > 0 ? calloc((size_t)count, sizeof *paths) : NULL;
    bool known = paths != NULL;
    for (int i = 0; known && i < count; i++)
        known = asprintf(&paths[i], "%s/%s", folder, entries[i]->d_name) > 0;
    if (count <= 0) {
        besd_error_set(&error, BESD_INVALID,
                       "%s: expected the folder of a comparison (results.besd) or one with "
                       "studies (*.besd), found neither",
                       folder);
        code = refuse(v, &error);
    } else {
        const study_files files = {(const char *const *)paths, (size_t)count, false};
        code = known ? report_studies(v, &files, out) : refuse_memory(v);
    }
    for (int i = 0; i < count; i++) {
        free(paths ? paths[i] : NULL);
        free(entries[i]);
    }
    free(paths);
    free(entries);
    return code;
}

static besd_status look_at(const char *path, struct stat *info, besd_error *error) {
    return stat(path, info) == 0 ? BESD_OK
                                 : besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
}

/* Several arguments are studies, each given once. */
static besd_status check_studies(const char *const *paths, size_t count, besd_error *error) {
    struct stat info, other;
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        status = look_at(paths[i], &info, error);
        if (status == BESD_OK && S_ISDIR(info.st_mode))
            status =
                besd_fail(error, BESD_INVALID,
                          "%s: it is a folder; a page is of one folder, or of studies", paths[i]);
        for (size_t j = 0; status == BESD_OK && j < i; j++) {
            status = look_at(paths[j], &other, error);
            if (status == BESD_OK && info.st_dev == other.st_dev && info.st_ino == other.st_ino)
                status = besd_fail(error, BESD_INVALID, "%s: the same study as %s, expected others",
                                   paths[i], paths[j]);
        }
    }
    return status;
}

static bool is_comparison(const char *folder) {
    char path[1100];
    snprintf(path, sizeof path, "%s/results.besd", folder);
    return access(path, F_OK) == 0;
}

static int report_objects(const verb *v, const char *const *objects, const char *out) {
    struct stat info;
    besd_error error;
    size_t count = 1; /* at least */
    while (objects[count])
        count++;
    besd_status status =
        count > 1 ? check_studies(objects, count, &error) : look_at(objects[0], &info, &error);
    if (status != BESD_OK)
        return refuse(v, &error);
    if (count > 1 || !S_ISDIR(info.st_mode))
        return report_studies(v, &(study_files){objects, count, true}, out);
    if (!is_comparison(objects[0]))
        return report_folder(v, objects[0], out);
    if (out)
        return usage_error(v, "--out is for studies; the page of a comparison is DIR/index.html");
    return report_comparison(v, objects[0], NULL);
}

int run_report(const verb *v, int argc, char **argv) {
    const char *out = NULL, **objects = calloc((size_t)argc + 1, sizeof *objects);
    option options[] = {
        {"out", OPTION_TEXT, &out, "FILE",
         "the page of studies (default: FILE.html, of several studies.html beside the first)"},
        {0}};
    if (!objects)
        return refuse_memory(v);
    int code;
    if (options_parse(v, options, argc, argv, objects, 1, argc, &code))
        code = report_objects(v, objects, out);
    free(objects);
    return code;
}

static const char paper_methods[] = "besd,ei,ei-paper,lcb,hyperband,random,ql,tql";

enum { REPLICATIONS = 50, QUICK_REPLICATIONS = 5 };

static besd_status describe_paper(comparison *c, uint64_t seed, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && domain_name(i); i++) {
        contest *one = &c->contests[c->contest_count++];
        domain d;
        status = domain_find(domain_name(i), &d, error);
        if (status == BESD_OK)
            contest_init(one, &d);
        one->seed = seed;
    }
    if (status == BESD_OK)
        status = add_contenders(c, paper_methods, error);
    for (int i = 0; status == BESD_OK && i < c->contender_count; i++)
        contender_as_paper(&c->contenders[i]);
    return status;
}

int run_paper(const verb *v, int argc, char **argv) {
    const char *folder = NULL;
    int64_t threads = 0;
    uint64_t seed = 1;
    bool quick = false, quiet = false, is_first = true;
    besd_error error;
    char command[200];
    option options[] = {
        {"out", OPTION_TEXT, &folder, "DIR", "where everything goes; resumed when it exists"},
        {"quick", OPTION_FLAG, &quick, NULL, "5 replications instead of 50"},
        {"threads", OPTION_INTEGER, &threads, "N", "jobs at once (default: all processors)"},
        {"seed", OPTION_SEED, &seed, "S", "names all randomness (default 1)"},
        {"quiet", OPTION_FLAG, &quiet, NULL, "no progress"},
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, NULL, 0, 0, &code))
        return code;
    if (!folder)
        return usage_error(v, "--out is missing; it takes a folder for the results");
    comparison *c = calloc(1, sizeof *c);
    besd_status status = c ? BESD_OK : besd_fail_memory(&error, "the comparison");
    if (status == BESD_OK && !*folder)
        status = besd_fail(&error, BESD_INVALID, "out: expected a folder for the results");
    if (status == BESD_OK && (threads < 0 || threads > 1024))
        status = besd_fail(&error, BESD_INVALID,
                           "threads: expected up to 1024, or 0 for all processors, got %lld",
                           (long long)threads);
    if (status == BESD_OK) {
        c->replications = quick ? QUICK_REPLICATIONS : REPLICATIONS;
        c->threads = (int)threads;
        status = describe_paper(c, seed, &error);
    }
    if (status == BESD_OK)
        status = compare_anywhere(c, folder, quiet, &is_first, &error);
    free(c);
    if (status != BESD_OK)
        return refuse(v, &error);
    snprintf(command, sizeof command, "besd paper --out DIR%s --seed %llu", quick ? " --quick" : "",
             (unsigned long long)seed);
    return is_first ? report_comparison(v, folder, command) : 0;
}
