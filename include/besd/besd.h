/* besd: where to put the subgoals, at the lowest price in interactions.
 *
 * A study is one file. It holds a search space, the levers (tau: how long to train, reps: how many
 * replications), every trial and every score. You ask the study for a trial, train your agent as
 * the trial says, and tell the study the scores. The study decides what is worth trying next by the
 * knowledge gradient per unit cost, and recommends at any time the design to use today:
 *
 *     besd_study *s;  besd_trial t;  besd_error err;
 *     double low[] = {0, 0}, high[] = {10, 10};
 *     int64_t taus[] = {200, 1000};  int reps[] = {5, 20};
 *     besd_study_options o = besd_study_options_default();
 *     o.dimension = 2, o.low = low, o.high = high, o.budget = 300000;
 *     o.taus = taus, o.tau_count = 2, o.reps = reps, o.reps_count = 2;
 *     besd_study_open(&s, "rover.besd", &o, &err);
 *     while (besd_study_ask(s, NULL, &t, &err) == BESD_OK) {  // t.theta, t.tau, t.reps, t.seed
 *         double scores[BESD_MAX_REPS];
 *         my_rover_train(t.theta, t.tau, t.reps, t.seed, scores);
 *         besd_outcome outcome = {.scores = scores, .count = (size_t)t.reps};
 *         besd_study_tell(s, t.id, &outcome, &err);           // durable when it returns
 *     }                                       // BESD_DONE, and err.message says why
 *     besd_recommendation best;
 *     besd_study_recommend(s, &best, &err);
 *     besd_study_close(s);
 *
 * besd/run.h has this loop as one call, with retries, several processes and commands as trainers.
 *
 * Contents: versions and limits - words - options - a study's life - asking - telling - looking at
 * trials - recommending and predicting - paths and legs - tasks - sources - acts and
 * events - notes.
 *
 * Rules for all calls. Zero is success. A positive status says why nothing was done: BESD_DONE,
 * nothing is left to do; BESD_REPEATED, it was told so before. A negative status is a failure, with
 * a sentence in err (which may be NULL). A handle belongs to one thread at a time; several
 * processes may open one study. Nothing is printed, nothing exits, and only the named file is
 * touched, besides what SQLite and askers keep beside it while they work (-wal, -shm, -ask).
 *
 * "None" has one form on either side. What a caller leaves out is a NULL pointer, also to a number:
 * .cost = NULL is the planned cost, .lease = NULL a trial without a lease. What the library does
 * not know is NaN. Options of a study are numbers that all have a default: INFINITY means no limit
 * (of the budget, or a best_possible or baseline that nobody knows), BESD_AUTO leaves the number to
 * besd. Structs that a caller fills in begin as {0}, options as besd_..._options_default().
 *
 * How the library grows. Programs built against this header run with every later libbesd of the
 * same BESD_ABI, which is the number in libbesd.so.N:
 *  - functions, enumerators and members keep their names, numbers and places;
 *  - options structs grow at their end, and their `size` tells which members a program knows: the
 *    others have their defaults;
 *  - every other struct but besd_error ends with `reserved` room, all zero, out of which new
 *    members are made: its size stays;
 *  - new enumerators may appear in what the library tells; besd_..._name knows them.
 * A library refuses options that are larger than its own: the program was built against a newer
 * besd.
 */
#ifndef BESD_BESD_H
#define BESD_BESD_H

#include "besd/options.h"
#include "besd/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- versions and limits ---- */

#define BESD_VERSION_MAJOR 0
#define BESD_VERSION_MINOR 3
#define BESD_VERSION_PATCH 0
#define BESD_ABI 2

/* The version of the library in use, "0.3.0"; the macros are those of the header. */
BESD_API const char *besd_version(void);

#define BESD_MAX_DIMENSION 64
#define BESD_MAX_LEVELS 16
#define BESD_MAX_REPS 4096
#define BESD_MAX_NAME 64
#define BESD_MAX_SOURCES 8
#define BESD_MAX_TAGS 1024
#define BESD_MAX_NOTE 1024 /* of a trial, with its zero */
#define BESD_MAX_CANDIDATES 4
#define BESD_MAX_COORDINATES 8
#define BESD_MAX_LABELS 8
#define BESD_MAX_TASKS 64
#define BESD_MAX_FEATURES 8
#define BESD_ALL_TASKS (-1) /* a task: instances of all tasks, which nobody told apart */

/* ---- words ---- */

/* Is a larger score better? */
typedef enum besd_direction { BESD_MAXIMIZE = 0, BESD_MINIMIZE = 1 } besd_direction;

