#include "pages/studies_page.h"

#include "core/error.h"
#include "figures/best_so_far.h"
#include "pages/page.h"
#include "pages/study_page.h"
#include "pages/study_settings.h"

#include <math.h>

typedef struct story {
    study_digest *all;
    size_t count;
    int64_t tau; /* the largest that was told, 0: not the same everywhere */
    bool same_direction, same_transform, same_coordinates;
    bool told, has_lines;              /* in any study */
    bool has_logarithms, has_no_model; /* any study */
} story;

static void find_out(story *s) {
    const besd_study_options *first = &s->all[0].spec.options;
    s->same_direction = s->same_transform = true;
    s->tau = study_digests_common_tau(s->all, s->count);
    s->same_coordinates = study_digests_share_units(s->all, s->count);
    for (size_t i = 0; i < s->count; i++) {
        const besd_study_options *o = &s->all[i].spec.options;
        s->same_direction &= o->direction == first->direction;
        s->same_transform &= o->transform == first->transform;
        s->has_logarithms |= o->transform == BESD_TRANSFORM_LOG;
        s->has_no_model |= !study_digest_has_model(&s->all[i]);
        s->told |= s->all[i].told > 0;
        s->has_lines |= s->all[i].step_count > 0;
    }
}

static bool can_draw(const story *s) {
    return s->same_direction && s->same_transform && s->has_lines;
}

static void tell_head(page *p, const story *s) {
    const besd_study_options *o = &s->all[0].spec.options;
    page_table_begin(p, "",
                     "study|method|model|seed|told|cost|expected score|90 % between|on the "
                     "model's scale");
    if (s->tau)
        page_head(p, "best single trial at tau %lld", (long long)s->tau);
    else
        page_head(p, "best single trial");
    for (size_t i = 0; s->same_coordinates && i < o->dimension; i++) {
        char name[STUDY_COORDINATE_NAME];
        page_head(p, "%s", study_page_coordinate(o, i, name, sizeof name));
    }
}

static void tell_results(page *p, const story *s, const study_digest *d) {
    size_t coordinates = s->same_coordinates ? d->spec.options.dimension : 0;
    if (!d->told) {
        for (size_t i = 0; i < 4 + coordinates; i++)
            page_cell(p, "–");
        return;
    }
    page_number(p, 4, d->best.value);
    if (isfinite(d->best.low) && isfinite(d->best.high))
        page_cell(p, "%.4g – %.4g", d->best.low, d->best.high);
    else
        page_cell(p, "–");
    page_cell(p, "%.4g ± %.2g", d->best.mean, d->best.sd);
    if (s->tau)
        page_number(p, 4, study_digest_best_mean(d));
    else
        page_cell(p, "%.4g at tau %lld", study_digest_best_mean(d), (long long)d->tau);
    for (size_t i = 0; i < coordinates; i++)
        page_cell(p, "%.4g", d->best.theta[i]);
}

static void tell_row(page *p, const story *s, const study_digest *d) {
    const besd_study_options *o = &d->spec.options;
    char failed[40] = "";
    if (d->failed)
        snprintf(failed, sizeof failed, " (%lld failed)", (long long)d->failed);
    page_row(p, "");
    page_cell(p, "%s", d->name);
    page_cell(p, "%s", besd_method_name((size_t)o->method));
    page_cell(p, "%s", study_digest_has_model(d) ? besd_model_name((size_t)o->model) : "–");
    page_cell(p, "%llu", (unsigned long long)o->seed);
    page_cell(p, "%lld%s", (long long)d->told, failed);
    page_cell(p, "%.12g", d->spent);
    tell_results(p, s, d);
}

