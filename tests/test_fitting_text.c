/* Fits as the file has them: every bit comes back, and what is no fit of this study costs a new one
 * and no more. */
#include "study_scene.h"

#include "core/rng.h"

static besd_error error;

static void make_spec(study_spec *spec, size_t dimension) {
    besd_study_options o = small_options(dimension, 0);
    assert_ok(spec_init(spec, &o, &error), &error);
}

static bool read_fit(const study_spec *spec, const char *text, hyperparameters *h) {
    bool usable = true;
    draws drawn;
    assert_ok(fitting_read(spec, text, &drawn, &usable, &error), &error);
    *h = drawn.of[0];
    return usable && drawn.count == 1;
}

static void test_every_bit_comes_back(void **state) {
    (void)state;
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 200; trial++) {
        study_spec spec;
        hyperparameters h = {.prior_mean = rng_normal(&stream) * pow(10, trial % 60 - 30)}, back;
        size_t d = 1 + (size_t)trial % 5;
        make_spec(&spec, d);
        for (size_t i = 0; i < d; i++)
            h.lengthscale[i] = pow(10, rng_between(&stream, -290, 290));
        h.sigma_root[0] = rng_uniform(&stream) + 1e-9;
        h.sigma_root[1] = rng_normal(&stream);
        h.sigma_root[2] = pow(10, rng_between(&stream, -140, 140));
        h.prior_slope = trial % 2 ? rng_normal(&stream) : 0;
        for (int i = 0; i < 2; i++) {
            h.env_variance[i] = pow(10, rng_between(&stream, -290, 290));
            h.rep_variance[i] = 0.1 + rng_uniform(&stream);
        }
        char *text;
        assert_ok(fitting_write(&spec, &(draws){1, {h}}, &text, &error), &error);
        assert_true(read_fit(&spec, text, &back));
        assert_memory_equal(&h, &back, sizeof h);
        free(text);
    }
}

/* A sound text with what can be replaced in it. */
static const char sound[] = "{\"format\":1,\"prior_mean\":2.5,\"lengthscale\":[0.5,0.25],"
                            "\"sigma_root\":[1,-0.5,2],\"env_variance\":[0.1,0.2],"
                            "\"rep_variance\":[0.3,0.4]}";

/* Each number where it belongs. */
static void test_places(void **state) {
    (void)state;
    study_spec spec;
    hyperparameters h;
    make_spec(&spec, 2);
    assert_true(read_fit(&spec, sound, &h));
    assert_true(h.prior_mean == 2.5 && h.lengthscale[0] == 0.5 && h.lengthscale[1] == 0.25);
    assert_true(h.sigma_root[0] == 1 && h.sigma_root[1] == -0.5 && h.sigma_root[2] == 2);
    assert_true(h.env_variance[0] == 0.1 && h.env_variance[1] == 0.2);
    assert_true(h.rep_variance[0] == 0.3 && h.rep_variance[1] == 0.4);
}

/* A text with one piece replaced. */
static void damage(const char *whole, const char *piece, const char *other, char *text,
                   size_t size) {
    const char *at = strstr(whole, piece);
    assert_non_null(at);
    snprintf(text, size, "%.*s%s%s", (int)(at - whole), whole, other, at + strlen(piece));
}

