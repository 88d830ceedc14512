/* Trials that wait, and trials that a worker has for a while. A worker that dies tells nobody, so
 * the next process that asks looks at the leases: a trial whose lease has ended waits again, and
 * waiting trials are given before a new one is planned. Leases are dates, because machines may be
 * started anew. A date may jump, so the file also keeps how far the date was from the time since
 * this machine's start; when that has changed, leases are moved as far. After a new start, leases
 * that begin in the future begin now.
 *
 * Below that: the lock by which processes take turns in planning. */
#include "study/queue.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/text.h"
#include "study/study_state.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* About thirty years. */
static const double LONGEST_LEASE = 1e9;

besd_status asker_check(const asker *by, besd_error *error) {
    if (by->worker &&
        (!*by->worker || strlen(by->worker) >= BESD_MAX_NAME || !text_is_utf8(by->worker)))
        return besd_fail(error, BESD_INVALID,
                         "worker: expected a name of UTF-8 from 1 to %d bytes, got '%.20s'",
                         BESD_MAX_NAME - 1, by->worker);
    if (!(by->lease > 0) || (isfinite(by->lease) && by->lease > LONGEST_LEASE))
        return besd_fail(error, BESD_INVALID, "lease: expected seconds above 0, at most %g, got %g",
                         LONGEST_LEASE, by->lease);
    return BESD_OK;
}

/* Differences below this are clocks that are kept in time, and rounding. */
static const double JUMP = 1;

#define CLOCK_KEY "clock"

/* How far the date has jumped since leases were looked at: 0 when it has not, or nobody knows. Also
 * what is to be kept of the clock. */
static besd_status find_jump(besd_study *s, double *jump, char *kept, size_t size,
                             besd_error *error) {
    char start[CLOCK_START_SIZE], *before = NULL;
    double apart = clock_date() - clock_since_start(start);
    besd_status status = store_get_text(s->store, CLOCK_KEY, &before, error);
    size_t length = strlen(start);
    bool same = before && length && !strncmp(before, start, length) && before[length] == ' ';
    double then = same ? (double)strtoll(before + length, NULL, 10) / 1e3 : apart;
    double moved = apart - then;
    *jump = fabs(moved) > JUMP && fabs(moved) < LONGEST_LEASE ? moved : 0;
    snprintf(kept, size, "%s %.0f", start, 1e3 * (*jump == 0 ? then : apart));
    free(before);
    return status;
}

/* Inside a transaction: moves all leases as far as the date has jumped. */
static besd_status follow_clock(besd_study *s, besd_error *error) {
    char kept[CLOCK_START_SIZE + 40];
    double jump;
    besd_status status = find_jump(s, &jump, kept, sizeof kept, error);
    if (status == BESD_OK && jump != 0)
        status = store_move_leases(s->store, jump, error);
    return status == BESD_OK ? store_set_text(s->store, CLOCK_KEY, kept, error) : status;
}

besd_status study_give(besd_study *s, const asker *by, int64_t id,
                       const besd_explanation *explanation, besd_error *error) {
    besd_status status = BESD_OK;
    char *detail = NULL;
    if (isfinite(by->lease))
        status = follow_clock(s, error);
    if (status == BESD_OK && (by->worker || isfinite(by->lease)))
        status = store_set_work(s->store, id, by->worker ? by->worker : "", clock_date(), by->lease,
                                error);
    else if (status == BESD_OK)
        status = store_clear_work(s->store, id, error); /* another worker may have had it */
    if (status == BESD_OK && explanation && explanation->why[0]) {
        detail = explanation_text(explanation);
        if (!detail)
            status = besd_fail_memory(error, "the explanation");
    }
    store_event event = {.who = by->worker && !s->who[0] ? by->worker : s->who,
                         .what = "asked",
                         .trial = id,
                         .detail = detail};
    if (status == BESD_OK)
        status = store_add_event(s->store, &event, error);
    if (status == BESD_OK && s->ask_key[0])
        status = store_keep_answer(s->store, s->ask_key, s->ask_digest,
                                   &(kept_answer){.code = 200, .trial = id}, error);
    free(detail);
    return status;
}

