#include "contest/summary.h"

#include "core/error.h"
#include "core/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double summary_threshold(int index) {
    return index / (double)(SUMMARY_THRESHOLDS - 1);
}

const char *summary_moment_name(summary_moment moment) {
    return moment == AT_HALF ? "half" : "final";
}

int summary_moment_point(summary_moment moment) {
    return moment == AT_HALF ? JOB_POINTS / 2 - 1 : JOB_POINTS - 1;
}

bool summary_is_besd(const char *method) {
    return !strcmp(method, "besd") || !strncmp(method, "besd:", 5);
}

/* Where the optimum is not known regret is the loss itself: differences and ranks are the same. */
static double regret_of(const results_contest *c, double value) {
    double optimum = isfinite(c->optimum) ? c->optimum : 0;
    return c->maximise ? optimum - value : value - optimum;
}

double summary_regret(const summary_domain *d, const job_point *point) {
    return regret_of(d->contest, point->known ? point->mean : d->contest->plain_score);
}

bool summary_has_few(const summary_domain *d) {
    return d->besd < 0 || d->methods[d->besd].entry->count < SUMMARY_FEWEST;
}

int summary_verdict(const summary_domain *d, interval difference) {
    if (summary_has_few(d) || !(difference.low > 0 || difference.high < 0))
        return 0;
    return (difference.low > 0) == d->contest->maximise ? 1 : -1;
}

/* In a table thousandths are enough. */
static int decimals_for(double spread) {
    int decimals = spread > 0 ? stats_decimals(spread) : 1;
    return decimals < 3 ? decimals : 3;
}

const char *summary_print_mean(const summary_point *p, const char *sign, char *text, size_t size) {
    int decimals = decimals_for(p->two_se);
    if (!isfinite(p->mean))
        snprintf(text, size, "-");
    else if (!isfinite(p->two_se))
        snprintf(text, size, "%.4g", p->mean);
    else
        snprintf(text, size, "%.*f %s %.*f", decimals, p->mean, sign, decimals, p->two_se);
    return text;
}

const char *summary_print_interval(interval i, char *text, size_t size) {
    int decimals = decimals_for((i.high - i.low) / 2);
    if (isfinite(i.low))
        snprintf(text, size, "%.*f [%.*f, %.*f]", decimals, i.value, decimals, i.low, decimals,
                 i.high);
    else
        snprintf(text, size, "%.4g", i.value);
    return text;
}

static int find_method(const summary_domain *d, const char *method) {
    for (int i = 0; i < d->method_count; i++)
        if (!strcmp(d->methods[i].entry->method, method))
            return i;
    return -1;
}

const summary_method *summary_find(const summary_domain *d, const char *method) {
    int index = find_method(d, method);
    return index < 0 ? NULL : &d->methods[index];
}

/* One run tells nothing about others, unless all are equal: learning without subgoals. */
static bool has_spread(const results_entry *e) {
    return e->count > 1 || !strcmp(e->method, "ql");
}

static interval without_spread(interval i) {
    return (interval){i.value, NAN, NAN};
}

/* Values of all replications at one point. */
static stratum regrets_at(const summary_domain *d, const summary_method *m, int k, double *values) {
    for (int i = 0; i < m->entry->count; i++)
        values[i] = summary_regret(d, &m->entry->result[i].points[k]);
    return (stratum){values, (size_t)m->entry->count};
}

static bool same_as_before(const results_entry *e, int k) {
    for (int i = 0; k > 0 && i < e->count; i++) {
        const job_point *here = &e->result[i].points[k], *before = here - 1;
        if (here->known != before->known || here->mean != before->mean)
            return false;
    }
    return k > 0;
}

