/* The trials of a run: up to as many commands run as there are places, and whenever one is over its
 * scores are told and the next trial is asked, with the others pending. A trial is told or failed
 * only when its command is over; one whose run was killed stays asked, and is run first by whoever
 * comes next or is still there, with the same seeds. */
#include "bridge/answer.h"
#include "cli/interrupt.h"
#include "cli/run_study_state.h"
#include "core/error.h"
#include "core/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char RUN_WORKER[] = "besd run"; /* in whose name trials are asked for */

enum { HOPELESS = 3 }; /* failures in a row, besides one per place, that end a run */

bool run_is_hopeless(const study_run *s) {
    return (size_t)s->failed_in_a_row >= HOPELESS + workers_places(s->workers);
}

bool run_is_endless(const study_run *s) {
    return s->free_in_a_row >= RUN_MOST_FREE;
}

static run_held *find_held(const study_run *s, int64_t id) {
    for (size_t i = 0; i < s->held_count; i++)
        if (s->held[i].trial.id == id)
            return &s->held[i];
    return NULL;
}

static besd_status hold(study_run *s, const besd_trial *t, int runs) {
    if (s->held_count == s->held_capacity) {
        size_t capacity = 2 * s->held_capacity + 8;
        run_held *grown = realloc(s->held, capacity * sizeof *grown);
        if (!grown)
            return besd_fail_memory(&s->error, "the trials under way");
        s->held = grown;
        s->held_capacity = capacity;
    }
    s->held[s->held_count++] = (run_held){*t, runs};
    return BESD_OK;
}

static void let_go(study_run *s, run_held *h) {
    *h = s->held[--s->held_count];
}

/* Takes the trial if no other run has it and it is still to be run. */
static besd_status claim(study_run *s, int64_t id, besd_trial *t, bool *got) {
    *got = claims_take(&s->claims, id);
    if (!*got)
        return BESD_OK;
    besd_status status = besd_study_trial(s->study, id, t, &s->error);
    *got = status == BESD_OK && t->state == BESD_TRIAL_ASKED;
    if (!*got)
        claims_leave(&s->claims, id);
    return status;
}

bool run_is_settled(besd_trial_state state) {
    return state != BESD_TRIAL_ASKED && state != BESD_TRIAL_WAITING;
}

besd_status run_may_take(besd_study *study, int64_t id, bool *may, besd_error *error) {
    besd_work work;
    besd_status status = besd_study_work(study, id, &work, error);
    *may = status == BESD_OK && (!work.worker[0] || !strcmp(work.worker, RUN_WORKER));
    return status;
}

/* A trial that is asked and nobody's: of a run that has died, or of a rank. */
static besd_status find_left_over(study_run *s, besd_trial *t, bool *found) {
    int64_t count;
    besd_status status = besd_study_trial_count(s->study, &count, &s->error);
    *found = false;
    s->elsewhere = 0;
    for (int64_t id = s->settled + 1; status == BESD_OK && !*found && id <= count; id++) {
        bool of_a_run = false;
        status = besd_study_trial(s->study, id, t, &s->error);
        if (status == BESD_OK && run_is_settled(t->state))
            s->settled += id == s->settled + 1;
        else if (status == BESD_OK && t->state == BESD_TRIAL_ASKED && !find_held(s, id))
            status = run_may_take(s->study, id, &of_a_run, &s->error);
        if (of_a_run) {
            status = claim(s, id, t, found);
            s->elsewhere += !*found && !run_is_settled(t->state);
        }
    }
    return status;
}

/* The next trial, left over or new; BESD_DONE when there is none. Others may have asked for the
 * last ones while we waited for our turn to ask, so that is looked at again. */
static besd_status next_trial(study_run *s, besd_trial *t) {
    bool found;
    besd_status status = find_left_over(s, t, &found);
    while (status == BESD_OK && !found) {
        status = besd_study_ask_for(s->study, RUN_WORKER, INFINITY, t, NULL, &s->error);
        if (status == BESD_OK) /* or somebody has taken it for left over since */
            status = claim(s, t->id, t, &found);
        else if (status == BESD_DONE) {
            besd_error why = s->error;
            status = find_left_over(s, t, &found);
            if (status != BESD_OK || found)
                break;
            s->error = why;
            status = BESD_DONE;
        }
    }
    return status;
}

