/* The pruned search against the full one, and both against every value there is. */
#include "kg_facts.h"

/* All choices, in order, from kg_evaluate of every target. */
typedef struct rated {
    double score;
    size_t target;
    int lever;
} rated;

static int by_score(const void *l, const void *r) {
    const rated *x = l, *y = r;
    return (x->score < y->score) - (x->score > y->score);
}

/* The best `wanted` by evaluating everything; each theta once, with its best levers. */
static void assert_best_of_all(study *s, const kg_choice *choices, size_t found) {
    size_t m = s->target_count, d = s->dimension, place = 0;
    rated *all = malloc(m * sizeof *all);
    assert_non_null(all);
    for (size_t c = 0; c < m; c++) {
        double log_kg[LEVERS];
        kg_evaluate(s->k, s->targets + c * d, log_kg);
        all[c] = (rated){-INFINITY, c, 0};
        for (int l = 0; l < LEVERS; l++) {
            double score = log_kg[l] - log(s->levers.cost[l / REPS][l % REPS]);
            if (score > all[c].score)
                all[c] = (rated){score, c, l};
        }
    }
    qsort(all, m, sizeof *all, by_score);
    for (size_t i = 0; i < m && place < found; i++) {
        const double *theta = s->targets + all[i].target * d;
        bool seen = false; /* tried thetas are among the targets several times */
        for (size_t j = 0; j < place && !seen; j++)
            seen = !memcmp(choices[j].theta, theta, d * sizeof *theta);
        if (seen)
            continue;
        assert_close(choices[place].log_score, all[i].score, 1e-9);
        place++;
    }
    assert_int_equal(place, found);
    free(all);
}

static void assert_sorted_and_distinct(const study *s, const kg_choice *choices, size_t found) {
    for (size_t i = 0; i < found; i++) {
        const kg_choice *c = &choices[i];
        assert_true(c->tau >= 0 && c->tau < TAUS && c->reps >= 0 && c->reps < REPS);
        assert_true(c->log_score == c->log_kg - log(s->levers.cost[c->tau][c->reps]));
        assert_true(c->log_score > -INFINITY);
        for (size_t j = 0; j < i; j++) {
            assert_true(choices[j].log_score >= c->log_score);
            assert_true(memcmp(choices[j].theta, c->theta, s->dimension * sizeof(double)) != 0);
        }
    }
}

/* Pruning may save work and nothing else: the same choices, and they are the best. Values differ
 * in the last bits, because a matrix product depends on the order of its columns. Before anything
 * is told all means are equal, far ends of the cube tie to the bit, and only the scores can be the
 * same. */
static void test_search_finds_the_best(void **state) {
    (void)state;
    rng stream = rng_open(5, RNG_TEST, 0, 0, 0);
    size_t evaluated = 0, possible = 0;
    for (int trial = 0; trial < TEST_SIZE(24, 12); trial++) {
        study s;
        static kg_choice pruned[FEW], full[FEW];
        size_t pruned_found, full_found, wanted = (size_t[]){1, 8, FEW}[trial % 3];
        open_random_study(&s, &stream, trial % 4 ? FEW : MANY, trial);
        search(&s, true, pruned, wanted, &pruned_found);
        evaluated += kg_evaluated(s.k);
        possible += s.target_count;
        search(&s, false, full, wanted, &full_found);
        assert_true(full_found == wanted || wanted == FEW); /* some are worth nothing at all */
        assert_int_equal(pruned_found, full_found);
        for (size_t i = 0; i < full_found; i++) {
            assert_close(pruned[i].log_score, full[i].log_score, 1e-9);
            assert_true(pruned[i].tau == full[i].tau && pruned[i].reps == full[i].reps);
            if (s.o.count)
                assert_memory_equal(pruned[i].theta, full[i].theta, sizeof full[i].theta);
        }
        assert_sorted_and_distinct(&s, pruned, pruned_found);
        assert_sorted_and_distinct(&s, full, full_found);
        assert_best_of_all(&s, full, full_found);
        assert_true(kg_kept(s.k) >= 1 && kg_kept(s.k) <= s.target_count);
        close_study(&s);
    }
    assert_true(evaluated < possible); /* it does prune */
}