/* What the model sees: the score, or its logarithm (for positive scores that differ by factors,
 * such as steps to a goal; replications are averaged after the logarithm). */
typedef enum besd_transform { BESD_TRANSFORM_NONE = 0, BESD_TRANSFORM_LOG = 1 } besd_transform;

/* The paper's model has one set of hyperparameters, their maximum a posteriori. The averaged one
 * has several, draws from their posterior. */
typedef enum besd_model { BESD_MODEL_PAPER = 0, BESD_MODEL_AVERAGED = 1 } besd_model;

/* Whether the replications of a trial are trained in one environment, as in the paper, or each in
 * one of its own, which tells more about all of them. */
typedef enum besd_instances { BESD_INSTANCES_SHARED = 0, BESD_INSTANCES_FRESH = 1 } besd_instances;

/* How trials are chosen. The first is what this library is about; the others are there to be
 * compared with, and try designs at the largest tau with the most reps unless said otherwise. */
typedef enum besd_method {
    BESD_METHOD_BESD = 0,           /* knowledge gradient per cost over (theta, tau, reps) */
    BESD_METHOD_RANDOM = 1,         /* a Latin hypercube as long as the budget allows */
    BESD_METHOD_EI = 2,             /* expected improvement, in logarithms */
    BESD_METHOD_EI_PAPER = 3,       /* as in the paper's experiments: isotropic, fitted by maximum
                                       likelihood, noise in the improvement */
    BESD_METHOD_LCB = 4,            /* confidence bound: mean + 2 sd */
    BESD_METHOD_HYPERBAND = 5,      /* brackets of successive halving over tau, incumbent at the
                                       largest tau so far */
    BESD_METHOD_HYPERBAND_PAPER = 6 /* the same, incumbent over all tau */
} besd_method;

typedef enum besd_trial_state {
    BESD_TRIAL_ASKED = 0,
    BESD_TRIAL_TOLD = 1,
    BESD_TRIAL_FAILED = 2,
    BESD_TRIAL_VOIDED = 3, /* told, and taken out of the model */
    BESD_TRIAL_WAITING = 4 /* enqueued, or its lease has ended: the next ask gives it */
} besd_trial_state;

/* Why a trial was chosen. */
typedef enum besd_reason {
    BESD_REASON_INITIAL = 0, /* initial design */
    BESD_REASON_KG = 1,      /* largest knowledge gradient per cost */
    BESD_REASON_EXPLOIT = 2, /* no trial promises to change the recommendation: test it again */
    BESD_REASON_SHARE = 3,   /* the minimum share of trials at the largest tau */
    BESD_REASON_RANDOM = 4,  /* method random, or nothing is told that a model could learn from */
    BESD_REASON_RETRY = 5,   /* a failed trial asked again */
    BESD_REASON_IMPROVEMENT = 6, /* largest expected improvement */
    BESD_REASON_BOUND = 7,       /* largest confidence bound */
    BESD_REASON_BRACKET = 8,     /* Hyperband: a new design of a bracket */
    BESD_REASON_PROMOTED = 9,    /* Hyperband: it survived a rung */
    BESD_REASON_EXPLORE = 10,    /* the share of trials spread over the space is due */
    BESD_REASON_CONFIRM = 11,    /* one of the best designs is trained again before the end */
    BESD_REASON_LEGS = 12,       /* a path composed of the best legs, which it teaches more of */
    BESD_REASON_ADDED = 13,      /* an earlier result, told without being asked */
    BESD_REASON_ENQUEUED = 14,   /* besd_study_enqueue asked for it */
    BESD_REASON_SOURCE = 15      /* one of the best designs of a source */
} besd_reason;

/* Why the last ask of a handle gave no trial. */
typedef enum besd_stop {
    BESD_STOP_NONE = 0,      /* it gave one */
    BESD_STOP_BUDGET = 1,    /* the budget is spent */
    BESD_STOP_REMAINDER = 2, /* what is left of the budget does not pay for the next trial */
    BESD_STOP_VALUE = 3      /* the best knowledge gradient per cost is below stop_below */
} besd_stop;

/* The names of their values as files and the command line have them, by number; NULL past the last.
 */
BESD_API const char *besd_direction_name(size_t value);
BESD_API const char *besd_transform_name(size_t value);
BESD_API const char *besd_model_name(size_t value);
BESD_API const char *besd_instances_name(size_t value);
BESD_API const char *besd_method_name(size_t value);
BESD_API const char *besd_trial_state_name(size_t value);
BESD_API const char *besd_reason_name(size_t value);
BESD_API const char *besd_stop_name(size_t value);

