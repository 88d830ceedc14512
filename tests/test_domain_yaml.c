#include "testing.h"

#include "core/memory.h"
#include "world/domain_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/besd-yaml-XXXXXX";

static int make_path(void **state) {
    (void)state;
    int file = mkstemp(path);
    return file < 0 || close(file);
}

static int remove_path(void **state) {
    (void)state;
    return unlink(path);
}

static besd_status load(const char *text, domain *d, besd_error *error) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return domain_yaml_load(path, d, error);
}

#define TOP "name: mine\nmap: |\n  S.aG\n  ..b.\n"
#define LEVERS "tau: [5]\nreps: [2]\n"
#define REST "choose:\n  - wall: [a, b]\n" LEVERS

/* What the file of the next test says in numbers. */
static const struct {
    domain_parameter parameter;
    double value;
} said_values[] = {
    {PARAMETER_SUBGOALS, 1},        {PARAMETER_GAMMA, 0.9},       {PARAMETER_CAP, 44},
    {PARAMETER_HEIGHT, 0.5},        {PARAMETER_WIDTH, 4},         {PARAMETER_WIND_LOW, 0.1},
    {PARAMETER_WIND_HIGH, 0.2},     {PARAMETER_GOAL_REWARD, 3},   {PARAMETER_EPSILON, 0.3},
    {PARAMETER_EPSILON_END, 0.1},   {PARAMETER_ALPHA, 0.2},       {PARAMETER_ALPHA_DECAY, 7},
    {PARAMETER_ALPHA_POWER, 2},     {PARAMETER_INITIAL_VALUE, 1}, {PARAMETER_INITIAL_NOISE, 0.25},
    {PARAMETER_TREASURE_REWARD, -1}};

static void test_everything_that_can_be_said(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_ok(load("name: mine\n"
                   "title: a small one\n"
                   "map: |\n"
                   "  @.aX  \n"
                   "\n"
                   "  ..bX\n"
                   "  k%t$\n"
                   "legend: {start: '@', goal: 'X', wall: '%$', free: '_'}\n"
                   "choose:\n"
                   "  - wall: [a, b]\n"
                   "  - key: [k]\n"
                   "  - treasure: [t]\n"
                   "wind: [0.1, 0.2]\n"
                   "rewards: {goal: 3, treasure: -1}\n"
                   "subgoals: 1\n"
                   "tau: [5, 50]\n"
                   "reps: [2, 3, 4]\n"
                   "initial_designs: 6\n"
                   "gamma: 0.9\n"
                   "cap: 44\n"
                   "potential: {height: 0.5, width: 4}\n"
                   "learner: {epsilon_start: 0.3, epsilon_end: 0.1, alpha: 0.2, alpha_decay: 7,\n"
                   "          alpha_power: 2, initial_value: 1, initial_noise: 0.25}\n"
                   "objective: return\n",
                   &d, &error),
              &error);
    assert_string_equal(d.name, "mine");
    assert_string_equal(d.title, "a small one");
    assert_int_equal(d.kind, DOMAIN_GRID);
    assert_int_equal(d.objective, OBJECTIVE_RETURN);
    assert_false(d.built_in);
    assert_true(d.map.width == 4 && d.map.height == 3 && d.map.choice_count == 3);
    assert_memory_equal(d.map.cells, "k#t#..bGS.aG", 12);
    assert_true(d.tau[0] == 5 && d.tau[1] == 50 && d.tau[2] == 0);
    assert_true(d.reps[0] == 2 && d.reps[2] == 4 && d.reps[3] == 0 && d.initial_designs == 6);
    for (size_t i = 0; i < sizeof said_values / sizeof *said_values; i++)
        assert_true(d.value[said_values[i].parameter] == said_values[i].value);
    domain_release(&d);
}

static void test_several_maps(void **state) {
    (void)state;
    domain d, same;
    besd_error error = {BESD_OK, ""};
    assert_ok(load("name: two\n"
                   "maps:\n"
                   "  - |\n"
                   "    @aG\n"
                   "    ..b\n"
                   "  - |\n"
                   "    G..\n"
                   "    .b@\n"
                   "legend: {start: '@'}\n" REST,
                   &d, &error),
              &error);
    assert_true(domain_yaml_is(path));
    assert_ok(domain_find("gw10", &same, &error), &error);
    assert_ok(domain_set_map(&same, "SaG\n..b\n---\nG..\n.bS\nchoose wall: a | b\n", &error),
              &error);
    assert_memory_equal(&d.map, &same.map, sizeof d.map);
}

