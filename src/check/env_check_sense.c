/* Does it make sense to optimise subgoals in an environment, and what will that cost? */
#include "check/env_check_state.h"
#include "core/clock.h"
#include "learn/subgoals.h"
#include "learn/trial.h"
#include "run/default_budget.h"
#include "world/solve.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { PERSISTENCE = 10 }; /* steps for which an action is kept up, on average */

static const int64_t MOST_RANDOM_STEPS = 200000;
static const double LONGEST_PROBE = 5;       /* seconds; a longer trial is not tried out */
static const double SECONDS_TO_CHOOSE = 0.1; /* a trial, once the initial design is over */

/* Has the last step changed anything that can be seen? */
static bool has_moved(const env_checker *c, const walker *w) {
    return memcmp(w->before.observation, w->now.observation,
                  (size_t)c->spec.observation * sizeof *w->now.observation) != 0;
}

besd_status check_instances(env_checker *c) {
    uint64_t hashes[CHECK_INSTANCES];
    int distinct = 0;
    bool moved = c->methods->fingerprint != NULL; /* which tells instances apart by itself */
    SAY(c, expected, "seeds that draw instances, different ones or always the same");
    for (int i = 0; i < CHECK_INSTANCES; i++) {
        walker w;
        besd_status status = walk_begin(c, &w, c->env[0], (uint64_t)i, 5);
        if (status != BESD_OK)
            return status;
        w.actions = rng_open(c->seed, RNG_TEST, 1, 1, 1); /* the same way in all of them */
        for (int step = 0; status == BESD_OK && step < CHECK_WALK; step++) {
            status = walk_on(c, &w);
            moved = moved || has_moved(c, &w);
        }
        if (status != BESD_OK)
            return status;
        hashes[i] = c->methods->fingerprint ? c->methods->fingerprint(c->env[0]) : w.hash;
        bool seen = false;
        for (int k = 0; k < i; k++)
            seen = seen || hashes[k] == hashes[i];
        distinct += !seen;
    }
    if (distinct > 1)
        SAY(c, got, "%d kinds among %d seeds", distinct, CHECK_INSTANCES);
    else if (!moved)
        SAY(c, got, "not known: nothing moved in %d random steps with each of %d seeds", CHECK_WALK,
            CHECK_INSTANCES);
    else
        SAY(c, got, "a fixed world: the same for all of %d seeds", CHECK_INSTANCES);
    return BESD_OK;
}

/* An environment that tells its table can be solved, so that a map with a wall too many is found.
 */
besd_status check_solvable(env_checker *c) {
    int unsolvable = 0, first = -1;
    SAY(c, expected, "a way to the goal in every instance");
    if (!c->methods->table) {
        SAY(c, got, "not known: the environment tells no table");
        return BESD_OK;
    }
    for (int i = 0; i < CHECK_INSTANCES; i++) {
        walker w;
        solution s;
        besd_error error;
        besd_status status = walk_begin(c, &w, c->env[0], (uint64_t)i, 5);
        if (status != BESD_OK)
            return status;
        status = solve_instance(c->domain, c->env[0], &s, &error);
        if (status == BESD_MEMORY)
            return status;
        if (status == BESD_ENVIRONMENT) {
            SAY(c, got, "%.400s", error.message);
            return check_blame(c, "let table tell what the spec promises and what step does");
        }
        if (status == BESD_UNREACHABLE)
            first = unsolvable++ ? first : i;
    }
    SAY(c, got, "one in %d of %d instances", CHECK_INSTANCES - unsolvable, CHECK_INSTANCES);
    if (!unsolvable)
        return BESD_OK;
    SAY(c, got, "none in %d of %d instances, first in instance %d", unsolvable, CHECK_INSTANCES,
        first);
    return check_blame(c, "look at it with `besd show DOMAIN --instance N`; open a way from the "
                          "start to the goal in every alternative");
}

static int64_t tau_max(const env_checker *c) {
    return domain_tau_max(c->domain);
}

/* What steps pay before the task ends. A penalty that is the same for every step is no reward; then
 * only the end is worth something. */
typedef struct purse {
    double penalty; /* the first reward before an end; NaN: there was none yet */
    bool differs;   /* another reward was met, so there is no penalty */
} purse;

static bool has_penalty(const purse *p) {
    return p->penalty < 0 && !p->differs;
}

