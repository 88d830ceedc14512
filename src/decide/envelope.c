/* Upper hulls of points (slope, intercept), which are upper envelopes of lines.
 *
 * A line is nowhere above the envelope of two others exactly when its point is on or below their
 * chord. So, as in quickhull, the points above the chords from the flattest to the highest and from
 * there to the steepest line are all that matter: one pass over the n lines keeps 3 % of them on
 * posteriors of besd (n = 3000). Further rounds add the point farthest above each chord as a pivot
 * and filter again, until few are left. Those are sorted, and Andrew's scan pops what is not on
 * the hull. Nothing is cut off at some |z|: log nu of a hopeless candidate comes from the far ends.
 *
 * Rounding can drop a point that is above a chord by a few units in the last place of the
 * intercepts' difference. At a cut c that changes nu by a relative 1e-16 c^2 or so, no more than a
 * rounding of the intercepts themselves does.
 *
 * Cost: O(n) for two passes, O(n log n) at worst. On posteriors with n = 3000 and 3 to 17 lines on
 * the envelope a build takes 9 us (6 to 16), gift-wrapping 38 us and a sort of all lines 420 us; no
 * faster were a filter by the hull of a sample, and passes in blocks for vector instructions.
 */
#include "decide/envelope.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Rounds stop at this many pivots, or when so few lines are left that sorting them is cheaper. */
enum { PIVOTS = 40, FEW = 8 };

/* A term below e^-45 = 3e-20 of the sum is lost in its rounding. */
static const double LOG_LOST = 45;

besd_status envelope_create(size_t capacity, envelope **created, besd_error *error) {
    if (capacity < 1)
        return besd_fail(error, BESD_INVALID, "envelope: expected room for at least 1 line, got 0");
    envelope *e = calloc(1, sizeof *e);
    if (!e)
        return besd_fail_memory(error, "an envelope");
    e->capacity = capacity;
    const memory_array arrays[] = {{&e->line, capacity * sizeof *e->line},
                                   {&e->cut, capacity * sizeof *e->cut},
                                   {&e->log_rise, capacity * sizeof *e->log_rise},
                                   {&e->stack, capacity * sizeof *e->stack},
                                   {&e->kept, (capacity + PIVOTS) * sizeof *e->kept}};
    e->memory = memory_allocate(arrays, sizeof arrays / sizeof *arrays);
    if (!e->memory) {
        free(e);
        return besd_fail_memory(error, "an envelope");
    }
    *created = e;
    return BESD_OK;
}

void envelope_destroy(envelope *e) {
    if (!e)
        return;
    free(e->memory);
    free(e);
}

/* The pivots, by increasing slope. */
typedef struct pivots {
    size_t count;
    envelope_line line[PIVOTS];
    double chord[PIVOTS]; /* the direction from line[j] to line[j + 1] */
} pivots;

static double direction(const envelope_line *from, const envelope_line *to) {
    return (to->intercept - from->intercept) / (to->slope - from->slope);
}

/* Flattest, highest and steepest line; equal slopes give way to the larger intercept, so that lines
 * of one slope leave one pivot and nothing above it. */
static void first_pivots(pivots *p, const double *a, const double *b, size_t n) {
    size_t flat = 0, high = 0, steep = 0;
    for (size_t i = 1; i < n; i++) {
        if (b[i] <= b[flat] && (b[i] < b[flat] || a[i] > a[flat]))
            flat = i;
        if (b[i] >= b[steep] && (b[i] > b[steep] || a[i] > a[steep]))
            steep = i;
        if (a[i] > a[high])
            high = i;
    }
    const size_t chosen[] = {flat, high, steep};
    p->count = 0;
    for (size_t k = 0; k < 3; k++) {
        size_t i = chosen[k];
        if (p->count == 0 || b[i] > p->line[p->count - 1].slope)
            p->line[p->count++] = (envelope_line){a[i], b[i], i};
    }
    for (size_t j = 0; j + 1 < p->count; j++)
        p->chord[j] = direction(&p->line[j], &p->line[j + 1]);
}

/* The first round, over all lines. The two chords fall away from the highest point, so that the
 * lower of the two is the one above which a point must lie, without a branch. With two pivots the
 * higher one is the highest point, and there is one chord. */
static size_t filter_all(envelope_line *kept, const pivots *p, const double *a, const double *b,
                         size_t n) {
    size_t last = p->count - 1, count = 0;
    size_t high = last == 2 || p->line[last].intercept > p->line[0].intercept ? 1 : 0;
    double top = p->line[high].intercept, middle = p->line[high].slope;
    double left = high > 0 ? p->chord[high - 1] : 0, right = high < last ? p->chord[high] : 0;
    for (size_t i = 0; i < n; i++) {
        double offset = b[i] - middle, on_left = left * offset, on_right = right * offset;
        if (a[i] - top > (on_left < on_right ? on_left : on_right))
            kept[count++] = (envelope_line){a[i], b[i], i};
    }
    return count;
}

