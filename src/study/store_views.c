/* Two views, so that whoever has sqlite3 can read a study:
 *
 *     select trial, x1, y1, tau, mean from trials
 *     select trial, number, name, value from coordinates
 *
 * `trials` has the columns of `besd trials --csv`. Both are promises to users (docs/study.md), and
 * besd itself never reads them. Their text follows from the names of the coordinates alone, so a
 * file is known to have besd's own views by comparing letters. A change of the text needs a new
 * schema.
 *
 * theta is kept as the bytes of its doubles, the lowest first. SQL takes them apart: the digits of
 * 64 bits make an integer, of which 52 are the mantissa and 11 the exponent; powers of two are
 * products of 2^32, 2^64, ... 2^512, all of which are exact. A view over numbers that were kept
 * twice would be shorter, and would have to be believed. */
#include "study/store_state.h"

#include "core/error.h"
#include "core/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows. */
typedef struct sql_text {
    char *text;
    size_t length, capacity;
    bool failed;
} sql_text;

static void add(sql_text *t, const char *more) {
    size_t length = strlen(more);
    if (!t->failed && t->length + length >= t->capacity) {
        size_t capacity = 2 * (t->length + length) + 4096;
        char *grown = realloc(t->text, capacity);
        t->failed = !grown;
        t->text = grown ? grown : t->text;
        t->capacity = grown ? capacity : t->capacity;
    }
    if (t->failed)
        return;
    memcpy(t->text + t->length, more, length + 1);
    t->length += length;
}

static void add_quoted(sql_text *t, const char *name, char quote) {
    const char once[] = {quote, 0}, twice[] = {quote, quote, 0};
    add(t, once);
    for (const char *c = name; *c; c++)
        add(t, *c == quote ? twice : (const char[]){*c, 0});
    add(t, once);
}

static void add_number(sql_text *t, size_t number) {
    char text[24];
    snprintf(text, sizeof text, "%zu", number);
    add(t, text);
}

/* The integer that the 16 digits of h are, the lowest byte first. instr gives 0 for the digit 0. */
static void add_bits(sql_text *t) {
    for (size_t byte = 0; byte < 8; byte++)
        for (size_t low = 0; low < 2; low++) {
            add(t, byte || low ? "|(instr('123456789ABCDEF',substr(h,"
                               : "(instr('123456789ABCDEF',substr(h,");
            add_number(t, 2 * byte + low + 1);
            add(t, ",1))<<");
            add_number(t, 8 * byte + 4 * (1 - low));
            add(t, ")");
        }
}

static const char powers_of_two[] =
    "p5(a) AS (SELECT 4294967296.0), p6(a, b) AS (SELECT a, a*a FROM p5),"
    " p7(a, b, c) AS (SELECT a, b, b*b FROM p6), p8(a, b, c, d) AS (SELECT a, b, c, c*c FROM p7),"
    " two(a, b, c, d, e) AS (SELECT a, b, c, d, d*d FROM p8),"
    " bytes(trial, number, name, h) AS"
    " (SELECT id, number, name, hex(substr(theta, 8*number-7, 8)) FROM trial, list),"
    " bits(trial, number, name, v) AS (SELECT trial, number, name, ";

/* 1024 is the exponent of what is no number, -1023 that of 0. */
static const char value_of_bits[] =
    " FROM bytes),"
    " parts(trial, number, name, s, m, x) AS (SELECT trial, number, name, iif(v < 0, -1.0, 1.0),"
    " v & 4503599627370495, (v >> 52 & 2047) - 1023 FROM bits),"
    " power(trial, number, name, s, m, x, p) AS (SELECT trial, number, name, s, m, x,"
    " (1 << (abs(x) & 31)) * iif(abs(x) & 32, a, 1.0) * iif(abs(x) & 64, b, 1.0)"
    " * iif(abs(x) & 128, c, 1.0) * iif(abs(x) & 256, d, 1.0) * iif(abs(x) & 512, e, 1.0)"
    " FROM parts, two)"
    " SELECT trial, number, name, CASE WHEN x = 1024 THEN NULL WHEN x = -1023"
    " THEN s*m*2.2250738585072014e-308/4503599627370496.0"
    " WHEN x < 0 THEN s*((m | 4503599627370496)/4503599627370496.0)/p"
    " ELSE s*((m | 4503599627370496)/4503599627370496.0)*p END FROM power;";

static void add_coordinates(sql_text *t, const char *const *names, size_t count) {
    add(t, "CREATE VIEW coordinates(trial, number, name, value) AS WITH list(number, name) AS"
           " (VALUES ");
    for (size_t i = 0; i < count; i++) {
        add(t, i ? ", (" : "(");
        add_number(t, i + 1);
        add(t, ", ");
        add_quoted(t, names[i], '\'');
        add(t, ")");
    }
    add(t, "), ");
    add(t, powers_of_two);
    add_bits(t);
    add(t, value_of_bits);
}

