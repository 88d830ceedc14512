"""Accounts and ledger, with a trainer that is a formula: no tool, no package is needed."""

import csv
import io
import math
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path

from ledger import COLUMNS, Ledger
from peers import jobs, parse, seeds
from problem import BudgetSpent, Domain, Problem, assess, named_seed
from report import write
from report_suite import main as report_suite

BOX = Domain("box", (0.0, -1.0), (10.0, 1.0), (200, 600, 1000), (5, 20), True)


class Formula:
    """Remembers what it trained; steps fall with tau and grow with the first coordinate."""

    def __init__(self):
        self.calls = []

    def train(self, domain, theta, *, tau, reps=1, instances=1, seed, every=0):
        self.calls.append({"tau": tau, "reps": reps, "instances": instances, "seed": seed})
        score = 1000.0 / tau + theta[0]
        if every:
            return {t: 1000.0 / t + theta[0] for t in range(every, tau + 1, every)}
        return [score + i % 2 for i in range(reps * instances)]


def problem(budget, domain=BOX, seed=1):
    return Problem(Formula(), domain, budget, seed)


class Costs(unittest.TestCase):
    def test_a_trial_costs_tau_times_reps(self):
        p = problem(20_000)
        p.loss([0.5, 0.5])
        self.assertEqual((p.spent, p.trials), (5000, 1))
        p.loss([0.5, 0.5], 200)
        self.assertEqual((p.spent, p.trials), (6000, 2))
        self.assertEqual([c["tau"] for c in p.tool.calls], [1000, 200])
        self.assertEqual({c["reps"] for c in p.tool.calls}, {5})

    def test_the_budget_is_spent_to_the_last_and_never_exceeded(self):
        p = problem(10_000)
        self.assertEqual(p.affordable, 2)
        p.loss([0, 0])
        p.loss([0, 0])
        with self.assertRaises(BudgetSpent):
            p.loss([0, 0], 200)
        self.assertEqual((p.spent, p.trials, len(p.tool.calls)), (10_000, 2, 2))

    def test_what_does_not_fit_is_not_trained_and_costs_nothing(self):
        p = problem(9_999)
        p.loss([0, 0])
        with self.assertRaises(BudgetSpent):
            p.loss([0, 0])
        self.assertEqual((p.spent, p.trials, len(p.tool.calls)), (5000, 1, 1))
        p.loss([0, 0], 600)  # a shorter one does

    def test_a_pruned_trial_pays_up_to_the_level_it_saw(self):
        p = problem(100_000)
        for tau, loss in p.losses([0.1, 0.5]):
            self.assertAlmostEqual(loss, math.log(1000 / tau + 1))
            if tau == 600:
                break
        self.assertEqual((p.spent, p.trials, len(p.tool.calls)), (3000, 1, 1))
        self.assertEqual([tau for tau, _ in p.losses([0.1, 0.5])], [200, 600, 1000])
        self.assertEqual((p.spent, p.trials), (8000, 2))

    def test_levels_stop_at_the_budget(self):
        p = problem(3_500)
        seen = []
        with self.assertRaises(BudgetSpent):
            for tau, _ in p.losses([0, 0]):
                seen.append(tau)
        self.assertEqual((seen, p.spent), ([200, 600], 3000))


class Designs(unittest.TestCase):
    def test_the_unit_cube_is_the_box(self):
        self.assertEqual(BOX.theta([0.25, 1.0]), [2.5, 1.0])
        self.assertEqual(BOX.theta([-0.1, 1.2]), [0.0, 1.0])
        self.assertEqual(BOX.unit([2.5, 1.0]), [0.25, 1.0])

    def test_fidelities_are_rounded_by_ratio(self):
        self.assertEqual([BOX.nearest_tau(t) for t in (1, 250, 500, 1000)], [200, 200, 600, 1000])

    def test_losses_are_minimised(self):
        p = problem(10_000)
        self.assertAlmostEqual(p.loss([0, 0]), math.log(1.4))  # scores 1, 2, 1, 2, 1
        rewards = Domain("prize", (0.0,), (1.0,), (1000,), (5,), False)
        self.assertAlmostEqual(problem(10_000, rewards).loss([0]), -1.4)


