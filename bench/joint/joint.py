#!/usr/bin/env python3
"""One Gaussian process of scores and legs, and the knowledge gradient per cost over both: a prototype beside besd, which
has a model of designs and a model of legs that take turns (docs/results/joint.md compares them).

    joint.py BESD DOMAIN [--budget B] [--runs N] [--first SEED] [--instances N] [--set NAME=VALUE ...]
    joint.py --check

The first trains by `BESD train` and prints for every run the tested steps of its recommendation at half of the budget and
at its end; settings are those of model.py. The second compares posterior, samples, knowledge gradient and paths with
plain ones (check.py). Needs NumPy and SciPy; for domains of steps on a grid of unit cells. A run of 0.4 M interactions
takes about 20 s of one core (OPENBLAS_NUM_THREADS=1).

Theta is chosen, with tau and reps, by the largest knowledge gradient per cost. Candidates, which are the targets as well,
are paths composed of legs by dynamic programming (by their means, with one and two standard deviations of hope, and by 32
samples of the posterior), the best tried designs, and designs near the best three.
"""

import argparse
import json
import subprocess
import sys
import time

import numpy as np
from scipy.stats import norm, qmc

from model import Floats, Ints, Model, Settings


class Domain:
    """A grid of unit cells, trained by besd."""

    def __init__(self, besd: str, name: str, start: list[float], goal: list[float]) -> None:
        self.besd, self.name = besd, name
        about = json.loads(self.call("domains", name, "--json"))
        self.points, self.cap = int(about["parameters"]["subgoals"]), float(about["parameters"]["cap"])
        self.taus, self.reps = about["tau"], about["reps"]
        self.low, self.high = np.array(about["theta_low"]), np.array(about["theta_high"])
        self.lay_out(goal)
        self.start = int(self.cells(np.array(start)))

    def lay_out(self, goal: list[float]) -> None:
        self.width, self.height = int(self.high[0]), int(self.high[1])
        self.places = np.array([[x + 0.5, y + 0.5] for y in range(self.height) for x in range(self.width)] + [goal])
        self.end = len(self.places) - 1

    def call(self, *words: str) -> str:
        return subprocess.run([self.besd, *words], check=True, capture_output=True, text=True).stdout

    def train(self, theta: Floats, tau: int, instances: int, seed: int) -> dict:
        return json.loads(self.call(
            "train", self.name, "--theta", ",".join(f"{x:.9g}" for x in theta), "--tau", str(tau), "--json",
            "--instances", str(instances), "--seed", str(seed), "--threads", "1",
        ))  # fmt: skip

    def cells(self, points: Floats) -> Ints:
        x = np.clip(np.floor(points[..., 0]), 0, self.width - 1)
        y = np.clip(np.floor(points[..., 1]), 0, self.height - 1)
        return np.asarray(y * self.width + x, dtype=np.int64)

    def legs(self, thetas: Floats) -> tuple[Ints, Ints]:
        """Their begins and their ends, [design, leg]."""
        cells, n = self.cells(thetas.reshape(len(thetas), self.points, 2)), (len(thetas), 1)
        return np.hstack([np.full(n, self.start), cells]), np.hstack([cells, np.full(n, self.end)])


def compose(domain: Domain, value: Floats, works: Floats, most: int) -> Ints:
    """The best paths, one for each cell at each point, at most so many, [path, point]. A leg that fails is the last, so
    what comes after counts as often as it works; of what came before the best is kept for each cell, which is exact
    for the best path of all and nearly so for the others."""
    n, k, start, end = domain.end, domain.points, domain.start, domain.end
    inner, p, here = value[:n, :n], works[:n, :n], np.arange(n)
    on: list[Floats] = [value[:n, end]]
    ways: list[Ints] = []
    for _ in range(k - 1):
        total = inner + p * on[0]
        ways.insert(0, total.argmax(1))
        on.insert(0, total.max(1))
    before, come, history, paths, worth = value[start, :n], works[start, :n], here[:, None], [], []
    for j in range(k):
        path = history
        for way in ways[j:]:
            path = np.hstack([path, way[path[:, -1:]]])
        paths.append(path)
        worth.append(before + come * on[j])
        if j < k - 1:
            best = (before[:, None] + come[:, None] * (inner + p * on[j + 1])).argmax(0)
            before, come = before[best] + come[best] * inner[best, here], come[best] * p[best, here]
            history = np.hstack([history[best], here[:, None]])
    every = np.vstack(paths)[np.argsort(-np.concatenate(worth), kind="stable")]
    _, first = np.unique(every, axis=0, return_index=True)
    return every[np.sort(first)[:most]]


