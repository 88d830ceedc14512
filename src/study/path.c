#include "study/path.h"

#include "core/cells.h"
#include "core/error.h"
#include "core/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Places along each coordinate of a lattice without cells, by the number of coordinates. */
static const size_t sides[] = {64, 20, 9, 5, 4, 3, 2, 2};

/* The most places of a lattice: dynamic programming looks at all pairs of them. */
enum { MOST_CELLS = 1024 };

/* The most cells along a coordinate that doubles can tell apart. */
static const double MOST_ALONG = 1e9;

void besd_path_fill(besd_path *path) {
    *path = (besd_path){0};
    for (size_t i = 0; i < BESD_MAX_COORDINATES; i++)
        path->from[i] = path->to[i] = NAN;
}

/* The box of all points along a coordinate. Where there are cells, it consists of whole cells. */
static void find_frame(const study_spec *spec, const besd_path *p, size_t coordinate, double *low,
                       double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t k = 0; k < p->points; k++) {
        *low = fmin(*low, spec->low[k * p->coordinates + coordinate]);
        *high = fmax(*high, spec->high[k * p->coordinates + coordinate]);
    }
    if (p->cell > 0) {
        double origin = p->origin[coordinate];
        *low = origin + cells_first(*low, origin, p->cell) * p->cell;
        *high = origin + (cells_last(*high, origin, p->cell) + 1) * p->cell;
    }
}

static besd_status check_numbers(const study_spec *spec, const besd_path *p, besd_error *error) {
    size_t dimension = spec->options.dimension;
    if (p->coordinates < 1 || p->coordinates > BESD_MAX_COORDINATES)
        return besd_fail(error, BESD_INVALID, "path: expected 1 to %d coordinates, got %zu",
                         BESD_MAX_COORDINATES, p->coordinates);
    if (p->points < 1 || p->points > BESD_MAX_DIMENSION || p->points * p->coordinates != dimension)
        return besd_fail(error, BESD_INVALID,
                         "path: %zu points of %zu coordinates are %zu numbers, but theta has %zu",
                         p->points, p->coordinates, p->points * p->coordinates, dimension);
    if (!(p->cell >= 0) || isinf(p->cell))
        return besd_fail(error, BESD_INVALID, "path: cell: expected a number from 0, got %g",
                         p->cell);
    if (!(p->cap > 0) || isinf(p->cap))
        return besd_fail(error, BESD_INVALID, "path: cap: expected a positive number, got %g",
                         p->cap);
    return BESD_OK;
}

static besd_status check_places(const besd_path *p, besd_error *error) {
    for (size_t i = 0; i < p->coordinates; i++)
        if (!isfinite(p->origin[i]))
            return besd_fail(error, BESD_INVALID,
                             "path: origin: expected finite numbers, got %g for coordinate %zu",
                             p->origin[i], i + 1);
    for (size_t i = 0; i < p->coordinates; i++)
        if (!(p->cell > 0) && p->origin[i] != 0)
            return besd_fail(error, BESD_INVALID,
                             "path: origin: expected 0 where there are no cells, got %g; say the "
                             "side of a cell as cell",
                             p->origin[i]);
    for (size_t i = 0; i < p->coordinates; i++)
        if (isinf(p->from[i]) || isinf(p->to[i]))
            return besd_fail(error, BESD_INVALID, "path: start and end must be finite, got %g",
                             isinf(p->from[i]) ? p->from[i] : p->to[i]);
    return BESD_OK;
}

static besd_status check_boxes(const study_spec *spec, const besd_path *p, besd_error *error) {
    for (size_t i = 0; p->fewest && i < spec->options.dimension; i++)
        if (spec->low[i] != spec->low[i % p->coordinates] ||
            spec->high[i] != spec->high[i % p->coordinates])
            return besd_fail(error, BESD_INVALID,
                             "path: fewest: all points need the same box, but that of point %zu is "
                             "not that of the first",
                             i / p->coordinates + 1);
    for (size_t i = 0; p->cell > 0 && i < p->coordinates; i++) {
        double low, high;
        find_frame(spec, p, i, &low, &high);
        if (!((high - low) / p->cell <= MOST_ALONG))
            return besd_fail(
                error, BESD_INVALID,
                "path: cell: %g is too small, there would be more than %g along a coordinate",
                p->cell, MOST_ALONG);
    }
    return BESD_OK;
}

