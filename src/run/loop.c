/* Ask, train, tell (besd/run.h). The loop is written here once: for domains that besd trains on
 * itself, for commands, for ranks of MPI, for callbacks, for comparisons.
 *
 * The order is the same for all. First comes what dead runs have left behind, then what the study
 * asks for. When nothing is left to ask, the run waits for the trials of other runs: one of them
 * may cost less than planned, or be left behind. A trial is told or failed only when its training
 * is over. A run that is killed leaves its trials asked, and the next run trains them with the same
 * seeds. */
#include "besd/run.h"

#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HOPELESS = 3 }; /* failures in a row, besides one per place, that end a run */

/* In seconds. */
static const double LOOK_AROUND = BESD_RUN_LOOK_AROUND / 1e3;

/* A trial that this run has. */
typedef struct held {
    besd_trial trial;
    int trainings; /* of it, the present one included */
} held;

struct besd_run {
    besd_study *study;
    besd_run_options options;
    double lease; /* INFINITY: none */
    besd_claims *claims;
    held *held;
    size_t held_count, held_capacity;
    int64_t begun;   /* trials that besd_run_next gave */
    int64_t settled; /* all trials up to this one are settled */
    int64_t others;  /* trials under way in other runs, when last looked */
    int64_t told, failed, failed_in_a_row, free_in_a_row;
    int64_t alike; /* failures for the last reason, one after the other, while nothing was told */
    char last_failure[BESD_ERROR_MESSAGE_SIZE];
};

void besd_run_options_fill(besd_run_options *options, size_t size) {
    const besd_run_options initially = {.size = size};
    memset(options, 0, size);
    memcpy(options, &initially, size < sizeof initially ? size : sizeof initially);
}

besd_status besd_run_open(besd_run **run, besd_study *study, const besd_run_options *options,
                          besd_error *error) {
    *run = NULL;
    if (options && options->size > sizeof *options)
        return besd_fail(error, BESD_INVALID,
                         "run options: the program was built against a newer besd");
    besd_run *r = calloc(1, sizeof *r);
    if (!r)
        return besd_fail_memory(error, "a run");
    r->study = study;
    r->options = besd_run_options_default();
    if (options)
        memcpy(&r->options, options, options->size);
    r->lease = r->options.lease ? *r->options.lease : INFINITY;
    besd_status status = besd_claims_open(&r->claims, study, error);
    if (status != BESD_OK) {
        free(r);
        return status;
    }
    *run = r;
    return BESD_OK;
}

void besd_run_close(besd_run *r) {
    if (!r)
        return;
    besd_claims_close(r->claims);
    free(r->held);
    free(r);
}

static held *find_held(const besd_run *r, int64_t id) {
    for (size_t i = 0; i < r->held_count; i++)
        if (r->held[i].trial.id == id)
            return &r->held[i];
    return NULL;
}

static besd_status hold(besd_run *r, const besd_trial *t, besd_error *error) {
    if (r->held_count == r->held_capacity) {
        size_t capacity = 2 * r->held_capacity + 8;
        held *grown = realloc(r->held, capacity * sizeof *grown);
        if (!grown)
            return besd_fail_memory(error, "the trials under way");
        r->held = grown;
        r->held_capacity = capacity;
    }
    r->held[r->held_count++] = (held){*t, 1};
    return BESD_OK;
}

void besd_run_give_back(besd_run *r, int64_t trial) {
    held *h = find_held(r, trial);
    if (h)
        *h = r->held[--r->held_count];
    besd_claims_leave(r->claims, trial);
}

/* Is there nothing left to train of a trial in this state? */
static bool is_settled(besd_trial_state state) {
    return state != BESD_TRIAL_ASKED && state != BESD_TRIAL_WAITING;
}

static bool has_leases(const besd_run *r) {
    return isfinite(r->lease);
}

/* May this run train a trial that was asked for earlier? A trial that another worker has asked for
 * by name stays that worker's. A trial with a lease goes to the next worker that asks after its
 * end. */
static besd_status may_take(besd_run *r, int64_t id, bool *may, besd_error *error) {
    besd_work work;
    const char *own = r->options.worker;
    besd_status status = besd_study_work(r->study, id, &work, error);
    bool is_own = own && !strcmp(work.worker, own);
    bool is_nobodys = !work.worker[0] && isinf(work.until) && !has_leases(r);
    *may = status == BESD_OK && (is_own || is_nobodys);
    return status;
}

