/* besd <verb> [object] [--options] */
#include "cli/common.h"

#include "core/print.h"
#include "core/text.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const verb verbs[] = {
    {"run", "DOMAIN|STUDY.yaml|STUDY.besd",
     "Optimises the subgoals of a domain, or with your own trainer.",
     "besd run gw10 --budget 300000 --seed 1", run_run},
    {"sketch", "FILE...", "A grid from a drawing: a map, a ROS map, a picture or polygons.",
     "besd sketch map.yaml --start 1,1 --goal 4,2 --out arena.yaml", run_sketch},
    {"domains", "[DOMAIN]", "The built-in domains and their constants.", "besd domains gw10",
     run_domains},
    {"show", "DOMAIN", "Draws an instance, with subgoals and a learned path.",
     "besd show gw10 --theta 7.5,3.5,1.5,8.5 --path", run_show},
    {"train", "DOMAIN", "Trains and tests one design of subgoals.",
     "besd train gw10 --theta 7.5,3.5,1.5,8.5 --tau 1000 --instances 200", run_train},
    {"check", "DOMAIN|STUDY.yaml", "Tests your environment or trainer: expected, got, how to fix.",
     "besd check ./delivery.so", run_check},
    {"solve", "DOMAIN", "What the best possible policy achieves, exactly.",
     "besd solve gw10 --instance 3 --set wind=0", run_solve},
    {"options", "", "The options of a study: what they mean, may be and are by default.",
     "besd options", run_options},
    {"init", "[NAME]", "Writes a study.yaml and a trainer that runs, for an agent of your own.",
     "besd init rover --language python", run_init},
    {"create", "FILE", "Makes a study from a description, for your own trainer.",
     "besd create rover.besd --spec study.yaml", run_create},
    {"ask", "FILE", "The next trial of a study.", "besd ask rover.besd --explain", run_ask},
    {"tell", "FILE TRIAL", "The scores of a trial's replications.",
     "besd tell rover.besd 7 --scores 31,28,45,30,29", run_tell},
    {"fail", "FILE TRIAL", "A trial gave nothing; its cost is spent all the same.",
     "besd fail rover.besd 7 --note 'battery'", run_fail},
    {"add", "FILE", "Earlier results, told without being asked.",
     "besd add rover.besd --theta 3,4 --tau 1000 --scores 31,28", run_add},
    {"enqueue", "FILE", "A design of your own, to be asked next.",
     "besd enqueue rover.besd --theta 3,4 --note 'an idea'", run_enqueue},
    {"void", "FILE TRIAL", "Takes a told trial out of the model.",
     "besd void rover.besd 7 --why 'a wheel was loose'", run_void},
    {"restore", "FILE TRIAL", "Undoes a voiding, or the newest replacement of scores.",
     "besd restore rover.besd 7", run_restore},
    {"renew", "FILE TRIAL", "A worker keeps its trial for longer.",
     "besd renew rover.besd 7 --worker robot2 --lease 600", run_renew},
    {"note", "FILE TRIAL", "A note on a trial, and tags.",
     "besd note rover.besd 7 --text 'new tyres' --tag tyres", run_note},
    {"set", "FILE", "Changes the budget of a study, or what its maps show.",
     "besd set rover.besd --budget 500000", run_set},
    {"events", "FILE", "What was done to a study, when and by whom.", "besd events rover.besd",
     run_events},
    {"trials", "FILE", "All trials of a study.", "besd trials rover.besd", run_trials},
    {"recommend", "FILE", "The design to use today.", "besd recommend rover.besd", run_recommend},
    {"predict", "FILE", "What the model expects of a design.",
     "besd predict rover.besd --theta 3,4 --tau 1000", run_predict},
    {"certify", "FILE", "How far from the best the discretisation can keep a study (theorem 2).",
     "besd certify rover.besd --delta 0.05", run_certify},
    {"backup", "FILE OUT", "A copy of a study while others write to it; or is a copy whole?",
     "besd backup rover.besd rover-monday.besd", run_backup},
    {"token", "new FILE", "A token for a client of besd serve, with a name and a role.",
     "besd token new tokens --name robot-3 --role work", run_token},
    {"serve", "DIR|FILE...", "Studies over HTTP, with a live page.",
     "besd serve studies --listen 127.0.0.1:8420", run_serve},
    {"compare", "DOMAIN...|STUDY.yaml",
     "Runs several methods on several domains, or with your trainer, many times each.",
     "besd compare gw10 tr --methods besd,ei --replications 10 --out lab", run_compare},
    {"plot", "KIND DIR|DOMAIN|STUDY", "One figure of a comparison, a domain or a study.",
     "besd plot cost lab --format pdf", run_plot},
    {"report", "FILE|DIR...", "One self-contained page of a comparison, of one or several studies.",
     "besd report rover1.besd rover2.besd --out rovers.html", run_report},
    {"paper", "", "Every figure and Table 1 of the paper, with a page that shows them.",
     "besd paper --quick --out paper", run_paper},
};

enum { VERB_COUNT = sizeof verbs / sizeof *verbs };

static const char *known_verb(size_t index, const void *context) {
    (void)context;
    return index < VERB_COUNT ? verbs[index].name : NULL;
}

static void print_overview(FILE *out) {
    fputs("besd finds subgoals that teach a reinforcement-learning agent to explore.\n\n"
          "usage: besd VERB [object] [options]\n\n",
          out);
    for (size_t i = 0; i < VERB_COUNT; i++)
        print_clean(out, "  %-10s %s\n", verbs[i].name, verbs[i].summary);
    fputs("\nDOMAIN is a built-in domain, FILE.yaml, ./PLUGIN.so or 'cmd:COMMAND'.\n"
          "STUDY.yaml describes a study with a trainer of your own.\n"
          "'besd VERB --help' explains a verb; 'besd --version' tells the version.\n",
          out);
}

static void go_on(int number) {
    (void)number;
}

/* A file that may not grow further (ulimit -f) is to be an error of the write, which is told in a
 * sentence, and not the death of the process. A handler is not passed on to commands that besd
 * starts, an ignored signal would be. */
static void outlive_file_limits(void) {
    struct sigaction action = {.sa_handler = go_on, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGXFSZ, &action, NULL);
}

int main(int argc, char **argv) {
    outlive_file_limits();
    json_watch_memory();
    set_program(argv[0]);
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_overview(stdout);
        return finish_output(NULL);
    }
    if (!strcmp(argv[1], "--version")) {
        puts("besd " BESD_VERSION);
        return finish_output(NULL);
    }
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (!strcmp(argv[1], verbs[i].name))
            return verbs[i].run(&verbs[i], argc - 2, argv + 2);
    const char *nearest = names_nearest(argv[1], known_verb, NULL);
    print_clean(stderr, "besd: there is no verb '%s'%s%s%s (see 'besd --help')\n", argv[1],
                nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'" : "");
    return EXIT_USAGE;
}