/* ---- options ---- */

/* Everything that is fixed when a study is created: its space and levers, and the options of
 * besd/options.h. Begin with besd_study_options_default() and change what you know better; 0 means
 * 0. Arrays are copied. */
typedef struct besd_study_options {
    size_t size;              /* of this struct, as the program knows it */
    size_t dimension;         /* of theta, 1 to BESD_MAX_DIMENSION; 0: open an existing study */
    const double *low, *high; /* the box of theta, [dimension] each */
    const char *const *names; /* of its coordinates, shorter than BESD_MAX_NAME, or NULL */
    const char *const *units; /* the same, or NULL */
    const int64_t *taus;      /* training lengths to choose from, any order */
    size_t tau_count;         /* 1 to BESD_MAX_LEVELS */
    const int *reps;          /* replications to choose from, any order */
    size_t reps_count;        /* 1 to BESD_MAX_LEVELS; with reps NULL and 0 of them: 1 is all */
#define BESD_STUDY_OPTION_MEMBER(kind, type, name, ...) type name;
    BESD_STUDY_OPTION_LIST(BESD_STUDY_OPTION_MEMBER)
#undef BESD_STUDY_OPTION_MEMBER
} besd_study_options;

/* No space and no levers yet, and every option with its default. */
BESD_API void besd_study_options_fill(besd_study_options *options, size_t size);
static inline besd_study_options besd_study_options_default(void) {
    besd_study_options options;
    besd_study_options_fill(&options, sizeof options);
    return options;
}

/* ---- a study's life ---- */

typedef struct besd_study besd_study;

/* Opens the study in this file, creating it when it does not exist and options describe a space.
 * Path NULL: a new study in memory, gone when it is closed.
 * Options given for an existing study must agree with it, but for the budget. A budget that differs
 * from the one given last replaces the study's budget. The same budget given again changes nothing,
 * even if besd_study_set_budget has set another one since: so a program can be restarted.
 * Every file is checked first: BESD_IO when it is no study, damaged, or has tables that besd does
 * not make. A study of an older besd is brought up to date: at once when options are given, else a
 * copy in memory, and the file when something is first written to it.
 * When the file is moved, removed or replaced while it is open, every call fails with BESD_IO.
 * *study is NULL after a failure. OpenBLAS is opened by the first new study or the first model, and
 * computations of the process with it have one thread from then on: besd's matrices are small, and
 * its bytes must not depend on the number of threads. */
BESD_API besd_status besd_study_open(besd_study **study, const char *path,
                                     const besd_study_options *options, besd_error *error);
BESD_API void besd_study_close(besd_study *study);

/* What the study was created with, defaults filled in; pointers live as long as the handle. */
BESD_API const besd_study_options *besd_study_get_options(const besd_study *study);

/* The kind of arithmetic, such as "OpenBLAS Haswell, fused". Linear algebra and the C library round
 * differently on different kinds of processor, and the bytes of a study depend on it. The same text
 * gives the same trials from the same scores. With another text the study is as good, but its
 * trials differ in their last digits, and later trials in all digits. besd_study_arithmetic copies
 * the text of the machine where the study was begun ("": not known). besd_arithmetic is the text of
 * this machine ("": OpenBLAS cannot be opened). */
BESD_API besd_status besd_study_arithmetic(besd_study *study, char *text, size_t size,
                                           besd_error *error);
BESD_API const char *besd_arithmetic(void);

/* ---- asking ---- */

typedef struct besd_trial {
    int64_t id; /* 1, 2, 3, ... */
    double theta[BESD_MAX_DIMENSION];
    int64_t tau;
    int reps;
    uint64_t seed; /* for your trainer: the same trial always has the same */
    besd_trial_state state;
    besd_reason reason;
    double cost; /* planned, then told or planned again when nothing was told */
    size_t score_count;
    double mean;     /* of the told scores, as told */
    int64_t repeats; /* the failed trial that it is asked again for; 0: none */
    int64_t task;    /* the number of the task that it is trained on, or BESD_ALL_TASKS; 0 where the
                        study has no tasks */
    uint64_t reserved[15];
} besd_trial;

/* What asking would cost and bring for one pair of levers at the chosen theta. */
typedef struct besd_lever_value {
    int64_t tau;
    int reps;
    double cost;
    double kg, log_kg;  /* expected gain of the recommendation, model scale */
    double mean, sd;    /* posterior of the latent performance there */
    double correlation; /* of (theta, tau) with (theta, largest tau) under the posterior */
    uint64_t reserved[4];
} besd_lever_value;