class Randomness(unittest.TestCase):
    def test_trials_have_seeds_of_their_own_and_everybody_the_same(self):
        one, two, other = problem(50_000), problem(50_000), problem(50_000, seed=2)
        for p in (one, two, other):
            p.loss([0, 0])
            p.loss([1, 1])
        drawn = [[c["seed"] for c in p.tool.calls] for p in (one, two, other)]
        self.assertEqual(drawn[0], drawn[1])
        self.assertEqual(len({*drawn[0], *drawn[2]}), 4)
        self.assertTrue(all(0 <= s < 2**63 for s in drawn[0]))

    def test_the_test_is_at_the_largest_tau_on_instances_no_trial_saw(self):
        tool = Formula()
        mean, se = assess(tool, BOX, [1.0, 0.0], 1, 200)
        self.assertAlmostEqual(mean, 2.5)
        self.assertAlmostEqual(se, math.sqrt(0.25 / 199))
        self.assertEqual((tool.calls[0]["tau"], tool.calls[0]["reps"], tool.calls[0]["instances"]), (1000, 1, 200))
        self.assertNotIn(tool.calls[0]["seed"], {named_seed("trial", "box", 1, n) for n in range(1000)})


def row(**changes):
    usual = {"domain": "gw10", "budget": 100, "method": "tpe", "seed": 1, "besd": "abc"}
    return dict.fromkeys(COLUMNS, "0") | usual | changes