class Study:
    def __init__(self, domain: Domain, settings: Settings, budget: float, seed: int) -> None:
        self.domain, self.settings, self.budget, self.seed, self.spent = domain, settings, budget, seed, 0.0
        self.rng, self.model = np.random.default_rng(seed), Model(domain, settings)
        uniform = qmc.Sobol(domain.points + 1, seed=seed).random(settings.draws)
        self.z = norm.ppf(np.clip(uniform, 1e-6, 1 - 1e-6)).T

    def initial(self) -> list[Floats]:
        d = self.domain
        count = max(4, int(self.settings.initial * self.budget / (d.taus[0] * d.reps[0])))
        return list(d.low + (d.high - d.low) * qmc.LatinHypercube(len(d.low), seed=self.seed).random(count))

    def candidates(self) -> tuple[Floats, Floats]:
        """And the path of most hopeful legs."""
        m, d, most = self.model, self.domain, self.settings.targets
        ones, tables = np.ones(m.mean.shape), m.sample_tables(self.rng, self.settings.samples)
        works, sd = m.works if self.settings.reach else ones, tables.std(0)
        paths = [compose(d, m.mean, works, most // 4)]
        paths += [compose(d, np.minimum(m.mean + hope * sd, 0), ones, most // 8) for hope in (1, 2)]
        hopeful = d.places[paths[-1][0]].ravel()
        paths += [compose(d, np.minimum(table, 0), works, 1) for table in tables]
        composed = np.unique(np.vstack(paths), axis=0)
        tried = np.unique(np.array(m.told.theta), axis=0)
        tried = tried[np.argsort(-m.look(tried).means)[: most // 4]]
        near = np.vstack([theta + self.rng.normal(0, 0.5, (10, len(theta))) for theta in tried[:3]])
        centres = d.places[composed].reshape(len(composed), -1)
        return np.vstack([centres, tried, np.clip(near, d.low, d.high - 1e-6)]), hopeful

    def choose(self) -> tuple[Floats, int, int]:
        m, d, s, left = self.model, self.domain, self.settings, self.budget - self.spent
        m.fit()
        thetas, hopeful = self.candidates()
        confirms = left <= s.confirm * self.budget
        if s.mix and not confirms and len(m.told.theta) % s.mix == 0:
            return hopeful, d.taus[0], d.reps[0]
        targets = m.look(thetas)
        if confirms:
            asked, taus, reps = np.argsort(-targets.means)[:10], d.taus[-1:], d.reps[:1]
        else:
            moves = m.moves(thetas, 1 - d.taus[0] / d.taus[-1], targets)
            rough = m.gains(moves, d.reps[0], targets.means, self.z[:, :16], False)
            asked, taus, reps = np.argsort(-rough)[: s.screened], d.taus, d.reps
        best = (1e-12, thetas[asked[0]] if confirms else hopeful, taus[0], reps[0])
        for tau in taus:
            moves = m.moves(thetas[asked], 1 - tau / d.taus[-1], targets)
            for count in (r for r in reps if tau * r <= left):
                rates = m.gains(moves, count, targets.means, self.z, s.stages) / (tau * count)
                if rates.max() > best[0]:
                    best = (float(rates.max()), thetas[asked[int(rates.argmax())]], tau, count)
        return best[1:]

    def recommend(self) -> Floats:
        self.model.fit()
        thetas, _ = self.candidates()
        x = self.model.look(thetas)
        return np.asarray(thetas[int((x.means - self.settings.caution * np.sqrt(self.model.variances(x))).argmax())])

    def run(self) -> tuple[Floats, Floats]:
        """Recommendations at half and at the end."""
        d, waiting, half = self.domain, self.initial(), None
        while True:
            theta, tau, reps = (waiting.pop(), d.taus[0], d.reps[0]) if waiting else self.choose()
            if self.spent + tau * reps > self.budget:
                break
            told = d.train(theta, tau, reps, self.seed * 100003 + len(self.model.told.theta))
            self.model.tell(theta, tau, told["legs"], told["scores"])
            self.spent += tau * reps
            if half is None and self.spent >= self.budget / 2:
                half = self.recommend()
        end = self.recommend()
        return end if half is None else half, end


def read_settings(words: list[str]) -> Settings:
    settings = Settings()
    for word in words:
        name, _, value = word.partition("=")
        if name not in vars(settings):
            raise SystemExit(f"--set {word}: expected one of {', '.join(vars(settings))}")
        kind = type(getattr(settings, name))
        setattr(settings, name, value == "1" if kind is bool else kind(value))
    return settings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("besd", nargs="?")
    parser.add_argument("domain", nargs="?")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--budget", type=float, default=400000)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--instances", type=int, default=2000)
    parser.add_argument("--start", type=float, nargs=2, default=[0.5, 0.5])
    parser.add_argument("--goal", type=float, nargs=2, default=[0.5, 9.5])
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    if options.check:
        from check import check

        return check()
    if not options.domain:
        parser.error("expected the tool besd and a domain, or --check")
    settings, domain = read_settings(options.set), Domain(options.besd, options.domain, options.start, options.goal)
    table = []
    for seed in range(options.first, options.first + options.runs):
        begin, study = time.process_time(), Study(domain, settings, options.budget, seed)
        designs = study.run()
        table.append([domain.train(theta, domain.taus[-1], options.instances, 7)["mean"] for theta in designs])
        print(f"run {seed}: {len(study.model.told.theta)} trials, half {table[-1][0]:.2f}, end {table[-1][1]:.2f}, at "
              f"{','.join(f'{x:.2f}' for x in designs[1])}, {time.process_time() - begin:.0f} s", flush=True)  # fmt: skip
    half, end = np.mean(table, 0)
    print(f"{domain.name} {' '.join(options.set)}: half {half:.2f}, end {end:.2f}, mean of {len(table)} runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
