/* Making plans, drawing into them, and walking through them. */
#include "sketch/plan.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t pixels_of(const plan *p) {
    return (size_t)p->width * (size_t)p->height;
}

besd_status plan_create(plan *p, int width, int height, double pixel, const double *origin,
                        enum plan_pixel all, besd_error *error) {
    *p = (plan){.width = width, .height = height, .pixel = pixel, .origin = {origin[0], origin[1]}};
    p->ground = malloc(pixels_of(p));
    p->goal = calloc(1, pixels_of(p));
    if (!p->ground || !p->goal) {
        plan_free(p);
        return besd_fail_memory(error, "the plan");
    }
    memset(p->ground, (int)all, pixels_of(p));
    return BESD_OK;
}

void plan_free(plan *p) {
    for (int c = 0; c < p->choice_count; c++)
        for (int a = 0; a < p->choices[c].count; a++)
            free(p->choices[c].walls[a]);
    free(p->ground);
    free(p->goal);
    *p = (plan){0};
}

uint8_t *plan_mask(const plan *p) {
    return calloc(1, pixels_of(p));
}

/* Every pixel becomes factor x factor; false without memory. */
static bool divide(uint8_t **pixels, int width, int height, int factor) {
    if (!*pixels)
        return true;
    const size_t row = (size_t)width * (size_t)factor;
    uint8_t *fine = malloc(row * (size_t)height * (size_t)factor);
    if (!fine)
        return false;
    for (int y = 0; y < height * factor; y++)
        for (size_t x = 0; x < row; x++)
            fine[row * (size_t)y + x] =
                (*pixels)[(size_t)width * (size_t)(y / factor) + x / (size_t)factor];
    free(*pixels);
    *pixels = fine;
    return true;
}

besd_status plan_refine(plan *p, besd_error *error) {
    const int longest = p->width > p->height ? p->width : p->height;
    const int factor = (PLAN_COARSEST + longest - 1) / longest;
    if (factor < 2)
        return BESD_OK;
    bool done = divide(&p->ground, p->width, p->height, factor) &&
                divide(&p->goal, p->width, p->height, factor);
    for (int c = 0; c < p->choice_count; c++)
        for (int a = 0; a < p->choices[c].count; a++)
            done = done && divide(&p->choices[c].walls[a], p->width, p->height, factor);
    if (!done)
        return besd_fail_memory(error, "the plan");
    p->width *= factor;
    p->height *= factor;
    p->pixel /= factor;
    return BESD_OK;
}

/* In pixels, counted from the corner of the plan. */
static double in_pixels(const plan *p, int coordinate, double place) {
    return (place - p->origin[coordinate]) / p->pixel;
}

static int bounded(double number, int count) {
    return number >= count ? count - 1 : number >= 0 ? (int)number : 0;
}

size_t plan_pixel_of(const plan *p, const double *place) {
    return (size_t)bounded(in_pixels(p, 0, place[0]) + 1e-9, p->width) +
           (size_t)p->width * (size_t)bounded(in_pixels(p, 1, place[1]) + 1e-9, p->height);
}

static void put(const plan *p, uint8_t *pixels, uint8_t value, double x, double y) {
    if (x >= 0 && y >= 0 && x < p->width && y < p->height)
        pixels[(size_t)x + (size_t)p->width * (size_t)y] = value;
}

/* From border to border of columns: in each column the rows between entry and exit. Rounding must
 * not leave a hole, so the borders are met a little early. */
void plan_draw_segment(const plan *p, uint8_t *pixels, uint8_t value, const double *ends) {
    double from[2], to[2];
    const double slack = 1e-9;
    for (int i = 0; i < 2; i++) {
        from[i] = in_pixels(p, i, ends[i]) + slack;
        to[i] = in_pixels(p, i, ends[2 + i]) + slack;
    }
    const bool turned = from[0] > to[0];
    const double *left = turned ? to : from, *right = turned ? from : to;
    const double slope = right[0] > left[0] ? (right[1] - left[1]) / (right[0] - left[0]) : 0;
    const double first = fmax(floor(left[0]), 0), last = fmin(floor(right[0]), p->width - 1);
    for (double x = first; x <= last; x++) {
        double enter = x > left[0] ? left[1] + (x - left[0]) * slope : left[1];
        double leave = x + 1 < right[0] ? left[1] + (x + 1 - left[0]) * slope : right[1];
        double low = fmax(floor(fmin(enter, leave)), 0);
        double high = fmin(floor(fmax(enter, leave)), p->height - 1);
        for (double y = low; y <= high; y++)
            put(p, pixels, value, x, y);
    }
}

/* The pixels that a polygon can have. */
static void bound_polygon(const plan *p, const double *corners, size_t count, int *low, int *high) {
    for (int i = 0; i < 2; i++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t k = 0; k < count; k++) {
            least = fmin(least, in_pixels(p, i, corners[2 * k + (size_t)i]));
            most = fmax(most, in_pixels(p, i, corners[2 * k + (size_t)i]));
        }
        low[i] = bounded(least, i ? p->height : p->width);
        high[i] = bounded(most, i ? p->height : p->width);
    }
}

/* The even-odd rule along every row of centres, and the outline, so that what is thinner than a
 * pixel is not lost. */
