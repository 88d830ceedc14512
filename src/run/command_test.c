#include "run/command_test.h"

#include "core/error.h"
#include "core/json.h"
#include "core/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char NOTE[] = "test";

enum { LONGEST_NOTE = 1 << 17 };

enum { WITH, WITHOUT, KINDS };

/* Mean scores by seed; NaN: not known. */
typedef struct scores {
    double of[KINDS][COMMAND_TEST_MOST];
} scores;

/* A training under way, or waiting to be repeated. */
typedef struct job {
    command_process *process;
    int kind, tries;
    int64_t seed;
} job;

typedef struct tester {
    const command_test_request *request;
    besd_study *study;
    const besd_study_options *options;
    besd_trial like; /* of every training but its number, its seed and, without a design, theta */
    int64_t trials;  /* of the study */
    scores scores;
    command_test *result;
    bool plain_works, plain_fails;
    int64_t next, done;
    size_t places;
    job jobs[COMMAND_MOST];
    trainer_answer answer;
} tester;

static int fewest_reps(const besd_study_options *o) {
    int fewest = o->reps[0];
    for (size_t i = 1; i < o->reps_count; i++)
        fewest = o->reps[i] < fewest ? o->reps[i] : fewest;
    return fewest;
}

static int64_t largest_tau(const besd_study_options *o) {
    int64_t largest = o->taus[0];
    for (size_t i = 1; i < o->tau_count; i++)
        largest = o->taus[i] > largest ? o->taus[i] : largest;
    return largest;
}

static double cost_of_one(const besd_study_options *o) {
    return o->setup_cost + (double)largest_tau(o) * fewest_reps(o) * o->interaction_price;
}

double command_test_price(const besd_study *study, int64_t seeds) {
    return KINDS * (double)seeds * cost_of_one(besd_study_get_options(study));
}

/* What belongs to the same test: the design and what it is trained for. */
static json_t *describe(const tester *t) {
    return json_pack("{s:o, s:I, s:i}", "theta", json_numbers(t->like.theta, t->options->dimension),
                     "tau", (json_int_t)t->like.tau, "reps", t->like.reps);
}

static json_t *list_scores(const double *values) {
    int64_t count = COMMAND_TEST_MOST;
    while (count && isnan(values[count - 1]))
        count--;
    return json_numbers(values, (size_t)count);
}

static besd_status keep(tester *t, besd_error *error) {
    json_t *note = describe(t);
    json_object_set_new(note, "with", list_scores(t->scores.of[WITH]));
    json_object_set_new(note, "without", list_scores(t->scores.of[WITHOUT]));
    size_t size;
    char *text = json_text(note, JSON_COMPACT, &size);
    json_decref(note);
    besd_status status = text ? besd_study_set_note(t->study, NOTE, text, error)
                              : besd_fail_memory(error, "the test");
    free(text);
    return status;
}

static void recall_list(const json_t *list, double *values) {
    for (size_t i = 0; i < json_array_size(list) && i < COMMAND_TEST_MOST; i++) {
        const json_t *value = json_array_get(list, i);
        values[i] = json_is_number(value) ? json_number_value(value) : NAN;
    }
}

/* What was tested before, if it is the same test. */
static besd_status recall(tester *t, besd_error *error) {
    json_error_t fault;
    char *text = malloc(LONGEST_NOTE);
    if (!text)
        return besd_fail_memory(error, "the test");
    besd_status status = besd_study_get_note(t->study, NOTE, text, LONGEST_NOTE, error);
    json_t *note = status == BESD_OK && *text ? json_read(text, strlen(text), 0, &fault) : NULL;
    json_t *same = describe(t), *now = json_object();
    const char *key;
    json_t *value;
    json_object_foreach(same, key, value) json_object_set(now, key, json_object_get(note, key));
    if (note && json_equal(same, now)) {
        recall_list(json_object_get(note, "with"), t->scores.of[WITH]);
        recall_list(json_object_get(note, "without"), t->scores.of[WITHOUT]);
    }
    json_decref(now);
    json_decref(same);
    json_decref(note);
    free(text);
    return status;
}

static besd_status prepare(tester *t, besd_study *study, const double *theta, command_test *result,
                           besd_error *error) {
    t->study = study;
    t->options = besd_study_get_options(study);
    t->result = result;
    t->like.tau = largest_tau(t->options);
    t->like.reps = fewest_reps(t->options);
    memcpy(t->like.theta, theta, t->options->dimension * sizeof *theta);
    *result = (command_test){.tau = t->like.tau, .reps = t->like.reps};
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < COMMAND_TEST_MOST; i++)
            t->scores.of[kind][i] = NAN;
    besd_status status = besd_study_trial_count(study, &t->trials, error);
    return status == BESD_OK ? recall(t, error) : status;
}

/* Both kinds of a seed have the same one. It is below 2^53, as those of trials are. */
static besd_status start(tester *t, job *j, besd_error *error) {
    besd_trial trial = t->like;
    answer_route route;
    besd_tasks tasks;
    besd_study_get_tasks(t->study, &tasks);
    trial.task = tasks.count ? BESD_ALL_TASKS : 0;
    trial.id = t->trials + 1 + j->seed * KINDS + j->kind;
    trial.seed = rng_seed(t->options->seed, RNG_TEST, 2, (uint64_t)j->seed, 0) >> 11;
    bool is_path = answer_route_of(t->study, trial.theta, &route);
    if (j->kind == WITHOUT) {
        trial.theta[0] = NAN;
        route.visits = 0;
    }
    return command_start(&t->request->command, t->options, &tasks, is_path ? &route : NULL, &trial,
                         &j->process, error);
}

/* The next training that is not known yet; false: there is none. Trainings without a design end
 * with the first that fails, if none has worked. */
