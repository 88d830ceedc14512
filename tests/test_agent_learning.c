/* What an agent learns: values against exact solutions, a second learner and closed forms. */
#include "puppet.h"

#include "world/grid.h"
#include "world/solve.h"

/* Four by four with one way round two walls; the goal is six moves away. */
static const char small_map[] = "..#G\n"
                                "....\n"
                                ".##.\n"
                                "S...\n";

static void open_small(fixture *f, learning_method method, const char *settings, uint64_t seed) {
    besd_error error = {BESD_OK, ""};
    fixture_domain(&f->d, "gw10", settings);
    assert_ok(domain_set_map(&f->d, small_map, &error), &error);
    fixture_start(f, method, NULL, 0, seed);
}

/* Without wind the values settle on gamma^(moves - 1), in every state, for every method that
 * learns about the best policy. */
static void test_convergence_to_the_optimum(void **state) {
    (void)state;
    const learning_method methods[] = {LEARNING_Q, LEARNING_DOUBLE_Q};
    for (int i = 0; i < 2; i++) {
        fixture f;
        besd_error error = {BESD_OK, ""};
        double values[16];
        solution s;
        open_small(&f, methods[i], "gamma=0.9 wind=0 alpha=0.5 alpha_decay=0 epsilon=1", 1);
        fixture_train(&f, 100000);
        const besd_env_table *t = f.d.methods->table(f.env);
        assert_ok(solve_table(t, OBJECTIVE_RETURN, 0.9, values, &s, &error), &error);
        assert_close(s.optimal, pow(0.9, 5), 1e-12);
        assert_close(largest(agent_values(f.agent, 0, 0), 4), s.optimal, 1e-9);
        for (int cell = 0; cell < 16; cell++)
            if (grid_cells(f.env)[cell] == '.')
                assert_close(largest(agent_values(f.agent, 0, cell), 4), values[cell], 1e-9);
        fixture_close(&f);
    }
}

/* With wind they wander about the solver's value. A value that is moved by alpha towards targets
 * of variance v keeps the variance alpha v / 2, and the start collects the errors of the six
 * states on its way: five standard deviations of 6 alpha v / 2. Three of twenty moves go astray,
 * by less than 0.35 in value, so v < 0.016; alpha is below 50 / goals at the end. */
static void test_convergence_under_wind(void **state) {
    (void)state;
    enum { INTERACTIONS = TEST_SIZE(4000000, 1000000) };
    fixture f;
    besd_error error = {BESD_OK, ""};
    solution s;
    open_small(&f, LEARNING_Q,
               "gamma=0.9 wind=0.2 alpha=0.5 alpha_decay=100 alpha_power=1 epsilon=0.3", 2);
    fixture_train(&f, INTERACTIONS);
    const besd_env_table *t = f.d.methods->table(f.env);
    assert_ok(solve_table(t, OBJECTIVE_RETURN, 0.9, NULL, &s, &error), &error);
    double goals = INTERACTIONS / 25.0; /* an episode takes fewer than 25 steps */
    double alpha = 0.5 * 100 / (100 + goals);
    assert_close(largest(agent_values(f.agent, 0, 0), 4), s.optimal, 5 * sqrt(3 * alpha * 0.016));
    fixture_close(&f);
}

static void test_every_method_finds_the_way(void **state) {
    (void)state;
    const learning_method methods[] = {LEARNING_Q, LEARNING_SARSA, LEARNING_DOUBLE_Q};
    for (int i = 0; i < 3; i++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            fixture f;
            open_small(&f, methods[i],
                       "gamma=0.9 wind=0 alpha=0.3 alpha_decay=50 alpha_power=1 epsilon=0.3", seed);
            assert_true(fixture_evaluate(&f, 9).steps > 6); /* it has to learn it */
            fixture_train(&f, 20000);
            agent_episode episode = fixture_evaluate(&f, 9);
            assert_int_equal(episode.steps, 6);
            assert_true(episode.reached_goal);
            assert_close(episode.discounted_return, pow(0.9, 5), 1e-15);
            fixture_close(&f);
        }
}

/* Q-learning and SARSA once more, in a dozen lines, from nothing but the transitions. */
typedef struct shadow {
    const fixture *f;
    double values[4][200][4];
    int64_t goals, ends;
    bool sarsa, waiting; /* SARSA learns when it sees the next action */
    agent_transition last;
    int64_t last_next;
} shadow;

