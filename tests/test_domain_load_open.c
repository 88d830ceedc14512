/* besd/domain.h against the domain underneath: the same transitions, parameters that take hold, and
 * refusals. */
#include "testing.h"

#include "besd/domain.h"
#include "world/domain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ten thousand random moves give the same outcomes through the public door as through the domain.
 */
static void moves_as_the_domain_does(void **state) {
    (void)state;
    size_t count = 0;
    for (const char *name; (name = besd_domain_name(count)); count++) {
        besd_error error;
        besd_domain *handle;
        besd_env *env, *plain;
        domain *d = malloc(sizeof *d);
        assert_non_null(d);
        assert_ok(besd_domain_open(&handle, name, NULL, 0, &error), &error);
        assert_ok(domain_find(name, d, &error), &error);
        assert_ok(domain_open(d, &plain, &error), &error);
        const besd_env_methods *world = besd_domain_env(handle, &env);
        besd_env_spec spec;
        world->spec(env, &spec);
        besd_env_outcome a = {.terminated = true}, b = {.terminated = true};
        int64_t ended = 0;
        uint64_t random = 1;
        for (int64_t i = 0; i < 10000; i++) {
            if (a.terminated || a.truncated) {
                ended++;
                assert_ok(world->instance(env, (uint64_t)i, &error), &error);
                assert_ok(d->methods->instance(plain, (uint64_t)i, &error), &error);
                world->seed(env, 3);
                d->methods->seed(plain, 3);
                world->reset(env, &a);
                d->methods->reset(plain, &b);
            }
            random = random * 6364136223846793005u + 1442695040888963407u;
            int action = (int)((random >> 33) % (uint64_t)spec.actions);
            world->step(env, action, &a);
            d->methods->step(plain, action, &b);
            assert_int_equal(a.state, b.state);
            assert_true(a.reward == b.reward && a.terminated == b.terminated);
            assert_true(a.truncated == b.truncated);
            for (int k = 0; k < spec.observation; k++)
                assert_true(a.observation[k] == b.observation[k]);
        }
        assert_true(ended > 5);
        d->methods->destroy(plain);
        besd_domain_close(handle);
        free(d);
    }
    assert_int_equal(count, 6);
}

static void describes_the_paper(void **state) {
    (void)state;
    besd_error error;
    besd_domain *handle;
    besd_domain_info info;
    assert_ok(besd_domain_open(&handle, "tr", NULL, 0, &error), &error);
    besd_domain_describe(handle, &info);
    assert_string_equal(info.name, "tr");
    assert_int_equal(info.subgoals, 2);
    assert_close(info.gamma, 0.98, 0);
    assert_close(info.height, 0.2, 0);
    assert_close(info.width, 10, 0);
    assert_int_equal(info.score, BESD_SCORE_RETURN);
    assert_int_equal(info.tau_count, 3);
    assert_int_equal(info.taus[2], 2000);
    assert_int_equal(info.reps_count, 2);
    assert_int_equal(info.reps[1], 20);
    assert_int_equal(info.initial_designs, 10);
    besd_domain_close(handle);
    assert_ok(besd_domain_open(&handle, "gw20", NULL, 0, &error), &error);
    besd_domain_describe(handle, &info);
    assert_int_equal(info.score, BESD_SCORE_STEPS);
    assert_int_equal(info.reps_count, 1);
    besd_domain_close(handle);
}

static void honours_parameters(void **state) {
    (void)state;
    besd_error error;
    besd_domain *handle;
    besd_env *env;
    besd_env_spec spec;
    besd_domain_info info;
    besd_env_parameter parameters[] = {{"cap", 37}, {"gamma", 0.5}, {"wind", 0.25}};
    assert_ok(besd_domain_open(&handle, "gw10", parameters, 3, &error), &error);
    const besd_env_methods *world = besd_domain_env(handle, &env);
    world->spec(env, &spec);
    besd_domain_describe(handle, &info);
    assert_int_equal(spec.cap, 37);
    assert_close(info.gamma, 0.5, 0);
    assert_ok(world->instance(env, 1, &error), &error);
    assert_close(world->table(env)->wind, 0.25, 0);
    besd_domain_close(handle);
}

static void tells_when_subgoals_are_reached(void **state) {
    (void)state;
    besd_error error;
    besd_domain *handle;
    besd_env_reaching how;
    assert_ok(besd_domain_open(&handle, "gw10", NULL, 0, &error), &error);
    besd_domain_reaching(handle, &how);
    assert_true(how.reach == BESD_REACH_CELL && how.cell_size == 1 && how.radius == 0);
    besd_domain_close(handle);
    besd_env_parameter near = {"radius", 1.5}, everywhere = {"radius", 15};
    assert_ok(besd_domain_open(&handle, "gw10", &near, 1, &error), &error);
    besd_domain_reaching(handle, &how);
    assert_true(how.reach == BESD_REACH_RADIUS && how.radius == 1.5);
    besd_domain_close(handle);
    besd_env_parameter cells[] = {{"cell_size", 0.5}, {"origin", 0.25}};
    assert_ok(besd_domain_open(&handle, "mc", cells, 2, &error), &error);
    besd_domain_reaching(handle, &how);
    assert_true(how.reach == BESD_REACH_CELL && how.cell_size == 0.5 && how.origin[0] == 0.25);
    besd_domain_close(handle);
    assert_fails(besd_domain_open(&handle, "gw10", &everywhere, 1, &error), BESD_INVALID, &error,
                 "radius: expected at most the longest side");
    assert_null(handle);
}

