#include "contest/summary_json.h"

#include "core/json.h"
#include "core/stats.h"
#include "page/ground.h"

#include <string.h>

#include <math.h>
#include <stdlib.h>

const char *verdict_name(int verdict) {
    return verdict > 0 ? "besd" : verdict < 0 ? "rival" : "neither";
}

static json_t *interval_json(interval i) {
    return json_pack("{s:o, s:o, s:o}", "value", json_number(i.value), "low", json_number(i.low),
                     "high", json_number(i.high));
}

static json_t *point_json(const summary_point *p) {
    return json_pack("{s:o, s:i, s:o, s:o, s:o, s:o, s:o}", "cost", json_number(p->cost),
                     "replications", p->known, "mean", json_number(p->mean), "two_se",
                     json_number(p->two_se), "iqm", interval_json(p->iqm), "log_regret",
                     json_number(p->log_regret), "log_regret_two_se",
                     json_number(p->log_regret_two_se));
}

static json_t *reach_json(const summary_domain *d, const summary_method *m) {
    double regrets[SUMMARY_MAX_REGRETS];
    json_t *reach = json_array();
    int count = summary_regrets(d, regrets);
    for (int k = 0; k < count; k++)
        json_array_append_new(reach,
                              json_pack("{s:o, s:o}", "regret", json_number(regrets[k]), "cost",
                                        json_number(summary_cost_to_reach(d, m, regrets[k]))));
    return reach;
}

/* Did the initial design take all of the budget? */
static bool never_chose(const summary_method *m) {
    const job_result *job = &m->entry->result[0];
    return job->trial_count && job->trials[job->trial_count - 1].reason == BESD_REASON_INITIAL;
}

static json_t *method_json(const summary_domain *d, const summary_method *m) {
    json_t *curve = json_array();
    for (int k = 0; k < JOB_POINTS; k++)
        json_add(&curve, point_json(&m->points[k]));
    return json_pack("{s:s, s:i, s:b, s:b, s:o, s:o, s:o, s:o}", "method", m->entry->method,
                     "replications", m->entry->count, "optimises",
                     m->entry->result[0].trial_count > 0, "never_chose", never_chose(m), "area",
                     json_number(m->area), "initial_design_ends_at", json_number(m->initial_end),
                     "curve", curve, "reach", reach_json(d, m));
}

static json_t *rivalry_json(const summary_domain *d, const summary_rivalry *r) {
    json_t *object = json_pack(
        "{s:s, s:b, s:o, s:o, s:o}", "method", d->methods[r->rival].entry->method, "best_baseline",
        r->rival == d->best_rival, "cost_besd_to_reach", json_number(r->cost),
        "cost_method_to_reach", json_number(r->rival_cost), "cost_ratio", json_number(r->ratio));
    for (int at = 0; at < MOMENTS; at++) {
        int verdict = summary_verdict(d, r->at[at].difference);
        json_object_set_new(object, summary_moment_name((summary_moment)at),
                            json_pack("{s:o, s:o, s:s}", "difference",
                                      interval_json(r->at[at].difference), "improvement",
                                      interval_json(r->at[at].improvement), "favours",
                                      verdict_name(verdict)));
    }
    return object;
}

/* What an agent has learnt after so many interactions with an instance, with besd's final
 * recommendations and without subgoals. */
static json_t *learning_json(const summary_domain *d) {
    const results_entry *e = d->besd >= 0 ? d->methods[d->besd].entry : NULL;
    double *values = e ? malloc((size_t)e->count * sizeof *values) : NULL;
    json_t *points = json_array();
    for (int k = 0; k < JOB_CHECKPOINTS; k++) {
        sample_summary s = {.mean = NAN, .se = NAN};
        for (int i = 0; values && i < e->count; i++)
            values[i] = e->result[i].curve[k];
        if (values)
            s = stats_summarise(values, (size_t)e->count);
        json_add(&points, json_pack("{s:I, s:o, s:o, s:o}", "interactions",
                                    (json_int_t)(d->contest->checkpoint * (k + 1)), "plain",
                                    json_number(d->contest->plain[k]), "mean", json_number(s.mean),
                                    "two_se", json_number(2 * s.se)));
    }
    free(values);
    return json_pack("{s:o, s:o}", "optimum", json_number(d->contest->curve_optimum), "points",
                     points);
}

/* Which tau and reps besd paid for: trials of all its runs in tenths of the budget. */
enum { TENTHS = 10, MOST_PAIRS = 64 };

typedef struct lever_pair {
    int64_t tau;
    int32_t reps;
    json_int_t trials[TENTHS];
} lever_pair;

static int by_reps_and_tau(const void *a, const void *b) {
    const lever_pair *x = a, *y = b;
    return x->reps != y->reps ? (x->reps > y->reps) - (x->reps < y->reps)
                              : (x->tau > y->tau) - (x->tau < y->tau);
}

