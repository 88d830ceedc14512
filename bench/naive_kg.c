/* The baseline of the acquisition's ratio: the knowledge gradient as one would first write it. For
 * every (theta, tau, q) on its own: covariances with all targets, lines sorted by slope, the
 * classic sweep for the envelope, the sum over its cuts. Nothing is shared between levers, nothing
 * is pruned.
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct straight {
    double a, b;
} straight;

static int by_slope(const void *x, const void *y) {
    const straight *p = x, *q = y;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return p->a < q->a ? -1 : p->a > q->a;
}

static double improvement(double u) {
    return exp(-0.5 * u * u) / 2.5066282746310002 + u * 0.5 * erfc(-u * 0.70710678118654752);
}

/* Sorts the lines in place; nu. */
static double sweep(straight *lines, size_t count) {
    double *cut = malloc(count * sizeof *cut), sum = 0;
    size_t *stack = malloc(count * sizeof *stack), depth = 0;
    if (!cut || !stack)
        bench_fail("out of memory");
    qsort(lines, count, sizeof *lines, by_slope);
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && lines[i + 1].b == lines[i].b)
            continue;
        double z = -INFINITY;
        while (depth > 0) {
            const straight *top = &lines[stack[depth - 1]];
            z = (top->a - lines[i].a) / (lines[i].b - top->b);
            if (depth == 1 || z > cut[depth - 1])
                break;
            depth--;
        }
        cut[depth] = depth ? z : -INFINITY;
        stack[depth++] = i;
    }
    for (size_t j = 1; j < depth; j++)
        sum += (lines[stack[j]].b - lines[stack[j - 1]].b) * improvement(-fabs(cut[j]));
    free(stack);
    free(cut);
    return sum;
}

double naive_kg(const gp *model, const double *theta, double share, double noise,
                const double *targets, const double *target_roots, const double *means,
                size_t count) {
    size_t n = gp_count(model), d = gp_dimension(model);
    const hyperparameters *h = gp_hyperparameters(model);
    double *roots = malloc(MODEL_BASIS * (n + 1) * sizeof *roots), slopes[MODEL_BASIS];
    double variance = kernel_variance(h, share);
    straight *lines = malloc(count * sizeof *lines);
    if (!roots || !lines)
        bench_fail("out of memory");
    gp_project(model, theta, 1, roots, slopes);
    for (size_t j = 0; j < n; j++) {
        roots[j] += share * roots[n + j];
        variance -= roots[j] * roots[j];
    }
    for (size_t i = 0; i < count; i++) {
        double squared = 0, explained = 0;
        for (size_t k = 0; k < d; k++)
            squared += pow((theta[k] - targets[i * d + k]) / h->lengthscale[k], 2);
        double s = sqrt(5 * squared);
        for (size_t j = 0; j < n; j++)
            explained += roots[j] * target_roots[i * n + j];
        lines[i].a = means[i];
        lines[i].b = (kernel_tau(h, share, 1) * (1 + s + s * s / 3) * exp(-s) - explained) /
                     sqrt(variance + noise);
    }
    double nu = sweep(lines, count);
    free(lines);
    free(roots);
    return nu;
}
