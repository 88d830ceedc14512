#include "pages/study_page.h"

#include "core/error.h"
#include "core/text.h"
#include "figures/study_digest.h"
#include "pages/page.h"
#include "pages/study_legs.h"
#include "pages/study_settings.h"
#include "run/domain_notes.h"
#include "study/method.h"
#include "study/recommend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_TRIALS = 50, LONGEST_NOTE = 1024, STATES = BESD_TRIAL_WAITING + 1 };

/* Nearer to the end of its interval than this share of it, a coordinate is at the end. */
static const double AT_END = 0.001;

typedef struct study_story {
    besd_study *study;
    const besd_study_options *options;
    besd_path path;
    besd_recommendation best;
    study_trials trials;
    int64_t in_state[STATES];
    double spent;
    char domain[LONGEST_NOTE], command[LONGEST_NOTE];
    path_curve curve;
    leg_survey legs;
    bool has_legs, has_model;
    page_figures figures;
} study_story;

static besd_status read_note(besd_study *study, const char *key, char *text, besd_error *error) {
    besd_status status = besd_study_get_note(study, key, text, LONGEST_NOTE, error);
    text_clean(text);
    return status;
}

static besd_status read_legs(study_story *s, besd_error *error) {
    besd_status status = s->path.points
                             ? leg_survey_init(&s->legs, s->study, s->best.theta, 0, 0, error)
                             : BESD_UNSUPPORTED;
    s->has_legs = status == BESD_OK;
    return status == BESD_UNSUPPORTED ? BESD_OK : status;
}

static besd_status read_study(besd_study *study, study_story *s, besd_error *error) {
    *s = (study_story){.study = study, .options = besd_study_get_options(study)};
    s->has_model = method_describe(s->options->method)->has_model;
    besd_study_get_path(study, &s->path);
    besd_status status = besd_study_recommend(study, &s->best, error);
    if (status == BESD_OK)
        status = study_trials_read(&s->trials, study, error);
    if (status == BESD_OK)
        status = besd_study_spent(study, &s->spent, error);
    if (status == BESD_OK)
        status = read_note(study, "domain", s->domain, error);
    if (status == BESD_OK)
        status = read_note(study, "command", s->command, error);
    if (status == BESD_OK)
        status = path_curve_find(study, &s->best, &s->curve, error);
    if (status == BESD_OK)
        status = read_legs(s, error);
    for (size_t i = 0; status == BESD_OK && i < s->trials.count; i++) {
        size_t state = (size_t)s->trials.of[i].state;
        s->in_state[state < STATES ? state : 0]++;
    }
    return status;
}

static void forget(study_story *s) {
    study_trials_free(&s->trials);
    leg_survey_free(&s->legs);
    page_figures_end(&s->figures);
}

const char *study_page_coordinate(const besd_study_options *o, size_t i, char *text, size_t size) {
    const char *unit = o->units[i];
    snprintf(text, size, "%s%s%s%s", o->names[i], *unit ? " (" : "", unit, *unit ? ")" : "");
    return text;
}

static bool is_at_end(const besd_study_options *o, const double *theta, size_t i) {
    double margin = AT_END * (o->high[i] - o->low[i]);
    return theta[i] < o->low[i] + margin || theta[i] > o->high[i] - margin;
}

/* A smooth model rises to the end of an interval that it has not seen the other side of. */
static void warn_of_ends(page *p, const study_story *s) {
    char names[400] = "";
    size_t length = 0, count = 0;
    for (size_t i = 0; i < s->options->dimension && length < sizeof names; i++)
        if (is_at_end(s->options, s->best.theta, i))
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       count++ ? ", " : "", s->options->names[i]);
    if (count)
        page_warning(p,
                     "At the end of %s interval: <b>%s</b>. A smooth model rises to an end that it "
                     "has not seen the other side of; a few trials inside, or a wider box, tell "
                     "whether it belongs there.",
                     count == 1 ? "its" : "their", names);
}

