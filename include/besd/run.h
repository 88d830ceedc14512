/* Running a study: ask, train, tell, until the budget is spent.
 *
 * besd_study_run is the loop of `besd run`. It asks the study for trials, has them trained, and
 * tells the scores. It begins again what fails, takes over what a dead process has left, keeps off
 * the trials of other processes that run the same study, and waits for their last ones.
 *
 * Who trains is a besd_trainer, a table of four functions. For a function of your own that trains
 * one trial and returns, a besd_callback makes the table:
 *
 *     besd_status drive(void *rover, const besd_trial *t, besd_training *result, besd_error *err) {
 *         static double scores[BESD_MAX_REPS];
 *         my_rover_train(rover, t->theta, t->tau, t->reps, t->seed, scores);
 *         result->outcome.scores = scores, result->outcome.count = (size_t)t->reps;
 *         return BESD_OK;
 *     }
 *     ...
 *     besd_callback callback = {.train = drive, .context = &rover};
 *     besd_trainer trainer = besd_callback_trainer(&callback);
 *     besd_run_result result;
 *     besd_study_run(study, &trainer, NULL, &result, &err);
 *
 * For a command of the shell, besd_command_trainer_open makes it. A program with a loop of its own
 * takes the steps one by one: besd_run_open, besd_run_next, besd_run_settle, besd_run_close.
 */
#ifndef BESD_RUN_H
#define BESD_RUN_H

#include "besd/besd.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what a training gives ---- */

typedef enum besd_training_end {
    BESD_TRAINING_SCORED = 0, /* it has scores */
    BESD_TRAINING_FAILED = 1, /* it has none, and note says why */
    BESD_TRAINING_LOST = 2    /* its machine is gone; another worker will train the trial */
} besd_training_end;

/* Pointers live until the trainer is called again. */
typedef struct besd_training {
    int64_t trial;
    besd_training_end end;
    besd_outcome outcome; /* of BESD_TRAINING_FAILED the cost alone counts */
    const char *note;     /* kept with the trial, or why it failed; NULL: none */
    uint64_t reserved[8];
} besd_training;

/* ---- who trains ---- */

/* All four get `context`. A status below 0 of any of them ends the run with that status. */
typedef struct besd_trainer {
    void *context;
    size_t (*room)(void *context); /* how many more trials it can take now */
    besd_status (*start)(void *context, besd_study *study, const besd_trial *trial,
                         besd_error *error); /* begins to train; may train and return */
    besd_status (*wait)(void *context, double seconds,
                        besd_error *error); /* until a training is over, but no longer than that;
                                               BESD_DONE: a signal came */
    besd_status (*take)(void *context, besd_training *training,
                        besd_error *error); /* one that is over; BESD_DONE: there is none */
} besd_trainer;

/* Trains one trial and returns. The training comes in with the trial's number and no outcome. When
 * the training fails, set end and note and return BESD_OK: the trial is on record as failed and the
 * run goes on. */
typedef besd_status besd_train(void *context, const besd_trial *trial, besd_training *training,
                               besd_error *error);

typedef struct besd_callback {
    besd_train *train;
    void *context;
    besd_training training; /* the library's from here on */
    bool over;
} besd_callback;

/* A trainer that calls it, one trial at a time. The callback must live as long as the trainer. */
BESD_API besd_trainer besd_callback_trainer(besd_callback *callback);

/* A command that /bin/sh runs once for every trial (docs/trainer.md): a trial as JSON on its
 * standard input, scores as JSON on its standard output. */
typedef struct besd_command {
    const char *text;
    const char *folder; /* where it runs; NULL: in the current folder */
    double timeout;     /* seconds for one trial; 0: no limit */
    size_t places;      /* commands side by side; 0: one */
    void (*hear)(void *listener, int64_t trial, const char *line); /* its standard error, or NULL */
    void *listener;
    const void *signals; /* a sigset_t, the signal mask while it waits; NULL: as it is */
    uint64_t reserved[8];
} besd_command;

/* The texts of the command are borrowed until it is closed. close kills what still runs; a trainer
 * of zeros is fine. */
BESD_API besd_status besd_command_trainer_open(besd_trainer *trainer, const besd_command *command,
                                               besd_error *error);
BESD_API void besd_command_trainer_close(besd_trainer *trainer);

/* ---- the loop ---- */

typedef enum besd_run_event_kind {
    BESD_RUN_BEGINS = 0, /* a trial is about to be trained */
    BESD_RUN_TELLS = 1,  /* its scores were told */
    BESD_RUN_FAILS = 2,  /* its training failed; `again`: it begins once more */
    BESD_RUN_KEEPS = 3,  /* another worker has told or voided it meanwhile; that stays */
    BESD_RUN_LOSES = 4,  /* its machine is gone */
    BESD_RUN_WAITS = 5   /* nothing is left but `others` trials of other runs */
} besd_run_event_kind;

typedef struct besd_run_event {
    besd_run_event_kind kind;
    const besd_trial *trial;       /* as it was asked; of BESD_RUN_KEEPS, as it is now */
    const besd_training *training; /* of BESD_RUN_TELLS and BESD_RUN_FAILS */
    const char *why;               /* of BESD_RUN_FAILS */
    bool again;
    int64_t others;
    size_t running;   /* trials under way in this run */
    double under_way; /* what these trials cost together, as planned */
} besd_run_event;

