/* besd token new: a token for a client of besd serve, with a name and a role. */
#include "cli/common.h"
#include "core/error.h"
#include "core/print.h"
#include "serve/auth.h"

#include <stdio.h>
#include <string.h>

int run_token(const verb *v, int argc, char **argv) {
    const char *words[2] = {0}, *name = NULL, *role_name = "work";
    bool as_json = false;
    option options[] = {
        {"name", OPTION_TEXT, &name, "NAME", "whose it is; events carry this name"},
        {"role", OPTION_TEXT, &role_name, "ROLE",
         "read (look), work (ask, tell, ...) or manage (everything) (default: work)"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, words, 2, 2, &code))
        return code;
    if (strcmp(words[0], "new") != 0)
        return usage_error(v, "expected 'new' and a file, got '%.40s'", words[0]);
    if (!name)
        return usage_error(v, "--name NAME is missing");
    size_t role = ROLE_READ;
    while (auth_role_name(role) && strcmp(auth_role_name(role), role_name) != 0)
        role++;
    if (!auth_role_name(role))
        return usage_error(v, "--role: expected read, work or manage, got '%.40s'", role_name);
    char token[AUTH_LONGEST_TOKEN + 1];
    besd_error error = {0};
    if (auth_make(words[1], name, (auth_role)role, token, &error) != BESD_OK)
        return refuse(v, &error);
    if (as_json)
        return print_json(
            v, json_pack("{s:s, s:s, s:s}", "name", name, "role", role_name, "token", token));
    print_clean(stdout, "%s\n", token);
    fputs("this is the only time it is shown; the file keeps its digest\n", stderr);
    return finish_output(v);
}
