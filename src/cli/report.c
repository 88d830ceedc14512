/* besd report and besd paper: pages that show what came out. */
#include "cli/common.h"
#include "cli/compare.h"
#include "cli/progress.h"
#include "cli/study_place.h"
#include "contest/export.h"
#include "core/error.h"
#include "core/print.h"
#include "pages/comparison_page.h"
#include "pages/studies_page.h"
#include "pages/study_page.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Exports, figures and page of a folder; `command`: of the paper's comparison, or NULL. */
static int report_folder(const verb *v, const char *folder, const char *command) {
    besd_error error;
    findings *f = calloc(1, sizeof *f);
    if (!f)
        return refuse_memory(v);
    besd_status status = findings_load(folder, f, &error);
    if (status == BESD_OK)
        status = export_all(&f->summary, &f->table1, folder, &error);
    if (status == BESD_OK)
        status = comparison_page_write(&(comparison_story){.findings = f,
                                                           .folder = folder,
                                                           .command = command,
                                                           .version = BESD_VERSION,
                                                           .with_study = command != NULL},
                                       &error);
    findings_free(f);
    free(f);
    if (status != BESD_OK)
        return refuse(v, &error);
    print_clean(stdout, "%s/index.html\n", folder);
    return finish_output(v);
}

/* The path without the ending of its file name. */
static void drop_ending(char *path) {
    char *ending = strrchr(path, '.');
    if (ending && ending > strrchr(path, '/') && ending != path)
        *ending = 0;
}

/* rover.besd becomes rover.html beside it. */
static int report_study(const verb *v, const char *path, const char *out, bool keep) {
    char base[1000], name[1000];
    besd_study *study = NULL;
    besd_error error;
    snprintf(base, sizeof base, "%s", out ? out : path);
    drop_ending(base);
    snprintf(name, sizeof name, "%s", path);
    besd_status status = study_place_open(v->name, path, &study, &error);
    if (status == BESD_OK)
        status = study_page_write(study, basename(name), base, keep, &error);
    besd_study_close(study);
    if (status != BESD_OK)
        return refuse(v, &error);
    print_clean(stdout, "%s.html\n", base);
    return finish_output(v);
}

/* Several studies: studies.html beside the first. */
static int report_studies(const verb *v, const char *const *paths, size_t count, const char *out,
                          bool keep) {
    char base[1000];
    besd_error error;
    const char *slash = strrchr(paths[0], '/');
    int folder = slash ? (int)(slash - paths[0]) + 1 : 0;
    if (out) {
        snprintf(base, sizeof base, "%s", out);
        drop_ending(base);
    } else {
        snprintf(base, sizeof base, "%.*sstudies", folder, paths[0]);
    }
    if (studies_page_write(paths, count, base, keep, &error) != BESD_OK)
        return refuse(v, &error);
    print_clean(stdout, "%s.html\n", base);
    return finish_output(v);
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
            status = besd_fail(error, BESD_INVALID,
                               "%s: it is a folder; a page is of one comparison, or of studies",
                               paths[i]);
        for (size_t j = 0; status == BESD_OK && j < i; j++) {
            status = look_at(paths[j], &other, error);
            if (status == BESD_OK && info.st_dev == other.st_dev && info.st_ino == other.st_ino)
                status = besd_fail(error, BESD_INVALID, "%s: the same study as %s, expected others",
                                   paths[i], paths[j]);
        }
    }
    return status;
}

static int report_objects(const verb *v, const char *const *objects, const char *out, bool keep) {
    struct stat info;
    besd_error error;
    size_t count = 1; /* at least */
    while (objects[count])
        count++;
    besd_status status =
        count > 1 ? check_studies(objects, count, &error) : look_at(objects[0], &info, &error);
    if (status != BESD_OK)
        return refuse(v, &error);
    if (count > 1)
        return report_studies(v, objects, count, out, keep);
    if (!S_ISDIR(info.st_mode))
        return report_study(v, objects[0], out, keep);
    if (out)
        return usage_error(v, "--out is for studies; the page of a comparison is DIR/index.html");
    return report_folder(v, objects[0], NULL);
}

int run_report(const verb *v, int argc, char **argv) {
    const char *out = NULL, **objects = calloc((size_t)argc + 1, sizeof *objects);
    bool keep = false;
    option options[] = {
        {"out", OPTION_TEXT, &out, "FILE",
         "the page of studies (default: FILE.html, of several studies.html beside the first)"},
        {"figures", OPTION_FLAG, &keep, NULL,
         "keep the figures of studies and their gnuplot scripts, beside the page"},
        {0}};
    if (!objects)
        return refuse_memory(v);
    int code;
    if (options_parse(v, options, argc, argv, objects, 1, argc, &code))
        code = report_objects(v, objects, out, keep);
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
    return is_first ? report_folder(v, folder, command) : 0;
}
