"""One Gaussian process of legs and scores.

A design is a path; leg k of it, from P_k to P_k+1, is worth

    y_k(theta) = g(P_k, P_k+1) + c_k(theta),      f(theta) = sum_k w_k(theta) y_k(theta),

where g is shared by all designs and c_k belongs to the design: the same leg within another path is another one. A trial
tells the means of the legs that its episodes came to. Its score is their sum, noise included, so the vector of legs is
the whole observation and a row for the score would add nothing (check.py shows it). w_k is how often leg k is come to:
the product of how often those before it work, which is a second mean of the same process; it is held fixed by the
knowledge gradient. Everything is linear in (g, c), so posterior and knowledge gradient are exact but for w, and but for
the mean of a maximum over K + 1 normal numbers, which is taken over quasi-random draws.

Kernel: features (constant, tau, length) + Matern 5/2 over from times Matern 5/2 over to + Matern 5/2 over theta for
each c_k; the latter two times 1 + a^2 s s', s = 1 - tau / tau_max. n told legs: n^3 / 3 for a fit, n^2 for a leg asked.
"""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, solve_triangular
from scipy.optimize import minimize
from scipy.stats import norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Hyperparameters are lognormal: length of from, sd of g, slope of tau, length and sd of c, sd of a replication, length of
# to, sd of the rough part of g.
PRIOR = np.log([3.0, 0.7, 0.5, 3.0, 0.3, 0.4, 3.0, 0.4])
PRIOR_SD = np.array([0.5, 0.5, 0.7, 0.5, 0.7, 0.7, 0.5, 0.5])

# Prior sd of the features' coefficients: 1, s, length, s * length, is it the last, its length then.
FEATURE_SD = np.array([0.7, 0.3, 0.1, 0.05, 0.5, 0.1])

# Hyperparameters are fitted to so many trials, the better half of them the best, whenever a sixth was added.
FITTED_TRIALS, GROWTH = 45, 6
# The spread of a leg's own replications counts for its noise as that of so many replications of all legs.
COMMON_NOISE = 4.0
# Within this distance of the goal the last leg is thought to work before anything is known.
LAST_REACH = 2.0
# What is worth more than this part of a failure works.
WORKS_ABOVE = 0.6
LEAST_WORKS = 0.02


@dataclass
class Settings:
    unit: str = "linear"  # what a leg of d steps is worth: -4 d / cap, or log: -log(1 + 10 d / cap)
    reach: bool = True  # w_k as above; 0: 1
    stages: bool = True  # the knowledge gradient knows that a trial may not come to all of its legs
    rough: float = 0.0  # length of a second, rough part of g; 0: none
    initial: float = 0.1  # share of the budget, shortest trials of a Latin hypercube
    confirm: float = 0.12  # share of the budget, at tau_max and among the ten best
    caution: float = 1.0  # recommend by mean - caution * sd
    mix: int = 0  # every so many'th trial is the path of most hopeful legs, mean + 2 sd; 0: none
    targets: int = 200
    screened: int = 40  # candidates that are asked at all levers
    samples: int = 32  # of the posterior, for paths
    draws: int = 64  # of what a trial may tell


class Lattice(Protocol):
    """Where legs are: cells and the end, which is the last place."""

    points: int
    cap: float
    taus: list[int]
    low: Floats
    high: Floats
    places: Floats
    start: int
    end: int

    def legs(self, thetas: Floats) -> tuple[Ints, Ints]: ...


