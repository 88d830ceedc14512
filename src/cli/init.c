/* besd init: a description and a trainer that run as they are, to be made one's own. What is
 * written stands in src/cli/skeletons, with words between @ for what differs. */
#include "cli/common.h"
#include "core/error.h"
#include "core/print.h"
#include "core/text.h"
#include "run/default_budget.h"
#include "serve/request.h"
#include "study/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern const asset skeletons[];

enum { MOST_COORDINATES = 16, LONGEST_NAME = 40, LONGEST_LIST = 4096, LONGEST_ANSWER = 400 };

static const char usual_coordinates[] = "x1=0..10,y1=0..10";

typedef enum language { PYTHON, SHELL, C_LANGUAGE, LANGUAGES } language;

static const char *const language_names[] = {"python", "shell", "c", NULL};
static const char *const endings[] = {"py", "sh", "c"};

static const char *language_name(size_t index) {
    return index < LANGUAGES ? language_names[index] : NULL;
}

typedef struct coordinate {
    char name[LONGEST_NAME];
    double low, high;
} coordinate;

/* What the study is to be. */
typedef struct plan {
    char name[LONGEST_NAME];
    coordinate at[MOST_COORDINATES];
    size_t count;
    besd_direction direction;
    language language;
} plan;

/* A name that every language can say, and that is no member of a trial. */
static bool is_word(const char *name) {
    static const char *const taken[] = {"trial", "theta", "points", "tau",  "reps",
                                        "seed",  "cost",  "scores", "note", "legs"};
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!strcmp(name, taken[i]))
            return false;
    return true;
}

/* "0..10"; strtod by itself would take the first point. */
static bool read_bounds(const char *text, coordinate *c) {
    char low[64], *end;
    const char *points = strstr(text, "..");
    if (!points || points == text || (size_t)(points - text) >= sizeof low)
        return false;
    memcpy(low, text, (size_t)(points - text));
    low[points - text] = 0;
    c->low = strtod(low, &end);
    if (*end || !points[2])
        return false;
    c->high = strtod(points + 2, &end);
    return !*end;
}

/* "x1=0..10" */
static besd_status read_coordinate(const char *text, coordinate *c, besd_error *error) {
    size_t length = strcspn(text, "=");
    bool sound = length < sizeof c->name && text[length] == '=';
    if (sound) {
        memcpy(c->name, text, length);
        c->name[length] = 0;
        sound = is_word(c->name) && read_bounds(text + length + 1, c);
    }
    if (!sound)
        return besd_fail(error, BESD_INVALID,
                         "coordinates: expected NAME=LOW..HIGH with commas between them, as in %s, "
                         "where no name is trial, theta, tau, reps or seed; got '%.60s'",
                         usual_coordinates, text);
    if (!(isfinite(c->low) && isfinite(c->high) && c->low < c->high))
        return besd_fail(error, BESD_INVALID,
                         "coordinates: %s: expected a low end below the high end, got %g..%g",
                         c->name, c->low, c->high);
    return BESD_OK;
}

static besd_status read_coordinates(const char *list, plan *p, besd_error *error) {
    besd_status status = BESD_OK;
    char copy[LONGEST_LIST], *rest = copy, *item;
    snprintf(copy, sizeof copy, "%s", list);
    p->count = 0;
    while (status == BESD_OK && (item = strsep(&rest, ", "))) {
        if (!*item)
            continue;
        if (p->count == MOST_COORDINATES)
            return besd_fail(error, BESD_INVALID, "coordinates: expected at most %d",
                             MOST_COORDINATES);
        status = read_coordinate(item, &p->at[p->count], error);
        for (size_t i = 0; status == BESD_OK && i < p->count; i++)
            if (!strcmp(p->at[i].name, p->at[p->count].name))
                status =
                    besd_fail(error, BESD_INVALID, "coordinates: %s is there twice", p->at[i].name);
        p->count++;
    }
    if (status == BESD_OK && !p->count)
        status = read_coordinate("", &p->at[0], error);
    return status;
}

/* Asks on the terminal; an empty answer, or none, is the usual one. */
static const char *ask_user(const char *question, const char *usual, char *answer) {
    print_clean(stdout, "%s [%s] ", question, usual);
    fflush(stdout);
    if (!fgets(answer, LONGEST_ANSWER, stdin))
        answer[0] = 0;
    size_t length = strcspn(answer, "\r\n");
    while (length && answer[length - 1] == ' ')
        length--;
    answer[length] = 0;
    return *answer ? answer : usual;
}

/* What the command line said; NULL: not said. */
typedef struct init_request {
    const char *name, *coordinates, *direction, *language;
    bool as_json;
} init_request;