static void summarise_point(const summary_domain *d, summary_method *m, int k, double *values) {
    const results_entry *e = m->entry;
    summary_point *p = &m->points[k];
    size_t count = (size_t)e->count;
    if (same_as_before(e, k)) {
        *p = m->points[k - 1];
        p->cost = e->result[0].points[k].cost;
        return;
    }
    *p = (summary_point){.cost = e->result[0].points[k].cost,
                         .mean = NAN,
                         .two_se = NAN,
                         .iqm = {NAN, NAN, NAN},
                         .log_regret = NAN,
                         .log_regret_two_se = NAN};
    for (int i = 0; i < e->count; i++)
        p->known += e->result[i].points[k].known;
    if (p->known < e->count)
        return;
    for (size_t i = 0; i < count; i++)
        values[i] = e->result[i].points[k].mean;
    sample_summary performance = stats_summarise(values, count);
    p->mean = performance.mean;
    p->two_se = 2 * performance.se;
    p->iqm = statistics_iqm_interval(&(stratum){values, count}, 1, d->contest->seed);
    regrets_at(d, m, k, values);
    for (size_t i = 0; i < count; i++)
        values[i] = log(fmax(values[i], SUMMARY_SMALLEST_REGRET));
    sample_summary logs = stats_summarise(values, count);
    bool known_optimum = isfinite(d->contest->optimum);
    p->log_regret = known_optimum ? logs.mean : NAN;
    p->log_regret_two_se = known_optimum ? 2 * logs.se : NAN;
    if (!has_spread(e)) {
        p->two_se = p->log_regret_two_se = NAN;
        p->iqm = without_spread(p->iqm);
    }
}

static double initial_end(const results_entry *e) {
    double sum = 0;
    for (int i = 0; i < e->count; i++) {
        const job_result *job = &e->result[i];
        double end = 0;
        for (size_t t = 0; t < job->trial_count; t++)
            if (job->trials[t].reason == BESD_REASON_INITIAL)
                end = job->trials[t].cost;
        if (job->trial_count && end == job->trials[job->trial_count - 1].cost)
            return NAN; /* the budget ended first */
        sum += end;
    }
    return sum > 0 ? sum / e->count : NAN;
}

static void summarise_method(const summary_domain *d, summary_method *m, double *values) {
    m->initial_end = initial_end(m->entry);
    for (int k = 0; k < JOB_POINTS; k++) {
        summarise_point(d, m, k, values);
        stratum regrets = regrets_at(d, m, k, values);
        m->area += stats_summarise(regrets.values, regrets.count).mean / JOB_POINTS;
    }
}

/* Bootstraps take their time; every method has streams of its own, so the order is free. */
static besd_status summarise_methods(summary_domain *d, size_t most, besd_error *error) {
    bool failed = false;
#pragma omp parallel for schedule(dynamic) reduction(|| : failed)
    for (int i = 0; i < d->method_count; i++) {
        double *values = malloc(most * sizeof *values);
        if (values)
            summarise_method(d, &d->methods[i], values);
        failed = failed || !values;
        free(values);
    }
    return failed ? besd_fail_memory(error, "the summary") : BESD_OK;
}

static double mean_regret(const summary_domain *d, const summary_method *m, int k) {
    double sum = 0;
    for (int i = 0; i < m->entry->count; i++)
        sum += summary_regret(d, &m->entry->result[i].points[k]);
    return sum / m->entry->count;
}

double summary_cost_to_reach(const summary_domain *d, const summary_method *m, double regret) {
    for (int k = 0; k < JOB_POINTS; k++)
        if (mean_regret(d, m, k) <= regret)
            return m->points[k].cost;
    return NAN;
}

static void find_regret_range(const summary_domain *d, double *least, double *most) {
    *least = INFINITY;
    *most = -INFINITY;
    for (int m = 0; m < d->method_count; m++)
        for (int k = 0; k < JOB_POINTS; k++) {
            double regret = mean_regret(d, &d->methods[m], k);
            *least = fmin(*least, regret);
            *most = fmax(*most, regret);
        }
}