/* Inside a transaction: trials whose lease has ended wait. The event is in the name of the worker
 * who had the trial, not of the one who has noticed. */
static besd_status end_leases(besd_study *s, double now, besd_error *error) {
    int64_t overdue = 0;
    besd_status status = follow_clock(s, error);
    if (status == BESD_OK)
        status = store_mend_leases(s->store, now, error);
    while (status == BESD_OK) {
        status = store_overdue_trial(s->store, now, &overdue, error);
        if (status != BESD_OK || !overdue)
            break;
        besd_work work;
        status = store_set_state(s->store, overdue, BESD_TRIAL_WAITING, error);
        if (status == BESD_OK)
            status = store_get_work(s->store, overdue, &work, error);
        if (status == BESD_IO) { /* a damaged lease counts as ended, without a worker */
            work.worker[0] = 0;
            status = BESD_OK;
        }
        store_event event = {.who = work.worker, .what = "expired", .trial = overdue};
        if (status == BESD_OK)
            status = store_add_event(s->store, &event, error);
    }
    return status;
}

/* Inside a transaction. */
static besd_status give_first(besd_study *s, const asker *by, besd_trial *trial, bool *found,
                              besd_error *error) {
    int64_t id = 0;
    trial_record t;
    besd_status status = end_leases(s, clock_date(), error);
    if (status == BESD_OK)
        status = store_waiting_trial(s->store, by->task, &id, error);
    if (status != BESD_OK || !id)
        return status;
    status = store_hand_out(s->store, id, error);
    if (status == BESD_OK) /* the ended lease is not that of the next worker */
        status = store_set_work(s->store, id, "", clock_date(), INFINITY, error);
    if (status == BESD_OK)
        status = study_give(s, by, id, NULL, error);
    if (status == BESD_OK)
        status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        *trial = t.trial;
    *found = status == BESD_OK;
    return status;
}

besd_status study_give_waiting(besd_study *s, const asker *by, besd_trial *trial, bool *found,
                               besd_error *error) {
    bool any = false;
    char ignored[CLOCK_START_SIZE + 40];
    double jump = 0;
    *found = false;
    besd_status status = store_any_to_give(s->store, clock_date(), &any, error);
    if (status == BESD_OK)
        status = find_jump(s, &jump, ignored, sizeof ignored, error);
    if (status != BESD_OK || !(any || jump != 0))
        return status;
    status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = store_end(s->store, give_first(s, by, trial, found, error), error);
    *found = *found && status == BESD_OK;
    s->stopped = BESD_STOP_NONE;
    return status;
}

/* Inside a transaction. */
static besd_status renew(besd_study *s, int64_t id, const asker *by, besd_error *error) {
    trial_record t;
    besd_work work;
    double now = clock_date();
    besd_status status = follow_clock(s, error);
    if (status == BESD_OK)
        status = store_mend_leases(s->store, now, error);
    if (status == BESD_OK)
        status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = store_get_work(s->store, id, &work, error);
    if (status != BESD_OK)
        return status;
    if (t.trial.state != BESD_TRIAL_ASKED && t.trial.state != BESD_TRIAL_WAITING)
        return besd_fail(error, BESD_INVALID, "trial %lld is %s; there is no lease to renew",
                         (long long)id, besd_trial_state_name((size_t)t.trial.state));
    if (strcmp(work.worker, by->worker ? by->worker : "") != 0)
        return besd_fail(error, BESD_INVALID, "trial %lld: it is %s%s's, not %s's", (long long)id,
                         work.worker[0] ? "" : "nobody", work.worker,
                         by->worker ? by->worker : "nobody");
    if (t.trial.state == BESD_TRIAL_WAITING && isinf(work.until))
        return besd_fail(error, BESD_INVALID,
                         "trial %lld waits and was not given to anybody; ask for it first",
                         (long long)id);
    if (t.trial.state == BESD_TRIAL_WAITING || work.until <= now)
        return besd_fail(error, BESD_INVALID,
                         "trial %lld: the lease of '%s' ended %.0f seconds ago, and the trial goes "
                         "to the next who asks; its scores are still taken if they come first",
                         (long long)id, work.worker, fmax(0, now - work.until));
    status = store_set_work(s->store, id, work.worker, now, by->lease, error);
    return status == BESD_OK ? study_record(s, "renewed", id, NULL, error) : status;
}

