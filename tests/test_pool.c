#include "testing.h"

#include "serve/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { JOBS = 60 };

typedef struct counting {
    job job;
    int number;
} counting;

static pool *threads;
static atomic_int under_way[2], most[2], done, order[2][JOBS], places[2];
static char turns[2];
static atomic_bool gate;

static void rest(void) {
    nanosleep(&(struct timespec){0, 200000}, NULL);
}

static void count(job *self) {
    counting *c = (counting *)(void *)self;
    int which = c->job.turn == &turns[1];
    int now = ++under_way[which];
    if (now > most[which])
        most[which] = now;
    rest();
    order[which][places[which]++] = c->number;
    under_way[which]--;
    done++;
}

/* Of one turn one at a time and in their order; two turns go side by side. */
static void test_turns(void **state) {
    (void)state;
    static counting jobs[JOBS];
    threads = pool_start(4, false, JOBS);
    assert_non_null(threads);
    done = 0;
    for (int i = 0; i < JOBS; i++) {
        jobs[i] = (counting){.job = {.run = count, .turn = &turns[i % 2]}, .number = i};
        pool_submit(threads, &jobs[i].job, false);
    }
    pool_stop(threads); /* when all is done */
    assert_int_equal(done, JOBS);
    assert_int_equal(most[0], 1);
    assert_int_equal(most[1], 1);
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < JOBS / 2; i++)
            assert_int_equal(order[which][i], 2 * i + which);
}

static void wait_for_gate(job *self) {
    (void)self;
    while (!gate)
        rest();
    done++;
}

/* A job whose turn has not come keeps no thread from the others. */
static void test_nobody_waits_for_a_turn(void **state) {
    (void)state;
    static job slow[5];
    static counting other;
    threads = pool_start(2, true, JOBS);
    gate = false;
    done = 0;
    for (size_t i = 0; i < 5; i++) {
        slow[i] = (job){.run = wait_for_gate, .turn = &turns[0]};
        pool_submit(threads, &slow[i], false);
    }
    other = (counting){.job = {.run = count}};
    pool_submit(threads, &other.job, false);
    while (!done) /* though the first of the others holds its turn, and they come before it */
        rest();
    gate = true;
    pool_stop(threads);
    assert_int_equal(done, 6);
}

static atomic_int taken;

static void take_along(job *self) {
    while (!gate)
        rest();
    for (job *more = pool_take_along(threads, self->turn, 3); more; more = more->next)
        taken++;
    done++;
}

static void test_taking_along(void **state) {
    (void)state;
    static job jobs[6];
    static counting other;
    threads = pool_start(1, false, JOBS);
    gate = false;
    done = taken = 0;
    for (size_t i = 0; i < 6; i++) {
        jobs[i] = (job){.run = take_along, .turn = &turns[0]};
        pool_submit(threads, &jobs[i], false);
    }
    other = (counting){.job = {.run = count, .turn = &turns[1]}};
    pool_submit(threads, &other.job, false);
    gate = true;
    pool_stop(threads);
    assert_int_equal(done, 3); /* the first with three others, the fifth with the sixth, `other` */
    assert_int_equal(taken, 4);
}

/* A full queue refuses, but not what goes on with something begun. */
static void test_a_full_queue(void **state) {
    (void)state;
    static job jobs[6];
    threads = pool_start(1, false, 3);
    gate = false;
    done = 0;
    for (size_t i = 0; i < 6; i++)
        jobs[i] = (job){.run = wait_for_gate};
    assert_true(pool_submit(threads, &jobs[0], false));
    while (pool_waiting(threads)) /* until the thread has it */
        rest();
    for (size_t i = 1; i < 4; i++)
        assert_true(pool_submit(threads, &jobs[i], false));
    assert_false(pool_submit(threads, &jobs[4], false));
    assert_true(pool_submit(threads, &jobs[5], true));
    assert_int_equal(pool_waiting(threads), 4);
    gate = true;
    pool_stop(threads);
    assert_int_equal(done, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns), cmocka_unit_test(test_a_full_queue),
        cmocka_unit_test(test_nobody_waits_for_a_turn), cmocka_unit_test(test_taking_along)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