static bool is_reward(purse *p, const besd_env_outcome *out) {
    if (!out->terminated) {
        if (isnan(p->penalty))
            p->penalty = out->reward;
        p->differs = p->differs || out->reward != p->penalty;
    }
    return has_penalty(p) ? out->terminated : out->reward != 0;
}

/* In every other instance the walk keeps each action up for a while: rewards that need persistence
 * are found that way, and they are what subgoals are good for. */
besd_status check_reward(env_checker *c) {
    int64_t limit = 20 * tau_max(c), steps = 0, rewards[2] = {0}, goals = 0;
    purse p = {.penalty = NAN};
    limit = limit < MOST_RANDOM_STEPS ? limit : MOST_RANDOM_STEPS;
    SAY(c, expected, "random actions meet a reward within %" PRId64 " steps", limit);
    for (uint64_t instance = 0; steps < limit && !rewards[0]; instance++) {
        walker w;
        bool keep_up = instance % 2;
        besd_status status = walk_begin(c, &w, c->env[0], instance, instance);
        for (int64_t i = 0; status == BESD_OK && i < tau_max(c) && steps < limit; i++, steps++) {
            bool same = keep_up && i && rng_below(&w.actions, PERSISTENCE);
            status = same ? walk_with(c, &w, w.action) : walk_on(c, &w);
            rewards[keep_up] += is_reward(&p, &w.now);
            goals += w.now.terminated;
        }
        if (status != BESD_OK)
            return status;
    }
    int length = SAY(
        c, got, "%" PRId64 " rewards and %" PRId64 " terminated episodes in %" PRId64 " steps%s",
        rewards[0] + rewards[1], goals, steps,
        rewards[0] || !rewards[1] ? "" : ", all with actions that were kept up for a while");
    if (has_penalty(&p))
        snprintf(c->finding->got + length, sizeof c->finding->got - (size_t)length,
                 "; the %g of every step is a penalty and no reward", p.penalty);
    if (rewards[0] || rewards[1])
        return BESD_OK;
    return check_blame(c,
                       "see that the reward is paid at all; if it is only too far away, raise the "
                       "cap and tau, or use more subgoals");
}

/* What a walk tells about where a subgoal could be. */
typedef struct survey {
    int64_t length, inside; /* steps, and those within the box of subgoals */
    double start[BESD_ENV_MAX_OBSERVATION], target[BESD_ENV_MAX_OBSERVATION];
    double farthest; /* squared distance of the target, the farthest place inside the box */
} survey;

static besd_status survey_positions(env_checker *c, survey *v) {
    const besd_env_spec *s = &c->spec;
    walker w;
    besd_status status = walk_begin(c, &w, c->env[0], 2, 2);
    *v = (survey){.length = tau_max(c) < 10 * CHECK_WALK ? tau_max(c) : 10 * CHECK_WALK,
                  .farthest = -1};
    memcpy(v->start, w.now.observation, sizeof v->start);
    for (int64_t i = 0; status == BESD_OK && i < v->length; i++) {
        double distance = 0;
        bool legal = true;
        status = walk_on(c, &w);
        for (int k = 0; k < s->position; k++) {
            double x = w.now.observation[k];
            legal = legal && x >= s->subgoal_low[k] && x <= s->subgoal_high[k];
            distance += (x - v->start[k]) * (x - v->start[k]);
        }
        v->inside += legal;
        if (legal && distance > v->farthest) {
            v->farthest = distance;
            memcpy(v->target, w.now.observation, sizeof v->target);
        }
    }
    return status;
}

/* What a subgoal does on such a walk. */
typedef struct guidance {
    bool reached;
    double least, most;   /* of its potential, */
    double steepest;      /* by which one move changes it at most */
    double rewards;       /* what moves that end nothing pay by themselves: the sum of amounts, */
    int64_t reward_count; /* and how many there were */
} guidance;

/* Repeats the walk of the survey with its target as a subgoal. */
static besd_status repeat_walk(env_checker *c, const survey *v, const subgoals *goals,
                               guidance *g) {
    walker w;
    besd_status status = walk_begin(c, &w, c->env[0], 2, 2);
    *g = (guidance){.least = INFINITY};
    for (int64_t i = 0; status == BESD_OK && i < v->length; i++) {
        status = walk_on(c, &w);
        const double *from = w.before.observation, *to = w.now.observation;
        double before = subgoals_potential(goals, 0, from),
               after = subgoals_potential(goals, 0, to);
        g->reached = g->reached || subgoals_reached(goals, 0, from, to);
        g->least = fmin(g->least, after);
        g->most = fmax(g->most, after);
        g->steepest = fmax(g->steepest, fabs(after - before));
        if (!w.now.terminated) {
            g->rewards += fabs(w.now.reward);
            g->reward_count++;
        }
    }
    return status;
}

