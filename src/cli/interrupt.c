#include "cli/interrupt.h"

#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

enum { SIGNALS = sizeof signals / sizeof *signals };

static volatile sig_atomic_t interrupted;

static void note(int number) {
    (void)number;
    interrupted = 1;
}

static void install(int flags) {
    struct sigaction action = {.sa_handler = note, .sa_flags = flags}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], &action, &before);
        if (signals[i] == SIGHUP && before.sa_handler == SIG_IGN)
            sigaction(SIGHUP, &before, NULL); /* under nohup */
    }
}

void interrupt_watch(void) {
    install((int)SA_RESETHAND);
}

void interrupt_hold(sigset_t *mask) {
    sigset_t held;
    install(0);
    sigemptyset(&held);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaddset(&held, signals[i]);
    sigprocmask(SIG_BLOCK, &held, mask);
}

bool interrupt_has_come(void) {
    sigset_t waiting;
    sigpending(&waiting);
    for (size_t i = 0; i < SIGNALS && !interrupted; i++)
        if (sigismember(&waiting, signals[i]) == 1)
            interrupted = 1;
    return interrupted;
}
