#include "cli/interrupt.h"

#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

enum { SIGNALS = sizeof signals / sizeof *signals };

static volatile sig_atomic_t interrupted;

static void note(int number) {
    (void)number;
    interrupted = 1;
}

void interrupt_hold(sigset_t *mask) {
    struct sigaction action = {.sa_handler = note}, before;
    sigset_t held;
    sigemptyset(&held);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], &action, &before);
        if (signals[i] == SIGHUP && before.sa_handler == SIG_IGN)
            sigaction(SIGHUP, &before, NULL); /* under nohup */
        sigaddset(&held, signals[i]);
    }
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
