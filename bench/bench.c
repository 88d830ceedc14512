/* usage: besd-bench [FILE.json [world|decide|legs|together|large]] */
#include "bench.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static json_t *results;

double bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bench_report(const char *key, double value, const char *unit, const char *note) {
    printf("%-40s %14.4g %-8s %s\n", key, value, unit, note);
    fflush(stdout);
    json_object_set_new(results, key, json_real(value));
}

void bench_fail(const char *message) {
    fprintf(stderr, "besd-bench: %s\n", message);
    exit(1);
}

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {{"world", bench_world},
             {"decide", bench_decide},
             {"legs", bench_legs},
             {"together", bench_together},
             {"large", bench_large}};

int main(int argc, char **argv) {
    results = argc > 1 ? json_load_file(argv[1], 0, NULL) : NULL; /* other keys stay */
    if (!json_is_object(results)) {
        json_decref(results);
        results = json_object();
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (argc < 3 || !strcmp(argv[2], parts[i].name))
            parts[i].run();
    if (argc > 1 && json_dump_file(results, argv[1], JSON_INDENT(2)))
        bench_fail("the JSON file could not be written");
    json_decref(results);
    return 0;
}