int summary_regrets(const summary_domain *d, double *regrets) {
    static const int digits[] = {5, 2, 1};
    double least, most;
    int count = 0;
    if (!isfinite(d->contest->optimum))
        return 0;
    find_regret_range(d, &least, &most);
    least = fmax(least, SUMMARY_SMALLEST_REGRET);
    if (!(most > least))
        return 0;
    for (int power = (int)floor(log10(most)); power >= floor(log10(least)); power--)
        for (int i = 0; i < 3; i++) {
            double regret = power < 0 ? digits[i] / pow(10, -power) : digits[i] * pow(10, power);
            if (regret >= least && regret < most && count < SUMMARY_MAX_REGRETS)
                regrets[count++] = regret;
        }
    return count;
}

static interval negated(interval i) {
    return (interval){-i.value, -i.high, -i.low};
}

static void compare_with(const summary_domain *d, summary_rivalry *r, double *ours,
                         double *theirs) {
    const summary_method *besd = &d->methods[d->besd], *rival = &d->methods[r->rival];
    for (int at = 0; at < MOMENTS; at++) {
        int k = summary_moment_point((summary_moment)at);
        stratum a = regrets_at(d, besd, k, ours), b = regrets_at(d, rival, k, theirs);
        interval more = statistics_difference(a, b, d->contest->seed);
        r->at[at].difference = d->contest->maximise ? negated(more) : more;
        r->at[at].improvement = statistics_improvement(&a, &b, 1, d->contest->seed);
        if (!has_spread(besd->entry) || !has_spread(rival->entry)) {
            r->at[at].difference = without_spread(r->at[at].difference);
            r->at[at].improvement = without_spread(r->at[at].improvement);
        }
    }
    double goal = mean_regret(d, rival, JOB_POINTS - 1);
    r->cost = summary_cost_to_reach(d, besd, goal);
    r->rival_cost = summary_cost_to_reach(d, rival, goal);
    r->ratio = r->cost / r->rival_cost;
}

static int best_rival(const summary_domain *d) {
    int best = -1;
    for (int i = 0; i < d->method_count; i++)
        if (!summary_is_besd(d->methods[i].entry->method) &&
            (best < 0 || mean_regret(d, &d->methods[i], JOB_POINTS - 1) <
                             mean_regret(d, &d->methods[best], JOB_POINTS - 1)))
            best = i;
    return best;
}

static int largest_count(const results_domain *data) {
    int most = 1;
    for (int i = 0; i < data->entry_count; i++)
        most = data->entries[i].count > most ? data->entries[i].count : most;
    return most;
}

static besd_status summarise_domain(const results_domain *data, summary_domain *d,
                                    besd_error *error) {
    size_t methods = (size_t)data->entry_count, most = (size_t)largest_count(data);
    d->contest = &data->contest;
    d->methods = calloc(methods + 1, sizeof *d->methods);
    d->rivalries = calloc(methods + 1, sizeof *d->rivalries);
    double *values = malloc(2 * most * sizeof *values);
    if (!d->methods || !d->rivalries || !values) {
        free(values);
        return besd_fail_memory(error, "the summary");
    }
    for (size_t i = 0; i < methods; i++)
        d->methods[i].entry = &data->entries[i];
    d->method_count = data->entry_count;
    besd_status status = summarise_methods(d, most, error);
    if (status != BESD_OK) {
        free(values);
        return status;
    }
    d->besd = find_method(d, "besd");
    d->best_rival = best_rival(d);
    for (int i = 0; d->besd >= 0 && i < d->method_count; i++)
        if (i != d->besd) {
            d->rivalries[d->rivalry_count].rival = i;
            compare_with(d, &d->rivalries[d->rivalry_count++], values, values + most);
        }
    free(values);
    return BESD_OK;
}

static int place_of(const char *name) {
    int place = 0;
    while (domain_name((size_t)place) && strcmp(domain_name((size_t)place), name) != 0)
        place++;
    return place;
}

/* Built-in domains in their order, others after them as they came. */
static void order_domains(const results_table *table, const results_domain **ordered) {
    for (int i = 0; i < table->domain_count; i++) {
        int at = i;
        for (; at > 0 && place_of(ordered[at - 1]->contest.domain) >
                             place_of(table->domains[i].contest.domain);
             at--)
            ordered[at] = ordered[at - 1];
        ordered[at] = &table->domains[i];
    }
}