besd_status path_check(const study_spec *spec, const besd_path *p, besd_error *error) {
    besd_status status = check_numbers(spec, p, error);
    if (status == BESD_OK)
        status = check_places(p, error);
    if (status != BESD_OK)
        return status;
    if (p->fewest > p->points)
        return besd_fail(error, BESD_INVALID,
                         "path: fewest: expected at most the %zu points that there are, got %zu",
                         p->points, p->fewest);
    if (!(p->price >= 0) || isinf(p->price))
        return besd_fail(error, BESD_INVALID, "path: price: expected a number from 0, got %g",
                         p->price);
    if (p->labels == 1 || p->labels > BESD_MAX_LABELS)
        return besd_fail(error, BESD_INVALID, "path: labels: expected 2 to %d, got %zu",
                         BESD_MAX_LABELS, p->labels);
    return check_boxes(spec, p, error);
}

/* The box of a coordinate over all points, without regard to cells. */
static void find_sides(const besd_study_options *o, const besd_path *p, size_t coordinate,
                       double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = coordinate; i < o->dimension; i += p->coordinates) {
        *low = fmin(*low, o->low[i]);
        *high = fmax(*high, o->high[i]);
    }
}

static besd_status check_end(const besd_study_options *o, const besd_path *p, const char *name,
                             const double *place, besd_error *error) {
    for (size_t i = 0; i < p->coordinates; i++) {
        double low, high;
        find_sides(o, p, i, &low, &high);
        if (place[i] < low || place[i] > high)
            return besd_fail(error, BESD_INVALID,
                             "path: %s: %g is outside the box of %s, which goes from %g to %g; "
                             "are units and order right? Else widen the box, or leave '%s' out",
                             name, place[i], o->names ? o->names[i] : "the points", low, high,
                             name);
    }
    return BESD_OK;
}

besd_status path_check_sense(const besd_study_options *o, const besd_path *p, besd_error *error) {
    double widest = 0;
    for (size_t i = 0; i < p->coordinates; i++) {
        double low, high;
        find_sides(o, p, i, &low, &high);
        widest = fmax(widest, high - low);
    }
    if (p->points && p->cell >= widest)
        return besd_fail(error, BESD_INVALID,
                         "path: cell: %g is as wide as the whole box (%g), so that all points are "
                         "one place; say the side of a place, %g for a tenth of the box",
                         p->cell, widest, widest / 10);
    besd_status status = check_end(o, p, "from", p->from, error);
    return status == BESD_OK ? check_end(o, p, "to", p->to, error) : status;
}

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

const char *path_difference(const besd_path *a, const besd_path *b) {
    const char *by_number = a->points != b->points             ? "points"
                            : a->coordinates != b->coordinates ? "coordinates"
                            : a->cell != b->cell               ? "cell"
                            : a->cap != b->cap                 ? "cap"
                            : a->fewest != b->fewest           ? "fewest"
                            : a->price != b->price             ? "price"
                            : a->labels != b->labels           ? "labels"
                                                               : NULL;
    for (size_t i = 0; !by_number && i < a->coordinates; i++) {
        const char *by_place = !same(a->from[i], b->from[i])  ? "from"
                               : !same(a->to[i], b->to[i])    ? "to"
                               : a->origin[i] != b->origin[i] ? "origin"
                                                              : NULL;
        if (by_place)
            return by_place;
    }
    return by_number;
}

