#!/usr/bin/env python3
"""Tables of the suite's rows (bench/suite.c): what every method won, what it lost, how honest it was.
usage: suite.py ROWS.csv ...

won    (none - result) / (none - best known), from 0 to 1; a run below one half is lost
z      (tested - predicted) / sqrt(sd^2 + se^2) on the model's scale, of recommendations and of random designs
inside how many of the printed 90 % intervals contain the tested mean, all moments
found  the best design that a study has tried, beside the one that it recommends (suite --trainings)
Intervals are 95 % bootstrap intervals over runs, problems kept apart."""
import csv
import sys
from collections import defaultdict

import winnings

rows = [r for path in sys.argv[1:] for r in csv.DictReader(open(path))]
methods = list(dict.fromkeys(r["method"] for r in rows))
# where brute force has found nothing that is better than no subgoals by a twentieth, nothing can be won
rows = [r for r in rows if winnings.winnable(float(r["none"]), float(r["best"]))]
problems = list(dict.fromkeys(r["problem"] for r in rows))


def moment(r):
    return r["problem"], r["method"], r["replication"], r["share"]


# where no design is the better choice, learning without subgoals is what a user gets
without = {moment(r): r["tested"] for r in rows if r["kind"] == "none"}


def result(r):
    return float(without.get(moment(r), r["tested"]))


def won(r):
    return winnings.won(float(r["none"]), float(r["best"]), result(r))


def z(r):
    sd, se = float(r["sd"]), float(r["model_se"])
    away = float(r["model"]) - float(r["mean"])
    return away / (sd * sd + se * se) ** 0.5 if away else 0.0


def inside(r):
    return float(r["low"]) <= float(r["tested"]) <= float(r["high"])


def mean(values):
    values = list(values)
    return sum(values) / max(1, len(values))


def share(facts):
    facts = list(facts)
    return f"{mean(facts):.0%}" if facts else "–"


print(
    "| method | runs | won, half | won, all | 95 % | lost, half | lost, all | 95 % "
    "| &#124;z&#124; < 2 | largest | random | largest | inside | random |"
)
print("|---|" + "---|" * 13)
for m in methods:
    recommended = [r for r in rows if r["method"] == m and r["kind"] == "recommended"]
    half = [r for r in recommended if r["share"] == "0.50"]
    end = [r for r in recommended if r["share"] == "1.00"]
    groups = defaultdict(list)
    for r in end:
        groups[r["problem"]].append(won(r))
    groups = list(groups.values())
    low, high = winnings.interval(groups)
    lost_low, lost_high = winnings.interval([[w < winnings.LOST for w in g] for g in groups])
    all_won = [w for g in groups for w in g]
    zs = [abs(z(r)) for r in recommended]
    random_rows = [r for r in rows if r["method"] == m and r["kind"] == "random"]
    others = [abs(z(r)) for r in random_rows]
    half_won = list(map(won, half))
    print(
        f"| `{m}` | {len(end)} | {mean(half_won):.2f} | {mean(all_won):.2f} | [{low:.2f}, {high:.2f}] "
        f"| {share(w < winnings.LOST for w in half_won)} | {share(w < winnings.LOST for w in all_won)} | [{lost_low:.0%}, {lost_high:.0%}] "
        f"| {share(v < 2 for v in zs)} | {max(zs):.1f} | {share(v < 2 for v in others)} | {max(others, default=0):.1f} "
        f"| {share(map(inside, recommended))} | {share(map(inside, random_rows))} |"
    )
print()
print("| problem | none | best known | " + " | ".join(f"`{m}`" for m in methods) + " |")
print("|---|---|---|" + "---|" * len(methods))
for p in problems:
    of = [r for r in rows if r["problem"] == p and r["kind"] == "recommended" and r["share"] == "1.00"]
    cells = []
    for m in methods:
        values = [result(r) for r in of if r["method"] == m]
        lost = sum(won(r) < winnings.LOST for r in of if r["method"] == m)
        cells.append(f"{sum(values) / max(1, len(values)):.4g}, {lost} of {len(values)} lost")
    print(f"| {p} | {float(of[0]['none']):.4g} | {float(of[0]['best']):.4g} | " + " | ".join(cells) + " |")
print()
print("| method | of the budget | recommendations, &#124;z&#124; < 2 | inside | random designs | inside |")
print("|---|" + "---|" * 5)
for m in methods:
    for at in ("0.25", "0.50", "0.75", "1.00"):
        now = [r for r in rows if r["method"] == m and r["share"] == at]
        cells = []
        for kind in ("recommended", "random"):
            of = [r for r in now if r["kind"] == kind]
            cells += [share(abs(z(r)) < 2 for r in of), share(map(inside, of))]
        print(f"| `{m}` | {float(at):.0%} | " + " | ".join(cells) + " |")

# Of a budget in trainings (suite --trainings): does besd recognise the best design that it has tried?
found = {moment(r): won(r) for r in rows if r["kind"] == "found"}
if found:
    print()
    print("| method | runs | won: found | won: recommended | lost | inside |")
    print("|---|" + "---|" * 5)
    for m in methods:
        end = [r for r in rows if r["method"] == m and r["kind"] == "recommended" and moment(r) in found]
        print(
            f"| `{m}` | {len(end)} | {mean(found[moment(r)] for r in end):.2f} | {mean(map(won, end)):.2f} "
            f"| {share(won(r) < winnings.LOST for r in end)} | {share(map(inside, end))} |"
        )
    print()
    print("| problem | " + " | ".join(f"`{m}`, found | recommended" for m in methods) + " |")
    print("|---|" + "---|" * (2 * len(methods)))
    for p in problems:
        cells = []
        for m in methods:
            end = [r for r in rows if (r["problem"], r["method"], r["kind"]) == (p, m, "recommended") and moment(r) in found]
            best = [float(r["tested"]) for r in rows if (r["problem"], r["method"], r["kind"]) == (p, m, "found")]
            cells += [f"{mean(best):.4g}", f"{mean(map(result, end)):.4g}"]
        print(f"| {p} | " + " | ".join(cells) + " |")
