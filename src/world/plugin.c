/* The table is copied: an older table ends before the newest members, and these must be NULL and
 * not whatever lies behind the table. */
#include "world/plugin.h"

#include "core/error.h"
#include "world/domain_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct plugin {
    domain_source source; /* first: a source is its plugin */
    void *library;
    besd_env_methods methods;
} plugin;

static besd_status plugin_open(domain_source *source, const domain *d, besd_env **env,
                               besd_error *error) {
    const plugin *p = (const plugin *)source;
    besd_error own = {BESD_OK, ""};
    *env = NULL;
    besd_status status = p->methods.create(source->own, source->own_count, env, &own);
    if (status == BESD_OK && !*env)
        return besd_fail(error, BESD_ENVIRONMENT,
                         "environment %s: its create answered success and made no handle", d->name);
    if (status == BESD_OK)
        return BESD_OK;
    *env = NULL;
    return besd_fail(error, status < 0 ? status : BESD_ENVIRONMENT, "environment %s: %.300s",
                     d->name, own.message[0] ? own.message : "its create failed without a reason");
}

static void plugin_release(domain_source *source) {
    plugin *p = (plugin *)source;
    if (p->library)
        dlclose(p->library);
    free(p);
}

besd_status plugin_read_table(const char *where, const besd_env_methods *table,
                              besd_env_methods *methods, besd_error *error) {
    if (!table)
        return besd_fail(error, BESD_ENVIRONMENT, "%s: besd_env_plugin told no table, but NULL",
                         where);
    if (table->version != BESD_ENV_VERSION)
        return besd_fail(error, BESD_ENVIRONMENT,
                         "%s: it is made for version %u of besd/env.h, this besd has version %u; "
                         "compile it again",
                         where, (unsigned)table->version, (unsigned)BESD_ENV_VERSION);
    if (table->size < BESD_ENV_LEAST_SIZE || table->size > sizeof *methods)
        return besd_fail(error, BESD_ENVIRONMENT,
                         "%s: its table has %u bytes, expected %zu to %zu; set .size = "
                         "sizeof(besd_env_methods) and compile it with this besd's header",
                         where, (unsigned)table->size, BESD_ENV_LEAST_SIZE, sizeof *methods);
    memset(methods, 0, sizeof *methods);
    memcpy(methods, table, table->size);
    const struct {
        const char *name;
        bool there;
    } required[] = {{"name", methods->name != NULL},         {"create", methods->create != NULL},
                    {"destroy", methods->destroy != NULL},   {"spec", methods->spec != NULL},
                    {"instance", methods->instance != NULL}, {"seed", methods->seed != NULL},
                    {"reset", methods->reset != NULL},       {"step", methods->step != NULL}};
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (!required[i].there)
            return besd_fail(error, BESD_ENVIRONMENT, "%s: its table lacks .%s, which is REQUIRED",
                             where, required[i].name);
    size_t length = strlen(methods->name);
    if (!length || length >= DOMAIN_NAME_SIZE || strpbrk(methods->name, " \t\n/"))
        return besd_fail(error, BESD_ENVIRONMENT,
                         "%s: expected a name of 1 to %d characters without blanks and '/', got "
                         "'%.80s'",
                         where, DOMAIN_NAME_SIZE - 1, methods->name);
    return BESD_OK;
}

typedef const besd_env_methods *plugin_function(void);

/* Is there a file that is no shared object? The dynamic loader's message would not help the user.
 */
static bool is_something_else(const char *path) {
    static const char mark[] = {0x7f, 'E', 'L', 'F'};
    char begins[sizeof mark];
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    if (!file)
        return false;
    size_t got = fread(begins, 1, sizeof begins, file);
    fclose(file);
    return got < sizeof mark || memcmp(begins, mark, sizeof mark) != 0;
}

static besd_status find_table(plugin *p, const char *path, besd_error *error) {
    char place[4096];
    snprintf(place, sizeof place, "%s%s", strchr(path, '/') ? "" : "./", path);
    size_t length = strlen(path);
    if (is_something_else(place) && length > 3 && !strcmp(path + length - 3, ".so"))
        return besd_fail(error, BESD_INVALID, "plugin: %s: it is no shared object", path);
    if (is_something_else(place))
        return besd_fail(error, BESD_INVALID,
                         "%s: it is neither a domain nor a study nor the description of one; "
                         "expected a built-in domain, FILE.yaml, STUDY.besd, a plugin (a shared "
                         "object such as ./delivery.so) or 'cmd:COMMAND'",
                         path);
    p->library = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    if (!p->library)
        return besd_fail(error, BESD_IO, "plugin: %s", dlerror());
    void *symbol = dlsym(p->library, "besd_env_plugin");
    if (!symbol)
        return besd_fail(error, BESD_ENVIRONMENT,
                         "%s: it exports no function besd_env_plugin; see besd/env.h", path);
    plugin_function *function;
    memcpy(&function, &symbol, sizeof function); /* ISO C has no cast for this */
    return plugin_read_table(path, function(), &p->methods, error);
}

besd_status plugin_load(const char *path, domain *d, besd_error *error) {
    char title[128];
    plugin *p = calloc(1, sizeof *p);
    if (!p)
        return besd_fail_memory(error, "a plugin");
    p->source = (domain_source){.open = plugin_open, .release = plugin_release};
    besd_status status = find_table(p, path, error);
    if (status != BESD_OK) {
        plugin_release(&p->source);
        return status;
    }
    snprintf(title, sizeof title, "the plugin %s", path);
    return domain_adopt(d, p->methods.name, title, &p->source, &p->methods, p->methods.settings,
                        error);
}
