#!/usr/bin/env python3
"""Tables of the rows of run.py, as markdown.

usage: report_public.py ROWS.csv [--output OUTPUT.md] [--half develop] [--label NAME]

besd is compared with each of the others on the runs (problem, budget, seed) that both have; with --label it is that
variant of besd, and the other variants are among the others. --without leaves methods out. A regret below FLOOR counts as
FLOOR where logarithms are taken.
"""

import argparse
import math
import sys
import textwrap
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from optimisers import OPTIMISERS
from problems import HALVES, NAMES, NOISE, REPS, TAUS, family_of
from run import COLUMNS

sys.path.append(str(Path(__file__).parents[2] / "scripts"))
import winnings

from ledger import rows_of
from report import machine

FLOOR = 1e-4

HEAD = """# Other people's functions
Public functions as trainers of a robot lab would be: a box, noisy scores, a budget of {budgets} trainings at the largest
tau. Regret of the recommended design at the largest tau without noise: 0 is the optimum, 1 the median random design.
**Multi-fidelity**: augmented Branin, Rosenbrock and Hartmann, Currin, Borehole, Park; tau is {taus} and a trial costs
tau times its replications ({reps}, besd's to choose); Gaussian noise, standard deviation {noise:g} % of the function's range.
**Noisy**: functions and noise of COCO's bbob-noisy (Gaussian, uniform, Cauchy) in 2, 3, 5 and 10 dimensions, one tau.
Defaults of besd were decided on the develop half; the validate half is reported only. besd is a study of an own trainer
without legs, from Python, all defaults.

Single-fidelity methods train once at the largest tau. The Gaussian processes of Optuna and BoTorch recommend the tried
design with the best posterior mean, CMA-ES the mean of its distribution, SMAC3 its incumbent, the others the best score.
`bench/public` has all of it.
"""


def sign_test(wins, losses):
    """Two-sided."""
    n, k = wins + losses, min(wins, losses)
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n)


def name_of(method):
    return OPTIMISERS[method][2] if method in OPTIMISERS else method


def log_regret(row, what="regret"):
    return math.log(max(float(row[what]), FLOOR))


class Cell:
    """The runs of a family at a budget: runs[problem, seed][method] is a row."""

    def __init__(self, rows):
        self.runs = defaultdict(dict)
        for row in sorted(rows, key=lambda row: (row["problem"], int(row["seed"]))):
            self.runs[row["problem"], int(row["seed"])][row["method"]] = row

    def of(self, method, others=()):
        """The rows of a method in the runs that the others have too."""
        return [run[method] for run in self.runs.values() if all(m in run for m in (method, *others))]


def geometric(rows, what="regret"):
    return math.exp(fmean(log_regret(row, what) for row in rows))


def groups(rows):
    """Logarithms of regrets, problem by problem."""
    found = defaultdict(list)
    for row in rows:
        found[row["problem"]].append(log_regret(row))
    return list(found.values())


def wins(ours, others):
    both = [(float(a["regret"]), float(b["regret"])) for a, b in zip(ours, others, strict=True)]
    return sum(a < b for a, b in both), sum(a > b for a, b in both)


def cells_of(rows):
    """By family and budget."""
    cells = defaultdict(list)
    for row in rows:
        cells[family_of(row["problem"]), int(row["budget"])].append(row)
    return {at: Cell(part) for at, part in sorted(cells.items())}


def methods_of(cells):
    """Variants of besd first, then the others in the order of the list."""
    have = {m for cell in cells for run in cell.runs.values() for m in run}
    return sorted(have - set(OPTIMISERS)) + [m for m in OPTIMISERS if m in have]


def per_problem(cells):
    """Mean regrets over the seeds that a method has, the best in bold; budgets separated by strokes."""
    methods = methods_of(cells.values())
    yield f"| {' / '.join(map(str, cells))} trainings | " + " | ".join(map(name_of, methods)) + " |"
    yield "|---|" + "---|" * len(methods)
    for problem in NAMES:
        texts = defaultdict(list)
        for cell in cells.values():
            regrets = {m: [float(r["regret"]) for r in cell.of(m) if r["problem"] == problem] for m in methods}
            means = {m: fmean(values) for m, values in regrets.items() if values}
            for m in methods:
                text = f"{means[m]:.3f}" if m in means else "–"
                texts[m].append(f"**{text}**" if m in means and means[m] == min(means.values()) else text)
        if any(text != "–" for parts in texts.values() for text in parts):
            yield f"| {problem} | " + " | ".join("/".join(texts[m]) for m in methods) + " |"
    seeds = {m: {len({r["seed"] for r in cell.of(m)}) for cell in cells.values()} for m in methods}
    yield "| seeds | " + " | ".join("–".join(map(str, sorted({min(n), max(n)}))) for n in seeds.values()) + " |"


