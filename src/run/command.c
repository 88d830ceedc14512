#define _GNU_SOURCE /* memfd_create, pipe2, ppoll */
#include "run/command.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/process.h"
#include "core/text.h"
#include "json/trainer_answer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    PIECE = 1 << 16,     /* bytes of one read */
    PIECES = 64,         /* reads in a row from one stream, so that none starves the others */
    LONGEST_LINE = 2048, /* of its standard error; a longer one is handed on in parts */
    LAST_WORDS = COMMAND_LAST_WORDS
};

typedef enum outcome {
    RUNNING,
    ENDED,
    LATE,    /* the time-out came first */
    CLOSED,  /* it closed its output without an answer and went on */
    FLOODED, /* its output is too large */
    STUCK    /* no memory for its output */
} outcome;

struct command_process {
    besd_command command;
    int64_t trial;
    answer_terms terms; /* of command_start; its route is ours */
    answer_route route;
    pid_t process;
    int life, output_end, error_end; /* descriptors; -1 once closed */
    int own_life;                    /* what it would notice our end by */
    double deadline, closing;        /* INFINITY: none */
    outcome outcome;
    char *output;
    size_t used, capacity;
    char line[LONGEST_LINE + 1];
    size_t line_used;
    char last_words[LAST_WORDS + 1];
};

