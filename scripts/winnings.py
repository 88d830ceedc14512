"""What a run on a problem of the suite has won, and how sure a mean over runs is; for tables of the suite and of peers.

won is (none - result) / (none - best known), from 0 to 1; a run below one half is lost. Intervals are 95 % bootstrap
intervals over runs, problems kept apart."""

import random

LOST = 0.5


def winnable(none, best):
    """Does what brute force has found differ from no subgoals by a twentieth?"""
    return abs(none - best) > 0.05 * abs(none)


def won(none, best, result):
    return min(1.0, max(0.0, (none - result) / (none - best)))


def resampled(groups, rng):
    """The mean of the runs of all groups, drawn again within their group."""
    sample = [rng.choice(g) for g in groups for _ in g]
    return sum(sample) / len(sample)


def interval(groups, against=None):
    """Of the mean over groups of numbers; or of how far it is above that of other groups."""
    rng, groups = random.Random(1), list(groups)
    others = list(against) if against is not None else None
    means = sorted(resampled(groups, rng) - (resampled(others, rng) if others else 0) for _ in range(1000))
    return means[25], means[974]
