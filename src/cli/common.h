/* What the verbs share: choosing a domain, printing JSON, telling errors. */
#ifndef BESD_CLI_COMMON_H
#define BESD_CLI_COMMON_H

#include "besd/besd.h"
#include "cli/options.h"
#include "core/json.h"
#include "world/domain_load.h"

/* The options that say which domain is meant. */
typedef struct domain_options {
    text_list set;
    const char *map;
} domain_options;

#define DOMAIN_OPTIONS(target)                                                                     \
    {"set", OPTION_TEXTS, &(target).set, "NAME=VALUE",                                             \
     "override a constant of the domain; may be repeated"},                                        \
    {                                                                                              \
        "map", OPTION_TEXT, &(target).map, "FILE", "replace the map of a grid domain"              \
    }

/* Loads the domain and applies the options; call domain_release when done with it. On failure there
 * is nothing to release. */
besd_status choose_domain(const char *name, const domain_options *options, domain *d,
                          besd_error *error);

/* Prints the sentence of an error on stderr; returns EXIT_REFUSED. */
int refuse(const verb *v, const besd_error *error);

/* The same for a failed allocation. */
int refuse_memory(const verb *v);

/* Prints an object on stdout and releases it; returns 0, or EXIT_REFUSED when stdout is full. */
int print_json(const verb *v, json_t *object);

/* Prints a trial as it is now; 0, or EXIT_REFUSED after a sentence. `more`, which is gone then, has
 * members of the verb's own; NULL: none. */
int print_trial_json(const verb *v, besd_study *study, int64_t id, json_t *more);

/* A blank and a word of a command line, quoted for the shell when it must be. */
void print_shell_word(FILE *out, const char *word);

/* The command that was called, for commands that are printed to be copied. */
void set_program(const char *called);
void print_program(FILE *out);

/* Flushes stdout; returns 0, or EXIT_REFUSED with a sentence when it could not be written. NULL:
 * no verb was asked for. */
int finish_output(const verb *v);

const char *objective_name(domain_objective objective);

/* The fingerprint of an instance; null when the environment offers none. */
json_t *json_fingerprint(const domain *d, const besd_env *env);

/* theta of a domain, as json/trial.h has it, by the names that a study of the domain gives it. */
json_t *json_domain_theta(const domain *d, const double *theta, size_t count);

/* Chooses one of names (NULL past the last) by its name; a sentence and false when there is none.
 */
bool choose_name(const verb *v, const char *field, const char *text, const char *(*names)(size_t),
                 int *number);

/* Draws an instance with a design and the greedy path that one agent learns with it. */
int show_design(const verb *v, const domain *d, const double *theta, size_t length,
                uint64_t instance);

/* The number of a trial among the arguments; false with an exit code after a sentence. */
bool parse_trial(const verb *v, const char *text, int64_t *id, int *code);

/* What a study is told from now on is in the name of $BESD_WHO, or else of the account. */
void act_in_name(besd_study *study);

/* Opens an existing study, to act in a name; 0, or an exit code after a sentence. */
int open_study_file(const verb *v, const char *path, besd_study **study);

/* Says on stderr when a study, or a folder of them, lies in a network file system. */
void warn_of_network(const verb *v, const char *path);

/* Says on stderr when a study was begun on another kind of processor. */
void note_arithmetic(besd_study *study);

/* A mean score to expect as people read it: "20.5, with 90 % probability between 20.1 and 21". */
void describe_expected(double value, double low, double high, char *text, size_t size);

/* "best expected steps 20.5 [20.1, 21]" for a line of progress. */
void describe_progress(const besd_recommendation *r, const char *what, char *text, size_t size);

/* Where the number of points of a path varies: what to expect of the best path with each, and how
 * many the recommended one visits. Nothing where it does not. */
besd_status print_points(besd_study *s, const besd_recommendation *r, const char *what,
                         besd_error *error);

/* What the recommended design promises at the largest tau, in lines of their own. */
void print_promise(const besd_study *s, const besd_recommendation *r, const char *what);

/* What the recommended design owes to the study's sources; nothing where there are none. */
besd_status print_sources(besd_study *s, besd_error *error);

/* Where a study has tasks: "task left, " on stdout. */
void print_task(const besd_study *study, int64_t task);

/* Where a study has tasks: the design for each, and what it is worth to know the task. */
besd_status print_tasks(besd_study *s, const char *what, besd_error *error);

/* A note when all trials have scored the same, and what to change. */
void print_warning(const besd_recommendation *r, FILE *out, const char *before);

/* "x1 = 3.2 m, y1 = 4" on stdout. */
void print_theta(const besd_study *study, const double *theta);

/* Beside a recommendation: the best of what was seen, which is something else. */
besd_status print_best_trial(besd_study *study, besd_error *error);

/* Are scores expected with the price of subgoals, which those that were told are without? */
bool has_price(const besd_study *study);

/* Says so when a recommendation lies on the edge of the box. */
void print_bounds_note(const besd_study *study, const double *theta);

/* Says so when the initial design leaves little of the budget, or nothing, to the model. */
void note_initial_design(FILE *out, const besd_study_options *options);

/* The verbs. */
int run_domains(const verb *v, int argc, char **argv);
int run_show(const verb *v, int argc, char **argv);
int run_train(const verb *v, int argc, char **argv);
int run_solve(const verb *v, int argc, char **argv);
int run_options(const verb *v, int argc, char **argv);
int run_init(const verb *v, int argc, char **argv);
int run_create(const verb *v, int argc, char **argv);
int run_ask(const verb *v, int argc, char **argv);
int run_tell(const verb *v, int argc, char **argv);
int run_fail(const verb *v, int argc, char **argv);
int run_add(const verb *v, int argc, char **argv);
int run_enqueue(const verb *v, int argc, char **argv);
int run_void(const verb *v, int argc, char **argv);
int run_restore(const verb *v, int argc, char **argv);
int run_renew(const verb *v, int argc, char **argv);
int run_set(const verb *v, int argc, char **argv);
int run_note(const verb *v, int argc, char **argv);
int run_events(const verb *v, int argc, char **argv);
int run_trials(const verb *v, int argc, char **argv);
int run_recommend(const verb *v, int argc, char **argv);
int run_predict(const verb *v, int argc, char **argv);
int run_certify(const verb *v, int argc, char **argv);
int run_run(const verb *v, int argc, char **argv);
int run_sketch(const verb *v, int argc, char **argv);
int run_check(const verb *v, int argc, char **argv);
int run_token(const verb *v, int argc, char **argv);
int run_backup(const verb *v, int argc, char **argv);
int run_serve(const verb *v, int argc, char **argv);
int run_compare(const verb *v, int argc, char **argv);
int run_plot(const verb *v, int argc, char **argv);
int run_report(const verb *v, int argc, char **argv);
int run_paper(const verb *v, int argc, char **argv);

#endif