static besd_status start(study_run *s, const besd_trial *t, int runs) {
    answer_route route;
    bool is_path = answer_route_of(s->study, t->theta, &route);
    char *request = answer_request(besd_study_get_options(s->study), is_path ? &route : NULL, t);
    besd_status status = request ? hold(s, t, runs) : besd_fail_memory(&s->error, "a trainer");
    if (status == BESD_OK) {
        status = workers_start(s->workers, t->id, request, &s->error);
        if (status != BESD_OK)
            s->held_count--;
    }
    free(request);
    return status;
}

/* Starts trials until all places are taken or nothing is left to ask; why is in s->error then. */
static besd_status fill_places(study_run *s) {
    while (workers_have_room(s->workers) && !s->exhausted && !run_is_hopeless(s) &&
           !run_is_endless(s) && !interrupt_has_come()) {
        besd_trial t;
        besd_status status = next_trial(s, &t);
        s->exhausted = status == BESD_DONE;
        if (status == BESD_OK)
            status = start(s, &t, 1);
        if (status != BESD_OK && !s->exhausted)
            return status;
    }
    return BESD_OK;
}

/* A trial's cost is spent when it is asked for, but its work is done when it has ended. */
static double cost_under_way(const study_run *s) {
    double cost = 0;
    for (size_t i = 0; i < s->held_count; i++)
        cost += s->held[i].trial.cost;
    return cost;
}

static void report_progress(study_run *s, int64_t trial) {
    double budget = besd_study_get_options(s->study)->budget, spent;
    besd_recommendation r;
    besd_error ignored;
    char text[200];
    if (besd_study_spent(s->study, &spent, &ignored) != BESD_OK)
        return;
    double done = spent - cost_under_way(s);
    if (!progress_due(&s->progress, done, budget))
        return;
    int length = snprintf(text, sizeof text, "trial %lld, cost %.12g of %.12g", (long long)trial,
                          spent, budget);
    if (spent >= budget && s->held_count)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, ", %zu trial%s still run%s",
                     s->held_count, s->held_count == 1 ? "" : "s", s->held_count == 1 ? "s" : "");
    if (besd_study_recommend(s->study, &r, &ignored) == BESD_OK)
        describe_progress(&r, "score", text + length, sizeof text - (size_t)length);
    progress_show(&s->progress, done, budget, text);
}

/* The trial's command has failed, the reason is in s->error: once more, or on record. */
static besd_status handle_failure(study_run *s, const besd_trial *t, int runs) {
    int most = 1 + study_yaml_retries(s->yaml);
    snprintf(s->last_failure, sizeof s->last_failure, "%s", s->error.message);
    progress_clear(&s->progress);
    print_clean(stderr, "besd run: trial %lld failed%s: %s\n", (long long)t->id,
                runs < most ? ", once more" : "", s->last_failure);
    if (runs < most && workers_have_room(s->workers))
        return start(s, t, runs + 1);
    if (runs < most) { /* its rank is leaving */
        claims_leave(&s->claims, t->id);
        return BESD_OK;
    }
    s->failed++;
    s->failed_in_a_row++;
    besd_status status =
        besd_study_fail(s->study, t->id, s->answer.cost, s->last_failure, &s->error);
    claims_leave(&s->claims, t->id);
    return status;
}

static besd_status handle_answer(study_run *s, const besd_trial *t, int runs) {
    const trainer_answer *a = &s->answer;
    besd_status status = besd_study_tell_legs(s->study, t->id, a->scores, a->legs, (size_t)t->reps,
                                              a->cost, &s->error);
    if (status == BESD_INVALID) /* scores that are numbers, but too large to compute with */
        return handle_failure(s, t, runs);
    if (status == BESD_OK && a->note[0])
        status = besd_study_set_trial_note(s->study, t->id, a->note, &s->error);
    claims_leave(&s->claims, t->id);
    s->told += status == BESD_OK;
    s->failed_in_a_row = 0;
    return status;
}

besd_status run_is_out_of_hand(besd_study *study, int64_t id, bool succeeded, const progress *p,
                               bool *is, besd_error *error) {
    besd_trial now;
    besd_status status = besd_study_trial(study, id, &now, error);
    *is = status == BESD_OK && run_is_settled(now.state) &&
          !(succeeded && now.state == BESD_TRIAL_FAILED);
    if (!*is)
        return status;
    progress_clear(p);
    print_clean(stderr, "besd run: trial %lld was %s by somebody else; that stays\n", (long long)id,
                besd_trial_state_name((size_t)now.state));
    return status;
}

