"""Oracles of model.py and of the paths, written out plainly: dense matrices by a kernel of two legs at a time, Monte Carlo
by telling a dense process what a trial might tell, all paths of a small lattice. `joint.py --check` runs them.
"""

import itertools

import numpy as np
from joint import Domain, compose
from model import COMMON_NOISE, FEATURE_SD, LEAST_WORKS, WORKS_ABOVE, Floats, Model, Settings
from scipy.stats import norm, qmc

Leg = tuple[int, int, int, Floats, float]  # from, to, which of its design, design, 1 - tau / tau_max
Result = tuple[str, float, float]  # what, got, at most


class Toy(Domain):
    """A lattice of 4 x 3 cells, without a trainer."""

    def __init__(self, points: int = 2) -> None:
        self.points, self.cap, self.taus, self.reps, self.start = points, 500.0, [400, 700, 1000], [5, 20], 0
        self.low, self.high = np.zeros(2 * points), np.tile([4.0, 3.0], points)
        self.lay_out([3.5, 2.5])


def toy_model(rng: np.random.Generator, settings: Settings) -> Model:
    """Seven trials of it; one came to its first leg only, and in two of five replications did not end that."""
    m = Model(Toy(), settings)
    for i in range(7):
        steps = np.cumsum(rng.integers(1, 120, (5, 3)), 1).astype(object)
        if i == 3:
            steps[:, 1:] = None
            steps[:2, 0] = None
        (theta,) = rng.uniform(m.lattice.low, m.lattice.high, (1, 4))
        m.tell(theta, m.lattice.taus[i % 3], steps.tolist(), [200.0] * 5)
    m.h, m.fitted = np.log([2.0, 0.9, 0.3, 2.5, 0.5, 0.4, 3.5, 0.6]), 100  # all different, and they stay as they are
    m.fit()
    return m


def kernel(m: Model, x: Leg, y: Leg) -> float:
    h, places, end = np.exp(m.h), m.lattice.places, m.lattice.end

    def correlation(p: Floats, q: Floats, length: float) -> float:
        r = np.sqrt(5) * float(np.linalg.norm(p - q)) / length
        return float((1 + r + r * r / 3) * np.exp(-r))

    def features(a: int, b: int, short: float) -> Floats:
        d, last = float(np.linalg.norm(places[a] - places[b])), float(b == end)
        middle = (1 - last) * (d - 5)
        return np.array([1, short, middle, short * middle, last, last * (d - 2)]) * FEATURE_SD

    (a, b, k, theta, short), (a2, b2, k2, theta2, short2) = x, y
    result = h[4] ** 2 * correlation(theta, theta2, h[3]) if k == k2 else 0.0
    rough = m.settings.rough
    for variance, begins, ends in [(h[1] ** 2, h[0], h[6])] + [(h[7] ** 2, rough, rough)] * (rough > 0):
        to = float(b == b2) if end in (b, b2) else correlation(places[b], places[b2], ends)
        result += variance * correlation(places[a], places[a2], begins) * to
    line = features(a, b, short) @ features(a2, b2, short2)
    return float(result * (1 + h[2] ** 2 * short * short2) + line)


def gram(m: Model, xs: list[Leg], ys: list[Leg]) -> Floats:
    return np.array([[kernel(m, x, y) for y in ys] for x in xs])


def legs_of(m: Model, theta: Floats, short: float) -> list[Leg]:
    cells = [int(np.floor(y)) * 4 + int(np.floor(x)) for x, y in theta.reshape(-1, 2)]
    path = [m.lattice.start, *cells, m.lattice.end]
    return [(a, b, k, theta, short) for k, (a, b) in enumerate(itertools.pairwise(path))]


def data_of(m: Model, works: bool = False) -> tuple[list[Leg], Floats, Floats]:
    """Told legs, values (or shares that work) beyond the prior, variances of their noise."""
    legs, values, noise = [], [], []
    means, prior = (m.told.works, m.prior_works) if works else (m.told.mean, m.prior)
    for i, theta in enumerate(m.told.theta):
        for k, leg in enumerate(legs_of(m, theta, m.told.short[i])):
            n, squares = m.told.count[i][k], m.told.within[i][k]
            if n:
                legs.append(leg)
                values.append(means[i][k] - prior[leg[0], leg[1]])
                noise.append((COMMON_NOISE * np.exp(2 * m.h[5]) + squares) / (COMMON_NOISE + n - 1) / n + 1e-8)
    return legs, np.array(values), np.array(noise)


