#include "cli/run_session.h"

#include "cli/interrupt.h"
#include "core/error.h"
#include "core/print.h"
#include "study/queue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

besd_status session_name(run_session *s, const char *beside, const char *name, uint64_t seed) {
    bool is_old = false;
    if (s->request->path) {
        snprintf(s->path, sizeof s->path, "%s", s->request->path); /* which run.c has measured */
        return BESD_OK;
    }
    besd_status status = study_place(beside, name, seed, s->path, &is_old, &s->error);
    if (status == BESD_OK && is_old)
        print_clean(stderr,
                    "note: the study is %s in the current folder, where it was begun; new ones are "
                    "put beside their YAML\n",
                    s->path);
    return status;
}

/* Says that the budget is another than it was. */
static void note_budget(const run_session *s) {
    double now = besd_study_get_options(s->study)->budget;
    if (!s->is_new && now != s->budget_before && !s->request->quiet)
        print_clean(stderr, "note: the budget is %.12g now, it was %.12g\n", now, s->budget_before);
}

besd_status session_open(run_session *s, besd_status (*begin)(run_session *),
                         besd_status (*go_on)(run_session *)) {
    turn_lock own;
    turn_lock_take(&own, s->path);
    s->is_new = access(s->path, F_OK) != 0;
    besd_status status =
        s->is_new ? study_place_check_sources(&s->request->from, &s->error) : BESD_OK;
    if (status == BESD_OK)
        status = s->is_new ? begin(s) : go_on(s);
    if (status == BESD_OK)
        status = study_place_add_sources(s->study, &s->request->from, &s->error);
    if (status == BESD_OK)
        note_budget(s);
    turn_lock_leave(&own);
    return status;
}

/* What has been spent of the budget, in interactions where a cost is nothing else. */
static void describe_amount(const besd_study_options *o, double spent, char *text) {
    bool plain = o->setup_cost == 0 && o->interaction_price == 1;
    snprintf(text, PROGRESS_PART_SIZE, "%s%.12g of %.12g%s", plain ? "" : "cost ", spent, o->budget,
             plain ? " interactions" : "");
}

static void report_progress(run_session *s, const besd_run_event *e) {
    const besd_study_options *o = besd_study_get_options(s->study);
    char at[32], amount[PROGRESS_PART_SIZE], more[48] = "", best[PROGRESS_PART_SIZE] = "",
                                             brief[48] = "";
    double spent;
    besd_recommendation r;
    besd_error ignored;
    if (besd_study_spent(s->study, &spent, &ignored) != BESD_OK)
        return;
    double done = spent - e->under_way; /* what is under way is spent, but not done */
    if (!progress_due(&s->progress, done, o->budget))
        return;
    snprintf(at, sizeof at, "trial %lld", (long long)e->trial->id);
    describe_amount(o, spent, amount);
    if (spent >= o->budget && e->running)
        snprintf(more, sizeof more, "%zu trial%s still run%s", e->running,
                 e->running == 1 ? "" : "s", e->running == 1 ? "s" : "");
    if (besd_study_recommend(s->study, &r, &ignored) == BESD_OK) {
        describe_progress(&r, s->unit, best, sizeof best);
        snprintf(brief, sizeof brief, "best %s %.6g", s->unit, r.value);
    }
    bool priced = !strncmp(amount, "cost", 4);
    progress_show(
        &s->progress, done, o->budget,
        &(progress_news){priced ? "cost" : "interactions", at, amount, more, best, brief});
}

/* Once, when the initial design is over: says so while there is a budget if all trials so far have
 * scored the same. */
static void look_for_differences(run_session *s, const besd_trial *next) {
    besd_recommendation r;
    besd_error ignored;
    if (s->has_looked || s->request->quiet || next->reason == BESD_REASON_INITIAL)
        return;
    bool known = besd_study_recommend(s->study, &r, &ignored) == BESD_OK;
    s->has_looked = known && r.trials > 1;
    if (known && r.alike) {
        progress_clear(&s->progress);
        print_warning(&r, stderr, "");
    }
}

static besd_status hear(void *context, const besd_run_event *e, besd_error *error) {
    run_session *s = context;
    (void)error;
    if (e->kind != BESD_RUN_BEGINS && e->kind != BESD_RUN_TELLS)
        progress_clear(&s->progress);
    switch (e->kind) {
    case BESD_RUN_FAILS:
        print_clean(stderr, "besd %s: trial %lld failed%s: %s\n", s->verb->name,
                    (long long)e->trial->id, e->again ? ", once more" : "", e->why);
        break;
    case BESD_RUN_KEEPS:
        print_clean(stderr, "besd %s: trial %lld was %s by somebody else; that stays\n",
                    s->verb->name, (long long)e->trial->id,
                    besd_trial_state_name((size_t)e->trial->state));
        break;
    case BESD_RUN_LOSES:
        print_clean(stderr, "besd %s: the rank that trained trial %lld is lost; another one will\n",
                    s->verb->name, (long long)e->trial->id);
        break;
    case BESD_RUN_WAITS:
        if (!s->request->quiet)
            print_clean(stderr, "besd %s: waits for the last trials of another run (%lld)\n",
                        s->verb->name, (long long)e->others);
        break;
    case BESD_RUN_BEGINS:
        look_for_differences(s, e->trial);
        break;
    case BESD_RUN_TELLS:
        break;
    }
    if (e->kind == BESD_RUN_TELLS || e->kind == BESD_RUN_KEEPS || e->kind == BESD_RUN_FAILS)
        report_progress(s, e);
    return BESD_OK;
}

static bool is_interrupted(void *context) {
    run_session *s = context;
    progress_follow(&s->progress);
    return interrupt_has_come();
}

besd_status session_run(run_session *s, const besd_trainer *trainer, besd_run_options options) {
    double spent;
    options.interrupted = is_interrupted;
    options.hear = hear;
    options.context = s;
    besd_status status = besd_study_spent(s->study, &spent, &s->error);
    if (status != BESD_OK)
        return status;
    progress_begin(&s->progress, s->request->quiet, s->places, spent);
    status = besd_study_run(s->study, trainer, &options, &s->result, &s->error);
    progress_end(&s->progress);
    int64_t trials; /* is the study still there to be talked about? */
    return status == BESD_OK ? besd_study_trial_count(s->study, &trials, &s->error) : status;
}

int session_stop(const run_session *s, void (*print_how_to_go_on)(const run_session *, FILE *)) {
    print_clean(stderr, "besd %s: interrupted; every told trial is kept. Go on with:\n",
                s->verb->name);
    print_how_to_go_on(s, stderr);
    fputc('\n', stderr);
    return EXIT_REFUSED;
}

json_t *session_json(run_session *s, const char *what, const char *of,
                     const besd_recommendation *r) {
    const besd_study_options *o = besd_study_get_options(s->study);
    json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:I}", what, of, "study", s->path, "method",
                             besd_method_name(o->method), "model", besd_model_name(o->model),
                             "seed", (json_int_t)o->seed);
    json_t *described = recommendation_json(s->study, r, &s->error);
    if (!described) {
        json_decref(json);
        return NULL;
    }
    return json_joined(json, described);
}
