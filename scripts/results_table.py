#!/usr/bin/env python3
"""The table of README.md from docs/results: besd against the best other method, at half and all of the budget."""
import csv
import json
import pathlib
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

oracle = {r["domain"]: r for r in csv.DictReader(open(folder / "oracle.csv"))}
optimum = {d["domain"]: d["optimum"] for d in json.load(open(folder / "summary.json"))["domains"]}
print("\n| domain | brute force | its regret | besd at the end | its regret | ratio |\n|---|---|---|---|---|---|")
for domain, found in oracle.items():
    here = [r for r in rows if r["domain"] == domain and r["method"] == "besd"]
    mean = float(max(here, key=lambda r: float(r["cost"]))["mean"])
    regrets = [abs(float(value) - optimum[domain]) for value in (found["mean"], mean)]
    print(f"| {domain.upper()} | {float(found['mean']):.4g} ± {float(found['se']):.2g} | {regrets[0]:.3g} | {mean:.4g} "
          f"| {regrets[1]:.3g} | {regrets[1] / regrets[0]:.3g} |")