typedef struct besd_candidate {
    double theta[BESD_MAX_DIMENSION];
    int64_t tau;
    int reps;
    double kg, log_kg, cost;
    uint64_t reserved[4];
} besd_candidate;

/* Why a trial was chosen. Empty (lever_count = 0) for trials of the initial design and of methods
 * other than besd, whose reason says all. */
typedef struct besd_explanation {
    char why[256];
    size_t lever_count; /* every (tau, reps), tau after tau */
    besd_lever_value levers[BESD_MAX_LEVELS * BESD_MAX_LEVELS];
    size_t candidate_count; /* the best few of the discretisation before refinement */
    besd_candidate candidates[BESD_MAX_CANDIDATES];
    size_t targets;   /* points of the discretisation */
    size_t kept;      /* of them, those that can become the recommendation */
    size_t evaluated; /* candidates whose knowledge gradient had to be computed */
    double missed; /* value per cost of the best target, divided by that of this trial; 1: nothing
                      was missed; 0: no search was made */
    uint64_t reserved[63];
} besd_explanation;

/* How to ask. */
typedef struct besd_ask {
    const char *worker;   /* who will train the trial; NULL: not named */
    const double *lease;  /* the trial is the worker's for so many seconds; NULL: for good */
    const int64_t *again; /* this failed trial once more, as a new trial with the same theta, tau
                             and reps and a new seed; NULL: the next trial */
    besd_explanation *explanation; /* filled in with reasons; NULL: not wanted */
    const int64_t *task;           /* the trial must be of this task; NULL: the study says which */
    uint64_t reserved[7];
} besd_ask;

/* The next trial; `how` may be NULL. BESD_DONE when the budget is spent or the stopping rule holds;
 * error->message says which, besd_study_stopped gives it as a value.
 * A trial that is asked and not told is pending: asking again without telling gives another,
 * sensible trial. Trials that wait, enqueued or with a lease that has ended, are given before new
 * ones are chosen; a trial that is given again keeps its theta, tau, reps and seed, and whoever
 * tells it first is heard.
 * No tell, recommendation or prediction waits for an ask. Askers of one study wait for each other,
 * because two that compute at once would choose the same trial. */
BESD_API besd_status besd_study_ask(besd_study *study, const besd_ask *how, besd_trial *trial,
                                    besd_error *error);
BESD_API besd_stop besd_study_stopped(const besd_study *study);

/* The lease of a trial ends so many seconds from now; NULL: never. Refused when it has ended, or
 * was another worker's. */
BESD_API besd_status besd_study_renew(besd_study *study, int64_t id, const char *worker,
                                      const double *lease, besd_error *error);

/* The discretisation behind the last ask of this handle, in the units of theta: [count *
 * dimension], borrowed until the next call; NULL and 0 when there was none. */
BESD_API const double *besd_study_targets(const besd_study *study, size_t *count);

/* ---- telling ---- */

/* What a replication says of one leg. */
typedef struct besd_leg {
    double reached; /* the time since its start when the leg's end was reached; NaN: it was not. Of
                       the last leg: when the replication succeeded, on whatever leg it was then.
                       -INFINITY of the first leg: nothing is known of this replication, and the
                       rest of its legs are not looked at */
    double earned;  /* what it earned on the leg, in the units of maximised scores; ignored when
                       scores are minimised, because those are taken for times */
    int64_t label;  /* which kind of instance the replication met, 0 to labels - 1, the same on all
                       its legs; not looked at where there are no labels */
    uint64_t reserved;
} besd_leg;

/* Mean and unbiased variance of scores, on the model's side of the transform. */
typedef struct besd_summary {
    double mean, variance;
} besd_summary;

/* What came of a trial. */
typedef struct besd_outcome {
    const double *scores; /* [count], one for every replication */
    size_t count;
    const besd_leg *legs;        /* [count * (points + 1)], or NULL */
    const double *cost;          /* what it really cost, 0 to 1e300; NULL: as planned */
    const besd_summary *summary; /* instead of scores, where only a summary of them is known */
    uint64_t reserved[8];
} besd_outcome;

/* Tells the outcome of a trial. BESD_REPEATED when the same was told before; other scores for a
 * told trial are refused. A failed trial may be told late, and so may one whose lease has ended. */
BESD_API besd_status besd_study_tell(besd_study *study, int64_t id, const besd_outcome *outcome,
                                     besd_error *error);

