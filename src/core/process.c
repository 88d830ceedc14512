#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#include "core/process.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIFE = 3 }; /* its number in the watching shell */

/* Signals are ignored before the watcher starts, so that no signal to the group ends the watcher.
 */
static const char watched[] =
    "( trap '' HUP INT QUIT TERM PIPE ALRM USR1 USR2; (read x <&3; kill -9 0) "
    "</dev/null >/dev/null 2>&1 & ); exec 3<&-; exec /bin/sh -c \"$1\" sh";

static int add_streams(posix_spawn_file_actions_t *actions, const process_setting *s) {
    const int ours[] = {s->input, s->output, s->errors};
    int failed = 0;
    for (int stream = 0; stream < 3 && !failed; stream++)
        if (ours[stream] >= 0)
            failed = posix_spawn_file_actions_adddup2(actions, ours[stream], stream);
    if (!failed && s->life > 0)
        failed = posix_spawn_file_actions_adddup2(actions, s->life, LIFE);
    if (!failed && s->folder)
        failed = posix_spawn_file_actions_addchdir_np(actions, s->folder);
    return failed;
}

/* Its own group, no signal blocked, and the usual action for signals that besd handles or ignores.
 */
static void set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, ordinary;
    sigemptyset(&none);
    sigemptyset(&ordinary);
    sigaddset(&ordinary, SIGPIPE);
    sigaddset(&ordinary, SIGINT);
    sigaddset(&ordinary, SIGTERM);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &ordinary);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                             POSIX_SPAWN_SETSIGDEF);
}

int process_start(const char *command, const process_setting *setting, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char shell[] = "sh", flag[] = "-c", watch[sizeof watched], *text = strdup(command);
    char *alone[] = {shell, flag, text, NULL},
         *in_company[] = {shell, flag, watch, shell, text, NULL};
    char **arguments = setting->life > 0 ? in_company : alone;
    memcpy(watch, watched, sizeof watch);
    int failed = text ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    if (failed) {
        free(text);
        return failed;
    }
    failed = posix_spawnattr_init(&attributes);
    if (!failed) {
        set_attributes(&attributes);
        failed = add_streams(&actions, setting);
        if (!failed)
            failed = posix_spawn(process, "/bin/sh", &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    free(text);
    return failed;
}

/* Asks without reaping. When besd was started with SIGCHLD ignored, nobody can know how its
 * children end: si_code stays 0. */
static bool look(pid_t process, siginfo_t *info) {
    *info = (siginfo_t){0};
    return waitid(P_PID, (id_t)process, info, WEXITED | WNOHANG | WNOWAIT) ||
           info->si_pid == process;
}

bool process_has_ended(pid_t process) {
    siginfo_t info;
    return look(process, &info);
}

int process_wait(pid_t process) {
    siginfo_t info = {0};
    while (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) && errno == EINTR)
        ;
    return !info.si_code ? 0 : info.si_code == CLD_EXITED ? info.si_status : -1;
}

bool process_describe_end(pid_t process, char *text, size_t size, bool *success) {
    siginfo_t info;
    if (!look(process, &info))
        return false;
    bool exited = info.si_code == CLD_EXITED;
    int code = info.si_status;
    *success = exited && code == 0;
    if (!info.si_code)
        snprintf(text, size, "ended in a way that cannot be known");
    else if (!exited)
        snprintf(text, size, "was killed by signal %d", code);
    else if (code > 128 && code <= 128 + SIGRTMAX) /* how a shell tells it */
        snprintf(text, size, "ended with exit code %d (killed by signal %d)", code, code - 128);
    else
        snprintf(text, size, "ended with exit code %d%s", code,
                 code == 127   ? " (command not found)"
                 : code == 126 ? " (not executable)"
                               : "");
    return true;
}

void process_end(pid_t process) {
    kill(-process, SIGKILL);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        ;
}