/* What a run does where its options say nothing else, for loops of your own that do the same. */
#define BESD_RUN_LOOK_AROUND 300 /* milliseconds between looks at the trials of other runs */
#define BESD_RUN_RENEWALS 3      /* in the time of a lease, so that one may be late */
#define BESD_RUN_MOST_ALIKE 2    /* for most_alike: where mistakes in the trainer are likely */

typedef struct besd_run_options {
    size_t size;           /* of this struct, as the program knows it */
    const char *worker;    /* in whose name trials are asked for; NULL: not named */
    const double *lease;   /* seconds, renewed while a trial is trained; NULL: no lease */
    int retries;           /* how many times a failed training is repeated */
    int64_t most_trials;   /* 0: as many as the budget pays for */
    int64_t most_failures; /* trials in a row that fail and end the run; 0: 3 and one per place */
    int64_t most_alike;    /* the same, of failures for one and the same reason before anything was
                              told, which is a mistake in the trainer and not bad luck; 0: no limit */
    bool leave_old;        /* do not take over what dead runs have left */
    bool (*interrupted)(void *context); /* asked between trials: end the run? NULL: never */
    besd_status (*hear)(void *context, const besd_run_event *event,
                        besd_error *error); /* what happens; anything but BESD_OK ends the run */
    void *context;
} besd_run_options;

BESD_API void besd_run_options_fill(besd_run_options *options, size_t size);
static inline besd_run_options besd_run_options_default(void) {
    besd_run_options options;
    besd_run_options_fill(&options, sizeof options);
    return options;
}

#define BESD_RUN_MOST_FREE 100 /* trials in a row that cost 0: the budget would never be spent */

typedef enum besd_run_end {
    BESD_RUN_DONE = 0,        /* the study has no more trials */
    BESD_RUN_INTERRUPTED = 1, /* options.interrupted said so */
    BESD_RUN_HOPELESS = 2,    /* too many trials in a row failed */
    BESD_RUN_ENDLESS = 3,     /* BESD_RUN_MOST_FREE trials in a row cost nothing */
    BESD_RUN_ENOUGH = 4       /* options.most_trials */
} besd_run_end;

typedef struct besd_run_result {
    besd_run_end end;
    int64_t told, failed;              /* trials, in this run */
    int64_t failed_in_a_row;           /* at its end */
    char why[BESD_ERROR_MESSAGE_SIZE]; /* of BESD_RUN_DONE why the study has no more trials, else
                                          why the last training failed that did */
    uint64_t reserved[16];
} besd_run_result;

/* options NULL: all with their defaults. A run that ends in one of the ways above is BESD_OK. */
BESD_API besd_status besd_study_run(besd_study *study, const besd_trainer *trainer,
                                    const besd_run_options *options, besd_run_result *result,
                                    besd_error *error);

/* ---- its steps, for loops of your own ---- */

typedef struct besd_run besd_run;

/* The study must live longer than the run; several runs of one handle are fine. */
BESD_API besd_status besd_run_open(besd_run **run, besd_study *study,
                                   const besd_run_options *options, besd_error *error);
BESD_API void besd_run_close(besd_run *run);

/* The next trial to train: one that a dead run has left, or a new one. BESD_DONE with the reason in
 * error when there is none now; *others (may be NULL) is the number of trials that other runs still
 * train: when one of them ends or dies, there may be more to do. */
BESD_API besd_status besd_run_next(besd_run *run, besd_trial *trial, int64_t *others,
                                   besd_error *error);

/* What became of a trial whose training is over. */
typedef enum besd_run_verdict {
    BESD_RUN_TOLD = 0,   /* its scores were told */
    BESD_RUN_FAILED = 1, /* it is on record as failed */
    BESD_RUN_AGAIN = 2,  /* train it again: it is still ours */
    BESD_RUN_KEPT = 3,   /* another worker told or voided it; that stays */
    BESD_RUN_LOST = 4    /* any run may take it again */
} besd_run_verdict;

/* Tells the scores of a trial that besd_run_next gave, or records its failure. */
BESD_API besd_status besd_run_settle(besd_run *run, const besd_training *training,
                                     besd_run_verdict *verdict, besd_error *error);

/* Gives up the claim on a trial and tells the study nothing. The next run that looks takes it. */
BESD_API void besd_run_give_back(besd_run *run, int64_t trial);

/* How the run is doing. result->end is BESD_RUN_DONE unless the run is hopeless or endless or has
 * trained most_trials. `places`: how many trials can be trained at once. */
BESD_API void besd_run_look(const besd_run *run, size_t places, besd_run_result *result);

/* ---- claims ---- */

/* Which process trains which trial. A claim is a lock on a byte of the file STUDY-run and ends with
 * its process. A study in memory keeps its claims itself. Where locks cannot be had, every claim is
 * granted. */
typedef struct besd_claims besd_claims;

BESD_API besd_status besd_claims_open(besd_claims **claims, besd_study *study, besd_error *error);
BESD_API void besd_claims_close(besd_claims *claims);

/* Takes the trial unless another process has it. A claim of this process is granted again. */
BESD_API bool besd_claims_take(besd_claims *claims, int64_t trial);
BESD_API void besd_claims_leave(besd_claims *claims, int64_t trial);

#ifdef __cplusplus
}
#endif
#endif
