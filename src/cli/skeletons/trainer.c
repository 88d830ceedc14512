/* The trainer of @NAME@: one trial on standard input, its scores on standard output.
 *
 * Replace `train` by what trains your agent. Whatever you want to see goes to standard error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COORDINATES = @COUNT@, LONGEST = 1 << 20, MOST = 4096 };

static const double secret[COORDINATES] = {@SECRET@};

/* One replication: trains for tau interactions with the subgoals of theta, tests, and returns the
 * score. theta is NULL when besd measures training without subgoals (besd run --test). A stand-in:
 * the nearer theta is to a place that nobody knows, the better. */
static double train(const double *theta, long tau, long long seed) {
    double square = theta ? 0 : 100;
    for (int i = 0; theta && i < COORDINATES; i++)
        square += (theta[i] - secret[i]) * (theta[i] - secret[i]);
    srand((unsigned)(seed % 1000000007));
    double steps = 20 + 10 * sqrt(square) + 2000.0 / (double)tau + 10.0 * rand() / RAND_MAX - 5;
    return @SCORE_C@;
}

/* What stands behind a name of the trial; NULL: null, or nothing. */
static char *find(char *trial, const char *name) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", name);
    char *at = strstr(trial, quoted);
    at = at ? at + strlen(quoted) : NULL;
    return at && strncmp(at, "null", 4) != 0 ? at + (*at == '[') : NULL;
}

int main(void) {
    static char trial[LONGEST];
    double theta[COORDINATES];
    if (!fgets(trial, sizeof trial, stdin))
        return 1;
    char *at = find(trial, "theta_array"), *tau = find(trial, "tau"),
         *seed = find(trial, "replication_seeds");
    for (int i = 0; at && i < COORDINATES; i++)
        theta[i] = strtod(at + (i > 0), i + 1 < COORDINATES ? &at : NULL);
    printf("{\"scores\": [");
    for (int i = 0; seed && tau && i < MOST; i++) {
        double score = train(at ? theta : NULL, atol(tau), strtoll(seed, &seed, 10));
        printf("%s%.17g", i ? ", " : "", score);
        if (*seed++ != ',')
            break;
    }
    puts("]}");
    return 0;
}