/* An earlier trial is still the worker's if its lease can be renewed. */
static besd_status renew(besd_run *r, int64_t id, bool *ours, besd_error *error) {
    besd_status status = BESD_OK;
    if (has_leases(r))
        status = besd_study_renew(r->study, id, r->options.worker, &r->lease, error);
    *ours = status == BESD_OK;
    return status == BESD_INVALID ? BESD_OK : status;
}

/* Takes the trial if no other run has it and it is still to be trained. */
static besd_status claim(besd_run *r, int64_t id, besd_trial *t, bool *got, besd_error *error) {
    *got = besd_claims_take(r->claims, id);
    if (!*got)
        return BESD_OK;
    besd_status status = besd_study_trial(r->study, id, t, error);
    *got = status == BESD_OK && t->state == BESD_TRIAL_ASKED;
    if (!*got)
        besd_claims_leave(r->claims, id);
    return status;
}

/* A trial that was asked and that no run trains. Counts the trials of other runs on the way. */
static besd_status find_left_over(besd_run *r, besd_trial *t, bool *found, besd_error *error) {
    int64_t count = 0;
    besd_status status = BESD_OK;
    *found = false;
    r->others = 0;
    if (!r->options.leave_old)
        status = besd_study_trial_count(r->study, &count, error);
    for (int64_t id = r->settled + 1; status == BESD_OK && !*found && id <= count; id++) {
        bool may = false;
        status = besd_study_trial(r->study, id, t, error);
        if (status == BESD_OK && is_settled(t->state))
            r->settled += id == r->settled + 1;
        else if (status == BESD_OK && t->state == BESD_TRIAL_ASKED && !find_held(r, id))
            status = may_take(r, id, &may, error);
        if (!may)
            continue;
        status = claim(r, id, t, found, error);
        r->others += !*found && !is_settled(t->state);
        if (status == BESD_OK && *found)
            status = renew(r, id, found, error);
        if (status == BESD_OK && !*found)
            besd_claims_leave(r->claims, id);
    }
    return status;
}

/* A new trial that is ours, unless another run has taken it for left over since. */
static besd_status ask(besd_run *r, besd_trial *t, bool *found, besd_error *error) {
    besd_ask how = {.worker = r->options.worker, .lease = &r->lease};
    besd_status status = besd_study_ask(r->study, &how, t, error);
    return status == BESD_OK ? claim(r, t->id, t, found, error) : status;
}

besd_status besd_run_next(besd_run *r, besd_trial *t, int64_t *others, besd_error *error) {
    besd_error own;
    bool found;
    error = error ? error : &own;
    besd_status status = find_left_over(r, t, &found, error);
    while (status == BESD_OK && !found) {
        status = ask(r, t, &found, error);
        if (status != BESD_DONE)
            continue;
        /* Another run may have asked for the last trials while this one waited for its turn to ask,
         * and may be dead by now. */
        besd_error why = *error;
        status = find_left_over(r, t, &found, error);
        if (status == BESD_OK && !found) {
            *error = why;
            status = BESD_DONE;
        }
    }
    if (others)
        *others = r->others;
    if (status == BESD_OK)
        status = hold(r, t, error);
    r->begun += status == BESD_OK;
    return status;
}

/* Is it the reason of the last failure? Reasons may name their trial: "trial 7 has ...". */
static bool is_same_reason(const char *was, const char *is) {
    static const char name[] = "trial ";
    while (*was && *was == *is) {
        bool named = !strncmp(was, name, sizeof name - 1) && !strncmp(is, name, sizeof name - 1);
        was += named ? sizeof name - 1 : 1;
        is += named ? sizeof name - 1 : 1;
        was += named ? strspn(was, "0123456789") : 0;
        is += named ? strspn(is, "0123456789") : 0;
    }
    return *was == *is;
}

