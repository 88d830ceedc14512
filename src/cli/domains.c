/* besd domains */
#include "cli/common.h"
#include "core/print.h"

#include <math.h>
#include <stdio.h>

static json_t *describe_levels(const domain *d) {
    json_t *tau = json_array(), *reps = json_array();
    for (int i = 0; i < DOMAIN_MAX_LEVELS && d->tau[i]; i++)
        json_array_append_new(tau, json_integer(d->tau[i]));
    for (int i = 0; i < DOMAIN_MAX_LEVELS && d->reps[i]; i++)
        json_array_append_new(reps, json_integer(d->reps[i]));
    return json_pack("{s:o, s:o}", "tau", tau, "reps", reps);
}

/* The box of theta: the subgoal's box, once for every subgoal. */
static json_t *describe_bounds(const besd_env_spec *spec, const double *bound, int subgoals) {
    json_t *array = json_array();
    for (int k = 0; k < subgoals; k++)
        for (int i = 0; i < spec->position; i++)
            json_array_append_new(array, json_number(bound[i]));
    return array;
}

static json_t *describe_reaching(const domain *d, const besd_env_spec *spec) {
    const besd_env_reaching *how = &d->reach.how;
    json_t *object = json_pack("{s:s}", "reach", reach_options_word(how->reach));
    if (how->reach == BESD_REACH_RADIUS)
        json_object_set_new(object, "radius", json_number(how->radius));
    if (how->reach != BESD_REACH_CELL)
        return object;
    json_t *origin = json_array();
    for (int i = 0; i < spec->position; i++)
        json_array_append_new(origin, json_number(how->origin[i]));
    json_object_set_new(object, "cell_size", json_number(how->cell_size));
    json_object_set_new(object, "origin", origin);
    return object;
}

static json_t *describe(const domain *d, const besd_env_spec *spec) {
    int subgoals = (int)d->value[PARAMETER_SUBGOALS];
    json_t *parameters = json_object();
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!isnan(d->value[i]))
            json_object_set_new(parameters, domain_parameter_infos[i].name,
                                json_number(d->value[i]));
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:i, s:o, s:o, s:i, s:I, s:o}", "name", d->name, "title", d->title,
        "objective", objective_name(d->objective), "dimension", subgoals * spec->position,
        "theta_low", describe_bounds(spec, spec->subgoal_low, subgoals), "theta_high",
        describe_bounds(spec, spec->subgoal_high, subgoals), "actions", spec->actions, "states",
        (json_int_t)spec->states, "parameters", parameters);
    json_object_set_new(object, "reaching", describe_reaching(d, spec));
    json_t *levels = describe_levels(d);
    json_object_update(object, levels);
    json_decref(levels);
    return object;
}

static void print_levels(const domain *d) {
    for (int i = 0; i < DOMAIN_MAX_LEVELS && d->tau[i]; i++)
        print_clean(stdout, "%s%lld", i ? ", " : "tau {", (long long)d->tau[i]);
    for (int i = 0; i < DOMAIN_MAX_LEVELS && d->reps[i]; i++)
        print_clean(stdout, "%s%d", i ? ", " : "}, reps {", d->reps[i]);
    puts("}");
}

/* Their number, "2", or the range that it is chosen from, "1..4". */
static const char *count_subgoals(const domain *d, char *text, size_t size) {
    int most = (int)d->value[PARAMETER_SUBGOALS], fewest = (int)d->value[PARAMETER_FEWEST_SUBGOALS];
    if (fewest > 0)
        snprintf(text, size, "%d..%d", fewest, most);
    else
        snprintf(text, size, "%d", most);
    return text;
}

/* When a subgoal is reached, and what legs make of it. */
static void print_reaching(const domain *d, const besd_env_spec *spec) {
    const besd_env_reaching *how = &d->reach.how;
    double cell = reach_options_cell(how, spec->position);
    if (how->reach == BESD_REACH_CROSS)
        print_clean(stdout, "reached by passing over it\n  ");
    else if (how->reach == BESD_REACH_RADIUS)
        print_clean(stdout,
                    "reached within %g of it; legs are compared by cells of side %.3g, the cubes "
                    "in its ball\n  ",
                    how->radius, cell);
    else
        print_clean(stdout, "reached in its cell of side %g\n  ", cell);
}

static void print_details(const domain *d, const besd_env_spec *spec) {
    print_clean(stdout, "%s: %s\n", d->name, d->title);
    char subgoals[40];
    print_clean(stdout, "  objective %s; %s subgoals of %d coordinates in",
                objective_name(d->objective), count_subgoals(d, subgoals, sizeof subgoals),
                spec->position);
    for (int i = 0; i < spec->position; i++)
        print_clean(stdout, "%s [%g, %g]", i ? " x" : "", spec->subgoal_low[i],
                    spec->subgoal_high[i]);
    print_clean(stdout, "\n  ");
    print_reaching(d, spec);
    print_levels(d);
    puts("\n  constants, each for --set NAME=VALUE:");
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (i == PARAMETER_SUBGOALS)
            print_clean(stdout, "    %-18s %-8s %s\n", domain_parameter_infos[i].name, subgoals,
                        domain_parameter_infos[i].text);
        else if (!isnan(d->value[i]))
            print_clean(stdout, "    %-18s %-8g %s\n", domain_parameter_infos[i].name, d->value[i],
                        domain_parameter_infos[i].text);
    puts("  (subgoals takes a range as well, from which a study chooses: --set subgoals=1..4;\n"
         "  wind, epsilon and start each set a low/high or start/end pair at once;\n"
         "  tau, reps, initial_designs and objective are set likewise: --set tau=200,600;\n"
         "  reach=cell with cell_size and origin, reach=radius with radius, or reach=cross say\n"
         "  when a subgoal is reached: --set radius=0.4)");
}

static besd_status load(const char *name, const domain_options *options, domain *d,
                        besd_env_spec *spec, besd_error *error) {
    besd_env *env = NULL;
    besd_status chosen = choose_domain(name, options, d, error), status = chosen;
    if (status == BESD_OK)
        status = domain_open(d, &env, error);
    if (status == BESD_OK) {
        domain_spec(d, env, spec);
        d->methods->destroy(env);
    } else if (chosen == BESD_OK) {
        domain_release(d);
    }
    return status;
}

int run_domains(const verb *v, int argc, char **argv) {
    bool as_json = false;
    const char *name = NULL;
    domain_options chosen = {0};
    option options[] = {{"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
                        DOMAIN_OPTIONS(chosen),
                        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &name, 0, 1, &code))
        return code;
    domain d;
    besd_env_spec spec;
    besd_error error;
    if (name) {
        if (load(name, &chosen, &d, &spec, &error) != BESD_OK)
            return refuse(v, &error);
        json_t *object = as_json ? describe(&d, &spec) : NULL;
        if (!as_json)
            print_details(&d, &spec);
        domain_release(&d);
        return as_json ? print_json(v, object) : finish_output(v);
    }
    json_t *all = json_array();
    for (size_t i = 0; domain_name(i); i++) {
        if (load(domain_name(i), &chosen, &d, &spec, &error) != BESD_OK) {
            json_decref(all);
            return refuse(v, &error);
        }
        json_array_append_new(all, describe(&d, &spec));
        if (!as_json) {
            print_clean(stdout, "%-5s %s\n      ", d.name, d.title);
            print_levels(&d);
        }
    }
    if (as_json)
        return print_json(v, json_pack("{s:o}", "domains", all));
    json_decref(all);
    puts("\n'besd domains NAME' lists the constants of one.");
    return finish_output(v);
}
