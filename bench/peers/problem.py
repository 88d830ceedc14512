"""The problem that every optimiser gets: trials of a domain, paid for out of one budget.

A trial (theta, tau, reps) trains reps agents for tau interactions each, every agent on an instance of its own,
and costs tau * reps. What does not fit into the rest of the budget is not trained: `BudgetSpent` ends the run.
Optimisers see the unit cube and a loss to be minimised: the logarithm of the mean number of steps, or minus the
mean return. Logarithms do nothing to those that look at ranks and are kind to those that fit a surface.

Randomness has names: trial n of a run with seed s meets the same instances whoever asks for it, and the test of
seed s is the same for everybody.
"""

import hashlib
import json
import math
import subprocess
from dataclasses import dataclass
from pathlib import Path


class BudgetSpent(Exception):
    """The rest of the budget does not pay for this."""


@dataclass(frozen=True)
class Domain:
    name: str
    low: tuple[float, ...]
    high: tuple[float, ...]
    taus: tuple[int, ...]
    reps: tuple[int, ...]
    minimize: bool

    @property
    def dimension(self):
        return len(self.low)

    def theta(self, unit):
        """The design at a point of the unit cube; what lies outside is put on the border."""
        inside = (min(1.0, max(0.0, float(u))) for u in unit)
        return [lo + u * (hi - lo) for u, lo, hi in zip(inside, self.low, self.high, strict=True)]

    def unit(self, theta):
        return [(x - lo) / (hi - lo) for x, lo, hi in zip(theta, self.low, self.high, strict=True)]

    def nearest_tau(self, wanted):
        """The level whose ratio to the wanted number is nearest to one."""
        return min(self.taus, key=lambda tau: abs(math.log(tau / wanted)))


def read_list(path):
    """The words of every problem in a list of the suite (bench/suite.c)."""
    lines = [line.split() for line in Path(path).read_text().splitlines() if not line.startswith("#")]
    return [words for words in lines if len(words) >= 5]


def named_seed(*name):
    return int.from_bytes(hashlib.sha256("/".join(map(str, name)).encode()).digest()[:8], "big") >> 1


class Tool:
    """besd's command line, on one thread."""

    def __init__(self, path):
        self.path = str(path)

    def call(self, *arguments):
        done = subprocess.run([self.path, *map(str, arguments), "--json"], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"besd {' '.join(map(str, arguments))}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def domain(self, name):
        d = self.call("domains", name)
        bounds = tuple(d["theta_low"]), tuple(d["theta_high"])
        return Domain(name, *bounds, tuple(d["tau"]), tuple(d["reps"]), d["objective"] == "steps")

    def train(self, domain, theta, *, tau, reps=1, instances=1, seed, every=0):
        """Means by interactions if `every` is given, else the scores."""
        design = ["--no-subgoals"] if theta is None else ["--theta=" + ",".join(repr(x) for x in theta)]
        extra = ["--every", every] if every else []
        answer = self.call(
            "train", domain.name, *design, "--tau", tau, "--reps", reps, "--instances", instances,
            "--instance-mode", "fresh", "--seed", seed, "--threads", 1, *extra,
        )  # fmt: skip
        return {p["interactions"]: p["mean"] for p in answer["curve"]} if every else answer["scores"]


class Problem:
    """One run's account of trials and costs."""

    def __init__(self, tool, domain, budget, seed):
        self.tool, self.domain, self.budget, self.seed = tool, domain, budget, seed
        self.spent = self.trials = 0
        self.tau, self.reps = domain.taus[-1], domain.reps[0]  # what optimisers without fidelities take

    @property
    def affordable(self):
        """Trials at the largest tau with the fewest reps that the whole budget pays for."""
        return self.budget // (self.tau * self.reps)

    def pay(self, cost):
        if self.spent + cost > self.budget:
            raise BudgetSpent
        self.spent += cost

    def next_seed(self):
        self.trials += 1
        return named_seed("trial", self.domain.name, self.seed, self.trials)

    def loss_of(self, mean):
        return math.log(mean) if self.domain.minimize else -mean

    def loss(self, unit, tau=None):
        """Trains a design afresh."""
        tau = tau or self.tau
        self.pay(tau * self.reps)
        theta = self.domain.theta(unit)
        scores = self.tool.train(self.domain, theta, tau=tau, reps=self.reps, seed=self.next_seed())
        return self.loss_of(sum(scores) / len(scores))

    def losses(self, unit):
        """Trains a design from level to level of tau, and yields (tau, loss). Only the interactions up to the
        last level that was asked for are paid."""
        paid, curve = 0, None
        for tau in self.domain.taus:
            self.pay((tau - paid) * self.reps)
            paid = tau
            if curve is None:
                curve = self.tool.train(
                    self.domain, self.domain.theta(unit), tau=self.tau, reps=self.reps, seed=self.next_seed(),
                    every=math.gcd(*self.domain.taus),
                )  # fmt: skip
            yield tau, self.loss_of(curve[tau])


def assess(tool, domain, theta, seed, instances):
    """Mean and standard error of a recommendation at the largest tau; None: without subgoals."""
    scores = tool.train(
        domain, theta, tau=domain.taus[-1], instances=instances, seed=named_seed("test", domain.name, seed)
    )
    mean = sum(scores) / len(scores)
    variance = sum((s - mean) ** 2 for s in scores) / (len(scores) - 1)
    return mean, math.sqrt(variance / len(scores))