/* The trial gave nothing. Its cost (NULL: as planned) is spent all the same. Failing again without
 * a note keeps the note of before; a longer note than BESD_MAX_NOTE is cut. */
BESD_API besd_status besd_study_fail(besd_study *study, int64_t id, const double *cost,
                                     const char *note, besd_error *error);

/* ---- looking at trials ---- */

BESD_API besd_status besd_study_trial_count(besd_study *study, int64_t *count, besd_error *error);
BESD_API besd_status besd_study_trial(besd_study *study, int64_t id, besd_trial *trial,
                                      besd_error *error);

/* Visits the trials after the given one in their order, as of one moment, until the visitor returns
 * false. The visitor may look at the study, but not act on it. */
typedef bool besd_trial_visitor(void *context, const besd_trial *trial);
BESD_API besd_status besd_study_trials(besd_study *study, int64_t after, besd_trial_visitor *visit,
                                       void *context, besd_error *error);

/* Copies up to `capacity` told scores of a trial. */
BESD_API besd_status besd_study_scores(besd_study *study, int64_t id, double *scores,
                                       size_t capacity, size_t *count, besd_error *error);

/* Copies up to `capacity` told legs; none when none were told. */
BESD_API besd_status besd_study_legs(besd_study *study, int64_t id, besd_leg *legs, size_t capacity,
                                     size_t *count, besd_error *error);

/* When a trial was asked and when it was told or failed, in whole seconds since 1970; `ended` is 0
 * while it is under way. besd_study_work knows it to the millisecond. */
BESD_API besd_status besd_study_trial_times(besd_study *study, int64_t id, int64_t *asked,
                                            int64_t *ended, besd_error *error);

/* Who works on a trial and for how long; times in seconds since 1970. */
typedef struct besd_work {
    char worker[BESD_MAX_NAME]; /* empty: not named */
    double asked;
    double ended;     /* 0: under way */
    double until;     /* when its lease ends; INFINITY: never */
    char why[256];    /* it was voided or replaced; empty: it was not, or no reason was given */
    int64_t replaced; /* how many replacements of its scores stand */
    uint64_t reserved[15];
} besd_work;

BESD_API besd_status besd_study_work(besd_study *study, int64_t id, besd_work *work,
                                     besd_error *error);

/* What the initial design costs. It should be less than a third of the budget. */
BESD_API double besd_study_initial_cost(const besd_study *study);

/* Cost spent so far: told and failed trials, and asked ones as planned. */
BESD_API besd_status besd_study_spent(besd_study *study, double *cost, besd_error *error);

/* ---- recommending and predicting ---- */

/* What a design promises. */
typedef struct besd_forecast {
    double mean, sd; /* of the latent performance, model scale (maximised) */
    double value;    /* the mean score to expect, in the units of the scores */
    double low,
        high;      /* between which it lies with a probability of 90 %; infinite: not known yet */
    int64_t tried; /* told trials of this very design at the largest tau */
    double better; /* the probability that it beats the baseline; NaN: there is none, or low and
                      high are not known */
    uint64_t reserved[16];
} besd_forecast;

typedef struct besd_recommendation {
    double theta[BESD_MAX_DIMENSION];
    double mean, sd;  /* of the latent performance at the largest tau, model scale (maximised) */
    double value;     /* as in besd_forecast, of this design at the largest tau */
    int64_t trials;   /* told */
    double cost;      /* spent */
    double low, high; /* as value */
    int64_t tried;
    double better; /* below a half: no design is the better choice */
    int64_t alike; /* told trials, if there are two or more and all scored the same; else 0 */
    uint64_t reserved[27];
} besd_recommendation;

/* The design to use today: the maximum of mean - caution * sd of the posterior at the largest tau.
 * A model that is smooth where the truth has cliffs is too hopeful between its trials; caution
 * keeps the recommendation near what was tried. Methods random and hyperband have no model; they
 * recommend the trial with the best mean score, and sd is its standard error. */
BESD_API besd_status besd_study_recommend(besd_study *study, besd_recommendation *recommendation,
                                          besd_error *error);

/* When all trials have scored the same: a sentence that says so, and what to change. Otherwise the
 * text is empty. It has room for BESD_ERROR_MESSAGE_SIZE bytes. */
BESD_API void besd_recommendation_warning(const besd_recommendation *recommendation, char *text);

/* The fitted model, in the units of theta and the model's scale (sigma_phi over tau / tau_max); of
 * the averaged model its first draw. */
