#include "testing.h"

#include "world/domain_load.h"

enum { STATES = 3, ACTIONS = 2 };

/* Three states in a row; action 1 leads on, the third is the goal. */
typedef struct row {
    int32_t next[STATES * ACTIONS];
    double reward[STATES * ACTIONS], position[STATES];
    uint8_t terminal[STATES];
    besd_env_table table;
    besd_env_spec spec;
} row;

static void make_row(row *r) {
    *r = (row){.next = {0, 1, 0, 2, 2, 2},
               .reward = {0, 0, 0, 1, 0, 0},
               .position = {0.5, 1.5, 2.5},
               .terminal = {0, 0, 1},
               .table = {.states = STATES, .actions = ACTIONS},
               .spec = {.states = STATES, .actions = ACTIONS, .observation = 1, .position = 1}};
    r->table.next = r->next;
    r->table.reward = r->reward;
    r->table.terminal = r->terminal;
    r->table.position = r->position;
}

static besd_status check(const row *r, besd_error *error) {
    return env_table_check("row", &r->table, &r->spec, error);
}

static void refuse(row *r, const char *sentence) {
    besd_error error = {BESD_OK, ""};
    assert_fails(check(r, &error), BESD_ENVIRONMENT, &error, sentence);
    assert_int_equal(strncmp(error.message, "environment row: ", 17), 0);
    make_row(r);
    assert_ok(check(r, &error), &error);
}

static void test_missing_parts(void **state) {
    (void)state;
    row r;
    besd_error error = {BESD_OK, ""};
    make_row(&r);
    assert_fails(env_table_check("row", NULL, &r.spec, &error), BESD_ENVIRONMENT, &error,
                 "environment row: its table is NULL");
    r.table.next = NULL;
    refuse(&r, "its table's next is NULL");
    r.table.reward = NULL;
    refuse(&r, "its table's reward is NULL");
    r.table.terminal = NULL;
    refuse(&r, "its table's terminal is NULL");
    r.table.position = NULL;
    refuse(&r, "its table's position is NULL");
}

static void test_another_shape(void **state) {
    (void)state;
    row r;
    make_row(&r);
    r.spec.states = 4;
    refuse(&r, "its table has 3 states and 2 actions, its spec 4 and 2");
    r.spec.actions = 4;
    refuse(&r, "its table has 3 states and 2 actions, its spec 3 and 4");
}

static void test_states_out_of_range(void **state) {
    (void)state;
    row r;
    make_row(&r);
    r.table.start = STATES;
    refuse(&r, "its table starts in a state out of range, 3 of 3");
    r.table.start = -1;
    refuse(&r, "its table starts in a state out of range, -1 of 3");
    r.next[3] = 500000000;
    refuse(&r, "from state 1 by action 1 to a state out of range, 500000000 of 3");
    r.next[5] = -1;
    refuse(&r, "from state 2 by action 1 to a state out of range, -1 of 3");
}

static void test_numbers_that_are_none(void **state) {
    (void)state;
    row r;
    make_row(&r);
    r.reward[2] = NAN;
    refuse(&r, "in state 1 for action 0");
    r.position[2] = INFINITY;
    refuse(&r, "the position of its table is inf in state 2");
    r.table.wind = 1.5;
    refuse(&r, "wind in [0, 1], got 1.5");
    r.table.wind = NAN;
    refuse(&r, "wind in [0, 1], got");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_parts),
        cmocka_unit_test(test_another_shape),
        cmocka_unit_test(test_states_out_of_range),
        cmocka_unit_test(test_numbers_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
