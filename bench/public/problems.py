"""Other people's functions as problems of a trainer: a box, levels of tau, scores with noise; less is better.

Two families. The multi-fidelity one: textbook functions whose cheap levels are the published ones (augmented Branin,
Hartmann and Rosenbrock as in BoTorch; Currin, Borehole and Park with the low-fidelity functions of Xiong, Qian and Wu
2013, between which and the function itself the level mixes). The level of tau is tau / 100; the noise is Gaussian at
every level, its standard deviation 5 % of the function's range. Those of which the literature seeks the maximum are
turned over. The noisy one: bbob-noisy f101 to f130 of COCO (Finck, Hansen, Ros and Auger 2010), instance 1, one level.

A design is judged without noise at the full level: regret 0 is the optimum, 1 the median random design.

COCO's package draws its noise from one stream for the whole process and does not say what a point is worth without.
So noise is drawn here, by COCO's formulas from the seed of the trial. The value without noise is that of the Cauchy
variant of the same function, which most of the time adds a known constant: what two evaluations agree on.
"""

import itertools
import math
import sys
from functools import cache
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1] / "peers"))
from problem import Domain, Problem, named_seed  # noqa: E402

TAUS, FULL = (20, 60, 100), 100
REPS = (1, 4)
NOISE = 0.05  # of the range
SAMPLE = 4096  # random designs, of which the median has a regret of one


def branin(x, s):
    a = 5.1 / (4 * math.pi**2) - 0.1 * (1 - s)
    return (x[1] - a * x[0] ** 2 + 5 / math.pi * x[0] - 6) ** 2 + 10 * (1 - 1 / (8 * math.pi)) * np.cos(x[0]) + 10


