/* besd certify */
#include "cli/common.h"
#include "cli/study_place.h"
#include "core/print.h"

#include <stdio.h>

static void print_certificate(const besd_study *s, const besd_certificate *c) {
    const besd_study_options *o = besd_study_get_options(s);
    print_clean(stdout,
                "fill distance of the %zu fixed targets: %.4g (proven between %.4g and %.4g)\n",
                c->targets, c->fill_distance, c->fill_distance_low, c->fill_distance);
    print_clean(stdout,
                "Lipschitz constant of the performance: %.4g, with probability %.10g (along",
                c->lipschitz_norm, 1 - c->delta);
    for (size_t i = 0; i < o->dimension; i++)
        print_clean(stdout, "%s %s: %.4g", i ? "," : "", o->names[i], c->lipschitz[i]);
    print_clean(
        stdout,
        ")\n\nwith probability %.10g the design the study converges to is within %.4g of the best\n"
        "possible one, on the model's scale, where the prior standard deviation is %.4g.\n"
        "This is theorem 2 of the paper. It is loose: it shows that the loss is bounded, and "
        "that a\n"
        "finer discretisation lowers the bound in proportion to its fill distance.\n",
        1 - c->delta, c->bound, c->prior_sd);
}

int run_certify(const verb *v, int argc, char **argv) {
    const char *path = NULL;
    bool as_json = false;
    double delta = 0.05;
    option options[] = {
        {"delta", OPTION_NUMBER, &delta, "D", "probability that the bound fails (default 0.05)"},
        {"json", OPTION_FLAG, &as_json, NULL, "print one JSON object"},
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &path, 1, 1, &code))
        return code;
    besd_study *s;
    besd_certificate c;
    besd_error error;
    if (study_place_open(v->name, path, &s, &error) != BESD_OK)
        return refuse(v, &error);
    if (besd_study_certify(s, delta, &c, &error) != BESD_OK) {
        code = refuse(v, &error);
    } else if (as_json) {
        code =
            print_json(v, json_pack("{s:o, s:I, s:{s:o, s:o}, s:o, s:o, s:o, s:o}", "delta",
                                    json_number(c.delta), "targets", (json_int_t)c.targets,
                                    "fill_distance", "lower", json_number(c.fill_distance_low),
                                    "upper", json_number(c.fill_distance), "lipschitz",
                                    json_numbers(c.lipschitz, besd_study_get_options(s)->dimension),
                                    "lipschitz_norm", json_number(c.lipschitz_norm), "bound",
                                    json_number(c.bound), "prior_sd", json_number(c.prior_sd)));
    } else {
        print_certificate(s, &c);
        code = finish_output(v);
    }
    besd_study_close(s);
    return code;
}
