/* What is likely: quantiles of a mixture of normal distributions and its chance to beat a bar. And
 * what is possible: the range of mean scores that a design can have, and the mean of a normal
 * distribution that is cut at the ends of this range. */
#include "study/forecast_state.h"

#include "core/stats.h"
#include "study/path.h"

#include <math.h>

/* Quantiles are looked for within this many standard deviations of the means. A normal variable is
 * outside with a probability below 1e-22. */
static const double FARTHEST = 10;

/* As many halvings leave an interval that is as short as a double can tell. */
enum { HALVINGS = 60 };

static double cdf(const outlook *o, double x) {
    double sum = 0;
    for (size_t i = 0; i < o->count; i++) {
        double sd = sqrt(o->variance[i]);
        sum += sd > 0 ? normal_cdf((x - o->mean[i]) / sd) : x >= o->mean[i];
    }
    return sum / (double)o->count;
}

double outlook_quantile(const outlook *o, double p) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < o->count; i++) {
        low = fmin(low, o->mean[i] - FARTHEST * sqrt(o->variance[i]));
        high = fmax(high, o->mean[i] + FARTHEST * sqrt(o->variance[i]));
    }
    for (int halved = 0; halved < HALVINGS; halved++) {
        double middle = low + (high - low) / 2;
        if (cdf(o, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double outlook_beats(const outlook *o, double bar, double error) {
    double sum = 0;
    for (size_t i = 0; i < o->count; i++) {
        double ahead = o->mean[i] - bar, sd = sqrt(o->variance[i] + error * error);
        sum += sd > 0 ? normal_cdf(ahead / sd) : ahead > 0;
    }
    return sum / (double)o->count;
}

/* Are the scores of a path times? The scores of a trainer may be something else. */
static bool are_times(const forecast_basis *b) {
    for (size_t i = 0; i < b->e->count; i++) {
        double score = b->e->trials[i].trial.mean;
        if (record_is_told(&b->e->trials[i]) && !(score >= 0 && score <= b->spec->path.cap))
            return false;
    }
    return b->spec->path.points > 0;
}

score_range score_range_find(const forecast_basis *b, const double *theta) {
    const study_spec *spec = b->spec;
    double best = path_best_possible(spec, theta), price = path_price(spec, theta);
    double worst = path_worst_possible(spec, theta);
    score_range r = {-INFINITY, INFINITY};
    if (spec->options.direction == BESD_MAXIMIZE) {
        r.most = isinf(best) ? INFINITY : best;
        r.least = isinf(worst) ? -INFINITY : worst;
        return r;
    }
    r.least = isinf(best) ? -INFINITY : best;
    r.most = isinf(worst) ? INFINITY : worst;
    if (are_times(b)) {
        r.least = fmax(r.least, price);
        r.most = fmin(r.most, spec->path.cap + price);
    }
    return r;
}

score_range score_range_better_end(const study_spec *spec, const score_range *r) {
    bool less_is_better = spec->options.direction == BESD_MINIMIZE;
    return (score_range){less_is_better ? r->least : -INFINITY,
                         less_is_better ? INFINITY : r->most};
}

double score_range_clip(const score_range *r, double score) {
    return fmin(fmax(score, r->least), r->most);
}

double score_range_clipped_mean(const score_range *r, double mean, double variance,
                                bool logarithm) {
    double sd = sqrt(variance), whole = logarithm ? exp(mean + variance / 2) : mean;
    double least = logarithm ? log(fmax(r->least, 0)) : r->least;
    double most = logarithm ? log(fmax(r->most, 0)) : r->most;
    if (!(sd > 0) || isinf(whole))
        return score_range_clip(r, whole);
    double low = (least - mean) / sd, high = (most - mean) / sd, sum = 0;
    if (least > -INFINITY)
        sum += r->least * normal_cdf(low);
    if (most < INFINITY)
        sum += r->most * normal_cdf(-high);
    if (logarithm)
        sum += whole * (normal_cdf(high - sd) - normal_cdf(low - sd));
    else
        sum +=
            mean * (normal_cdf(high) - normal_cdf(low)) + sd * (normal_pdf(low) - normal_pdf(high));
    return score_range_clip(r, sum);
}
