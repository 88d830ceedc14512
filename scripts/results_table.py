#!/usr/bin/env python3
"""The table of README.md from docs/results: besd against the best other method, at half and all of the budget."""
import csv
import lzma
import pathlib
import statistics
import sys

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "docs/results")
rows = list(csv.DictReader(open(folder / "summary.csv")))
pairs = list(csv.DictReader(open(folder / "comparisons.csv")))
print("| domain | budget | | besd | best other method | difference, 95 % interval | without subgoals |")
print("|---|---|---|---|---|---|---|")
for domain in dict.fromkeys(r["domain"] for r in rows):
    here = [r for r in rows if r["domain"] == domain]
    costs = sorted({float(r["cost"]) for r in here})
    sign = -1 if domain == "tr" else 1
    for at, cost in (("half", costs[len(costs) // 2 - 1]), ("final", costs[-1])):
        now = {r["method"]: r for r in here if float(r["cost"]) == cost and r["mean"]}
        rivals = [m for m in now if not m.startswith("besd")]
        best = min(rivals, key=lambda m: sign * float(now[m]["mean"]))
        pair = next(p for p in pairs if (p["domain"], p["method"], p["at"]) == (domain, best, at))
        print(f"| {domain.upper() if at == 'half' else ''} | {f'{costs[-1]:,.0f}'.replace(',', ' ') if at == 'half' else ''} "
              f"| {'half' if at == 'half' else 'all'} | {float(now['besd']['mean']):.4g} ± {float(now['besd']['two_se']):.2g} "
              f"| {best} {float(now[best]['mean']):.4g} ± {float(now[best]['two_se']):.2g} "
              f"| {float(pair['difference']):.3g} [{float(pair['difference_low']):.3g}, {float(pair['difference_high']):.3g}] "
              f"| {float(now['ql']['mean']):.4g} |")

# Both on the instances that learning curves are read on, after tau_max interactions.
tau_max = {"gw10": 1000, "gw20": 10000, "tr": 2000, "key2": 1000, "key3": 1000, "mc": 10000}
learned = list(csv.DictReader(lzma.open(folder / "learning.csv.xz", "rt")))
print("\n| domain | brute force | its regret | besd, mean of the runs | ratio | their median | ratio |\n|---|---|---|---|---|---|---|")
for found in csv.DictReader(open(folder / "oracle.csv")):
    domain, optimum = found["domain"], float(found["lab_optimum"])
    values = [float(r["mean"]) for r in learned if r["domain"] == domain and r["method"] == "besd"
              and int(r["interactions"]) == tau_max[domain]]
    mean, median, regret = statistics.mean(values), statistics.median(values), abs(float(found["lab_mean"]) - optimum)
    print(f"| {domain.upper()} | {float(found['lab_mean']):.4g} | {regret:.3g} | {mean:.4g} | {abs(mean - optimum) / regret:.2f} "
          f"| {median:.4g} | {abs(median - optimum) / regret:.2f} |")