typedef struct besd_hyperparameters {
    double prior_mean;
    double lengthscales[BESD_MAX_DIMENSION];
    double sigma_phi[2][2];
    size_t level_count; /* noise per tau level */
    double env_sd[BESD_MAX_LEVELS], rep_sd[BESD_MAX_LEVELS];
    uint64_t reserved[64];
} besd_hyperparameters;

BESD_API besd_status besd_study_hyperparameters(besd_study *study, besd_hyperparameters *h,
                                                besd_error *error);

/* Posterior of the latent performance at (theta, tau), model scale. If the design was trained again
 * at the end of the budget, those trials count as well, at the largest tau. A theta that was copied
 * from a printed answer, with fewer digits, is the design that was tried. */
BESD_API besd_status besd_study_predict(besd_study *study, const double *theta, int64_t tau,
                                        double *mean, double *sd, besd_error *error);

/* The same at many places, thetas [count * dimension] and taus [count]. Trials are read and the
 * model is made once for all, which takes most of the time. */
BESD_API besd_status besd_study_predict_many(besd_study *study, const double *thetas,
                                             const int64_t *taus, size_t count, double *means,
                                             double *sds, besd_error *error);

/* The same, in the units of the scores: what a design would score on average, and how sure the
 * model is of it. Only methods with a model can say. */
BESD_API besd_status besd_study_forecast(besd_study *study, const double *theta, int64_t tau,
                                         besd_forecast *forecast, besd_error *error);

/* Many designs, thetas [count * dimension], with one model, which is made once. The trials that
 * confirm a few designs at the end do not count here; they do in the calls above. */
BESD_API besd_status besd_study_forecast_many(besd_study *study, const double *thetas,
                                              const int64_t *taus, size_t count,
                                              besd_forecast *forecasts, besd_error *error);

/* The best designs of a study, the recommendation first, each at least `apart` from those before
 * it: so far along one coordinate at least, as a share of its box (0.1 is a good beginning). Room
 * for `count` designs in thetas [count * dimension] and forecasts, at the largest tau; *found are
 * as many as there are. Only methods with a model can say. */
BESD_API besd_status besd_study_best_designs(besd_study *study, size_t count, double apart,
                                             double *thetas, besd_forecast *forecasts,
                                             size_t *found, besd_error *error);

/* Theorem 2 of the paper for the fixed discretisation: with probability 1 - delta the design that
 * the study converges to is worse than the best possible one by at most fill_distance *
 * lipschitz_norm, on the model's scale. A loose bound: it says that the limit is controlled, not
 * how good it is. */
typedef struct besd_certificate {
    double delta;
    size_t targets;                          /* of the fixed discretisation */
    double fill_distance_low, fill_distance; /* proven bounds on it, units of theta */
    double lipschitz[BESD_MAX_DIMENSION];    /* probable slope along each coordinate */
    double lipschitz_norm, bound, prior_sd;  /* prior_sd: of the performance at the largest tau */
    uint64_t reserved[16];
} besd_certificate;

BESD_API besd_status besd_study_certify(besd_study *study, double delta,
                                        besd_certificate *certificate, besd_error *error);

/* ---- paths and legs ---- */

/* A study whose theta is a path: points of a space that are visited one after the other. Leg k
 * leads from point k to point k + 1; point 0 is where it starts and the point after the last where
 * it ends, and neither is part of theta. Legs live in 2 * coordinates dimensions however many
 * points there are, every replication teaches all that it came to, and different paths share them.
 */
typedef struct besd_path {
    size_t points, coordinates; /* theta is points * coordinates numbers, point after point */
    double cell;                /* points in one cube of this side count as the same; 0: none do */
    double cap;                 /* a replication ends at this time, with or without success */
    double from[BESD_MAX_COORDINATES], to[BESD_MAX_COORDINATES]; /* NaN: not known, or not fixed */
    size_t fewest; /* 0: all points are visited. Otherwise the study also chooses how many: a point
                      in the same cell as the point before it (without cells: at the same place)
                      is not visited. Paths of the initial design visit at least this many */
    double price;  /* for each visited point a score counts as so much worse */
    double origin[BESD_MAX_COORDINATES]; /* a corner of one of the cubes */
    size_t labels; /* the kinds of instances that replications are labelled with, 0: they are not */
    uint64_t reserved[5];
} besd_path;

/* No points yet, and nothing known of start and end. */
BESD_API void besd_path_fill(besd_path *path);

/* Declares the path. Do it before the first trial is told; it cannot be changed later. Declaring
 * the same path again is fine. Trials may then be told with their legs, and the study composes new
 * paths of the legs that worked (option `legs`). get gives 0 points where theta is no path. */
