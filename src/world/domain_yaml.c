/* libcyaml reads and checks types. The map and its choices are put together as the text that
 * grid_map.h reads, so there is one parser of maps. Its messages count lines of the map; here they
 * become lines of the file.
 *
 *     name: rooms
 *     map: |
 *       G.......
 *       aaaa....
 *       bbbb....
 *       S.......
 *     choose:
 *       - wall: [a, b]        # one of the two, for every instance
 *     wind: [0, 0.02]         # or one number
 *     tau: [200, 600, 1000]
 *     reps: [5, 20]
 */
#include "world/domain_yaml.h"

#include "core/error.h"
#include "core/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 5, LARGEST_TEXT = 1 << 16 };

static const char *const kind_names[KINDS] = {"wall", "door", "key", "treasure", "goal"};

/* One entry of choose, with exactly one of the lists. */
typedef struct choice {
    char **letters[KINDS];
    unsigned counts[KINDS];
} choice;

/* Which characters of the map stand for what; NULL: the usual one. */
typedef struct legend {
    char *free, *wall, *start, *goal, *door, *key, *treasure;
    char *up, *right, *down, *left; /* one-way */
} legend;

typedef struct rewards {
    double *goal, *treasure;
} rewards;

typedef struct potential {
    double *height, *width;
} potential;

typedef struct learner {
    double *epsilon_start, *epsilon_end, *alpha, *alpha_decay, *alpha_power;
    double *initial_value, *initial_noise;
} learner;

typedef struct description {
    char *name, *title, *map, **maps; /* map or maps */
    legend legend;
    choice *choose;
    double *wind;
    int64_t *tau, *reps;
    unsigned maps_count, choose_count, wind_count, tau_count, reps_count;
    rewards rewards;
    potential potential;
    learner learner;
    char *subgoals; /* "3", or "1..4" */
    char *reach, *radius;
    double *cell_size, *origin; /* of the map */
    unsigned origin_count;
    double *subgoal_price, *labels, *tasks, *moves, *gamma, *cap, *initial_designs;
    int objective;
} description;

#define LETTERS(name, index)                                                                       \
    {                                                                                              \
        .key = name, .data_offset = offsetof(choice, letters) + (index) * sizeof(char **),         \
        .count_offset = offsetof(choice, counts) + (index) * sizeof(unsigned),                     \
        .count_size = sizeof(unsigned), .value = {                                                 \
            .type = CYAML_SEQUENCE,                                                                \
            .flags = CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,                                     \
            .data_size = sizeof(char *),                                                           \
            .sequence = {.min = 1, .max = GRID_MAX_ALTERNATIVES, .entry = &letters_value}          \
        }                                                                                          \
    }

#define TEXT(name, type, member)                                                                   \
    CYAML_FIELD_STRING_PTR(name, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, type, member, 1, 16)
#define NUMBER(name, type, member)                                                                 \
    CYAML_FIELD_FLOAT_PTR(name, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, type, member)

static const cyaml_schema_value_t letters_value = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, 15)};
static const cyaml_schema_field_t choice_fields[] = {LETTERS("wall", 0), LETTERS("door", 1),
                                                     LETTERS("key", 2),  LETTERS("treasure", 3),
                                                     LETTERS("goal", 4), CYAML_FIELD_END};
static const cyaml_schema_value_t choice_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, choice, choice_fields)};

static const cyaml_schema_field_t legend_fields[] = {
    TEXT("free", legend, free),         TEXT("wall", legend, wall), TEXT("start", legend, start),
    TEXT("goal", legend, goal),         TEXT("door", legend, door), TEXT("key", legend, key),
    TEXT("treasure", legend, treasure), TEXT("up", legend, up),     TEXT("right", legend, right),
    TEXT("down", legend, down),         TEXT("left", legend, left), CYAML_FIELD_END};
static const cyaml_schema_field_t rewards_fields[] = {
    NUMBER("goal", rewards, goal), NUMBER("treasure", rewards, treasure), CYAML_FIELD_END};
static const cyaml_schema_field_t potential_fields[] = {
    NUMBER("height", potential, height), NUMBER("width", potential, width), CYAML_FIELD_END};
