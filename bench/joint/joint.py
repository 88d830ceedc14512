#!/usr/bin/env python3
"""One Gaussian process of scores and legs, with the knowledge gradient over both, against besd's two models.

A prototype in NumPy of the idea that besd did not take: the value of a design is the sum of its legs and a rest,

    f(theta) = sum_k g(P_k, P_k+1) + r(theta),    g ~ GP over (from, to),  r ~ GP over theta,

so that legs that were observed are linear functionals of the same process as scores, and a trial (a score and the legs
that it came to) is one vector of observations. The knowledge gradient of such a vector has no closed form: the means of
the targets move within as many dimensions as it has, so it is averaged over quasi-random normal draws. Values are besd's:
a leg is -log(1 + d / 50), a score its sum over legs where the goal was reached, and what was left when it was not.

    joint.py BESD DOMAIN [--budget B] [--runs N] [--instances 200]

prints, for each run and for the whole and half of the budget, the tested steps of the recommendation; compare with
`besd compare DOMAIN --methods besd`. One core, minutes per run.
"""

import argparse
import json
import subprocess
import sys

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.stats import norm, qmc

Floats = NDArray[np.float64]
SHORT, CAP = 50.0, 500.0


def matern(a: Floats, b: Floats, scale: Floats) -> Floats:
    """Matern 5/2 between rows."""
    x, y = a / scale, b / scale
    squares = np.maximum((x * x).sum(1)[:, None] + (y * y).sum(1)[None] - 2 * x @ y.T, 0)
    r = np.sqrt(5 * squares)
    return (1 + r + r * r / 3) * np.exp(-r)


class Domain:
    def __init__(self, besd: str, name: str, start: Floats, goal: Floats) -> None:
        self.besd, self.name = besd, name
        about = json.loads(self.call("domains", name, "--json"))
        self.points = int(about["parameters"]["subgoals"])
        self.taus, self.reps = about["tau"], about["reps"]
        self.start, self.goal = start, goal

    def call(self, *words: str) -> str:
        return subprocess.run([self.besd, *words], check=True, capture_output=True, text=True).stdout

    def train(self, theta: Floats, tau: int, reps: int, seed: int, instances: int = 0) -> dict:
        return json.loads(self.call(
            "train", self.name, "--theta", ",".join(f"{x:.9g}" for x in theta), "--tau", str(tau), "--json",
            "--instances", str(instances or reps), "--seed", str(seed), "--threads", "1",
        ))  # fmt: skip

    def path(self, theta: Floats) -> Floats:
        """Its legs, (from, to) by row, ends at the middle of their cells."""
        points = np.vstack([self.start, np.floor(theta.reshape(-1, 2)) + 0.5, self.goal])
        return np.hstack([points[:-1], points[1:]])


