#include "check/check.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/rng.h"
#include "core/stats.h"
#include "study/method.h"
#include "study/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DESIGNS = TRAINER_CHECK_DESIGNS };

typedef struct trainer_checker {
    const besd_command *command;
    const besd_study_options *study; /* with its defaults */
    const besd_path *path;
    const besd_study *asked; /* the study that gave the trials */
    const sigset_t *mask;
    int designs; /* to compare */
    uint64_t seed;
    besd_trial trials[DESIGNS]; /* of the initial design, each with its seed */
    trainer_answer first, other;
    double seconds;         /* of the first run */
    check_finding *finding; /* of the check that runs */
} trainer_checker;

static void judge(trainer_checker *c, check_verdict verdict, const char *fix) {
    c->finding->verdict = verdict;
    SAY(c, fix, "%s", fix);
}

/* One trial from beginning to end. */
static besd_status run(const trainer_checker *c, const besd_trial *trial, trainer_answer *answer,
                       besd_error *error) {
    command_process *t = NULL;
    answer_route route;
    besd_tasks tasks;
    bool is_path = answer_route_of(c->asked, trial->theta, &route);
    besd_study_get_tasks(c->asked, &tasks);
    answer_free(answer);
    besd_status status =
        command_start(c->command, c->study, &tasks, is_path ? &route : NULL, trial, &t, error);
    while (status == BESD_OK && !command_is_over(t))
        status = command_wait(&t, 1, c->mask, INFINITY, error);
    if (status == BESD_OK)
        return command_finish(t, answer, error);
    command_stop(t);
    return status;
}

/* The same within a check: a trainer that fails is a finding. BESD_ENVIRONMENT then. */
static besd_status try(trainer_checker *c, const besd_trial *trial, trainer_answer *answer,
                       besd_error *error) {
    besd_status status = run(c, trial, answer, error);
    if (status != BESD_ENVIRONMENT && status != BESD_IO)
        return status;
    SAY(c, got, "%s", error->message);
    judge(c, CHECK_FAILED, "mend what the sentence names; docs/trainer.md has the rules");
    return BESD_ENVIRONMENT;
}

static bool same_scores(const trainer_checker *c, const trainer_answer *a,
                        const trainer_answer *b) {
    return !memcmp(a->scores, b->scores, (size_t)c->trials[0].reps * sizeof *a->scores);
}

/* Some of the scores, for a finding. */
static void say_scores(trainer_checker *c, const trainer_answer *a, int reps) {
    int length = SAY(c, got, "%d score%s:", reps, reps == 1 ? "" : "s");
    for (int i = 0; i < reps && i < 5; i++)
        length += snprintf(c->finding->got + length, sizeof c->finding->got - (size_t)length,
                           "%s %.5g", i ? "," : "", a->scores[i]);
    if (reps > 5)
        snprintf(c->finding->got + length, sizeof c->finding->got - (size_t)length, ", ...");
}

static besd_status check_answer(trainer_checker *c, besd_error *error) {
    const besd_trial *t = &c->trials[0];
    SAY(c, expected, "exit code 0 and one JSON object with %d %sscore%s", t->reps,
        c->study->transform == BESD_TRANSFORM_LOG ? "positive " : "", t->reps == 1 ? "" : "s");
    double begin = clock_seconds();
    besd_status status = try(c, t, &c->first, error);
    c->seconds = clock_seconds() - begin;
    if (status == BESD_OK)
        say_scores(c, &c->first, t->reps);
    return status;
}

static besd_status check_replications(trainer_checker *c, besd_error *error) {
    besd_trial t = c->trials[0];
    t.reps = c->study->reps[c->study->reps_count - 1];
    SAY(c, expected, "%d scores when reps is %d", t.reps, t.reps);
    besd_status status = try(c, &t, &c->other, error);
    if (status == BESD_OK)
        say_scores(c, &c->other, t.reps);
    return status;
}

static besd_status check_determinism(trainer_checker *c, besd_error *error) {
    SAY(c, expected, "the same trial with the same seeds gives the same scores");
    besd_status status = try(c, &c->trials[0], &c->other, error);
    if (status != BESD_OK)
        return status;
    if (same_scores(c, &c->first, &c->other)) {
        SAY(c, got, "the same scores");
        return BESD_OK;
    }
    SAY(c, got, "first %.5g, then %.5g", c->first.scores[0], c->other.scores[0]);
    judge(c, CHECK_WARNED,
          "seed the world with instance_seed and each agent with its replication_seeds, and a run "
          "can be repeated; a robot cannot, and a study does without");
    return BESD_OK;
}