BESD_API besd_status besd_study_set_path(besd_study *study, const besd_path *path,
                                         besd_error *error);
BESD_API void besd_study_get_path(const besd_study *study, besd_path *path);

/* How many points of theta are visited; 0 where theta is no path. Their numbers, from 0 on and in
 * the order of the path, are written into visited [points], which may be NULL. */
BESD_API size_t besd_study_visited(const besd_study *study, const double *theta, size_t *visited);

/* The best path with this number of points, and what it promises; for studies that choose the
 * number. theta repeats the last of its points. */
BESD_API besd_status besd_study_path_forecast(besd_study *study, size_t points, double *theta,
                                              besd_forecast *forecast, besd_error *error);

/* ---- tasks ---- */

/* Kinds of instances that an agent can tell apart before it begins: the key is on the left, the
 * truck is loaded. A study with tasks looks for a design for each of them. Tasks share what they
 * have in common; the study learns how much that is. A trial is trained on instances of one task. A
 * trial of all tasks, whose instances were drawn as they come, is of use as well. */
typedef struct besd_tasks {
    size_t count;             /* 0: none; 2 to BESD_MAX_TASKS */
    const char *const *names; /* [count], shorter than BESD_MAX_NAME, all different */
    const double *weights;    /* [count], how often each is met; NULL: equally often */
    size_t feature_count;     /* numbers that tell which tasks are alike; 0: there are none */
    const char *const *feature_names, *const
                                          *feature_units; /* [feature_count]; units may be NULL */
    const double *features;                               /* [count * feature_count] */
    bool given; /* the world says which task is next, so every ask names one */
    uint64_t reserved[8];
} besd_tasks;

/* Declares them. Do it before the first trial; they cannot be changed later. Declaring the same
 * tasks again is fine. Only method besd with the averaged model knows of tasks. What get gives
 * points into the study. */
BESD_API besd_status besd_study_set_tasks(besd_study *study, const besd_tasks *tasks,
                                          besd_error *error);
BESD_API void besd_study_get_tasks(const besd_study *study, besd_tasks *tasks);

/* The number of the task of this name. */
BESD_API besd_status besd_study_find_task(const besd_study *study, const char *name, int64_t *task,
                                          besd_error *error);

/* As besd_study_recommend, for one task. That call recommends the best single design for all. */
BESD_API besd_status besd_study_recommend_task(besd_study *study, int64_t task,
                                               besd_recommendation *recommendation,
                                               besd_error *error);

/* What it is worth to know the task: by how much the mean score is better, over all tasks, when
 * each has its own recommended design instead of the single one; positive is better, between low
 * and high with a probability of 90 %, where the doubts of the tasks are taken for independent. */
typedef struct besd_task_worth {
    double value, low, high; /* in the units of the scores */
    uint64_t reserved[8];
} besd_task_worth;

BESD_API besd_status besd_study_task_worth(besd_study *study, besd_task_worth *worth,
                                           besd_error *error);

/* ---- sources ---- */

/* Earlier studies that a new study learns from: of another arena, another robot, or a sketch of the
 * arena that costs nothing. Their trials are copied, so the study does not depend on their files
 * later. It learns by itself how much a source has to say; a source that has nothing to say costs
 * little. The first trials of the study are the best designs of its sources and others in turn. */

/* Copies what `from` knows, before the first trial of the study. Coordinates are matched by their
 * names and units; paths of other numbers of points lend their legs. `name` is for reports, of
 * UTF-8 and shorter than BESD_MAX_NAME; no two sources have the same. A study of method besd with
 * the averaged model has up to BESD_MAX_SOURCES. */
BESD_API besd_status besd_study_add_source(besd_study *study, besd_study *from, const char *name,
                                           besd_error *error);
BESD_API size_t besd_study_source_count(const besd_study *study);
BESD_API const char *besd_study_source_name(const besd_study *study, size_t index); /* or NULL */

typedef struct besd_source {
    char name[BESD_MAX_NAME];
    char matched[256]; /* what of the source is of use here, in words */
    int64_t trials;    /* that it had when it was copied */
    int64_t rows;      /* of them, those that the model sees; equal trials are one row */
    double likeness; /* its correlation with this study, the mean over draws; NaN: not known yet */
    double related;  /* the probability that it has anything to say; NaN: not known yet */
    double share;    /* of what is known of the recommended design beyond the prior, the share that
                        only this source tells, from 0 to 1; NaN: not known yet */
    uint64_t reserved[16];
} besd_source;

