/* The tool a thousand times without starting it a thousand times, which takes sanitized builds
 * longer than their work: one process that has loaded everything, and a child for every command.
 *
 *     stdin:   SECONDS <US> OUTPUT <US> ERRORS <US> WORD <US> WORD ... <end of line>
 *     stdout:  CODE <end of line>: the exit code, or minus the signal
 *
 * with US the byte 31. A child that has not ended after SECONDS is ended by SIGALRM.
 * scripts/torture_files.py speaks with it. */
#include "model/blas.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#undef main
int besd_main(int argc, char **argv); /* the tool's */

enum { MOST_WORDS = 64, LINE_SIZE = 65536 };

static void become(const char *path, int descriptor) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, descriptor) < 0)
        _exit(125);
    close(file);
}

static int run(char **words, int count) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    close(nothing);
    become(words[1], STDOUT_FILENO);
    become(words[2], STDERR_FILENO);
    alarm((unsigned)atoi(words[0]));
    words[2] = "besd";
    return besd_main(count - 2, words + 2);
}

int main(void) {
    static char line[LINE_SIZE];
    if (arithmetic_begin(1, NULL) != BESD_OK)
        return 1;
    while (fgets(line, sizeof line, stdin)) {
        char *words[MOST_WORDS + 1] = {0}, *rest = line;
        int count = 0, status;
        line[strcspn(line, "\n")] = 0;
        while (count < MOST_WORDS && (words[count] = strsep(&rest, "\x1f")))
            count++;
        if (count < 4)
            return 2;
        pid_t child = fork();
        if (child == 0)
            exit(run(words, count)); /* the leaks are looked for here */
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 1;
        printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
        fflush(stdout);
    }
    return 0;
}
