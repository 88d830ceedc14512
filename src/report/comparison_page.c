#include "report/comparison_page.h"

#include "core/error.h"
#include "lab/compare.h"
#include "report/comparison_figures.h"
#include "report/page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { NAMES = 200 /* room for a list of domains */, FEW_REPLICATIONS = 10 };

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
    return d->rivalry_count > 0;
}

static bool leads_at_half(const summary_domain *d) {
    return leads_at(d, AT_HALF);
}

static bool leads_at_the_end(const summary_domain *d) {
    return leads_at(d, AT_FINAL);
}

static bool trails_at_the_end(const summary_domain *d) {
    return d->rivalry_count > 0 && !leads_at(d, AT_FINAL);
}

static bool leads_clearly(const summary_domain *d) {
    const summary_rivalry *r = best_rivalry(d);
    return r && summary_verdict(d, r->at[AT_FINAL].difference) > 0;
}

static bool is_twice_as_cheap(const summary_domain *d) {
    const summary_rivalry *r = best_rivalry(d);
    return r && r->ratio <= 0.5;
}

static bool was_compared(const summary_domain *d) {
    return d->rivalry_count > 0;
}

static const char *or_none(const char *list) {
    return *list ? list : "none";
}

static int largest_replications(const summary *s) {
    int most = 0;
    for (int i = 0; i < s->domain_count; i++)
        for (int m = 0; m < s->domains[i].method_count; m++)
            most = s->domains[i].methods[m].entry->count > most
                       ? s->domains[i].methods[m].entry->count
                       : most;
    return most;
}

static void write_standfirst(const summary *s, char *text, size_t size) {
    char names[NAMES];
    int compared = list_domains(s, was_compared, names, sizeof names);
    int led = list_domains(s, leads_at_the_end, names, sizeof names);
    if (!compared)
        snprintf(text, size, "%d domain%s, %d replication%s.", s->domain_count,
                 s->domain_count == 1 ? "" : "s", largest_replications(s),
                 largest_replications(s) == 1 ? "" : "s");
    else
        snprintf(text, size,
                 "besd places subgoals that teach a reinforcement-learning agent to explore. With "
                 "the whole budget spent it has the best mean performance in %d of %d domains%s%s"
                 "%s; %d replication%s of every method, tested on the same instances.",
                 led, compared, led ? " (" : "", names, led ? ")" : "", largest_replications(s),
                 largest_replications(s) == 1 ? "" : "s");
}

/* The command that would make these results. */
static void put_command(page *p, const comparison_story *s) {
    const summary *all = &s->findings->summary;
    const summary_domain *first = &all->domains[0];
    if (s->command) {
        page_text(p, "<code>%s</code>", s->command);
        return;
    }
    fputs("<p><code>besd compare", p->out);
    for (int i = 0; i < all->domain_count; i++)
        fprintf(p->out, " %s", all->domains[i].contest->domain);
    fputs(" --methods ", p->out);
    for (int m = 0; m < first->method_count; m++)
        fprintf(p->out, "%s%s", m ? "," : "", first->methods[m].entry->method);
    if (all->domain_count == 1)
        fprintf(p->out, " --budget %.10g", first->contest->budget);
    fprintf(p->out, " --replications %d --test %lld --seed %llu --out DIR</code></p>\n",
            largest_replications(all), (long long)first->contest->instances,
            (unsigned long long)first->contest->seed);
}

static void read_processor(char *text, size_t size) {
    char line[300];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(text, size, "an unknown processor");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
            line[strcspn(line, "\n")] = 0;
            snprintf(text, size, "%.200s", strchr(line, ':') + 2);
            break;
        }
    if (file)
        fclose(file);
}