static const cyaml_schema_field_t learner_fields[] = {
    NUMBER("epsilon_start", learner, epsilon_start),
    NUMBER("epsilon_end", learner, epsilon_end),
    NUMBER("alpha", learner, alpha),
    NUMBER("alpha_decay", learner, alpha_decay),
    NUMBER("alpha_power", learner, alpha_power),
    NUMBER("initial_value", learner, initial_value),
    NUMBER("initial_noise", learner, initial_noise),
    CYAML_FIELD_END};

static const cyaml_strval_t objectives[] = {{"steps", OBJECTIVE_STEPS},
                                            {"return", OBJECTIVE_RETURN}};
static const cyaml_schema_value_t wind_value = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_value_t level_value = {CYAML_VALUE_INT(CYAML_FLAG_DEFAULT, int64_t)};

static const cyaml_schema_value_t map_value = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, LARGEST_TEXT / 2)};

#define OPTIONAL_LIST (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)

static const cyaml_schema_field_t fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, description, name, 1, DOMAIN_NAME_SIZE - 1),
    CYAML_FIELD_STRING_PTR("title", OPTIONAL_LIST, description, title, 0, 127),
    CYAML_FIELD_STRING_PTR("map", OPTIONAL_LIST, description, map, 1, LARGEST_TEXT / 2),
    CYAML_FIELD_SEQUENCE("maps", OPTIONAL_LIST, description, maps, &map_value, 1, GRID_MAX_MAPS),
    CYAML_FIELD_MAPPING("legend", CYAML_FLAG_OPTIONAL, description, legend, legend_fields),
    CYAML_FIELD_SEQUENCE("choose", OPTIONAL_LIST, description, choose, &choice_value, 0,
                         GRID_MAX_CHOICES),
    CYAML_FIELD_SEQUENCE("wind", OPTIONAL_LIST, description, wind, &wind_value, 2, 2),
    CYAML_FIELD_MAPPING("rewards", CYAML_FLAG_OPTIONAL, description, rewards, rewards_fields),
    CYAML_FIELD_STRING_PTR("subgoals", OPTIONAL_LIST, description, subgoals, 1, 32),
    NUMBER("subgoal_price", description, subgoal_price),
    NUMBER("labels", description, labels),
    NUMBER("tasks", description, tasks),
    NUMBER("moves", description, moves),
    CYAML_FIELD_STRING_PTR("reach", OPTIONAL_LIST, description, reach, 1, 32),
    NUMBER("cell_size", description, cell_size),
    CYAML_FIELD_SEQUENCE("origin", OPTIONAL_LIST, description, origin, &wind_value, 2, 2),
    CYAML_FIELD_STRING_PTR("radius", OPTIONAL_LIST, description, radius, 1, 32),
    CYAML_FIELD_SEQUENCE("tau", CYAML_FLAG_POINTER, description, tau, &level_value, 1,
                         DOMAIN_MAX_LEVELS),
    CYAML_FIELD_SEQUENCE("reps", CYAML_FLAG_POINTER, description, reps, &level_value, 1,
                         DOMAIN_MAX_LEVELS),
    NUMBER("initial_designs", description, initial_designs),
    NUMBER("gamma", description, gamma),
    NUMBER("cap", description, cap),
    CYAML_FIELD_MAPPING("potential", CYAML_FLAG_OPTIONAL, description, potential, potential_fields),
    CYAML_FIELD_MAPPING("learner", CYAML_FLAG_OPTIONAL, description, learner, learner_fields),
    CYAML_FIELD_ENUM("objective", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, description, objective,
                     objectives, CYAML_ARRAY_LEN(objectives)),
    CYAML_FIELD_END};

enum { FIELDS = sizeof fields / sizeof *fields };

/* The fields of one file: wind is a list of two numbers, or one number for both. A sketch needs no
 * more than a map. */
typedef struct form {
    cyaml_schema_field_t fields[FIELDS];
    cyaml_schema_value_t schema;
} form;

static void make_form(form *f, const char *path, bool is_sketch) {
    static const cyaml_schema_field_t one_wind = NUMBER("wind", description, wind);
    memcpy(f->fields, fields, sizeof fields);
    for (size_t i = 0; i + 1 < FIELDS; i++)
        if (!strcmp(fields[i].key, "wind") && yaml_is_plain(path, "wind"))
            f->fields[i] = one_wind;
    for (size_t i = 0; is_sketch && i + 1 < FIELDS; i++)
        f->fields[i].value.flags |= CYAML_FLAG_OPTIONAL;
    f->schema =
        (cyaml_schema_value_t){CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, description, f->fields)};
}

