#include "decide/latin.h"

#include <math.h>

/* A random place in slice k of n. Rounding must not carry it into the next slice, nor to 1. */
static double place_in_slice(rng *stream, double k, double n) {
    double place = (k + rng_uniform(stream)) / n, end = (k + 1) / n;
    return place < end ? place : nextafter(end, 0);
}

/* The axis itself holds the permutation, so nothing is allocated. */
static void fill_axis(rng stream, size_t n, size_t stride, double *axis) {
    for (size_t i = 0; i < n; i++)
        axis[i * stride] = (double)i;
    for (size_t i = n; i > 1; i--) {
        double *last = &axis[(i - 1) * stride], *other = &axis[rng_below(&stream, i) * stride];
        double swapped = *last;
        *last = *other;
        *other = swapped;
    }
    for (size_t i = 0; i < n; i++)
        axis[i * stride] = place_in_slice(&stream, axis[i * stride], (double)n);
}

void latin_hypercube(uint64_t seed, rng_purpose purpose, size_t n, size_t dimension,
                     double *points) {
    for (size_t i = 0; i < dimension; i++)
        fill_axis(rng_open(seed, purpose, i, 0, 0), n, dimension, points + i);
}

void latin_point(uint64_t seed, rng_purpose purpose, size_t n, size_t dimension, size_t index,
                 double *axis, double *point) {
    for (size_t i = 0; i < dimension; i++) {
        fill_axis(rng_open(seed, purpose, i, 0, 0), n, 1, axis);
        point[i] = axis[index];
    }
}