/* One-way cells by their own characters and by those of a legend. */
static void test_one_way_cells(void **state) {
    (void)state;
    domain d, same;
    besd_error error = {BESD_OK, ""};
    assert_ok(load("name: x\nmap: |\n  S^>G\n  .<V.\n" LEVERS, &same, &error), &error);
    assert_memory_equal(same.map.cells, ".<V.S^>G", 8);
    assert_ok(load("name: x\nmap: |\n  Surv\n  .lvG\n"
                   "legend: {up: u, right: r, down: v, left: l}\n" LEVERS,
                   &d, &error),
              &error);
    assert_memory_equal(d.map.cells, ".<VGS^>V", 8);
}

static void test_the_least_that_must_be_said(void **state) {
    (void)state;
    domain d, gw10;
    besd_error error = {BESD_OK, ""};
    assert_ok(load("name: x\nmap: SG\n" LEVERS, &d, &error), &error);
    assert_ok(domain_find("gw10", &gw10, &error), &error);
    gw10.value[PARAMETER_WIND_HIGH] = 0; /* but for its wind, gw10 is all defaults */
    assert_memory_equal(d.value, gw10.value, sizeof d.value);
    assert_int_equal(d.initial_designs, 10);
    assert_true(d.map.width == 2 && d.map.height == 1);
}

/* Files that are wrong, and what their refusals must say. */
static const struct {
    const char *text, *sentences[3];
} mistakes[] = {
    {TOP REST "gama: 1\n", {"Unexpected key: gama", "line: 9", "did you mean 'gamma'?"}},
    {TOP REST "potential: {hieght: 1}\n", {"hieght", "line: 9", "did you mean 'height'?"}},
    {TOP REST "rewards: {gaal: 1}\n", {"gaal", "line: 9", "did you mean 'goal'?"}},
    {TOP REST "cap: many\n", {"Invalid FLOAT value: many", "'cap'", "line: 9"}},
    {TOP REST "cap: [1]\n", {"'cap'", "line: 9"}},
    {TOP "choose: a\n" LEVERS,
     {"expected a list, as in [1, 2], got one value", "'choose'", "line: 5"}},
    {TOP "choose:\n  - wall: a\n" LEVERS, {"expected a list", "'wall'", "line: 6"}},
    {TOP "choose:\n  - wal: [a]\n" LEVERS, {"wal", "line: 6", "did you mean 'wall'?"}},
    {TOP "choose:\n  - {}\n" LEVERS, {"expected one of wall, door", "choose, line 5"}},
    {TOP "choose:\n  - {wall: [a], key: [b]}\n" LEVERS, {"expected one of", "choose, line 5"}},
    {TOP "choose:\n  - wall: [a, c]\n" LEVERS, {"'c' is not", "choose, line 5"}},
    {TOP "choose:\n  - wall: [a]\n" LEVERS, {"letter 'b'", "field map, line 2"}},
    {TOP REST "objective: points\n",
     {"expected one of steps, return; got 'points'", "'objective'", "line: 9"}},
    {TOP REST "wind: [0.1]\n", {"'wind'", "line: 9"}},
    {TOP REST "wind: [0.2, 0.1]\n", {"low at most high", "field wind, line 9"}},
    {TOP REST "wind: [0, 2]\n", {"expected a number in [0, 1]", "field wind, line 9"}},
    {TOP REST "gamma: 1.5\n", {"gamma: expected a number in [0, 1]", "field gamma, line 9"}},
    {TOP REST "gamma: .nan\n", {"gamma"}},
    {TOP REST "cap: 0\n", {"cap: expected a number in", "field cap, line 9"}},
    {TOP REST "subgoals: 1.5\n", {"expected a whole number", "field subgoals, line 9"}},
    {TOP REST "initial_designs: 0\n", {"initial_designs: expected", "line 9"}},
    {TOP "choose:\n  - wall: [a, b]\ntau: [5, 5]\nreps: [1]\n", {"tau: expected", "line 7"}},
    {TOP "choose:\n  - wall: [a, b]\ntau: [5]\nreps: [0]\n", {"reps: expected", "line 8"}},
    {TOP "choose:\n  - wall: [a, b]\ntau: []\nreps: [0]\n", {"'tau'", "line: 7"}},
    {TOP "tau: [5]\n", {"Missing required mapping field: reps"}},
    {"map: SG\n" LEVERS, {"Missing required mapping field: name"}},
    {"name: x\n" LEVERS, {"expected either map or maps"}},
    {"name: x\nmap: SG\nmaps: [SG]\n" LEVERS, {"expected either map or maps", "line 3"}},
    {"name: x\nmaps: [SG, SG.]\n" LEVERS, {"expected 2 cells as above, got 3", "maps, line 2"}},
    {"name: x\nmaps: [SG, S.]\n" LEVERS, {"goal 'G' in map 2", "field maps, line 2"}},
    {"name: x\nmaps: [Sa, S.]\nchoose:\n  - goal: [a]\n" LEVERS,
     {"a goal in map 2 whatever is drawn", "field maps, line 2"}},
    {"name: x\nmaps: [SG, \"SG\\n..\"]\n" LEVERS, {"map 2 has 2 rows", "field maps, line 2"}},
    {"name: x\nmaps: SG\n" LEVERS, {"expected a list", "'maps'", "line: 2"}},
    {"name: two words\nmap: SG\n" LEVERS, {"without blanks", "field name, line 1"}},
    {"name: x\nmap: SG\ntau:\n\t- 5\nreps: [1]\n", {"line: 4", "not with tabs"}},
    {"name: x\nmap: |\n  S.G\n  ..\n" LEVERS, {"expected 3 cells as above, got 2", "line 4"}},
    {"name: x\nmap: |\n  ..G\n" LEVERS, {"expected one start 'S', found 0", "field map"}},
    {"name: x\nmap: |\n  SSG\n" LEVERS, {"expected one start 'S', found 2", "field map"}},
    {"name: x\nmap: |\n  S..\n" LEVERS, {"expected at least one goal", "field map, line 2"}},
    {"name: x\nmap: |\n  S.?\n  ..G\n" LEVERS, {"column 3: '?'", "field map, line 3"}},
    {"name: x\nmap: ''\n" LEVERS, {"'map'", "line: 2"}},
    {"", {"the file is empty"}},
    {"[1, 2]\n", {"expected names with values, as in {name: 1}, got a list"}},
    {"name: [\n", {"line"}},
};

