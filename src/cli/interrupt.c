#include "cli/interrupt.h"

#include <stdatomic.h>
#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

enum { SIGNALS = sizeof signals / sizeof *signals };

static atomic_int interrupted; /* lock-free; the handler runs in any thread */

static void note(int number) {
    (void)number;
    interrupted = 1;
}

/* Leaves the next one, of any kind, to the system; what is ignored stays so. */
static void note_first(int number) {
    struct sigaction now;
    note(number);
    for (size_t i = 0; i < SIGNALS; i++)
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == note_first)
            signal(signals[i], SIG_DFL);
}

static void fill_set(sigset_t *set) {
    sigemptyset(set);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaddset(set, signals[i]);
}

static void install(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler}, before;
    fill_set(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], &action, &before);
        if (signals[i] == SIGHUP && before.sa_handler == SIG_IGN)
            sigaction(SIGHUP, &before, NULL); /* under nohup */
    }
}

void interrupt_watch(void) {
    install(note_first);
}

void interrupt_hold(sigset_t *mask) {
    sigset_t held;
    install(note);
    fill_set(&held);
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
