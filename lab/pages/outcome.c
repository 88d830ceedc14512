#include "pages/outcome.h"

#include "contest/compare.h"
#include "figures/figure.h"

#include <math.h>

/* NAMES: room for a list of domains. With fewer replications than FEW the intervals are a sketch.
 */
enum { NAMES = 200, FEW = 10 };

/* "GW10, TR and KEY2" of the domains for which `holds`. */
static int list_domains(const summary *s, bool (*holds)(const summary_domain *), char *text,
                        size_t size) {
    const char *names[COMPARE_MAX_DOMAINS];
    char titles[COMPARE_MAX_DOMAINS][70];
    int count = 0;
    size_t length = 0;
    for (int i = 0; i < s->domain_count && count < COMPARE_MAX_DOMAINS; i++)
        if (holds(&s->domains[i])) {
            names[count] = figure_domain_title(s->domains[i].contest->domain, titles[count],
                                               sizeof titles[count]);
            count++;
        }
    text[0] = 0;
    for (int i = 0; i < count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   !i              ? ""
                                   : i + 1 < count ? ", "
                                                   : " and ",
                                   names[i]);
    return count;
}

static const summary_rivalry *best_rivalry(const summary_domain *d) {
    for (int i = 0; i < d->rivalry_count; i++)
        if (d->rivalries[i].rival == d->best_rival)
            return &d->rivalries[i];
    return NULL;
}

/* Is besd's mean the best of all at a moment? Variants of besd do not count as rivals. */
static bool leads_at(const summary_domain *d, summary_moment at) {
    for (int i = 0; i < d->rivalry_count; i++) {
        double difference = d->rivalries[i].at[at].difference.value;
        if (!summary_is_besd(d->methods[d->rivalries[i].rival].entry->method) &&
            (d->contest->maximise ? difference <= 0 : difference >= 0))
            return false;
    }
    return best_rivalry(d) != NULL;
}

static bool leads_at_half(const summary_domain *d) {
    return leads_at(d, AT_HALF);
}

static bool leads_at_the_end(const summary_domain *d) {
    return leads_at(d, AT_FINAL);
}

static bool trails_at_the_end(const summary_domain *d) {
    return best_rivalry(d) && !leads_at(d, AT_FINAL);
}

static bool leads_clearly(const summary_domain *d) {
    const summary_rivalry *r = best_rivalry(d);
    return r && summary_verdict(d, r->at[AT_FINAL].difference) > 0;
}

static bool leads_unclearly_at_half(const summary_domain *d) {
    const summary_rivalry *r = best_rivalry(d);
    return r && leads_at_half(d) && summary_verdict(d, r->at[AT_HALF].difference) <= 0;
}

/* A learner without subgoals optimises nothing, so there is no cost to compare with. */
static bool has_cost(const summary_domain *d, const summary_rivalry *r) {
    return isfinite(r->ratio) && d->methods[r->rival].entry->result[0].trial_count;
}

static bool is_twice_as_cheap(const summary_domain *d) {
    const summary_rivalry *r = best_rivalry(d);
    return r && has_cost(d, r) && r->ratio <= 0.5;
}

static int count_compared(const summary *s) {
    int count = 0;
    for (int i = 0; i < s->domain_count; i++)
        count += best_rivalry(&s->domains[i]) != NULL;
    return count;
}

static const char *or_none(const char *list) {
    return *list ? list : "none";
}

int outcome_replications(const summary *s) {
    int most = 0;
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++)
            most = s->domains[i].methods[m].entry->count > most
                       ? s->domains[i].methods[m].entry->count
                       : most;
    return most;
}

/* "random", "all 3 other methods": whom besd beat, its variants apart; or the one it did not. */
static const char *name_rivals(const summary_domain *d, bool led, char *text, size_t size) {
    int rivals = 0;
    for (int m = 0; m < d->method_count; m++)
        rivals += !summary_is_besd(d->methods[m].entry->method);
    if (led && rivals > 1)
        snprintf(text, size, "all %d other methods", rivals);
    else
        snprintf(text, size, "%s", d->methods[d->best_rival].entry->method);
    return text;
}