/* The command of a trial has answered, or failed for the reason in s->error. */
static besd_status handle_outcome(study_run *s, const besd_trial *t, int runs, bool succeeded) {
    bool is_out;
    char reason[BESD_ERROR_MESSAGE_SIZE];
    snprintf(reason, sizeof reason, "%s", s->error.message);
    besd_status status =
        run_is_out_of_hand(s->study, t->id, succeeded, &s->progress, &is_out, &s->error);
    if (is_out)
        claims_leave(&s->claims, t->id);
    if (status != BESD_OK || is_out)
        return status;
    if (succeeded)
        return handle_answer(s, t, runs);
    besd_error_set(&s->error, BESD_ENVIRONMENT, "%s", reason);
    return handle_failure(s, t, runs);
}

/* One command is over. */
static besd_status handle_end(study_run *s, const besd_trial *t, int runs, trainer_end *end) {
    const besd_study_options *o = besd_study_get_options(s->study);
    answer_route route;
    answer_terms terms = {t->reps, o->transform, o->direction, NULL};
    if (answer_route_of(s->study, t->theta, &route))
        terms.route = &route;
    besd_status status = trainer_judge(end, &terms, &s->answer, &s->error);
    s->free_in_a_row = s->answer.cost == 0 ? s->free_in_a_row + 1 : 0;
    if (status == BESD_OK || status == BESD_ENVIRONMENT)
        status = handle_outcome(s, t, runs, status == BESD_OK);
    answer_free(&s->answer);
    return status;
}

/* Nobody's trial is for whoever has room next, us included. */
static void give_back(study_run *s, int64_t trial) {
    progress_clear(&s->progress);
    print_clean(stderr, "besd run: the rank that trained trial %lld is lost; another one will\n",
                (long long)trial);
    claims_leave(&s->claims, trial);
}

/* Takes the answers of the commands that are over. */
static besd_status collect(study_run *s) {
    besd_status status = BESD_OK;
    int64_t id;
    trainer_end end;
    bool lost;
    while (status == BESD_OK && workers_take(s->workers, &id, &end, &lost)) {
        run_held *h = find_held(s, id), held = *h;
        let_go(s, h);
        s->exhausted = false; /* it may have cost less than planned */
        if (lost) {
            give_back(s, id);
            continue;
        }
        status = handle_end(s, &held.trial, held.runs, &end);
        if (status == BESD_OK)
            report_progress(s, id);
    }
    return status;
}

/* Is there nothing left to do, for us or for others who may leave it to us? */
static bool is_over(study_run *s) {
    if (!workers_are_idle(s->workers))
        return false;
    if (s->exhausted && s->elsewhere && !s->said_waiting && !s->request->quiet) {
        progress_clear(&s->progress);
        print_clean(stderr, "besd run: waits for the last trials of another run (%lld)\n",
                    (long long)s->elsewhere);
        s->said_waiting = true;
    }
    return (s->exhausted && !s->elsewhere) || run_is_hopeless(s) || run_is_endless(s);
}

/* Waits for a command to end. Where others are at work on the last trials, it looks after them,
 * too. */
static besd_status wait(study_run *s) {
    bool look_around = s->exhausted && s->elsewhere;
    besd_status status = workers_wait(s->workers, &s->waiting_mask,
                                      look_around ? RUN_LOOK_AROUND_MS / 1e3 : INFINITY, &s->error);
    if (look_around)
        s->exhausted = false;
    return status == BESD_DONE ? BESD_OK : status; /* a signal */
}

besd_status run_optimise(study_run *s) {
    double spent;
    besd_status status = besd_study_spent(s->study, &spent, &s->error);
    progress_begin(&s->progress, s->request->quiet, workers_places(s->workers), spent);
    while (status == BESD_OK && !interrupt_has_come()) {
        status = fill_places(s);
        if (status == BESD_OK && is_over(s)) {
            status = s->exhausted ? BESD_DONE : BESD_OK;
            break;
        }
        if (status == BESD_OK)
            status = wait(s);
        if (status == BESD_OK)
            status = collect(s);
    }
    progress_end(&s->progress);
    return status;
}