bool domain_yaml_is(const char *path) {
    return yaml_line_of_key(path, "map") > 0 || yaml_line_of_key(path, "maps") > 0;
}

/* Reports a mistake that libcyaml cannot see, with the line of its field. */
static besd_status fail_field(const char *path, const char *field, const char *message,
                              besd_error *error) {
    char sentence[BESD_ERROR_MESSAGE_SIZE];
    snprintf(sentence, sizeof sentence, "%s", message); /* it may lie in error itself */
    return besd_fail(error, BESD_INVALID, "%s: %.380s (field %s, line %d)", path, sentence, field,
                     yaml_line_of_key(path, field));
}

/* Sets a parameter by domain_set, so that ranges and messages are the same everywhere. */
static besd_status set(domain *d, const char *path, const char *field, const char *name,
                       const double *value, besd_error *error) {
    char assignment[96];
    if (!value)
        return BESD_OK;
    snprintf(assignment, sizeof assignment, "%s=%.17g", name, *value);
    besd_status status = domain_set(d, assignment, error);
    return status && error ? fail_field(path, field, error->message, error) : status;
}

static besd_status set_levels(domain *d, const char *path, const char *name, const int64_t *levels,
                              unsigned count, besd_error *error) {
    char assignment[256];
    int length = snprintf(assignment, sizeof assignment, "%s=", name);
    for (unsigned i = 0; i < count; i++)
        length += snprintf(assignment + length, sizeof assignment - (size_t)length, "%s%lld",
                           i ? "," : "", (long long)levels[i]);
    besd_status status = domain_set(d, assignment, error);
    return status && error ? fail_field(path, name, error->message, error) : status;
}

/* The same for a value that is kept as it is written, such as a range. */
static besd_status set_text(domain *d, const char *path, const char *name, const char *text,
                            besd_error *error) {
    char assignment[96];
    if (!text)
        return BESD_OK;
    snprintf(assignment, sizeof assignment, "%s=%s", name, text);
    besd_status status = domain_set(d, assignment, error);
    return status && error ? fail_field(path, name, error->message, error) : status;
}

/* When a subgoal is reached. */
static besd_status set_reaching(domain *d, const char *path, const description *y,
                                besd_error *error) {
    besd_status status = set_text(d, path, "reach", y->reach, error);
    if (status == BESD_OK)
        status = set_text(d, path, "radius", y->radius, error);
    const double side = d->map.cell_size;
    const besd_env_spec shape = {.position = 2,
                                 .subgoal_high = {side * d->map.width, side * d->map.height}};
    if (status == BESD_OK && reach_options_check(&d->reach, &shape, error) != BESD_OK)
        status = error ? fail_field(path, y->radius ? "radius" : "reach", error->message, error)
                       : BESD_INVALID;
    reach_options_listen(&d->reach);
    return status;
}

static besd_status set_numbers(domain *d, const char *path, const description *y,
                               besd_error *error) {
    const struct {
        const char *field, *name;
        const double *value;
    } numbers[] = {{"subgoal_price", "subgoal_price", y->subgoal_price},
                   {"labels", "labels", y->labels},
                   {"tasks", "tasks", y->tasks},
                   {"moves", "moves", y->moves},
                   {"gamma", "gamma", y->gamma},
                   {"cap", "cap", y->cap},
                   {"initial_designs", "initial_designs", y->initial_designs},
                   {"rewards", "goal_reward", y->rewards.goal},
                   {"rewards", "treasure_reward", y->rewards.treasure},
                   {"potential", "potential_height", y->potential.height},
                   {"potential", "potential_width", y->potential.width},
                   {"learner", "epsilon_start", y->learner.epsilon_start},
                   {"learner", "epsilon_end", y->learner.epsilon_end},
                   {"learner", "alpha", y->learner.alpha},
                   {"learner", "alpha_decay", y->learner.alpha_decay},
                   {"learner", "alpha_power", y->learner.alpha_power},
                   {"learner", "initial_value", y->learner.initial_value},
                   {"learner", "initial_noise", y->learner.initial_noise},
                   {"wind", "wind_low", y->wind},
                   {"wind", "wind_high", y->wind_count == 2 ? y->wind + 1 : y->wind}};
    besd_status status = set_text(d, path, "subgoals", y->subgoals, error);
    if (status == BESD_OK)
        status = set_reaching(d, path, y, error);
    if (status == BESD_OK)
        status = set_levels(d, path, "tau", y->tau, y->tau_count, error);
    if (status == BESD_OK)
        status = set_levels(d, path, "reps", y->reps, y->reps_count, error);
    for (size_t i = 0; status == BESD_OK && i < sizeof numbers / sizeof *numbers; i++)
        status = set(d, path, numbers[i].field, numbers[i].name, numbers[i].value, error);
    if (status == BESD_OK && y->wind_count == 2 && y->wind[0] > y->wind[1])
        status =
            fail_field(path, "wind", "wind: expected [low, high] with low at most high", error);
    return status;
}

