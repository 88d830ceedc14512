#include "decide/kg_average.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All candidates are glanced at. The best SCREENED of them are screened, and the best EXACT of
 * those are evaluated exactly, each time under every draw. */
enum { SCREENED = 192, EXACT = 16 };

enum { MOST_LEVERS = KG_MAX_LEVELS * KG_MAX_LEVELS };

besd_status kg_average_init(kg_average *a, const mixture *m, const kg_levers *levers,
                            const double *targets, size_t count, besd_error *error) {
    const task_set *tasks = m->tasks && m->tasks->own > 1 ? m->tasks : NULL;
    size_t own = tasks ? tasks->own : 1,
           most = own > 1 ? (KG_MOST_PARTS + own - 1) / own : m->count;
    *a = (kg_average){.draws = m->count < most ? m->count : most,
                      .tasks = own,
                      .levers = *levers,
                      .targets = targets,
                      .target_count = count,
                      .dimension = mixture_dimension(m)};
    besd_status status = BESD_OK;
    for (size_t t = 0; tasks && t < a->tasks; t++)
        a->log_weight[t] = log(tasks->weight[t]);
    for (size_t i = 0; status == BESD_OK && i < a->draws * a->tasks; i++) {
        gp *model = m->models[i / a->tasks];
        if (tasks)
            gp_set_task(model, (int)(i % a->tasks));
        status = kg_create(model, levers, targets, count, &a->of[i], error);
        a->count += status == BESD_OK;
    }
    if (status != BESD_OK)
        kg_average_free(a);
    else if (tasks)
        kg_average_face(a, 0);
    return status;
}

void kg_average_face(kg_average *a, size_t task) {
    for (size_t i = 0; i < a->count; i++)
        kg_face(a->of[i], a->of[i / a->tasks * a->tasks + task]);
}

void kg_average_free(kg_average *a) {
    for (size_t i = 0; i < a->count; i++)
        kg_destroy(a->of[i]);
    a->count = 0;
}

static int lever_count(const kg_average *a) {
    return a->levers.tau_count * a->levers.reps_count;
}

static double log_cost(const kg_average *a, int lever) {
    return log(a->levers.cost[lever / a->levers.reps_count][lever % a->levers.reps_count]);
}

/* Adds what draw and task number i say to the sum. */
static void add_one(const kg_average *a, size_t i, double *sum, const double *own, size_t count) {
    double log_weight = a->log_weight[i % a->tasks];
    for (size_t l = 0; l < count; l++)
        sum[l] = i ? log_add(sum[l], own[l] + log_weight) : own[l] + log_weight;
}

void kg_average_evaluate(kg_average *a, const double *theta, double *log_kg) {
    double own[MOST_LEVERS];
    for (size_t i = 0; i < a->count; i++) {
        kg_evaluate(a->of[i], theta, own);
        add_one(a, i, log_kg, own, (size_t)lever_count(a));
    }
    for (int l = 0; a->draws > 1 && l < lever_count(a); l++)
        log_kg[l] -= log((double)a->draws);
}

size_t kg_average_kept(const kg_average *a) {
    size_t most = 0;
    for (size_t i = 0; i < a->count; i++)
        most = kg_kept(a->of[i]) > most ? kg_kept(a->of[i]) : most;
    return most;
}

typedef struct ranked {
    double score;
    size_t candidate;
} ranked;

static int by_score(const void *x, const void *y) {
    const ranked *a = x, *b = y;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->candidate < b->candidate ? -1 : a->candidate > b->candidate;
}

/* The best score over the levers, and which. */
static double best_lever(const kg_average *a, const double *log_kg, int *lever) {
    double best = -INFINITY;
    *lever = 0;
    for (int l = 0; l < lever_count(a); l++)
        if (log_kg[l] - log_cost(a, l) > best) {
            best = log_kg[l] - log_cost(a, l);
            *lever = l;
        }
    return best;
}

/* Values of candidates for every lever, over all draws so far. */
typedef struct tally {
    double *sum, *own; /* [candidate][lever]; `own`: of the current draw */
    size_t *candidate; /* their numbers among the targets */
    ranked *ranking;
} tally;

/* Leaves the best of `count` candidates in front. */
static void rank(const kg_average *a, tally *t, size_t count) {
    for (size_t c = 0; c < count; c++) {
        int lever;
        double score = best_lever(a, t->sum + c * (size_t)lever_count(a), &lever);
        t->ranking[c] = (ranked){score, t->candidate[c]};
    }
    qsort(t->ranking, count, sizeof *t->ranking, by_score);
    for (size_t c = 0; c < count; c++)
        t->candidate[c] = t->ranking[c].candidate;
}

/* The number of candidates that are worth an exact value, in front of the tally, where trials of
 * so many tasks are looked at. */
