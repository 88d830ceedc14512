#include "pages/study_page.h"

#include "core/error.h"
#include "figures/figure.h"
#include "pages/page.h"
#include "study/method.h"

#include <libgen.h>
#include <math.h>
#include <stdio.h>

enum { LAST_TRIALS = 500 }; /* as many are listed */
enum { LONGEST_NOTE = 160 };

typedef struct study_story {
    besd_study *study;
    const besd_study_options *options;
    besd_recommendation best;
    int64_t trials;
    double spent;
} study_story;

static besd_status read_study(besd_study *study, study_story *s, besd_error *error) {
    *s = (study_story){.study = study, .options = besd_study_get_options(study)};
    besd_status status = besd_study_trial_count(study, &s->trials, error);
    if (status == BESD_OK)
        status = besd_study_spent(study, &s->spent, error);
    return status == BESD_OK ? besd_study_recommend(study, &s->best, error) : status;
}

const char *study_page_coordinate(const besd_study_options *o, size_t i, char *text, size_t size) {
    const char *unit = o->units[i];
    snprintf(text, size, "%s%s%s%s", o->names[i], *unit ? " (" : "", unit, *unit ? ")" : "");
    return text;
}

static void tell_recommendation(page *p, const study_story *s) {
    const besd_study_options *o = s->options;
    char name[STUDY_COORDINATE_NAME];
    page_heading(p, "The recommendation");
    char between[80] = "";
    if (isfinite(s->best.low) && isfinite(s->best.high))
        snprintf(between, sizeof between, ", with 90 %% probability between %.4g and %.4g",
                 s->best.low, s->best.high);
    page_text(p,
              "After %lld told trials and a cost of %.12g%s: an expected score of <b>%.4g</b> at "
              "the longest training%s (on the model's scale %.4g ± %.2g).%s",
              (long long)s->best.trials, s->best.cost, isinf(o->budget) ? ", without a budget" : "",
              s->best.value, between, s->best.mean, s->best.sd,
              s->best.tried ? "" : " This very design was not tried at the longest training.");
    page_table_begin(p, "The recommended design", "coordinate|recommended|lowest|highest");
    for (size_t i = 0; i < o->dimension; i++) {
        page_row(p, "ours");
        page_cell(p, "%s", study_page_coordinate(o, i, name, sizeof name));
        page_cell(p, "%.5g", s->best.theta[i]);
        page_cell(p, "%g", o->low[i]);
        page_cell(p, "%g", o->high[i]);
    }
    page_table_end(p);
}

static besd_status tell_trials(page *p, const study_story *s, besd_error *error) {
    const besd_study_options *o = s->options;
    char note[LONGEST_NOTE], name[STUDY_COORDINATE_NAME];
    int64_t first = s->trials > LAST_TRIALS ? s->trials - LAST_TRIALS + 1 : 1;
    page_heading(p, "The trials");
    if (first > 1)
        page_text(p, "The last %d of %lld.", LAST_TRIALS, (long long)s->trials);
    page_table_begin(p, "", "trial|why|state|tau|reps|cost|mean score");
    for (size_t i = 0; i < o->dimension; i++)
        page_head(p, "%s", study_page_coordinate(o, i, name, sizeof name));
    page_head(p, "note");
    besd_status status = BESD_OK;
    for (int64_t id = first; status == BESD_OK && id <= s->trials; id++) {
        besd_trial t;
        status = besd_study_trial(s->study, id, &t, error);
        if (status == BESD_OK)
            status = besd_study_get_trial_note(s->study, id, note, sizeof note, error);
        if (status != BESD_OK)
            break;
        page_row(p, "");
        page_cell(p, "%lld", (long long)id);
        page_cell(p, "%s", besd_reason_name((size_t)t.reason));
        page_cell(p, "%s", besd_trial_state_name((size_t)t.state));
        page_cell(p, "%lld", (long long)t.tau);
        page_cell(p, "%d", t.reps);
        page_cell(p, "%.12g", t.cost);
        t.state == BESD_TRIAL_TOLD ? page_cell(p, "%.4g", t.mean) : page_cell(p, "–");
        for (size_t i = 0; i < o->dimension; i++)
            page_cell(p, "%.4g", t.theta[i]);
        page_cell(p, "%s", note);
    }
    page_table_end(p);
    return status;
}

static besd_status draw_slices(const study_story *s, const char *base, char *svg, size_t size,
                               besd_error *error) {
    char folder[1024], name[1024];
    const figure_kind *kind;
    besd_status status = figure_find("slices", &kind, error);
    if (status != BESD_OK)
        return status;
    snprintf(folder, sizeof folder, "%s", base);
    snprintf(name, sizeof name, "%s-slices", base);
    snprintf(svg, size, "%s-slices.svg", base);
    return figure_make(kind, &(figure_source){.study = s->study}, dirname(folder), basename(name),
                       PLOT_SVG, error);
}

besd_status study_page_write(besd_study *study, const char *name, const char *base,
                             besd_error *error) {
    char path[1024], svg[1024], title[300], standfirst[400];
    study_story s;
    page p;
    besd_status status = read_study(study, &s, error), drawn;
    if (status != BESD_OK)
        return status;
    bool has_model = method_describe(s.options->method)->has_model;
    drawn = has_model ? draw_slices(&s, base, svg, sizeof svg, error) : BESD_OK;
    if (drawn != BESD_OK && drawn != BESD_UNSUPPORTED)
        return drawn;
    snprintf(path, sizeof path, "%s.html", base);
    snprintf(title, sizeof title, "The study %s", name);
    snprintf(standfirst, sizeof standfirst, "Method %s, seed %llu; %lld trials at a cost of %.12g.",
             besd_method_name((size_t)s.options->method), (unsigned long long)s.options->seed,
             (long long)s.trials, s.spent);
    besd_error own;
    status = page_open(&p, path, title, standfirst, &own);
    if (status == BESD_OK) {
        tell_recommendation(&p, &s);
        if (has_model) {
            page_heading(&p, "What the model expects");
            page_figure(&p, svg,
                        "The posterior along each coordinate, the others kept at the "
                        "recommendation: mean and two standard deviations at the longest training "
                        "(blue), means at shorter ones (orange).");
        }
        status = tell_trials(&p, &s, &own);
        besd_status closed = page_close(&p, status == BESD_OK ? &own : NULL);
        status = status == BESD_OK ? closed : status;
    }
    return status == BESD_OK ? drawn : besd_fail(error, status, "%s", own.message);
}