static void tell_setting(page *p, const comparison_story *s) {
    const summary *all = &s->findings->summary;
    struct utsname machine;
    char processor[220], escaped[400];
    page_heading(p, "What was run");
    put_command(p, s);
    read_processor(processor, sizeof processor);
    uname(&machine);
    page_text(p, "besd %s, seed %llu, on %s with %ld cores (%s %s).", s->version,
              (unsigned long long)all->domains[0].contest->seed,
              page_escape(processor, escaped, sizeof escaped), sysconf(_SC_NPROCESSORS_ONLN),
              machine.sysname, machine.machine);
    if (s->seconds >= 1)
        page_text(p, "What was missing took %.0f minutes and %.0f seconds to run.",
                  floor(s->seconds / 60), fmod(s->seconds, 60));
    page_text(p,
              "Every method spends interactions with training instances; at forty points of its "
              "budget the design that it would recommend there is tested on %lld fresh instances, "
              "the same for all methods and replications. Regret is measured against the exact "
              "solution of these very instances.",
              (long long)all->domains[0].contest->instances);
    page_table_begin(p, "The domains",
                     "domain|measure|budget, interactions|optimum|without subgoals|methods|"
                     "replications");
    for (int i = 0; i < all->domain_count; i++) {
        const summary_domain *d = &all->domains[i];
        char title[70];
        int most = 0;
        for (int m = 0; m < d->method_count; m++)
            most = d->methods[m].entry->count > most ? d->methods[m].entry->count : most;
        page_row(p, "");
        page_cell(p, "%s", figure_domain_title(d->contest->domain, title, sizeof title));
        page_cell(p, "%s", d->contest->maximise ? "return" : "steps");
        page_cell(p, "%.0f", d->contest->budget);
        page_cell(p, "%.2f", d->contest->optimum);
        page_cell(p, "%.2f", d->plain);
        page_cell(p, "%d", d->method_count);
        page_cell(p, "%d", most);
    }
    page_table_end(p);
}

static void tell_defeat(page *p, const summary_domain *d) {
    const summary_rivalry *r = best_rivalry(d);
    const summary_method *rival = &d->methods[r->rival];
    interval i = r->at[AT_FINAL].difference;
    char title[70], theirs[100], ours[100], difference[100];
    page_item(
        p, "<b>%s</b>: %s ends at %s, besd at %s. The difference of %s %s.",
        figure_domain_title(d->contest->domain, title, sizeof title), rival->entry->method,
        summary_print_mean(&rival->points[JOB_POINTS - 1], "±", theirs, sizeof theirs),
        summary_print_mean(&d->methods[d->besd].points[JOB_POINTS - 1], "±", ours, sizeof ours),
        summary_print_interval(i, difference, sizeof difference),
        summary_verdict(d, i) < 0 ? "is clear" : "is within the noise of these replications");
}

static void tell_outcome(page *p, const summary *s) {
    char half[NAMES], end[NAMES], clear[NAMES], cheap[NAMES], all[NAMES];
    int compared = list_domains(s, was_compared, all, sizeof all);
    int led_half = list_domains(s, leads_at_half, half, sizeof half);
    int led = list_domains(s, leads_at_the_end, end, sizeof end);
    int clearly = list_domains(s, leads_clearly, clear, sizeof clear);
    int cheaply = list_domains(s, is_twice_as_cheap, cheap, sizeof cheap);
    page_text(
        p,
        "At half of the budget besd has the best mean performance in <b>%d of %d</b> domains "
        "(%s), with all of it in <b>%d</b> (%s). The 95&nbsp;%% interval of its difference to "
        "the best other method at the end excludes zero in its favour in <b>%d</b> (%s). It "
        "reaches the final regret of that method for at most half of the cost in <b>%d</b> "
        "(%s).",
        led_half, compared, or_none(half), led, or_none(end), clearly, or_none(clear), cheaply,
        or_none(cheap));
    if (largest_replications(s) < FEW_REPLICATIONS)
        page_text(p,
                  "With %d replications the bootstrap knows little: its intervals are too narrow, "
                  "so take them as a sketch.",
                  largest_replications(s));
    if (led < compared) {
        page_text(p, "besd does <b>not</b> have the best mean at the end in:");
        page_list_begin(p);
        for (int i = 0; i < s->domain_count; i++)
            if (trails_at_the_end(&s->domains[i]))
                tell_defeat(p, &s->domains[i]);
        page_list_end(p);
    } else if (clearly < compared) {
        page_text(p, "Where the interval holds zero the lead is not proven by these replications.");
    }
}

static void put_difference(page *p, const summary_domain *d, int method) {
    for (int r = 0; r < d->rivalry_count; r++)
        if (d->rivalries[r].rival == method) {
            char text[100];
            interval i = d->rivalries[r].at[AT_FINAL].difference;
            interval better = d->rivalries[r].at[AT_FINAL].improvement;
            bool learner = d->methods[method].entry->result[0].trial_count == 0;
            page_cell(p, summary_verdict(d, i) < 0 ? "<span class=\"worse\">%s</span>" : "%s",
                      summary_print_interval(i, text, sizeof text));
            page_cell(p, isfinite(better.low) ? "%.2f [%.2f, %.2f]" : "%.2f", better.value,
                      better.low, better.high);
            if (learner) /* it optimises nothing, so it reaches nothing */
                page_cell(p, "–");
            else if (isfinite(d->rivalries[r].ratio))
                page_cell(p, "%.2f", d->rivalries[r].ratio);
            else
                page_cell(p, "never");
            return;
        }
    for (int i = 0; i < 3; i++)
        page_cell(p, " ");
}

