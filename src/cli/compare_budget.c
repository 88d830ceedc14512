/* --budget of besd compare: "100000" for all domains, or "gw10=100000,tr=200000,50000" with one for
 * each and one for the others; what is not said is the domain's own, or as besd run has it. */
#include "cli/compare.h"
#include "core/error.h"
#include "run/default_budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number above 0 that these letters say; NaN: they say no such number. */
static double read_budget(const char *text, size_t length) {
    char copy[64], *end;
    if (!length || length >= sizeof copy)
        return NAN;
    memcpy(copy, text, length);
    copy[length] = 0;
    double budget = strtod(copy, &end);
    return !*end && budget > 0 && isfinite(budget) ? budget : NAN;
}

static bool is_domain(const comparison *c, const char *name, size_t length) {
    for (int i = 0; i < c->contest_count; i++)
        if (strlen(c->contests[i].domain.name) == length &&
            !strncmp(c->contests[i].domain.name, name, length))
            return true;
    return false;
}

/* Every entry is right, and none is about a domain that is not compared. */
static besd_status check_list(const comparison *c, const char *list, besd_error *error) {
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        const char *sign = memchr(at, '=', length);
        const char *number = sign ? sign + 1 : at;
        if (isnan(read_budget(number, length - (size_t)(number - at))))
            return besd_fail(error, BESD_INVALID,
                             "budget: expected a number above 0, or DOMAIN=NUMBER for each, got "
                             "'%.*s'",
                             (int)length, at);
        if (sign && !is_domain(c, at, (size_t)(sign - at)))
            return besd_fail(error, BESD_INVALID,
                             "budget: expected one of the domains that are compared, got '%.*s'",
                             (int)(sign - at), at);
        at += length;
        if (!*at)
            return BESD_OK;
    }
}

/* What the list says for a domain, by name or for all; NaN: nothing. */
static double find_budget(const char *list, const char *name) {
    double for_all = NAN, own = NAN;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ","), own_name = strlen(name);
        const char *sign = memchr(at, '=', length);
        if (!sign)
            for_all = read_budget(at, length);
        else if ((size_t)(sign - at) == own_name && !strncmp(at, name, own_name))
            own = read_budget(sign + 1, length - own_name - 1);
        at += length;
        if (!*at)
            return isnan(own) ? for_all : own;
    }
}

static besd_status default_for(const domain *d, double *budget, besd_error *error) {
    domain_study b;
    besd_status status = domain_study_init(&b, d, error);
    return status == BESD_OK ? budget_default(&b.options, budget, error) : status;
}

besd_status compare_set_budgets(comparison *c, const char *list, besd_error *error) {
    besd_status status = list ? check_list(c, list, error) : BESD_OK;
    for (int i = 0; status == BESD_OK && i < c->contest_count; i++) {
        contest *one = &c->contests[i];
        double said = list ? find_budget(list, one->domain.name) : NAN;
        if (!isnan(said))
            one->budget = said;
        else if (!(one->budget > 0))
            status = default_for(&one->domain, &one->budget, error);
    }
    return status;
}