static bool take_next(tester *t, job *j) {
    for (; t->next < KINDS * t->request->seeds; t->next++) {
        *j = (job){.kind = (int)(t->next % KINDS), .seed = t->next / KINDS};
        bool known = !isnan(t->scores.of[j->kind][j->seed]);
        if (known && j->kind == WITHOUT)
            t->plain_works = true;
        if (!known && !(j->kind == WITHOUT && t->plain_fails)) {
            t->next++;
            return true;
        }
        t->done++;
    }
    return false;
}

static besd_status fill_places(tester *t, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < t->places; i++)
        if (!t->jobs[i].process && take_next(t, &t->jobs[i]))
            status = start(t, &t->jobs[i], error);
    return status;
}

static void note_failure(tester *t, const job *j, const besd_error *why) {
    double worst = t->options->worst_possible;
    if (j->kind == WITHOUT && !t->plain_works) {
        t->plain_fails = true;
        snprintf(t->result->why, sizeof t->result->why, "%s", why->message);
        return;
    }
    if (isfinite(worst))
        t->scores.of[j->kind][j->seed] = worst;
}

static besd_status settle(tester *t, job *j, besd_error *error) {
    besd_error why;
    besd_status status = command_finish(j->process, &t->answer, &why);
    j->process = NULL;
    t->result->cost += t->answer.cost >= 0 ? t->answer.cost : cost_of_one(t->options);
    if (status == BESD_ENVIRONMENT && j->tries++ < t->request->retries)
        return start(t, j, error);
    if (status != BESD_OK && status != BESD_ENVIRONMENT) {
        *error = why;
        return status;
    }
    if (status == BESD_OK) {
        t->scores.of[j->kind][j->seed] =
            stats_summarise(t->answer.scores, (size_t)t->like.reps).mean;
        t->plain_works = t->plain_works || j->kind == WITHOUT;
    } else {
        note_failure(t, j, &why);
    }
    answer_free(&t->answer);
    t->done++;
    if (t->request->hear)
        t->request->hear(t->request->listener, t->done, KINDS * t->request->seeds);
    return keep(t, error);
}

/* One look at all that runs; *running: how many do. */
static besd_status attend(tester *t, size_t *running, besd_error *error) {
    command_process *list[COMMAND_MOST];
    *running = 0;
    for (size_t i = 0; i < t->places; i++)
        if (t->jobs[i].process)
            list[(*running)++] = t->jobs[i].process;
    if (!*running)
        return BESD_OK;
    besd_status status = command_wait(list, *running, t->request->command.signals, INFINITY, error);
    if (status < 0)
        return status;
    if (t->request->interrupted && t->request->interrupted())
        return besd_fail(error, BESD_DONE, "interrupted");
    status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < t->places; i++)
        if (t->jobs[i].process && command_is_over(t->jobs[i].process))
            status = settle(t, &t->jobs[i], error);
    return status;
}

/* The 97.5 % quantile of Student's distribution. */
static double t_quantile(size_t freedom) {
    static const double few[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
    double n = (double)freedom;
    if (freedom <= sizeof few / sizeof *few)
        return few[freedom - 1];
    return 1.959964 + 2.3722712 / n + 2.8225 / (n * n) + 2.5558 / (n * n * n);
}

static sample_summary summarise(const double *values, int64_t count, int64_t *missing) {
    double known[COMMAND_TEST_MOST];
    size_t used = 0;
    for (int64_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            known[used++] = values[i];
    if (missing)
        *missing = count - (int64_t)used;
    return used ? stats_summarise(known, used) : (sample_summary){0};
}

static void conclude(const tester *t, int64_t seeds) {
    command_test *r = t->result;
    double gains[COMMAND_TEST_MOST], sign = t->options->direction == BESD_MINIMIZE ? -1 : 1;
    for (int64_t i = 0; i < seeds; i++)
        gains[i] = sign * (t->scores.of[WITH][i] - t->scores.of[WITHOUT][i]);
    r->with = summarise(t->scores.of[WITH], seeds, &r->failed);
    r->without = summarise(t->scores.of[WITHOUT], seeds, NULL);
    r->gain = summarise(gains, seeds, NULL);
    r->gain_low = r->gain_high = NAN;
    if (r->gain.count < 2)
        return;
    double away = t_quantile(r->gain.count - 1) * r->gain.se;
    r->gain_low = r->gain.mean - away;
    r->gain_high = r->gain.mean + away;
}

besd_status command_test_run(const command_test_request *r, besd_study *study, const double *theta,
                             command_test *result, besd_error *error) {
    besd_error own;
    size_t running = 1;
    tester *t = calloc(1, sizeof *t);
    error = error ? error : &own;
    if (!t)
        return besd_fail_memory(error, "the test");
    t->request = r;
    t->places = r->command.places ? r->command.places : 1;
    besd_status status = prepare(t, study, theta, result, error);
    while (status == BESD_OK && running) {
        status = fill_places(t, error);
        if (status == BESD_OK)
            status = attend(t, &running, error);
    }
    for (size_t i = 0; i < t->places; i++)
        command_stop(t->jobs[i].process);
    answer_free(&t->answer);
    if (status == BESD_OK)
        conclude(t, r->seeds);
    free(t);
    return status;
}

besd_status command_test_recall(besd_study *study, const double *theta, int64_t seeds,
                                command_test *result, bool *found, besd_error *error) {
    tester *t = calloc(1, sizeof *t);
    *found = false;
    if (!t)
        return besd_fail_memory(error, "the test");
    besd_status status = prepare(t, study, theta, result, error);
    if (status == BESD_OK) {
        conclude(t, seeds);
        *found = (int64_t)result->with.count == seeds;
    }
    free(t);
    return status;
}
