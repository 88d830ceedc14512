/* besd run: what was asked for, and who does it. */
#include "cli/run.h"

#include "cli/study_yaml.h"
#include "cluster/ranks.h"
#include "core/error.h"
#include "core/print.h"
#include "run/command_test.h"
#include "run/default_budget.h"
#include "run/domain_notes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_TEST = 200 }; /* instances */

static const uint64_t DEFAULT_SEED = 1;

/* Was something said that only besd's own training knows? */
static bool is_about_domain(const run_request *r) {
    return r->threads || r->mode || r->chosen.set.count || r->chosen.map;
}

static bool is_study_file(const char *name) {
    size_t length = strlen(name);
    return length > 5 && !strcmp(name + length - 5, ".besd");
}

/* What a trainer's study cannot be asked for; 0, or an exit code after a sentence. */
static int check_trainer_request(const verb *v, const run_request *r) {
    if (is_study_file(r->name) && r->path)
        return usage_error(v, "%s is a study; --study belongs to its description", r->name);
    const char *method = r->choices.text[STUDY_OPTION_method];
    if (run_is_learner(method))
        return usage_error(v, "--method: %s learns on a domain of besd's, not with a trainer",
                           method);
    if (is_about_domain(r))
        return usage_error(v, "--threads, --instance-mode, --set and --map belong to a "
                              "domain; the trainer of a study has none of them");
    if (r->test.given && (r->test.value < 0 || r->test.value > COMMAND_TEST_MOST))
        return usage_error(v, "--test: expected 0 to %d seeds, got %lld", COMMAND_TEST_MOST,
                           (long long)r->test.value);
    if (r->test.given && r->test.value && ranks_launched())
        return usage_error(v,
                           "--test trains on this machine alone; run the study under mpirun, and "
                           "then test it without");
    if (r->jobs.given && (r->jobs.value < 1 || r->jobs.value > COMMAND_MOST))
        return usage_error(v, "--jobs: expected 1 to %d trials at once, got %lld", COMMAND_MOST,
                           (long long)r->jobs.value);
    return 0;
}

/* The same for a learner without subgoals. */
static int check_learner_request(const verb *v, const run_request *r) {
    static const size_t taken[] = {STUDY_OPTION_method, STUDY_OPTION_seed};
    if (r->path || r->mode || run_choices_given_besides(&r->choices, taken, 2))
        return usage_error(v,
                           "%s has no budget and no study; it takes --test, --seed, --threads, "
                           "--set, --map and --json alone",
                           r->choices.text[STUDY_OPTION_method]);
    return 0;
}

/* The same for a domain's study, new or begun before. */
static int check_domain_request(const verb *v, const run_request *r) {
    const run_choices *c = &r->choices;
    bool learner = run_is_learner(c->text[STUDY_OPTION_method]);
    if (run_choices_given(c, STUDY_OPTION_budget) &&
        !(r->said.budget > 0 && isfinite(r->said.budget)))
        return usage_error(v, "--budget: expected a number above 0, got '%s'",
                           c->text[STUDY_OPTION_budget]);
    if (run_choices_given(c, STUDY_OPTION_direction) ||
        run_choices_given(c, STUDY_OPTION_transform))
        return usage_error(v, "--direction and --transform belong to STUDY.yaml; a domain knows "
                              "its own");
    if (run_choices_given(c, STUDY_OPTION_instances))
        return usage_error(v, "--instances belongs to STUDY.yaml; a domain takes --instance-mode");
    if (r->jobs.given)
        return usage_error(v, "--jobs belongs to STUDY.yaml; a domain is trained on --threads");
    if (is_study_file(r->name) &&
        (r->path || r->chosen.set.count || r->chosen.map || r->mode || learner))
        return usage_error(v,
                           "%s knows its domain, instances and method; --study, --set, --map, "
                           "--instance-mode and ql or tql belong to a domain",
                           r->name);
    if (learner && !r->test_instances)
        return usage_error(v, "--test 0: %s does nothing but its test",
                           c->text[STUDY_OPTION_method]);
    return learner ? check_learner_request(v, r) : 0;
}

static int check_request(const verb *v, const run_request *r) {
    if (r->mode && strcmp(r->mode, "shared") != 0 && strcmp(r->mode, "fresh") != 0)
        return usage_error(v, "--instance-mode: expected shared or fresh, got '%s'", r->mode);
    if (r->test_instances < 0 || r->threads < 0 || r->threads > 1024)
        return usage_error(v, "--test takes 0 or more, --threads up to 1024 (0: all processors)");
    if (r->path && strlen(r->path) >= STUDY_PLACE_SIZE)
        return usage_error(v, "--study: the name is longer than %zu bytes",
                           (size_t)STUDY_PLACE_SIZE - 1);
    return r->description ? check_trainer_request(v, r) : check_domain_request(v, r);
}

