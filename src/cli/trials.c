/* besd trials: the list of trials, as text, CSV or JSON. */
#include "cli/common.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/print.h"
#include "core/text.h"
#include "json/results_csv.h"
#include "json/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* "40 seconds", "3 minutes", "5 hours" */
static void print_time(double seconds) {
    const char *unit = seconds >= 0.5 && seconds < 1.5 ? "second"
                       : seconds < 120                 ? "seconds"
                       : seconds < 7200                ? "minutes"
                                                       : "hours";
    print_clean(stdout, "%.0f %s",
                seconds < 120    ? seconds
                : seconds < 7200 ? seconds / 60
                                 : seconds / 3600,
                unit);
}

/* The same of work that is over, and may have been short. */
static void print_duration(double seconds) {
    if (seconds < 0.95)
        print_clean(stdout, "%.1g seconds", round(1e3 * seconds) / 1e3);
    else
        print_time(seconds);
}

/* Who has it, since when and until when; clocks are set back. */
static void print_pending(const besd_trial *t, const besd_work *w, double now) {
    if (t->state == BESD_TRIAL_WAITING) {
        print_clean(stdout, "%5s %s; the next ask gives it\n", "",
                    w->worker[0] ? "given back when its lease ended" : "waits");
        return;
    }
    print_clean(stdout, "%5s asked ", "");
    print_time(fmax(0, now - w->asked));
    print_clean(stdout, " ago%s%s and neither told nor failed", w->worker[0] ? " by " : "",
                w->worker);
    if (w->until <= now) {
        print_clean(stdout, "; its lease has ended, the next ask gives it");
    } else if (isfinite(w->until)) {
        print_clean(stdout, "; its lease ends in ");
        print_time(w->until - now);
    }
    putchar('\n');
}

static besd_status print_work(besd_study *s, const besd_trial *t, besd_error *error) {
    besd_work w;
    char tags[BESD_MAX_TAGS];
    besd_status status = besd_study_work(s, t->id, &w, error);
    if (status == BESD_OK)
        status = besd_study_tags(s, t->id, tags, sizeof tags, error);
    if (status != BESD_OK)
        return status;
    if (t->state == BESD_TRIAL_ASKED || t->state == BESD_TRIAL_WAITING)
        print_pending(t, &w, clock_date());
    else if (w.worker[0]) {
        print_clean(stdout, "%5s by %s in ", "", w.worker);
        print_duration(fmax(0, w.ended - w.asked));
        putchar('\n');
    }
    if (t->state == BESD_TRIAL_VOIDED || w.replaced)
        print_clean(stdout, "%5s %s%s%s\n", "",
                    t->state == BESD_TRIAL_VOIDED ? "voided" : "its scores are replaced",
                    w.why[0] ? ": " : "", w.why);
    if (tags[0])
        print_clean(stdout, "%5s tags: %s\n", "", tags);
    return BESD_OK;
}

static besd_status print_trial(besd_study *s, const besd_trial *t, besd_error *error) {
    char note[1024] = "";
    print_clean(stdout, "%5lld %-7s %-8s %8lld %5d %12g ", (long long)t->id,
                besd_trial_state_name(t->state), besd_reason_name(t->reason), (long long)t->tau,
                t->reps, t->cost);
    if (t->state == BESD_TRIAL_TOLD || t->state == BESD_TRIAL_VOIDED)
        print_clean(stdout, "%12.5g  ", t->mean);
    else
        print_clean(stdout, "%12s  ", "-");
    print_theta(s, t->theta);
    putchar('\n');
    besd_status status = besd_study_get_trial_note(s, t->id, note, sizeof note, error);
    text_clean(note);
    if (note[0])
        print_clean(stdout, "%5s %s\n", "", note);
    return status == BESD_OK ? print_work(s, t, error) : status;
}

/* A text that a user wrote, as the next field. */
static void put_field(char *text) {
    text_clean(text);
    putchar(',');
    csv_put(stdout, text);
}

static void put_csv_names(const besd_study *s) {
    const besd_study_options *o = besd_study_get_options(s);
    fputs("trial,state,reason", stdout);
    for (size_t i = 0; i < o->dimension; i++) {
        char name[BESD_MAX_NAME + 1];
        snprintf(name, sizeof name, "%s", o->names[i]);
        put_field(name);
    }
    puts(",tau,reps,seed,cost,mean,scores,worker,asked_at,ended_at,duration,tags,note");
}

