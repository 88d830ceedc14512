"""The trainer of @NAME@: one trial on standard input, its scores on standard output.

Replace `train` by what trains your agent. Whatever you want to see goes to standard error.
"""
import json
import math
import random
import sys


def train(theta, tau, seed):
    """One replication: trains for `tau` interactions with the subgoals of `theta`, tests, and returns the score.

    theta["@FIRST@"] is the first coordinate. theta is None when besd measures training without subgoals
    (`besd run --test`). A stand-in: the nearer theta is to a place that nobody knows, the better.
    """
    chance = random.Random(seed)
    distance = 10.0
    if theta is not None:
        distance = math.dist([theta[name] for name in NAMES], SECRET)
    steps = 20 + 10 * distance + 2000 / tau + chance.uniform(-5, 5)
    return @SCORE_PY@


NAMES = [@NAMES_PY@]
SECRET = [@SECRET@]

trial = json.load(sys.stdin)
scores = [train(trial["theta"], trial["tau"], seed) for seed in trial["replication_seeds"]]
print(f"mean score {sum(scores) / len(scores):.2f}", file=sys.stderr)
json.dump({"scores": scores}, sys.stdout)