static void tell_doubt(page *p, const study_story *s) {
    const besd_recommendation *r = &s->best;
    long long tau = (long long)s->options->taus[s->options->tau_count - 1];
    char plain[60];
    int length = snprintf(plain, sizeof plain, "%.4g", s->options->baseline);
    if (s->options->baseline_error > 0)
        snprintf(plain + length, sizeof plain - (size_t)length, " ± %.3g",
                 s->options->baseline_error);
    if (!r->tried)
        page_text(p,
                  "This very design was not tried at tau %lld: the number is what the model makes "
                  "of the trials around it.",
                  tau);
    if (isnan(r->better) && !isinf(s->options->baseline))
        page_text(p, "Without any design the score is %s.", plain);
    else if (r->better < 0.5)
        page_warning(p,
                     "No design may be the better choice: the score is %s without any, and the "
                     "probability that this one beats it is %.2g.",
                     plain, r->better);
    else if (!isnan(r->better))
        page_text(p, "It beats the %s without any design with a probability of %s%.2g.", plain,
                  r->better > 0.99 ? "over " : "", fmin(r->better, 0.99));
}

/* What is to be said of one coordinate. */
static const char *remark(const study_story *s, size_t i) {
    size_t visited[BESD_MAX_DIMENSION], each = s->path.coordinates ? s->path.coordinates : 1;
    size_t count = besd_study_visited(s->study, s->best.theta, visited);
    for (size_t k = 0; k < count; k++)
        if (visited[k] == i / each)
            count = 0; /* it is one of those that are */
    if (count)
        return "not visited: it is where the one before it is";
    return is_at_end(s->options, s->best.theta, i) ? "at the end" : "";
}

static void tell_recommendation(page *p, const study_story *s) {
    const besd_study_options *o = s->options;
    char name[STUDY_COORDINATE_NAME], between[160] = ", and the trials do not say how sure "
                                                     "that is";
    page_heading(p, "The recommendation");
    if (isfinite(s->best.low) && isfinite(s->best.high))
        snprintf(between, sizeof between, ", with 90 %% probability between %.4g and %.4g",
                 s->best.low, s->best.high);
    page_text(p, "Expected score after a training of %lld%s: <b>%.4g</b>%s (%s is better).",
              (long long)o->taus[o->tau_count - 1],
              s->path.price > 0 ? ", the price of the subgoals included" : "", s->best.value,
              between, o->direction == BESD_MINIMIZE ? "less" : "more");
    tell_doubt(p, s);
    page_table_begin(p, "The recommended design", "coordinate|recommended|lowest|highest|");
    for (size_t i = 0; i < o->dimension; i++) {
        page_row(p, "ours");
        page_cell(p, "%s", study_page_coordinate(o, i, name, sizeof name));
        page_cell(p, "%.5g", s->best.theta[i]);
        page_cell(p, "%g", o->low[i]);
        page_cell(p, "%g", o->high[i]);
        page_cell(p, "%s", remark(s, i));
    }
    page_table_end(p);
    warn_of_ends(p, s);
}

static besd_status put_figure(page *p, study_story *s, const char *kind, const char *caption,
                              besd_error *error) {
    char svg[2100];
    besd_status status = page_figures_draw(&s->figures, kind, s->study, error);
    if (status == BESD_OK)
        page_figure(p, page_figures_svg(&s->figures, kind, svg, sizeof svg), caption);
    return status;
}

static besd_status tell_number(page *p, study_story *s, besd_error *error) {
    if (!s->curve.count)
        return BESD_OK;
    page_heading(p, "How many subgoals");
    page_text(p, "<b>%zu</b> of up to %zu subgoals %s worth it%s.", s->curve.visits, s->path.points,
              s->curve.visits == 1 ? "is" : "are",
              s->path.price > 0 ? ", their price included" : "");
    size_t rival = path_curve_rival(&s->curve, besd_study_get_options(s->study)->direction);
    if (rival)
        page_text(p, "%zu may do as well: so far the two cannot be told apart.", rival);
    return put_figure(p, s, "number",
                      "What the best path of every number of subgoals is expected to score, and "
                      "its 90 % interval.",
                      error);
}