def against(cells, ours):
    """besd and each of the others on the runs that both have."""
    yield "| trainings | | runs | regret, geometric mean | besd's | ratio | 95 % | besd wins – loses | p |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for budget, cell in cells.items():
        for m in methods_of([cell]):
            own, its = cell.of(ours, (m,)), cell.of(m, (ours,))
            if m == ours or not own:
                continue
            low, high = map(math.exp, winnings.interval(groups(own), groups(its)))
            won, lost = wins(own, its)
            yield (
                f"| {budget} | {name_of(m)} | {len(own)} | {geometric(its):.4f} | {geometric(own):.4f} "
                f"| {geometric(own) / geometric(its):.2f} | [{low:.2f}, {high:.2f}] | {won} – {lost} "
                f"| {sign_test(won, lost):.2g} |"
            )


def itself(cells, variants):
    """What besd has found and recognised, and what its intervals are worth."""
    yield "| | trainings | runs | best design tried | recommended | untried at the largest tau | intervals that hold | seconds |"
    yield "|---|---|---|---|---|---|---|---|"
    for (family, budget), cell in cells.items():
        for m in variants:
            rows = cell.of(m)
            if not rows:
                continue
            held, untried = sum(r["held"] == "1" for r in rows), sum(r["tried"] == "0" for r in rows)
            yield (
                f"| {m}, {family} | {budget} | {len(rows)} | {geometric(rows, 'found'):.4f} | {geometric(rows):.4f} "
                f"| {untried} | {held} ({100 * held / len(rows):.0f} %) | {fmean(float(r['seconds']) for r in rows):.1f} |"
            )


def tables(rows, ours):
    cells = cells_of(rows)
    for family in dict.fromkeys(f for f, _ in cells):
        mine = {budget: cell for (f, budget), cell in cells.items() if f == family}
        yield f"### {family[0].upper()}{family[1:]}\n"
        yield from per_problem(mine)
        yield ""
        yield from against(mine, ours)
        yield ""
    yield "### besd itself\n"
    yield from itself(cells, [m for m in methods_of(cells.values()) if m not in OPTIMISERS])
    yield ""


def how(rows):
    versions = sorted({r["version"] for r in rows if r["version"] != "-"})
    builds = sorted({r["besd"] for r in rows if r["besd"] != "-"})
    return textwrap.fill(
        f"(`make public`, from the rows of `docs/results/public.csv`; {', '.join(versions)}; builds of besd: "
        f"{', '.join(builds) or 'none'}; {machine()}, at nice 15 and shared with other work, so that seconds are rough. Mean "
        f"regrets per problem; geometric means take a regret below {FLOOR:g} as that; intervals are 95 % bootstrap intervals "
        "over runs, problems kept apart (`scripts/winnings.py`); p is that of a two-sided sign test over runs, ties left out. An "
        "interval holds when the mean score of the recommended design at the largest tau lies in it; Cauchy noise has no mean, "
        "there it is the median.)",
        120, break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def report(rows, ours, halves):
    budgets = sorted({int(r["budget"]) for r in rows})
    yield HEAD.format(
        budgets=", ".join(map(str, budgets)), taus=", ".join(map(str, TAUS)), reps=" or ".join(map(str, REPS)),
        noise=100 * NOISE,
    )  # fmt: skip
    for half in halves:
        part = [r for r in rows if r["half"] == half]
        if part:
            yield f"## The {half} half\n"
            yield from tables(part, ours)
    yield how(rows)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows")
    parser.add_argument("--output")
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--label", default="besd")
    parser.add_argument("--without", nargs="+", default=[], metavar="METHOD")
    return parser.parse_args(arguments)


def main(arguments):
    wanted = parse(arguments)
    rows = [r for r in rows_of(wanted.rows, COLUMNS).values() if r["method"] not in wanted.without]
    halves = (wanted.half,) if wanted.half else ("validate", "develop")
    text = "\n".join(report(rows, wanted.label, halves)) + "\n"
    if wanted.output:
        Path(wanted.output).write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main(sys.argv[1:])