def weights_of(m: Model, theta: Floats) -> Floats:
    """How often a design comes to its legs, by the means of shares that work."""
    legs, values, noise = data_of(m, works=True)
    alpha = np.linalg.solve(gram(m, legs, legs) + np.diag(noise), values)
    w = [1.0]
    for a, b, _, _, _ in legs_of(m, theta, 0.0)[:-1]:
        mean = m.prior_works[a, b] + gram(m, [(a, b, -1, theta, 0.0)], legs)[0] @ alpha  # -1: of no design
        w.append(w[-1] * min(max(mean, LEAST_WORKS), 1.0))
    return np.array(w)


def design(m: Model, theta: Floats, w: Floats, others: list[Leg]) -> tuple[float, Floats]:
    """At tau_max: prior mean and covariances with legs."""
    legs = legs_of(m, theta, 0.0)
    return float(sum(u * m.prior[x[0], x[1]] for u, x in zip(w, legs, strict=True))), w @ gram(m, legs, others)


def check_posterior(rng: np.random.Generator) -> list[Result]:
    """Designs against a dense process of legs AND scores. A score is the sum of its legs, noise included: a row that is a
    combination of others, hence the pseudo-inverse."""
    m = toy_model(rng, Settings(rough=1.2))
    legs, y, noise = data_of(m)
    one = np.eye(len(legs))
    scores = [one[[j for j, x in enumerate(legs) if x[3] is theta]].sum(0) for theta in m.told.theta]
    rows = np.vstack([one, scores])
    inverse = np.linalg.pinv(rows @ (gram(m, legs, legs) + np.diag(noise)) @ rows.T, rcond=1e-11)
    thetas = rng.uniform(m.lattice.low, m.lattice.high, (20, 4))
    found, worst = m.look(thetas), np.zeros(3)
    variances = m.variances(found)
    for i, theta in enumerate(thetas):
        w, own = weights_of(m, theta), legs_of(m, theta, 0.0)
        prior, cross = design(m, theta, w, legs)
        mean = prior + rows @ cross @ inverse @ rows @ y
        variance = w @ gram(m, own, own) @ w - rows @ cross @ inverse @ rows @ cross
        got = np.abs([np.abs(w - found.w[i]).max(), mean - found.means[i], variance - variances[i]])
        worst = np.maximum(worst, got)
    return [(f"{name} of designs", x, 1e-7) for name, x in zip(("weights", "means", "variances"), worst, strict=True)]


def check_samples(rng: np.random.Generator) -> list[Result]:
    """Means of legs, and means and variances of their samples in standard errors."""
    m, n = toy_model(rng, Settings(rough=1.2)), 4000
    legs, y, noise = data_of(m)
    dense, tables, worst = gram(m, legs, legs) + np.diag(noise), m.sample_tables(rng, n), np.zeros(3)
    for a, b in itertools.product(range(12), range(13)):
        leg = (a, b, -1, np.zeros(4), 0.0)
        cross, context = gram(m, [leg], legs)[0], np.exp(2 * m.h[4])
        mean = m.prior[a, b] + cross @ np.linalg.solve(dense, y)
        variance = kernel(m, leg, leg) - context - cross @ np.linalg.solve(dense, cross)
        off = abs(tables[:, a, b].mean() - mean) / np.sqrt(variance / n)
        wide = abs(tables[:, a, b].var() / variance - 1) / np.sqrt(2 / n)
        worst = np.maximum(worst, [abs(mean - m.mean[a, b]), off, wide])
    names = ("means of legs", "means of sampled legs, z", "variances of sampled legs, z")
    return list(zip(names, worst, (1e-8, 5, 5), strict=True))