static besd_status tell_places(page *p, study_story *s, besd_error *error) {
    if (s->path.coordinates != 2)
        return BESD_OK;
    page_heading(p, "Where the subgoals are");
    return put_figure(p, s, "map",
                      "The subgoals of all told trials, and the recommended ones as numbered "
                      "discs.",
                      error);
}

static besd_status tell_legs(page *p, study_story *s, besd_error *error) {
    if (!s->has_legs)
        return BESD_OK;
    page_heading(p, "The legs between them");
    besd_status status = BESD_OK;
    if (s->path.coordinates == 2)
        status = put_figure(p, s, "legs",
                            "What the model of legs expects: dark legs are good, pale ones bad, "
                            "dashed ones doubtful. The recommended path on top.",
                            error);
    return status == BESD_OK ? study_legs_tell(p, s->study, &s->legs, error) : status;
}

static besd_status tell_model(page *p, study_story *s, besd_error *error) {
    if (!s->has_model)
        return BESD_OK;
    page_heading(p, "What the model expects");
    return put_figure(
        p, s, "slices",
        "What the model expects along each coordinate, the others kept at the "
        "recommendation: the mean score and its 90 % interval at the longest training "
        "(blue), means at shorter ones (orange). The point is the recommendation, "
        "of which the trials that confirmed it say more than the model does.",
        error);
}

static besd_status put_trial(page *p, const study_story *s, const besd_trial *t,
                             besd_error *error) {
    char note[LONGEST_NOTE];
    besd_status status = besd_study_get_trial_note(s->study, t->id, note, sizeof note, error);
    if (status != BESD_OK)
        return status;
    page_row(p, "");
    page_cell(p, "%lld", (long long)t->id);
    page_cell(p, "%s", besd_reason_name((size_t)t->reason));
    page_cell(p, "%s", besd_trial_state_name((size_t)t->state));
    page_cell(p, "%lld", (long long)t->tau);
    page_cell(p, "%d", t->reps);
    page_cell(p, "%.12g", t->cost);
    t->state == BESD_TRIAL_TOLD ? page_cell(p, "%.4g", t->mean) : page_cell(p, "–");
    for (size_t i = 0; i < s->options->dimension; i++)
        page_cell(p, "%.4g", t->theta[i]);
    page_cell(p, "%s", note);
    return BESD_OK;
}

static besd_status put_trials(page *p, const study_story *s, size_t first, size_t end,
                              besd_error *error) {
    char name[STUDY_COORDINATE_NAME];
    besd_status status = BESD_OK;
    page_table_begin(p, "", "trial|why|state|tau|reps|cost|mean score");
    for (size_t i = 0; i < s->options->dimension; i++)
        page_head(p, "%s", study_page_coordinate(s->options, i, name, sizeof name));
    page_head(p, "note");
    for (size_t i = first; status == BESD_OK && i < end; i++)
        status = put_trial(p, s, &s->trials.of[i], error);
    page_table_end(p);
    return status;
}

static besd_status tell_trials(page *p, const study_story *s, besd_error *error) {
    size_t count = s->trials.count, shown = count < SHOWN_TRIALS ? count : SHOWN_TRIALS;
    page_heading(p, "The trials");
    besd_status status = put_trials(p, s, 0, shown, error);
    if (status == BESD_OK && count > shown) {
        page_details_begin(p, "The other %zu trials, %zu to %zu", count - shown, shown + 1, count);
        status = put_trials(p, s, shown, count, error);
        page_details_end(p);
    }
    return status;
}