class Model:
    """Observations are pairs (places of legs that are summed, theta or none); all at one scale of tau."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.legs: list[Floats] = []
        self.weight: list[tuple[int, ...]] = []
        self.theta: list[Floats | None] = []
        self.short: list[float] = []
        self.value: list[float] = []
        self.noise: list[float] = []
        # leg scale, rest scale, leg sd, rest sd, noise sd of a leg, of a score, slope of tau
        self.h = np.log([3.0, 4.0, 0.6, 0.4, 0.3, 0.3, 0.5])

    def tell(self, theta: Floats, tau: int, result: dict) -> None:
        path, short = self.domain.path(theta), 1 - tau / self.domain.taus[-1]
        legs: list[list[float]] = [[] for _ in path]
        totals = []
        for steps in result["legs"]:
            begin, total = 0.0, 0.0
            for k, end in enumerate(steps):
                goal = steps[-1]
                if end is None:
                    end = goal if goal is not None else CAP
                    value = -np.log1p(max(end - begin, 0) / SHORT)
                    legs[k].append(value)
                    total += value
                    break
                value = -np.log1p(max(end - begin, 0) / SHORT)
                legs[k].append(value)
                total, begin = total + value, float(end)
            totals.append(total)
        for k, values in enumerate(legs):
            if values:
                self.add(path[k : k + 1], None, short, float(np.mean(values)), len(values))
        self.add(path, theta, short, float(np.mean(totals)), len(totals))

    def add(self, legs: Floats, theta: Floats | None, short: float, value: float, count: int) -> None:
        self.legs.append(legs)
        self.theta.append(theta)
        self.short.append(short)
        self.value.append(value)
        self.noise.append(1 / count)

    def kernel(self, h: Floats, a: tuple, b: tuple) -> Floats:
        """Between two lists of functionals: (legs stacked, which functional each belongs to, thetas, has theta, short)."""
        legs_a, of_a, theta_a, has_a, short_a = a
        legs_b, of_b, theta_b, has_b, short_b = b
        between = h[2] ** 2 * matern(legs_a, legs_b, np.full(4, h[0]))
        n, m = len(short_a), len(short_b)
        left = np.zeros((n, len(of_a)))
        left[of_a, np.arange(len(of_a))] = 1
        right = np.zeros((m, len(of_b)))
        right[of_b, np.arange(len(of_b))] = 1
        k = left @ between @ right.T
        rest = h[3] ** 2 * matern(theta_a, theta_b, np.full(theta_a.shape[1], h[1])) * np.outer(has_a, has_b)
        return (k + rest) * (1 + h[6] ** 2 * np.outer(short_a, short_b))

    def functionals(self, legs: list[Floats], theta: list[Floats | None], short: list[float]) -> tuple:
        width = 2 * self.domain.points
        of = np.concatenate([np.full(len(rows), i) for i, rows in enumerate(legs)])
        thetas = np.array([np.zeros(width) if t is None else t for t in theta])
        has = np.array([t is not None for t in theta], dtype=float)
        return np.vstack(legs), of, thetas, has, np.array(short)

    def fit(self) -> None:
        data = self.functionals(self.legs, self.theta, self.short)
        y, has, inverse = np.array(self.value), data[3], np.array(self.noise)
        count = np.array([len(rows) for rows in self.legs], dtype=float)
        self.mean_leg = float((y @ count) / (count @ count))
        away = y - self.mean_leg * count

        def posterior(log_h: Floats) -> float:
            h = np.exp(log_h)
            k = self.kernel(h, data, data) + np.diag(np.where(has > 0, h[5], h[4]) ** 2 * inverse + 1e-6)
            try:
                factor = cho_factor(k, lower=True)
            except np.linalg.LinAlgError:
                return 1e10
            prior = 0.5 * (((log_h - np.log([3, 4, 0.6, 0.4, 0.3, 0.3, 0.5])) / 0.7) ** 2).sum()
            return float(0.5 * away @ cho_solve(factor, away) + np.log(np.diag(factor[0])).sum() + prior)

        if len(y) < 60 or len(y) % 8 == 0:
            self.h = minimize(posterior, self.h, method="Nelder-Mead", options={"maxfev": 60}).x
        h = np.exp(self.h)
        k = self.kernel(h, data, data) + np.diag(np.where(has > 0, h[5], h[4]) ** 2 * inverse + 1e-6)
        self.data, self.factor = data, cho_factor(k, lower=True)
        self.alpha = cho_solve(self.factor, away)

    def look(self, thetas: Floats, width: float = 0) -> tuple[tuple, Floats, Floats]:
        """Designs at tau_max as functionals, their means, and their covariances with the data."""
        where = self.functionals([self.domain.path(t) for t in thetas], list(thetas), [0.0] * len(thetas))
        cross = self.kernel(np.exp(self.h), where, self.data)
        return where, self.mean_leg * (self.domain.points + 1) + cross @ self.alpha, cross

    def gain(self, theta: Floats, tau: int, reps: int, targets: tuple, means: Floats, cross: Floats, z: Floats) -> float:
        """The knowledge gradient of a trial: its score and all of its legs."""
        h, path, short = np.exp(self.h), self.domain.path(theta), 1 - tau / self.domain.taus[-1]
        legs = [path[k : k + 1] for k in range(len(path))] + [path]
        seen = self.functionals(legs, [None] * len(path) + [theta], [short] * len(legs))
        own = self.kernel(h, seen, self.data)
        between = self.kernel(h, targets, seen) - cross @ cho_solve(self.factor, own.T)
        noise = np.array([h[4]] * len(path) + [h[5]]) ** 2 / reps
        covariance = self.kernel(h, seen, seen) - own @ cho_solve(self.factor, own.T) + np.diag(noise + 1e-9)
        root = np.linalg.cholesky(covariance)
        moves = np.linalg.solve(root, between.T).T
        return float((means[:, None] + moves @ z[: len(legs)]).max(0).mean() - means.max())


def compose(model: Model, hope: float) -> Floats:
    """The best path of legs over the cells by dynamic programming, each counted as its mean and `hope` sd."""
    cells = np.array([[x + 0.5, y + 0.5] for y in range(10) for x in range(10)])
    h, k = np.exp(model.h), model.domain.points

    def values(starts: Floats, ends: Floats) -> Floats:
        places = np.hstack([np.repeat(starts, len(ends), 0), np.tile(ends, (len(starts), 1))])
        where = model.functionals([p[None] for p in places], [None] * len(places), [0.0] * len(places))
        cross = model.kernel(h, where, model.data)
        mean = model.mean_leg + cross @ model.alpha
        variance = h[2] ** 2 - np.einsum("ij,ji->i", cross, cho_solve(model.factor, cross.T))
        return (mean + hope * np.sqrt(np.maximum(variance, 0))).reshape(len(starts), len(ends))

    between, last = values(cells, cells), values(cells, model.domain.goal[None])[:, 0]
    ways, value = [], last
    for _ in range(k - 1):
        total = between + value[None]
        ways.append(total.argmax(1))
        value = total.max(1)
    first = int((values(model.domain.start[None], cells)[0] + value).argmax())
    path = [first]
    for way in reversed(ways):
        path.append(int(way[path[-1]]))
    return cells[path].ravel()


def run(domain: Domain, budget: float, seed: int, tested: int) -> list[float]:
    rng = np.random.default_rng(seed)
    model, spent, trials, results = Model(domain), 0.0, 0, []
    width, tau_max, reps = 2 * domain.points, domain.taus[-1], domain.reps[0]
    z = norm.ppf(np.clip(qmc.Sobol(domain.points + 2, seed=seed).random(64), 1e-6, 1 - 1e-6)).T
    tried: list[Floats] = []
    initial = 10 * qmc.LatinHypercube(width, seed=seed).random(24)
    while spent < budget:
        if trials < len(initial):
            theta, tau = initial[trials], domain.taus[trials % len(domain.taus)]
        else:
            model.fit()
            likely = np.array([compose(model, hope) for hope in (0, 1, 2, 3)])
            near = tried[int(model.look(np.array(tried))[1].argmax())] + rng.normal(0, 0.7, (40, width))
            thetas = np.clip(np.vstack([likely, near, np.array(tried)[-60:], 10 * rng.random((150, width))]), 0, 9.999)
            targets, means, cross = model.look(thetas)
            order = np.argsort(-means)[:30]
            asked = np.concatenate([np.arange(4), order, rng.choice(len(thetas), 10)])
            options = [(model.gain(thetas[i], t, reps, targets, means, cross, z) / (t * reps), i, t)
                       for i in asked for t in (domain.taus[0], tau_max)]  # fmt: skip
            _, best, tau = max(options)
            theta = thetas[best]
        model.tell(theta, tau, domain.train(theta, tau, reps, seed * 100003 + trials))
        tried.append(theta)
        spent, trials = spent + tau * reps, trials + 1
        if (spent >= budget / 2 and not results) or spent >= budget:
            model.fit()
            choices = np.vstack([np.array(tried), [compose(model, 0)]])
            where, means, cross = model.look(choices)
            variance = np.diag(model.kernel(np.exp(model.h), where, where)) - np.einsum(
                "ij,ji->i", cross, cho_solve(model.factor, cross.T))  # fmt: skip
            best = choices[int((means - np.sqrt(np.maximum(variance, 0))).argmax())]
            results.append(domain.train(best, tau_max, 1, 7, tested)["mean"])
    print(f"run {seed}: {trials} trials, half {results[0]:.1f}, all {results[-1]:.1f}", flush=True)
    return [results[0], results[-1]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("besd")
    parser.add_argument("domain")
    parser.add_argument("--budget", type=float, default=800000)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--start", type=float, nargs=2, default=[0.5, 0.5])
    parser.add_argument("--goal", type=float, nargs=2, default=[0.5, 9.5])
    parser.add_argument("--instances", type=int, default=200)
    options = parser.parse_args()
    domain = Domain(options.besd, options.domain, np.array(options.start), np.array(options.goal))
    table = np.array([run(domain, options.budget, seed, options.instances)
                      for seed in range(options.first, options.first + options.runs)])  # fmt: skip
    print(f"{options.domain}: half {table[:, 0].mean():.1f}, all {table[:, 1].mean():.1f} (mean of {len(table)} runs)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
