#include "pages/comparison_page.h"

#include "contest/export.h"
#include "core/error.h"
#include "core/print.h"
#include "figures/comparison_figures.h"
#include "pages/outcome.h"
#include "pages/page.h"
#include "pages/paper_notes.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static bool has_besd(const summary_domain *d) {
    return d->besd >= 0;
}

static bool has_initial_end(const summary_domain *d) {
    return d->besd >= 0 && isfinite(d->methods[d->besd].initial_end);
}

static bool has_optimum(const summary_domain *d) {
    return isfinite(d->contest->optimum);
}

/* What the figure of cost shows of a domain. */
static bool shows_return(const summary_domain *d) {
    return d->contest->maximise;
}

static bool shows_regret(const summary_domain *d) {
    return !d->contest->maximise && has_optimum(d);
}

static bool shows_steps(const summary_domain *d) {
    return !d->contest->maximise && !has_optimum(d);
}

static bool is_own(const summary_domain *s) {
    domain d;
    return !domain_from_identity(s->contest->identity, &d);
}

static int count_domains(const summary *s, bool (*holds)(const summary_domain *)) {
    int count = 0;
    for (int i = 0; i < s->domain_count; i++)
        count += holds(&s->domains[i]);
    return count;
}

static bool has_one_budget(const summary *s) {
    for (int i = 1; i < s->domain_count; i++)
        if (s->domains[i].contest->budget != s->domains[0].contest->budget)
            return false;
    return true;
}

/* A word as a shell reads it, because readers copy the command. */
static void put_word(page *p, const char *word, size_t length) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=:,./@%";
    char quoted[1000];
    size_t used = 0;
    if (length && strspn(word, plain) >= length) {
        print_markup(p->out, "%.*s", (int)length, word);
        return;
    }
    for (size_t i = 0; i < length && used + 5 < sizeof quoted; i++)
        used += (size_t)snprintf(quoted + used, 5, word[i] == '\'' ? "'\\%c'" : "%c", word[i]);
    print_markup(p->out, "'%.*s'", (int)used, quoted);
}

/* Was the setting said of a domain before this one? */
static bool is_repeated(const summary *s, int number, const char *setting, size_t length) {
    for (int i = 0; i < number; i++)
        for (const char *at = strchr(s->domains[i].contest->identity, ' '); at;
             at = strchr(at + 1, ' '))
            if (strcspn(at + 1, " ") == length && !strncmp(at + 1, setting, length))
                return true;
    return false;
}

/* What was set to something else, as options; how a foreign domain is made is not known. */
static void put_settings(page *p, const summary *s, int number) {
    for (const char *at = strchr(s->domains[number].contest->identity, ' '); at;
         at = strchr(at + 1, ' ')) {
        size_t length = strcspn(at + 1, " ");
        if (!strncmp(at + 1, "constants=", 10) || is_repeated(s, number, at + 1, length))
            continue;
        if (!strncmp(at + 1, "map=", 4))
            print_markup(p->out, " --map FILE");
        else {
            print_markup(p->out, " --set ");
            put_word(p, at + 1, length);
        }
    }
}