def sampled_gain(m: Model, rng: np.random.Generator, theta: Floats, reps: int, thetas: Floats, stages: bool) -> Floats:
    """What the best design gains over the present one by a trial at s = 0.6, draw by draw. The present one's mean stays where it
    is on average, so the difference has the right mean and less noise."""
    draws, (legs, y, noise), seen = 20000, data_of(m), legs_of(m, theta, 0.6)
    k, variance = len(seen), np.exp(2 * m.h[5])
    pull = np.linalg.solve(gram(m, legs, legs) + np.diag(noise), gram(m, legs, seen))
    mean, covariance = pull.T @ y, gram(m, seen, seen) - gram(m, seen, legs) @ pull
    told = rng.multivariate_normal(mean, covariance + variance / reps * np.eye(k), draws)
    level = mean + [m.prior[x[0], x[1]] for x in seen]
    works = norm.cdf((level - WORKS_ABOVE * m.fail) / np.sqrt(np.diag(covariance) + variance))
    goes_on = rng.random((draws, k - 1)) < works[:-1] if stages else np.ones((draws, k - 1))
    come, w, gain, present = 1 + np.cumprod(goes_on, 1).sum(1), [weights_of(m, t) for t in thetas], np.zeros(draws), -1
    for j in range(k + 1):  # first without the trial, to know the present best
        known = legs + seen[:j]
        inverse = np.linalg.inv(gram(m, known, known) + np.diag([*noise, *[variance / reps] * j]))
        designs = [design(m, t, u, known) for t, u in zip(thetas, w, strict=True)]
        use = come == j if j else np.arange(draws) == 0
        data = np.hstack([np.tile(y, (int(use.sum()), 1)), told[use, :j]])
        after = np.array([d[0] for d in designs]) + data @ inverse @ np.array([d[1] for d in designs]).T
        present = present if j else int(after[0].argmax())
        gain[use] = after.max(1) - after[:, present]
    return gain


def check_gain(rng: np.random.Generator, stages: bool = False) -> list[Result]:
    m, result = toy_model(rng, Settings()), []
    thetas = rng.uniform(m.lattice.low, m.lattice.high, (12, 4))
    z = norm.ppf(np.clip(qmc.Sobol(3, seed=1).random(8192), 1e-9, 1 - 1e-9)).T
    targets = m.look(thetas)
    for i, reps in ((0, 5), (1, 5), (2, 20)):
        (got,) = m.gains(m.moves(thetas[i : i + 1], 0.6, targets), reps, targets.means, z, stages)
        gain = sampled_gain(m, rng, thetas[i], reps, thetas, stages)
        mean, error = gain.mean(), gain.std() / np.sqrt(len(gain))
        name = f"knowledge gradient{' in stages' * stages} {got:.4f}, sampled {mean:.4f} +- {error:.4f}, z"
        # where there is hardly anything to gain nothing is tested: that fails as well
        result.append((name, abs(got - mean) / error if mean > 10 * error else np.inf, 4.0))
    return result


def check_gain_in_stages(rng: np.random.Generator) -> list[Result]:
    return check_gain(rng, stages=True)


def check_paths(rng: np.random.Generator) -> list[Result]:
    """The best path of three points against all of them."""
    toy, worst, (a, b, c) = Toy(3), 0.0, np.meshgrid(*[np.arange(12)] * 3, indexing="ij")
    for _ in range(200):
        value, works = -rng.random((13, 13)), rng.random((13, 13))
        worth = value[b, c] + works[b, c] * value[c, 12]
        worth = value[0, a] + works[0, a] * (value[a, b] + works[a, b] * worth)
        worst = max(worst, worth.max() - worth[tuple(compose(toy, value, works, 1)[0])])
    return [("best path", float(worst), 1e-12)]


def check() -> int:
    parts = {check_posterior: 1, check_samples: 2, check_paths: 3, check_gain: 6, check_gain_in_stages: 5}
    results = [result for part, seed in parts.items() for result in part(np.random.default_rng(seed))]
    for name, got, most in results:
        print(f"{'ok  ' if got <= most else 'FAIL'} {name}: {got:.3g}, at most {most:g}")
    return int(any(got > most for _, got, most in results))