static besd_status check_chance(trainer_checker *c, besd_error *error) {
    besd_trial t = c->trials[0];
    t.seed = c->trials[1].seed;
    SAY(c, expected, "the same design with other seeds gives other scores");
    besd_status status = try(c, &t, &c->other, error);
    if (status != BESD_OK)
        return status;
    if (!same_scores(c, &c->first, &c->other)) {
        SAY(c, got, "first %.5g, then %.5g", c->first.scores[0], c->other.scores[0]);
        return BESD_OK;
    }
    SAY(c, got, "the same scores");
    judge(c, CHECK_WARNED,
          "does it use instance_seed and replication_seeds? If nothing is left to chance, "
          "'reps: [1]' is enough");
    return BESD_OK;
}

/* The first designs are those of the study, the others are drawn from its box. */
static besd_trial design(const trainer_checker *c, int number) {
    besd_trial t = c->trials[number < DESIGNS ? number : 0];
    rng r = rng_open(c->seed, RNG_TEST, (uint64_t)number, 0, 0);
    for (size_t i = 0; number >= DESIGNS && i < c->study->dimension; i++)
        t.theta[i] = rng_between(&r, c->study->low[i], c->study->high[i]);
    t.seed = c->trials[0].seed;
    return t;
}

static besd_status check_designs(trainer_checker *c, besd_error *error) {
    size_t reps = (size_t)c->trials[0].reps;
    double best = stats_summarise(c->first.scores, reps).mean;
    bool differ = false;
    SAY(c, expected, "%d designs with the same seeds do not all give the same scores", c->designs);
    int length = SAY(c, got, "mean scores %.5g", best);
    for (int i = 1; i < c->designs; i++) {
        besd_trial t = design(c, i);
        besd_status status = try(c, &t, &c->other, error);
        if (status != BESD_OK)
            return status;
        double mean = stats_summarise(c->other.scores, reps).mean;
        best = c->study->direction == BESD_MINIMIZE ? fmin(best, mean) : fmax(best, mean);
        differ = differ || !same_scores(c, &c->first, &c->other);
        if (i < DESIGNS)
            length += snprintf(c->finding->got + length, sizeof c->finding->got - (size_t)length,
                               ", %.5g", mean);
    }
    if (c->designs > DESIGNS)
        snprintf(c->finding->got + length, sizeof c->finding->got - (size_t)length,
                 ", ...; the best of %d is %.5g", c->designs, best);
    if (!differ)
        judge(c, CHECK_WARNED,
              "does it use theta? If the score is always that of a failure, train longer");
    return BESD_OK;
}

/* How often each label was met. */
static void say_labels(trainer_checker *c, int told) {
    size_t length = c->path->points + 1;
    for (int64_t label = 0; label < (int64_t)c->path->labels; label++) {
        int met = 0;
        for (int i = 0; i < c->trials[0].reps; i++)
            met += c->first.legs[(size_t)i * length].label == label;
        told += snprintf(c->finding->got + told, sizeof c->finding->got - (size_t)told,
                         "%s%d of label %lld", label ? ", " : "; ", met, (long long)label);
    }
}

/* Only for a path: the legs of the first trial, if it gave any. */
static besd_status check_legs(trainer_checker *c, besd_error *error) {
    (void)error;
    int reps = c->trials[0].reps, known = 0, through = 0;
    size_t length = c->path->points + 1;
    const besd_leg *legs = c->first.legs;
    SAY(c, expected, "legs: when each point of the path was reached, and the end");
    if (!legs) {
        SAY(c, got, "no legs");
        judge(c, CHECK_WARNED,
              "answer them beside the scores, as docs/trainer.md has it: they find paths that "
              "scores alone do not");
        return BESD_OK;
    }
    for (int i = 0; i < reps; i++) {
        known += legs[(size_t)i * length].reached != -INFINITY;
        through += legs[(size_t)i * length].reached != -INFINITY &&
                   !isnan(legs[(size_t)i * length + c->path->points].reached);
    }
    int told =
        SAY(c, got, "those of %d of %d replications; %d reached the end", known, reps, through);
    say_labels(c, told);
    double beyond = 0;
    for (int i = 0; i < reps; i++)
        if (c->study->direction == BESD_MINIMIZE && c->first.scores[i] > c->path->cap)
            beyond = c->first.scores[i];
    if (beyond > 0)
        snprintf(c->finding->got + strlen(c->finding->got),
                 sizeof c->finding->got - strlen(c->finding->got),
                 "; a score of %.6g beside a cap of %.6g", beyond, c->path->cap);
    if (!known)
        judge(c, CHECK_WARNED,
              "null says that nothing is known of a replication; of all, it says "
              "as little as no legs");
    else if (beyond > 0)
        judge(c, CHECK_WARNED,
              "if scores are the times to the end, they are up to the cap and in its units; else "
              "legs teach which parts are quick, and not what scores");
    return BESD_OK;
}

