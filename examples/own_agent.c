/* Subgoals for an agent of one's own: where should it go first in two rooms with one door?
 *
 * World and Q-learning are this program's. A study says where the subgoal is and how long to train,
 * besd/subgoals.h makes the rewards to learn from, the steps of a greedy episode are the score.
 *
 *     cc own_agent.c $(pkg-config --cflags --libs besd) && ./a.out rooms.besd
 */
#include <besd/besd.h>
#include <besd/subgoals.h>
#include <stdio.h>

enum { SIDE = 9, CELLS = SIDE * SIDE, GOAL = SIDE - 1, WALL = SIDE / 2, CAP = 400, REPS = 5 };
static const double low[] = {0, 0}, high[] = {SIDE, SIDE};
static const besd_subgoals_options how = {
    .count = 1, .dimension = 2, .low = low, .high = high, .gamma = 0.98};

static int choose(const double *values, uint64_t *random) { /* NULL: any; ties by chance */
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    int choice = (int)(*random >> 62);
    for (int i = 0; values && i < 4; i++)
        choice = values[i] > values[choice] ? i : choice;
    return choice;
}

static int move(int cell, int action) { /* right, left, up, down; the gap is in the last row */
    int x = cell % SIDE + (action == 0) - (action == 1);
    int y = cell / SIDE + (action == 2) - (action == 3);
    bool blocked = x < 0 || y < 0 || x == SIDE || y == SIDE || (x == WALL && y < SIDE - 1);
    return blocked ? cell : y * SIDE + x;
}

/* The steps of an episode, from which q[stage][cell][action] learns; an eighth of them explore. */
static int walk(const besd_subgoals *goals, double q[2][CELLS][4], bool greedy, uint64_t *random) {
    int steps = 0, stage = 0, cell = 0;
    for (int next; steps < CAP && cell != GOAL; steps++, cell = next) {
        int action = choose(greedy || *random >> 61 ? q[stage][cell] : NULL, random);
        next = move(cell, action);
        double *value = &q[stage][cell][action], reward = next == GOAL;
        double from[] = {cell % SIDE + 0.5, cell / SIDE + 0.5};
        double to[] = {next % SIDE + 0.5, next / SIDE + 0.5};
        besd_subgoals_shape(goals, &stage, from, to, next == GOAL, &reward, NULL);
        double after = next == GOAL ? 0 : q[stage][next][choose(q[stage][next], random)];
        *value += 0.2 * (reward + how.gamma * after - *value);
    }
    return steps;
}

static double train(const besd_subgoals *goals, int64_t tau, uint64_t random) {
    double q[2][CELLS][4] = {0};
    while (tau > 0)
        tau -= walk(goals, q, false, &random);
    return walk(goals, q, true, &random);
}

int main(int argc, char **argv) {
    besd_study_options o = besd_study_options_default();
    o.dimension = 2, o.low = low, o.high = high, o.budget = 500000;
    o.taus = (int64_t[]){1000, 3000}, o.tau_count = 2, o.reps = (int[]){REPS}, o.reps_count = 1;
    o.direction = BESD_MINIMIZE, o.transform = BESD_TRANSFORM_LOG;
    besd_study *study;
    besd_subgoals *goals;
    besd_trial t;
    besd_recommendation r;
    besd_error error;
    double scores[REPS];
    besd_status status = besd_study_open(&study, argc > 1 ? argv[1] : "rooms.besd", &o, &error);
    while (status == BESD_OK && (status = besd_study_ask(study, NULL, &t, &error)) == BESD_OK &&
           (status = besd_subgoals_create(&goals, t.theta, 2, &how, &error)) == BESD_OK) {
        for (int i = 0; i < t.reps; i++)
            scores[i] = train(goals, t.tau, t.seed + (uint64_t)i);
        besd_subgoals_destroy(goals);
        status =
            besd_study_tell(study, t.id, &(besd_outcome){.scores = scores, .count = REPS}, &error);
    }
    if (status == BESD_DONE && (status = besd_study_recommend(study, &r, &error)) == BESD_OK)
        printf("first to (%.1f, %.1f): about %.0f steps\n", r.theta[0], r.theta[1], r.value);
    else
        fprintf(stderr, "own_agent: %s\n", error.message);
    besd_study_close(study);
    return status != BESD_OK;
}