static besd_status put_csv_scores(besd_study *s, const besd_trial *t, besd_error *error) {
    double scores[BESD_MAX_REPS];
    size_t count = 0;
    if (t->state != BESD_TRIAL_TOLD && t->state != BESD_TRIAL_VOIDED) {
        fputs(",,", stdout);
        return BESD_OK;
    }
    besd_status status = besd_study_scores(s, t->id, scores, BESD_MAX_REPS, &count, error);
    print_clean(stdout, ",%.17g,", t->mean);
    for (size_t i = 0; i < count; i++)
        print_clean(stdout, "%s%.17g", i ? " " : "", scores[i]);
    return status;
}

static besd_status put_csv_trial(besd_study *s, const besd_trial *t, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_work w;
    char tags[BESD_MAX_TAGS], note[1024];
    print_clean(stdout, "%lld,%s,%s", (long long)t->id, besd_trial_state_name((size_t)t->state),
                besd_reason_name((size_t)t->reason));
    for (size_t i = 0; i < o->dimension; i++)
        print_clean(stdout, ",%.17g", t->theta[i]);
    print_clean(stdout, ",%lld,%d,%llu,%.17g", (long long)t->tau, t->reps,
                (unsigned long long)t->seed, t->cost);
    besd_status status = put_csv_scores(s, t, error);
    if (status == BESD_OK)
        status = besd_study_work(s, t->id, &w, error);
    if (status == BESD_OK)
        status = besd_study_tags(s, t->id, tags, sizeof tags, error);
    if (status == BESD_OK)
        status = besd_study_get_trial_note(s, t->id, note, sizeof note, error);
    if (status != BESD_OK)
        return status;
    put_field(w.worker);
    print_clean(stdout, ",%.3f", w.asked);
    if (w.ended > 0)
        print_clean(stdout, ",%.3f,%.3f", w.ended, fmax(0, w.ended - w.asked));
    else
        fputs(",,", stdout);
    put_field(tags);
    put_field(note);
    putchar('\n');
    return BESD_OK;
}

/* How trials are shown. */
typedef enum trial_format { AS_TEXT, AS_CSV, AS_JSON } trial_format;

typedef struct trial_show {
    besd_study *study;
    trial_format format;
    json_t *list;
    besd_status status;
    besd_error *error;
} trial_show;

static bool show_trial(void *context, const besd_trial *t) {
    trial_show *show = context;
    besd_study *s = show->study;
    if (show->format == AS_TEXT)
        show->status = print_trial(s, t, show->error);
    else
        show->status = put_csv_trial(s, t, show->error);
    return show->status == BESD_OK;
}

static besd_status list_trial(void *context, const trial_facts *f, bool *go_on, besd_error *error) {
    trial_show *show = context;
    json_writer w = {0};
    (void)go_on;
    trial_write(&w, show->study, f);
    int failed = json_array_append_new(show->list, json_writer_tree(&w));
    json_writer_clear(&w);
    return failed ? besd_fail_memory(error, "the trials") : BESD_OK;
}

int run_trials(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false, as_csv = false;
    option options[] = {
        {"csv", OPTION_FLAG, &as_csv, NULL, "a line of names and one for each trial"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        return code;
    if (as_csv && as_json)
        return usage_error(v, "give either --csv or --json");
    besd_study *s;
    besd_error error;
    if (open_study_file(v, path, &s))
        return EXIT_REFUSED;
    trial_format format = as_json ? AS_JSON : as_csv ? AS_CSV : AS_TEXT;
    json_t *list = json_array();
    trial_show show = {.study = s, .format = format, .list = list, .error = &error};
    int64_t count;
    besd_status status = besd_study_trial_count(s, &count, &error);
    if (status == BESD_OK && format == AS_TEXT)
        print_clean(stdout, "%5s %-7s %-8s %8s %5s %12s %12s  theta\n", "trial", "state", "reason",
                    "tau", "reps", "cost", "mean");
    if (status == BESD_OK && format == AS_CSV)
        put_csv_names(s);
    if (status == BESD_OK)
        status = as_json ? study_list(s, 0, list_trial, &show, &error)
                         : besd_study_trials(s, 0, show_trial, &show, &error);
    if (status == BESD_OK)
        status = show.status;
    besd_study_close(s);
    if (status == BESD_OK && as_json)
        return print_json(v, json_pack("{s:o}", "trials", list));
    json_decref(list);
    return status == BESD_OK ? finish_output(v) : refuse(v, &error);
}
