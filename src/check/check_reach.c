/* Is a subgoal a place, or half of the world? A robot that tells metres and is reached in cells of
 * side 1 has completed its subgoals wherever it goes, and learns nothing of them.
 */
#include "check/checker.h"

#include <math.h>

/* Along a side of the box a subgoal should be one of at least five places: with fewer it says
 * hardly more than in which half to be. In the plane that is a twenty-fifth of the box; the paper's
 * grids have a hundredth and less. */
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

besd_status check_reach(checker *c) {
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