static void tell_table(page *p, const story *s) {
    page_heading(p, "What they recommend");
    tell_head(p, s);
    for (size_t i = 0; i < s->count; i++)
        tell_row(p, s, &s->all[i]);
    page_table_end(p);
    page_text(
        p,
        "The expected score is that of the recommended design at the longest training, by the "
        "model of all trials of a study; ± is one standard deviation%s. The best single trial "
        "is the best mean score at the largest tau that was told, luck included.",
        s->has_no_model ? ", or the standard error of the best trial where a method has no "
                          "model"
                        : "");
    if (s->has_logarithms)
        page_text(p, "With <code>transform: log</code> the model's scale is that of logarithms; "
                     "the expected score is a mean of scores all the same.");
    if (!s->same_coordinates)
        page_text(p, "The recommended coordinates are left out, because the studies do not have "
                     "the same, in the same units.");
}

/* Why there is no figure. */
static void tell_reason(page *p, const story *s) {
    if (!s->told)
        page_text(p, "There is no figure: nothing has been told yet.");
    else if (!s->has_lines)
        page_text(p, "There is no figure: no told score is a number that can be drawn.");
    else
        page_text(p,
                  s->same_direction || s->same_transform
                      ? "There is no figure: the studies differ in <code>%s</code>, and their "
                        "scores have no axis in common."
                      : "There is no figure: the studies differ in <code>%s</code> and "
                        "<code>transform</code>, and their scores have no axis in common.",
                  s->same_direction ? "transform" : "direction");
}

static besd_status tell_story(page *p, const story *s, const char *svg, besd_error *error) {
    tell_table(p, s);
    page_heading(p, "What they found on the way");
    if (can_draw(s))
        page_figure(
            p, svg,
            "The best mean score of a told trial as cost grows. It has the luck of a single "
            "trial in it; what is to be expected stands in the table.");
    else
        tell_reason(p, s);
    page_heading(p, "In what they differ");
    return option_differences_tell(p, s->all, s->count, error);
}

static besd_status draw(const story *s, page_figures *f, char *svg, size_t size,
                        besd_error *error) {
    char file[1100];
    page_figures_name(f, "best", file, sizeof file);
    remove(page_figures_svg(f, "best", svg, size)); /* an older one is not of these studies */
    return page_figures_note(f, "best", best_so_far_draw(s->all, s->count, f->folder, file, error));
}

static besd_status open_page(page *p, const story *s, const char *path, besd_error *error) {
    char title[80], standfirst[200];
    int64_t told = 0;
    double spent = 0;
    for (size_t i = 0; i < s->count; i++) {
        told += s->all[i].told;
        spent += s->all[i].spent;
    }
    snprintf(title, sizeof title, "%zu studies side by side", s->count);
    snprintf(standfirst, sizeof standfirst, "%lld told trials at a cost of %.12g%s.",
             (long long)told, spent,
             !s->same_direction                                  ? ""
             : s->all[0].spec.options.direction == BESD_MINIMIZE ? "; a smaller score is better"
                                                                 : "; a larger score is better");
    return page_open(p, path, title, standfirst, error);
}

static besd_status write_page(const story *s, const char *base, page_figures *f,
                              besd_error *error) {
    char path[1024], svg[2100] = "";
    page p;
    besd_status status = can_draw(s) ? draw(s, f, svg, sizeof svg, error) : BESD_OK;
    snprintf(path, sizeof path, "%s.html", base);
    if (status == BESD_OK)
        status = open_page(&p, s, path, error);
    if (status != BESD_OK)
        return status;
    status = tell_story(&p, s, svg, error);
    besd_status closed = page_close(&p, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? closed : status;
}

besd_status studies_page_write(const char *const *paths, size_t count, const char *base,
                               bool keep_figures, besd_error *error) {
    story s = {.count = count};
    page_figures figures = {0};
    besd_status status = study_digests_read(paths, count, &s.all, error);
    if (status != BESD_OK)
        return status;
    find_out(&s);
    status = page_figures_begin(&figures, base, keep_figures, error);
    if (status == BESD_OK)
        status = write_page(&s, base, &figures, error);
    page_figures_end(&figures);
    study_digests_free(s.all, count);
    return status == BESD_OK ? page_figures_judge(&figures, error) : status;
}