BESD_API besd_status besd_study_source(besd_study *study, size_t index, besd_source *source,
                                       besd_error *error);

/* ---- acts and events ---- */

/* What people do to a study besides asking and telling. Every act, asks and tells among them, is an
 * event in the file. */

/* In whose name this handle acts, shorter than BESD_MAX_NAME; at first the name is empty. */
BESD_API besd_status besd_study_set_who(besd_study *study, const char *who, besd_error *error);

/* A result from elsewhere: theta in the box, tau one of the study's, any number of scores. */
typedef struct besd_result {
    const double *theta;
    int64_t tau;
    const double *scores;
    size_t count;
    double cost;          /* what it took of the budget; 0 for most earlier results */
    const besd_leg *legs; /* [count * (points + 1)], or NULL */
    const char *note;     /* or NULL */
    const int64_t *task;  /* NULL: of all tasks */
    uint64_t reserved[7];
} besd_result;

/* Adds them as told trials with consecutive ids from *first on, all or none. A message that is
 * about one of them begins with its place: "results[3]: ...". */
BESD_API besd_status besd_study_add(besd_study *study, const besd_result *results, size_t count,
                                    int64_t *first, besd_error *error);

/* A trial that the next ask gives; tau 0: the largest, reps 0: the fewest. Its cost counts as
 * planned at once, and must be left of the budget. */
BESD_API besd_status besd_study_enqueue(besd_study *study, const double *theta, int64_t tau,
                                        int reps, const char *note, int64_t *id, besd_error *error);

/* Takes a told trial out of the model; what it cost stays spent. why: for the record, or NULL. */
BESD_API besd_status besd_study_void(besd_study *study, int64_t id, const char *why,
                                     besd_error *error);

/* Other scores for a told trial: there was a mistake. Legs that are not given are gone; a cost that
 * is not given stays. */
BESD_API besd_status besd_study_replace(besd_study *study, int64_t id, const besd_outcome *outcome,
                                        const char *why, besd_error *error);

/* Undoes the voiding of a trial, or else the newest replacement of its scores. */
BESD_API besd_status besd_study_restore(besd_study *study, int64_t id, besd_error *error);

/* Sets the budget, higher or lower; INFINITY: no limit. One below what is spent ends the study. */
BESD_API besd_status besd_study_set_budget(besd_study *study, double budget, besd_error *error);

/* Adds (on) or removes a word of your own for a trial, without commas and shorter than
 * BESD_MAX_NAME. besd_study_tags copies a trial's words, sorted, with commas between them; that
 * text is shorter than BESD_MAX_TAGS. */
BESD_API besd_status besd_study_tag(besd_study *study, int64_t id, const char *tag, bool on,
                                    besd_error *error);
BESD_API besd_status besd_study_tags(besd_study *study, int64_t id, char *text, size_t size,
                                     besd_error *error);

/* What happened: asked, told, failed, expired, renewed, added, enqueued, source, voided, replaced,
 * restored, budget, noted, tagged, untagged. Pointers live during the visit. */
typedef struct besd_event {
    int64_t id;    /* 1, 2, 3, ... */
    int64_t trial; /* 0: it is about the study */
    double at;     /* seconds since 1970 */
    const char *who, *what;
    const char *detail; /* a JSON object, or empty */
    uint64_t reserved[4];
} besd_event;

/* Visits the events after the given one in their order, until the visitor returns false. The
 * visitor may not call the study. */
typedef bool besd_event_visitor(void *context, const besd_event *event);
BESD_API besd_status besd_study_events(besd_study *study, int64_t after, besd_event_visitor *visit,
                                       void *context, besd_error *error);

/* ---- notes ---- */

/* Texts of your own kept with the study, for example which robot it is about. A key has at most
 * BESD_MAX_NAME bytes. get copies at most size - 1 bytes, and the empty text when there is none. */
BESD_API besd_status besd_study_set_note(besd_study *study, const char *key, const char *text,
                                         besd_error *error);
BESD_API besd_status besd_study_get_note(besd_study *study, const char *key, char *text,
                                         size_t size, besd_error *error);

/* The same for one trial: why it failed, or what its trainer has to say. A note that is longer than
 * BESD_MAX_NOTE with its zero is refused. */
BESD_API besd_status besd_study_set_trial_note(besd_study *study, int64_t id, const char *text,
                                               besd_error *error);
BESD_API besd_status besd_study_get_trial_note(besd_study *study, int64_t id, char *text,
                                               size_t size, besd_error *error);

#ifdef __cplusplus
}
#endif
#endif