/* Warns of potentials that are small in comparison with what every step pays. */
static besd_status weigh_rewards(env_checker *c, const guidance *g, double height) {
    double step = g->reward_count ? g->rewards / (double)g->reward_count : 0;
    char fix[sizeof c->finding->fix];
    if (!(g->steepest > 0 && g->steepest < step))
        return BESD_OK;
    SAY(c, got,
        "a move changes the potential by %.3g at most, and steps pay %.3g on average by themselves",
        g->steepest, step);
    snprintf(fix, sizeof fix,
             "the potential is nothing beside the rewards of steps: set potential_height to about "
             "%.2g, or pay less for a step",
             height * step / g->steepest);
    return check_warn(c, fix);
}

besd_status check_shaping(env_checker *c) {
    const domain *d = c->domain;
    double height = d->value[PARAMETER_HEIGHT], width = d->value[PARAMETER_WIDTH];
    survey v;
    guidance g;
    SAY(c, expected, "subgoals where the agent goes are legal, completed, and felt from afar");
    besd_status status = survey_positions(c, &v);
    if (status != BESD_OK)
        return status;
    if (!v.inside) {
        SAY(c, got, "none of %" PRId64 " positions is in the box from subgoal_low to subgoal_high",
            v.length);
        return check_blame(
            c, "let the first `position` numbers of the observation be where the agent is, "
               "and the box hold these places");
    }
    if (v.farthest <= 0) {
        SAY(c, got, "the position never changed in %" PRId64 " steps", v.length);
        return check_blame(
            c, "let the first `position` numbers of the observation be where the agent is");
    }
    subgoals goals;
    besd_error error = {BESD_OK, ""};
    if (subgoals_init(&goals, &c->spec, &d->reach.how, 1, v.target, (size_t)c->spec.position,
                      height, width, &error)) {
        SAY(c, got, "%.400s", error.message);
        return check_blame(c, "mend the spec's box of subgoals");
    }
    status = repeat_walk(c, &v, &goals, &g);
    if (status != BESD_OK)
        return status;
    if (!g.reached) {
        SAY(c, got,
            "a subgoal at a place of the walk was not completed when the walk was repeated");
        return check_blame(c, "the same seeds must lead to the same places");
    }
    double felt = height * exp(-0.5 * v.farthest / 4 / width);
    SAY(c, got,
        "the potential goes from %.3g to %.3g, and is %.3g at half the distance; its height is "
        "%.3g",
        g.least, g.most, felt, height);
    if (g.most - g.least < 1e-3 * height)
        return check_blame(
            c, "potential_width is too large for these positions, the slope vanishes; set it "
               "to about a tenth of the squared side of the box");
    if (felt < 1e-5 * height)
        return check_blame(
            c, "potential_width is too small for these positions, the subgoal is not felt; "
               "set it to about a tenth of the squared side of the box");
    return weigh_rewards(c, &g, height);
}

/* Is a subgoal a place, or half of the world? A robot whose positions are in metres, with subgoals
 * that are reached in cells of side 1, reaches them wherever it goes, and learns nothing from them.
 * Along a side of the box a subgoal should be one of at least five places: with fewer it says
 * hardly more than in which half to be. In the plane that is a twenty-fifth of the box; on the
 * paper's grids it is a hundredth or less. */
static const double PLACES = 5;

/* How much of the box one subgoal takes up, as a share of its volume. */
static double share_of_box(const besd_env_reaching *how, const besd_env_spec *s) {
    const double pi = acos(-1);
    bool ball = how->reach == BESD_REACH_RADIUS;
    double span = ball ? 2 * how->radius : how->cell_size, share = 1;
    for (int i = 0; i < s->position; i++)
        share *= fmin(1, span / (s->subgoal_high[i] - s->subgoal_low[i]));
    if (ball) /* of its cube */
        share *= pow(pi, s->position / 2.0) / tgamma(s->position / 2.0 + 1) / pow(2, s->position);
    return share;
}

