"""The functions, their noise, the accounts and the tables; those of COCO need its package, besd its own."""

import contextlib
import importlib.util
import io
import math
import tempfile
import unittest
from pathlib import Path

import numpy as np
from optimisers import OPTIMISERS, besd, build_of, uniform
from problems import HALVES, KINDS, MULTI_FIDELITY, NAMES, NOISE, TAUS, PublicProblem, family_of, function, half_of
from report_public import FLOOR, Cell, geometric, report, sign_test, wins
from run import COLUMNS, option, parse, run, runs

from ledger import Ledger

HAVE_COCO = importlib.util.find_spec("cocoex") is not None
HAVE_BESD = importlib.util.find_spec("besd") is not None
PAIRS = [name for name in NAMES if name not in MULTI_FIDELITY]


class Halves(unittest.TestCase):
    def test_nothing_is_in_both_halves(self):
        self.assertEqual(len({name.partition("-")[0] for name in NAMES}), 30)
        self.assertEqual([half_of(HALVES[half][0]) for half in HALVES], list(HALVES))

    def test_each_half_has_everything(self):
        for names in HALVES.values():
            pairs = [name for name in names if family_of(name) == "noisy"]
            self.assertEqual((len(names), len(pairs)), (15, 12))
            kinds = [KINDS[(int(p[1:4]) - 101) % 3] for p in pairs]
            self.assertEqual([kinds.count(k) for k in KINDS], [4, 4, 4])
            dimensions = [int(p[5:-1]) for p in pairs]
            self.assertEqual([dimensions.count(d) for d in (2, 3, 5, 10)], [3, 3, 3, 3])
            self.assertEqual({(int(p[1:4]) - 101) // 3 for p in pairs}, set(range(10)))


def borehole(rw, r, tu, hu, tl, hl, length, kw):
    log = math.log(r / rw)
    return 2 * math.pi * tu * (hu - hl) / (log * (1 + 2 * length * tu / (log * rw**2 * kw) + tu / tl))


class Textbook(unittest.TestCase):
    """Of the full level; values from the literature or worked out by hand."""

    def test_optima(self):
        known = {
            "branin": 0.397887, "rosenbrock3": 0, "borehole8": -309.5756, "currin": -13.79872,
            "hartmann6": -3.32237, "park4": -25.58925,
        }  # fmt: skip
        for name, value in known.items():
            self.assertAlmostEqual(function(name).best, value, places=4, msg=name)

    def test_nothing_is_better_than_the_optimum(self):
        rng = np.random.default_rng(1)
        for name in MULTI_FIDELITY:
            of, best = function(name), np.array(MULTI_FIDELITY[name][3], float)
            near = best + 0.01 * (of.high - of.low) * rng.standard_normal((2000, len(best)))
            for designs in (of.random_designs(), np.clip(near, of.low, of.high)):
                self.assertGreater(of.at(designs.T, 1).min(), of.best - 1e-6 * of.unit, name)

    def test_elsewhere(self):
        self.assertAlmostEqual(function("branin").value([0, 0]), 36 + 20 - 10 / (8 * math.pi))
        self.assertAlmostEqual(function("rosenbrock3").value([0, 2, 3]), 401 + 101)
        self.assertAlmostEqual(function("currin").value([0.5, 0.5]), -(1 - math.exp(-1)) * 1868.5 / 159.5)
        self.assertAlmostEqual(function("park4").value([0.5, 0, 1, 0]), -0.5 * math.exp(1 + math.sin(1)))
        middle = (0.1, 2000, 90000, 1050, 90, 760, 1400, 11000)
        self.assertAlmostEqual(function("borehole8").value(middle), -borehole(*middle))
        self.assertAlmostEqual(function("hartmann6").value([0.5] * 6), -0.5053149, places=5)

    def test_cheap_levels(self):
        branin = function("branin").at
        self.assertAlmostEqual(branin([1, 0], 0.6), (-(5.1 / (4 * math.pi**2) - 0.04) + 5 / math.pi - 6) ** 2
                               + 10 * (1 - 1 / (8 * math.pi)) * math.cos(1) + 10)  # fmt: skip
        self.assertAlmostEqual(function("rosenbrock3").at([1, 1, 1], 0.2), 2 * (100 * 0.08**2 + 0.064**2))
        park, x = function("park4"), [0.5, 0.2, 1, 0]
        low = (1 + math.sin(0.5) / 10) * park.value(x) - (-1 + 0.04 + 1 + 0.5)
        self.assertAlmostEqual(float(park.at(x, 0.2)), low)
        self.assertAlmostEqual(float(park.at(x, 0.6)), (low + park.value(x)) / 2)
        currin = function("currin")
        near = [currin.value([a, b]) for a in (0.35, 0.25) for b in (0.07, 0)]
        self.assertAlmostEqual(float(currin.at([0.3, 0.02], 0.2)), sum(near) / 4)
        thin = (0.1, 2000, 90000, 1050, 90, 760, 1400, 11000)
        log = math.log(thin[1] / thin[0])
        low = 5 * 90000 * 290 / (log * (1.5 + 2 * 1400 * 90000 / (log * 0.01 * 11000) + 1000))
        self.assertAlmostEqual(float(function("borehole8").at(thin, 0.2)), -low)
        hartmann, at = function("hartmann6").at, [0.2] * 6
        levels = [float(hartmann(at, s)) for s in (0.2, 0.6, 1)]
        self.assertAlmostEqual(levels[1] - levels[0], levels[2] - levels[1])  # linear in the level
        self.assertLess(levels[2], levels[0])

    def test_a_regret_of_one_is_the_median(self):
        for name in MULTI_FIDELITY:
            of = function(name)
            below = [of.regret(theta) < 1 for theta in of.random_designs()]
            self.assertEqual(sum(below), len(below) / 2)


class AdditiveNoise(unittest.TestCase):
    def test_moments(self):
        of, rng, n = function("park4"), np.random.default_rng(1), 20_000
        for tau in TAUS:
            scores = np.array(of.scores([0.5] * 4, tau, n, rng))
            self.assertLess(abs(scores.mean() - float(of.at([0.5] * 4, tau / 100))), 4 * of.sd / math.sqrt(n))
            self.assertLess(abs(scores.std() / of.sd - 1), 4 / math.sqrt(2 * n))
        self.assertLess(abs(of.sd / (NOISE * 25.5893) - 1), 0.02)  # the worst design is worth nearly 0


@unittest.skipUnless(HAVE_COCO, "coco-experiment is not installed")
class Coco(unittest.TestCase):
    def own(self, name):
        """COCO's problem with its own noise."""
        import cocoex

        suite = cocoex.Suite("bbob-noisy", "instances: 1", f"dimensions: {name[5:-1]}")
        return suite, suite.get_problem(f"bbob_noisy_{name[:4]}_i01_d{int(name[5:-1]):02d}")

    def test_best_values_are_those_of_coco(self):
        for name in PAIRS:
            suite, problem = self.own(name)
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                problem._best_parameter("print")
                best = np.loadtxt(next(Path(folder).iterdir()))
            of = function(name)
            self.assertLess(abs(of.value(best) - of.best), 1e-9, name)

    def test_nothing_is_better_than_the_best_value(self):
        for name in PAIRS:
            of = function(name)
            self.assertGreater(min(map(of.value, of.random_designs()[:500])), of.best, name)
            self.assertGreater(of.unit, 0)

    def test_noise_is_distributed_like_that_of_coco(self):
        """Two samples of 2000; 0.07 is exceeded once in ten thousand times."""
        n = 2000
        for name in PAIRS:
            of, (suite, problem) = function(name), self.own(name)
            theta = of.random_designs()[0]
            ours = np.sort(of.scores(theta, 100, n, np.random.default_rng(1)))
            theirs = np.sort([float(problem(theta)) for _ in range(n)])
            places = np.concatenate([ours, theirs])
            apart = np.searchsorted(ours, places + 1e-9, "right") - np.searchsorted(theirs, places + 1e-9, "right")
            self.assertLess(abs(apart).max() / n, 0.07, name)

    def test_mean_scores(self):
        rng, n = np.random.default_rng(1), 200_000
        for name in ("f101-5d", "f107-3d", "f102-2d"):
            of = function(name)
            theta = of.random_designs()[0]
            scores = np.array(of.scores(theta, 100, n, rng))
            self.assertLess(abs(scores.mean() - of.mean_score(theta)), 4 * scores.std() / math.sqrt(n), name)
        of = function("f108-2d")  # too wild to be averaged
        theta = of.random_designs()[0]
        above = of.value(theta) - of.best
        grid = (np.arange(100_000) + 0.5) / 100_000
        expected = above / 2 * np.mean((1e9 / above) ** (of.exponent * grid))
        self.assertLess(abs(of.mean_score(theta) - of.best - expected), 1e-6 * expected)
        of = function("f109-10d")
        theta = of.random_designs()[0]
        self.assertAlmostEqual(np.median(of.scores(theta, 100, 999, rng)), of.mean_score(theta), places=6)


class Accounts(unittest.TestCase):
    def test_budgets_are_full_trainings(self):
        problem = PublicProblem("branin", 3, 1)
        self.assertEqual(problem.affordable, 3)
        theta = uniform(problem)
        self.assertEqual((problem.spent, problem.trials), (300, 3))
        self.assertLessEqual(problem.tool.found, problem.of.regret(theta))

    def test_levels(self):
        problem = PublicProblem("branin", 2, 1)
        self.assertEqual([tau for tau, _ in problem.losses([0.5, 0.5])], list(TAUS))
        self.assertEqual(problem.spent, 100)

    def test_a_trial_has_the_same_noise_whoever_asks(self):
        one, two = (PublicProblem("park4", 9, seed) for seed in (1, 1))
        first, again = one.loss([0.5] * 4), two.trial([0.5] * 4, 100, 1)[0]
        self.assertEqual(first, again)
        self.assertNotEqual(first, one.loss([0.5] * 4))
        self.assertNotEqual(first, PublicProblem("park4", 9, 2).loss([0.5] * 4))

    @unittest.skipUnless(HAVE_BESD, "besd is not installed")
    def test_besd_pays_for_all_that_it_asks(self):
        path = Path(importlib.util.find_spec("besd").origin).parents[1]
        problem = PublicProblem("branin", 8, 1)
        theta = besd(problem, path, {"explore": 0.0})
        self.assertTrue(700 < problem.spent <= 800, problem.spent)
        self.assertLessEqual(problem.tool.found, problem.of.regret(theta) + (problem.tried == 0))
        self.assertLess(*problem.interval)

    def test_builds_are_told_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(FileNotFoundError, "expected a folder"):
                build_of(folder)
            Path(folder, "besd").mkdir()
            Path(folder, "besd", "__init__.py").write_text("1")
            one = build_of(folder)
            Path(folder, "besd", "_besd.so").write_bytes(b"2")
            self.assertNotEqual(build_of(folder), one)
            Path(folder, "sources").write_text("3")
            of_sources = build_of(folder)
            Path(folder, "besd", "_besd.so").write_bytes(b"4")
            self.assertEqual(build_of(folder), of_sources)


def row(**changes):
    usual = {"problem": "branin", "half": "develop", "budget": "30", "method": "tpe", "seed": "1", "besd": "-"}
    usual |= {"regret": "0.5", "found": "0.1", "held": "1", "tried": "0", "seconds": "1", "version": "-"}
    return dict.fromkeys(COLUMNS, "") | usual | {k: str(v) for k, v in changes.items()}


class Runs(unittest.TestCase):
    def wanted(self, *more):
        return parse(["rows.csv", "--python-package", "x", "--seeds", "2", "--budgets", "30", "60", *more])

    def test_families(self):
        wanted = self.wanted("--problems", "branin", "f101-5d", "--label", "flat", "--methods", "besd", "smac-mf")
        first = [("branin", 30, "flat", 1), ("branin", 30, "smac-mf", 1), ("f101-5d", 30, "flat", 1)]
        listed = list(runs(wanted))
        self.assertEqual((listed[:3], len(listed)), (first, 12))

    def test_slow_ones_only_by_name(self):
        self.assertNotIn("botorch-mf", self.wanted().methods)
        self.assertEqual(self.wanted("--half", "validate").problems, list(HALVES["validate"]))

    def test_options(self):
        given = [option(t) for t in ("explore=0.5", "draws=3", "discrete=true", "transform=log")]
        self.assertEqual(given, [("explore", 0.5), ("draws", 3), ("discrete", True), ("transform", "log")])

    def test_labels_are_nobody_else(self):
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            self.wanted("--label", "tpe")

    def test_a_row(self):
        made = run("branin", 3, "random", 1, None)
        self.assertEqual((set(made), made["held"], made["trials"], made["half"]), (set(COLUMNS), "", 3, "develop"))
        self.assertLessEqual(float(made["found"]), float(made["regret"]))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "rows.csv")
            Ledger(path, COLUMNS).add(made)
            again = Ledger(path, COLUMNS)
            self.assertTrue(again.has("branin", 3, "random", 1))
            again.add(row(method="flat", besd="abc explore=0"))
            self.assertTrue(again.has("branin", 30, "flat", 1, besd="abc explore=0"))
            self.assertFalse(again.has("branin", 30, "flat", 1, besd="abc"))


class Report(unittest.TestCase):
    def test_signs(self):
        self.assertEqual([sign_test(*n) for n in ((0, 0), (5, 0), (0, 5), (3, 3))], [1, 0.0625, 0.0625, 1])
        self.assertAlmostEqual(sign_test(8, 2), 2 * (1 + 10 + 45) / 1024)

    def test_two_are_compared_on_the_runs_that_both_have(self):
        cell = Cell([row(method=m, seed=s, regret=r) for m, s, r in (("besd", 2, 1), ("besd", 1, 0.01), ("tpe", 1, 0.04))])
        own, its = cell.of("besd", ("tpe",)), cell.of("tpe", ("besd",))
        self.assertEqual((len(cell.of("besd")), [r["seed"] for r in own], wins(own, its)), (2, ["1"], (1, 0)))
        self.assertAlmostEqual(geometric(cell.of("besd")), 0.1)
        self.assertAlmostEqual(geometric([row(regret=0)]), FLOOR)

    def test_tables(self):
        pairs = ((p, s) for p in ("branin", "currin") for s in (1, 2))
        rows = [
            row(problem=p, half=half_of(p), seed=s, method=m, regret=r, held=int(s == 1))
            for p, s in pairs for m, r in (("besd", 0.01), ("tpe", 0.04), ("flat", 0.01))
        ]  # fmt: skip
        text = "\n".join(report(rows, "besd", ("develop",)))
        self.assertIn("| branin | **0.010** | **0.010** | 0.040 |", text)
        self.assertIn("| seeds | 2 | 2 | 2 |", text)
        self.assertIn("| 30 | Optuna TPE | 2 | 0.0400 | 0.0100 | 0.25 | [0.25, 0.25] | 2 – 0 | 0.5 |", text)
        self.assertIn("| 30 | flat | 2 | 0.0100 | 0.0100 | 1.00 | [1.00, 1.00] | 0 – 0 | 1 |", text)
        self.assertIn("| besd, multi-fidelity | 30 | 2 | 0.1000 | 0.0100 | 2 | 1 (50 %) | 1.0 |", text)
        self.assertNotIn("currin", text)

    def test_every_optimiser_has_a_name(self):
        self.assertTrue(all(len(entry) == 4 and entry[3] for entry in OPTIMISERS.values()))


if __name__ == "__main__":
    unittest.main()
