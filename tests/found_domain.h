/* A built-in domain, found by its name, and a look at its constants. */
#ifndef BESD_TESTS_FOUND_DOMAIN_H
#define BESD_TESTS_FOUND_DOMAIN_H

#include "testing.h"

#include "world/domain.h"

static inline domain found(const char *name) {
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_find(name, &d, &error), &error);
    return d;
}

static inline void check_value(const domain *d, domain_parameter parameter, double expected) {
    double got = d->value[parameter];
    if (!(got == expected || (isnan(got) && isnan(expected))))
        fail_msg("%s %s: expected %g, got %g", d->name, domain_parameter_infos[parameter].name,
                 expected, got);
}

#endif