/* The three questions, where there is somebody to ask. */
static bool settle(const verb *v, init_request *r, plan *p, besd_error *error) {
    char answers[3][LONGEST_ANSWER];
    bool asks = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !r->as_json;
    int chosen;
    if (!r->coordinates)
        r->coordinates = asks ? ask_user("What may be varied, and between which bounds?",
                                         usual_coordinates, answers[0])
                              : usual_coordinates;
    if (!r->direction)
        r->direction = asks ? ask_user("Is a larger score better (maximize), or a smaller one "
                                       "(minimize)?",
                                       "maximize", answers[1])
                            : "maximize";
    if (!r->language)
        r->language =
            asks ? ask_user("Who trains: python, shell or c?", "python", answers[2]) : "python";
    if (read_coordinates(r->coordinates, p, error) != BESD_OK) {
        refuse(v, error);
        return false;
    }
    if (!choose_name(v, "direction", r->direction, besd_direction_name, &chosen))
        return false;
    p->direction = (besd_direction)chosen;
    if (!choose_name(v, "language", r->language, language_name, &chosen))
        return false;
    p->language = (language)chosen;
    return true;
}

static const double share_of_secret[] = {0.3, 0.7};

/* The words of the skeletons. */
typedef struct word {
    const char *name;
    char text[LONGEST_LIST];
} word;

static void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(char *text, const char *format, ...) {
    va_list arguments;
    size_t length = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + length, LONGEST_LIST - length, format, arguments);
    va_end(arguments);
}

static void put_commands(const plan *p, char *text) {
    if (p->language == PYTHON)
        append(text, "python3 %s.py", p->name);
    else if (p->language == SHELL)
        append(text, "sh %s.sh", p->name);
    else /* made anew when its source is newer, also by several at once */
        append(text,
               ">-\n  [ %s -nt %s.c ] || { cc -O2 -o %s.$$ %s.c -lm && mv %s.$$ %s; };\n  exec "
               "./%s",
               p->name, p->name, p->name, p->name, p->name, p->name, p->name);
}

/* What a small study of it costs. */
static double usual_budget(const plan *p) {
    static const int64_t taus[] = {100, 400};
    static const int reps[] = {2, 8};
    double low[MOST_COORDINATES], high[MOST_COORDINATES], budget = 20000;
    besd_study_options o = besd_study_options_default();
    for (size_t i = 0; i < p->count; i++) {
        low[i] = p->at[i].low;
        high[i] = p->at[i].high;
    }
    o.dimension = p->count;
    o.low = low;
    o.high = high;
    o.taus = taus;
    o.tau_count = 2;
    o.reps = reps;
    o.reps_count = 2;
    budget_default(&o, &budget, NULL);
    return budget;
}

enum { WORDS = 14 };

static void fill_words(const plan *p, word w[WORDS]) {
    static const char *const names[WORDS] = {
        "@NAME@",      "@FIRST@",  "@NAMES_PY@", "@SECRET@",   "@SECRET_SH@",
        "@COUNT@",     "@THETA@",  "@SCORE_PY@", "@SCORE_SH@", "@SCORE_C@",
        "@DIRECTION@", "@BETTER@", "@BUDGET@",   "@COMMAND@"};
    bool less = p->direction == BESD_MINIMIZE;
    for (size_t i = 0; i < WORDS; i++)
        w[i] = (word){.name = names[i]};
    append(w[0].text, "%s", p->name);
    append(w[1].text, "%s", p->at[0].name);
    for (size_t i = 0; i < p->count; i++) {
        const coordinate *c = &p->at[i];
        double secret = c->low + share_of_secret[i % 2] * (c->high - c->low);
        append(w[2].text, "%s\"%s\"", i ? ", " : "", c->name);
        append(w[3].text, "%s%.6g", i ? ", " : "", secret);
        append(w[4].text, "%s%.6g", i ? " " : "", secret);
        append(w[6].text, "  - {name: %s, low: %.12g, high: %.12g}\n", c->name, c->low, c->high);
    }
    append(w[5].text, "%zu", p->count);
    append(w[7].text, less ? "steps" : "1000 / steps");
    append(w[8].text, less ? "steps" : "1000 / steps");
    append(w[9].text, less ? "steps" : "1000 / steps");
    append(w[10].text, "%s", besd_direction_name((size_t)p->direction));
    append(w[11].text, less ? "worse: a time, a number of steps" : "better");
    append(w[12].text, "%.12g", usual_budget(p));
    put_commands(p, w[13].text);
}