/* Only for a path: sizes and places that can hardly be meant. */
static besd_status check_path(trainer_checker *c, besd_error *error) {
    besd_error doubt;
    (void)error;
    SAY(c, expected, "cells smaller than the box, and ends inside it");
    SAY(c, got, "that");
    if (path_check_sense(c->study, c->path, &doubt) == BESD_OK)
        return BESD_OK;
    SAY(c, got, "%s", doubt.message);
    judge(c, CHECK_WARNED, "mend it before the study begins: 'besd run' refuses it");
    return BESD_OK;
}

static besd_status check_speed(trainer_checker *c, besd_error *error) {
    (void)error;
    const besd_study_options *o = c->study;
    double cost =
        o->setup_cost + (double)c->trials[0].tau * c->trials[0].reps * o->interaction_price;
    const char *unit;
    double told = c->first.cost >= 0 ? c->first.cost : cost;
    judge(c, CHECK_TOLD, "");
    int length = SAY(c, got, "%.3g seconds for a trial of cost %.12g", c->seconds, told);
    char *rest = c->finding->got + length;
    size_t size = sizeof c->finding->got - (size_t)length;
    if (isinf(o->budget)) {
        snprintf(rest, size, "; the study has no budget");
        return BESD_OK;
    }
    double total = check_in_unit(c->seconds * o->budget / (told > 0 ? told : cost), &unit);
    snprintf(rest, size,
             "; the budget of %.12g pays for %.0f of these, %.3g %s if time grows as cost does, "
             "divided by --jobs",
             o->budget, o->budget / (told > 0 ? told : cost), total, unit);
    if (initial_cost(o) >= o->budget)
        judge(c, CHECK_WARNED,
              "the budget ends before the initial design does, so that the model never chooses: "
              "raise it, or lower initial_designs or initial_reps");
    return BESD_OK;
}

static const struct {
    const char *name;
    besd_status (*run)(trainer_checker *c, besd_error *error);
} checks[] = {{"answer", check_answer},
              {"replications", check_replications},
              {"determinism", check_determinism},
              {"chance", check_chance},
              {"designs", check_designs},
              {"legs", check_legs},
              {"path", check_path},
              {"speed", check_speed}};

enum { CHECKS = sizeof checks / sizeof *checks };

_Static_assert(sizeof checks / sizeof *checks <= TRAINER_CHECK_MAX,
               "findings have room for all checks");

/* The first designs of the study itself, made cheap. */
static besd_status take_trials(trainer_checker *c, besd_study *s, besd_error *error) {
    besd_status status = BESD_OK;
    for (int i = 0; status == BESD_OK && i < DESIGNS; i++) {
        status = besd_study_ask(s, NULL, &c->trials[i], error);
        c->trials[i].tau = c->study->taus[0];
        c->trials[i].reps = c->study->reps[0];
    }
    return status;
}

besd_status trainer_check(const besd_command *command, const besd_study_options *study,
                          const besd_path *path, const besd_tasks *tasks, int designs,
                          const sigset_t *mask, check_finding *findings, size_t *count,
                          besd_error *error) {
    besd_tasks chosen = *tasks; /* whichever comes first */
    besd_study_options o = *study;
    besd_study *s = NULL;
    trainer_checker *c = calloc(1, sizeof *c);
    *count = 0;
    if (!c)
        return besd_fail_memory(error, "the checks");
    o.budget = INFINITY; /* asking is free */
    besd_status status = besd_study_open(&s, NULL, &o, error);
    if (status == BESD_OK && path->points)
        status = besd_study_set_path(s, path, error);
    chosen.given = false;
    if (status == BESD_OK && tasks->count)
        status = besd_study_set_tasks(s, &chosen, error);
    if (status == BESD_OK) {
        o = *besd_study_get_options(s);
        o.budget = study->budget;
        *c = (trainer_checker){.command = command,
                               .study = &o,
                               .path = path,
                               .asked = s,
                               .mask = mask,
                               .designs = designs,
                               .seed = o.seed};
        status = take_trials(c, s, error);
    }
    for (size_t i = 0; status == BESD_OK && i < CHECKS; i++) {
        bool of_path = checks[i].run == check_legs || checks[i].run == check_path;
        if ((of_path && !path->points) || (checks[i].run == check_designs && designs < 2))
            continue;
        c->finding = &findings[(*count)++];
        *c->finding = (check_finding){.name = checks[i].name};
        status = checks[i].run(c, error);
        if (status == BESD_ENVIRONMENT && i > 0)
            status = BESD_OK; /* it answered at least once */
    }
    besd_study_close(s);
    answer_free(&c->first);
    answer_free(&c->other);
    free(c);
    return status == BESD_ENVIRONMENT ? BESD_OK : status;
}