/* Many more targets than the search screens by, in four dimensions where each matters to its
 * neighbours only, and more choices wanted than it looks at in one go. */
static void test_search_among_many(void **state) {
    (void)state;
    enum { TARGETS = 1500, WANTED = 100 };
    static kg_choice pruned[WANTED], full[WANTED];
    rng stream = rng_open(12, RNG_TEST, 0, 0, 0);
    besd_error error;
    study s;
    size_t pruned_found, full_found;
    open_study(&s, &stream, TARGETS, 30, 0, 4);
    kg_destroy(s.k);
    gp_destroy(s.model);
    for (size_t i = 0; i < 4; i++)
        s.h.lengthscale[i] = 0.25;
    assert_ok(gp_create(&s.o, 30, &s.h, &s.model, &error), &error);
    open_kg(&s);
    search(&s, true, pruned, WANTED, &pruned_found);
    assert_true(kg_evaluated(s.k) < TARGETS);
    search(&s, false, full, WANTED, &full_found);
    assert_int_equal(full_found, WANTED);
    assert_int_equal(pruned_found, WANTED);
    for (size_t i = 0; i < WANTED; i++) {
        assert_close(pruned[i].log_score, full[i].log_score, 1e-9);
        assert_memory_equal(pruned[i].theta, full[i].theta, sizeof full[i].theta);
    }
    close_study(&s);
}

/* The same search of the same study, twice: the same bytes. */
static void test_bytes_repeat(void **state) {
    (void)state;
    besd_error error;
    for (int prune = 0; prune < 2; prune++) {
        kg_choice choices[2][8] = {0};
        for (int round = 0; round < 2; round++) {
            rng stream = rng_open(11, RNG_TEST, 0, 0, 0);
            study s;
            size_t found;
            open_study(&s, &stream, MANY, 30, 5, 3);
            search(&s, prune, choices[round], 8, &found);
            assert_ok(kg_refine(s.k, &choices[round][0], &error), &error);
            close_study(&s);
        }
        assert_memory_equal(choices[0], choices[1], sizeof choices[0]);
    }
}

/* Levers that cost infinity are out of reach, however good. */
static void test_infinite_cost_is_never_chosen(void **state) {
    (void)state;
    rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 12; trial++) {
        study s;
        kg_choice choices[8];
        size_t found;
        open_random_study(&s, &stream, FEW, trial);
        search(&s, true, choices, 8, &found);
        int tau = choices[0].tau, q = choices[0].reps; /* the favourite is forbidden */
        kg_destroy(s.k);
        besd_error error;
        for (int t = 0; t < TAUS; t++)
            for (int r = 0; r < REPS; r++)
                if (t == tau || r == q)
                    s.levers.cost[t][r] = INFINITY;
        assert_ok(kg_create(s.model, &s.levers, s.targets, s.target_count, &s.k, &error), &error);
        for (int prune = 0; prune < 2; prune++) {
            search(&s, prune, choices, 8, &found);
            assert_int_equal(found, 8);
            for (size_t i = 0; i < found; i++)
                assert_true(choices[i].tau != tau && choices[i].reps != q);
        }
        /* with nothing in reach there is nothing to choose */
        for (int t = 0; t < TAUS; t++)
            for (int r = 0; r < REPS; r++)
                s.levers.cost[t][r] = INFINITY;
        kg_destroy(s.k);
        assert_ok(kg_create(s.model, &s.levers, s.targets, s.target_count, &s.k, &error), &error);
        search(&s, trial % 2, choices, 8, &found);
        assert_int_equal(found, 0);
        close_study(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search_finds_the_best),
        cmocka_unit_test(test_search_among_many),
        cmocka_unit_test(test_bytes_repeat),
        cmocka_unit_test(test_infinite_cost_is_never_chosen),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