/* Translates a character of the map to the one of grid_map.h. */
static char translate(const legend *l, char c) {
    const struct {
        const char *characters;
        char cell;
    } meanings[] = {{l->free, GRID_FREE},         {l->wall, GRID_WALL}, {l->start, GRID_START},
                    {l->goal, GRID_GOAL},         {l->door, GRID_DOOR}, {l->key, GRID_KEY},
                    {l->treasure, GRID_TREASURE}, {l->up, GRID_UP},     {l->right, GRID_RIGHT},
                    {l->down, GRID_DOWN},         {l->left, GRID_LEFT}};
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].characters && strchr(meanings[i].characters, c))
            return meanings[i].cell;
    return c;
}

/* Adds to the text; false when there is no room. */
static bool append(char *text, const char *more) {
    size_t used = strlen(text), length = strlen(more);
    if (used + length >= LARGEST_TEXT)
        return false;
    memcpy(text + used, more, length + 1);
    return true;
}

static bool append_choice(char *text, const char *kind, char *const *letters, unsigned count) {
    bool fits = append(text, "choose ") && append(text, kind) && append(text, ": ");
    for (unsigned i = 0; fits && i < count; i++)
        fits = append(text, i ? " | " : "") && append(text, letters[i]);
    return fits && append(text, "\n");
}

static besd_status append_choices(const char *path, const description *y, char *text,
                                  besd_error *error) {
    bool fits = true;
    for (unsigned i = 0; i < y->choose_count; i++) {
        const choice *c = &y->choose[i];
        int given = 0;
        for (int kind = 0; kind < KINDS; kind++)
            if (c->letters[kind]) {
                given++;
                fits = fits &&
                       append_choice(text, kind_names[kind], c->letters[kind], c->counts[kind]);
            }
        if (given != 1)
            return fail_field(path, "choose",
                              "choose: expected one of wall, door, key, treasure and goal in each "
                              "entry, such as '- wall: [a, b]'",
                              error);
    }
    return fits ? BESD_OK : fail_field(path, "choose", "the maps and choices are too large", error);
}

/* "map line 3, column 2: ..." counts lines of the map, which begins further down in the file. */
static besd_status fail_map(const char *path, const description *y, const char *message, int rows,
                            besd_error *error) {
    int line = 0;
    bool counted = sscanf(message, "map line %d", &line) == 1;
    if (counted && line > rows && y->choose_count) /* a choose line, which the file has elsewhere */
        return fail_field(path, "choose", strchr(message, ':') + 2, error);
    if (y->maps || !counted)
        return fail_field(path, y->maps ? "maps" : "map", message, error);
    return besd_fail(error, BESD_INVALID, "%s: %.380s (field map, line %d)", path, message,
                     yaml_line_of_key(path, "map") + line);
}

/* Adds a map in the usual characters, with a newline at its end; false when there is no room. */
static bool append_map(char *text, const legend *l, const char *map) {
    size_t used = strlen(text), length = strlen(map);
    if (used + length + 8 > LARGEST_TEXT)
        return false;
    for (size_t i = 0; i < length; i++)
        text[used++] = map[i] == '\n' ? '\n' : translate(l, map[i]);
    snprintf(text + used, 2, "%s", used && text[used - 1] == '\n' ? "" : "\n");
    return true;
}