besd_status check_reach(env_checker *c) {
    const besd_env_reaching *how = &c->domain->reach.how;
    const besd_env_spec *s = &c->spec;
    const double most = pow(PLACES, -s->position);
    walker w;
    besd_status status = walk_begin(c, &w, c->env[0], 0, 0);
    SAY(c, expected, "a subgoal takes up at most 1/%.0f of the box", 1 / most);
    if (status != BESD_OK)
        return status;
    if (how->reach == BESD_REACH_CROSS) {
        SAY(c, got, "it is reached by passing over it");
        return BESD_OK;
    }
    double share = share_of_box(how, s);
    int length = how->reach == BESD_REACH_RADIUS
                     ? SAY(c, got, "it is reached within %g of it", how->radius)
                     : SAY(c, got, "it is reached in its cell of side %g", how->cell_size);
    snprintf(c->finding->got + length, sizeof c->finding->got - (size_t)length,
             ", which is %.3g of the box", share);
    if (share <= most * (1 + 1e-9))
        return BESD_OK;
    double shortest = INFINITY;
    for (int i = 0; i < s->position; i++)
        shortest = fmin(shortest, s->subgoal_high[i] - s->subgoal_low[i]);
    char fix[sizeof c->finding->fix];
    snprintf(fix, sizeof fix,
             "say what a place is in these units: cell_size %.2g or radius %.2g, a tenth of the "
             "box, in the spec or by --set",
             shortest / 10, shortest / 20);
    return check_warn(c, fix);
}

/* Is there anything to learn? Random designs are tried, one agent each, as long as that is quick.
 */
enum { MOST_PLAIN = 20 }; /* agents without subgoals, for comparison */

static const double LONGEST_OF_ALL = 5; /* seconds for all designs */

typedef struct probe {
    int designs, reached; /* designs that were tried, and those that reached the goal */
    int plain;            /* agents without subgoals */
    double best, plain_sum;
    besd_error error;
} probe;

/* One agent in the instance of this number, to the longest tau; theta NULL: without subgoals. */
static besd_status try_design(const env_checker *c, int number, const double *theta, double *score,
                              bool *reached, besd_error *error) {
    const domain *d = c->domain;
    trial_result result;
    trial_request r = {.domain = d,
                       .theta = theta,
                       .theta_length = (size_t)(d->value[PARAMETER_SUBGOALS] * c->spec.position),
                       .tau = domain_tau_max(d),
                       .reps = 1,
                       .instances = 1,
                       .seed = rng_seed(c->seed, RNG_TEST, (uint64_t)number, 3, 0),
                       .threads = 1};
    besd_status status = trial_run(&r, &result, error);
    if (status != BESD_OK)
        return status;
    *score = result.final[0];
    *reached = result.reached_goal[0];
    trial_result_free(&result);
    return BESD_OK;
}

static void draw_design(const env_checker *c, int number, double *theta) {
    rng r = rng_open(c->seed, RNG_TEST, (uint64_t)number, 4, 0);
    int numbers = (int)c->domain->value[PARAMETER_SUBGOALS] * c->spec.position;
    for (int i = 0; i < numbers; i++) {
        int k = i % c->spec.position;
        theta[i] = rng_between(&r, c->spec.subgoal_low[k], c->spec.subgoal_high[k]);
    }
}

static besd_status try_all(const env_checker *c, probe *p) {
    const bool less_is_better = c->domain->objective == OBJECTIVE_STEPS;
    double theta[BESD_SUBGOALS_MAX * BESD_SUBGOALS_MAX_DIMENSION], score, begin = clock_seconds();
    besd_status status = BESD_OK;
    bool reached;
    for (int i = 0; i < c->probe && clock_seconds() - begin < LONGEST_OF_ALL; i++) {
        draw_design(c, i, theta);
        status = try_design(c, i, theta, &score, &reached, &p->error);
        if (status != BESD_OK)
            return status;
        bool better = less_is_better ? score < p->best : score > p->best;
        p->best = !p->designs || better ? score : p->best;
        p->reached += reached;
        p->designs++;
        if (i >= MOST_PLAIN)
            continue;
        status = try_design(c, i, NULL, &score, &reached, &p->error);
        if (status != BESD_OK)
            return status;
        p->plain_sum += score;
        p->plain++;
    }
    return status;
}