static size_t count_pairs(const summary_domain *d, lever_pair *pairs) {
    const results_entry *e = d->methods[d->besd].entry;
    size_t count = 0;
    for (int r = 0; r < e->count; r++)
        for (size_t t = 0; t < e->result[r].trial_count; t++) {
            const job_trial *trial = &e->result[r].trials[t];
            double tenth = TENTHS * trial->cost / d->contest->budget;
            size_t at = 0;
            while (at < count && (pairs[at].tau != trial->tau || pairs[at].reps != trial->reps))
                at++;
            if (at == MOST_PAIRS)
                continue;
            if (at == count)
                pairs[count++] = (lever_pair){.tau = trial->tau, .reps = trial->reps};
            pairs[at].trials[tenth < TENTHS ? (int)tenth : TENTHS - 1]++;
        }
    qsort(pairs, count, sizeof *pairs, by_reps_and_tau);
    return count;
}

static json_t *levers_json(const summary_domain *d) {
    lever_pair pairs[MOST_PAIRS];
    size_t count = d->besd >= 0 ? count_pairs(d, pairs) : 0;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *trials = json_array();
        for (int k = 0; k < TENTHS; k++)
            json_add(&trials, json_integer(pairs[i].trials[k]));
        json_add(&list, json_pack("{s:I, s:i, s:o}", "tau", (json_int_t)pairs[i].tau, "reps",
                                  (int)pairs[i].reps, "trials", trials));
    }
    return list;
}

/* The map under besd's designs; null where it is not known. */
static json_t *map_json(const summary_domain *d) {
    domain known;
    if (d->besd < 0)
        return json_null();
    if (!domain_from_identity(d->contest->identity, &known)) {
        if (!d->contest->map)
            return json_null();
        domain_init(&known, d->contest->domain, "");
        domain_init_grid(&known);
        known.map = *d->contest->map;
    }
    size_t each = known.kind == DOMAIN_MOUNTAIN_CAR ? 1 : 2;
    return ground_of_domain(&known, d->methods[d->besd].entry->result[0].dimension / each);
}

/* How the recommendations of besd's first runs moved. */
enum { SHOWN_RUNS = 4 };
static json_t *paths_json(const summary_domain *d) {
    const results_entry *e = d->besd >= 0 ? d->methods[d->besd].entry : NULL;
    json_t *runs = json_array();
    for (int i = 0; e && i < e->count && i < SHOWN_RUNS; i++) {
        json_t *points = json_array();
        for (int k = 0; k < JOB_POINTS; k++) {
            const job_point *p = &e->result[i].points[k];
            if (p->known)
                json_add(&points, json_pack("{s:o, s:o}", "cost", json_number(p->cost), "theta",
                                            json_numbers(p->theta, e->result[i].dimension)));
        }
        json_add(&runs, points);
    }
    return runs;
}

/* What the identity says besides the name: the words of --set, as a list. */
static json_t *settings_json(const results_contest *c) {
    json_t *list = json_array();
    size_t name = strlen(c->domain);
    const char *at = strncmp(c->identity, c->domain, name) ? c->identity : c->identity + name;
    while (*(at += strspn(at, " "))) {
        size_t length = strcspn(at, " ");
        json_add(&list, json_stringn(at, length));
        at += length;
    }
    return list;
}

static json_t *domain_json(const summary_domain *d) {
    json_t *methods = json_array(), *rivalries = json_array();
    const results_contest *c = d->contest;
    domain known;
    for (int m = 0; m < d->method_count; m++)
        json_add(&methods, method_json(d, &d->methods[m]));
    for (int r = 0; r < d->rivalry_count; r++)
        json_add(&rivalries, rivalry_json(d, &d->rivalries[r]));
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "domain", c->domain, "identity",
        c->identity, "objective", c->maximise ? "return" : "steps", "budget",
        json_number(c->budget), "checkpoint", (json_int_t)c->checkpoint, "test_instances",
        (json_int_t)c->instances, "seed", (json_int_t)c->seed, "optimum", json_number(c->optimum),
        "plain", json_number(c->plain_score), "methods", methods, "comparisons", rivalries);
    return json_joined(
        object, json_pack("{s:o, s:b, s:b, s:b, s:o, s:o, s:o, s:o}", "settings", settings_json(c),
                          "built_in", domain_from_identity(c->identity, &known), "has_scale",
                          summary_has_scale(d), "has_few", d->besd >= 0 && summary_has_few(d),
                          "learning", learning_json(d), "levers", levers_json(d), "map",
                          map_json(d), "paths", paths_json(d)));
}

static json_t *profile_json(const summary_profile *p) {
    json_t *shares = json_array();
    for (int t = 0; t < SUMMARY_THRESHOLDS; t++) {
        json_t *share = interval_json(p->share[t]);
        json_object_set_new(share, "threshold", json_real(summary_threshold(t)));
        json_add(&shares, share);
    }
    return json_pack("{s:s, s:o, s:o, s:o}", "method", p->method, "iqm", interval_json(p->iqm),
                     "mean", interval_json(p->mean), "shares", shares);
}

json_t *summary_json(const summary *s, const table1 *t) {
    json_t *domains = json_array(), *profiles = json_array();
    for (int i = 0; i < s->domain_count; i++)
        json_add(&domains, domain_json(&s->domains[i]));
    for (int p = 0; p < s->profile_count; p++)
        json_add(&profiles, profile_json(&s->profiles[p]));
    return json_pack("{s:o, s:o, s:o}", "domains", domains, "profiles", profiles, "table1",
                     table1_json(t));
}