static besd_status tell_story(page *p, study_story *s, besd_error *error) {
    tell_recommendation(p, s);
    page_heading(p, "How it came there");
    besd_status status =
        put_figure(p, s, "progress",
                   "Told trials as cost grows, and the best so far at the longest training. The "
                   "best single trial has luck in it, and the recommendation is chosen with more "
                   "than one trial in mind; so what is expected may be worse than the line.",
                   error);
    if (status == BESD_OK)
        status = tell_number(p, s, error);
    if (status == BESD_OK)
        status = tell_places(p, s, error);
    if (status == BESD_OK)
        status = tell_legs(p, s, error);
    if (status == BESD_OK)
        status = tell_model(p, s, error);
    if (status == BESD_OK && s->trials.count)
        status = study_legs_tell_newest(p, s->study, s->trials.of, s->trials.count, error);
    if (status == BESD_OK)
        study_settings_tell(p, s->study);
    return status == BESD_OK ? tell_trials(p, s, error) : status;
}

/* ", 2 failed, 1 under way": what is not told. */
static void count_others(const study_story *s, char *text, size_t size) {
    static const char *const words[STATES] = {[BESD_TRIAL_FAILED] = "failed",
                                              [BESD_TRIAL_VOIDED] = "voided",
                                              [BESD_TRIAL_ASKED] = "under way",
                                              [BESD_TRIAL_WAITING] = "waiting"};
    size_t length = 0;
    text[0] = 0;
    for (size_t i = 0; i < STATES && length < size; i++)
        if (words[i] && s->in_state[i])
            length += (size_t)snprintf(text + length, size - length, ", %lld %s",
                                       (long long)s->in_state[i], words[i]);
}

static void write_standfirst(const study_story *s, char *text, size_t size) {
    const besd_study_options *o = s->options;
    char budget[100] = "without a budget", others[200], spent[60], all[60], about[LONGEST_NOTE];
    snprintf(about, sizeof about, "%s", s->domain);
    bool fresh = domain_notes_cut_fresh(about);
    if (isfinite(o->budget))
        snprintf(budget, sizeof budget, "of a budget of %s",
                 page_group(o->budget, all, sizeof all));
    count_others(s, others, sizeof others);
    snprintf(text, size, "%s%.300s%s%s%lld trials told%s; %s spent %s. Method %s, seed %llu.",
             about[0]        ? "Subgoals for "
             : s->command[0] ? "Trained by "
                             : "",
             about[0] ? about : s->command,
             fresh ? ", every replication an instance of its own" : "",
             about[0] || s->command[0] ? ": " : "", (long long)s->in_state[BESD_TRIAL_TOLD], others,
             page_group(s->spent, spent, sizeof spent), budget, besd_method_name((size_t)o->method),
             (unsigned long long)o->seed);
}

static besd_status write_page(study_story *s, const char *name, const char *base,
                              besd_error *error) {
    char path[1024], title[300], standfirst[700];
    page p;
    snprintf(path, sizeof path, "%s.html", base);
    snprintf(title, sizeof title, "The study %s", name);
    write_standfirst(s, standfirst, sizeof standfirst);
    besd_status status = page_open(&p, path, title, standfirst, error);
    if (status != BESD_OK)
        return status;
    status = tell_story(&p, s, error);
    besd_status closed = page_close(&p, status == BESD_OK ? error : NULL);
    return status == BESD_OK ? closed : status;
}

besd_status study_page_write(besd_study *study, const char *name, const char *base,
                             bool keep_figures, besd_error *error) {
    study_story s;
    besd_status status = read_study(study, &s, error);
    if (status == BESD_OK)
        status = page_figures_begin(&s.figures, base, keep_figures, error);
    if (status == BESD_OK)
        status = write_page(&s, name, base, error);
    forget(&s);
    return status == BESD_OK ? page_figures_judge(&s.figures, error) : status;
}