static int64_t next_state(const shadow *s, const agent_transition *t) {
    const besd_env_table *table = s->f->d.methods->table(s->f->env);
    for (int a = 0; a < 4; a++) { /* the move that was made, by where it led */
        int64_t next = table->next[4 * t->state + a];
        if (table->position[2 * next] == t->next_observation[0] &&
            table->position[2 * next + 1] == t->next_observation[1])
            return next;
    }
    fail_msg("no move leads there");
    return -1;
}

static void shadow_update(shadow *s, const agent_transition *t, double bootstrap) {
    const domain *d = &s->f->d;
    double n = pow((double)s->goals, d->value[PARAMETER_ALPHA_POWER]);
    double c = d->value[PARAMETER_ALPHA_DECAY], alpha = d->value[PARAMETER_ALPHA] * c / (c + n);
    double *value = &s->values[t->stage][t->state][t->action];
    double target = t->raw_reward + t->shaping + d->value[PARAMETER_GAMMA] * bootstrap;
    *value = (1 - alpha) * *value + alpha * target;
    s->goals += t->terminated;
    s->ends += t->truncated;
}

static void shadow_learn(void *context, const agent_transition *t) {
    shadow *s = context;
    int64_t next = next_state(s, t);
    if (s->sarsa) {
        if (s->waiting)
            shadow_update(s, &s->last, s->values[t->stage][t->state][t->action]);
        s->waiting = !t->terminated;
        s->last = *t;
        if (t->terminated)
            shadow_update(s, t, 0);
        assert_false(t->truncated); /* the action chosen for the target is not seen then */
        return;
    }
    double best = largest(s->values[t->next_stage][next], 4);
    shadow_update(s, t, t->terminated ? 0 : best);
}

/* Adds the goals and truncations that it saw to `seen`. */
static void check_against_shadow(const char *name, const char *settings, learning_method method,
                                 const double *theta, size_t length, int64_t interactions,
                                 int64_t seen[2]) {
    static shadow s;
    fixture f;
    besd_error error = {BESD_OK, ""};
    fixture_domain(&f.d, name, settings);
    fixture_start(&f, method, theta, length, 6);
    memset(&s, 0, sizeof s);
    s.f = &f;
    s.sarsa = method == LEARNING_SARSA;
    for (int i = 0; i < 4 * 200 * 4; i++)
        s.values[i / 800][i / 4 % 200][i % 4] = f.d.value[PARAMETER_INITIAL_VALUE];
    assert_ok(agent_train(f.agent, 0, interactions, interactions, shadow_learn, &s, &error),
              &error);
    for (int stage = 0; stage <= f.goals.count; stage++)
        for (int cell = 0; cell < f.spec.states; cell++)
            for (int a = 0; a < 4; a++) {
                bool pending = s.waiting && s.last.stage == stage && s.last.state == cell &&
                               s.last.action == a; /* SARSA's last step is one ahead */
                if (!pending)
                    assert_close(agent_values(f.agent, stage, cell)[a], s.values[stage][cell][a],
                                 1e-11);
            }
    seen[0] += s.goals;
    seen[1] += s.ends;
    fixture_close(&f);
}

/* Step sizes by goals, a table per stage, raw reward plus shaping, targets through truncation and
 * not through termination: any slip shows in the values. */
static void test_against_a_second_learner(void **state) {
    (void)state;
    const double gw10[] = {7.5, 3.5, 1.5, 8.5}, tr[] = {8.5, 2.5, 8.5, 8.5};
    int64_t seen[2] = {0, 0};
    const double key3[] = {1.5, 2.5, 8.5, 3.5, 1.5, 8.5};
    check_against_shadow("gw10", "wind=0.1 cap=100 alpha_power=2", LEARNING_Q, gw10, 4, 30000,
                         seen);
    check_against_shadow("gw10", "gamma=0.9 epsilon=1", LEARNING_Q, NULL, 0, 60000, seen);
    check_against_shadow("tr", "initial_value=0.5 cap=30", LEARNING_Q, tr, 4, 30000, seen);
    check_against_shadow("key3", "epsilon_end=0.6 cap=80", LEARNING_Q, key3, 6, 60000, seen);
    check_against_shadow("gw10", "cap=1e9 epsilon=1", LEARNING_SARSA, gw10, 4, 100000, seen);
    check_against_shadow("tr", "cap=1e9 gamma=0.9 epsilon=0.5", LEARNING_SARSA, tr, 4, 30000, seen);
    assert_true(seen[0] > 100 && seen[1] > 100);
}

static int first_action(const puppet *p) {
    for (int a = 0; a < p->env.actions; a++)
        if (agent_values(p->agent, 0, 0)[a] != 5)
            return a;
    fail_msg("nothing was learned");
    return -1;
}