static besd_status record_failure(besd_run *r, const besd_training *done, int trainings,
                                  const char *why, besd_run_verdict *verdict, besd_error *error) {
    bool same = is_same_reason(r->last_failure, why);
    if (why != r->last_failure)
        snprintf(r->last_failure, sizeof r->last_failure, "%s", why);
    if (trainings <= r->options.retries) {
        *verdict = BESD_RUN_AGAIN;
        return BESD_OK;
    }
    *verdict = BESD_RUN_FAILED;
    r->failed++;
    r->failed_in_a_row++;
    r->alike = r->told ? 0 : same ? r->alike + 1 : 1;
    return besd_study_fail(r->study, done->trial, done->outcome.cost, r->last_failure, error);
}

/* Was the trial told or voided by another worker meanwhile? A failure is told of anew when the
 * training has scores. */
static besd_status is_kept(besd_run *r, const besd_training *done, bool *kept, besd_error *error) {
    besd_trial now;
    besd_status status = besd_study_trial(r->study, done->trial, &now, error);
    *kept = status == BESD_OK && is_settled(now.state) &&
            !(done->end == BESD_TRAINING_SCORED && now.state == BESD_TRIAL_FAILED);
    return status;
}

static besd_status tell(besd_run *r, const besd_training *done, int trainings,
                        besd_run_verdict *verdict, besd_error *error) {
    besd_error why;
    besd_status status = besd_study_tell(r->study, done->trial, &done->outcome, &why);
    if (status == BESD_REPEATED) /* another worker was first */
        status = BESD_OK;
    if (status == BESD_INVALID) { /* another worker was first, or the scores are refused */
        bool kept;
        status = is_kept(r, done, &kept, error);
        *verdict = BESD_RUN_KEPT;
        return status != BESD_OK || kept
                   ? status
                   : record_failure(r, done, trainings, why.message, verdict, error);
    }
    if (status == BESD_OK && done->note && done->note[0])
        status = besd_study_set_trial_note(r->study, done->trial, done->note, &why);
    if (status != BESD_OK && error)
        *error = why;
    *verdict = BESD_RUN_TOLD;
    r->told += status == BESD_OK;
    r->failed_in_a_row = 0;
    return status;
}

besd_status besd_run_settle(besd_run *r, const besd_training *done, besd_run_verdict *verdict,
                            besd_error *error) {
    held *h = find_held(r, done->trial);
    bool kept = false;
    if (!h)
        return besd_fail(error, BESD_INVALID, "trial %lld is not under way in this run",
                         (long long)done->trial);
    *verdict = BESD_RUN_LOST;
    besd_status status = BESD_OK;
    if (done->end != BESD_TRAINING_LOST) {
        bool is_free = done->outcome.cost && *done->outcome.cost == 0;
        r->free_in_a_row = is_free ? r->free_in_a_row + 1 : 0;
        *verdict = BESD_RUN_KEPT;
        status = is_kept(r, done, &kept, error);
    }
    if (status == BESD_OK && !kept && done->end == BESD_TRAINING_SCORED)
        status = tell(r, done, h->trainings, verdict, error);
    else if (status == BESD_OK && !kept && done->end == BESD_TRAINING_FAILED)
        status = record_failure(r, done, h->trainings, done->note ? done->note : "it failed",
                                verdict, error);
    if (status == BESD_OK && *verdict == BESD_RUN_AGAIN)
        h->trainings++;
    else
        besd_run_give_back(r, done->trial);
    return status;
}

void besd_run_look(const besd_run *r, size_t places, besd_run_result *result) {
    int64_t most = r->options.most_failures ? r->options.most_failures : HOPELESS + (int64_t)places;
    *result = (besd_run_result){
        .told = r->told, .failed = r->failed, .failed_in_a_row = r->failed_in_a_row};
    snprintf(result->why, sizeof result->why, "%s", r->last_failure);
    bool is_mistake = r->options.most_alike && !r->told && r->alike >= r->options.most_alike;
    if (r->failed_in_a_row >= most || is_mistake) {
        result->end = BESD_RUN_HOPELESS;
    } else if (r->free_in_a_row >= BESD_RUN_MOST_FREE) {
        result->end = BESD_RUN_ENDLESS;
    } else if (r->options.most_trials && r->begun >= r->options.most_trials) {
        result->end = BESD_RUN_ENOUGH;
    }
}