static void test_damaged_texts(void **state) {
    (void)state;
    static const char *const damages[][2] = {
        {"\"format\":1", "\"format\":2"},
        {"\"format\":1,", ""},
        {"\"format\":1", "\"format\":\"1\""},
        {"\"prior_mean\":2.5", "\"prior_mean\":null"},
        {"\"prior_mean\"", "\"mean\""},
        {"2.5", "1e200"},
        {"[0.5,0.25]", "[0.5]"},
        {"[0.5,0.25]", "[0.5,0.25,0.125]"},
        {"[0.5,0.25]", "0.5"},
        {"0.25", "0"},
        {"0.25", "-0.25"},
        {"0.25", "\"0.25\""},
        {"\"lengthscale\"", "\"lengths\""},
        {"[1,-0.5,2]", "[1,-0.5]"},
        {"[1,", "[0,"},
        {"[1,", "[-1,"},
        {"[1,", "[1e160,"},
        {",2]", ",0]"},
        {",2]", ",1e160]"},
        {"-0.5", "-1e160"},
        {"2.5,", "2.5,\"discrepancy_variance\":0.125,"}, /* of a model that is gone */
        {"2.5,", "2.5,\"discrepancy_variance\":null,"},
        {"[0.1,0.2]", "[0.1]"},
        {"[0.1,0.2]", "[0.1,-0.2]"},
        {"[0.3,0.4]", "[0.3,-0.4]"},
        {"[0.3,0.4]", "[]"},
        {"\"rep_variance\"", "\"rep\""},
        {"]}", "]"},
        {"]}", "]}x"}};
    study_spec spec;
    hyperparameters h;
    make_spec(&spec, 2);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        char text[sizeof sound + 64];
        damage(sound, damages[i][0], damages[i][1], text, sizeof text);
        if (read_fit(&spec, text, &h))
            fail_msg("%s was taken for a fit", text);
    }
    static const char *const others[] = {"", "null", "7", "[]", "{}", "\"fit\"", "\x80"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(read_fit(&spec, others[i], &h));
}

/* Older fits say that there is no discrepancy; a fit of another space is none of this one. */
static void test_what_is_still_a_fit(void **state) {
    (void)state;
    char text[sizeof sound + 64];
    study_spec spec;
    hyperparameters h;
    make_spec(&spec, 2);
    damage(sound, "2.5,", "2.5,\"discrepancy_variance\":0.0,\"discrepancy_lengthscale\":0.0,", text,
           sizeof text);
    assert_true(read_fit(&spec, text, &h) && h.prior_mean == 2.5 && h.lengthscale[0] == 0.5);
    damage(sound, "[0.1,0.2]", "[0,0]", text, sizeof text); /* replications are independent */
    assert_true(read_fit(&spec, text, &h) && h.env_variance[0] == 0);
    make_spec(&spec, 1);
    assert_false(read_fit(&spec, sound, &h));
}

/* Several draws are a list, from which every one comes back; one that is damaged spoils them all,
 * and there are no more than there is room for. */
static void test_several_draws(void **state) {
    (void)state;
    study_spec spec;
    draws drawn = {.count = DRAWS_MOST}, back;
    bool usable = false;
    char *text, big[(DRAWS_MOST + 1) * (sizeof sound + 64)];
    make_spec(&spec, 2);
    for (size_t i = 0; i < DRAWS_MOST; i++) {
        assert_true(read_fit(&spec, sound, &drawn.of[i]));
        drawn.of[i].lengthscale[1] = 1 / (3.0 + (double)i);
    }
    assert_ok(fitting_write(&spec, &drawn, &text, &error), &error);
    assert_ok(fitting_read(&spec, text, &back, &usable, &error), &error);
    assert_true(usable);
    assert_memory_equal(&drawn, &back, sizeof drawn);
    free(text);
    for (size_t count = 0; count <= DRAWS_MOST + 1; count++) {
        size_t used = (size_t)snprintf(big, sizeof big, "[");
        for (size_t i = 0; i < count; i++)
            used += (size_t)snprintf(big + used, sizeof big - used, "%s%s", i ? "," : "", sound);
        snprintf(big + used, sizeof big - used, "]");
        assert_ok(fitting_read(&spec, big, &back, &usable, &error), &error);
        assert_int_equal(usable, count >= 1 && count <= DRAWS_MOST);
        if (usable)
            assert_int_equal(back.count, count);
    }
    char damaged[sizeof sound + 64];
    damage(sound, "0.25", "-0.25", damaged, sizeof damaged);
    for (int at = 0; at < 3; at++) {
        snprintf(big, sizeof big, "[%s,%s,%s]", at == 0 ? damaged : sound,
                 at == 1 ? damaged : sound, at == 2 ? damaged : sound);
        assert_ok(fitting_read(&spec, big, &back, &usable, &error), &error);
        assert_false(usable);
    }
}

