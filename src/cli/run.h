/* The ways of besd run: a domain that besd trains on itself (run_domain.c), a study with a trainer
 * of its own (run_study.c), a learner without subgoals (run_learner.c). */
#ifndef BESD_CLI_RUN_H
#define BESD_CLI_RUN_H

#include "cli/common.h"
#include "cli/progress.h"
#include "cli/study_place.h"
#include "study/options.h"

enum { RUN_MOST_PATH = STUDY_PLACE_SIZE };

/* The share of the budget that the initial design shall cost; advice is less than a third. */
#define INITIAL_SHARE 0.3

/* Options of the study that the command line gave: one of each kind of target for every option. */
typedef struct run_choices {
    const char *text[STUDY_OPTIONS]; /* NULL: not given */
    bool on[STUDY_OPTIONS];          /* of switches */
} run_choices;

/* Their rows in a table of the command line's options: STUDY_OPTIONS of them, whose texts are kept
 * in `texts`. */
typedef struct run_choice_texts {
    char name[STUDY_OPTIONS][32], help[STUDY_OPTIONS][400];
} run_choice_texts;

void run_choices_offer(run_choices *c, run_choice_texts *texts, option *rows);

/* Was this option given, or any but those of `except`, [count]? */
bool run_choices_given(const run_choices *c, size_t number);
bool run_choices_given_besides(const run_choices *c, const size_t *except, size_t count);

/* Refuses a budget that does not pay for the first trial, before a study is made of it. */
besd_status check_first_trial(const besd_study_options *options, besd_error *error);

/* The same for a study that exists and has no trial yet, which would get this budget. */
besd_status check_begun(besd_study *study, double budget, besd_error *error);

/* Puts them in the place of what `o` says; 0, or an exit code after a sentence. */
int run_choices_apply(const verb *v, const run_choices *c, besd_study_options *o);

/* What the command line asked for. */
typedef struct run_request {
    const char *name, *path, *mode;
    bool as_json, quiet;
    int64_t threads, test_instances, jobs;
    domain_options chosen;
    run_choices choices;
    besd_study_options said; /* what they amount to, the rest as it is initially */
} run_request;

/* Optimises the subgoals of a domain: goes on with its study, or begins one. */
int run_domain(const verb *v, const run_request *request, const domain *domain);

typedef struct run_study_request {
    const char *yaml, *study; /* the description; the file of the study, or NULL */
    run_choices choices;
    int64_t jobs;
    bool quiet, as_json;
    int argc; /* what stood after the verb, to say how to go on */
    char **argv;
} run_study_request;

/* Up to the next number of three digits and noughts: what people can read and type. */
double round_budget(double budget);

/* The budget of which the initial design is its share; a method without one gets the budget that
 * besd would. */
besd_status run_default_budget(const besd_study_options *options, double *budget,
                               besd_error *error);

/* How often runs that have nothing to do look at the trials of others. */
enum { RUN_LOOK_AROUND_MS = 300 };

/* Will nobody train a trial in this state? */
bool run_is_settled(besd_trial_state state);

/* May a run train an asked trial? What somebody else has asked for by name is theirs, whatever
 * becomes of it. */
besd_status run_may_take(besd_study *study, int64_t id, bool *may, besd_error *error);

/* Has somebody told the trial that was trained here, or voided it? That stays, and one line says
 * so. A failure is told of anew when the training has succeeded. */
besd_status run_is_out_of_hand(besd_study *study, int64_t id, bool succeeded, const progress *p,
                               bool *is, besd_error *error);

/* Says that the budget is another than it was. */
void note_budget(const besd_study *study, double before, bool quiet);

/* Says that a study in the current folder is gone on with. */
void note_old_place(const char *path);

/* Keeps in a new study which domain it belongs to and where that came from; is that the domain of a
 * study that was begun before (which changes nothing); and the domain of a study's file. */
besd_status run_origin_note(besd_study *study, const run_request *request, const domain *d,
                            bool is_fresh, besd_error *error);
besd_status run_origin_check(besd_study *study, const char *path, const domain *d, bool is_fresh,
                             besd_error *error);
besd_status run_origin_load(const char *path, domain *d, besd_error *error);

int run_study(const verb *v, const run_study_request *request);

/* ql and tql. */
typedef struct run_learner_request {
    const domain *domain;
    const char *method;
    uint64_t seed;
    int64_t instances;
    int threads;
    bool as_json;
} run_learner_request;

bool run_is_learner(const char *method);
int run_learner(const verb *v, const run_learner_request *request);

#endif