/* file, line and field of every mistake */
static void test_mistakes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        domain d;
        besd_error error = {BESD_OK, ""};
        for (int k = 0; k < 3 && mistakes[i].sentences[k]; k++)
            assert_fails(load(mistakes[i].text, &d, &error), BESD_INVALID, &error,
                         mistakes[i].sentences[k]);
        assert_non_null(strstr(error.message, path));
    }
}

/* Maps that leave no room for their choices. */
static void test_too_much_text(void **state) {
    (void)state;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "name: x\nmaps:\n  - \"SG%32665s\"\n  - \"SG%32665s\"\nchoose:\n", "", "");
    for (int i = 0; i < GRID_MAX_CHOICES; i++) {
        fputs("  - wall: [abcdefghijklmno", file);
        for (int k = 1; k < GRID_MAX_ALTERNATIVES; k++)
            fputs(", abcdefghijklmno", file);
        fputs("]\n", file);
    }
    fputs(LEVERS, file);
    fclose(file);
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_fails(domain_yaml_load(path, &d, &error), BESD_INVALID, &error,
                 "the maps and choices are too large (field choose, line 5)");
}

static void test_files_that_are_none(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_fails(domain_yaml_load("/nowhere/x.yaml", &d, &error), BESD_IO, &error, "No such file");
    assert_false(domain_yaml_is("/nowhere/x.yaml"));
    assert_fails(domain_yaml_load("/tmp", &d, &error), BESD_INVALID, &error, "/tmp");
    assert_int_equal(load("theta: 1\n  map: no\n", &d, &error), BESD_INVALID);
    assert_false(domain_yaml_is(path));
    assert_ok(load("name: x\nmap: SG\n" LEVERS, &d, NULL), &error);
    assert_true(domain_yaml_is(path));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_that_can_be_said),
        cmocka_unit_test(test_several_maps),
        cmocka_unit_test(test_one_way_cells),
        cmocka_unit_test(test_the_least_that_must_be_said),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_too_much_text),
        cmocka_unit_test(test_files_that_are_none),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