static size_t narrow(kg_average *a, tally *t, size_t faced) {
    size_t screened = SCREENED / faced, exact = EXACT / faced;
    size_t levers = (size_t)lever_count(a), count = a->target_count;
    for (size_t c = 0; c < count; c++)
        t->candidate[c] = c;
    for (size_t i = 0; i < a->count; i++) {
        kg_glance(a->of[i], t->own);
        add_one(a, i, t->sum, t->own, count * levers);
    }
    rank(a, t, count);
    count = count < screened ? count : screened;
    for (size_t i = 0; i < a->count; i++) {
        kg_screen(a->of[i], t->candidate, count, t->own);
        add_one(a, i, t->sum, t->own, count * levers);
    }
    rank(a, t, count);
    return count < exact ? count : exact;
}

static int by_choice(const void *x, const void *y) {
    const kg_choice *a = x, *b = y;
    return a->log_score > b->log_score ? -1 : a->log_score < b->log_score;
}

/* Several targets may be the same design. */
static bool is_new(const kg_choice *choices, size_t found, const kg_choice *choice,
                   size_t dimension) {
    for (size_t i = 0; i < found; i++)
        if (!memcmp(choices[i].theta, choice->theta, dimension * sizeof *choice->theta))
            return false;
    return true;
}

static void *tally_allocate(tally *t, size_t count, size_t levers) {
    const memory_array arrays[] = {{&t->sum, count * levers * sizeof *t->sum},
                                   {&t->own, count * levers * sizeof *t->own},
                                   {&t->candidate, count * sizeof *t->candidate},
                                   {&t->ranking, count * sizeof *t->ranking}};
    return memory_allocate(arrays, sizeof arrays / sizeof *arrays);
}

/* The exact value of a target as a candidate, with its best levers. */
static kg_choice judge(kg_average *a, size_t candidate) {
    kg_choice choice = {0};
    double log_kg[MOST_LEVERS];
    int lever;
    memcpy(choice.theta, a->targets + candidate * a->dimension, a->dimension * sizeof(double));
    kg_average_evaluate(a, choice.theta, log_kg);
    choice.log_score = best_lever(a, log_kg, &lever);
    choice.log_kg = log_kg[lever];
    choice.tau = lever / a->levers.reps_count;
    choice.reps = lever % a->levers.reps_count;
    a->evaluated++;
    return choice;
}

static besd_status search_many(kg_average *a, size_t faced, kg_choice *choices, size_t wanted,
                               size_t *found, besd_error *error) {
    tally t;
    kg_choice best[EXACT] = {0};
    void *memory = tally_allocate(&t, a->target_count, (size_t)lever_count(a));
    if (!memory)
        return besd_fail_memory(error, "the ranking of candidates");
    size_t count = narrow(a, &t, faced);
    for (size_t c = 0; c < count; c++)
        best[c] = judge(a, t.candidate[c]);
    qsort(best, count, sizeof *best, by_choice);
    *found = 0;
    for (size_t c = 0; c < count && *found < wanted; c++)
        if (best[c].log_score > -INFINITY && is_new(choices, *found, &best[c], a->dimension))
            choices[(*found)++] = best[c];
    free(memory);
    return BESD_OK;
}

double kg_average_best_score(kg_average *a) {
    double best = -INFINITY;
    for (size_t c = 0; c < a->target_count; c++)
        best = fmax(best, judge(a, c).log_score);
    return best;
}

besd_status kg_average_search(kg_average *a, kg_choice *choices, size_t wanted, size_t *found,
                              besd_error *error) {
    if (a->count > 1)
        return search_many(a, 1, choices, wanted, found, error);
    besd_status status = kg_search(a->of[0], true, choices, wanted, found, error);
    a->evaluated = kg_evaluated(a->of[0]);
    return status;
}

/* Keeps the best of two lists of choices. */
static void merge(kg_choice *best, size_t *count, size_t wanted, const kg_choice *more,
                  size_t more_count) {
    kg_choice all[2 * EXACT];
    size_t sum = *count + more_count;
    memcpy(all, best, *count * sizeof *best);
    memcpy(all + *count, more, more_count * sizeof *more);
    qsort(all, sum, sizeof *all, by_choice);
    *count = sum < wanted ? sum : wanted;
    memcpy(best, all, *count * sizeof *best);
}

besd_status kg_average_search_tasks(kg_average *a, size_t first, size_t faced, kg_choice *choices,
                                    size_t wanted, size_t *found, besd_error *error) {
    besd_status status = BESD_OK;
    wanted = wanted < EXACT ? wanted : EXACT;
    faced = faced < KG_MOST_FACED ? faced : KG_MOST_FACED;
    *found = 0;
    for (size_t i = 0; status == BESD_OK && i < faced; i++) {
        kg_choice own[EXACT];
        size_t count = 0, task = (first + i) % a->tasks;
        kg_average_face(a, task);
        status = search_many(a, faced, own, wanted, &count, error);
        for (size_t c = 0; c < count; c++)
            own[c].task = (int)task;
        merge(choices, found, wanted, own, count);
    }
    return status;
}

besd_status kg_average_refine(kg_average *a, kg_choice *choice, besd_error *error) {
    return a->count > 1 ? BESD_OK : kg_refine(a->of[0], choice, error);
}