/* The chord that spans the slope. */
static size_t chord_of(const pivots *p, double slope) {
    size_t j = 0;
    while (j + 2 < p->count && p->line[j + 1].slope <= slope)
        j++;
    return j;
}

static double height_above(const pivots *p, size_t chord, const envelope_line *l) {
    const envelope_line *from = &p->line[chord];
    return (l->intercept - from->intercept) - p->chord[chord] * (l->slope - from->slope);
}

/* Adds the line farthest above each chord to the pivots; false when there is none. */
static bool add_pivots(pivots *p, const envelope_line *kept, size_t count) {
    double height[PIVOTS] = {0};
    const envelope_line *farthest[PIVOTS] = {NULL};
    for (size_t i = 0; i < count; i++) {
        size_t j = chord_of(p, kept[i].slope);
        double h = height_above(p, j, &kept[i]);
        bool inside = kept[i].slope > p->line[j].slope && kept[i].slope < p->line[j + 1].slope;
        if (inside && h > height[j]) {
            height[j] = h;
            farthest[j] = &kept[i];
        }
    }
    pivots old = *p;
    p->count = 0;
    for (size_t j = 0; j < old.count; j++) {
        p->line[p->count++] = old.line[j];
        if (farthest[j])
            p->line[p->count++] = *farthest[j];
    }
    for (size_t j = 0; j + 1 < p->count; j++)
        p->chord[j] = direction(&p->line[j], &p->line[j + 1]);
    return p->count > old.count;
}

static size_t filter_kept(envelope_line *kept, size_t count, const pivots *p) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (height_above(p, chord_of(p, kept[i].slope), &kept[i]) > 0)
            kept[left++] = kept[i];
    return left;
}

static int by_slope(const void *left, const void *right) {
    const envelope_line *l = left, *r = right;
    if (l->slope != r->slope)
        return l->slope < r->slope ? -1 : 1;
    if (l->intercept != r->intercept)
        return l->intercept > r->intercept ? -1 : 1;
    return (l->index > r->index) - (l->index < r->index);
}

/* Andrew's scan: a line that takes over no later than the one before it hides that one. A cut at
 * plus infinity (a difference of slopes near underflow) is never reached. */
static void scan(envelope *e, size_t count) {
    e->count = 0;
    for (size_t i = 0; i < count; i++) {
        const envelope_line *next = &e->kept[i];
        double cut = -INFINITY;
        if (e->count > 0 && next->slope == e->stack[e->count - 1].slope)
            continue;
        for (; e->count > 0; e->count--) {
            const envelope_line *last = &e->stack[e->count - 1];
            cut = (last->intercept - next->intercept) / (next->slope - last->slope);
            if (cut > (e->count > 1 ? e->cut[e->count - 2] : -INFINITY))
                break;
        }
        if (e->count > 0 && cut == INFINITY)
            continue;
        if (e->count > 0)
            e->cut[e->count - 1] = cut;
        e->stack[e->count++] = *next;
    }
}

void envelope_build(envelope *e, const double *a, const double *b, size_t n) {
    pivots p;
    first_pivots(&p, a, b, n);
    size_t count = filter_all(e->kept, &p, a, b, n);
    while (count > FEW && 2 * p.count <= PIVOTS && add_pivots(&p, e->kept, count))
        count = filter_kept(e->kept, count, &p);
    for (size_t j = 0; j < p.count; j++)
        e->kept[count++] = p.line[j];
    qsort(e->kept, count, sizeof *e->kept, by_slope);
    scan(e, count);
    for (size_t j = 0; j < e->count; j++)
        e->line[j] = e->stack[j].index;
    for (size_t j = 0; j + 1 < e->count; j++)
        e->log_rise[j] = log(e->stack[j + 1].slope - e->stack[j].slope);
}

double envelope_log_kg(const envelope *e, double scale) {
    if (e->count < 2)
        return -INFINITY;
    size_t nearest = 0;
    for (size_t j = 1; j + 1 < e->count; j++)
        if (fabs(e->cut[j]) < fabs(e->cut[nearest]))
            nearest = j;
    double total = e->log_rise[nearest] + normal_log_improvement(-fabs(e->cut[nearest]) / scale);
    for (size_t j = 0; j + 1 < e->count; j++) {
        /* h(-x) <= phi(x): most terms are seen to be lost in the sum without computing h. */
        double distance = fabs(e->cut[j]) / scale;
        if (j == nearest || e->log_rise[j] + normal_log_pdf(distance) < total - LOG_LOST)
            continue;
        total = log_add(total, e->log_rise[j] + normal_log_improvement(-distance));
    }
    return total + log(scale);
}

double envelope_log_gradient(const envelope *e, double scale, double *weight) {
    double log_kg = envelope_log_kg(e, scale), density = 0;
    for (size_t j = 0; j < e->count; j++) {
        double cut = j + 1 < e->count ? e->cut[j] / scale : INFINITY;
        /* in units of nu, which itself may underflow */
        double next = log_kg > -INFINITY ? exp(normal_log_pdf(cut) - log_kg) : 0;
        weight[j] = scale * (density - next);
        density = next;
    }
    return log_kg;
}