besd_status besd_study_renew(besd_study *s, int64_t id, const char *worker, const double *lease,
                             besd_error *error) {
    asker by = {.worker = worker, .lease = lease ? *lease : INFINITY};
    besd_status status = asker_check(&by, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    return status == BESD_OK ? store_end(s->store, renew(s, id, &by, error), error) : status;
}

besd_status besd_study_work(besd_study *s, int64_t id, besd_work *work, besd_error *error) {
    trial_record t;
    double asked = 0, ended = 0;
    besd_status status = store_begin_reading(s->store, error);
    if (status != BESD_OK)
        return status;
    status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = store_get_work(s->store, id, work, error);
    if (status == BESD_OK)
        status = store_get_times(s->store, id, &asked, &ended, error);
    store_end_reading(s->store);
    work->asked = asked;
    work->ended = ended;
    return status;
}

/* A plan takes seconds in the longest studies. A planner that takes longer than this hangs. */
static const double MOST_SECONDS = 20;
enum { STEP_MS = 2 };

static void wait_a_little(void) {
    struct timespec t = {.tv_nsec = STEP_MS * 1000000L};
    nanosleep(&t, NULL);
}

/* Opens or makes the lock's file. It gets the study's mode, like the database's own companions, so
 * that whoever may write the study may take the lock. */
static int open_beside(const char *path, const char *study) {
    struct stat like;
    int flags = O_CLOEXEC | O_NOFOLLOW;
    int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
    if (descriptor >= 0 && stat(study, &like) == 0)
        fchmod(descriptor, like.st_mode & 0666);
    if (descriptor < 0 && errno == EEXIST)
        descriptor = open(path, O_RDWR | flags);
    else if (descriptor < 0 && errno == ENOENT)
        errno = ENOTDIR; /* the folder is gone, not the file */
    if (descriptor < 0 && errno == EACCES) {
        descriptor = open(path, O_RDONLY | flags);
        if (descriptor < 0 && errno == ENOENT)
            errno = EACCES; /* it does not exist, and we may not make it */
    }
    return descriptor;
}

/* A process that leaves removes the file, so a lock may be that of a file that is gone. */
static bool is_current(const turn_lock *lock) {
    struct stat held, named;
    return fstat(lock->descriptor, &held) == 0 && stat(lock->path, &named) == 0 &&
           held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

static void drop(turn_lock *lock) {
    if (lock->descriptor >= 0) {
        flock(lock->descriptor, LOCK_UN); /* also for copies that a fork has made */
        close(lock->descriptor);
    }
    lock->descriptor = -1;
}

/* One try: true when the lock is held, or can never be had. */
static bool try_once(turn_lock *lock, const char *study) {
    if (lock->descriptor < 0)
        lock->descriptor = open_beside(lock->path, study);
    if (lock->descriptor < 0)
        return errno != ENOENT; /* ENOENT: another process leaves at this moment */
    if (flock(lock->descriptor, LOCK_EX | LOCK_NB) == 0) {
        if (is_current(lock))
            return true;
        drop(lock);
    } else if (errno != EWOULDBLOCK && errno != EINTR) {
        drop(lock);
        return true;
    }
    return false;
}

void turn_lock_take(turn_lock *lock, const char *study) {
    static const char ending[] = "-ask";
    *lock = (turn_lock){.descriptor = -1};
    size_t size = study && *study ? strlen(study) + sizeof ending : 0;
    lock->path = size ? malloc(size) : NULL;
    if (!lock->path)
        return;
    snprintf(lock->path, size, "%s%s", study, ending);
    double since = clock_seconds();
    bool done = try_once(lock, study);
    while (!done && clock_seconds() - since < MOST_SECONDS) {
        wait_a_little();
        done = try_once(lock, study);
    }
    if (!done)
        drop(lock); /* the other process hangs */
}

void turn_lock_leave(turn_lock *lock) {
    if (lock->descriptor >= 0 && is_current(lock))
        unlink(lock->path);
    drop(lock);
    free(lock->path);
    lock->path = NULL;
}
