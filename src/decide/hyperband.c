#include "decide/hyperband.h"

#include <math.h>
#include <stdbool.h>

enum { ETA = 3, BRACKETS = 5 };

static int64_t power_of_eta(int exponent) {
    int64_t power = 1;
    for (int i = 0; i < exponent; i++)
        power *= ETA;
    return power;
}

static size_t bracket_designs(int bracket) {
    return (size_t)((BRACKETS * power_of_eta(bracket) + bracket) / (bracket + 1));
}

static size_t rung_length(int bracket, int rung) {
    return bracket_designs(bracket) / (size_t)power_of_eta(rung);
}

static size_t pass_length(void) {
    size_t length = 0;
    for (int bracket = 0; bracket < BRACKETS; bracket++)
        for (int rung = 0; rung <= bracket; rung++)
            length += rung_length(bracket, rung);
    return length;
}

hyperband_place hyperband_at(size_t n) {
    size_t length = pass_length(), before = n / length * length;
    hyperband_place place = {.pass = n / length};
    for (int bracket = BRACKETS - 1; bracket >= 0; bracket--)
        for (int rung = 0; rung <= bracket; rung++) {
            size_t trials = rung_length(bracket, rung);
            if (n < before + trials) {
                place.bracket = bracket;
                place.rung = rung;
                place.index = n - before;
                place.designs = bracket_designs(bracket);
                place.count = rung ? rung_length(bracket, rung - 1) : 0;
                place.previous = before - place.count;
                place.resource = power_of_eta(BRACKETS - 1 - bracket + rung);
                return place;
            }
            before += trials;
        }
    return place; /* not reached: before is now the end of the pass */
}

/* Does score i rank before score j? */
static bool ranks_before(const double *scores, size_t i, size_t j) {
    if (isnan(scores[i]) || isnan(scores[j]))
        return isnan(scores[i]) && isnan(scores[j]) ? i < j : isnan(scores[j]);
    return scores[i] != scores[j] ? scores[i] > scores[j] : i < j;
}

size_t hyperband_survivor(const double *scores, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (ranks_before(scores, i, best))
            best = i;
    return best;
}
