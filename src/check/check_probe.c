/* Is there anything to learn? Random designs are tried, one agent each, as long as that is quick.
 */
#include "check/checker.h"

#include "core/clock.h"
#include "learn/trial.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_PLAIN = 20 }; /* agents without subgoals, for comparison */

static const double LONGEST = 5; /* seconds of all of them */

typedef struct probe {
    int designs, reached; /* tried; of these, so many reached the goal */
    int plain;            /* tried without subgoals */
    double best, plain_sum;
    besd_error error;
} probe;

/* One agent in the instance of this number, to the longest tau; theta NULL: without subgoals. */
static besd_status try_design(const checker *c, int number, const double *theta, double *score,
                              bool *reached, besd_error *error) {
    const domain *d = c->domain;
    trial_result result;
    trial_request r = {.domain = d,
                       .theta = theta,
                       .theta_length = (size_t)(d->value[PARAMETER_SUBGOALS] * c->spec.position),
                       .tau = domain_tau_max(d),
                       .reps = 1,
                       .instances = 1,
                       .seed = rng_seed(c->seed, RNG_TEST, (uint64_t)number, 3, 0),
                       .threads = 1};
    besd_status status = trial_run(&r, &result, error);
    if (status != BESD_OK)
        return status;
    *score = result.final[0];
    *reached = result.reached_goal[0];
    trial_result_free(&result);
    return BESD_OK;
}

static void draw_design(const checker *c, int number, double *theta) {
    rng r = rng_open(c->seed, RNG_TEST, (uint64_t)number, 4, 0);
    int numbers = (int)c->domain->value[PARAMETER_SUBGOALS] * c->spec.position;
    for (int i = 0; i < numbers; i++) {
        int k = i % c->spec.position;
        theta[i] = rng_between(&r, c->spec.subgoal_low[k], c->spec.subgoal_high[k]);
    }
}

static besd_status try_all(const checker *c, probe *p) {
    const bool less_is_better = c->domain->objective == OBJECTIVE_STEPS;
    double theta[BESD_SUBGOALS_MAX * BESD_SUBGOALS_MAX_DIMENSION], score, begin = clock_seconds();
    besd_status status = BESD_OK;
    bool reached;
    for (int i = 0; i < c->probe && clock_seconds() - begin < LONGEST; i++) {
        draw_design(c, i, theta);
        status = try_design(c, i, theta, &score, &reached, &p->error);
        if (status != BESD_OK)
            return status;
        bool better = less_is_better ? score < p->best : score > p->best;
        p->best = !p->designs || better ? score : p->best;
        p->reached += reached;
        p->designs++;
        if (i >= MOST_PLAIN)
            continue;
        status = try_design(c, i, NULL, &score, &reached, &p->error);
        if (status != BESD_OK)
            return status;
        p->plain_sum += score;
        p->plain++;
    }
    return status;
}

besd_status check_probe(checker *c) {
    const char *unit = c->domain->objective == OBJECTIVE_STEPS ? "steps" : "return";
    probe p = {0};
    c->finding->verdict = CHECK_TOLD;
    if (!c->probe) {
        SAY(c, got, "no random designs were tried");
        return BESD_OK;
    }
    besd_status status = try_all(c, &p);
    if (status == BESD_MEMORY)
        return status;
    if (status != BESD_OK) {
        SAY(c, got, "random designs could not be tried: %.400s", p.error.message);
        return BESD_OK;
    }
    char fewer[64] = "";
    if (p.designs < c->probe)
        snprintf(fewer, sizeof fewer, ", %d were tried in %g seconds", p.designs, LONGEST);
    SAY(c, got,
        "%d of %d random designs reach the goal (an agent each, tau %" PRId64 "%s); best %.4g %s; "
        "without subgoals: %.4g",
        p.reached, p.designs, domain_tau_max(c->domain), fewer, p.best, unit,
        p.plain_sum / p.plain);
    if (p.reached)
        return BESD_OK;
    SAY(c, expected, "some of %d random designs reach the goal", p.designs);
    return check_warn(c, "nothing is learnt yet, and a study could not tell designs apart: train "
                         "longer (tau), see when a subgoal is reached (reach), or use more "
                         "subgoals");
}