/* The loop: a run and who trains for it. */
typedef struct loop {
    besd_run *run;
    const besd_trainer *trainer;
    bool exhausted, said_waiting; /* nothing is left to ask; the listener knows that we wait */
    double renewed;               /* seconds of waiting since the leases were renewed */
    besd_error why;               /* nothing is left to ask */
    besd_error *error;
} loop;

static size_t room(const loop *l) {
    return l->trainer->room(l->trainer->context);
}

static besd_status say(const loop *l, besd_run_event event) {
    const besd_run *r = l->run;
    event.running = r->held_count;
    for (size_t i = 0; i < r->held_count; i++)
        event.under_way += r->held[i].trial.cost;
    return r->options.hear ? r->options.hear(r->options.context, &event, l->error) : BESD_OK;
}

static bool is_interrupted(const loop *l) {
    const besd_run_options *o = &l->run->options;
    return o->interrupted && o->interrupted(o->context);
}

/* Is there a reason to begin no more trials? */
static bool is_spent(const loop *l) {
    besd_run_result now;
    besd_run_look(l->run, l->run->held_count + room(l), &now);
    return now.end != BESD_RUN_DONE;
}

static besd_status start(loop *l, const besd_trial *t) {
    besd_status status = say(l, (besd_run_event){.kind = BESD_RUN_BEGINS, .trial = t});
    return status == BESD_OK ? l->trainer->start(l->trainer->context, l->run->study, t, l->error)
                             : status;
}

/* Starts trials until all places are taken or nothing is left to ask; l->why has the reason then.
 */
static besd_status fill_places(loop *l) {
    besd_status status = BESD_OK;
    while (status == BESD_OK && room(l) && !l->exhausted && !is_spent(l) && !is_interrupted(l)) {
        besd_trial t;
        besd_error why;
        status = besd_run_next(l->run, &t, NULL, &why);
        l->exhausted = status == BESD_DONE;
        if (l->exhausted)
            l->why = why;
        else if (status != BESD_OK && l->error)
            *l->error = why;
        if (status == BESD_OK)
            status = start(l, &t);
        else if (l->exhausted)
            status = BESD_OK;
    }
    return status;
}

/* Tells what has come of a trial; a training that failed may begin again. */
static besd_status settle(loop *l, const besd_training *done) {
    besd_trial t = find_held(l->run, done->trial)->trial;
    besd_run_verdict verdict;
    besd_status status = besd_run_settle(l->run, done, &verdict, l->error);
    if (status != BESD_OK)
        return status;
    l->exhausted = false; /* it may have cost less than planned */
    besd_run_event event = {.trial = &t, .training = done, .why = l->run->last_failure};
    switch (verdict) {
    case BESD_RUN_TOLD:
        event.kind = BESD_RUN_TELLS;
        break;
    case BESD_RUN_KEPT:
        event.kind = BESD_RUN_KEEPS;
        status = besd_study_trial(l->run->study, t.id, &t, l->error);
        break;
    case BESD_RUN_LOST:
        event.kind = BESD_RUN_LOSES;
        break;
    case BESD_RUN_AGAIN:
        event.again = true;
        event.kind = BESD_RUN_FAILS;
        break;
    case BESD_RUN_FAILED:
        event.kind = BESD_RUN_FAILS;
        break;
    }
    if (status == BESD_OK)
        status = say(l, event);
    if (status != BESD_OK || verdict != BESD_RUN_AGAIN)
        return status;
    if (room(l))
        return l->trainer->start(l->trainer->context, l->run->study, &t, l->error);
    besd_run_give_back(l->run, t.id); /* its rank is leaving; the next place takes it */
    return BESD_OK;
}

static besd_status collect(loop *l) {
    besd_status status = BESD_OK;
    while (status == BESD_OK) {
        besd_training done = {0};
        status = l->trainer->take(l->trainer->context, &done, l->error);
        if (status == BESD_OK)
            status = settle(l, &done);
    }
    return status == BESD_DONE ? BESD_OK : status;
}

static besd_status renew_leases(loop *l) {
    besd_status status = BESD_OK;
    bool ours;
    for (size_t i = 0; status == BESD_OK && i < l->run->held_count; i++)
        status = renew(l->run, l->run->held[i].trial.id, &ours, l->error);
    return status;
}

/* Looks after the trials of other runs. One that has ended, perhaps for less than was planned, can
 * change what is left to ask; one that was left behind is ours. */