/* One step with alpha = 1 and all values 5: a truncated step is worth reward + gamma * 5, a
 * terminated one the reward alone. */
static void test_bootstrapping(void **state) {
    (void)state;
    const learning_method methods[] = {LEARNING_Q, LEARNING_SARSA, LEARNING_DOUBLE_Q};
    const char *settings = "alpha=1 alpha_decay=0 gamma=0.5 initial_value=5";
    for (int i = 0; i < 3; i++)
        for (int terminates = 0; terminates <= 1; terminates++) {
            puppet p;
            besd_error error = {BESD_OK, ""};
            besd_env env = {.actions = 4, .states = 2, .cap = 1, .reward = 3, .length = terminates};
            puppet_open(&p, env, methods[i], settings);
            /* Double Q-learning moves either table: a few steps make sure of the first. */
            int64_t steps = methods[i] == LEARNING_DOUBLE_Q ? 10 : 1;
            assert_ok(agent_train(p.agent, 0, steps, steps, NULL, NULL, &error), &error);
            assert_true(agent_values(p.agent, 0, 0)[first_action(&p)] == (terminates ? 3 : 5.5));
            agent_destroy(p.agent);
        }
}

/* One step with alpha = 1 towards a state whose four values are standard normal noise. Q-learning
 * takes the largest for the state's value, 1.0294 in the mean with variance 0.4917; double
 * Q-learning asks its other table, which knows nothing of it: 0, with variance 1. */
static void test_the_bias_of_the_maximum(void **state) {
    (void)state;
    const learning_method methods[] = {LEARNING_Q, LEARNING_DOUBLE_Q};
    for (int i = 0; i < 2; i++) {
        puppet p;
        besd_error error = {BESD_OK, ""};
        besd_env env = {.actions = 4, .states = 2, .cap = 10};
        int moved = 0;
        double sum = 0;
        puppet_open(&p, env, methods[i], "alpha=1 alpha_decay=0 gamma=1 initial_noise=1");
        for (uint64_t seed = 0; seed < 20000; seed++) {
            double before[4];
            agent_seeds seeds = trial_training_seeds(seed, 0, 0);
            agent_place(p.agent, &fake_methods, &p.env, &seeds);
            memcpy(before, agent_values(p.agent, 0, 0), sizeof before);
            assert_ok(agent_train(p.agent, 0, 1, 1, NULL, NULL, &error), &error);
            for (int a = 0; a < 4; a++)
                if (agent_values(p.agent, 0, 0)[a] != before[a]) {
                    sum += agent_values(p.agent, 0, 0)[a];
                    moved++;
                }
        }
        if (i == 0)
            assert_int_equal(moved, 20000);
        assert_mean(sum / moved, i == 0 ? 1.0294 : 0, i == 0 ? 0.4917 : 1, moved);
        if (i == 1) /* either table, by a coin */
            assert_mean(moved / 20000.0, 0.5, 0.25, 20000);
        agent_destroy(p.agent);
    }
}

/* Values drawn around initial_value with the given spread, another set for another seed. */
static void test_initial_values(void **state) {
    (void)state;
    puppet p;
    besd_env env = {.actions = 5, .states = 8000, .cap = 100};
    puppet_open(&p, env, LEARNING_Q, "initial_value=2 initial_noise=3");
    double sum = 0, squares = 0, first = agent_values(p.agent, 0, 0)[0];
    for (int i = 0; i < 40000; i++) {
        double deviation = agent_values(p.agent, 0, 0)[i] - 2;
        sum += deviation;
        squares += deviation * deviation;
    }
    assert_mean(sum / 40000, 0, 9, 40000);
    assert_mean(squares / 40000, 9, 2 * 81, 40000);
    agent_seeds seeds = trial_training_seeds(2, 0, 0);
    agent_place(p.agent, &fake_methods, &p.env, &seeds);
    assert_true(agent_values(p.agent, 0, 0)[0] != first);
    seeds = trial_training_seeds(1, 0, 0);
    agent_place(p.agent, &fake_methods, &p.env, &seeds);
    assert_true(agent_values(p.agent, 0, 0)[0] == first);
    agent_destroy(p.agent);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convergence_to_the_optimum),
        cmocka_unit_test(test_convergence_under_wind),
        cmocka_unit_test(test_every_method_finds_the_way),
        cmocka_unit_test(test_against_a_second_learner),
        cmocka_unit_test(test_bootstrapping),
        cmocka_unit_test(test_the_bias_of_the_maximum),
        cmocka_unit_test(test_initial_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
