/* What the verbs of a study print alike. */
#define _GNU_SOURCE /* fgetpwent_r */
#include "cli/common.h"
#include "cli/study_place.h"
#include "core/error.h"
#include "core/print.h"
#include "core/text.h"
#include "study/method.h"
#include "study/recommend.h"
#include "json/answers.h"

#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The name of our account; NULL: not known. First in the file itself, since glibc's getpwuid dies
 * of an allocation that fails (2.36, nss_database.c). */
static const char *account_name(char *text, size_t size) {
    struct passwd entry, *found = NULL;
    FILE *file = fopen("/etc/passwd", "re");
    if (!file)
        return NULL;
    while (fgetpwent_r(file, &entry, text, size, &found) == 0 && found->pw_uid != geteuid())
        found = NULL;
    fclose(file);
    if (!found) /* of a directory service */
        found = getpwuid(geteuid());
    return found ? found->pw_name : NULL;
}

void act_in_name(besd_study *s) {
    char text[2000];
    const char *who = getenv("BESD_WHO");
    besd_error ignored; /* names of strange accounts are left out */
    if (!who)
        who = account_name(text, sizeof text);
    if (who)
        besd_study_set_who(s, who, &ignored);
}

int open_study_file(const verb *v, const char *path, besd_study **s) {
    besd_error error;
    if (study_place_open(v->name, path, s, &error) != BESD_OK)
        return refuse(v, &error);
    act_in_name(*s);
    return 0;
}

void note_arithmetic(besd_study *s) {
    char begun[80];
    besd_error ignored;
    if (besd_study_arithmetic(s, begun, sizeof begun, &ignored) != BESD_OK || !begun[0])
        return;
    const char *here = besd_arithmetic();
    if (!here[0] || !strcmp(begun, here))
        return;
    text_clean(begun);
    print_clean(
        stderr,
        "note: the study was begun with the arithmetic of %s, this machine has that of %s; the "
        "study continues, but its trials will differ from those on that machine\n",
        begun, here);
}

void print_theta(const besd_study *s, const double *theta) {
    const besd_study_options *o = besd_study_get_options(s);
    for (size_t i = 0; i < o->dimension; i++)
        print_clean(stdout, "%s%s = %.6g%s%s", i ? ", " : "", o->names[i], theta[i],
                    o->units[i][0] ? " " : "", o->units[i]);
}

/* As many digits as it takes to tell the ends of an interval apart, however far it is from 0. */
static int digits_of(double low, double high) {
    double width = high - low, largest = fmax(fabs(low), fabs(high));
    if (!isfinite(width) || !(width > 0))
        return 4;
    return (int)fmin(fmax(4, 3 + floor(log10(largest)) - floor(log10(width))), 15);
}

void describe_expected(double value, double low, double high, char *text, size_t size) {
    int digits = digits_of(low, high);
    if (isinf(low) || isinf(high))
        snprintf(text, size, "%.4g, and the trials do not say how sure that is", value);
    else if (low < high)
        snprintf(text, size, "%.*g, with 90 %% probability between %.*g and %.*g", digits, value,
                 digits, low, digits, high);
    else
        snprintf(text, size, "%.4g", value);
}

void describe_progress(const besd_recommendation *r, const char *what, char *text, size_t size) {
    int digits = digits_of(r->low, r->high);
    if (isinf(r->low) || isinf(r->high))
        snprintf(text, size, "best expected %s %.4g", what, r->value);
    else
        snprintf(text, size, "best expected %s %.*g [%.*g, %.*g]", what, digits, r->value, digits,
                 r->low, digits, r->high);
}

bool has_price(const besd_study *s) {
    besd_path p;
    besd_study_get_path(s, &p);
    return p.points && p.price > 0;
}

void print_promise(const besd_study *s, const besd_recommendation *r, const char *what) {
    const besd_study_options *o = besd_study_get_options(s);
    char text[160], plain[60];
    int length = snprintf(plain, sizeof plain, "%.4g", o->baseline);
    if (o->baseline_error > 0)
        snprintf(plain + length, sizeof plain - (size_t)length, " +- %.3g", o->baseline_error);
    describe_expected(r->value, r->low, r->high, text, sizeof text);
    print_clean(stdout, "  expected %s at the largest tau%s: %s (model scale %.4f, sd %.4f)\n",
                what, has_price(s) ? ", the price of its subgoals included" : "", text, r->mean,
                r->sd);
    if (!r->tried)
        print_clean(
            stdout,
            "  note: not tried at tau %lld, this is what the model makes of the trials around "
            "it\n",
            (long long)o->taus[o->tau_count - 1]);
    if (isnan(r->better) && !isinf(o->baseline))
        print_clean(stdout, "  and %s without any design\n", plain);
    else if (r->better < 0.5)
        print_clean(
            stdout,
            "  but no design may be the better choice: %s without any, and the probability that "
            "this one beats it is %s%.2g\n",
            plain, r->better < 0.01 ? "below " : "", fmax(r->better, 0.01));
    else if (!isnan(r->better))
        print_clean(stdout, "  which beats the %s without any design with a probability %s%.2g\n",
                    plain, r->better > 0.99 ? "over " : "of ", fmin(r->better, 0.99));
}

