#include "world/child.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/process.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct child {
    pid_t process;
    int socket;
    double patience;    /* the socket's time-out, in seconds */
    bool has_spoken;    /* something has come from it */
    size_t used, taken; /* bytes in the buffer; of these, the last answer and its newline */
    char buffer[CHILD_LARGEST_LINE + 1];
};

/* A plain command replaces the shell, so besd sees at once when it ends or closes its output. A
 * list or a pipeline needs the shell. */
static bool is_plain(const char *command) {
    size_t word = strcspn(command, " \t");
    return !strpbrk(command, ";&|\n(){}") && !memchr(command, '=', word);
}

/* Starts the command with input and output on the socket; an errno, or 0. */
static int start_shell(const char *command, int socket, pid_t *process) {
    const process_setting setting = {.input = socket, .output = socket, .errors = -1};
    size_t size = strlen(command) + sizeof "exec ";
    char *text = malloc(size);
    if (!text)
        return ENOMEM;
    snprintf(text, size, "%s%s", is_plain(command) ? "exec " : "", command);
    int failed = process_start(text, &setting, process);
    free(text);
    return failed;
}

besd_status child_start(const char *command, child **started, besd_error *error) {
    int ends[2];
    child *c = malloc(sizeof *c);
    if (!c)
        return besd_fail_memory(error, "a child process");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
        free(c);
        return besd_fail(error, BESD_IO, "no socket for the child process: %s", strerror(errno));
    }
    c->socket = ends[0];
    c->patience = -1;
    c->used = c->taken = 0;
    int failed = start_shell(command, ends[1], &c->process);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        free(c);
        return besd_fail(error, BESD_IO, "'%.200s' could not be started: %s", command,
                         strerror(failed));
    }
    *started = c;
    return BESD_OK;
}

static void wait_for_end(const child *c, double seconds) {
    struct timespec pause = {0, 200000};
    for (double limit = clock_seconds() + seconds;
         !process_has_ended(c->process) && clock_seconds() < limit;) {
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 10000000)
            pause.tv_nsec *= 2;
    }
}

void child_stop(child *c, const char *farewell) {
    if (!c)
        return;
    if (farewell && send(c->socket, farewell, strlen(farewell), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        kill(-c->process, SIGKILL); /* it is not listening */
    shutdown(c->socket, SHUT_RDWR);
    close(c->socket);
    wait_for_end(c, PROCESS_GRACE);
    process_end(c->process);
    free(c);
}

static besd_status explain_end(const child *c, besd_error *error) {
    char how[80];
    bool success;
    wait_for_end(c, PROCESS_GRACE);
    if (!process_describe_end(c->process, how, sizeof how, &success))
        return besd_fail(error, BESD_ENVIRONMENT,
                         "its process closed its standard output while an answer was due");
    return besd_fail(error, BESD_ENVIRONMENT, "its process %s while an answer was due", how);
}

static void set_patience(child *c, double seconds) {
    if (c->patience == seconds)
        return;
    double whole = floor(seconds);
    struct timeval limit = {(time_t)whole, (suseconds_t)((seconds - whole) * 1e6)};
    setsockopt(c->socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(c->socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    c->patience = seconds;
}

/* A first answer that never comes is often one that waits in a buffer. */
static besd_status fail_late(const child *c, besd_error *error) {
    return besd_fail(
        error, BESD_ENVIRONMENT, "its process gave no answer within %g seconds%s", c->patience,
        c->has_spoken ? ""
                      : "; if it did answer, the answer waits in a buffer: flush after "
                        "every line, or start it with python3 -u, stdbuf -oL or mawk "
                        "-W interactive");
}

static besd_status send_line(child *c, const char *line, size_t length, besd_error *error) {
    while (length) {
        ssize_t sent = send(c->socket, line, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return fail_late(c, error);
        if (sent < 0)
            return explain_end(c, error);
        line += sent;
        length -= (size_t)sent;
    }
    return BESD_OK;
}

/* The socket's time-out bounds the silence between two pieces of a line, the clock the whole. */
static besd_status receive_line(child *c, const char **answer, size_t *answer_length,
                                besd_error *error) {
    double begin = 0;
    size_t searched = 0;
    for (;;) {
        char *end = memchr(c->buffer + searched, '\n', c->used - searched);
        if (end) {
            *end = 0;
            *answer = c->buffer;
            *answer_length = (size_t)(end - c->buffer);
            c->taken = *answer_length + 1;
            return BESD_OK;
        }
        searched = c->used;
        if (c->used == CHILD_LARGEST_LINE)
            return besd_fail(error, BESD_ENVIRONMENT,
                             "its process sent a line of over %d bytes, which is no answer",
                             CHILD_LARGEST_LINE);
        if (c->used && begin == 0)
            begin = clock_seconds();
        else if (c->used && clock_seconds() - begin > c->patience)
            return fail_late(c, error);
        ssize_t got = recv(c->socket, c->buffer + c->used, CHILD_LARGEST_LINE - c->used, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return fail_late(c, error);
        if (got <= 0 && c->used)
            return besd_fail(error, BESD_ENVIRONMENT,
                             "its process ended in the middle of a line, after '%.60s'", c->buffer);
        if (got <= 0)
            return explain_end(c, error);
        c->has_spoken = true;
        c->used += (size_t)got;
        c->buffer[c->used] = 0;
    }
}

besd_status child_exchange(child *c, const char *line, size_t length, double seconds,
                           const char **answer, size_t *answer_length, besd_error *error) {
    set_patience(c, seconds);
    c->used -= c->taken; /* what came after the last answer, which is usually nothing */
    memmove(c->buffer, c->buffer + c->taken, c->used);
    c->buffer[c->used] = 0;
    c->taken = 0;
    if (c->used) {
        c->buffer[strcspn(c->buffer, "\n")] = 0;
        return besd_fail(error, BESD_ENVIRONMENT,
                         "its process sent more than one line for one message; the next begins "
                         "'%.60s'",
                         c->buffer);
    }
    besd_status status = send_line(c, line, length, error);
    return status == BESD_OK ? receive_line(c, answer, answer_length, error) : status;
}
