#include "figures/leg_choice.h"

#include <math.h>

/* Pixels, and the cosine of 12 degrees. */
static const double NEAR_ENDS = 60, NEAR_LINE = 26, SAME_WAY = 0.978;

bool leg_has_places(const leg_known *leg) {
    double dx = leg->to[0] - leg->from[0], dy = leg->to[1] - leg->from[1];
    return fabs(dx) + fabs(dy) > 0; /* false for NaN: a start or an end that is not known */
}

static double distance(const double *a, const double *b, leg_scale scale) {
    return hypot((a[0] - b[0]) * scale.x, (a[1] - b[1]) * scale.y);
}

static double length_of(const leg_known *leg, leg_scale scale) {
    return distance(leg->from, leg->to, scale);
}

static double cosine_between(const leg_known *a, const leg_known *b, leg_scale scale) {
    double ax = (a->to[0] - a->from[0]) * scale.x, ay = (a->to[1] - a->from[1]) * scale.y;
    double bx = (b->to[0] - b->from[0]) * scale.x, by = (b->to[1] - b->from[1]) * scale.y;
    return (ax * bx + ay * by) / (hypot(ax, ay) * hypot(bx, by));
}

/* From the middle of one leg to the nearest place of another. */
static double distance_to_line(const leg_known *from, const leg_known *line, leg_scale scale) {
    double middle[2] = {(from->from[0] + from->to[0]) / 2, (from->from[1] + from->to[1]) / 2};
    double dx = (line->to[0] - line->from[0]) * scale.x,
           dy = (line->to[1] - line->from[1]) * scale.y;
    double along =
        ((middle[0] - line->from[0]) * scale.x * dx + (middle[1] - line->from[1]) * scale.y * dy) /
        (dx * dx + dy * dy);
    along = fmin(1, fmax(0, along));
    double nearest[2] = {line->from[0] + along * (line->to[0] - line->from[0]),
                         line->from[1] + along * (line->to[1] - line->from[1])};
    return distance(middle, nearest, scale);
}

bool legs_are_alike(const leg_known *a, const leg_known *b, leg_scale scale) {
    double cosine = cosine_between(a, b, scale);
    if (cosine <= 0)
        return false;
    if (distance(a->from, b->from, scale) < NEAR_ENDS && distance(a->to, b->to, scale) < NEAR_ENDS)
        return true;
    const bool a_is_short = length_of(a, scale) < length_of(b, scale);
    const leg_known *shorter = a_is_short ? a : b, *longer = a_is_short ? b : a;
    return cosine > SAME_WAY && distance_to_line(shorter, longer, scale) < NEAR_LINE;
}

static bool is_alike_any(const leg_known *leg, const leg_known *others, size_t count,
                         leg_scale scale) {
    for (size_t i = 0; i < count; i++)
        if (leg_has_places(&others[i]) && legs_are_alike(leg, &others[i], scale))
            return true;
    return false;
}

size_t leg_choice(leg_known *legs, size_t count, const leg_known *path, size_t path_count,
                  leg_scale scale, size_t most) {
    size_t chosen = 0;
    for (size_t i = 0; i < count && chosen < most; i++)
        if (leg_has_places(&legs[i]) && !is_alike_any(&legs[i], path, path_count, scale) &&
            !is_alike_any(&legs[i], legs, chosen, scale)) {
            leg_known kept = legs[i];
            for (size_t k = i; k > chosen; k--)
                legs[k] = legs[k - 1];
            legs[chosen++] = kept;
        }
    return chosen;
}
