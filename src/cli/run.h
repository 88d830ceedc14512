/* The ways of besd run: a domain that besd trains on itself (run_domain.c), a study with a trainer
 * of its own (run_command.c), a learner without subgoals (run_learner.c). */
#ifndef BESD_CLI_RUN_H
#define BESD_CLI_RUN_H

#include "cli/common.h"
#include "cli/study_place.h"
#include "cli/study_yaml.h"
#include "run/command_test.h"
#include "study/options.h"

#include <signal.h>

/* Options of the study that the command line gave: one of each kind of target for every option. */
typedef struct run_choices {
    const char *text[STUDY_OPTIONS]; /* NULL: not given */
    bool on[STUDY_OPTIONS];          /* of switches */
} run_choices;

/* Their rows in a table of the command line's options: STUDY_OPTIONS of them, whose texts are kept
 * in `texts`. */
typedef struct run_choice_texts {
    char name[STUDY_OPTIONS][32], old_name[STUDY_OPTIONS][32], help[STUDY_OPTIONS][400];
} run_choice_texts;

/* Options by their names, and the renamed ones by their old names too. */
enum { RUN_CHOICES = STUDY_OPTIONS + STUDY_OPTIONS_RENAMED };

/* rows[RUN_CHOICES]: by the numbers of the options, then those with an old name. */
void run_choices_offer(run_choices *c, run_choice_texts *texts, option *rows);

/* Was this option given, or any but those of `except`, [count]? */
bool run_choices_given(const run_choices *c, size_t number);
bool run_choices_given_besides(const run_choices *c, const size_t *except, size_t count);

/* Puts them in the place of what `o` says; 0, or an exit code after a sentence. */
int run_choices_apply(const verb *v, const run_choices *c, besd_study_options *o);

/* What the command line asked for. */
typedef struct run_request {
    const char *name, *path, *mode;
    const char *description; /* the YAML that names the trainer */
    bool as_json, quiet;
    int64_t threads, test_instances; /* of a domain */
    given_integer jobs, test;        /* test: as it was said */
    domain_options chosen;
    text_list from; /* studies to learn from */
    run_choices choices;
    besd_study_options said; /* what they amount to, the rest as it is initially */
    int argc;                /* what stood after the verb, to say how to go on */
    char **argv;
} run_request;

/* Optimises the subgoals of a domain: goes on with its study, or begins one. */
int run_domain(const verb *v, const run_request *request, const domain *domain);

/* Optimises the study of a description with the command that it names. */
int run_command(const verb *v, const run_request *request);

/* One study of a comparison: goes on with it, or begins it, with these options, and tests what it
 * recommends as request->test says. Progress and sentences as for besd run; 0, or an exit code. */
typedef struct command_job {
    const verb *verb;
    const run_request *request; /* its name is that of the description */
    study_yaml *yaml;
    const besd_study_options *options;
    const char *path;
    const sigset_t *mask; /* of interrupt_hold */
} command_job;

typedef struct command_job_result {
    besd_recommendation recommendation;
    command_test test;
} command_job_result;

int run_command_job(const command_job *job, command_job_result *result);

/* besd compare STUDY.yaml: methods and seeds of a study with a trainer of its own. */
typedef struct compare_study_request {
    const char *yaml, *methods, *folder, *budget; /* budget NULL: that of the description */
    int64_t replications;
    given_integer seeds, jobs; /* fresh seeds of every test; trials at once */
    uint64_t seed;             /* of the first replication */
    bool quiet, as_json, price;
} compare_study_request;

int run_compare_study(const verb *v, const compare_study_request *request);

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
