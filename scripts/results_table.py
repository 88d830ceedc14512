#!/usr/bin/env python3
"""The tables of README.md and docs/results/README.md, at half and all of the budget: besd as it is by default
(defaults-curves.csv.xz, by `make defaults`), the paper's method and the best other method (`besd paper`); and how far the
first two are from what brute force finds."""
import csv
import lzma
import pathlib
import statistics
import sys

import winnings

RUNS = 50  # of the paper's experiments; another number is said
folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "docs/results")


def table(name):
    return list(csv.DictReader(lzma.open(folder / name, "rt")))


def tested(rows):
    """Tested means of all replications, by domain, method and cost."""
    found = {}
    for r in rows:
        if r["mean"]:
            found.setdefault((r["domain"], r["method"], float(r["cost"])), []).append(float(r["mean"]))
    return found


def summary(values):
    text = f"{statistics.mean(values):.4g} ± {2 * statistics.stdev(values) / len(values) ** 0.5:.2g}"
    return text if len(values) == RUNS else f"{text} ({len(values)} runs)"


paper, default = tested(table("curves.csv.xz")), tested(table("defaults-curves.csv.xz"))
domains = list(dict.fromkeys(domain for domain, _, _ in paper))
print("| domain | budget | | besd | the paper's method | best other method | besd − other, 95 % interval | without subgoals |")
print("|---|---|---|---|---|---|---|---|")
for domain in domains:
    costs = sorted({cost for d, _, cost in paper if d == domain})
    sign = -1 if domain == "tr" else 1
    budget = f"{costs[-1]:,.0f}".replace(",", " ")
    for at, cost in (("half", costs[len(costs) // 2 - 1]), ("all", costs[-1])):
        ours = default[domain, "besd", cost]
        rivals = {m: v for (d, m, c), v in paper.items() if d == domain and c == cost and not m.startswith("besd")}
        best = min(rivals, key=lambda m: sign * statistics.mean(rivals[m]))
        low, high = winnings.interval([ours], [rivals[best]])
        first = f"{domain.upper()} | {budget}" if at == "half" else " | "
        print(f"| {first} | {at} | {summary(ours)} | {summary(paper[domain, 'besd', cost])} | {best} {summary(rivals[best])} "
              f"| {statistics.mean(ours) - statistics.mean(rivals[best]):.3g} [{low:.3g}, {high:.3g}] "
              f"| {statistics.mean(rivals['ql']):.4g} |")

# Both on the instances that learning curves are read on, after tau_max interactions.
tau_max = {"gw10": 1000, "gw20": 10000, "tr": 2000, "key2": 1000, "key3": 1000, "mc": 10000}
for who, name in (("besd", "defaults-learning.csv.xz"), ("the paper's method", "learning.csv.xz")):
    learned = table(name)
    print(f"\n| domain | brute force | its regret | {who}, mean of the runs | ratio | their median | ratio |")
    print("|---|---|---|---|---|---|---|")
    for found in csv.DictReader(open(folder / "oracle.csv")):
        domain, optimum = found["domain"], float(found["lab_optimum"])
        values = [float(r["mean"]) for r in learned if r["domain"] == domain and r["method"] == "besd"
                  and int(r["interactions"]) == tau_max[domain]]
        mean, median, regret = statistics.mean(values), statistics.median(values), abs(float(found["lab_mean"]) - optimum)
        print(f"| {domain.upper()} | {float(found['lab_mean']):.4g} | {regret:.3g} | {mean:.4g} | {abs(mean - optimum) / regret:.2f} "
              f"| {median:.4g} | {abs(median - optimum) / regret:.2f} |")