def matern(a: Floats, b: Floats, length: float) -> Floats:
    squares = np.maximum((a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * a @ b.T, 0)
    r = np.sqrt(5 * squares) / length
    return (1 + r + r * r / 3) * np.exp(-r)


def leg_values(steps: list[float | None], cap: float, unit: str) -> tuple[list[float], list[float]]:
    """What the legs of one episode are worth as far as it came, and whether each reached its end."""
    values, works, begin = [], [], 0.0
    for end in steps:
        until = end if end is not None else steps[-1] if steps[-1] is not None else cap
        d = (until - begin) / cap
        values.append(float(-np.log1p(10 * d) if unit == "log" else -4 * d))
        works.append(float(end is not None))
        if end is None:
            break
        begin = until
    return values, works


@dataclass
class Legs:
    """Legs in a row: from, to, which of its design, which design, at which s, features."""

    a: Ints
    b: Ints
    k: Ints
    of: Ints
    theta: Floats
    short: Floats
    phi: Floats

    def at(self, use: NDArray[np.bool_]) -> "Legs":
        return Legs(self.a[use], self.b[use], self.k[use], self.of[use], self.theta, self.short[use], self.phi[use])


@dataclass
class Told:
    """By trial; and by leg the mean, the number, the sum of squares and the share that worked."""

    theta: list[Floats] = field(default_factory=list)
    short: list[float] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    mean: list[Floats] = field(default_factory=list)
    count: list[Floats] = field(default_factory=list)
    within: list[Floats] = field(default_factory=list)
    works: list[Floats] = field(default_factory=list)


@dataclass
class Look:
    """Designs at tau_max: legs, w, means, and L^-1 times their covariances with the data, [row, design]."""

    legs: Legs
    w: Floats
    means: Floats
    half: Floats


Part = tuple[float, Floats, Floats]  # of g: variance, correlations of places as from and as to
Moves = tuple[Floats, Floats, Floats]


class Model:
    def __init__(self, lattice: Lattice, settings: Settings) -> None:
        self.lattice, self.settings, self.told = lattice, settings, Told()
        self.h, self.fitted = PRIOR.copy(), 0
        self.fail = float(-np.log1p(10) if settings.unit == "log" else -4)
        places, end = lattice.places, lattice.end
        d = np.linalg.norm(places[:, None] - places[None], axis=2)
        near = np.exp(-d[:, end] / LAST_REACH)
        self.prior, self.prior_works = np.full(d.shape, 0.5 * self.fail), np.full(d.shape, 0.5)
        self.prior[:, end], self.prior_works[:, end] = self.fail * (1 - near), near
        zero, last = np.zeros(d.shape), np.zeros(d.shape)
        last[:, end] = 1
        middle = (d - 5) * (1 - last)
        self.flat = np.stack([zero + 1, zero, middle, zero, last, last * (d - 2)], 2) * FEATURE_SD
        self.slope = np.stack([zero, zero + 1, zero, middle, zero, zero], 2) * FEATURE_SD

    def tell(self, theta: Floats, tau: int, legs: list[list[float | None]], scores: list[float]) -> None:
        length = self.lattice.points + 1
        values: list[list[float]] = [[] for _ in range(length)]
        works: list[list[float]] = [[] for _ in range(length)]
        for steps in legs:
            outcome = leg_values(steps, self.lattice.cap, self.settings.unit)
            for k, (value, work) in enumerate(zip(*outcome, strict=True)):
                values[k].append(value)
                works[k].append(work)
        told = self.told
        told.theta.append(theta)
        told.short.append(1 - tau / self.lattice.taus[-1])
        told.score.append(float(np.mean(scores)))
        told.mean.append(np.array([np.mean(v) if v else 0.0 for v in values]))
        told.count.append(np.array([float(len(v)) for v in values]))
        told.within.append(np.array([np.var(v) * len(v) if v else 0.0 for v in values]))
        told.works.append(np.array([np.mean(w) if w else 0.0 for w in works]))

    def parts(self, h: Floats) -> list[Part]:
        """The end as `to` is like no cell."""
        places, e, rough, result = self.lattice.places, self.lattice.end, self.settings.rough, []
        for sd, begin, end in [(h[1], h[0], h[6]), (h[7], rough, rough)][: 2 if rough > 0 else 1]:
            ends = matern(places, places, end)
            ends[e, :] = ends[:, e] = 0
            ends[e, e] = 1
            result.append((float(sd**2), matern(places, places, begin), ends))
        return result

    def legs_of(self, thetas: Floats, shorts: Floats) -> Legs:
        a, b = self.lattice.legs(thetas)
        n, k = a.shape
        a, b, short = a.ravel(), b.ravel(), np.repeat(shorts, k)
        phi = self.flat[a, b] + short[:, None] * self.slope[a, b]
        return Legs(a, b, np.tile(np.arange(k), n), np.repeat(np.arange(n), k), thetas, short, phi)

    def between(self, h: Floats, parts: list[Part], x: Legs, y: Legs) -> Floats:
        """Prior covariances."""
        c: Floats = (h[4] ** 2 * matern(x.theta, y.theta, h[3]))[x.of[:, None], y.of] * (x.k[:, None] == y.k)
        for v, begin, end in parts:
            c += v * begin[x.a[:, None], y.a] * end[x.b[:, None], y.b]
        c *= 1 + h[2] ** 2 * np.outer(x.short, y.short)
        return c + x.phi @ y.phi.T

    def within(self, x: Legs) -> Floats:
        """Prior covariances of the legs of each design with each other, [design, leg, leg]."""
        h, k = np.exp(self.h), self.lattice.points + 1
        a, b, short = (values.reshape(-1, k) for values in (x.a, x.b, x.short))
        phi = x.phi.reshape(-1, k, len(FEATURE_SD))
        c = np.tile(h[4] ** 2 * np.eye(k), (len(a), 1, 1))
        for v, begin, end in self.correlated:
            c += v * begin[a[:, :, None], a[:, None]] * end[b[:, :, None], b[:, None]]
        c *= 1 + h[2] ** 2 * short[:, :, None] * short[:, None]
        return c + phi @ phi.transpose(0, 2, 1)

    def rows(self, use: Ints) -> tuple[Legs, Floats, Floats, Floats, Floats]:
        """Told legs of some trials: values beyond the prior, numbers, sums of squares, shares that work beyond it."""
        told = self.told
        legs = self.legs_of(np.array(told.theta)[use], np.array(told.short)[use])
        columns = (told.mean, told.count, told.within, told.works)
        mean, count, within, works = (np.array(x)[use].ravel() for x in columns)
        seen = count > 0
        mean, works = mean - self.prior[legs.a, legs.b], works - self.prior_works[legs.a, legs.b]
        return legs.at(seen), mean[seen], count[seen], within[seen], works[seen]

    def noise(self, h: Floats, count: Floats, within: Floats) -> Floats:
        return (COMMON_NOISE * h[5] ** 2 + within) / (COMMON_NOISE + count - 1) / count + 1e-8

    def fit(self) -> None:
        n = len(self.told.theta)
        if n >= self.fitted + max(2, self.fitted // GROWTH):
            self.fitted = n
            self.maximise()
        h = np.exp(self.h)
        self.correlated = self.parts(h)
        self.data, self.y, count, within, works = self.rows(np.arange(n))
        self.noises = self.noise(h, count, within)
        self.l = np.linalg.cholesky(self.between(h, self.correlated, self.data, self.data) + np.diag(self.noises))
        self.alpha, alpha_works = cho_solve((self.l, True), np.stack([self.y, works], 1)).T
        self.mean = self.table(self.alpha, self.prior)
        self.works = np.clip(self.table(alpha_works, self.prior_works), LEAST_WORKS, 1)

    def maximise(self) -> None:
        """Hyperparameters of the largest posterior density."""
        order, best = np.argsort(self.told.score), FITTED_TRIALS // 2
        if len(order) > FITTED_TRIALS:
            rest = order[best:]
            order = np.concatenate([order[:best], rest[:: max(1, len(rest) // (FITTED_TRIALS - best))]])
        legs, y, count, within, _ = self.rows(np.sort(order))
        free, squares = (count - 1).sum(), within.sum()

        def loss(log_h: Floats) -> float:
            h = np.exp(log_h)
            try:
                gram = self.between(h, self.parts(h), legs, legs) + np.diag(self.noise(h, count, within))
                l = np.linalg.cholesky(gram)
            except np.linalg.LinAlgError:
                return 1e10
            half = solve_triangular(l, y, lower=True, check_finite=False)
            # spreads are far from normal (legs fail or do not), so they count for less than they would
            spread = 0.3 * (free * log_h[5] + 0.5 * squares / h[5] ** 2)
            prior = 0.5 * (((log_h - PRIOR) / PRIOR_SD) ** 2).sum()
            return float(0.5 * half @ half + np.log(np.diag(l)).sum() + spread + prior)

        self.h = minimize(loss, self.h, method="L-BFGS-B", options={"maxiter": 6, "maxfun": 70, "eps": 1e-3}).x

    def table(self, alpha: Floats, prior: Floats) -> Floats:
        """g between any two places at tau_max."""
        d, result = self.data, prior + self.flat @ (self.data.phi.T @ alpha)
        for v, begin, end in self.correlated:
            result += (begin[:, d.a] * (alpha * v)) @ end[:, d.b].T
        return result

    def sample_tables(self, rng: np.random.Generator, count: int) -> Floats:
        """Samples of it by Matheron's rule: a sample of the prior and of what it would have told, moved by what was told."""
        h, d, p = np.exp(self.h), self.data, len(self.lattice.places)
        fields, tiny = np.zeros((2, count, p, p)), 1e-6 * np.eye(p)
        for v, begin, end in self.correlated:
            left, right = np.linalg.cholesky(begin + tiny), np.linalg.cholesky(end + tiny)
            fields += np.sqrt(v) * (left @ rng.normal(size=fields.shape) @ right.T)
        beta = rng.normal(size=(count, len(FEATURE_SD)))
        root = np.linalg.cholesky(matern(d.theta, d.theta, h[3]) + 1e-6 * np.eye(len(d.theta)))
        context = h[4] * (root @ rng.normal(size=(2, count, self.lattice.points + 1, len(root), 1)))[..., 0]
        both = fields[:, :, d.a, d.b] + context[:, :, d.k, d.of]
        told = both[0] + h[2] * d.short * both[1] + beta @ d.phi.T
        told += rng.normal(size=told.shape) * np.sqrt(self.noises)
        pull = cho_solve((self.l, True), (self.y - told).T).T
        tables = self.prior + fields[0] + np.einsum("abf,sf->sab", self.flat, beta + pull @ d.phi)
        for v, begin, end in self.correlated:
            tables += (begin[None, :, d.a] * (pull[:, None] * v)) @ end[:, d.b].T
        return tables

    def weights(self, thetas: Floats) -> Floats:
        a, b = self.lattice.legs(thetas)
        if not self.settings.reach:
            return np.ones(a.shape)
        return np.hstack([np.ones((len(a), 1)), np.cumprod(self.works[a, b], 1)[:, :-1]])

    def look(self, thetas: Floats) -> Look:
        legs, w = self.legs_of(thetas, np.zeros(len(thetas))), self.weights(thetas)
        cross = self.between(np.exp(self.h), self.correlated, legs, self.data) * w.ravel()[:, None]
        cross = cross.reshape(*w.shape, -1).sum(1)
        means = (self.prior[legs.a, legs.b].reshape(w.shape) * w).sum(1) + cross @ self.alpha
        return Look(legs, w, means, solve_triangular(self.l, cross.T, lower=True, check_finite=False))

    def variances(self, x: Look) -> Floats:
        own = np.einsum("ij,ijk,ik->i", x.w, self.within(x.legs), x.w)
        return np.maximum(own - (x.half * x.half).sum(0), 1e-12)

    def moves(self, thetas: Floats, short: float, targets: Look) -> Moves:
        """Of trials at these designs: covariances of targets with legs, [design, target, leg], of legs with each other,
        and means of legs."""
        n, k = len(thetas), self.lattice.points + 1
        seen, h = self.legs_of(thetas, np.full(n, short)), np.exp(self.h)
        own = self.between(h, self.correlated, seen, self.data)
        half = solve_triangular(self.l, own.T, lower=True, check_finite=False)
        prior = self.between(h, self.correlated, targets.legs, seen) * targets.w.ravel()[:, None]
        cross = prior.reshape(*targets.w.shape, -1).sum(1) - targets.half.T @ half
        rows = np.ascontiguousarray(half.T).reshape(n, k, -1)
        inner = self.within(seen) - rows @ rows.transpose(0, 2, 1)
        means = (self.prior[seen.a, seen.b] + own @ self.alpha).reshape(n, k)
        return cross.reshape(-1, n, k).transpose(1, 0, 2), inner, means

    def gains(self, moves: Moves, reps: int, now: Floats, z: Floats, stages: bool) -> Floats:
        """Knowledge gradients of trials: all legs that a trial comes to are seen together. Columns of the Cholesky factor
        condition on one leg after the other, so that a trial that ends early costs no more to look at."""
        cross, inner, means = moves
        (n, _, k), variance = cross.shape, np.exp(2 * self.h[5])
        root = np.linalg.cholesky(inner + (variance / reps + 1e-9) * np.eye(k))
        step = np.linalg.solve(root, cross.transpose(0, 2, 1)).transpose(0, 2, 1)
        if not stages:
            return np.asarray((now[None, :, None] + step @ z).max(1).mean(1) - now.max())
        sd = np.sqrt(np.diagonal(inner, axis1=1, axis2=2) + variance)
        works = norm.cdf((means - WORKS_ABOVE * self.fail) / sd)
        come = np.hstack([np.ones((n, 1)), np.cumprod(works, 1)[:, :-1], np.zeros((n, 1))])
        ends_with = come[:, :-1] - come[:, 1:]
        after, total = np.tile(now[None, :, None], (n, 1, z.shape[1])), np.zeros(n)
        for j in range(k):
            after += step[:, :, j : j + 1] * z[j]
            total += ends_with[:, j] * (after.max(1).mean(1) - now.max())
        return total