class Resuming(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "rows" / "peers.csv"

    def test_what_has_a_row_is_done(self):
        Ledger(self.path).add(row())
        again = Ledger(self.path)
        self.assertTrue(again.has("gw10", 100, "tpe", 1))
        for other in (("tr", 100, "tpe", 1), ("gw10", 200, "tpe", 1), ("gw10", 100, "cma", 1), ("gw10", 100, "tpe", 2)):
            self.assertFalse(again.has(*other))

    def test_half_a_line_is_cut_off_and_the_run_done_again(self):
        ledger = Ledger(self.path)
        ledger.add(row())
        whole = self.path.read_bytes()
        ledger.add(row(seed=2))
        self.path.write_bytes(self.path.read_bytes()[:-3])
        again = Ledger(self.path)
        self.assertEqual(self.path.read_bytes(), whole)
        self.assertTrue(again.has("gw10", 100, "tpe", 1))
        self.assertFalse(again.has("gw10", 100, "tpe", 2))
        again.add(row(seed=2))
        self.assertEqual([r["seed"] for r in csv.DictReader(self.path.read_text().splitlines())], ["1", "2"])

    def test_half_a_header_begins_anew(self):
        self.path.parent.mkdir()
        self.path.write_text("domain,bud")
        self.assertEqual(Ledger(self.path).rows, {})
        self.assertEqual(self.path.read_text(), ",".join(COLUMNS) + "\n")

    def test_rows_of_besd_belong_to_its_sources(self):
        ledger = Ledger(self.path)
        ledger.add(row(method="besd", mean="30"))
        self.assertTrue(ledger.has("gw10", 100, "besd", 1, besd="abc"))
        self.assertFalse(ledger.has("gw10", 100, "besd", 1, besd="def"))
        ledger.add(row(method="besd", mean="20", besd="def"))
        again = Ledger(self.path)
        self.assertEqual([r["mean"] for r in again.rows.values()], ["20"])  # the last one holds

    def test_other_columns_are_refused(self):
        self.path.parent.mkdir()
        self.path.write_text("a,b\n1,2\n")
        with self.assertRaisesRegex(ValueError, "expected the columns"):
            Ledger(self.path)
        self.assertEqual(self.path.read_text(), "a,b\n1,2\n")


class Report(unittest.TestCase):
    def report(self, rows):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "peers.md"
            write(rows, path)
            return path.read_text().splitlines()

    def test_the_best_mean_is_bold_and_plain_learning_is_no_rival(self):
        means = {"besd": (20, 30), "tpe": (24, 28), "cma": (26, 25), "none": (1, 1)}
        rows = [row(budget=100_000, method=m, seed=s + 1, mean=v) for m, of in means.items() for s, v in enumerate(of)]
        text = self.report(rows)
        for expected in ("| | GW10 0.1 M |", "| seeds | 2 |", "| no subgoals | 1 ± 0 |"):
            self.assertIn(expected, text)
        self.assertIn("| pycma, noise handling | 25.5 ± 0.71 |", text)
        self.assertEqual([line for line in text if "**" in line], ["| besd | **25** ± 7.1 |"])

    def test_returns_are_maximised(self):
        rows = [row(domain="tr", budget=200_000, method=m, mean=v) for m, v in (("besd", 3), ("tpe", 4))]
        self.assertIn("| Optuna TPE | **4** |", self.report(rows))

    def test_seeds_that_few_have_are_not_compared(self):
        held = (("besd", 1), ("besd", 2), ("tpe", 1), ("cma", 1))
        rows = [row(budget=100_000, method=m, seed=s, mean=s) for m, s in held]
        rows += [row(budget=300_000, method="besd")]
        text = self.report(rows)
        self.assertIn("| seeds | 1 |", text)
        self.assertIn("| besd | **1** |", text)
        self.assertTrue(any(line.startswith("Not run yet: GW10 0.3 M") for line in text))

    def test_who_misses_a_seed_says_so_and_cannot_be_best(self):
        held = (("besd", 1), ("besd", 2), ("tpe", 1), ("tpe", 2), ("cma", 1), ("cma", 2), ("smac", 1))
        rows = [row(budget=100_000, method=m, seed=s, mean=1 if m == "smac" else 9) for m, s in held]
        text = self.report(rows)
        self.assertIn("| seeds | 2 |", text)
        self.assertIn("| SMAC3 black box | 1 (1 of 2) |", text)
        self.assertIn("| besd | **9** ± 0 |", text)
        self.assertIn("SMAC3 black box in GW10 0.1 M (1, besd 9; 1 seeds).", " ".join(text))
        worse = [dict(r, mean="12") if r["method"] == "smac" else r for r in rows]
        self.assertNotIn("Ahead of besd", " ".join(self.report(worse)))


class Jobs(unittest.TestCase):
    def test_seeds(self):
        self.assertEqual([list(seeds(t)) for t in ("3", "4-6")], [[1, 2, 3], [4, 5, 6]])

    def test_the_full_table_has_thirteen_cells(self):
        wanted = parse(["besd", "rows.csv"])
        cells = {(domain, budget) for domain, budget, _, _ in jobs(wanted)}
        self.assertEqual((len(cells), len(wanted.seeds)), (13, 10))

    def test_a_list_of_the_suite(self):
        with tempfile.TemporaryDirectory() as folder:
            listed = Path(folder, "list.txt")
            listed.write_text("# a comment\na a.yaml 700 9 1\nb mc 5 9 1 gravity=2\nc cliffs3 5 9 1\nd d.yaml 50 9 1\n")
            wanted = parse(["besd", "rows.csv", "--list", str(listed), "--seeds", "2", "--methods", "tpe"])
        expected = [(domain, budget, "tpe", s) for domain, budget in (("a.yaml", 700), ("d.yaml", 50)) for s in (1, 2)]
        self.assertEqual(list(jobs(wanted)), expected)

    def reported(self, held):
        """The lines of the report of rows (domain, method, seed, mean)."""
        with tempfile.TemporaryDirectory() as folder:
            listed, rows = Path(folder, "list.txt"), Path(folder, "rows.csv")
            listed.write_text("first a 700 500 100\nsecond b 5 0 5\nhopeless c 5 500 499\n")
            ledger = Ledger(rows)
            for d, m, s, mean in held:
                ledger.add(row(domain=d, method=m, seed=s, mean=mean))
            with redirect_stdout(io.StringIO()) as out:
                report_suite(listed, rows)
        return out.getvalue().splitlines()

    def test_what_is_won_of_a_list(self):
        held = [("a", "besd", 1, 100), ("a", "tpe", 1, 350), ("b", "besd", 1, 4), ("b", "tpe", 1, -1)]
        held += [("a", "besd", 2, 50), ("a", "none", 1, 500)]  # nobody else has run seed 2
        held += [("c", "besd", 1, 5), ("c", "tpe", 1, 5)]
        text = self.reported(held)
        self.assertEqual(text[2], "| besd | 2 | 0.90 | – | 0 of 2 | – | – |")  # 1 and 0.8
        self.assertEqual(text[3], "| Optuna TPE | 2 | 0.19 | – | 2 of 2 | 0.71 | – |")  # 0.375 and 0
        self.assertEqual(text[-2:], ["| first | 500 | 100 | 100 | 350 |", "| second | 0 | 5 | 4 | -1 |"])

    def test_how_far_ahead(self):
        held = [("a", "besd", s, mean) for s, mean in ((1, 100), (2, 200))]  # 1 and 0.75
        held += [("a", "tpe", s, 300) for s in (1, 2)]  # 0.5, always
        text = self.reported(held)
        self.assertEqual(text[2], "| besd | 2 | 0.88 | [0.75, 1.00] | 0 of 2 | – | – |")
        self.assertEqual(text[3], "| Optuna TPE | 2 | 0.50 | [0.50, 0.50] | 0 of 2 | 0.38 | [0.250, 0.500] |")


if __name__ == "__main__":
    unittest.main()
