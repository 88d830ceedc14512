/* Reading a table. That real shared objects load is in test_cli_plugin.sh. */
#include "testing.h"

#include "fake_env.h"
#include "world/grid.h"
#include "world/plugin.h"

#include <stdio.h>

static besd_status create(const besd_env_parameter *parameters, size_t count, besd_env **env,
                          besd_error *error) {
    (void)parameters, (void)count, (void)env, (void)error;
    return BESD_OK;
}

static void destroy(besd_env *env) {
    (void)env;
}

static besd_status instance(besd_env *env, uint64_t seed, besd_error *error) {
    (void)env, (void)seed, (void)error;
    return BESD_OK;
}

static const char *const settings[] = {"gamma=1", NULL};

static besd_env_methods complete(void) {
    besd_env_methods m = fake_methods;
    m.create = create;
    m.destroy = destroy;
    m.instance = instance;
    m.settings = settings;
    return m;
}

static void test_a_complete_table(void **state) {
    (void)state;
    besd_env_methods table = complete(), read;
    besd_error error = {BESD_OK, ""};
    assert_ok(plugin_read_table("x.so", &table, &read, &error), &error);
    assert_memory_equal(&read, &table, sizeof read);
}

/* What lies behind the end of a smaller table is not read. */
static void test_an_older_table(void **state) {
    (void)state;
    besd_env_methods table = complete(), read;
    besd_error error = {BESD_OK, ""};
    table.size = BESD_ENV_LEAST_SIZE;
    assert_ok(plugin_read_table("x.so", &table, &read, &error), &error);
    assert_true(read.step == table.step && read.name == table.name);
    assert_true(!read.settings && !read.step_many && !read.failure && !read.reaching);
}

static void refuse(const besd_env_methods *table, const char *sentence) {
    besd_env_methods read;
    besd_error error = {BESD_OK, ""};
    assert_fails(plugin_read_table("x.so", table, &read, &error), BESD_ENVIRONMENT, &error,
                 sentence);
    assert_int_equal(strncmp(error.message, "x.so: ", 6), 0);
}

static void test_tables_of_another_shape(void **state) {
    (void)state;
    besd_env_methods table = complete();
    refuse(NULL, "told no table");
    table.version = BESD_ENV_VERSION + 1;
    refuse(&table, "version 2 of besd/env.h, this besd has version 1");
    table.version = 0;
    refuse(&table, "version 0");
    const uint32_t sizes[] = {0, BESD_ENV_LEAST_SIZE - 1, sizeof table + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        table = complete();
        table.size = sizes[i];
        refuse(&table, "bytes, expected");
    }
}

static void test_missing_members(void **state) {
    (void)state;
    besd_env_methods tables[8];
    static const char *const names[] = {"name",     "create", "destroy", "spec",
                                        "instance", "seed",   "reset",   "step"};
    for (int i = 0; i < 8; i++)
        tables[i] = complete();
    tables[0].name = NULL;
    tables[1].create = NULL;
    tables[2].destroy = NULL;
    tables[3].spec = NULL;
    tables[4].instance = NULL;
    tables[5].seed = NULL;
    tables[6].reset = NULL;
    tables[7].step = NULL;
    for (int i = 0; i < 8; i++) {
        char sentence[64];
        snprintf(sentence, sizeof sentence, "its table lacks .%s, which is REQUIRED", names[i]);
        refuse(&tables[i], sentence);
    }
}

static void test_names(void **state) {
    (void)state;
    char long_name[DOMAIN_NAME_SIZE + 1];
    memset(long_name, 'a', DOMAIN_NAME_SIZE);
    long_name[DOMAIN_NAME_SIZE] = 0;
    const char *const names[] = {"", "two words", "a/b", "tab\there", long_name};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        besd_env_methods table = complete();
        table.name = names[i];
        refuse(&table, "expected a name of 1 to 63 characters");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_complete_table),
        cmocka_unit_test(test_an_older_table),
        cmocka_unit_test(test_tables_of_another_shape),
        cmocka_unit_test(test_missing_members),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
