#!/usr/bin/env python3
"""What other people's optimisers, and besd, win on a list of the suite; tables of the rows of `peers.py --list LIST`.

usage: report_suite.py LIST ROWS.csv

scripts/winnings.py says what is won and lost, and how intervals are made. Only seeds that all methods of the table have
run count. The last columns are by how much besd wins more, with an interval as of independent runs.
"""

import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean

sys.path.append(str(Path(__file__).parents[2] / "scripts"))
import winnings

from ledger import rows_of
from methods import METHODS
from problem import read_list

NAMES = {m: name for m, (_, _, name) in METHODS.items() if m != "none"}


def read_problems(path):
    """Without those in which brute force has found nothing that is better than no subgoals by a twentieth."""
    known = {words[1]: (words[0], float(words[3]), float(words[4])) for words in read_list(path)}
    return {domain: p for domain, p in known.items() if winnings.winnable(p[1], p[2])}


def interval(groups, against=None):
    """As text, a difference to three digits; none of a single run of each."""
    if any(len(g) < 2 for g in groups):
        return "–"
    low, high = winnings.interval(groups, against)
    digits = 2 if against is None else 3
    return f"[{low:.{digits}f}, {high:.{digits}f}]"


def main(listed, rows):
    problems = read_problems(listed)
    means = defaultdict(dict)  # [domain, seed][method]
    for row in rows_of(rows).values():
        if row["domain"] in problems and row["method"] != "none":
            means[row["domain"], int(row["seed"])][row["method"]] = float(row["mean"])
    methods = [m for m in NAMES if any(m in run for run in means.values())]
    means = {key: run for key, run in means.items() if set(run) == set(methods)}
    groups = {m: defaultdict(list) for m in methods}
    for (domain, _), run in means.items():
        _, none, best = problems[domain]
        for m in methods:
            groups[m][domain].append(winnings.won(none, best, run[m]))
    groups = {m: list(g.values()) for m, g in groups.items()}
    runs = {m: [w for g in groups[m] for w in g] for m in methods}
    print("| | runs | won | 95 % | lost | besd is ahead by | 95 % |\n|---|---|---|---|---|---|---|")
    for m in sorted(methods, key=lambda m: -fmean(runs[m])):
        lost = sum(w < winnings.LOST for w in runs[m])
        ahead = "– | –"
        if m != "besd" and "besd" in methods:
            ahead = f"{fmean(runs['besd']) - fmean(runs[m]):.2f} | {interval(groups['besd'], groups[m])}"
        print(f"| {NAMES[m]} | {len(runs[m])} | {fmean(runs[m]):.2f} | {interval(groups[m])} | {lost} of {len(runs[m])} | {ahead} |")
    print("\n| problem | none | best known | " + " | ".join(NAMES[m] for m in methods) + " |")
    print("|---|---|---|" + "---|" * len(methods))
    for domain in dict.fromkeys(domain for domain, _ in means):
        name, none, best = problems[domain]
        cells = [f"{fmean(run[m] for (d, _), run in means.items() if d == domain):.4g}" for m in methods]
        print(f"| {name} | {none:.4g} | {best:.4g} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(*sys.argv[1:])
