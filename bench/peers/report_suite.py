#!/usr/bin/env python3
"""What other people's optimisers, and besd, win on a list of the suite; tables of the rows of `peers.py --list LIST`.

usage: report_suite.py LIST ROWS.csv

won is (none - result) / (none - best known), from 0 to 1; a run below one half is lost. Only seeds that all methods of the
table have run count. Intervals are 95 % bootstrap intervals over runs, problems kept apart.
"""

import random
import sys
from collections import defaultdict
from statistics import fmean

from ledger import rows_of
from methods import METHODS
from problem import read_list

NAMES = {m: name for m, (_, _, name) in METHODS.items() if m != "none"}


def read_problems(path):
    """Without those in which brute force has found nothing that is better than no subgoals by a twentieth."""
    known = {words[1]: (words[0], float(words[3]), float(words[4])) for words in read_list(path)}
    return {domain: p for domain, p in known.items() if abs(p[1] - p[2]) > 0.05 * abs(p[1])}


def won(problem, mean):
    _, none, best = problem
    return min(1.0, max(0.0, (none - mean) / (none - best)))


def interval(groups):
    """Of the mean over groups of runs, runs drawn again within their group: none of a single run of each."""
    if any(len(g) < 2 for g in groups):
        return "–"
    rng = random.Random(1)
    means = sorted(fmean(rng.choice(g) for g in groups for _ in g) for _ in range(1000))
    return f"[{means[25]:.2f}, {means[974]:.2f}]"


def main(listed, rows):
    problems = read_problems(listed)
    means = defaultdict(dict)  # [domain, seed][method]
    for row in rows_of(rows).values():
        if row["domain"] in problems and row["method"] != "none":
            means[row["domain"], int(row["seed"])][row["method"]] = float(row["mean"])
    methods = [m for m in NAMES if any(m in run for run in means.values())]
    means = {key: run for key, run in means.items() if set(run) == set(methods)}
    table = []
    for m in methods:
        groups = defaultdict(list)
        for (domain, _), run in means.items():
            groups[domain].append(won(problems[domain], run[m]))
        runs = [w for g in groups.values() for w in g]
        table.append((fmean(runs), m, interval(groups.values()), runs))
    print("| | runs | won | 95 % | lost |\n|---|---|---|---|---|")
    for mean, m, between, runs in sorted(table, reverse=True):
        lost = sum(w < 0.5 for w in runs)
        print(f"| {NAMES[m]} | {len(runs)} | {mean:.2f} | {between} | {lost} of {len(runs)} |")
    print("\n| problem | none | best known | " + " | ".join(NAMES[m] for m in methods) + " |")
    print("|---|---|---|" + "---|" * len(methods))
    for domain in dict.fromkeys(domain for domain, _ in means):
        name, none, best = problems[domain]
        cells = [f"{fmean(run[m] for (d, _), run in means.items() if d == domain):.4g}" for m in methods]
        print(f"| {name} | {none:.4g} | {best:.4g} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(*sys.argv[1:])