besd_status check_probe(env_checker *c) {
    const char *unit = c->domain->objective == OBJECTIVE_STEPS ? "steps" : "return";
    probe p = {0};
    c->finding->verdict = CHECK_TOLD;
    if (!c->probe) {
        SAY(c, got, "no random designs were tried");
        return BESD_OK;
    }
    besd_status status = try_all(c, &p);
    if (status == BESD_MEMORY)
        return status;
    if (status != BESD_OK) {
        SAY(c, got, "random designs could not be tried: %.400s", p.error.message);
        return BESD_OK;
    }
    char fewer[64] = "";
    if (p.designs < c->probe)
        snprintf(fewer, sizeof fewer, ", %d were tried in %g seconds", p.designs, LONGEST_OF_ALL);
    SAY(c, got,
        "%d of %d random designs reach the goal (an agent each, tau %" PRId64 "%s); best %.4g %s; "
        "without subgoals: %.4g",
        p.reached, p.designs, domain_tau_max(c->domain), fewer, p.best, unit,
        p.plain_sum / p.plain);
    if (p.reached)
        return BESD_OK;
    SAY(c, expected, "some of %d random designs reach the goal", p.designs);
    return check_warn(c, "nothing is learnt yet, and a study could not tell designs apart: train "
                         "longer (tau), see when a subgoal is reached (reach), or use more "
                         "subgoals");
}

/* Seconds of one step by itself. */
static besd_status time_step(env_checker *c, double *each) {
    walker w;
    int64_t steps = 0;
    besd_status status = walk_begin(c, &w, c->env[0], 1, 1);
    double begin = clock_seconds(), seconds = 0;
    while (status == BESD_OK && seconds < 0.2) {
        for (int i = 0; i < 16; i++, steps++) {
            if (w.now.terminated || w.now.truncated)
                c->methods->reset(w.env, &w.now);
            c->methods->step(w.env, (int)rng_below(&w.actions, (uint64_t)c->spec.actions), &w.now);
        }
        seconds = clock_seconds() - begin;
        if (c->methods->failure && c->methods->failure(w.env))
            status = walk_on(c, &w); /* which says so */
    }
    *each = seconds / (double)steps;
    return status;
}

/* Seconds of one interaction in a trial, learning and evaluation included, on one thread. A short
 * trial goes first, so that starting processes is not counted. */
static double time_interaction(const env_checker *c, double each) {
    const domain *d = c->domain;
    double seconds = 0, interactions = (double)tau_max(c) * d->reps[0];
    if (each * interactions > LONGEST_PROBE)
        return each;
    for (int round = 0; round < 2; round++) {
        trial_request r = {.domain = d,
                           .tau = round ? tau_max(c) : 1,
                           .reps = d->reps[0],
                           .instances = 1,
                           .seed = c->seed,
                           .threads = 1};
        trial_result result;
        double begin = clock_seconds();
        if (trial_run(&r, &result, NULL) != BESD_OK)
            return each;
        seconds = clock_seconds() - begin;
        trial_result_free(&result);
    }
    return seconds / interactions;
}

/* The mean number of agents of a trial that train at a time. */
static double side_by_side(int reps) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double threads = processors > 1 ? (double)processors : 1;
    return reps / ceil(reps / threads);
}

besd_status check_speed(env_checker *c) {
    const domain *d = c->domain;
    double initial = 0, trials = 0, each;
    const char *unit, *wall_unit;
    besd_status status = time_step(c, &each);
    if (status != BESD_OK)
        return status;
    for (int i = 0; i < DOMAIN_MAX_LEVELS && d->tau[i]; i++) {
        initial += (double)d->tau[i] * d->initial_designs * d->reps[0];
        trials += d->initial_designs;
    }
    double budget = initial / BUDGET_INITIAL_SHARE, total = budget * time_interaction(c, each);
    double wall = total / side_by_side(d->reps[0]) +
                  (trials / BUDGET_INITIAL_SHARE - trials) * SECONDS_TO_CHOOSE;
    total = check_in_unit(total, &unit);
    wall = check_in_unit(wall, &wall_unit);
    c->finding->verdict = CHECK_TOLD;
    SAY(c, got,
        "%.3g microseconds a step, one at a time; the default study of %.4g interactions trains "
        "for %.3g %s on one thread, and takes about %.2g %s here with its choices",
        1e6 * each, budget, total, unit, wall, wall_unit);
    return BESD_OK;
}