static double normalised(const summary_domain *d, const job_point *point) {
    return 1 - summary_regret(d, point) / regret_of(d->contest, d->contest->plain_score);
}

bool summary_has_scale(const summary_domain *d) {
    return isfinite(d->contest->optimum) && regret_of(d->contest, d->contest->plain_score) > 0;
}

/* All replications of a method, domain after domain, of those that have a scale; the number of
 * these, 0 when it is missing in one of them. */
static size_t collect_scores(const summary *s, const char *method, stratum *strata,
                             double *scores) {
    size_t count = 0;
    for (int i = 0; i < s->domain_count; i++) {
        const summary_domain *d = &s->domains[i];
        const summary_method *m = summary_find(d, method);
        if (!summary_has_scale(d))
            continue;
        if (!m || !m->entry->count)
            return 0;
        strata[count++] = (stratum){scores, (size_t)m->entry->count};
        for (int r = 0; r < m->entry->count; r++)
            *scores++ = normalised(d, &m->entry->result[r].points[JOB_POINTS - 1]);
    }
    return count;
}

static void profile_method(const stratum *strata, size_t count, uint64_t seed, summary_profile *p) {
    p->iqm = statistics_iqm_interval(strata, count, seed);
    p->mean = statistics_mean_interval(strata, count, seed);
    for (int t = 0; t < SUMMARY_THRESHOLDS; t++) {
        interval at_most = statistics_profile(strata, count, summary_threshold(t), seed);
        p->share[t] = (interval){1 - at_most.value, 1 - at_most.high, 1 - at_most.low};
    }
}

static const summary_domain *first_with_scale(const summary *s) {
    for (int i = 0; i < s->domain_count; i++)
        if (summary_has_scale(&s->domains[i]))
            return &s->domains[i];
    return NULL;
}

static besd_status make_profiles(summary *s, besd_error *error) {
    const summary_domain *first = first_with_scale(s);
    if (!first)
        return BESD_OK;
    size_t room = 0, methods = (size_t)first->method_count;
    for (int i = 0; i < s->table->domain_count; i++)
        room += (size_t)largest_count(&s->table->domains[i]);
    double *scores = malloc((room + 1) * sizeof *scores);
    stratum *strata = calloc((size_t)s->domain_count, sizeof *strata);
    s->profiles = calloc(methods + 1, sizeof *s->profiles);
    besd_status status = scores && strata && s->profiles
                             ? BESD_OK
                             : besd_fail_memory(error, "the performance profile");
    for (size_t i = 0; status == BESD_OK && i < methods; i++) {
        const char *method = first->methods[i].entry->method;
        size_t count = collect_scores(s, method, strata, scores);
        if (!count)
            continue;
        s->profiles[s->profile_count].method = method;
        profile_method(strata, count, first->contest->seed, &s->profiles[s->profile_count++]);
    }
    free(scores);
    free(strata);
    return status;
}

besd_status summary_make(const results_table *table, summary *s, besd_error *error) {
    size_t count = (size_t)table->domain_count;
    const results_domain **ordered = calloc(count + 1, sizeof(const results_domain *));
    *s = (summary){.table = table, .domains = calloc(count + 1, sizeof *s->domains)};
    besd_status status = ordered && s->domains ? BESD_OK : besd_fail_memory(error, "the summary");
    if (status == BESD_OK)
        order_domains(table, ordered);
    for (size_t i = 0; status == BESD_OK && i < count; i++, s->domain_count++)
        status = summarise_domain(ordered[i], &s->domains[i], error);
    free(ordered);
    if (status == BESD_OK)
        status = make_profiles(s, error);
    if (status != BESD_OK)
        summary_free(s);
    return status;
}

void summary_free(summary *s) {
    for (int i = 0; s->domains && i < s->table->domain_count; i++) {
        free(s->domains[i].methods);
        free(s->domains[i].rivalries);
    }
    free(s->domains);
    free(s->profiles);
    memset(s, 0, sizeof *s);
}