/* The command that would make these results. */
static void put_command(page *p, const comparison_story *s) {
    const summary *all = &s->findings->summary;
    const summary_domain *first = &all->domains[0];
    if (s->command) {
        page_text(p, "<code>%s</code>", s->command);
        return;
    }
    print_markup(p->out, "<p><code>besd compare");
    for (int i = 0; i < all->domain_count; i++) {
        print_markup(p->out, " ");
        put_word(p, all->domains[i].contest->domain, strlen(all->domains[i].contest->domain));
    }
    for (int i = 0; i < all->domain_count; i++)
        put_settings(p, all, i);
    print_markup(p->out, " --methods ");
    for (int m = 0; m < first->method_count; m++) {
        const char *method = first->methods[m].entry->method;
        print_markup(p->out, "%s", m ? "," : "");
        put_word(p, method, strlen(method));
    }
    if (has_one_budget(all))
        print_markup(p->out, " --budget %.10g", first->contest->budget);
    print_markup(p->out, " --replications %d --test %lld --seed %llu --out DIR</code></p>\n",
                 outcome_replications(all), (long long)first->contest->instances,
                 (unsigned long long)first->contest->seed);
    if (count_domains(all, is_own))
        page_text(p,
                  "Domains that besd does not bring along are called by name; in a command their "
                  "file or command stands in place of it.");
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

#define HOW_TESTED(changes)                                                                        \
    "Every method spends interactions with training instances; at forty points of its "            \
    "budget" changes                                                                               \
    " the design that it would recommend there is tested on %lld fresh instances, the "            \
    "same for all methods and replications.%s"
#define CHANGES_TOO ", and whenever it changes (<code>changes.csv</code>),"

static void tell_setting(page *p, const comparison_story *s) {
    const summary *all = &s->findings->summary;
    struct utsname machine;
    char processor[220];
    page_heading(p, "What was run");
    put_command(p, s);
    read_processor(processor, sizeof processor);
    uname(&machine);
    page_text(p, "besd %s, seed %llu, on %s with %ld cores (%s %s).", s->version,
              (unsigned long long)all->domains[0].contest->seed, processor,
              sysconf(_SC_NPROCESSORS_ONLN), machine.sysname, machine.machine);
    double seconds = s->findings->table.seconds;
    if (seconds >= 1)
        page_text(p, "Running it took %.0f minutes and %.0f seconds in all.", floor(seconds / 60),
                  fmod(seconds, 60));
    page_text(p, export_has_changes(all) ? HOW_TESTED(CHANGES_TOO) : HOW_TESTED(""),
              (long long)all->domains[0].contest->instances,
              count_domains(all, has_optimum)
                  ? " Regret is what the best policy would have done better on these very "
                    "instances, by exact solution."
                  : "");
    page_table_begin(p, all->domain_count > 1 ? "The domains" : "The domain",
                     "domain|measure|budget, interactions|optimum|without subgoals|methods|"
                     "replications");
    for (int i = 0; i < all->domain_count; i++) {
        const summary_domain *d = &all->domains[i];
        char title[70], budget[60];
        int most = 0;
        for (int m = 0; m < d->method_count; m++)
            most = d->methods[m].entry->count > most ? d->methods[m].entry->count : most;
        page_row(p, "");
        page_cell(p, "%s", figure_domain_title(d->contest->domain, title, sizeof title));
        page_cell(p, "%s", d->contest->maximise ? "return" : "steps");
        page_cell(p, "%s", page_group(d->contest->budget, budget, sizeof budget));
        page_number(p, 4, d->contest->optimum);
        page_number(p, 4, d->contest->plain_score);
        page_cell(p, "%d", d->method_count);
        page_cell(p, "%d", most);
    }
    page_table_end(p);
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
    char caption[200], title[70], text[100];
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
        page_cell(p, "%s", method->entry->method);
        for (summary_moment at = 0; at < MOMENTS; at++)
            page_cell(p, "%s",
                      summary_print_mean(&method->points[summary_moment_point(at)], "±", text,
                                         sizeof text));
        put_difference(p, d, m);
        page_number(p, 4, has_optimum(d) ? method->area : NAN);
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

static void put_cost_figure(page *p, const comparison_story *s) {
    const struct {
        bool (*shows)(const summary_domain *);
        const char *axis;
    } axes[] = {{shows_regret, "regret on a logarithmic scale (less is better)"},
                {shows_return, "the discounted return (more is better)"},
                {shows_steps, "steps to the goal (less is better)"}};
    const summary *all = &s->findings->summary;
    char caption[900];
    size_t length = (size_t)snprintf(caption, sizeof caption,
                                     "Performance over cost. Lines are means over replications, "
                                     "bands two standard errors. The vertical axis is");
    const char *join = " ";
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        if (count_domains(all, axes[i].shows)) {
            length += (size_t)snprintf(caption + length, sizeof caption - length, "%s%s", join,
                                       axes[i].axis);
            join = " or ";
        }
    snprintf(caption + length, sizeof caption - length, ".%s%s",
             count_domains(all, shows_regret)
                 ? " Regret is averaged as its logarithm, so these lines are geometric means: a "
                   "few lost runs weigh less in them than in the tables, which have plain means."
                 : "",
             count_domains(all, has_initial_end)
                 ? " The grey line marks the end of besd's initial design."
                 : "");
    put_figure(p, s, "cost", caption);
}

#define PROFILE_CAPTION(of)                                                                        \
    "Performance profile: the share of runs whose final score is higher than a threshold, with "   \
    "95 % bootstrap intervals, and the interquartile mean of every method, of " of " together. A " \
    "score of 0 is learning without subgoals, 1 the best policy there is."

static void tell_comparison(page *p, const comparison_story *s) {
    const summary *all = &s->findings->summary;
    page_heading(p, "What came out");
    outcome_tell(p, all);
    put_cost_figure(p, s);
    put_figure(p, s, "profile",
               count_domains(all, summary_has_scale) == all->domain_count
                   ? PROFILE_CAPTION("all domains")
                   : PROFILE_CAPTION("the domains whose optimum is known and missed without "
                                     "subgoals"));
    if (all->domain_count > 1)
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

/* How many runs the figure of paths shows, in words. */
static const char *name_runs(const summary *s) {
    static const char *const names[] = {"no run", "one run", "two runs", "three runs", "four runs"};
    return names[figure_path_runs(s)];
}

static void tell_subgoals(page *p, const comparison_story *s) {
    char caption[200];
    if (!count_domains(&s->findings->summary, has_besd))
        return;
    page_heading(p, "What the subgoals do");
    put_figure(p, s, "surface",
               "An instance with besd's best recommendation, and what goal and subgoals pay. Only "
               "the potential of the next subgoal is in force at a time.");
    snprintf(caption, sizeof caption,
             "Recommendation paths: where besd would put the subgoals as its cost grows, in %s.",
             name_runs(&s->findings->summary));
    put_figure(p, s, "paths", caption);
    put_figure(p, s, "values",
               "What one agent has learnt with the best recommendation: the largest action value "
               "and the greedy move of every cell it has been to, at each stage.");
    put_figure(p, s, "learning",
               "Learning with besd's final recommendations (mean and two "
               "standard errors over replications) and without subgoals.");
    paper_put_table1(p, s->findings);
    page_heading(p, "What besd pays for");
    put_figure(p, s, "levers",
               "Training length (tau) and replications (reps) of besd's trials, as shares in "
               "tenths of the budget; a tenth in which no trial ended has no column.");
    if (s->with_study)
        put_figure(
            p, s, "slices",
            "What the model of a study believes after 300 000 interactions with GW10: steps to "
            "the goal along each coordinate, the others kept at the recommendation.");
}

static void tell_files(page *p) {
    page_heading(p, "The numbers");
    page_text(
        p,
        "The folder that this page was made in has more files, which may not come with a copy of "
        "the page: <code>curves.csv</code>, "
        "<code>learning.csv</code> and "
        "<code>trials.csv</code> hold every measurement, <code>summary.csv</code>, "
        "<code>comparisons.csv</code> and "
        "<code>profile.csv</code> what is drawn, <code>reach.csv</code> the cost at which every "
        "method reaches a regret, <code>table1.csv</code> the table, "
        "<code>summary.json</code> all of it but runs and trials, "
        "<code>results.besd</code> (SQLite) the "
        "source of them. <code>figures/</code> has every figure as svg, pdf and png with "
        "its gnuplot script, which has the data in it.");
}

besd_status comparison_page_write(const comparison_story *s, besd_error *error) {
    char figures[1000], path[1000], headline[120], standfirst[600];
    page p;
    snprintf(figures, sizeof figures, "%s/figures", s->folder);
    snprintf(path, sizeof path, "%s/index.html", s->folder);
    if (mkdir(figures, 0777) != 0 && errno != EEXIST)
        return besd_fail(error, BESD_IO, "%s: %s", figures, strerror(errno));
    besd_status drawn = comparison_figures_draw(s->findings, s->with_study, figures, error);
    if (drawn != BESD_OK && drawn != BESD_UNSUPPORTED)
        return drawn;
    outcome_write_standfirst(&s->findings->summary, standfirst, sizeof standfirst);
    outcome_write_headline(&s->findings->summary, headline, sizeof headline);
    besd_error own;
    besd_status status = page_open(&p, path, headline, standfirst, &own);
    if (status == BESD_OK) {
        tell_setting(&p, s);
        tell_comparison(&p, s);
        tell_subgoals(&p, s);
        if (count_domains(&s->findings->summary, is_own) < s->findings->summary.domain_count)
            paper_tell_differences(&p, &s->findings->summary);
        tell_files(&p);
        status = page_close(&p, &own);
    }
    if (status != BESD_OK)
        return besd_fail(error, status, "%s", own.message);
    return drawn;
}