static const char trials_begin[] =
    "CREATE VIEW trials AS SELECT t.id AS trial,"
    " CASE t.state WHEN 0 THEN 'asked' WHEN 1 THEN 'told' WHEN 2 THEN 'failed'"
    " WHEN 3 THEN 'voided' WHEN 4 THEN 'waiting' ELSE t.state END AS state,"
    " CASE t.reason WHEN 0 THEN 'initial' WHEN 1 THEN 'kg' WHEN 2 THEN 'exploit'"
    " WHEN 3 THEN 'share' WHEN 4 THEN 'random' WHEN 5 THEN 'retry' WHEN 6 THEN 'improvement'"
    " WHEN 7 THEN 'bound' WHEN 8 THEN 'bracket' WHEN 9 THEN 'promoted' WHEN 10 THEN 'explore'"
    " WHEN 11 THEN 'confirm' WHEN 12 THEN 'legs' WHEN 13 THEN 'added' WHEN 14 THEN 'enqueued'"
    " WHEN 15 THEN 'source'"
    " ELSE t.reason END AS reason";

/* Times are seconds since 1970; the mean is that of trials that have scores. */
static const char trials_end[] =
    ", t.tau, t.reps, t.seed, t.cost, iif(t.state IN (1, 3), t.mean, NULL) AS mean,"
    " iif(t.state IN (1, 3), (SELECT group_concat(printf('%!.17g', value), ' ') FROM"
    " (SELECT value FROM score WHERE score.trial = t.id ORDER BY replication)), NULL) AS scores,"
    " coalesce((SELECT worker FROM work WHERE work.trial = t.id), '') AS worker,"
    " round((julianday(t.asked_at) - 2440587.5)*86400.0, 3) AS asked_at,"
    " round((julianday(t.ended_at) - 2440587.5)*86400.0, 3) AS ended_at,"
    " round(max(0, julianday(t.ended_at) - julianday(t.asked_at))*86400.0, 3) AS duration,"
    " coalesce((SELECT group_concat(name, ',') FROM"
    " (SELECT name FROM tag WHERE tag.trial = t.id ORDER BY name)), '') AS tags,"
    " coalesce(t.note, '') AS note FROM trial AS t;";

static void add_trials(sql_text *t, const char *const *names, size_t count) {
    add(t, trials_begin);
    for (size_t i = 0; i < count; i++) {
        add(t, ", (SELECT value FROM coordinates AS c WHERE c.trial = t.id AND c.number = ");
        add_number(t, i + 1);
        add(t, ") AS ");
        add_quoted(t, names[i], '"');
    }
    add(t, trials_end);
}

/* The SQL of both views; NULL without memory. The caller frees it. */
static char *describe_views(const char *const *names, size_t count) {
    sql_text t = {0};
    add_coordinates(&t, names, count);
    add_trials(&t, names, count);
    if (t.failed)
        free(t.text);
    return t.failed ? NULL : t.text;
}

/* The names of a description; 0 when it has none that make sense. They live as long as it does. */
static size_t read_names(const json_t *description, const char *names[BESD_MAX_DIMENSION]) {
    const json_t *theta = json_object_get(description, "theta");
    size_t count = json_array_size(theta);
    if (count > BESD_MAX_DIMENSION)
        return 0;
    for (size_t i = 0; i < count; i++) {
        names[i] = json_string_value(json_object_get(json_array_get(theta, i), "name"));
        if (!names[i])
            return 0;
    }
    return count;
}

besd_status store_views(database *d, char **sql, besd_error *error) {
    sqlite3_stmt *row;
    const char *names[BESD_MAX_DIMENSION];
    *sql = NULL;
    besd_status status =
        database_prepare(d, "SELECT value FROM text WHERE key = 'spec'", &row, error);
    if (status != BESD_OK)
        return status;
    int result = sqlite3_step(row);
    const char *text = result == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    json_error_t fault;
    json_t *description = text ? json_read(text, strlen(text), 0, &fault) : NULL;
    size_t count = read_names(description, names);
    bool lacks_memory = text && !description && json_lacked_memory(&fault);
    if (count)
        lacks_memory = !(*sql = describe_views(names, count));
    json_decref(description);
    if (lacks_memory)
        status = besd_fail_memory(error, "the study's views");
    besd_status ended = database_end_reading(d, row, result, error);
    return status == BESD_OK ? ended : status;
}

besd_status store_make_views(database *d, besd_error *error) {
    char *sql;
    besd_status status = store_views(d, &sql, error);
    if (status == BESD_OK && sql)
        status = database_run(d, sql, error);
    free(sql);
    return status;
}