void outcome_write_headline(const summary *s, char *text, size_t size) {
    int replications = outcome_replications(s);
    if (replications >= FEW)
        snprintf(text, size, "Subgoals by Bayesian optimisation: the comparison");
    else if (replications == 1)
        snprintf(text, size, "Subgoals by Bayesian optimisation: a comparison of single runs");
    else
        snprintf(text, size, "Subgoals by Bayesian optimisation: a comparison of only %d runs each",
                 replications);
}

void outcome_write_standfirst(const summary *s, char *text, size_t size) {
    char names[NAMES], title[70], budget[100], rivals[CONTENDER_MAX_NAME];
    const summary_domain *first = &s->domains[0];
    int compared = count_compared(s), replications = outcome_replications(s);
    int led = list_domains(s, leads_at_the_end, names, sizeof names);
    const char *plural = replications == 1 ? "" : "s";
    if (!compared)
        snprintf(text, size, "%d domain%s, %d replication%s.", s->domain_count,
                 s->domain_count == 1 ? "" : "s", replications, plural);
    else if (s->domain_count == 1)
        snprintf(
            text, size,
            "besd places subgoals that teach a reinforcement-learning agent to explore. On %s, "
            "with %s interactions spent, its mean performance is %s that of %s; %d "
            "replication%s of every method that optimises, tested on the same instances.",
            figure_domain_title(first->contest->domain, title, sizeof title),
            page_group(first->contest->budget, budget, sizeof budget),
            led ? "better than" : "not better than", name_rivals(first, led, rivals, sizeof rivals),
            replications, plural);
    else
        snprintf(
            text, size,
            "besd places subgoals that teach a reinforcement-learning agent to explore. With "
            "the whole budget spent it has the best mean performance in %d of %d domains%s%s"
            "%s; %d replication%s of every method that optimises, tested on the same instances.",
            led, compared, led ? " (" : "", names, led ? ")" : "", replications, plural);
}

static const char *judge(const summary_domain *d, interval difference) {
    if (summary_has_few(d))
        return "rests on too few runs to be judged";
    return summary_verdict(d, difference) ? "is clear: its 95" PAGE_BLANK "% interval excludes zero"
                                          : "is within the noise of these replications";
}

/* besd and the best other method at the end, "besd ends at 24.5 ± 3.9, random at 212 ± 18. ...". */
static void write_duel(const summary_domain *d, char *text, size_t size) {
    const summary_rivalry *r = best_rivalry(d);
    const summary_method *rival = &d->methods[r->rival];
    interval i = r->at[AT_FINAL].difference;
    char theirs[100], ours[100], difference[100];
    snprintf(
        text, size, "besd ends at %s, %s at %s. The difference of %s %s.",
        summary_print_mean(&d->methods[d->besd].points[JOB_POINTS - 1], "±", ours, sizeof ours),
        rival->entry->method,
        summary_print_mean(&rival->points[JOB_POINTS - 1], "±", theirs, sizeof theirs),
        summary_print_interval(i, difference, sizeof difference), judge(d, i));
}

static void warn_of_few(page *p, const summary *s) {
    int most = outcome_replications(s);
    if (most == 1)
        page_text(p, "One replication proves nothing: other seeds may end otherwise.");
    else if (most < FEW)
        page_text(p,
                  "With %d replications the bootstrap knows little: its intervals are too narrow, "
                  "so take them as a sketch.",
                  most);
}

static void tell_one_domain(page *p, const summary_domain *d) {
    const summary_rivalry *r = best_rivalry(d);
    char duel[600], cost[300] = "";
    const char *name = d->methods[r->rival].entry->method;
    write_duel(d, duel, sizeof duel);
    if (has_cost(d, r))
        snprintf(cost, sizeof cost,
                 " It reaches the final performance of %.100s at %.2g times its cost.", name,
                 r->ratio);
    if (d->method_count > 2)
        page_text(p, "The best other method at the end is %s.", name);
    page_text(p, "%s At half of the budget besd is %s.%s", duel,
              leads_at_half(d) ? "ahead" : "not ahead", cost);
}