static void refuses(void **state) {
    (void)state;
    besd_error error;
    besd_domain *handle = NULL;
    besd_env_parameter unknown = {"gama", 1}, wrong = {"gamma", 2}, nan = {"gamma", NAN};
    besd_env_parameter nameless = {NULL, 1}, crossed = {"wind_low", 0.5};
    char longer[300];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    besd_env_parameter endless = {longer, 1};
    assert_fails(besd_domain_open(&handle, "gw11", NULL, 0, &error), BESD_UNKNOWN, &error, "gw10");
    assert_fails(besd_domain_open(&handle, NULL, NULL, 0, &error), BESD_INVALID, &error, "name");
    assert_fails(besd_domain_open(&handle, "gw10", &unknown, 1, &error), BESD_UNKNOWN, &error,
                 "did you mean 'gamma'");
    assert_fails(besd_domain_open(&handle, "gw10", &wrong, 1, &error), BESD_INVALID, &error,
                 "[0, 1]");
    assert_fails(besd_domain_open(&handle, "gw10", &nan, 1, &error), BESD_INVALID, &error, "gamma");
    assert_fails(besd_domain_open(&handle, "gw10", &nameless, 1, &error), BESD_INVALID, &error,
                 "expected a name");
    assert_fails(besd_domain_open(&handle, "gw10", &endless, 1, &error), BESD_UNKNOWN, &error,
                 "xxx");
    assert_fails(besd_domain_open(&handle, "gw10", &crossed, 1, &error), BESD_INVALID, &error,
                 "wind_low");
    assert_int_equal(besd_domain_open(&handle, "gw11", NULL, 0, NULL), BESD_UNKNOWN);
    assert_null(handle);
    besd_domain_close(NULL);
}

/* What the command line takes for a domain comes in by the other door; `open` stays with the
 * built-in ones, so that a name from elsewhere runs nothing. */
static void loads_what_the_tool_does(void **state) {
    (void)state;
    char path[] = "/tmp/besd-rooms-XXXXXX.yaml";
    int file = mkstemps(path, 5);
    assert_true(file >= 0);
    static const char text[] = "name: rooms\ntau: [10]\nreps: [2]\nmap: |\n  ..G\n  #a.\n  S.K\n"
                               "choose:\n  - wall: [a]\n";
    assert_int_equal(write(file, text, sizeof text - 1), (ssize_t)(sizeof text - 1));
    close(file);
    besd_error error;
    besd_domain *handle;
    besd_env *env;
    besd_domain_info info;
    int width = 0, height = 0;
    besd_env_parameter wide = {"potential_width", 3}, unknown = {"colour", 3};
    assert_ok(besd_domain_load(&handle, path, &wide, 1, &error), &error);
    const besd_env_methods *world = besd_domain_env(handle, &env);
    besd_domain_describe(handle, &info);
    assert_string_equal(info.name, "rooms");
    assert_close(info.width, 3, 0);
    assert_ok(world->instance(env, 1, &error), &error);
    const char *cells = besd_domain_cells(handle, &width, &height);
    assert_int_equal(width * height, 9);
    assert_memory_equal(cells, "S.K##...G", 9);
    besd_domain_close(handle);
    assert_fails(besd_domain_load(&handle, path, &unknown, 1, &error), BESD_UNKNOWN, &error,
                 "colour");
    assert_null(handle);
    assert_fails(besd_domain_open(&handle, path, NULL, 0, &error), BESD_UNKNOWN, &error, "gw10");
    assert_fails(besd_domain_load(&handle, "cmd:false", NULL, 0, &error), BESD_ENVIRONMENT, &error,
                 "exit code 1");
    assert_fails(besd_domain_load(&handle, NULL, NULL, 0, &error), BESD_INVALID, &error, "name");
    unlink(path);
    assert_ok(besd_domain_load(&handle, "mc", NULL, 0, &error), &error);
    assert_null(besd_domain_cells(handle, &width, &height));
    besd_domain_close(handle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_as_the_domain_does),
        cmocka_unit_test(describes_the_paper),
        cmocka_unit_test(honours_parameters),
        cmocka_unit_test(tells_when_subgoals_are_reached),
        cmocka_unit_test(refuses),
        cmocka_unit_test(loads_what_the_tool_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