static void close_end(int *descriptor) {
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

/* A file in memory that holds the text, at its beginning; -1 and errno on failure. Unlike a pipe it
 * takes everything at once, and it does not matter whether the command reads it. */
static int make_input(const char *text) {
    size_t length = strlen(text);
    int file = memfd_create("besd-trial", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    ssize_t written = write(file, text, length);
    if (written == (ssize_t)length && lseek(file, 0, SEEK_SET) == 0)
        return file;
    int reason = written >= 0 && written < (ssize_t)length ? ENOSPC : errno; /* a short write */
    close(file);
    errno = reason;
    return -1;
}

/* Starts the process with its three streams; an errno, or 0. */
static int launch(command_process *t, const char *request) {
    int output[2] = {-1, -1}, errors[2] = {-1, -1}, lives[2] = {-1, -1};
    int input = make_input(request), failed = 0;
    if (input < 0 || pipe2(output, O_CLOEXEC) || pipe2(errors, O_CLOEXEC) ||
        pipe2(lives, O_CLOEXEC))
        failed = errno;
    process_setting setting = {t->command.folder, input, output[1], errors[1], lives[0]};
    if (!failed)
        failed = process_start(t->command.text, &setting, &t->process);
    close_end(&input);
    close_end(&output[1]);
    close_end(&errors[1]);
    close_end(&lives[0]);
    t->output_end = output[0];
    t->error_end = errors[0];
    t->own_life = lives[1];
    if (failed)
        return failed;
    t->life = (int)syscall(SYS_pidfd_open, t->process, 0); /* glibc 2.36 has a name for it */
    if (t->life < 0 || fcntl(t->output_end, F_SETFL, O_NONBLOCK) ||
        fcntl(t->error_end, F_SETFL, O_NONBLOCK)) {
        failed = errno;
        process_end(t->process);
    }
    return failed;
}

static void release(command_process *t) {
    close_end(&t->life);
    close_end(&t->output_end);
    close_end(&t->error_end);
    close_end(&t->own_life);
    free(t->output);
    free(t);
}

besd_status command_launch(const besd_command *command, int64_t trial, const char *request,
                           command_process **started, besd_error *error) {
    command_process *t = calloc(1, sizeof *t);
    if (!t)
        return besd_fail_memory(error, "the command");
    t->command = *command;
    t->trial = trial;
    t->life = -1;
    t->deadline = command->timeout > 0 ? clock_seconds() + command->timeout : INFINITY;
    t->closing = INFINITY;
    int failed = launch(t, request);
    if (failed) {
        release(t);
        return besd_fail(error, BESD_IO, "the command '%.200s' could not be started: %s",
                         command->text, strerror(failed));
    }
    *started = t;
    return BESD_OK;
}

besd_status command_start(const besd_command *command, const besd_study_options *study,
                          const besd_tasks *tasks, const answer_route *route,
                          const besd_trial *trial, command_process **started, besd_error *error) {
    char *request = answer_request(study, tasks, route, trial);
    if (!request)
        return besd_fail_memory(error, "the command");
    besd_status status = command_launch(command, trial->id, request, started, error);
    free(request);
    if (status != BESD_OK)
        return status;
    command_process *t = *started;
    if (route)
        t->route = *route;
    t->terms = (answer_terms){.reps = trial->reps,
                              .transform = study->transform,
                              .direction = study->direction,
                              .route = route ? &t->route : NULL,
                              .ignores_legs = isnan(trial->theta[0])};
    return BESD_OK;
}

/* Hands on the line that has come so far, and remembers it as last words. */
static void hand_on(command_process *t) {
    t->line[t->line_used] = 0;
    if (t->command.hear)
        t->command.hear(t->command.listener, t->trial, t->line);
    if (t->line[strspn(t->line, " \t\r")]) {
        char joined[LAST_WORDS + LONGEST_LINE + 4];
        int length = snprintf(joined, sizeof joined, "%s%s%s", t->last_words,
                              t->last_words[0] ? " | " : "", t->line);
        int cut = length > LAST_WORDS ? length - LAST_WORDS : 0;
        memcpy(t->last_words, joined + cut, (size_t)(length - cut) + 1);
    }
    t->line_used = 0;
}

static void hear(command_process *t, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        bool ends = text[i] == '\n';
        if (!ends)
            t->line[t->line_used++] = text[i] ? text[i] : ' ';
        if (ends || t->line_used == LONGEST_LINE)
            hand_on(t);
    }
}

static void attend_errors(command_process *t) {
    char piece[PIECE];
    for (int i = 0; i < PIECES && t->error_end >= 0; i++) {
        ssize_t got = read(t->error_end, piece, sizeof piece);
        if (got > 0)
            hear(t, piece, (size_t)got);
        else if (!got || (errno != EINTR && errno != EAGAIN))
            close_end(&t->error_end);
        else if (errno == EAGAIN)
            return;
    }
}

static bool make_room(command_process *t) {
    if (t->capacity - t->used >= PIECE)
        return true;
    size_t capacity = 2 * t->capacity + PIECE;
    char *grown = realloc(t->output, capacity);
    if (!grown)
        return false;
    t->output = grown;
    t->capacity = capacity;
    return true;
}

/* When the output ends without an answer there will be none, though the process may go on. */
static void close_output(command_process *t) {
    json_t *answer = answer_parse(t->output, t->used, NULL);
    if (!answer)
        t->closing = clock_seconds() + PROCESS_GRACE;
    json_decref(answer);
    close_end(&t->output_end);
}

static void attend_output(command_process *t) {
    for (int i = 0; i < PIECES && t->output_end >= 0; i++) {
        if (!make_room(t)) {
            t->outcome = STUCK;
            return;
        }
        ssize_t got = read(t->output_end, t->output + t->used, PIECE);
        if (got > 0)
            t->used += (size_t)got;
        else if (!got || (errno != EINTR && errno != EAGAIN))
            close_output(t);
        else if (errno == EAGAIN)
            return;
        if (t->used > COMMAND_LARGEST_OUTPUT) {
            t->outcome = FLOODED;
            return;
        }
    }
}

static void attend(command_process *t) {
    bool ended = process_has_ended(t->process); /* first, so that all of its output is there */
    attend_errors(t);
    attend_output(t);
    if (t->outcome != RUNNING)
        return;
    if (ended)
        t->outcome = ENDED;
    else if (clock_seconds() >= t->deadline)
        t->outcome = LATE;
    else if (clock_seconds() >= t->closing)
        t->outcome = CLOSED;
}

besd_status command_wait(command_process *const *list, size_t count, const sigset_t *mask,
                         double seconds, besd_error *error) {
    struct pollfd ends[3 * COMMAND_MOST];
    double until = clock_seconds() + seconds;
    for (size_t i = 0; i < count; i++) { /* a negative descriptor is passed over */
        const int descriptors[] = {list[i]->life, list[i]->output_end, list[i]->error_end};
        for (size_t k = 0; k < 3; k++)
            ends[3 * i + k] = (struct pollfd){.fd = descriptors[k], .events = POLLIN};
        until = fmin(until, fmin(list[i]->deadline, list[i]->closing));
    }
    double left = fmin(fmax(until - clock_seconds(), 0), 1e6), whole = floor(left);
    struct timespec limit = {(time_t)whole, (long)((left - whole) * 1e9)};
    if (ppoll(ends, 3 * count, &limit, mask) < 0)
        return errno == EINTR ? BESD_DONE
                              : besd_fail(error, BESD_IO, "waiting for the command failed: %s",
                                          strerror(errno));
    for (size_t i = 0; i < count; i++)
        attend(list[i]);
    return BESD_OK;
}

bool command_is_over(const command_process *t) {
    return t->outcome != RUNNING;
}

int64_t command_trial(const command_process *t) {
    return t->trial;
}

/* Why there is no answer, or empty when there may be one. */
static void describe_end(const command_process *t, char *how, size_t size) {
    bool success = false;
    switch (t->outcome) {
    case LATE:
        snprintf(how, size, "was killed after its time-out of %g seconds", t->command.timeout);
        return;
    case CLOSED:
        snprintf(how, size, "closed its standard output without an answer and went on");
        return;
    case FLOODED:
        snprintf(how, size, "printed over %d bytes, which is no answer", COMMAND_LARGEST_OUTPUT);
        return;
    case STUCK:
    case RUNNING:
    case ENDED:
        break;
    }
    if (!process_describe_end(t->process, how, size, &success) || success)
        how[0] = 0;
}

/* The two exit codes by which a shell says that it could not start a command. */
enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

/* What has printed something did start, whatever its exit code is. */
static bool has_not_started(const command_process *t) {
    int code = t->outcome == ENDED && !t->used ? process_wait(t->process) : 0;
    return code == NOT_EXECUTABLE || code == NOT_FOUND;
}

command_end command_take_end(command_process *t) {
    command_end end = {.status = t->outcome == STUCK ? BESD_MEMORY : BESD_OK};
    if (t->line_used)
        hand_on(t);
    describe_end(t, end.how, sizeof end.how);
    end.not_started = has_not_started(t);
    memcpy(end.said, t->last_words, sizeof end.said);
    if (t->outcome != FLOODED && t->outcome != STUCK) {
        end.output = t->output;
        end.size = t->used;
        t->output = NULL;
    }
    command_stop(t);
    return end;
}

/* The sentence of a command that gave no answer: what happened, and what it said last. */
static besd_status blame(const command_end *end, const char *what, besd_error *error) {
    besd_status status = end->not_started ? BESD_IO : BESD_ENVIRONMENT;
    besd_error_set(error, status, "the command %s%s%s%s",
                   end->not_started ? "could not start, so nothing is charged: it " : "", what,
                   end->said[0] ? "; it said: " : "", end->said);
    if (error)
        text_clean(error->message);
    return status;
}

enum { LONGEST_QUOTE = 160 };

/* "; its answer was {...}": values that were refused may have cost hours. Empty when the output is
 * no JSON object; the reason quotes it then. */
static void quote_answer(const command_end *end, char quote[LONGEST_QUOTE + 40]) {
    json_t *answer = answer_parse(end->output, end->size, NULL);
    char *text = answer ? json_dumps(answer, JSON_COMPACT) : NULL;
    quote[0] = 0;
    if (text)
        snprintf(quote, LONGEST_QUOTE + 40, "; its answer was %.*s%s", LONGEST_QUOTE, text,
                 strlen(text) > LONGEST_QUOTE ? "..." : "");
    free(text);
    json_decref(answer);
}

besd_status command_judge(command_end *end, const answer_terms *terms, trainer_answer *answer,
                          besd_error *error) {
    besd_error reason = {BESD_OK, ""};
    answer->cost = -1;
    answer->note[0] = 0;
    answer->legs = NULL;
    if (end->status == BESD_MEMORY)
        return besd_fail_memory(error, "the output of the command");
    /* what failed may have told its cost */
    besd_status status = answer_judge(end->output, end->size, terms, answer, &reason);
    char quote[LONGEST_QUOTE + 40] = "";
    if (status != BESD_OK && !end->how[0])
        quote_answer(end, quote);
    free(end->output);
    end->output = NULL;
    if (status == BESD_MEMORY) /* which is no fault of the command */
        return besd_fail_memory(error, "the answer of the command");
    if (status == BESD_OK && !end->how[0])
        return BESD_OK;
    answer_free(answer); /* it may have answered, and failed then */
    if (end->how[0])
        return blame(end, end->how, error);
    char what[BESD_ERROR_MESSAGE_SIZE];
    snprintf(what, sizeof what, "gave no valid answer: %.240s%s", reason.message, quote);
    return blame(end, what, error);
}

besd_status command_finish(command_process *t, trainer_answer *answer, besd_error *error) {
    answer_route route = t->route;
    answer_terms terms = t->terms;
    if (terms.route)
        terms.route = &route;
    command_end end = command_take_end(t);
    return command_judge(&end, &terms, answer, error);
}

void command_stop(command_process *t) {
    if (!t)
        return;
    process_end(t->process);
    release(t);
}

/* Commands side by side as a trainer of a run. */
typedef struct place {
    command_process *process; /* NULL: the place is free */
    int reps;
} place;

typedef struct command_trainer {
    besd_command command;
    trainer_answer answer; /* what was taken last */
    besd_error why;
    size_t places;
    place at[];
} command_trainer;

static size_t places_free(void *context) {
    const command_trainer *c = context;
    size_t count = 0;
    for (size_t i = 0; i < c->places; i++)
        count += !c->at[i].process;
    return count;
}

static besd_status places_start(void *context, besd_study *study, const besd_trial *trial,
                                besd_error *error) {
    command_trainer *c = context;
    answer_route route;
    besd_tasks tasks;
    bool is_path = answer_route_of(study, trial->theta, &route);
    besd_study_get_tasks(study, &tasks);
    for (size_t i = 0; i < c->places; i++)
        if (!c->at[i].process) {
            c->at[i].reps = trial->reps;
            return command_start(&c->command, besd_study_get_options(study), &tasks,
                                 is_path ? &route : NULL, trial, &c->at[i].process, error);
        }
    return besd_fail(error, BESD_INVALID, "the command: no place is free");
}

static besd_status places_wait(void *context, double seconds, besd_error *error) {
    command_trainer *c = context;
    command_process *list[COMMAND_MOST];
    size_t count = 0;
    for (size_t i = 0; i < c->places; i++)
        if (c->at[i].process)
            list[count++] = c->at[i].process;
    return command_wait(list, count, c->command.signals, seconds, error);
}

besd_status command_training(besd_status judged, trainer_answer *answer, int reps,
                             const besd_error *why, besd_training *training, besd_error *error) {
    if (judged != BESD_OK && judged != BESD_ENVIRONMENT) {
        if (error)
            *error = *why;
        return judged;
    }
    training->end = judged == BESD_OK ? BESD_TRAINING_SCORED : BESD_TRAINING_FAILED;
    training->outcome = (besd_outcome){.scores = answer->scores,
                                       .count = (size_t)reps,
                                       .legs = answer->legs,
                                       .cost = answer->cost < 0 ? NULL : &answer->cost};
    training->note = judged == BESD_OK ? answer->note : why->message;
    return BESD_OK;
}

static besd_status places_take(void *context, besd_training *training, besd_error *error) {
    command_trainer *c = context;
    answer_free(&c->answer);
    for (size_t i = 0; i < c->places; i++) {
        command_process *process = c->at[i].process;
        if (!process || !command_is_over(process))
            continue;
        training->trial = command_trial(process);
        c->at[i].process = NULL;
        besd_status status = command_finish(process, &c->answer, &c->why);
        return command_training(status, &c->answer, c->at[i].reps, &c->why, training, error);
    }
    return BESD_DONE;
}

besd_status besd_command_trainer_open(besd_trainer *trainer, const besd_command *command,
                                      besd_error *error) {
    size_t places = command->places ? command->places : 1;
    *trainer = (besd_trainer){0};
    if (places > COMMAND_MOST)
        return besd_fail(error, BESD_INVALID, "places: expected 1 to %d, got %zu", COMMAND_MOST,
                         places);
    command_trainer *c = calloc(1, sizeof *c + places * sizeof *c->at);
    if (!c)
        return besd_fail_memory(error, "the command");
    c->command = *command;
    c->places = places;
    *trainer = (besd_trainer){c, places_free, places_start, places_wait, places_take};
    return BESD_OK;
}

void besd_command_trainer_close(besd_trainer *trainer) {
    command_trainer *c = trainer->context;
    for (size_t i = 0; c && i < c->places; i++)
        command_stop(c->at[i].process);
    if (c)
        answer_free(&c->answer);
    free(c);
    *trainer = (besd_trainer){0};
}