static void tell_defeats(page *p, const summary *s) {
    page_text(p, "besd does <b>not</b> have the best mean at the end in:");
    page_list_begin(p);
    for (int i = 0; i < s->domain_count; i++)
        if (trails_at_the_end(&s->domains[i])) {
            char title[70], duel[600];
            write_duel(&s->domains[i], duel, sizeof duel);
            page_item(p, "<b>%s</b>: %s",
                      figure_domain_title(s->domains[i].contest->domain, title, sizeof title),
                      duel);
        }
    page_list_end(p);
}

/* " In MC (0.71 of its cost) it needs more.": where besd takes over half of its best rival's. */
static void list_dear_domains(const summary *s, char *text, size_t size) {
    size_t length = 0;
    for (int i = 0; i < s->domain_count && length < size; i++) {
        const summary_domain *d = &s->domains[i];
        const summary_rivalry *r = best_rivalry(d);
        char title[70];
        if (r && has_cost(d, r) && r->ratio > 0.5)
            length += (size_t)snprintf(text + length, size - length, "%s%s (%.2g of it)",
                                       length ? ", " : " It needs more in ",
                                       figure_domain_title(d->contest->domain, title, sizeof title),
                                       r->ratio);
    }
    snprintf(text + (length < size ? length : size - 1), length < size ? size - length : 1, "%s",
             length ? "." : "");
}

static void tell_many_domains(page *p, const summary *s) {
    char half[NAMES], end[NAMES], clear[NAMES], cheap[NAMES], unclear[NAMES];
    char dear[2 * NAMES];
    int compared = count_compared(s);
    int led_half = list_domains(s, leads_at_half, half, sizeof half);
    int led = list_domains(s, leads_at_the_end, end, sizeof end);
    int clearly = list_domains(s, leads_clearly, clear, sizeof clear);
    int cheaply = list_domains(s, is_twice_as_cheap, cheap, sizeof cheap);
    list_dear_domains(s, dear, sizeof dear);
    bool repeated = outcome_replications(s) > 1; /* a single run has no interval */
    page_text(p,
              "At half of the budget besd has the best mean performance in <b>%d of %d</b> domains "
              "(%s), with all of it in <b>%d</b> (%s). It reaches the final performance of the "
              "best other method for at most half of the cost in <b>%d</b> (%s).%s",
              led_half, compared, or_none(half), led, or_none(end), cheaply, or_none(cheap), dear);
    if (repeated && list_domains(s, leads_unclearly_at_half, unclear, sizeof unclear))
        page_text(p,
                  "At half of the budget its lead is within the noise of these replications in %s.",
                  unclear);
    if (repeated)
        page_text(p,
                  "The 95&nbsp;%% interval of its difference to the best other method at the end "
                  "excludes zero in its favour in <b>%d</b> (%s).",
                  clearly, or_none(clear));
    if (led < compared)
        tell_defeats(p, s);
    else if (repeated && clearly < compared)
        page_text(p, "Where the interval holds zero the lead is not proven by these replications.");
}

/* Spent all of it on the initial design, and never chose a trial. */
static bool never_chose(const summary_method *m) {
    const job_result *job = &m->entry->result[0];
    return job->trial_count && job->trials[job->trial_count - 1].reason == BESD_REASON_INITIAL;
}

static void tell_unfinished(page *p, const summary *s) {
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++) {
            const summary_domain *d = &s->domains[i];
            char title[70];
            if (never_chose(&d->methods[m]))
                page_text(p,
                          "In %s the initial design takes all of the budget of %s, which so never "
                          "chose a trial.",
                          figure_domain_title(d->contest->domain, title, sizeof title),
                          d->methods[m].entry->method);
        }
}

static bool has_variants(const summary *s) {
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++)
            if (m != s->domains[i].besd && summary_is_besd(s->domains[i].methods[m].entry->method))
                return true;
    return false;
}

void outcome_tell(page *p, const summary *s) {
    if (!count_compared(s))
        return;
    if (s->domain_count == 1)
        tell_one_domain(p, &s->domains[0]);
    else
        tell_many_domains(p, s);
    tell_unfinished(p, s);
    if (has_variants(s))
        page_text(p, "Variants of besd do not count as other methods here.");
    warn_of_few(p, s);
}
