"""A trainer for besd: one trial on standard input, its scores on standard output.

The "robot" looks for a lamp at (3, 7); the score is the time it takes, with chance in it. Replace `train`
by what trains yours. Whatever you want to see goes to standard error.
"""
import json
import math
import random
import sys


def train(theta, tau, instance_seed, seed):
    """One replication: the score of an agent that was trained for tau interactions."""
    lamp = random.Random(instance_seed).gauss(0, 0.1)
    distance = math.hypot(theta["x"] - 3 - lamp, theta["y"] - 7)
    return math.exp(1 + 0.3 * distance + 80 / tau + random.Random(seed).uniform(-0.2, 0.2))


trial = json.load(sys.stdin)
scores = [train(trial["theta"], trial["tau"], trial["instance_seed"], seed)
          for seed in trial["replication_seeds"]]
print(f"mean score {sum(scores) / len(scores):.2f}", file=sys.stderr)
json.dump({"scores": scores}, sys.stdout)