static besd_status look_around(loop *l) {
    besd_trial t;
    bool found;
    int64_t before = l->run->others;
    besd_status status = find_left_over(l->run, &t, &found, l->error);
    l->exhausted = status == BESD_OK && !found && l->run->others == before;
    if (status != BESD_OK || !found)
        return status;
    status = hold(l->run, &t, l->error);
    l->run->begun++;
    return status == BESD_OK ? start(l, &t) : status;
}

/* Waits for a training to end, and beside the last trials of other runs for them as well. */
static besd_status wait(loop *l) {
    const besd_run *r = l->run;
    bool others = l->exhausted && r->others && room(l);
    double seconds = others ? LOOK_AROUND : INFINITY;
    if (has_leases(r))
        seconds = fmin(seconds, r->lease / BESD_RUN_RENEWALS);
    besd_status status = l->trainer->wait(l->trainer->context, seconds, l->error);
    if (status < 0)
        return status;
    status = has_leases(r) ? renew_leases(l) : BESD_OK;
    return status == BESD_OK && others ? look_around(l) : status;
}

/* Is there nothing left to do, for this run or for others that may leave it something? */
static besd_status is_over(loop *l, bool *over) {
    const besd_run *r = l->run;
    *over = false;
    if (r->held_count)
        return BESD_OK;
    *over = is_spent(l) || (l->exhausted && !r->others);
    if (*over || !l->exhausted || l->said_waiting)
        return BESD_OK;
    l->said_waiting = true;
    return say(l, (besd_run_event){.kind = BESD_RUN_WAITS, .others = r->others});
}

/* How it ended. */
static void conclude(const loop *l, bool over, besd_run_result *result) {
    besd_run_look(l->run, l->run->held_count + room(l), result);
    if (!over)
        result->end = BESD_RUN_INTERRUPTED;
    else if (result->end == BESD_RUN_DONE)
        snprintf(result->why, sizeof result->why, "%s", l->why.message);
}

besd_status besd_study_run(besd_study *study, const besd_trainer *trainer,
                           const besd_run_options *options, besd_run_result *result,
                           besd_error *error) {
    loop l = {.trainer = trainer, .error = error};
    bool over = false;
    *result = (besd_run_result){.end = BESD_RUN_INTERRUPTED};
    besd_status status = besd_run_open(&l.run, study, options, error);
    while (status == BESD_OK && !is_interrupted(&l)) {
        status = fill_places(&l);
        if (status == BESD_OK)
            status = is_over(&l, &over);
        if (over)
            break;
        if (status == BESD_OK)
            status = wait(&l);
        if (status == BESD_OK)
            status = collect(&l);
    }
    if (status == BESD_OK)
        conclude(&l, over, result);
    besd_run_close(l.run);
    return status;
}

/* A callback as a trainer. */
static size_t callback_room(void *context) {
    const besd_callback *c = context;
    return !c->over;
}

static besd_status callback_start(void *context, besd_study *study, const besd_trial *trial,
                                  besd_error *error) {
    besd_callback *c = context;
    (void)study;
    c->training = (besd_training){.trial = trial->id};
    besd_status status = c->train(c->context, trial, &c->training, error);
    c->over = status == BESD_OK;
    return status;
}

/* Only the trials of other runs are waited for: a training is over when start returns. */
static besd_status callback_wait(void *context, double seconds, besd_error *error) {
    const besd_callback *c = context;
    (void)error;
    if (c->over)
        return BESD_OK;
    double most = fmin(seconds, LOOK_AROUND), whole = floor(most);
    struct timespec pause = {(time_t)whole, (long)((most - whole) * 1e9)};
    return nanosleep(&pause, NULL) ? BESD_DONE : BESD_OK;
}

static besd_status callback_take(void *context, besd_training *training, besd_error *error) {
    besd_callback *c = context;
    (void)error;
    if (!c->over)
        return BESD_DONE;
    *training = c->training;
    c->over = false;
    return BESD_OK;
}

besd_trainer besd_callback_trainer(besd_callback *callback) {
    return (besd_trainer){.context = callback,
                          .room = callback_room,
                          .start = callback_start,
                          .wait = callback_wait,
                          .take = callback_take};
}
