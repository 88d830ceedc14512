/* besd serve: studies over HTTP (docs/service.md). */
#include "serve/server.h"

#include "cli/common.h"
#include "cli/study_yaml.h"
#include "core/error.h"
#include "core/print.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 256 };

static besd_status make_once(const char *file, const study_yaml *y, const study_sources *from,
                             besd_error *error) {
    besd_study *s = NULL;
    besd_status status = besd_study_open(&s, file, study_yaml_options(y), error);
    if (status == BESD_OK)
        status = study_yaml_declare(y, s, error);
    for (size_t i = 0; status == BESD_OK && i < from->count; i++)
        status = besd_study_add_source(s, from->of[i], from->names[i], error);
    besd_study_close(s);
    return status;
}

/* A study in memory tries sources first: what is refused leaves no file behind. */
static besd_status make_study(const char *file, const char *description, const study_sources *from,
                              besd_error *error) {
    study_yaml *y = NULL;
    besd_status status = study_yaml_load(description, &y, error);
    if (status == BESD_OK && study_yaml_has_picture(y))
        status = besd_fail(error, BESD_INVALID,
                           "picture: a server reads no file for its clients; on its machine, besd "
                           "set --outline gives the study a picture");
    if (status == BESD_OK && from->count)
        status = make_once(NULL, y, from, error);
    if (status == BESD_OK)
        status = make_once(file, y, from, error);
    study_yaml_free(y);
    return status;
}

/* Signals are held back in all threads, and taken here. SIGHUP is a new token where there is one,
 * and otherwise a terminal that was closed. */
static void wait_for_end(server *s, bool has_token, const sigset_t *signals) {
    besd_error error;
    int number = 0;
    while (sigwait(signals, &number) != 0 || (number == SIGHUP && has_token))
        if (number == SIGHUP && server_reload(s, &error) != BESD_OK)
            print_clean(stderr, "besd serve: %s; the old token stays\n", error.message);
}

/* Not 0: a usage error was printed. */
static int check_limits(const verb *v, const server_options *o) {
    if (!(o->read_limit >= 0.1 && o->read_limit <= 3600))
        return usage_error(v, "--read-limit: expected seconds from 0.1 to 3600, got %g",
                           o->read_limit);
    if (!(o->drain_limit >= 0 && o->drain_limit <= 3600))
        return usage_error(v, "--drain-limit: expected seconds from 0 to 3600, got %g",
                           o->drain_limit);
    return 0;
}

static sigset_t hold_back_signals(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    return signals;
}

/* Serves until it is told to end. */
static int serve(const verb *v, server_options *wanted, const char *const *paths) {
    server *s;
    besd_error error = {0};
    sigset_t signals = hold_back_signals();
    wanted->paths = paths;
    while (wanted->path_count < MOST_FILES && paths[wanted->path_count])
        wanted->path_count++;
    if (server_start(&s, wanted, &error) != BESD_OK)
        return refuse(v, &error);
    for (size_t i = 0; i < wanted->path_count; i++)
        warn_of_network(v, paths[i]);
    if (wanted->only_check) {
        puts("fine");
        return finish_output(v);
    }
    size_t found = server_studies(s);
    print_clean(stdout, "%zu stud%s at %s\n", found, found == 1 ? "y" : "ies", server_url(s));
    fflush(stdout);
    wait_for_end(s, wanted->token_file != NULL, &signals);
    if (!server_stop(s)) {
        print_clean(stderr, "besd serve: an ask was still computed and was given up\n");
        _exit(0);
    }
    return finish_output(v);
}

int run_serve(const verb *v, int argc, char **argv) {
    const char *paths[MOST_FILES + 1] = {0}, *listen = "127.0.0.1:8420", *token = NULL,
                                   *certificate = NULL, *key = NULL;
    double read_limit = 30, drain_limit = 20;
    const char *log = "text";
    bool quiet = false, open_metrics = false, only_check = false, behind_proxy = false;
    int64_t per_address = 0;
    option options[] = {
        {"listen", OPTION_TEXT, &listen, "ADDRESS",
         "address:port to listen on (default: 127.0.0.1:8420; port 0: any)"},
        {"token-file", OPTION_TEXT, &token, "FILE",
         "ask for the token in its first line; needed for other addresses than loopback"},
        {"tls-cert", OPTION_TEXT, &certificate, "FILE", "speak HTTPS, with this certificate (PEM)"},
        {"tls-key", OPTION_TEXT, &key, "FILE", "and its private key (PEM, mode 600)"},
        {"behind-proxy", OPTION_FLAG, &behind_proxy, NULL,
         "a proxy in front has TLS: other addresses than loopback need none here"},
        {"read-limit", OPTION_NUMBER, &read_limit, "SECONDS",
         "time for a request to arrive (default: 30)"},
        {"drain-limit", OPTION_NUMBER, &drain_limit, "SECONDS",
         "time at the end for asks under way (default: 20)"},
        {"per-address", OPTION_INTEGER, &per_address, "N",
         "connections of one client address at most (default: half of all; no limit on loopback)"},
        {"open-metrics", OPTION_FLAG, &open_metrics, NULL, "/metrics needs no token"},
        {"log", OPTION_TEXT, &log, "FORM", "lines for requests: text or json (default: text)"},
        {"check-config", OPTION_FLAG, &only_check, NULL, "say whether it could start, and end"},
        {"quiet", OPTION_FLAG, &quiet, NULL, "no line on standard error for every request"},
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, paths, 1, MOST_FILES, &code))
        return code;
    server_options wanted = {.listen = listen,
                             .token_file = token,
                             .tls_certificate = certificate,
                             .tls_key = key,
                             .behind_proxy = behind_proxy,
                             .read_limit = read_limit,
                             .drain_limit = drain_limit,
                             .log_json = !strcmp(log, "json"),
                             .only_check = only_check,
                             .open_metrics = open_metrics,
                             .per_address = (int)per_address,
                             .quiet = quiet,
                             .make = make_study};
    if (strcmp(log, "text") != 0 && strcmp(log, "json") != 0)
        return usage_error(v, "--log: expected text or json, got '%.40s'", log);
    if (per_address < 0 || per_address > 100000)
        return usage_error(v, "--per-address: expected a number from 1 to 100000, got %lld",
                           (long long)per_address);
    return check_limits(v, &wanted) ? EXIT_USAGE : serve(v, &wanted, paths);
}