HARTMANN_A = np.array(
    [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
)
HARTMANN_P = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def hartmann(x, s):
    alpha = np.array([1 - 0.1 * (1 - s), 1.2, 3, 3.2])
    squares = (np.asarray(x)[None] - HARTMANN_P.reshape(4, 6, *[1] * (np.ndim(x) - 1))) ** 2
    return -np.tensordot(alpha, np.exp(-np.einsum("ij,ij...->i...", HARTMANN_A, squares)), 1)


def rosenbrock(x, s):
    low = 0.1 * (1 - s)
    return sum(100 * (b - a**2 + low) ** 2 + (a - 1 + low * (1 - s)) ** 2 for a, b in itertools.pairwise(x))


def mixed(high, low):
    """The low function at the lowest level, the high one at the full level."""

    def at(x, s):
        share = (FULL * s - TAUS[0]) / (FULL - TAUS[0])
        return high(x) if share == 1 else share * high(x) + (1 - share) * low(x)

    return at


def currin_high(x):
    a, b = x[0], np.maximum(x[1], 1e-12)
    ratio = (2300 * a**3 + 1900 * a**2 + 2092 * a + 60) / (100 * a**3 + 500 * a**2 + 4 * a + 20)
    return -(1 - np.exp(-1 / (2 * b))) * ratio


def currin_low(x):
    a, b = x
    under = np.maximum(0, b - 0.05)
    return sum(currin_high([c, e]) for c in (a + 0.05, a - 0.05) for e in (b + 0.05, under)) / 4


def flow(x, scale, shift):
    rw, r, tu, hu, tl, hl, length, kw = x
    log = np.log(r / rw)
    return -scale * tu * (hu - hl) / (log * (shift + 2 * length * tu / (log * rw**2 * kw) + tu / tl))


def park_high(x):
    a, b, c, d = x
    a = np.maximum(a, 1e-12)
    return -(a / 2 * (np.sqrt(1 + (b + c**2) * d / a**2) - 1) + (a + 3 * d) * np.exp(1 + np.sin(c)))


def park_low(x):
    a, b, c, _ = x
    return (1 + np.sin(a) / 10) * park_high(x) - (-2 * a + b**2 + c**2 + 0.5)


BOREHOLE_BOX = (
    (0.05, 100, 63070, 990, 63.1, 700, 1120, 9855),
    (0.15, 50000, 115600, 1110, 116, 820, 1680, 12045),
)
# name: (value at a level, low, high, a best design)
MULTI_FIDELITY = {
    "branin": (branin, (-5, 0), (10, 15), (math.pi, 2.275)),
    "rosenbrock3": (rosenbrock, (-5,) * 3, (10,) * 3, (1, 1, 1)),
    "borehole8": (
        mixed(lambda x: flow(x, 2 * math.pi, 1), lambda x: flow(x, 5, 1.5)), *BOREHOLE_BOX,
        (0.15, 100, 115600, 1110, 116, 700, 1120, 12045),
    ),
    "currin": (mixed(currin_high, currin_low), (0, 0), (1, 1), (0.216667, 0)),
    "hartmann6": (hartmann, (0,) * 6, (1,) * 6, (0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573)),
    "park4": (mixed(park_high, park_low), (0,) * 4, (1,) * 4, (1, 1, 1, 1)),
}  # fmt: skip

KINDS = ("gaussian", "uniform", "cauchy")
# Of the landscapes in the order of COCO: every three functions have one, with each kind of noise.
LANDSCAPES = ("sphere", "rosenbrock", "sphere", "rosenbrock", "step", "ellipsoid", "powers", "schaffer", "f8f2", "gallagher")
BEST_VALUES = {
    "sphere": 79.48, "rosenbrock": 149.15, "step": 92.94, "ellipsoid": -54.94, "powers": -52.35, "schaffer": -16.94,
    "f8f2": -102.55, "gallagher": 40.78,
}  # fmt: skip

# Fixed for good: decide on the first half, report the second. Each half has every kind of noise four times, every
# dimension three times and every landscape; none of the pairs of function and noise is in both.
HALVES = {
    "develop": (
        "branin", "rosenbrock3", "borehole8",
        "f101-5d", "f110-2d", "f113-3d", "f128-10d",
        "f105-10d", "f108-2d", "f120-5d", "f123-3d",
        "f109-10d", "f118-3d", "f127-2d", "f130-5d",
    ),
    "validate": (
        "currin", "hartmann6", "park4",
        "f107-3d", "f116-5d", "f122-2d", "f125-10d",
        "f102-2d", "f111-5d", "f114-10d", "f129-3d",
        "f106-5d", "f112-3d", "f121-2d", "f124-10d",
    ),
}  # fmt: skip
NAMES = [name for half in HALVES.values() for name in half]


def half_of(name):
    return next(half for half, names in HALVES.items() if name in names)


def family_of(name):
    return MultiFidelity.family if name in MULTI_FIDELITY else Noisy.family


class Function:
    """A box, what a design is worth, and scores of its trainings."""

    def __init__(self, name, low, high, taus):
        self.name, self.low, self.high = name, np.array(low, float), np.array(high, float)
        self.domain = Domain(name, tuple(self.low.tolist()), tuple(self.high.tolist()), taus, REPS, True)

    def settle(self, values, best):
        """Takes the scale of regrets from the values of random designs."""
        self.best, self.unit = best, float(np.median(values)) - best

    def random_designs(self):
        rng = np.random.default_rng(named_seed("median", self.name))
        return rng.uniform(self.low, self.high, (SAMPLE, len(self.low)))

    def regret(self, theta):
        return max(0.0, (self.value(theta) - self.best) / self.unit)


class MultiFidelity(Function):
    family = "multi-fidelity"

    def __init__(self, name):
        self.at, low, high, best = MULTI_FIDELITY[name]
        super().__init__(name, low, high, TAUS)
        values = self.at(self.random_designs().T, 1)
        corners = self.at(np.array(list(itertools.product(*zip(low, high, strict=True))), float).T, 1)
        self.settle(values, self.value(best))
        self.sd = NOISE * float(max(values.max(), corners.max()) - self.best)

    def value(self, theta):
        return float(self.at(np.asarray(theta, float), 1))

    mean_score = value

    def scores(self, theta, tau, reps, rng):
        return (float(self.at(np.asarray(theta, float), tau / FULL)) + self.sd * rng.standard_normal(reps)).tolist()


@cache
def suite():
    import cocoex

    return cocoex.Suite("bbob-noisy", "instances: 1", "dimensions: 2,3,5,10")


class Noisy(Function):
    family = "noisy"

    def __init__(self, name):
        number, dimension = int(name[1:4]), int(name[5:-1])
        group, kind = divmod(number - 101, 3)
        self.kind, moderate = KINDS[kind], group < 2
        self.alpha = 0.01 if moderate else 1.0
        self.beta = 0.01 if moderate else 1.0
        self.often = 0.05 if moderate else 0.2  # Cauchy noise strikes
        self.exponent = self.alpha * (0.49 + 1 / dimension)
        self.variant = suite().get_problem(f"bbob_noisy_f{103 + 3 * group}_i01_d{dimension:02d}")
        super().__init__(name, [-5] * dimension, [5] * dimension, (FULL,))
        best = BEST_VALUES[LANDSCAPES[group]]
        self.settle([self.value(theta) for theta in self.random_designs()], best)

    def value(self, theta):
        seen = set()
        theta = np.asarray(theta, float)
        while (score := float(self.variant(theta))) not in seen:
            seen.add(score)
        return score - 1000 * self.alpha - 1.01e-8

    def mean_score(self, theta):
        """What an interval for the mean score should hold; of Cauchy noise, which has no mean, the median."""
        above = max(self.value(theta) - self.best, 1e-99)
        if self.kind == "gaussian":
            return self.best + above * math.exp(self.beta**2 / 2)
        if self.kind == "cauchy":
            return self.best + above + 1000 * self.alpha
        log = self.exponent * math.log(1e9 / above)
        return self.best + above / (1 + self.beta) * (math.expm1(log) / log if log > 0 else 1)

    def scores(self, theta, tau, reps, rng):
        above = max(self.value(theta) - self.best, 0.0)
        one, two = rng.random(reps), rng.random(reps)
        normal, other = rng.standard_normal(reps), rng.standard_normal(reps)
        if self.kind == "gaussian":
            noisy = above * np.exp(self.beta * normal)
        elif self.kind == "uniform":
            noisy = above * one**self.beta * np.maximum(1, (1e9 / (above + 1e-99)) ** (self.exponent * two))
        else:
            noisy = above + self.alpha * np.maximum(0, 1000 + np.where(one < self.often, normal / np.abs(other), 0))
        return (self.best + noisy + 1.01e-8).tolist()


@cache
def function(name):
    return MultiFidelity(name) if name in MULTI_FIDELITY else Noisy(name)


class Trainer:
    """What `problem.Problem` calls its tool; remembers the best design that was tried at any level."""

    def __init__(self, of):
        self.of, self.found = of, math.inf

    def train(self, domain, theta, *, tau, reps=1, seed, every=0):
        rng = np.random.default_rng(seed)
        self.found = min(self.found, self.of.regret(theta))
        if every:
            return {t: self.of.scores(theta, t, reps, rng)[0] for t in range(every, tau + 1, every)}
        return self.of.scores(theta, tau, reps, rng)


class PublicProblem(Problem):
    """One run's account; the budget is given in trainings at the largest tau."""

    def __init__(self, name, trainings, seed):
        self.of = function(name)
        super().__init__(Trainer(self.of), self.of.domain, trainings * FULL, seed)

    def loss_of(self, mean):
        return mean

    def trial(self, theta, tau, reps):
        """Scores of a trial of which the optimiser chooses everything."""
        self.pay(tau * reps)
        return self.tool.train(self.domain, theta, tau=tau, reps=reps, seed=self.next_seed())