static void put_domain_table(page *p, const summary_domain *d) {
    char caption[200], title[70], text[100], name[2 * CONTENDER_MAX_NAME];
    snprintf(caption, sizeof caption, "%s, %s",
             figure_domain_title(d->contest->domain, title, sizeof title),
             d->contest->maximise ? "discounted return (more is better)"
                                  : "steps to the goal (less is better)");
    page_table_begin(p, caption,
                     "method|at half the budget|at the end|besd − method|P(besd better)|cost "
                     "ratio|mean regret");
    for (int m = 0; m < d->method_count; m++) {
        const summary_method *method = &d->methods[m];
        page_row(p, m == d->besd ? "ours" : "");
        page_cell(p, "%s", page_escape(method->entry->method, name, sizeof name));
        for (summary_moment at = 0; at < MOMENTS; at++)
            page_cell(p, "%s",
                      summary_print_mean(&method->points[summary_moment_point(at)], "±", text,
                                         sizeof text));
        put_difference(p, d, m);
        page_cell(p, "%.4g", method->area);
    }
    page_table_end(p);
}

static void put_figure(page *p, const comparison_story *s, const char *kind, const char *caption) {
    char path[1100];
    snprintf(path, sizeof path, "%s/figures/%s.gp", s->folder, kind);
    if (access(path, R_OK) != 0)
        return; /* these results have no such figure */
    snprintf(path, sizeof path, "%s/figures/%s.svg", s->folder, kind);
    page_figure(p, path, caption);
}

static void tell_comparison(page *p, const comparison_story *s) {
    const summary *all = &s->findings->summary;
    page_heading(p, "What came out");
    if (all->domains[0].rivalry_count)
        tell_outcome(p, all);
    put_figure(p, s, "cost",
               "Performance over cost. Lines are means over replications, bands two standard "
               "errors. The vertical axis is regret on a logarithmic scale, less is better; for TR "
               "it is the discounted return, more is better. The grey line marks the end of besd's "
               "initial design.");
    put_figure(p, s, "profile",
               "Performance profile over all domains: the share of runs whose final score is "
               "higher than a threshold, with 95 % bootstrap intervals, and the interquartile mean "
               "of every method.");
    page_subheading(p, "Domain by domain");
    page_text(p,
              "Mean ± two standard errors over replications. Differences, and the probability "
              "that a run of besd beats a run of the method, have 95&nbsp;%% bootstrap intervals "
              "over replications. The cost ratio is the cost at which besd first has the "
              "method's final regret, divided by the cost at which the method first has it. The "
              "mean regret is taken over the whole budget, the area under the curve.");
    for (int i = 0; i < all->domain_count; i++)
        put_domain_table(p, &all->domains[i]);
}

static void put_table1(page *p, const table1 *t) {
    page_table_begin(p,
                     "Table 1. Performance with besd's subgoals divided by that without; in "
                     "brackets the paper's",
                     "interactions|GW10|GW20|TR|MC|KEY2|KEY3|TR, return|TR, small random start");
    for (int k = 0; k < JOB_CHECKPOINTS; k++) {
        page_row(p, "");
        page_cell(p, "%d m", k + 1);
        for (int i = 0; i < TABLE1_DOMAINS; i++) {
            double ours = t->ratio[k][i], paper = table1_paper[k][i];
            bool good = i == TABLE1_TR ? ours >= paper : ours <= paper;
            if (isfinite(ours))
                page_cell(p, good ? "<b>%.3f</b> (%.3g)" : "%.3f (%.3g)", ours, paper);
            else
                page_cell(p, "– (%.3g)", paper);
        }
        isfinite(t->tr_return[k]) ? page_cell(p, "%.2f", t->tr_return[k]) : page_cell(p, "–");
        isfinite(t->tr_small_random[k]) ? page_cell(p, "%.3g", t->tr_small_random[k])
                                        : page_cell(p, "–");
    }
    page_table_end(p);
    page_text(p,
              "Outside TR ours is at least as good as the paper's in <b>%d of %d</b> cells "
              "(bold). Less is better, more for TR.",
              t->at_least_as_good, t->cells);
}