void plan_draw_polygon(const plan *p, uint8_t *pixels, uint8_t value, const double *corners,
                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        const double *a = corners + 2 * i, *b = corners + 2 * ((i + 1) % count);
        plan_draw_segment(p, pixels, value, (double[]){a[0], a[1], b[0], b[1]});
    }
    int low[2], high[2];
    bound_polygon(p, corners, count, low, high);
    for (int y = low[1]; y <= high[1]; y++)
        for (int x = low[0]; x <= high[0]; x++) {
            const double at[2] = {p->origin[0] + p->pixel * (x + 0.5),
                                  p->origin[1] + p->pixel * (y + 0.5)};
            bool inside = false;
            for (size_t i = 0; i < count; i++) {
                const double *a = corners + 2 * i, *b = corners + 2 * ((i + 1) % count);
                if ((a[1] > at[1]) != (b[1] > at[1]) &&
                    at[0] < a[0] + (at[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
                    inside = !inside;
            }
            if (inside)
                put(p, pixels, value, x, y);
        }
}

static besd_status check_place(const plan *p, const char *name, const double *place,
                               besd_error *error) {
    const double high[2] = {p->origin[0] + p->pixel * p->width,
                            p->origin[1] + p->pixel * p->height};
    bool inside = true;
    for (int i = 0; i < 2; i++)
        inside = inside && place[i] >= p->origin[i] && place[i] <= high[i];
    return inside
               ? BESD_OK
               : besd_fail(error, BESD_INVALID,
                           "%s: expected a place in the sketch, which goes from (%g, %g) to "
                           "(%g, %g), got (%g, %g)",
                           name, p->origin[0], p->origin[1], high[0], high[1], place[0], place[1]);
}

besd_status plan_set_start(plan *p, const double *place, besd_error *error) {
    p->has_start = true;
    memcpy(p->start, place, sizeof p->start);
    return check_place(p, "start", place, error);
}

static besd_status begin_goal(plan *p, const double *place, besd_error *error) {
    memset(p->goal, 0, pixels_of(p));
    p->has_goal = true;
    return check_place(p, "goal", place, error);
}

besd_status plan_set_goal(plan *p, const double *centre, double radius, besd_error *error) {
    besd_status status = begin_goal(p, centre, error);
    for (int y = 0; status == BESD_OK && y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if (hypot(p->origin[0] + p->pixel * (x + 0.5) - centre[0],
                      p->origin[1] + p->pixel * (y + 0.5) - centre[1]) <= radius)
                p->goal[(size_t)x + (size_t)p->width * (size_t)y] = 1;
    if (status == BESD_OK)
        p->goal[plan_pixel_of(p, centre)] = 1;
    return status;
}

besd_status plan_set_goal_box(plan *p, const double *corners, besd_error *error) {
    besd_status status = begin_goal(p, corners, error);
    if (status == BESD_OK)
        status = check_place(p, "goal", corners + 2, error);
    for (int y = 0; status == BESD_OK && y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            const double at[2] = {p->origin[0] + p->pixel * (x + 0.5),
                                  p->origin[1] + p->pixel * (y + 0.5)};
            bool inside = true;
            for (int i = 0; i < 2; i++)
                inside = inside && at[i] >= fmin(corners[i], corners[2 + i]) &&
                         at[i] <= fmax(corners[i], corners[2 + i]);
            if (inside)
                p->goal[(size_t)x + (size_t)p->width * (size_t)y] = 1;
        }
    if (status == BESD_OK)
        p->goal[plan_pixel_of(
            p, (double[]){(corners[0] + corners[2]) / 2, (corners[1] + corners[3]) / 2})] = 1;
    return status;
}

bool plan_is_wall(const plan *p, size_t pixel, const plan_instance *instance) {
    if (p->ground[pixel] == PLAN_WALL)
        return true;
    for (int c = 0; instance && c < p->choice_count; c++) {
        const uint8_t *walls = p->choices[c].walls[instance->of[c]];
        if (walls && walls[pixel])
            return true;
    }
    return false;
}

int plan_walk(const plan *p, const plan_instance *instance, int32_t *steps) {
    const size_t pixels = pixels_of(p), width = (size_t)p->width;
    const size_t start = plan_pixel_of(p, p->start);
    int nearest = -1;
    int32_t *queue = steps + pixels;
    size_t taken = 0, length = 0;
    for (size_t i = 0; i < pixels; i++)
        steps[i] = -1;
    if (!plan_is_wall(p, start, instance)) {
        steps[start] = 0;
        queue[length++] = (int32_t)start;
    }
    while (taken < length) {
        const size_t at = (size_t)queue[taken++], x = at % width, y = at / width;
        const size_t next[4] = {at - 1, at + 1, at - width, at + width};
        const bool there[4] = {x > 0, x + 1 < width, y > 0, y + 1 < (size_t)p->height};
        if (p->goal[at] && nearest < 0)
            nearest = steps[at];
        for (int i = 0; i < 4; i++)
            if (there[i] && steps[next[i]] < 0 && !plan_is_wall(p, next[i], instance)) {
                steps[next[i]] = steps[at] + 1;
                queue[length++] = (int32_t)next[i];
            }
    }
    return nearest;
}