/* A coordinate that is not known becomes null. */
static json_t *write_place(const double *place, size_t coordinates) {
    json_t *list = json_array();
    int failed = 0;
    for (size_t i = 0; i < coordinates; i++)
        failed |= json_array_append_new(list, isnan(place[i]) ? json_null() : json_real(place[i]));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

static bool is_zero(const double *place, size_t coordinates) {
    bool zero = true;
    for (size_t i = 0; i < coordinates; i++)
        zero = zero && place[i] == 0;
    return zero;
}

besd_status path_write(const besd_path *p, char **text, besd_error *error) {
    json_t *json = json_pack("{s:I, s:I, s:f, s:f, s:I, s:f}", "points", (json_int_t)p->points,
                             "coordinates", (json_int_t)p->coordinates, "cell", p->cell, "cap",
                             p->cap, "fewest", (json_int_t)p->fewest, "price", p->price);
    int failed = json_object_set_new(json, "from", write_place(p->from, p->coordinates));
    failed |= json_object_set_new(json, "to", write_place(p->to, p->coordinates));
    if (p->labels)
        failed |= json_object_set_new(json, "labels", json_integer((json_int_t)p->labels));
    if (!is_zero(p->origin, p->coordinates))
        failed |= json_object_set_new(json, "origin", write_place(p->origin, p->coordinates));
    *text =
        failed ? NULL : json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(json);
    return *text ? BESD_OK : besd_fail_memory(error, "the study's path");
}

static bool read_place(const json_t *list, size_t coordinates, double *place) {
    if (!json_is_array(list) || json_array_size(list) != coordinates)
        return false;
    for (size_t i = 0; i < coordinates; i++) {
        const json_t *number = json_array_get(list, i);
        if (!json_is_number(number) && !json_is_null(number))
            return false;
        place[i] = json_is_null(number) ? NAN : json_number_value(number);
    }
    return true;
}

static bool is_known(const double *place, size_t coordinates) {
    bool known = true;
    for (size_t i = 0; i < coordinates; i++)
        known = known && !isnan(place[i]);
    return known;
}

besd_status path_read(const char *text, besd_path *p, besd_error *error) {
    json_error_t fault;
    json_t *json = json_read(text, strlen(text), 0, &fault);
    besd_path_fill(p);
    if (!json && json_lacked_memory(&fault))
        return besd_fail_memory(error, "the study's path");
    json_int_t points = json_integer_value(json_object_get(json, "points"));
    json_int_t coordinates = json_integer_value(json_object_get(json, "coordinates"));
    const json_t *cell = json_object_get(json, "cell"), *cap = json_object_get(json, "cap");
    json_int_t fewest = json_integer_value(json_object_get(json, "fewest"));
    json_int_t labels = json_integer_value(json_object_get(json, "labels"));
    const json_t *price = json_object_get(json, "price");
    bool right = points >= 1 && points <= BESD_MAX_DIMENSION && coordinates >= 1 &&
                 coordinates <= BESD_MAX_COORDINATES && json_is_number(cell) &&
                 json_is_number(cap) && json_is_number(price) && fewest >= 0 && fewest <= points &&
                 labels >= 0 && labels != 1 && labels <= BESD_MAX_LABELS;
    if (right) {
        p->points = (size_t)points;
        p->coordinates = (size_t)coordinates;
        p->cell = json_number_value(cell);
        p->cap = json_number_value(cap);
        p->fewest = (size_t)fewest;
        p->labels = (size_t)labels;
        p->price = json_number_value(price);
        right = read_place(json_object_get(json, "from"), p->coordinates, p->from) &&
                read_place(json_object_get(json, "to"), p->coordinates, p->to);
        const json_t *origin = json_object_get(json, "origin"); /* older files have none */
        right = right && (!origin || (read_place(origin, p->coordinates, p->origin) &&
                                      is_known(p->origin, p->coordinates)));
    }
    json_decref(json);
    return right ? BESD_OK : besd_fail(error, BESD_IO, "its path is damaged");
}

/* The middle of the cell around a number; the upper border belongs to the last cell. */
static double centre(double number, double cell, double origin, double high) {
    return origin + (cells_number(number, high, origin, cell) + 0.5) * cell;
}

/* What lies further outside of the frame is moved here, away from PATH_UNKNOWN_START and PATH_END.
 */
static const double LEAST_PLACE = -0.5, MOST_PLACE = 1.5;

/* From the user's units to the frame. */
static void frame(const study_spec *spec, const double *numbers, double *place) {
    const besd_path *p = &spec->path;
    for (size_t i = 0; i < p->coordinates; i++) {
        double low, high, number = numbers[i];
        find_frame(spec, p, i, &low, &high);
        if (p->cell > 0 && number >= low && number <= high)
            number = centre(number, p->cell, p->origin[i], high);
        place[i] = fmin(fmax((number - low) / (high - low), LEAST_PLACE), MOST_PLACE);
    }
}

static void fill(double *place, size_t coordinates, double number) {
    for (size_t i = 0; i < coordinates; i++)
        place[i] = number;
}

void path_point(const study_spec *spec, const double *theta, size_t point, double *place) {
    const besd_path *p = &spec->path;
    if (point > p->points)
        fill(place, p->coordinates, PATH_END);
    else if (point > 0)
        frame(spec, theta + (point - 1) * p->coordinates, place);
    else if (is_known(p->from, p->coordinates))
        frame(spec, p->from, place);
    else
        fill(place, p->coordinates, PATH_UNKNOWN_START);
}

void path_numbers(const study_spec *spec, const double *place, double *numbers) {
    const besd_path *p = &spec->path;
    for (size_t i = 0; i < p->coordinates; i++) {
        double low, high;
        find_frame(spec, p, i, &low, &high);
        numbers[i] = place[0] == PATH_END             ? p->to[i]
                     : place[0] == PATH_UNKNOWN_START ? NAN
                                                      : low + place[i] * (high - low);
    }
}

bool path_translate(const study_spec *from, const double *place, const study_spec *to,
                    double *there) {
    double numbers[BESD_MAX_COORDINATES];
    bool within = true;
    if (place[0] == PATH_END || place[0] == PATH_UNKNOWN_START) {
        fill(there, to->path.coordinates, place[0]);
        return true;
    }
    path_numbers(from, place, numbers);
    frame(to, numbers, there);
    for (size_t i = 0; i < to->path.coordinates; i++)
        within = within && there[i] > LEAST_PLACE && there[i] < MOST_PLACE;
    return within;
}

bool path_end(const study_spec *spec, double *place) {
    bool known = is_known(spec->path.to, spec->path.coordinates);
    if (known)
        frame(spec, spec->path.to, place);
    return known;
}

bool path_varies(const study_spec *spec) {
    return spec->path.fewest > 0;
}

bool path_repeats(const study_spec *spec, const double *theta, size_t point) {
    double place[BESD_MAX_COORDINATES], before[BESD_MAX_COORDINATES];
    if (!path_varies(spec) || point < 2 || point > spec->path.points)
        return false;
    path_point(spec, theta, point, place);
    path_point(spec, theta, point - 1, before);
    return !memcmp(place, before, spec->path.coordinates * sizeof *place);
}

size_t path_visits(const study_spec *spec, const double *theta) {
    size_t visits = spec->path.points;
    for (size_t k = 2; k <= spec->path.points; k++)
        visits -= path_repeats(spec, theta, k);
    return visits;
}

double path_price(const study_spec *spec, const double *theta) {
    const besd_path *p = &spec->path;
    return p->points && p->price > 0 ? p->price * (double)path_visits(spec, theta) : 0;
}

double path_best_possible(const study_spec *spec, const double *theta) {
    const besd_study_options *o = &spec->options;
    double price = path_price(spec, theta);
    return o->best_possible + (o->direction == BESD_MINIMIZE ? price : -price);
}

double path_worst_possible(const study_spec *spec, const double *theta) {
    const besd_study_options *o = &spec->options;
    double price = path_price(spec, theta);
    return o->worst_possible + (o->direction == BESD_MINIMIZE ? price : -price);
}

void path_tidy(const study_spec *spec, double *theta) {
    size_t c = spec->path.coordinates, kept = 0;
    double tidy[BESD_MAX_DIMENSION];
    if (!path_varies(spec))
        return;
    for (size_t k = 1; k <= spec->path.points; k++)
        if (!path_repeats(spec, theta, k))
            memcpy(tidy + kept++ * c, theta + (k - 1) * c, c * sizeof *tidy);
    for (; kept < spec->path.points; kept++)
        memcpy(tidy + kept * c, tidy + (kept - 1) * c, c * sizeof *tidy);
    memcpy(theta, tidy, spec->path.points * c * sizeof *tidy);
}

void path_cut(const study_spec *spec, size_t number, double *unit) {
    const besd_path *p = &spec->path;
    if (!path_varies(spec))
        return;
    size_t used = p->fewest + number % (p->points - p->fewest + 1);
    for (size_t k = used; k < p->points; k++)
        memcpy(unit + k * p->coordinates, unit + (used - 1) * p->coordinates,
               p->coordinates * sizeof *unit);
}

void path_theta(const study_spec *spec, const double *places, double *theta) {
    const besd_path *p = &spec->path;
    for (size_t i = 0; i < p->points * p->coordinates; i++) {
        double low, high;
        find_frame(spec, p, i % p->coordinates, &low, &high);
        theta[i] = fmin(fmax(low + places[i] * (high - low), spec->low[i]), spec->high[i]);
    }
}

/* The number of places along each coordinate: of cells, or of groups of cells when there are too
 * many cells. Returns the number of all places. */
static size_t choose_sides(const study_spec *spec, size_t *side) {
    const besd_path *p = &spec->path;
    size_t group = 0, cells;
    do {
        cells = 1;
        group += 1 + group / 16; /* faster and faster, so that tiny cells take no time */
        for (size_t i = 0; i < p->coordinates; i++) {
            double low, high;
            find_frame(spec, p, i, &low, &high);
            double most = p->cell > 0 ? ceil(rint((high - low) / p->cell) / (double)group)
                                      : (double)sides[p->coordinates - 1];
            side[i] = most < MOST_CELLS ? (size_t)most : MOST_CELLS + 1;
            cells *= cells > MOST_CELLS ? 1 : side[i];
        }
    } while (cells > MOST_CELLS);
    return cells;
}

/* Can this point lie at this place? The cell of the place must overlap the box of the point. */
static bool is_inside(const study_spec *spec, size_t point, const double *place,
                      const size_t *side) {
    const besd_path *p = &spec->path;
    size_t c = p->coordinates;
    for (size_t i = 0; i < c; i++) {
        double low, high;
        find_frame(spec, p, i, &low, &high);
        double at = low + place[i] * (high - low), half = 0.5 * (high - low) / (double)side[i];
        if (at + half <= spec->low[point * c + i] || at - half >= spec->high[point * c + i])
            return false;
    }
    return true;
}

besd_status path_lattice_init(path_lattice *l, const study_spec *spec, besd_error *error) {
    const besd_path *p = &spec->path;
    size_t c = p->coordinates, *side = l->side;
    *l = (path_lattice){0};
    l->cells = choose_sides(spec, side);
    l->places = malloc(l->cells * c * sizeof *l->places);
    l->allowed = malloc(l->cells * p->points * sizeof *l->allowed);
    if (!l->places || !l->allowed) {
        path_lattice_free(l);
        return besd_fail_memory(error, "the lattice of paths");
    }
    for (size_t cell = 0; cell < l->cells; cell++) {
        double *place = l->places + cell * c;
        for (size_t i = 0, rest = cell; i < c; rest /= side[i], i++)
            place[i] = ((double)(rest % side[i]) + 0.5) / (double)side[i];
        for (size_t k = 0; k < p->points; k++)
            l->allowed[k * l->cells + cell] = is_inside(spec, k, place, side);
    }
    return BESD_OK;
}

size_t path_lattice_find(const path_lattice *l, const study_spec *spec, const double *place) {
    size_t cell = 0;
    for (size_t i = spec->path.coordinates; i-- > 0;) {
        double most = (double)(l->side[i] - 1), at = floor(place[i] * (double)l->side[i]);
        cell = cell * l->side[i] + (size_t)fmin(fmax(at, 0), most);
    }
    return cell;
}

void path_lattice_free(path_lattice *l) {
    free(l->places);
    free(l->allowed);
    *l = (path_lattice){0};
}