/* A study with two sources, whose fits say what was learnt of them. */
static void make_sourced_spec(study_spec *spec) {
    make_spec(spec, 2);
    spec->tasks.sources = 2;
}

/* What is learnt of sources comes back as well; a fit of as many sources is a fit, no other. */
static void test_sources(void **state) {
    (void)state;
    rng stream = rng_open(5, RNG_TEST, 0, 0, 0);
    study_spec spec, plain;
    hyperparameters h, back;
    make_sourced_spec(&spec);
    make_spec(&plain, 2);
    for (int trial = 0; trial < 100; trial++) {
        char *text;
        assert_true(read_fit(&plain, sound, &h));
        h.tasks.level_variance = pow(10, rng_between(&stream, -100, 100));
        for (int i = 0; i < 2; i++) {
            h.tasks.kappa[i] = trial % 3 == i ? 0 : rng_uniform(&stream);
            h.tasks.gamma[i] = pow(10, rng_between(&stream, -50, 50));
            h.tasks.noise[i] = pow(10, rng_between(&stream, -6, 1));
        }
        assert_ok(fitting_write(&spec, &(draws){1, {h}}, &text, &error), &error);
        assert_true(read_fit(&spec, text, &back));
        assert_memory_equal(&h, &back, sizeof h);
        spec.tasks.sources = 3;
        assert_false(read_fit(&spec, text, &back));
        spec.tasks.sources = 1;
        assert_false(read_fit(&spec, text, &back));
        spec.tasks.sources = 2;
        free(text);
    }
    assert_false(read_fit(&spec, sound, &back)); /* of a study without sources */
}

static void test_damaged_sources(void **state) {
    (void)state;
    static const char tasks[] = ",\"tasks\":{\"level_variance\":0.5,\"rho\":0.0,"
                                "\"feature_scale\":[],\"kappa\":[0.25,0],"
                                "\"gamma\":[1.5,2.5],\"noise\":[0.125,0.75]}}";
    static const char *const damages[][2] = {
        {"\"tasks\"", "\"task\""},      {"\"level_variance\":0.5", "\"level_variance\":0"},
        {"\"rho\":0.0", "\"rho\":1.5"}, {"\"rho\":0.0", "\"rho\":-0.5"},
        {"\"rho\":0.0,", ""},           {"\"feature_scale\":[]", "\"feature_scale\":[1]"},
        {"[0.25,0]", "[0.25]"},         {"[0.25,0]", "[1.25,0]"},
        {"[0.25,0]", "[-0.25,0]"},      {"[0.25,0]", "[null,0]"},
        {"[1.5,2.5]", "[0,2.5]"},       {"[1.5,2.5]", "[1.5,2.5,3.5]"},
        {"[0.125,0.75]", "[-1,0.75]"},  {"\"noise\"", "\"noises\""}};
    char whole[sizeof sound + sizeof tasks], text[sizeof whole + 64];
    study_spec spec;
    hyperparameters h;
    make_sourced_spec(&spec);
    snprintf(whole, sizeof whole, "%.*s%s", (int)strlen(sound) - 1, sound, tasks);
    assert_true(read_fit(&spec, whole, &h));
    assert_true(h.tasks.kappa[0] == 0.25 && h.tasks.gamma[1] == 2.5 && h.tasks.noise[0] == 0.125);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        damage(whole, damages[i][0], damages[i][1], text, sizeof text);
        if (read_fit(&spec, text, &h))
            fail_msg("%s was taken for a fit", text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_bit_comes_back), cmocka_unit_test(test_places),
        cmocka_unit_test(test_damaged_texts),        cmocka_unit_test(test_what_is_still_a_fit),
        cmocka_unit_test(test_several_draws),        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_damaged_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