/* A smooth model rises to the end of an interval that it has not seen the other side of. */
void print_bounds_note(const besd_study *s, const double *theta) {
    const besd_study_options *o = besd_study_get_options(s);
    int count = 0;
    for (size_t i = 0; i < o->dimension; i++) {
        double margin = 0.001 * (o->high[i] - o->low[i]);
        if (theta[i] < o->low[i] + margin || theta[i] > o->high[i] - margin)
            print_clean(stdout, "%s%s",
                        count++ ? ", " : "  note: at the end of its interval: ", o->names[i]);
    }
    if (count)
        puts("; 'besd predict' and a few trials inside tell whether it belongs there");
}

/* The best told trial at the largest tau that was tried. */
typedef struct told_digest {
    besd_direction direction;
    besd_trial best;
} told_digest;

static bool digest_trial(void *context, const besd_trial *t) {
    told_digest *d = context;
    if (t->state != BESD_TRIAL_TOLD)
        return true;
    bool better = d->direction == BESD_MINIMIZE ? t->mean < d->best.mean : t->mean > d->best.mean;
    if (!d->best.id || t->tau > d->best.tau || (t->tau == d->best.tau && better))
        d->best = *t;
    return true;
}

void print_warning(const besd_recommendation *r, FILE *out, const char *before) {
    char text[BESD_ERROR_MESSAGE_SIZE];
    besd_recommendation_warning(r, text);
    if (*text)
        print_clean(out, "%snote: %s\n", before, text);
}

besd_status print_best_trial(besd_study *s, besd_error *error) {
    told_digest d = {.direction = besd_study_get_options(s)->direction};
    besd_status status = besd_study_trials(s, 0, digest_trial, &d, error);
    if (status == BESD_OK && d.best.id)
        print_clean(
            stdout,
            "  best single trial: %lld with a mean score of %.5g at tau %lld, luck included%s\n",
            (long long)d.best.id, d.best.mean, (long long)d.best.tau,
            has_price(s) ? ", the price of its subgoals not" : "");
    return status;
}

void note_initial_design(FILE *out, const besd_study_options *o) {
    double cost = initial_cost(o);
    if (cost <= o->budget / 3)
        return;
    print_clean(out, "note: the initial design costs %.12g; ", cost);
    if (cost < o->budget)
        print_clean(
            out,
            "that is over a third of the budget of %.12g, fewer initial designs or a larger "
            "budget leave more room to learn\n",
            o->budget);
    else
        print_clean(out,
                    "the budget of %.12g ends before it does, and the model will have little to "
                    "go by\n",
                    o->budget);
}

void print_task(const besd_study *s, int64_t task) {
    besd_tasks tasks;
    besd_study_get_tasks(s, &tasks);
    if (tasks.count)
        print_clean(stdout, "%s, ", task < 0 ? "all tasks" : tasks.names[task]);
}

static void print_worth(const besd_study *s, const besd_task_worth *worth, const char *what) {
    bool less = besd_study_get_options(s)->direction == BESD_MINIMIZE;
    print_clean(stdout,
                "  with a design for each task instead of the single one the %s is %s by %.4g on "
                "average, with 90 %% probability between %.4g and %.4g\n",
                what, less == (worth->value >= 0) ? "less" : "more", fabs(worth->value), worth->low,
                worth->high);
}

besd_status print_tasks(besd_study *s, const char *what, besd_error *error) {
    besd_tasks tasks;
    besd_task_worth worth;
    besd_status status = BESD_OK;
    besd_study_get_tasks(s, &tasks);
    for (size_t i = 0; status == BESD_OK && i < tasks.count; i++) {
        besd_recommendation r;
        status = besd_study_recommend_task(s, (int64_t)i, &r, error);
        if (status != BESD_OK)
            return status;
        print_clean(stdout, "task %s: ", tasks.names[i]);
        print_theta(s, r.theta);
        putchar('\n');
        print_promise(s, &r, what);
    }
    if (tasks.count)
        status = besd_study_task_worth(s, &worth, error);
    if (tasks.count && status == BESD_OK)
        print_worth(s, &worth, what);
    return status;
}

besd_status print_sources(besd_study *s, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < besd_study_source_count(s); i++) {
        besd_source from;
        status = besd_study_source(s, i, &from, error);
        if (status != BESD_OK)
            return status;
        if (isnan(from.likeness))
            print_clean(stdout,
                        "  source %s: nothing was told yet that it could be compared with\n",
                        from.name);
        else
            print_clean(stdout,
                        "  source %s: related with probability %.2f, likeness %.2f; %.0f %% of "
                        "what is known of this design comes from it\n",
                        from.name, from.related, from.likeness, 100 * from.share);
    }
    return status;
}

besd_status print_points(besd_study *s, const besd_recommendation *r, const char *what,
                         besd_error *error) {
    besd_path p;
    path_curve curve;
    besd_status status = path_curve_find(s, r, &curve, error);
    if (status != BESD_OK || !curve.count)
        return status;
    besd_study_get_path(s, &p);
    print_clean(stdout, "  %zu of up to %zu subgoals %s worth it; expected %s by their number%s:\n",
                curve.visits, p.points, curve.visits == 1 ? "is" : "are", what,
                p.price > 0 ? ", their price included" : "");
    for (size_t i = 0; i < curve.count; i++) {
        const path_curve_point *at = &curve.of[i];
        char text[160] = "none has been tried";
        if (at->known)
            describe_expected(at->value, at->low, at->high, text, sizeof text);
        print_clean(stdout, "  %4zu  %s\n", at->points, text);
    }
    size_t rival = path_curve_rival(&curve, besd_study_get_options(s)->direction);
    if (rival)
        print_clean(stdout, "  %zu may do as well: so far the two cannot be told apart\n", rival);
    return BESD_OK;
}
