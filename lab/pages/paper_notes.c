#include "pages/paper_notes.h"

#include "figures/figure.h"

#include <math.h>
#include <string.h>

static const summary_domain *find_domain(const summary *s, const char *name) {
    for (int i = 0; i < s->domain_count; i++)
        if (!strcmp(s->domains[i].contest->domain, name))
            return &s->domains[i];
    return NULL;
}

static bool has_column(const table1 *t, int i) {
    return isfinite(t->ratio[0][i]);
}

/* "interactions|GW10, m = 100|TR, m = 200|..."; the number of domains. */
static int write_head(const findings *f, char *head, size_t size) {
    int columns = 0;
    size_t length = (size_t)snprintf(head, size, "interactions");
    for (int i = 0; i < TABLE1_DOMAINS; i++) {
        const summary_domain *d = find_domain(&f->summary, table1_domains[i]);
        char title[70];
        if (!d || !has_column(&f->table1, i))
            continue;
        length += (size_t)snprintf(head + length, size - length,
                                   "|%s, m" PAGE_BLANK "=" PAGE_BLANK "%lld",
                                   figure_domain_title(table1_domains[i], title, sizeof title),
                                   (long long)d->contest->checkpoint);
        columns++;
    }
    if (has_column(&f->table1, TABLE1_TR))
        snprintf(head + length, size - length, "|TR, return|TR, small random start");
    return columns;
}

static void put_row(page *p, const table1 *t, int k) {
    page_row(p, "");
    page_cell(p, "%d m", k + 1);
    for (int i = 0; i < TABLE1_DOMAINS; i++) {
        double ours = t->ratio[k][i], paper = table1_paper[k][i];
        bool good = i == TABLE1_TR ? ours >= paper : ours <= paper;
        if (has_column(t, i))
            page_cell(p, good ? "<b>%.3f</b> (%.3g)" : "%.3f (%.3g)", ours, paper);
    }
    if (has_column(t, TABLE1_TR)) {
        page_number(p, 4, t->tr_return[k]);
        page_number(p, 3, t->tr_small_random[k]);
    }
}

void paper_put_table1(page *p, const findings *f) {
    const table1 *t = &f->table1;
    char head[400];
    if (!write_head(f, head, sizeof head))
        return;
    page_subheading(p, "The paper's Table 1");
    page_text(p,
              "Performance with besd's final recommendations, divided by that without subgoals, in "
              "the test instances and four times as many more. Rows count the interactions of an "
              "agent with its instance in units of m, which the paper chose for each domain. %s",
              !has_column(t, TABLE1_TR) ? "Less is better."
              : t->cells                ? "Less is better, for TR more."
                                        : "More is better.");
    page_table_begin(p, "Ours (the paper's)", head);
    for (int k = 0; k < JOB_CHECKPOINTS; k++)
        put_row(p, t, k);
    page_table_end(p);
    if (t->cells)
        page_text(p, "%s is at least as good as the paper's in <b>%d of %d</b> cells (bold).",
                  has_column(t, TABLE1_TR) ? "Outside TR ours" : "Ours", t->at_least_as_good,
                  t->cells);
}

/* A note concerns a comparison that has one of these methods (with any options) and one of these
 * domains; NULL: any. */
typedef struct note {
    const char *methods, *domains;
    const char *text;
} note;

static const note notes[] = {
    {NULL, NULL,
     "<b>One instance per trial, for every method.</b> All replications of a trial share an "
     "instance, as the paper's text says. In the authors' code besd drew a new instance for each "
     "replication and the baselines did not."},
    {NULL, "gw10 gw20 tr key2 key3",
     "<b>A blocked move is a bump.</b> It costs a step and leaves the agent where it is, so step "
     "counts without subgoals are higher than with an agent that never tries one."},
    {NULL, "mc",
     "<b>MC has the paper's sparse reward</b>, nothing before the goal. Plain Q-learning then "
     "rarely reaches it, and its curve is near the cap. The discount is 0.98 and the width of the "
     "potential 2, with which tile-coded agents learn; the paper's width is 10."},
    {"besd", "tr",
     "<b>TR's ratio depends on how plain Q-learning starts.</b> With zeros it sometimes finds the "
     "goal, with small random values hardly ever, because an agent that prefers to bump into a "
     "wall "
     "goes on doing so, and the ratio changes by orders of magnitude. "
     "The return is the figure to look at."},
    {"hyperband hyperband-paper", NULL,
     "<b>Hyperband's unit is the shortest training length</b>, capped at the longest. "
     "<code>hyperband-paper</code> is the authors' reading: half of the longest, uncapped, best "
     "over all lengths."},
    {"ei ei-paper", NULL,
     "<b>EI is the modern form</b> (logarithmic, one length scale per coordinate); "
     "<code>ei-paper</code> is the one the authors ran, with one length scale for all coordinates "
     "and no prior. Otherwise both share besd's model."},
    {"random", NULL,
     "<b>random keeps its best design so far</b>; the paper's figure shows the latest one, which "
     "is <code>random:selection=latest</code>."},
    {"besd", NULL,
     "<b>besd differs from the paper's in six ways</b>: every trial of the initial design has a "
     "theta of its own (<code>besd:initial_crossed=true</code> is the paper's) and the fewest "
     "replications (<code>besd:initial_reps=max</code>: the most), theta is refined between the "
     "points of the discretisation (<code>besd:discrete=true</code>: not), a quarter of the "
     "trials "
     "explore until two thirds of the budget are spent (<code>besd:explore=0</code>: none), "
     "it recommends by mean minus standard deviation (<code>besd:caution=0</code>: by the mean), "
     "and its prior makes it costly to believe that short and full trainings contradict each "
     "other."},
    {"besd", "key2 key3",
     "<b>Key ratios are read up to 10&nbsp;m = 5000 interactions, as in the paper's "
     "Table&nbsp;1</b>, which is five times the training length that the designs were optimised "
     "for."},
    {"besd", "key2",
     "<b>In KEY2 these two lengths want different designs.</b> The left key, then a place above "
     "the "
     "right one (the paper's behaviour B) takes 270 steps after 1000 interactions and 30 after "
     "5000; the best pair after 1000 takes 130, and after 5000 still 130."},
};

/* Is the name, up to its options, a word of the list? */
static bool is_listed(const char *name, const char *list) {
    size_t length = strcspn(name, ":");
    for (const char *word = list; *word; word += strspn(word, " ")) {
        size_t size = strcspn(word, " ");
        if (size == length && !strncmp(name, word, size))
            return true;
        word += size;
    }
    return false;
}

static bool has_method(const summary_domain *d, const char *list) {
    for (int m = 0; m < d->method_count; m++)
        if (is_listed(d->methods[m].entry->method, list))
            return true;
    return false;
}

static bool concerns(const note *n, const summary *s) {
    for (int i = 0; i < s->domain_count; i++)
        if ((!n->domains || is_listed(s->domains[i].contest->identity, n->domains)) &&
            (!n->methods || has_method(&s->domains[i], n->methods)))
            return true;
    return false;
}

void paper_tell_differences(page *p, const summary *s) {
    page_heading(p, "Where this differs from the paper, and why");
    page_list_begin(p);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (concerns(&notes[i], s))
            page_own_item(p, notes[i].text);
    page_list_end(p);
}