/* The options of besd run: a study's, and its own. */
static bool parse_request(const verb *v, int argc, char **argv, run_request *r, int *code) {
    run_choice_texts texts;
    const option own[] = {
        {"study", OPTION_TEXT, &r->path, "FILE", "new or begun before (default NAME-SEED.besd)"},
        {"instance-mode", OPTION_TEXT, &r->mode, "MODE",
         "of a domain: fresh (default), or shared by the replications of a trial"},
        {"from", OPTION_TEXTS, &r->from, "FILE", "an earlier study to learn from; may be repeated"},
        {"test", OPTION_GIVEN_INTEGER, &r->test, "N",
         "of a domain: fresh instances of the test (200; 0: none); with STUDY.yaml: fresh seeds to "
         "train the recommendation on, and no design (0)"},
        {"threads", OPTION_INTEGER, &r->threads, "N", "threads (default: all processors)"},
        {"jobs", OPTION_GIVEN_INTEGER, &r->jobs, "N",
         "with STUDY.yaml: trials at once (default 1)"},
        {"quiet", OPTION_FLAG, &r->quiet, NULL, "no progress"},
        {"json", OPTION_FLAG, &r->as_json, NULL, "print one JSON object"},
        DOMAIN_OPTIONS(r->chosen),
        {0}};
    option all[RUN_CHOICES + sizeof own / sizeof *own];
    run_choices_offer(&r->choices, &texts, all);
    snprintf(texts.help[STUDY_OPTION_budget], sizeof texts.help[0],
             "interactions in all (default: %.2g times the initial design)",
             1 / BUDGET_INITIAL_SHARE);
    all[STUDY_OPTION_seed].help = "names all randomness (default 1; with STUDY.yaml, its own)";
    size_t length = strlen(texts.help[STUDY_OPTION_method]);
    snprintf(texts.help[STUDY_OPTION_method] + length, sizeof texts.help[0] - length,
             "; ql and tql learn without subgoals");
    memcpy(all + RUN_CHOICES, own, sizeof own);
    return options_parse(v, all, argc, argv, &r->name, 1, 1, code);
}

/* What the options of the study amount to; learners are no methods of one. */
static int settle_choices(const verb *v, run_request *r) {
    run_choices of_study = r->choices;
    if (run_is_learner(of_study.text[STUDY_OPTION_method]))
        of_study.text[STUDY_OPTION_method] = NULL;
    r->said = besd_study_options_default();
    r->said.seed = DEFAULT_SEED;
    return run_choices_apply(v, &of_study, &r->said);
}

/* The YAML that names the trainer, if there is one; 0, or an exit code after a sentence. */
static int find_description(const verb *v, run_request *r, char place[STUDY_PLACE_SIZE]) {
    besd_error error;
    bool has_trainer = false;
    if (study_yaml_is(r->name))
        r->description = r->name;
    else if (is_study_file(r->name) &&
             study_place_description(r->name, &has_trainer, place, &error) != BESD_OK)
        return refuse(v, &error);
    if (has_trainer)
        r->description = place;
    if (has_trainer && !r->quiet)
        print_clean(stderr, "note: trains with the command of %s\n", place);
    return 0;
}

int run_run(const verb *v, int argc, char **argv) {
    char place[STUDY_PLACE_SIZE];
    run_request r = {.argc = argc, .argv = argv};
    domain d;
    besd_error error;
    int code;
    if (!parse_request(v, argc, argv, &r, &code))
        return code;
    r.test_instances = given_integer_or(r.test, DEFAULT_TEST);
    code = settle_choices(v, &r);
    if (!code)
        code = find_description(v, &r, place);
    if (!code)
        code = check_request(v, &r);
    if (code)
        return code;
    if (is_study_file(r.name))
        r.path = r.name;
    if (r.description)
        return run_command(v, &r);
    besd_status status = is_study_file(r.name) ? domain_notes_load(r.name, &d, &error)
                                               : choose_domain(r.name, &r.chosen, &d, &error);
    if (status != BESD_OK)
        return refuse(v, &error);
    const char *method = r.choices.text[STUDY_OPTION_method];
    if (run_is_learner(method))
        code = run_learner(v, &(run_learner_request){.domain = &d,
                                                     .method = method,
                                                     .seed = r.said.seed,
                                                     .instances = r.test_instances,
                                                     .threads = (int)r.threads,
                                                     .as_json = r.as_json});
    else
        code = run_domain(v, &r, &d);
    domain_release(&d);
    return code;
}