static besd_status append_maps(const char *path, const description *y, char *text,
                               besd_error *error) {
    bool fits = y->map ? append_map(text, &y->legend, y->map) : true;
    for (unsigned i = 0; fits && y->maps && i < y->maps_count; i++) {
        if (i)
            snprintf(text + strlen(text), sizeof "---\n", "---\n"); /* append_map has left room */
        fits = append_map(text, &y->legend, y->maps[i]);
    }
    return fits ? BESD_OK : fail_field(path, "maps", "the maps are too large", error);
}

static int count_lines(const char *text) {
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* How large the cells are, and where the map begins. */
static besd_status scale_map(grid_map *map, const char *path, const description *y,
                             besd_error *error) {
    besd_error own = {BESD_OK, ""};
    const double *origin = y->origin ? y->origin : map->origin;
    double size = y->cell_size ? *y->cell_size : map->cell_size;
    if (grid_map_scale(map, size, origin, &own) == BESD_OK)
        return BESD_OK;
    return fail_field(path, y->cell_size ? "cell_size" : "origin", own.message, error);
}

/* The maps and choices as one text, to be freed; *rows: its lines that are no choices. */
static besd_status write_text(const char *path, const description *y, char **written, int *rows,
                              besd_error *error) {
    *written = NULL;
    if (!y->map == !y->maps)
        return fail_field(path, y->map ? "maps" : "name", "expected either map or maps", error);
    char *text = calloc(1, LARGEST_TEXT);
    if (!text)
        return besd_fail_memory(error, "the map");
    besd_status status = append_maps(path, y, text, error);
    *rows = count_lines(text);
    if (status == BESD_OK)
        status = append_choices(path, y, text, error);
    *written = text;
    return status;
}

static besd_status read_map(grid_map *map, const char *path, const description *y,
                            besd_error *error) {
    besd_error own = {BESD_OK, ""};
    char *text;
    int rows = 0;
    besd_status status = write_text(path, y, &text, &rows, error);
    if (status == BESD_OK && grid_map_parse(text, map, &own) != BESD_OK)
        status = fail_map(path, y, own.message, rows, error);
    free(text);
    return status == BESD_OK ? scale_map(map, path, y, error) : status;
}

static besd_status take_map(domain *d, const char *path, const description *y, besd_error *error) {
    grid_map *map = malloc(sizeof *map);
    if (!map)
        return besd_fail_memory(error, "a map");
    besd_status status = read_map(map, path, y, error);
    if (status == BESD_OK)
        domain_take_map(d, map);
    free(map);
    return status;
}

/* Adds the scale to a text of at most LARGEST_TEXT bytes, as far as the file has one. */
static besd_status append_scale(const char *path, const description *y, char *text,
                                besd_error *error) {
    char lines[120] = "";
    if (y->cell_size)
        snprintf(lines, sizeof lines, "cell_size %.17g\n", *y->cell_size);
    if (y->origin)
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "origin %.17g %.17g\n",
                 y->origin[0], y->origin[1]);
    return append(text, lines) ? BESD_OK
                               : fail_field(path, "maps", "the maps are too large", error);
}

besd_status domain_yaml_text(const char *path, char **text, besd_error *error) {
    void *read;
    form f;
    int rows;
    *text = NULL;
    make_form(&f, path, true);
    besd_status status = yaml_load(path, &f.schema, f.fields, &read, error);
    if (status != BESD_OK)
        return status;
    status = write_text(path, read, text, &rows, error);
    if (status == BESD_OK)
        status = append_scale(path, read, *text, error);
    yaml_free(&f.schema, read);
    return status;
}

besd_status domain_yaml_load(const char *path, domain *d, besd_error *error) {
    void *read;
    form f;
    besd_error own = {BESD_OK, ""};
    FILE *file = fopen(path, "r");
    if (!file)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    fclose(file);
    make_form(&f, path, false);
    besd_status status = yaml_load(path, &f.schema, f.fields, &read, &own);
    if (status == BESD_OK) {
        const description *y = read;
        domain_init(d, y->name, y->title ? y->title : "a grid domain of one's own");
        domain_init_grid(d);
        d->objective = (domain_objective)y->objective;
        status =
            strpbrk(y->name, " \t/")
                ? fail_field(path, "name", "name: expected a word without blanks and '/'", &own)
                : take_map(d, path, y, &own);
        if (status == BESD_OK)
            status = set_numbers(d, path, y, &own);
        yaml_free(&f.schema, read);
    }
    if (error)
        *error = own;
    return status;
}