static void tell_subgoals(page *p, const comparison_story *s) {
    page_heading(p, "What the subgoals do");
    put_figure(p, s, "surface",
               "An instance with besd's best recommendation, and what goal and subgoals pay. Only "
               "the potential of the next subgoal is in force at a time.");
    put_figure(p, s, "paths",
               "Recommendation paths: where besd would put the subgoals as its cost grows, in four "
               "runs.");
    put_figure(p, s, "values",
               "What one agent has learnt with the best recommendation: the largest action value "
               "and the greedy move of every cell it has been to, at each stage.");
    put_figure(p, s, "learning",
               "Learning in the test instances with besd's final recommendations (mean and two "
               "standard errors over replications) and without subgoals.");
    put_table1(p, &s->findings->table1);
    page_heading(p, "What besd pays for");
    put_figure(p, s, "levers",
               "Training length (tau) and replications (reps) of besd's trials, as shares in "
               "tenths of the budget. Cheap trials explore, long ones decide.");
}

static void tell_differences(page *p) {
    page_heading(p, "Where this differs from the paper, and why");
    page_list_begin(p);
    page_item(p, "<b>One instance per trial, for every method.</b> All replications of a trial "
                 "share an instance, as the paper's text says. In the authors' code besd drew a "
                 "new instance for each replication and the baselines did not.");
    page_item(p, "<b>A blocked move is a bump.</b> It costs a step and leaves the agent where it "
                 "is. A quarter of early moves are bumps, so step counts without subgoals are "
                 "higher than with an agent that never tries them.");
    page_item(p, "<b>MC has the paper's sparse reward</b>, nothing before the goal. Plain "
                 "Q-learning then rarely reaches it, and its curve is near the cap.");
    page_item(p, "<b>TR's ratio depends on how plain Q-learning starts.</b> With zeros it "
                 "sometimes finds the goal, with small random values hardly ever, and the ratio "
                 "changes by orders of magnitude. The return is the figure to look at; the optimum "
                 "is 15.75.");
    page_item(p, "<b>Hyperband's unit is the shortest training length</b>, capped at the longest. "
                 "<code>hyperband-paper</code> is the authors' reading: half of the longest, "
                 "uncapped, best over all lengths.");
    page_item(p, "<b>EI is the modern form</b> (logarithmic, one length scale per coordinate); "
                 "<code>ei-paper</code> is the one the authors ran. Both share besd's model.");
    page_item(p, "<b>random keeps its best design so far</b>; the paper's figure shows the latest "
                 "one, which is <code>random:selection=latest</code>.");
    page_item(p,
              "<b>besd differs from the paper's in three ways</b>: every trial of the initial "
              "design has a theta of its own (<code>besd:initial=crossed</code> is the paper's), a "
              "quarter of the trials explore until two thirds of the budget are spent "
              "(<code>besd:explore=-1</code>), and it recommends by mean minus standard deviation "
              "(<code>besd:caution=-1</code>).");
    page_item(p, "<b>Key and treasure ratios are read at 10&nbsp;m interactions as in the paper's "
                 "Table&nbsp;1</b>, which for KEY is five times the training length that the "
                 "designs were optimised for.");
    page_list_end(p);
}

static void tell_files(page *p) {
    page_heading(p, "The numbers");
    page_text(p, "Beside this page: <code>curves.csv</code> and <code>trials.csv</code> hold every "
                 "measurement, <code>summary.csv</code>, <code>comparisons.csv</code> and "
                 "<code>profile.csv</code> what is drawn, <code>table1.csv</code> the table, "
                 "<code>summary.json</code> all of these, <code>results.besd</code> (SQLite) the "
                 "source of them. <code>figures/</code> has every figure as svg, pdf and png with "
                 "its gnuplot script and data.");
}

besd_status comparison_page_write(const comparison_story *s, besd_error *error) {
    char figures[1000], path[1000], standfirst[600];
    page p;
    snprintf(figures, sizeof figures, "%s/figures", s->folder);
    snprintf(path, sizeof path, "%s/index.html", s->folder);
    if (mkdir(figures, 0777) != 0 && errno != EEXIST)
        return besd_fail(error, BESD_IO, "%s: %s", figures, strerror(errno));
    besd_status drawn = comparison_figures_draw(s->findings, figures, error);
    if (drawn != BESD_OK && drawn != BESD_UNSUPPORTED)
        return drawn;
    write_standfirst(&s->findings->summary, standfirst, sizeof standfirst);
    besd_error own;
    besd_status status =
        page_open(&p, path, "Subgoals by Bayesian optimisation: the comparison", standfirst, &own);
    if (status == BESD_OK) {
        tell_setting(&p, s);
        tell_comparison(&p, s);
        tell_subgoals(&p, s);
        tell_differences(&p);
        tell_files(&p);
        status = page_close(&p, &own);
    }
    if (status != BESD_OK)
        return besd_fail(error, status, "%s", own.message);
    return drawn;
}