/* The skeleton with its words; false when the file cannot be written. */
static bool write_words(FILE *out, const asset *skeleton, const word *w) {
    const char *at = (const char *)skeleton->bytes, *end = at + skeleton->size;
    while (at < end) {
        const word *found = NULL;
        for (size_t i = 0; *at == '@' && i < WORDS && !found; i++)
            if (!strncmp(at, w[i].name, strlen(w[i].name)))
                found = &w[i];
        if (found)
            fwrite(found->text, 1, strlen(found->text), out);
        else
            fputc(*at, out);
        at += found ? strlen(found->name) : 1;
    }
    return !ferror(out);
}

/* Nothing that is there is written over. */
static besd_status write_file(const char *path, const char *skeleton, const word *w, bool runs,
                              besd_error *error) {
    const asset *found = skeletons;
    while (found->path && strcmp(found->path, skeleton) != 0)
        found++;
    FILE *out = fopen(path, "wx");
    if (!out)
        return besd_fail(error, BESD_IO, "%s: %s%s", path, strerror(errno),
                         errno == EEXIST ? "; choose another NAME, or remove it" : "");
    bool whole = write_words(out, found, w);
    whole = fclose(out) == 0 && whole;
    if (runs)
        chmod(path, 0755);
    return whole ? BESD_OK : besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
}

static besd_status write_plan(const plan *p, const char *yaml, const char *trainer,
                              besd_error *error) {
    char skeleton[32];
    word *w = malloc(WORDS * sizeof *w);
    if (!w)
        return besd_fail_memory(error, "the words");
    fill_words(p, w);
    snprintf(skeleton, sizeof skeleton, "trainer.%s", endings[p->language]);
    besd_status status = BESD_OK;
    if (access(trainer, F_OK) == 0) /* before anything is written */
        status =
            besd_fail(error, BESD_IO, "%s: it exists; choose another NAME, or remove it", trainer);
    if (status == BESD_OK)
        status = write_file(yaml, "study.yaml", w, false, error);
    if (status == BESD_OK)
        status = write_file(trainer, skeleton, w, p->language == SHELL, error);
    free(w);
    return status;
}

static void print_next_steps(const plan *p, const char *yaml, const char *trainer) {
    print_clean(stdout, "%s and %s are written, and run as they are:\n", yaml, trainer);
    const struct {
        const char *verb, *about;
    } steps[] = {{"check", "does the trainer keep the rules, and how long will it take?"},
                 {"run", "asks, trains and tells until the budget is spent, and recommends"}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        fputs(" ", stdout);
        print_program(stdout);
        print_clean(stdout, " %s %s  # %s\n", steps[i].verb, yaml, steps[i].about);
    }
    print_clean(stdout,
                "then let train() in %s train your agent, and remove %s-0.besd, which knows the "
                "stand-in\n",
                trainer, p->name);
}

int run_init(const verb *v, int argc, char **argv) {
    init_request r = {0};
    const option options[] = {
        {"coordinates", OPTION_TEXT, &r.coordinates, "LIST",
         "what may be varied: x1=0..10,y1=0..10 (that is the default)"},
        {"direction", OPTION_TEXT, &r.direction, "NAME",
         "is a larger score better? maximize (default) or minimize"},
        {"language", OPTION_TEXT, &r.language, "NAME",
         "of the trainer: python (default), shell or c"},
        {"json", OPTION_FLAG, &r.as_json, NULL, "print one JSON object, and ask nothing"},
        {0}};
    plan p = {0};
    besd_error error;
    char yaml[LONGEST_NAME + 8], trainer[LONGEST_NAME + 8];
    int code;
    if (!options_parse(v, options, argc, argv, &r.name, 0, 1, &code))
        return code;
    const char *name = r.name ? r.name : "study";
    if (strlen(name) >= sizeof p.name || !is_word(name))
        return usage_error(v, "NAME: expected letters, digits and _ as in rover2, got '%.60s'",
                           name);
    if (!settle(v, &r, &p, &error))
        return EXIT_REFUSED;
    snprintf(p.name, sizeof p.name, "%s", name);
    snprintf(yaml, sizeof yaml, "%s.yaml", p.name);
    snprintf(trainer, sizeof trainer, "%s.%s", p.name, endings[p.language]);
    if (write_plan(&p, yaml, trainer, &error) != BESD_OK)
        return refuse(v, &error);
    if (r.as_json)
        return print_json(v, json_pack("{s:s, s:s, s:s, s:i}", "description", yaml, "trainer",
                                       trainer, "language", language_names[p.language],
                                       "coordinates", (int)p.count));
    print_next_steps(&p, yaml, trainer);
    return finish_output(v);
}
