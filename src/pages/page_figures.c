#define _GNU_SOURCE /* mkdtemp */
#include "pages/page_figures.h"

#include "core/error.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

besd_status page_figures_begin(page_figures *f, const char *base, bool kept, besd_error *error) {
    char folder[1000], name[1000];
    const char *place = getenv("TMPDIR");
    *f = (page_figures){.kept = kept};
    snprintf(folder, sizeof folder, "%s", base);
    snprintf(name, sizeof name, "%s", base);
    if (kept) {
        snprintf(f->folder, sizeof f->folder, "%s", dirname(folder));
        snprintf(f->prefix, sizeof f->prefix, "%s", basename(name));
        return BESD_OK;
    }
    snprintf(f->folder, sizeof f->folder, "%.900s/besd-page-XXXXXX",
             place && *place ? place : "/tmp");
    snprintf(f->prefix, sizeof f->prefix, "page");
    f->made = mkdtemp(f->folder) != NULL;
    return f->made ? BESD_OK
                   : besd_fail(error, BESD_IO, "%s: no folder for figures can be made: %s",
                               f->folder, strerror(errno));
}

void page_figures_name(const page_figures *f, const char *name, char *file, size_t size) {
    snprintf(file, size, "%s-%s", f->prefix, name);
}

const char *page_figures_svg(const page_figures *f, const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s-%s.svg", f->folder, f->prefix, name);
    return path;
}

besd_status page_figures_note(page_figures *f, const char *name, besd_status drawn) {
    char script[2100];
    snprintf(script, sizeof script, "%s/%s-%s.gp", f->folder, f->prefix, name);
    if (!f->kept)
        unlink(script);
    f->lacks_gnuplot |= drawn == BESD_UNSUPPORTED;
    return drawn == BESD_UNSUPPORTED ? BESD_OK : drawn;
}

besd_status page_figures_draw(page_figures *f, const char *kind_name, besd_study *study,
                              besd_error *error) {
    char file[1100], svg[2100];
    const figure_kind *kind;
    besd_status status = figure_find(kind_name, &kind, error);
    if (status != BESD_OK)
        return status;
    page_figures_name(f, kind_name, file, sizeof file);
    unlink(page_figures_svg(f, kind_name, svg, sizeof svg)); /* an older one is not of this study */
    status = figure_make(kind, &(figure_source){.study = study}, f->folder, file, PLOT_SVG, error);
    return page_figures_note(f, kind_name, status);
}

void page_figures_end(page_figures *f) {
    DIR *folder = f->made ? opendir(f->folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    if (f->made)
        rmdir(f->folder);
    f->made = false;
}

besd_status page_figures_judge(const page_figures *f, besd_error *error) {
    return f->lacks_gnuplot
               ? besd_fail(error, BESD_UNSUPPORTED,
                           "gnuplot was not found, so the page has no figures: install gnuplot (on "
                           "Debian: apt install gnuplot-nox) and report again%s",
                           f->kept ? "; their scripts are beside the page" : "")
               : BESD_OK;
}
